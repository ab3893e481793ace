"""What decreases, ports, and switches, as contracts write them."""

from __future__ import annotations

import pytest
from headers import BARE, BYTE, WORD, Numbers, contract_of, fault_of

from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.expr import Binary, FlagValue, Old, RegisterValue
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.ports import volatile_addresses
from romproof.isa.abi import MOS6502, SM83, Register

A, X, _ = MOS6502.registers
C = MOS6502.items["C"][0]
IME = SM83.items["IME"][0]
INVARIANT = "; in: A X C bare[4]\n; invariant: @step: X > 0\n"


def test_a_number_that_decreases() -> None:
    contract = contract_of(INVARIANT + "; decreases: @step: old X - X\n;    + 3")
    (one,) = contract.decreases
    assert (one.label, one.text) == ("@step", "old X - X + 3")
    assert one.addresses == contract.invariants[0].addresses == (0xC010, 0xC012)
    assert (one.span.line, one.span.col, one.span.length) == (4, 14, 5)
    assert isinstance(one.expression, Binary)
    now = Numbers({"X": 2}, {}, Numbers({"X": 9}, {}))
    assert evaluate(one.expression, now) == 10
    assert dict(contract.places)["decreases"].line == 4


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("X", RegisterValue(X)),
        ("C", FlagValue(C)),  # type: ignore[arg-type]
        ("old X", Old(RegisterValue(X))),
        ("(X)", RegisterValue(X)),
    ],
)
def test_simple_numbers(text: str, expression: object) -> None:
    contract = contract_of(f"{INVARIANT}; decreases: @step: {text}")
    assert contract.decreases[0].expression == expression


def test_each_label_has_its_own() -> None:
    fields = INVARIANT + "; invariant: @step_1: A > 0\n"
    contract = contract_of(fields + "; decreases: @step: X\n; decreases: @step_1: A")
    assert [one.label for one in contract.decreases] == ["@step", "@step_1"]
    # a pattern may have the invariant, and one place of it the number
    contract = contract_of(INVARIANT + "; decreases: @step#2: X")
    assert contract.decreases[0].addresses == (0xC012,)


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("@step_1: X", "@step_1", "'@step_1' has no invariant"),
        ("@stop: X", "@stop", "no label '@stop' in the routine"),
        ("@step: X, A", ",", "one number must stand here, not a list"),
        ("@step: X < 3", "X < 3", "this is true or false, not a number"),
        ("@step: not C", "not C", "this is true or false, not a number"),
        ("@step: all j in 0..3: bare[j] == 0", "all j", "this is true or false, not a number"),
        ("@step: (X < 3)", "(X < 3", "this is true or false, not a number"),
        ("@step:", "", "a number is missing here"),
        ("X", "X", "the number that decreases begins with a label and a colon"),
        ("@step X", "@step", "the number that decreases begins with a label and a colon"),
        ("@step: -1 - X", "@step", "-1 - X is never a natural number: it is at most -1"),
        ("@step: X)", ")", "expected the end, not ')'"),
        ("@step: X Y", "Y", "expected the end, not 'Y'"),
        ("@step: old", "", "expected a name or '(', not the end"),
        ("@step: S", "S", "conditions cannot mention the stack pointer S"),
        ("@step: bear", "bear", "no symbol 'bear' in the image"),
        ("", "", "the field 'decreases' is empty"),
    ],
)
def test_what_cannot_decrease(text: str, place: str, told: str) -> None:
    found = fault_of(f"{INVARIANT}; decreases: {text}")
    assert f"error: {told}" in found
    if place:
        assert f"prog.s:4:{len('; decreases: ') + text.rindex(place) + 1}: error" in found
    assert "^" in found
    assert found.count("error:") == 1


def test_a_label_has_one_number_only() -> None:
    found = fault_of(INVARIANT + "; decreases: @step: X\n; decreases: @step#1: A")
    assert "prog.s:5:14: error: '@step#1' already has a number that decreases" in found


def test_help_for_a_missing_invariant() -> None:
    found = fault_of("; in: X\n; decreases: @step: X")
    assert "help: add a condition that holds at each visit: ; invariant: @step: …" in found


