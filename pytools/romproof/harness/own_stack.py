"""The stack of a program that runs: it sees to it itself, and it must not run into its data.

The 6502's stack is page 1, in which segments may lie. An SM83 program points the stack pointer at
the end of any memory: its room reaches from there down to the next thing the program has there. A
stack pointer that is loaded anew has a new room; a program may load it with the end of a table, to
pull or push data there, and that table is its room then.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from romproof.engine.checks import Level
from romproof.engine.protocol import EngineFault
from romproof.engine.stack import Move, moves
from romproof.harness.errors import CallRecord
from romproof.harness.replay import Scenario
from romproof.harness.stack import Left, judge
from romproof.isa.abi import Abi
from romproof.isa.cpus import cpu_named
from romproof.program.image import Image

MOST_CYCLES = 10_000_000
"""Cycles of a machine's runs that are made once more to follow the stack pointer."""


@dataclass(slots=True)
class Rooms:
    """Where the stack pointer may go on one machine. ``low`` is the 6502's lowest.

    ``seen`` are rooms, lowest and highest stack pointer, in which the program's stack was; ``left``
    is how many cycles may still be run for that.
    """

    abi: Abi
    low: int
    seen: set[tuple[int, int]] = field(default_factory=set)
    left: int = MOST_CYCLES

    def floor(self, image: Image, s: int) -> int:
        """The lowest that a stack may come to whose pointer is ``s`` now; 0 where nothing is in
        its way. ``image`` is the part of the program in sight."""
        return _Objects(image, self.abi).floor(s) if self.abi.stack_rooms else self.low

    def look(self, scenario: Scenario, record: CallRecord, lowest: int, level: Level) -> None:
        """Raise CallFault, or warn, as ``level`` says, when a push has left the room of the stack
        in a run whose lowest stack pointer was ``lowest``.

        The run is made once more, unless the pointer was in a room that is known.
        """
        if lowest >= scenario.floor or level == "off" or self.left <= 0:
            return
        if any(floor <= lowest <= top for floor, top in self.seen):
            return
        abi, stage = scenario.abi, scenario.make()
        start = abi.stack_of(scenario.registers)
        scenario.begin(stage)
        engine = stage.engine
        begun = engine.cycles
        objects = _Objects(record.image, abi) if abi.stack_rooms else None
        follows = _Follows(moves(cpu_named(abi.cpu)), objects, scenario.floor, start, start)
        try:
            stage.run(scenario.until, scenario.limit, follows)
        except _Found:
            pass
        except EngineFault:
            pass  # the run that is repeated has told of it
        used = engine.cycles - begun
        self.left -= used
        if follows.at is None:
            self.seen |= follows.rooms
            return
        pc, byte, s = follows.at
        judge(
            scenario,
            record,
            engine.name,
            Left(pc, byte, s, follows.top, follows.floor),
            used,
            level,
        )


class _Found(Exception):
    """A push left the room."""


@dataclass(slots=True)
class _Follows:
    """An observer that knows in which room the stack is, from ``floor`` to ``top``."""

    pushes: tuple[Move | None, ...]
    objects: _Objects | None
    floor: int
    top: int
    s: int
    rooms: set[tuple[int, int]] = field(default_factory=set)
    at: tuple[int, int, int] | None = None

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        before, self.s = self.s, s
        if s == before:
            return
        move = self.pushes[byte]
        if move is Move.PUSH and s < self.floor <= before:
            self.at = (pc, byte, s)
            raise _Found
        if self.objects is not None and move is Move.SET and not self.floor <= s <= self.top:
            self.rooms.add((self.floor, self.top))
            self.top, self.floor = s, self.objects.floor(s)
            if self.floor:
                self.rooms.add((self.floor, self.top))
        self.top = max(self.top, s)


@dataclass(frozen=True)
class _Objects:
    """What a program has in the memory where stacks can be."""

    image: Image
    abi: Abi

    @cached_property
    def _taken(self) -> list[tuple[int, int]]:
        """Segments and blocks: first address and end."""
        taken = [(g.run, g.run + g.size) for g in self.image.segments if g.size]
        taken += [(b.address, b.address + len(b.data)) for b in self.image.blocks if b.data]
        return sorted(taken)

    @cached_property
    def _labels(self) -> list[int]:
        return sorted({symbol.value for symbol in self.image.symbols if symbol.is_label})

    def floor(self, s: int) -> int:
        """The lowest address of the room whose highest byte is below ``s``; 0 for what is no
        memory in which stacks can be."""
        highest = (s - 1) & 0xFFFF
        rooms = [(low, high) for low, high in self.abi.stack_rooms if low <= highest <= high]
        if not rooms:
            return 0
        floor = rooms[0][0]
        for low, end in self._taken:
            if low <= highest < end:  # it is one of the program's variables, or a section of them
                index = bisect_right(self._labels, highest) - 1
                label = self._labels[index] if index >= 0 else low
                return label if label > low else floor
            if end <= highest:
                floor = max(floor, end)
        return floor
