"""Random programs on all engines at once: nothing that can be seen may differ."""

from __future__ import annotations

from dataclasses import replace

import pytest
from every_engine import HERE
from hypothesis import given, settings
from hypothesis import strategies as st
from lockstep import START, Case, Wiring, in_step

from romproof.engine.protocol import Guard
from romproof.isa.load import load
from romproof.isa.model import OpcodeVariant

COMPILED = [name for name in ("llvm",) if name in HERE]
needs_llvm = pytest.mark.skipif(not COMPILED, reason="llvmlite is not installed")

BYTE, WORD = st.integers(0, 0xFF), st.integers(0, 0xFFFF)
LIMITS = st.lists(st.sampled_from([1, 1, 2, 7, 30, 200]), min_size=1, max_size=30)

DOCUMENTED = [o.byte for o in load() if o.variant is OpcodeVariant.DOCUMENTED]
EXECUTABLE = [o.byte for o in load() if o.variant is not OpcodeVariant.JAM]
CMOS = [o.byte for o in load("wdc65c02") if o.variant is not OpcodeVariant.STOP]
SM83 = [o.byte for o in load("sm83")[:0x100] if o.variant is not OpcodeVariant.JAM]

REGISTERS_6502 = st.fixed_dictionaries(
    {"a": BYTE, "x": BYTE, "y": BYTE, "s": BYTE, "p": BYTE.map(lambda p: (p | 0x20) & 0xEF)}
)
REGISTERS_65C02 = st.builds(
    lambda registers, interrupt: {**registers, "interrupt": interrupt},
    REGISTERS_6502,
    st.sampled_from([0, 0, 0, 2]),
)
REGISTERS_SM83 = st.fixed_dictionaries(
    dict.fromkeys("abcdehl", BYTE)
    | {"f": BYTE.map(lambda f: f & 0xF0), "sp": WORD, "ime": st.integers(0, 1)}
    | {"mode": st.sampled_from([0, 0, 0, 1, 2, 3])}
)


def code(opcodes: list[int]) -> st.SearchStrategy[bytes]:
    """Instructions one after another, with operands that often name the same few addresses."""
    operand = st.one_of(BYTE, st.sampled_from([0x00, 0x01, 0x02, 0x03, 0x10, 0xFE, 0xFF]))
    instruction = st.tuples(st.sampled_from(opcodes), operand, operand).map(bytes)
    return st.lists(instruction, max_size=40).map(b"".join)


def marked(first: int, last: int) -> bytes:
    """A map of all addresses with 1 from one to another."""
    return bytes(first) + b"\1" * (last + 1 - first) + bytes(0xFFFF - last)


def protected(first: int, last: int) -> bytes:
    """The same without the stack: which of two faults of one push comes first is left open."""
    found = marked(first, last)
    return found[:0x100] + bytes(0x100) + found[0x200:]


RANGES = st.tuples(WORD, st.integers(0, 0x3FF)).map(lambda r: (r[0], min(sum(r), 0xFFFF)))
NEAR = st.sampled_from([(0x0000, 0x0003), (0x0010, 0x0010), (0x01F0, 0x01FF), (0x0300, 0x03FF)])
# Each combination of devices, banks and guards is a variant that takes seconds to compile: the
# 6502 gets devices, the SM83 devices and banks, and a guard has neither.
WIRINGS = st.builds(
    Wiring,
    devices=st.lists(st.one_of(NEAR, RANGES), min_size=1, max_size=3).map(tuple),
    timer=st.one_of(st.just(0), st.integers(1, 100)),
    held=st.integers(1, 60),
    nmis=st.lists(st.integers(0, 400), max_size=4).map(tuple),
    interrupts=st.just(True),
    observed=st.booleans(),
)
GUARDS = st.builds(
    Guard,
    executable=st.one_of(st.none(), st.integers(0, 0x400).map(lambda n: marked(START, START + n))),
    protected=st.one_of(st.none(), RANGES.map(lambda r: protected(*r))),
    stack_top=BYTE,
    brk=st.booleans(),
)
GUARDS_SM83 = st.builds(
    Guard,
    executable=st.one_of(st.none(), st.integers(0, 0x400).map(lambda n: marked(0, START + n))),
    protected=st.one_of(st.none(), RANGES.map(lambda r: marked(*r))),
    stack_top=WORD,
)


