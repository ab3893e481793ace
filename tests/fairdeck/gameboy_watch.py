"""What a program does on our own Game Boy that a real one would not forgive.

That is: reading memory that nobody has written, writing to VRAM while lines are drawn (the machine
drops such writes), switching the screen off then (which may damage it), writing to palettes then.
Emulators that are kinder do not show it.
"""

from __future__ import annotations

from romproof.engine.space import SIZE, UNINITIALISED, WRITE_CALL
from romproof.machine.gameboy.machine import GameBoy
from romproof.program.image import Image

LCDC, STAT = 0xFF40, 0xFF41
_DRAWING = 3
"""The mode in which the LCD has VRAM for itself."""
_VBLANK = 1


class Watch:
    """Told of accesses; ``faults`` has a sentence for each that is wrong."""

    def __init__(self, machine: GameBoy, image: Image) -> None:
        self.faults: list[str] = []
        self.vram_writes = 0
        self._machine, self._image = machine, image
        self._lcd = next(d for first, last, d in machine._devices if first <= STAT <= last)
        bits = bytearray(SIZE)
        for first, end, asked in (
            (0x8000, 0xA000, UNINITIALISED | WRITE_CALL),
            (0xC000, 0xE000, UNINITIALISED),
            (0xFF80, 0xFFFF, UNINITIALISED),
            (LCDC, LCDC + 1, WRITE_CALL),
        ):
            bits[first:end] = bytes([asked]) * (end - first)
        machine.memory.space.watch(bytes(bits), self)

    def on_uninitialised(self, address: int, value: int, cycle: int) -> None:
        """Watcher."""
        self._fault(cycle, f"reads {self._image.describe(address)}, which nobody has written")

    def forbids(self, address: int, value: int, cycle: int, dummy: bool) -> bool:
        """Watcher: told before a write."""
        on = self._lcd.read(LCDC, cycle) & 0x80
        mode = self._lcd.read(STAT, cycle) & 3
        if address == LCDC:
            if on and not value & 0x80 and mode != _VBLANK:
                self._fault(cycle, "switches the screen off while it is drawn")
        elif 0x8000 <= address < 0xA000:  # devices are asked about as well
            self.vram_writes += 1
            if on and mode == _DRAWING:
                self._fault(cycle, f"writes to VRAM at ${address:04X} while a line is drawn")
        return False

    def on_access(self, address: int, value: int, cycle: int, is_write: bool) -> None:
        """Watcher."""

    def _fault(self, cycle: int, what: str) -> None:
        self.faults.append(f"cycle {cycle}: {what}")
