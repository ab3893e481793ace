"""From events to instructions: how often each was executed, and how its branches went."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from romproof.isa.abi import abi_of
from romproof.isa.codec import Instruction, decode
from romproof.machine.board import Window
from romproof.measure.code_locations import BANK
from romproof.measure.coverage.executed import CoverageEvent
from romproof.measure.coverage.model import Hits
from romproof.program.image import Image, Segment

WhereFunction = Callable[[str], str]
"""From the name of a source to its path."""
NEVER = -1
"""A bank that is not in memory: nothing of it can be executed."""


@dataclass(frozen=True)
class Events:
    """The events of a program by address and bank; ``banked`` are the addresses of windows."""

    by_place: Mapping[tuple[int, int], Mapping[tuple[int, int], int]]
    banks: Mapping[int, tuple[int, ...]]

    def at(self, address: int, bank: int | None) -> Mapping[tuple[int, int], int]:
        """How often each pair came of the program counter after the instruction at an address, and
        its cycles; ``bank`` None: in whatever bank."""
        if bank is not None:
            return self.by_place.get((address, bank), {})
        joined: dict[tuple[int, int], int] = {}
        for each in self.banks.get(address, ()):
            for outcome, count in self.by_place[address, each].items():
                joined[outcome] = joined.get(outcome, 0) + count
        return joined


def events_of(counts: Mapping[CoverageEvent, int]) -> Events:
    """The events, sorted."""
    by_place: dict[tuple[int, int], dict[tuple[int, int], int]] = {}
    banks: dict[int, list[int]] = {}
    for (location, next_pc, cycles), count in counts.items():
        bank, address = divmod(location, BANK)
        place = by_place.get((address, bank))
        if place is None:
            place = by_place[address, bank] = {}
            banks.setdefault(address, []).append(bank)
        place[next_pc, cycles] = place.get((next_pc, cycles), 0) + count
    return Events(by_place, {address: tuple(known) for address, known in banks.items()})


class SegmentBanks:
    """In which banks the segments of a program are seen: its areas say so by their names.

    ``windows`` are those of the board, ``left_out`` the areas that are not in memory.
    """

    def __init__(self, image: Image, windows: Iterable[Window], left_out: Iterable[str]) -> None:
        self._windows = tuple(windows)
        self._left_out = frozenset(left_out)
        self._segments: dict[str, list[Segment]] = {}
        for segment in image.segments:
            self._segments.setdefault(segment.name, []).append(segment)

    def area(self, segment: str, address: int) -> str:
        """The memory area of what a segment has at an address; "" where that is not known."""
        known = self._segments.get(segment, ())
        there = [s for s in known if s.run <= address < s.run + s.size] or known
        return there[0].area if there else ""

    def find_bank(self, segment: str, address: int) -> int | None:
        """The bank in which a segment is seen: 0 where none take turns, None when it is not said,
        NEVER when it is not in memory."""
        area = self.area(segment, address)
        if area in self._left_out:
            return NEVER
        window = next((w for w in self._windows if address in w.addresses), None)
        if window is None:
            return 0
        kind, bracket, number = area.partition("[")
        if kind != window.kind:
            return None
        number = number.rstrip("]")
        return int(number) if bracket and number.isdecimal() else window.first


def instruction_at(image: Image, address: int, data: bytes) -> Instruction | None:
    """The instruction that some bytes are."""
    return decode(data, address, abi_of(image.cpu).cpu)


def may_branch(instruction: Instruction | None) -> bool:
    """Whether an instruction has two outcomes: branches, and calls and returns with conditions."""
    return instruction is not None and instruction.opcode.conditional


def hits_of(instruction: Instruction | None, outcomes: Mapping[tuple[int, int], int]) -> Hits:
    """How often an instruction was executed and, where a condition decides, with which result.

    It shows in where execution went on; by the cycles when a branch leads to what follows it.
    """
    count = sum(outcomes.values())
    if instruction is None or not may_branch(instruction):
        return Hits(count)
    opcode = instruction.opcode
    after = (instruction.address + opcode.size) & 0xFFFF
    to_next = instruction.target in (None, after)
    passed = sum(
        number
        for (next_pc, cycles), number in outcomes.items()
        if next_pc == after and not (to_next and cycles > opcode.cycles.minimum)
    )
    return Hits(count, count - passed, passed)
