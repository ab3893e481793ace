"""Where loops are cut: the places that every iteration comes to first."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.isa.codec import decode
from romproof.prover.program import Program
from romproof.timing.graph import NoCode


@dataclass(frozen=True)
class Head:
    """The first instruction of a loop, with the addresses of all its instructions.

    ``label`` is what contracts call the place.
    """

    address: int
    body: frozenset[int]
    label: str


def loop_at(program: Program, entry: int, address: int) -> tuple[int, frozenset[int]] | None:
    """The innermost loop around an instruction of the routine at ``entry``: its first instruction
    and all of them. None where there is none, or where it is entered at several places."""
    try:
        return program.bounded.loop_with_head(entry, address)
    except NoCode:
        return None


def immediates(program: Program, body: frozenset[int]) -> list[int]:
    """The constants that the instructions of a loop have as operands, ascending."""
    numbers: set[int] = set()
    for address in body:
        one = decode(program.fixed[address : address + 3], address, program.abi.cpu)
        if one is not None and ("#" in one.opcode.mode or one.opcode.placeholder in _VALUES):
            numbers.add(one.operand)
    return sorted(numbers)


_VALUES = ("n8", "n16", "#d8")
"""What operands that are values are called in instruction tables."""
