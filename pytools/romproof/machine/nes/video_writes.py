"""Writes of the NES's CPU to video memory while the PPU draws.

Sources: nesdev, "PPU registers" (OAMDATA, PPUDATA, OAMDMA), "PPU rendering". In the line behind the
picture the PPU draws no more, though vertical blank begins a line later.
"""

from __future__ import annotations

from romproof.machine.nes.memory import IO, PPU
from romproof.machine.nes.ppu import Ppu
from romproof.machine.nes.regions import DOTS
from romproof.machine.video import DrawingPhase, MistimedWrite, VideoMemory

_OAM_DATA, _DATA = _OF_MEMORY = 4, 7
_OAM_DMA = 0x4014
_DMA_CYCLES = 513
"""From the write to $4014 to the last byte, or one more."""


class NesVideoWrites:
    """See VideoWrites: $2004, $2007 and their mirrors, and $4014, whose DMA writes to $2004."""

    ranges = ((PPU, IO - 1), (_OAM_DMA, _OAM_DMA))

    def __init__(self, ppu: Ppu) -> None:
        self._ppu = ppu

    def judge(self, address: int, value: int, cycle: int) -> MistimedWrite | None:
        """See VideoWrites."""
        region, frames = self._ppu.region, self._ppu.frames
        dot = region.write_dot(cycle)
        if not frames.rendering or (address != _OAM_DMA and address & 7 not in _OF_MEMORY):
            return None
        if frames.drawing(dot):
            return self._mistimed(address, dot)
        if address == _OAM_DMA:
            first = frames.start + (region.lines - 1) * DOTS + 1
            if region.write_dot(cycle + _DMA_CYCLES) >= first:
                return self._mistimed(address, first)
        return None

    def _mistimed(self, address: int, dot: int) -> MistimedWrite:
        lines = self._ppu.region.lines
        line, dot = divmod(dot - self._ppu.frames.start, DOTS)
        by_dma = address == _OAM_DMA
        memory = VideoMemory.OAM if by_dma or address & 7 == _OAM_DATA else VideoMemory.VRAM
        return MistimedWrite(memory, DrawingPhase.RENDER, line % lines, dot, by_dma)
