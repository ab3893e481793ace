"""Comparing what a call did with what a contract promises."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.contract.checks.check import Violation, check
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.state import Call, State
from romproof.engine.registers import Registers
from romproof.isa.abi import MOS6502, Flag
from romproof.text.span import Source, Span


def _item(name: str) -> Item:
    return MOS6502.items[name][0]


SOURCE = Source("a.s", ";; f\n; clobbers: none\n; stack: 2\n; cycles: 10..20\n")
FIELDS = {"clobbers": 2, "stack": 3, "cycles": 4}
CONTRACT = Contract(
    name="f",
    summary="",
    inputs=(),
    outputs=(_item("A"), MemoryRange("buf", 0x300, 4)),
    clobbers=(_item("N"), _item("Z")),
    stack=2,
    cycles=(10, 20),
    span=Span(SOURCE, 1, 4),
    places=tuple((name, Span(SOURCE, line, 3)) for name, line in FIELDS.items()),
)
BEFORE = Registers(a=1, x=2, y=3, s=0xFD, p=0x24, pc=0xC000)
AFTER = Registers(a=1, x=2, y=3, s=0xFF, p=0x24, pc=0xFFF9)
MEMORY = bytes(0x10000)


def _check(
    after: Registers = AFTER,
    written: dict[int, int] | None = None,
    cycles: int = 15,
    lowest_s: int = 0xFD,
    contract: Contract = CONTRACT,
) -> list[Violation]:
    memory = bytearray(MEMORY)
    for address, value in (written or {}).items():
        memory[address] = value
    call = Call(State(BEFORE, MEMORY), State(after, bytes(memory)), cycles, lowest_s)
    return check(contract, call, lambda address: f"<{address:04X}>")


def _only(violations: list[Violation]) -> tuple[str, int]:
    assert len(violations) == 1, violations
    return violations[0].sentence, violations[0].span.line


def test_a_call_that_keeps_its_promises() -> None:
    assert _check() == []
    changed = replace(AFTER, a=99, p=0x24 ^ 0x82)
    written = {0x300: 1, 0x303: 2, 0x1FD: 7, 0x1FC: 8, 0x1FE: 3, 0x1FF: 4}
    assert _check(changed, written, cycles=10, lowest_s=0xFB) == []
    assert _check(cycles=20) == []


@pytest.mark.parametrize(("name", "old"), [("x", 2), ("y", 3)])
def test_registers_must_come_back(name: str, old: int) -> None:
    sentence, line = _only(_check(replace(AFTER, **{name: 0x80})))
    assert sentence.startswith(f"{name.upper()} must come back as ${old:02X} but is $80")
    assert line == FIELDS["clobbers"]


@pytest.mark.parametrize("flag", [flag for flag in MOS6502.flags if flag.name in "VDIC"])
def test_flags_must_come_back(flag: Flag) -> None:
    sentence, line = _only(_check(replace(AFTER, p=AFTER.p ^ flag.mask)))
    old = int(flag.name == "I")
    assert sentence.startswith(f"flag {flag.name} must come back as {old} but is {1 - old}")
    assert line == FIELDS["clobbers"]


EDGES = (0x2FF, 0x304, 0x1FB, 0x200, 0, 0xFFFF)
"""Next to what may be written, next to the stack of a call, and at the ends of memory."""


@pytest.mark.parametrize("address", EDGES)
def test_every_other_byte_must_stay(address: int) -> None:
    sentence, line = _only(_check(written={address: 1, 0x300: 1}, lowest_s=0xFB))
    assert sentence.startswith(f"memory <{address:04X}> must stay $00 but is $01")
    assert line == FIELDS["clobbers"]


def test_what_is_written_may_overlap_and_touch_the_stack() -> None:
    ranges = (
        MemoryRange("a", 0x1F0, 0x20),
        MemoryRange("b", 0x1F8, 8),
        MemoryRange("c", 0xFF00, 0x100),
    )
    contract = replace(CONTRACT, outputs=ranges)
    written = dict.fromkeys((0x1F0, 0x20F, 0xFF00, 0xFFFF), 1)
    assert _check(written=written, contract=contract) == []
    sentence, _ = _only(_check(written={**written, 0x210: 1}, contract=contract))
    assert "<0210>" in sentence


def test_contracts_of_one_name_are_told_apart() -> None:
    other = replace(CONTRACT, outputs=(_item("X"),))
    changed = replace(AFTER, x=0x80)
    for _ in range(2):
        assert _check(changed, contract=other) == []
        assert len(_check(changed)) == 1


def test_bits_that_are_no_flags_do_not_count() -> None:
    assert _check(replace(AFTER, p=AFTER.p ^ 0x30)) == []


def test_the_stack_must_balance() -> None:
    sentence, line = _only(_check(replace(AFTER, s=0xFE)))
    assert sentence.startswith("S must be $FF after the return but is $FE")
    assert line == 1
    listed = replace(CONTRACT, outputs=(_item("S"),))
    assert _check(replace(AFTER, s=0xFE), contract=listed) == []


def test_the_stack_must_stay_within_its_claim() -> None:
    sentence, line = _only(_check(lowest_s=0xFA, written={0x1FB: 1}))
    assert sentence == "bytes of stack used: 3; the claim is 2"
    assert line == FIELDS["stack"]
    assert _check(lowest_s=0x20, contract=replace(CONTRACT, stack=None)) == []


@pytest.mark.parametrize("address", [0x0000, 0x00FF, 0x100, 0x1FB, 0x2FF, 0x304, 0xFFFF])
def test_memory_outside_of_the_claim_must_not_change(address: int) -> None:
    sentence, line = _only(_check(written={address: 0xAB}))
    assert sentence.startswith(f"memory <{address:04X}> must stay $00 but is $AB")
    assert line == FIELDS["clobbers"]


def test_neighbouring_bytes_are_told_together_and_long_runs_shortened() -> None:
    violations = _check(written=dict.fromkeys(range(1024, 1034), 1) | {0x500: 2})
    assert len(violations) == 2
    assert "<0400> must stay 00 00 00 00 00 00 00 00 … but is 01 01" in violations[0].sentence
    assert "<0500> must stay $00 but is $02" in violations[1].sentence


@pytest.mark.parametrize(
    ("claim", "text"), [((10, 20), "10..20"), ((15, 15), "15"), ((30, None), "30..")]
)
def test_cycles_must_be_within_the_claim(claim: tuple[int, int | None], text: str) -> None:
    sentence, line = _only(_check(cycles=21, contract=replace(CONTRACT, cycles=claim)))
    assert sentence == f"the call took 21 cycles; the claim is {text}"
    assert line == FIELDS["cycles"]


def test_no_claim_of_cycles_is_no_check() -> None:
    assert _check(cycles=10**9, contract=replace(CONTRACT, cycles=None)) == []
    assert _check(cycles=10**9, contract=replace(CONTRACT, cycles=(5, None))) == []


@settings(deadline=None)
@given(st.dictionaries(st.integers(0x200, 0xFFFF), st.integers(1, 255), max_size=12))
def test_every_write_outside_is_found_and_none_inside(written: dict[int, int]) -> None:
    outside = {a for a in written if not 0x300 <= a < 0x304}
    assert bool(_check(written=written)) == bool(outside)