@pytest.mark.parametrize("name", ["decrease", "measure", "decreasing"])
def test_a_misspelt_field(name: str) -> None:
    assert "did you mean 'decreases'?" in fault_of(f"{INVARIANT}; {name}: @step: X")


def test_ports() -> None:
    contract = contract_of("; in: volatile byte, zp volatile word X\n; out: volatile $D012[1]")
    byte, word = MemoryRange("byte", BYTE, 1), MemoryRange("word", WORD, 2)
    port = MemoryRange("$D012", 0xD012, 1)
    assert contract.inputs == (byte, word, X)
    assert contract.outputs == (port,)
    assert contract.volatile == (byte, word, port)
    assert volatile_addresses(contract, MOS6502) == {BYTE, WORD, WORD + 1, 0xD012}
    both = contract_of("; in: volatile bare[2]\n; clobbers: volatile bare[2] volatile bare[4]")
    assert both.volatile == (MemoryRange("bare", BARE, 2), MemoryRange("bare", BARE, 4))


def test_the_game_boy_has_ports_of_its_own() -> None:
    io = set(range(0xFF00, 0xFF80))
    assert volatile_addresses(None, SM83) == io
    contract = contract_of("; in: volatile byte", "sm83")
    assert volatile_addresses(contract, SM83) == io | {BYTE}
    assert volatile_addresses(None, MOS6502) == set()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("; in: volatile A", "prog.s:2:7: error: 'A' is a register or flag: only memory can be"),
        ("; in: A\n; volatile: byte", "write the word before an item: in: volatile PORT[1]; the"),
        ("; in: volatile", "no symbol 'volatile' in the image"),
        ("; in: volatile bite", "no symbol 'bite' in the image; did you mean 'byte'?"),
    ],
)
def test_what_is_no_port(fields: str, told: str) -> None:
    assert told in fault_of(fields)


def test_interrupt_enable_is_a_register_of_one_bit() -> None:
    contract = contract_of(
        "; in: IME\n; requires: IME == 0\n; out: IME\n; ensures: IME == 1 - old IME", "sm83"
    )
    assert contract.inputs == contract.outputs == (Register("IME", 1),)
    assert IME in SM83.contents
    assert (Register("IME", 1).mask, Register("A").mask) == (1, 0xFF)
    assert Register("IME", 1).shown(1) == "1"
    assert (Register("A").shown(10), Register("SP", 16).shown(10)) == ("$0A", "$000A")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("; requires: IME == 1\n; in: A", "'IME' is not listed under 'in:'"),
        ("; in: IME[1]", "'IME' is a register or flag and has no size"),
        ("; in: IME\n; requires: IME == 2", "IME == 2 is never true"),
    ],
)
def test_what_interrupt_enable_is_not(fields: str, told: str) -> None:
    assert told in fault_of(fields, "sm83")


def test_names_that_differ_in_case_only() -> None:
    text = "; in: N byte\n; ensures: {} == 0"
    for name in ("N", "C", "A"):
        assert contract_of(f"; in: {name}").inputs == MOS6502.items[name]
        assert f"no symbol '{name.lower()}'" in fault_of(text.format(name.lower()))
    assert "'N' is a register or flag and has no size" in fault_of("; in: N[4]")
    assert "'N' is a register or flag and has no bytes" in fault_of("; ensures: N[0] == 1")


def test_a_variable_below_zero() -> None:
    (condition,) = contract_of("; ensures: all j in -2..2: j >= 0").ensures
    assert evaluate(condition.expression, Numbers({}, {})) == 0
    (condition,) = contract_of("; ensures: all j in -2..2: j >= -2 and j - 3 < 0").ensures
    assert evaluate(condition.expression, Numbers({}, {})) == 1
    (condition,) = contract_of("; ensures: (sum j in -3..1: j * j) == 15").ensures
    assert evaluate(condition.expression, Numbers({}, {}))
    (condition,) = contract_of("; ensures: all j in -1..1: table[j + 1] == j + 1").ensures
    assert evaluate(condition.expression, Numbers({}, {0x301: 1, 0x302: 2})) == 1
