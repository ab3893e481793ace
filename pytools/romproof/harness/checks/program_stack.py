"""The stack of a program that runs: it sees to it itself, and it must not run into its data.

The 6502's stack is page 1, in which segments may lie. An SM83 program points the stack pointer at
the end of any memory: its room reaches from there down to the next thing the program has there. A
stack pointer that is loaded anew has a new room; a program may load it with the end of a table, to
pull or push data there, and that table is its room then.

Until a program has set its stack it has none that could run into anything: after a reset the
pointer is what the hardware, or a boot ROM, left there, above variables sometimes, and a few calls
on the way to ``ld sp`` or ``txs`` do no harm, as variables are cleared after that. So pushes count
from there on. ``run_from`` and tests set the pointer too: it counts unless the program sets its
own in the same run.
"""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from romproof.engine.checks import CheckMode
from romproof.engine.executed import ExecutedBatch
from romproof.engine.protocol import Engine, EngineFault
from romproof.engine.stack import Move, moves
from romproof.harness.checks.stack import StackLeft, judge
from romproof.harness.errors import CallRecord
from romproof.harness.replay.run import Scenario
from romproof.isa.abi import Abi
from romproof.isa.cpus import cpu_named
from romproof.program.image import Image

MAX_CYCLES = 10_000_000
"""Cycles of a machine's runs that are made once more to follow the stack pointer."""


class Setter(Enum):
    """Who has set the stack pointer last, as far as it matters."""

    NOBODY = "nobody"
    """It is as a reset left it."""
    CALLER = "caller"
    PROGRAM = "program"


@dataclass(slots=True)
class Rooms:
    """Where the stack pointer may go on one machine. ``low`` is the 6502's lowest.

    ``seen`` are rooms, lowest and highest stack pointer, in which the program's stack was; ``left``
    is how many cycles may still be run for that, and for when it sets the pointer.
    """

    abi: Abi
    low: int
    setter: Setter = Setter.NOBODY
    seen: set[tuple[int, int]] = field(default_factory=set)
    left: int = MAX_CYCLES

    def floor(self, image: Image, s: int) -> int:
        """The lowest that a stack may come to whose pointer is ``s`` now; 0 where nothing is in
        its way. ``image`` is the part of the program in sight."""
        return _Objects(image, self.abi).floor(s) if self.abi.stack_rooms else self.low

    def look(self, scenario: Scenario, record: CallRecord, lowest: int, level: CheckMode) -> None:
        """Raise CallFault, or warn, as ``level`` says, when a push has left the room of the stack
        in a run whose lowest stack pointer was ``lowest``.

        The run is made once more, unless the pointer was in a room that is known; and until the
        program sets the pointer after a reset.
        """
        if level == "off" or self.left <= 0 or not scenario.floor:
            return
        left = lowest < scenario.floor and not any(f <= lowest <= top for f, top in self.seen)
        if not left:
            if self.setter is Setter.NOBODY:
                self._look_for_setter(scenario)
            return
        abi, stage = scenario.abi, scenario.make()
        start = abi.stack_of(scenario.registers)
        scenario.set_up(stage)
        engine = stage.engine
        begun = engine.cycles
        objects = _Objects(record.image, abi) if abi.stack_rooms else None
        pushes, setter = moves(cpu_named(abi.cpu)), self.setter
        follows = _Follows(engine, pushes, objects, scenario.floor, start, start, setter)
        try:
            stage.run(scenario.until, scenario.limit, follows)
        except _Found:
            pass
        except EngineFault:
            pass  # the run that is repeated has told of it
        self.left -= engine.cycles - begun
        self.setter = follows.setter
        if follows.at is None:
            self.seen |= follows.rooms
            return
        where, cycle = follows.at
        judge(scenario, record, engine.name, where, cycle - begun, level)

    def _look_for_setter(self, scenario: Scenario) -> None:
        """Find out whether the program has set the pointer in a run. Most do in their first
        instructions; others never, so that the rest is not made one instruction after the other."""
        for limit in (min(_SOON, scenario.limit), scenario.limit):
            stage = scenario.make()
            scenario.set_up(stage)
            begun, seen = stage.engine.cycles, _SetterSeen(moves(cpu_named(scenario.abi.cpu)))
            with suppress(EngineFault):  # the run that is repeated has told of it
                stage.run(scenario.until, limit, seen)
            self.left -= stage.engine.cycles - begun
            if seen.is_set:
                self.setter = Setter.PROGRAM
                return


_SOON = 1000
"""Cycles of a program in which it most often sets its stack pointer."""


@dataclass(slots=True)
class _SetterSeen:
    """An observer that knows whether the stack pointer was set."""

    moves: tuple[Move | None, ...]
    is_set: bool = False

    @property
    def detached(self) -> bool:
        """See Observer."""
        return True

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.is_set = self.is_set or self.moves[byte] is Move.SET

    def executed(self, executed: ExecutedBatch) -> bool:
        """See Observer."""
        self.is_set = self.is_set or any(
            self.moves[executed.firsts[number]] is Move.SET for number in executed.numbers
        )
        return True


class _Found(Exception):
    """All that is asked of the run is known."""


@dataclass(slots=True)
class _Follows:
    """An observer that knows in which room the stack is, from ``floor`` to ``top``, and who has
    set its pointer.

    ``at`` is the first push that left the room, and the engine's cycle behind it.
    """

    engine: Engine
    moves: tuple[Move | None, ...]
    objects: _Objects | None
    floor: int
    top: int
    s: int
    setter: Setter
    rooms: set[tuple[int, int]] = field(default_factory=set)
    at: tuple[StackLeft, int] | None = None

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        before, self.s = self.s, s
        move = self.moves[byte]
        if move is Move.SET and self.setter is not Setter.PROGRAM:
            self.setter = Setter.PROGRAM
            self.at = None  # that was not yet the program's stack
        if s == before:
            return
        if move is Move.PUSH and s < self.floor <= before and self.setter is not Setter.NOBODY:
            left = StackLeft(pc, byte, s, self.top, self.floor)
            self.at = self.at or (left, self.engine.cycles)
            if self.setter is Setter.PROGRAM:
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
    def _ranges(self) -> list[tuple[int, int]]:
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
        for low, end in self._ranges:
            if low <= highest < end:  # it is one of the program's variables, or a section of them
                index = bisect_right(self._labels, highest) - 1
                label = self._labels[index] if index >= 0 else low
                return label if label > low else floor
            if end <= highest:
                floor = max(floor, end)
        return floor
