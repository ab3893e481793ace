"""VRAM, which the CPU cannot reach while a line draws."""

from __future__ import annotations

from romproof.engine.chips import Chip, fields
from romproof.engine.devices import let_writes_pass
from romproof.engine.space import NEVER
from romproof.machine.gameboy.lcd import LineCounter
from romproof.machine.gameboy.memory import CARTRIDGE_RAM, VRAM, GameBoyMemory

_LAST = CARTRIDGE_RAM - 1
_LONGEST = 8
"""More M-cycles than an instruction takes: clocks advance between two of them."""


@fields()
class VideoRam(Chip):
    """While pixels are drawn VRAM reads as $FF and ignores writes.

    In VBlank, and while the LCD is off, it is memory like any other: programs fill it then, and
    nobody is asked after the first access.
    """

    _open_until: int
    """The cycle until which nobody is asked."""

    def __init__(self, memory: GameBoyMemory, lines: LineCounter) -> None:
        self._space = memory.space
        self._lines = lines
        self._open_until = -1
        self._space.varying.append((VRAM, _LAST))
        lines.listeners.append(self)

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        if self._lines.hides_vram(cycle):
            return 0xFF
        self._open(cycle)
        return self._space.peek(address)

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        if not self._lines.keeps_vram(cycle):
            space = self._space
            space.store[space.write_pages[address >> 8] + (address & 0xFF)] = value
            until = self._open(cycle)
            if self._lines.log is not None:
                if self._open_until < 0:
                    self._lines.note_vram(address, value, cycle)
            elif until > cycle:
                let_writes_pass(space, VRAM, _LAST, until)

    def due(self) -> int:
        """Clocked: when somebody has to be asked again."""
        return NEVER if self._open_until < 0 else self._open_until

    def advance(self, cycle: int) -> None:
        """Clocked."""
        if 0 <= self._open_until <= cycle:
            self.close()

    def lcd_switches(self, on: bool) -> None:
        """See OnSwitch."""
        if self._open_until >= 0:
            self.close()

    def close(self) -> None:
        """Be asked from now on."""
        if self._open_until >= 0:
            self._lines.refresh_vram()
        self._open_until = -1
        self._space.let_through(VRAM, _LAST, False)

    def _open(self, cycle: int) -> int:
        """Let nobody be asked if that pays. Where it does not: the cycle before which VRAM can be
        reached; ``cycle`` where it does."""
        until = self._lines.vram_is_free_until(cycle)
        if until - cycle > self._lines.cycles_of_line() and self._space.let_through(
            VRAM, _LAST, True
        ):
            self._open_until = until - _LONGEST
            self._lines.catch_up(cycle)
            return cycle
        return until
