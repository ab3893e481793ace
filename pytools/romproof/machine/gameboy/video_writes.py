"""Writes of the Game Boy's CPU to VRAM, OAM and palettes while the LCD uses them.

Sources: Pan Docs, "Accessing VRAM and OAM", "LCD Color Palettes", "LCD VRAM DMA Transfers". OAM DMA
(FF46) fills OAM at any time. What is out of reach in which dot is said by ``Lines``.
"""

from __future__ import annotations

from collections.abc import Callable

from romproof.machine.gameboy import palettes, vramdma
from romproof.machine.gameboy.lcd import LineCounter
from romproof.machine.gameboy.line import DRAW
from romproof.machine.gameboy.memory import CARTRIDGE_RAM, OAM, VRAM
from romproof.machine.gameboy.model import Console
from romproof.machine.gameboy.oam import OAM_END
from romproof.machine.video import DrawingPhase, MistimedWrite, VideoMemory

_BACKGROUND_DATA, _OBJECT_DATA = palettes.FIRST + 1, palettes.LAST
_START_DMA = vramdma.LAST
_IN_HBLANK = 0x80
_MOST_BLOCKS = 0x7F


class GameBoyVideoWrites:
    """See VideoWrites. ``hdma5`` reads the register that starts the Color's VRAM DMA."""

    def __init__(self, lines: LineCounter, kind: Console, hdma5: Callable[[], int]) -> None:
        self._lines, self._hdma5 = lines, hdma5
        self.ranges: tuple[tuple[int, int], ...] = ((VRAM, CARTRIDGE_RAM - 1), (OAM, OAM_END - 1))
        if kind.in_color:
            data = ((at, at) for at in (_START_DMA, _BACKGROUND_DATA, _OBJECT_DATA))
            self.ranges = (*self.ranges, *data)

    def judge(self, address: int, value: int, cycle: int) -> MistimedWrite | None:
        """See VideoWrites."""
        lines = self._lines
        if address == _START_DMA:
            return self._judge_dma(value, cycle)
        if VRAM <= address < CARTRIDGE_RAM:
            memory, is_kept = VideoMemory.VRAM, lines.keeps_vram(cycle)
        elif OAM <= address < OAM_END:
            memory, is_kept = VideoMemory.OAM, lines.keeps_oam(cycle)
        else:
            memory, is_kept = VideoMemory.PALETTES, lines.hides_palettes(cycle)
        return self._mistimed(memory, cycle) if is_kept else None

    def _judge_dma(self, value: int, cycle: int) -> MistimedWrite | None:
        """General DMA takes the bytes to VRAM one after another, whatever the LCD is at; what a
        write has begun is seen by what the register shows: all is done. A transfer that is given up
        shows the same for 7F alone, which is not judged."""
        if value >= _MOST_BLOCKS or self._hdma5() != 0xFF:
            return None
        lines = self._lines
        blocks = value + 1
        for late in range(1, 1 + blocks * (vramdma.BLOCK_CYCLES << lines.is_at_double_speed)):
            if lines.keeps_vram(cycle + late):
                return self._mistimed(VideoMemory.VRAM, cycle + late, by_dma=True)
        return None

    def _mistimed(self, memory: VideoMemory, cycle: int, by_dma: bool = False) -> MistimedWrite:
        line, dot = self._lines.place(cycle)
        phase = DrawingPhase.SEARCH if dot < DRAW else DrawingPhase.DRAW
        return MistimedWrite(memory, phase, line, dot, by_dma)
