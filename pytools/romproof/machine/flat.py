"""Flat memory as a machine: 64 KiB with a program in them, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from romproof.engine.protocol import Engine, Observer, Stop
from romproof.engine.space import NEVER
from romproof.isa.abi import Abi
from romproof.machine.board import BoardError, Window
from romproof.machine.memory import MemoryMap
from romproof.machine.screen import Screen
from romproof.machine.video import VideoWrites
from romproof.text.diagnostic import suggest

_LINES_6502 = ("nmi", "irq")
_LINES_SM83 = ("vblank", "stat", "timer", "serial", "joypad")
"""From bit 0 of IE and IF up (Pan Docs, "Interrupts")."""
_ENABLED_AT = 0xFFFF


class SavedFlat(NamedTuple):
    """The state of flat memory. ``lines`` are the interrupt lines, ``asked`` says whether the CPU
    looks at them."""

    memory: bytes
    registers: Any
    cycles: int
    lines: tuple[int, int, int, int]
    asked: bool


class FlatBoard:
    """An engine with flat memory behind what all machines have in common; see Board.

    An IRQ stays asked for until its handler begins: there is no device that would take it back.
    The SM83's IE is the byte at $FFFF when an interrupt is asked for.
    """

    name = "flat"
    windows: Sequence[Window] = ()
    buttons: Collection[str] = ()
    ports: Sequence[tuple[int, int]] = ()
    program = b""
    video: VideoWrites | None = None

    def __init__(self, engine: Engine, memory: MemoryMap, abi: Abi) -> None:
        self.engine = engine
        self.space = engine.space
        self.executable, self.protected = memory.executable, memory.protected
        self.left_out: Collection[str] = memory.left_out
        self.nowhere = abi.highest_nowhere
        self._abi = abi
        self._vector = abi.interrupt_vector
        self.interrupts: Collection[str] = _LINES_SM83 if self._vector is None else _LINES_6502
        engine.memory[:] = memory.initial
        self._last = b"", bytearray()
        """What was restored last; Python copies bytes twice into a bytearray, another one once."""

    def start(self) -> None:
        """See Board: at the reset vector; the SM83 where programs begin, as the boot ROM leaves
        the stack pointer."""
        registers, abi = self.engine.registers, self._abi
        abi.set(registers, abi.stack_pointer.attribute, abi.stack_start)
        at = abi.entry
        if at is None:
            at = int.from_bytes(self.engine.memory[0xFFFC:0xFFFE], "little")
            registers.p = 0x24  # I is set, bit 5 is always 1
        registers.pc = at

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """See Board."""
        engine, signals = self.engine, self.space.signals
        if self._vector is None or signals.irq_from == NEVER:
            return engine.run(until, limit, observer)
        handler = int.from_bytes(engine.memory[self._vector : self._vector + 2], "little")
        end = engine.cycles + limit
        stop = engine.run({*until, handler}, limit, observer)
        if stop is not Stop.REACHED or engine.registers.pc != handler:
            return stop
        signals.irq_from = NEVER
        if handler in until:
            return stop
        if engine.cycles >= end:
            return Stop.LIMIT
        return engine.run(until, end - engine.cycles, observer)

    def peek(self, address: int) -> int:
        """See Board."""
        return self.engine.memory[address]

    def poke(self, address: int, value: int) -> None:
        """See Board."""
        self.engine.memory[address] = value

    def mirrors(self, address: int) -> Collection[int]:
        """See Board."""
        return (address,)

    def banks(self) -> tuple[int, ...]:
        """See Board."""
        return ()

    def select(self, window: int, bank: int) -> None:
        """See Board."""
        raise BoardError('flat memory has no banks; machine = "nes" or "gameboy" has')

    def tell_banks(self, callback: Callable[[int, Sequence[int]], None]) -> None:
        """See Board."""
        callback(-1, ())

    def interrupt(self, name: str) -> None:
        """See Board."""
        check_name("interrupt", name, self.interrupts, self.name)
        signals = self.space.use_signals()
        if name == "nmi":
            signals.nmi_at = self.engine.cycles
        elif name == "irq":
            signals.irq_from = self.engine.cycles
        else:
            signals.enabled = self.engine.memory[_ENABLED_AT]
            signals.requested |= 1 << _LINES_SM83.index(name)

    def frame_end(self) -> int:
        """See Board."""
        raise BoardError('flat memory has no picture; machine = "nes", "gameboy" or "c64" has')

    def draw(self, objects: bool = True, window: bool = True) -> Screen:
        """See Board."""
        raise BoardError("flat memory has no picture")

    def beam(self) -> tuple[int, int]:
        """See Board."""
        raise BoardError('flat memory has no picture; machine = "nes", "gameboy" or "c64" has')

    def press(self, button: str, player: int = 0) -> None:
        """See Board."""
        check_name("button", button, self.buttons, self.name)

    def release(self, button: str, player: int = 0) -> None:
        """See Board."""
        check_name("button", button, self.buttons, self.name)

    def save(self) -> SavedFlat:
        """See Board."""
        engine, signals = self.engine, self.space.signals
        lines = (signals.irq_from, signals.nmi_at, signals.enabled, signals.requested)
        asked = self.space.interrupts
        return SavedFlat(bytes(engine.memory), engine.registers.copy(), engine.cycles, lines, asked)

    def restore(self, saved: Any) -> None:
        """See Board."""
        engine, signals = self.engine, self.space.signals
        memory, registers, engine.cycles, lines, asked = saved
        self.space.interrupts |= asked  # another engine may not have been asked for any yet
        if memory is not self._last[0]:
            self._last = memory, bytearray(memory)
        engine.memory[:] = self._last[1]
        engine.registers.set(registers)
        signals.irq_from, signals.nmi_at, signals.enabled, signals.requested = lines


def check_name(kind: str, name: str, known: Collection[str], machine: str) -> None:
    """Raise BoardError for a name that a machine does not have."""
    if name not in known:
        hint = suggest(name, known) or f"there are: {', '.join(known) or 'none'}"
        raise BoardError(f"no {kind} '{name}' on the machine '{machine}'; {hint}")
