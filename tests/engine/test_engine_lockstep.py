"""Random programs on all engines at once: nothing that can be seen may differ."""

from __future__ import annotations

from every_engine import engines_with
from hypothesis import given, settings
from hypothesis import strategies as st
from lockstep import START, Case, Wiring, in_step

from romproof.engine.engines import Ability
from romproof.engine.protocol import Guard
from romproof.isa.load import load
from romproof.isa.model import Variant

BYTE, WORD = st.integers(0, 0xFF), st.integers(0, 0xFFFF)
LIMITS = st.lists(st.sampled_from([1, 1, 2, 7, 30, 200]), min_size=1, max_size=30)

DOCUMENTED = [o.byte for o in load() if o.variant is Variant.DOCUMENTED]
EXECUTABLE = [o.byte for o in load() if o.variant is not Variant.JAM]
SM83 = [o.byte for o in load("sm83")[:0x100] if o.variant is not Variant.JAM]

REGISTERS_6502 = st.fixed_dictionaries(
    {"a": BYTE, "x": BYTE, "y": BYTE, "s": BYTE, "p": BYTE.map(lambda p: (p | 0x20) & 0xEF)}
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
WIRINGS = st.builds(
    Wiring,
    devices=st.lists(st.one_of(NEAR, RANGES), min_size=1, max_size=3).map(tuple),
    timer=st.one_of(st.just(0), st.integers(1, 100)),
    held=st.integers(1, 60),
    nmis=st.lists(st.integers(0, 400), max_size=4).map(tuple),
    interrupts=st.just(True),  # each combination is compiled: not all of them
    banks=st.booleans(),
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


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 9),
    code=code(EXECUTABLE),
    registers=REGISTERS_6502,
    wiring=st.one_of(st.just(Wiring()), WIRINGS),
    guard=st.one_of(st.none(), GUARDS),
    limits=LIMITS,
)
def test_the_6502_with_devices_and_interrupts(
    seed: int,
    code: bytes,
    registers: dict[str, int],
    wiring: Wiring,
    guard: Guard | None,
    limits: list[int],
) -> None:
    case = Case("mos6502", seed, EXECUTABLE, code, {"pc": START, **registers}, wiring, guard)
    in_step(engines_with(Ability.INTERRUPTS), case, limits)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 9),
    code=code(DOCUMENTED),
    registers=REGISTERS_6502,
    guard=st.one_of(st.none(), GUARDS),
    limits=LIMITS,
)
def test_documented_opcodes_on_every_engine(
    seed: int,
    code: bytes,
    registers: dict[str, int],
    guard: Guard | None,
    limits: list[int],
) -> None:
    if guard is not None:  # a stack pointer that begins above the highest allowed one is not meant
        registers = {**registers, "s": min(registers["s"], guard.stack_top)}
    case = Case("mos6502", seed, DOCUMENTED, code, {"pc": START, **registers}, guard=guard)
    in_step(engines_with(), case, limits)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 9),
    code=code(SM83),
    registers=REGISTERS_SM83,
    wiring=st.one_of(st.just(Wiring()), WIRINGS),
    guard=st.one_of(st.none(), GUARDS_SM83),
    limits=LIMITS,
)
def test_the_sm83_with_devices_and_interrupts(
    seed: int,
    code: bytes,
    registers: dict[str, int],
    wiring: Wiring,
    guard: Guard | None,
    limits: list[int],
) -> None:
    if guard is not None:
        registers = {**registers, "sp": min(registers["sp"], guard.stack_top)}
    case = Case("sm83", seed, SM83, code, {"pc": START, **registers}, wiring, guard)
    in_step(engines_with(Ability.INTERRUPTS, "sm83"), case, limits)
