"""Many executed instructions at once: those that a profiler has to look at, and sums of the others.

Most instructions neither call nor return, nor do they lead to where a routine begins: all that a
profiler does with them is to add them up for the routine that runs. What it has to look at one by
one are the *turns*:

* calls, returns, software interrupts, interrupt sequences and what follows them, halts that rest;
* what leads to the start of a routine from outside of it. The same turn once more, with no other in
  between, changes nothing;
* instructions within which DMA stops the CPU, or another bank comes into sight;
* jumps and branches while the stack pointer is above the level of the call that runs. They are
  known when that call is: so for each turn there is the highest stack pointer of all jumps behind.

Between two turns everything belongs to one routine. Routine, location and cycles of an instruction
are packed into one number, so that equal ones are counted by sorting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from romproof.engine.executed import RECORD, ExecutedBatch
from romproof.isa.flow import Flow
from romproof.isa.transfers import Transfers
from romproof.measure.code_locations import BANK, PAGE, CodeLocations

_RECORD = np.dtype(
    [("cycle", "u8"), ("pc", "u2"), ("next_pc", "u2"), ("stack", "u2"), ("number", "u2")]
)
assert _RECORD.itemsize == RECORD.size
_Array = np.ndarray[Any, Any]

_LOCATION_BITS, _CYCLE_BITS = 28, 12
_MOST_CYCLES = (1 << _CYCLE_BITS) - 1
_ENOUGH = 1 << 17
"""So many instructions are collected before they are counted."""
_TURNS = (Flow.CALL, Flow.RETURN, Flow.SOFTWARE_INTERRUPT)
_JUMPS = (Flow.JUMP, Flow.BRANCH)


@dataclass(slots=True)
class InstructionBatch:
    """Instructions, each field an array with a number for each of them.

    ``ends`` are the cycles after them, on the clock of the machine; ``at`` and ``to`` the locations
    of an instruction and of the one that follows. ``rests`` only go on resting, as the one before:
    they belong to it.
    """

    pc: _Array
    next_pc: _Array
    s: _Array
    byte: _Array
    taken: _Array
    ends: _Array
    at: _Array
    to: _Array
    rests: _Array
    before: _Array
    resting: _Array
    jumps: _Array
    turns: _Array
    """Turns wherever they lead."""
    leads: _Array = field(init=False)
    """What leads to the start of a routine from outside."""

    def __post_init__(self) -> None:
        self.leads = np.zeros(len(self.pc), bool)

    def __len__(self) -> int:
        return len(self.pc)

    def rows(self, numbers: Sequence[int]) -> Iterable[tuple[int, ...]]:
        """Of some instructions: number; the arguments of Observer.instruction; the cycle after it;
        the stack pointer before it, -1 where the instruction before does not say so; the cycles of
        what rests behind it."""
        columns = (self.pc, self.byte, self.taken, self.s, self.next_pc, self.ends)
        further = (self.before, self.resting)
        return zip(numbers, *(c[numbers].tolist() for c in (*columns, *further)), strict=True)

    def goes_on(self, number: int) -> bool:
        """Whether another instruction follows, and not only a rest."""
        return number + 1 < len(self) and not self.rests[number + 1]

    def find_leaps(self, first: int, end: int, level: int) -> list[int]:
        """What is to be looked at in a part because of its jumps above the level of a call."""
        part = slice(first, end)
        leaps = (self.jumps[part] & (self.s[part] > level)) | self.leads[part]
        numbers: list[int] = (leaps.nonzero()[0] + first).tolist()
        return numbers


class TurnFinder:
    """Finds turns.

    ``starts`` are the locations where routines are known to begin, which may grow; ``routine_at``
    gives the routine of the program around a location, or None.
    """

    def __init__(
        self, table: Transfers, starts: set[int], routine_at: Callable[[int], object]
    ) -> None:
        self._is_turn = np.array([flow in _TURNS for flow in table.flows])
        self._is_turn[-1] = True
        self._halt = -1 if table.halt is None else table.halt
        self._is_jump = np.array([flow in _JUMPS for flow in table.flows])
        self._starts, self._routine_at = starts, routine_at
        self._learned: set[int] = set()
        self._is_start = np.zeros(BANK, bool)
        self._routines = np.zeros(BANK, np.int32)
        """Numbers of the routines around locations; 0 for what was not asked for yet."""
        self._numbers: dict[object, int] = {None: -1}
        self._bytes: dict[tuple[int, ...], _Array] = {}

    def fits(self, bank: int) -> bool:
        """Whether the locations of banks up to this one can be packed."""
        size = (bank + 1) * BANK
        if size > 1 << _LOCATION_BITS:
            return False
        more = size - len(self._is_start)
        if more > 0:
            self._is_start = np.concatenate([self._is_start, np.zeros(more, bool)])
            self._routines = np.concatenate([self._routines, np.zeros(more, np.int32)])
        return True

    def knows_less(self) -> bool:
        """Whether there are starts that were not learned yet."""
        return len(self._starts) != len(self._learned)

    def learn_starts(self) -> None:
        """Know the starts that there are."""
        if self.knows_less():
            new = self._starts - self._learned
            self._learned |= new
            self.fits(max(new) // BANK)
            self._is_start[list(new)] = True

    def read(
        self, executed: ExecutedBatch, begin: int, places: CodeLocations, dma: Iterable[int]
    ) -> InstructionBatch:
        """A batch that begins in the cycle ``begin`` of the machine; in the cycles ``dma`` DMA
        stopped the CPU."""
        records = np.frombuffer(executed.records, _RECORD)
        firsts = self._bytes.get(executed.firsts)
        if firsts is None:
            firsts = self._bytes[executed.firsts] = np.array(executed.firsts, np.int16)
        cycle = records["cycle"].astype(np.int64)
        ends = np.append(cycle[1:], executed.now)
        taken = ends - cycle
        ends += begin - cycle.item(0)
        pc, next_pc = records["pc"].astype(np.int64), records["next_pc"].astype(np.int64)
        byte, s = firsts[records["number"]], records["stack"].astype(np.int32)
        at, to, switches = _locate(pc, next_pc, ends, places)
        no_code = byte < 0
        rests = no_code & (at == to)
        rests[1:] &= rests[:-1] & (at[1:] == at[:-1]) & (s[1:] == s[:-1])
        rests[0] = False
        turns = self._is_turn[byte]
        turns |= taken > _MOST_CYCLES
        turns[1:] |= no_code[:-1]
        turns[:-1] |= (byte[:-1] == self._halt) & no_code[1:]  # others have not rested
        turns[-1] |= byte[-1] == self._halt
        stolen = np.searchsorted(ends, np.fromiter(dma, np.int64), side="right")
        turns[stolen[stolen < len(ends)]] = True
        if switches is not None:
            rests &= ~switches
            turns |= switches
        turns[0] = True
        turns &= ~rests
        before = np.append([-1], np.where(rests[:-1], -1, s[:-1]))
        resting = np.zeros(len(pc), np.int64)
        if rests.any():
            (awake,) = (~rests).nonzero()
            resting[awake] = np.add.reduceat(np.where(rests, taken, 0), awake)
        jumps = self._is_jump[byte]
        return InstructionBatch(
            pc, next_pc, s, byte, taken, ends, at, to, rests, before, resting, jumps, turns
        )

    def find_turns(self, batch: InstructionBatch, first: int) -> tuple[list[int], list[int]]:
        """The turns from ``first`` on, without what only repeats the one before; and for each the
        highest stack pointer of the jumps behind it."""
        batch.turns[first] |= not batch.rests[first]
        leads = self._find_leads(batch.at[first:], batch.to[first:])
        batch.leads[first:] = leads & ~batch.rests[first:]
        (found,) = (batch.turns[first:] | batch.leads[first:]).nonzero()
        if not len(found):
            return [], []
        found += first
        later, earlier = found[1:], found[:-1]
        again = ~(batch.turns[later] | batch.turns[earlier])
        for column in (batch.at, batch.to, batch.s):
            again &= column[later] == column[earlier]
        found = found[np.concatenate([[True], ~again])]
        levels = np.where(batch.jumps, batch.s, -1)
        levels[found] = -1
        return found.tolist(), np.maximum.reduceat(levels, found).tolist()

    def _find_leads(self, at: _Array, to: _Array) -> _Array:
        leads: _Array = self._is_start[to]
        (found,) = leads.nonzero()
        if len(found):
            inside = self._number_routines(at[found]) == self._number_routines(to[found])
            inside &= self._routines[to[found]] > 0
            leads[found[inside]] = False
        return leads

    def _number_routines(self, locations: _Array) -> _Array:
        numbers: _Array = self._routines[locations]
        if numbers.all():
            return numbers
        for location in np.unique(locations[numbers == 0]).tolist():
            routine = self._routine_at(location)
            number = self._numbers.setdefault(routine, len(self._numbers))
            self._routines[location] = number
        return self._number_routines(locations)


def _locate(
    pc: _Array, next_pc: _Array, ends: _Array, places: CodeLocations
) -> tuple[_Array, _Array, _Array | None]:
    """The locations of instructions and of those that follow, and within which another bank comes
    into sight; None for none."""
    shown = np.array(places.offsets)
    if not places.coming:
        return pc + shown[pc // PAGE], next_pc + shown[next_pc // PAGE], None
    offsets = np.stack([shown, *(places.offsets_of(banks) for _, banks in places.coming)])
    cycles = np.maximum.accumulate(np.array([cycle for cycle, _ in places.coming]))
    after = np.searchsorted(cycles, ends, side="left")
    before = np.append([0], after[:-1])
    at, to = pc + offsets[before, pc // PAGE], next_pc + offsets[after, next_pc // PAGE]
    return at, to, before != after


@dataclass(slots=True)
class CountedInstructions:
    """Instructions of routines, packed, until they are counted."""

    _routines: list[int] = field(default_factory=list)
    """Locations of routines; their places are packed."""
    _places: dict[int, int] = field(default_factory=dict)
    _packed: list[_Array] = field(default_factory=list)
    _size: int = 0

    def place(self, routine: int) -> int:
        """The number of a routine, which begins at a location."""
        place = self._places.get(routine)
        if place is None:
            place = self._places[routine] = len(self._routines)
            self._routines.append(routine)
        return place

    def add(self, batch: InstructionBatch, seen: Sequence[int], owners: Sequence[int]) -> bool:
        """Add the instructions behind those that were ``seen``, up to the next one: those of the
        routines ``owners``. Gives whether it is time to add them up."""
        begins = np.array(seen)
        packed = np.repeat(owners, np.diff(np.append(begins, len(batch)))) << _LOCATION_BITS
        packed |= batch.at
        packed <<= _CYCLE_BITS
        packed |= batch.taken
        kept = ~batch.rests
        kept[begins] = False
        self._packed.append(packed[kept])
        self._size += len(self._packed[-1])
        return self._size >= _ENOUGH

    def add_up(self) -> list[tuple[int, int, int, int]]:
        """What was added since the last time: routine, location, how often, the cycles of each."""
        if not self._packed:
            return []
        values, counts = np.unique(np.concatenate(self._packed), return_counts=True)
        self._packed, self._size = [], 0
        locations = values >> _CYCLE_BITS & (1 << _LOCATION_BITS) - 1
        columns = (values >> _LOCATION_BITS + _CYCLE_BITS, locations, counts, values & _MOST_CYCLES)
        places, *others = (column.tolist() for column in columns)
        return list(zip((self._routines[place] for place in places), *others, strict=True))
