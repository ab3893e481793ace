"""Where loops are cut: the places that every iteration comes to first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from romproof.isa.codec import decode
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.events import Event, EventKind
from romproof.timing.graph import NoCode

LEAST_OFTEN = 8
"""Iterations of a loop that was executed before it is thought of as one to cut."""


@dataclass(frozen=True)
class Head:
    """The first instruction of a loop, with the addresses of all its instructions.

    ``label`` is what contracts call the place.
    """

    address: int
    body: frozenset[int]
    label: str


def loop_at(program: ProofProgram, entry: int, address: int) -> tuple[int, frozenset[int]] | None:
    """The innermost loop around an instruction of the routine at ``entry``: its first instruction
    and all of them. None where there is none, or where it is entered at several places."""
    try:
        return program.bounded.loop_with_head(entry, address)
    except NoCode:
        return None


def loops_of(
    program: ProofProgram, entry: int, branch: int
) -> Iterator[tuple[int, frozenset[int]]]:
    """The loops to cut where a branch is undecided too often, the likeliest first: where it does
    not leave its own loop, as within the eight steps of a CRC, it is the loop around that which has
    too many iterations."""
    try:
        beyond = program.bounded.loop_beyond(entry, branch)
    except NoCode:
        return
    own = loop_at(program, entry, branch)
    yield from (each for each in (beyond, own) if each is not None)


def find_undecided(program: ProofProgram, entry: int, events: Iterable[Event]) -> int | None:
    """The branch in a loop of the routine at ``entry`` that was undecided most often in a run from
    there; None where none was for LEAST_OFTEN times."""
    times = Counter(e.pc for e in events if e.kind is EventKind.BRANCH and e.begin is None)
    for pc, count in times.most_common():
        if count < 2 * LEAST_OFTEN:  # an event for each way
            return None
        if loop_at(program, entry, pc) is not None:
            return pc
    return None


def immediates(program: ProofProgram, body: frozenset[int]) -> list[int]:
    """The constants that the instructions of a loop have as operands, ascending."""
    numbers: set[int] = set()
    for address in body:
        one = decode(program.fixed[address : address + 3], address, program.abi.cpu)
        if one is not None and ("#" in one.opcode.mode or one.opcode.placeholder in _VALUES):
            numbers.add(one.operand)
    return sorted(numbers)


_VALUES = ("n8", "n16", "#d8")
"""What operands that are values are called in instruction tables."""
