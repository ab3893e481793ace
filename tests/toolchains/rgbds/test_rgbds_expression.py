"""Expressions: arithmetic, what is known early, and what the linker gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rgbds_sources import assembled, faults, printed

from romproof.toolchains.rgbds.obj.rpn import RpnOp, RpnStep

NUMBERS = st.one_of(
    st.integers(-(2**31), 2**31 - 1), st.integers(-40, 40), st.sampled_from([-(2**31), 2**31 - 1])
)


def value(expression: str) -> int:
    """What an expression is in the assembler, as 32 bits without a sign."""
    return int(printed(f"\tprintln {expression}\n")[0].removeprefix("$"), 16)


def bits(number: int) -> int:
    return number & 0xFFFFFFFF


@given(NUMBERS, NUMBERS)
def test_arithmetic(left: int, right: int) -> None:
    a, b = f"({left})", f"({right})"
    assert value(f"{a} + {b}") == bits(left + right)
    assert value(f"{a} - {b}") == bits(left - right)
    assert value(f"{a} * {b}") == bits(left * right)
    assert value(f"{a} ^ {b}") == bits(left ^ right)
    assert value(f"{a} < {b}") == (left < right)
    assert value(f"~{a} & {b}") == bits(~left & right)
    if right:
        assert value(f"{a} / {b}") == bits(left // right)
        assert value(f"{a} % {b}") == bits(left % right)


@given(NUMBERS, st.integers(0, 40))
def test_shifts(number: int, count: int) -> None:
    assert value(f"({number}) << {count}") == bits(number << count)
    assert value(f"({number}) >> {count}") == bits(number >> count)
    assert value(f"({number}) >>> {count}") == bits(number) >> count
    assert value(f"({number}) >> -{count}") == bits(number << count)


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("2 + 3 * 4", 14),
        ("1 << 2 + 1", 5),
        ("-2 ** 2", bits(-4)),
        ("2 ** 3 ** 2", 512),
        ("1 | 6 == 7", 1),
        ("!0 && 2 || 0", 1),
        ("7 - 3 - 2", 2),
        ("HIGH($1234) << 8 | LOW($5678)", 0x1278),
        ("BITWIDTH($8000) + TZCOUNT(%1000)", 19),
    ],
)
def test_precedence(expression: str, result: int) -> None:
    assert value(expression) == result


EARLY = """
SECTION "fixed", ROM0[$120]
f1: db 1
f2: db 1
SECTION "aligned", ROMX, ALIGN[8, 4]
a1: db 1
a2: db 1
SECTION "floating", ROMX, BANK[3]
l1: ds 5
l2: db 1
"""


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("f2", 0x121),
        ("l2 - l1", 5),
        ("@ - l1", 6),
        ("LOW(a2)", 5),
        ("a2 & $FF", 5),
        ("3 & a1", 0),
        ("!a1", 0),
        ("0 & later", 0),
        ("later && 0", 0),
        ("1 || later", 1),
        ("BANK(l1)", 3),
        ("BANK(@)", 3),
        ("ISCONST(l1)", 0),
        ("ISCONST(l2 - l1)", 1),
    ],
)
def test_known_although_parts_are_not(expression: str, result: int) -> None:
    assert printed(f"{EARLY}\tprintln {expression}\n") == [f"${result:X}"]


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("l1", "`l1` is not constant at assembly time"),
        ("later + 1", "undefined symbol `later`"),
        ("a2 & $1FF", "`a2` is not constant at assembly time"),
        ("l1 - a1", "`l1` is not constant at assembly time"),
        ("@", "PC is not constant at assembly time"),
        ("BANK(a1)", "`a1`'s bank is not known"),
        ('SIZEOF("floating")', 'Section "floating"\'s size is not known'),
        ('STARTOF("later")', 'Section "later"\'s start is not known'),
    ],
)
def test_reasons(expression: str, reason: str) -> None:
    assert faults(f"{EARLY}\tprintln {expression}\n") == [f"Expected constant expression: {reason}"]


def test_steps_for_the_linker() -> None:
    made = assembled('SECTION "x", ROM0\n\tdb -later * 2 + BANK("y") ** 3\n')
    assert [symbol.name for symbol in made.symbols] == ["later"]
    assert made.sections[0].patches[0].rpn == (
        RpnStep(RpnOp.SYMBOL, 0),
        RpnStep(RpnOp.NEG),
        RpnStep(RpnOp.CONST, 2),
        RpnStep(RpnOp.MUL),
        RpnStep(RpnOp.BANK_SECTION, "y"),
        RpnStep(RpnOp.CONST, 3),
        RpnStep(RpnOp.EXP),
        RpnStep(RpnOp.ADD),
    )


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("1 / 0", "Division by zero"),
        ("1 % 0", "Modulo by zero"),
        ("2 ** -1", "Exponentiation by negative power"),
        ("nothing", "Expected constant expression: undefined symbol `nothing`"),
        ("BANK(@)", "PC has no bank outside of a section"),
        ("@", "PC has no value outside of a section"),
    ],
)
def test_errors(expression: str, message: str) -> None:
    assert faults(f"\tprintln {expression}\n") == [message]