def cases(
    cpu: str,
    opcodes: list[int],
    registers: st.SearchStrategy[dict[str, int]],
    wirings: st.SearchStrategy[Wiring],
    guards: st.SearchStrategy[Guard],
) -> st.SearchStrategy[Case]:
    """Machines with a program at START."""

    def case(
        seed: int, text: bytes, given: dict[str, int], wiring: Wiring, guard: Guard | None
    ) -> Case:
        stack = "sp" if cpu == "sm83" else "s"
        wiring = replace(wiring, banks=cpu in ("sm83", "ricoh2a03")) if wiring.devices else wiring
        if guard is not None:  # to begin above the highest allowed stack pointer is not meant
            given = {**given, stack: min(given[stack], guard.stack_top)}
        return Case(cpu, seed, opcodes, text, {"pc": START, **given}, wiring, guard)

    program = (st.integers(0, 9), code(opcodes), registers)
    return st.one_of(
        st.builds(case, *program, wirings, st.none()),
        st.builds(case, *program, st.just(Wiring()), guards),
    )


CASES_6502 = cases("mos6502", EXECUTABLE, REGISTERS_6502, WIRINGS, GUARDS)
CASES_SM83 = cases("sm83", SM83, REGISTERS_SM83, WIRINGS, GUARDS_SM83)
CASES_65C02 = cases("wdc65c02", CMOS, REGISTERS_65C02, WIRINGS, GUARDS)
BARE_65C02 = cases("wdc65c02", CMOS, REGISTERS_65C02, st.just(Wiring()), GUARDS)
CASES_2A03 = cases(
    "ricoh2a03",
    EXECUTABLE,
    REGISTERS_6502,
    WIRINGS.map(lambda wiring: replace(wiring, steals=True)),
    GUARDS,
)
CASES_PY65 = cases("mos6502", DOCUMENTED, REGISTERS_6502, st.just(Wiring()), GUARDS)


@settings(max_examples=25)
@given(CASES_6502, LIMITS)
def test_the_6502_with_devices_and_interrupts(case: Case, limits: list[int]) -> None:
    in_step(["plain", *COMPILED], case, limits)


@pytest.mark.slow
@settings(max_examples=25)
@given(BARE_65C02, LIMITS)
def test_the_65c02_without_devices(case: Case, limits: list[int]) -> None:
    in_step(["plain", *COMPILED], case, limits)


@pytest.mark.slow  # it compiles for a while
@settings(max_examples=25)
@given(CASES_65C02, LIMITS)
def test_the_65c02_with_devices_and_interrupts(case: Case, limits: list[int]) -> None:
    in_step(["plain", *COMPILED], case, limits)


@settings(max_examples=25)
@given(CASES_SM83, LIMITS)
def test_the_sm83_with_devices_and_interrupts(case: Case, limits: list[int]) -> None:
    in_step(["plain", *COMPILED], case, limits)


@pytest.mark.slow  # tests/machine/test_nes_machine.py has some of it
@settings(max_examples=25)
@given(CASES_2A03, LIMITS)
def test_the_2a03_with_devices_that_take_cycles(case: Case, limits: list[int]) -> None:
    in_step(["plain", *COMPILED], case, limits)


@pytest.mark.slow
@settings(max_examples=25)
@given(CASES_PY65, LIMITS)
def test_documented_opcodes_on_py65_too(case: Case, limits: list[int]) -> None:
    in_step(["plain", *COMPILED, "py65"], case, limits)


@pytest.mark.slow  # test_engine_recompiled.py has random programs on each CPU
@needs_llvm
@settings(max_examples=4)  # each program is compiled
@given(
    st.one_of(CASES_6502, CASES_65C02, CASES_SM83, CASES_2A03),
    st.lists(st.sampled_from([7, 30, 200]), min_size=2),
)
def test_translated_code(case: Case, limits: list[int]) -> None:
    in_step(["plain", "recompiled"], case, limits)


@needs_llvm
def test_a_budget_ends_where_translated_code_begins() -> None:
    """A device makes it look for the time after each part; one ended with the budget."""
    registers = {"pc": START, "sp": 101, "c": 6, "h": 96, "l": 216}
    wiring = Wiring(devices=((94, 524),), nmis=(212,), interrupts=True)
    case = Case("sm83", 9, SM83, b"", registers, wiring)
    in_step(["plain", "recompiled"], case, [2, 7, 30, 200])
