"""Numbers in registers and memory by which loops count, and how far they move.

They are guesses: what is made of them is proved. A number is known by the names of its bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from romproof.contract.nouns.items import MemoryRange
from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case
from romproof.prover.states.entry import register_name
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import VariableName, byte_name, register_variable
from romproof.symbolic.terms.term import Term

NumberBytes = tuple[VariableName, ...]
"""Registers and bytes of memory, the highest first: one for a byte, two for 16 bits."""

MAX_BYTES = 12
"""Bytes of memory that may count; all registers may."""
WIDEST_STEP = 16
"""The widest step from one iteration to the next."""


def counters_of(case: Case) -> list[NumberBytes]:
    """The numbers that may count: registers, bytes of what the contract lists that are no arrays,
    and two of either that belong together."""
    return [*((name,) for name in _bytes(case)), *_pairs(case)]


def number_at(names: NumberBytes, state: State) -> Term:
    """What a number is in a state."""
    places = [(name, name.address) for name in names]
    return t.concat(*(state.get(n) if at is None else state.memory.byte(at) for n, at in places))


def steps_of(case: Case, legs: Iterable[Leg]) -> dict[NumberBytes, int]:
    """By how much numbers move, up or down, from cut to cut: in one example for each leg, as far
    as that is not too far. Raises OutOfTime."""
    steps: dict[NumberBytes, int] = {}
    numbers = counters_of(case)
    for leg in legs:
        if leg.begin is None:
            continue
        for names in numbers:
            change = t.sub(number_at(names, leg.at), number_at(names, leg.first))
            try:
                step = case.oracle.example(leg.at.path, t.not_(_is_zero(change)), change)
            except Undecided:
                continue
            if step is not None:
                step -= 1 << change.width if step >> change.width - 1 else 0
                if abs(step) <= WIDEST_STEP:
                    steps.setdefault(names, step)
    return steps


def _is_zero(number: Term) -> Term:
    return t.eq(number, t.const(0, number.width))


def _bytes(case: Case) -> Iterator[VariableName]:
    widths = case.program.cpu.registers
    for item in case.abi.contents:
        name = register_name(case.abi, item)
        if widths[name] == 8:
            yield name
    yield from (byte_name(address) for address in _places(case))


def _places(case: Case) -> list[int]:
    contract, memory = case.contract, case.entry.memory
    items = (*contract.inputs, *contract.outputs, *contract.clobbers)
    places = dict.fromkeys(
        address
        for item in items
        if isinstance(item, MemoryRange) and item.size <= 2
        for address in item.addresses()
        if memory.layout.object_at(address) not in memory.indexed
        and address not in memory.layout.volatile
    )
    return list(places)[:MAX_BYTES]


def _pairs(case: Case) -> Iterator[tuple[VariableName, VariableName]]:
    widths = case.program.cpu.registers
    for high, low in case.abi.pairs.values():
        if widths.get(high) == widths.get(low) == 8:
            yield register_variable(high), register_variable(low)
    places = set(_places(case))
    for place in sorted(places):
        if place + 1 in places:
            yield byte_name(place + 1), byte_name(place)
