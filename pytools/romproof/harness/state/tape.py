"""What a test's own devices and stubs did in a run, so that the run can be repeated without them.

They are the test's: they may count, keep lists, or read a file, and must not be asked twice for
what happened once. Everything else a run depends on is deterministic, so a repeated run asks for
the same in the same order, and is given what was given then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from romproof.engine.devices import Device
from romproof.machine.board import Board

Effect = Callable[[Board], object]
"""Something that a callback did to the machine, to be done to another one."""


@dataclass(slots=True)
class TapeEvent:
    """One callback: the byte it returned (0 where there is none), and what it did besides.
    ``writes`` are the memory among that: an address and its new bytes."""

    value: int = 0
    effects: list[Effect] = field(default_factory=list)
    writes: list[tuple[int, bytes]] = field(default_factory=list)


@dataclass(slots=True)
class Tape:
    """The callbacks of a run in their order. ``inside`` is the one that is running now."""

    events: deque[TapeEvent] = field(default_factory=deque)
    inside: TapeEvent | None = None

    def note_effect(self, effect: Effect, written: tuple[int, bytes] | None = None) -> None:
        """Note what a callback does to the machine, ``written`` if that is a write to memory;
        outside of one there is nothing to note."""
        if self.inside is not None:
            self.inside.effects.append(effect)
            if written is not None:
                self.inside.writes.append(written)


class Recorder:
    """A device of the test, with its answers written on a tape. ``tape`` says on which."""

    def __init__(self, device: Device, tape: Callable[[], Tape]) -> None:
        self._device = device
        self._tape = tape

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        tape = self._tape()
        event = tape.inside = TapeEvent()
        try:
            event.value = self._device.read(address, cycle)
        finally:
            tape.inside = None
        tape.events.append(event)
        return event.value

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        tape = self._tape()
        event = tape.inside = TapeEvent()
        try:
            self._device.write(address, value, cycle)
        finally:
            tape.inside = None
        tape.events.append(event)


@dataclass(frozen=True, slots=True)
class Callback:
    """Whose callback it was: that of the stub of a routine, by its name, or that of the test's
    device at an address."""

    owner: str | int

    @property
    def is_stub(self) -> bool:
        """Whether it stands for a routine: then no instruction has called it."""
        return isinstance(self.owner, str)

    def __str__(self) -> str:
        if isinstance(self.owner, str):
            return f"the stub of {self.owner}"
        return f"the test's device at ${self.owner:04X}"


OnWrite = Callable[[int, int, int, Callback], None]
"""Called with a byte that a callback has written: address, value, cycle, and whose callback."""


class TapePlayer:
    """Answers as a tape says, in place of all devices and stubs of the test. ``on_write``
    is called with the bytes that they write to memory."""

    def __init__(self, tape: Tape, board: Board) -> None:
        self._events = iter(tuple(tape.events))
        self._board = board
        self.on_write: OnWrite | None = None

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        return self.next(Callback(address), cycle).value

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self.next(Callback(address), cycle)

    def stub(self, name: str) -> bool:
        """What the stub of a routine returned."""
        return bool(self.next(Callback(name), self._board.engine.cycles).value)

    def next(self, whose: Callback, cycle: int) -> TapeEvent:
        """The next callback, whose effects take place; after the last one nothing happens."""
        event = next(self._events, TapeEvent())
        for effect in event.effects:
            effect(self._board)
        if self.on_write is not None:
            for address, data in event.writes:
                for at, byte in enumerate(data, address):
                    self.on_write(at, byte, cycle, whose)
        return event
