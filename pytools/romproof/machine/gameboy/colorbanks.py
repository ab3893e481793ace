"""VBK and SVBK: which bank of VRAM and of work RAM the Game Boy Color's CPU sees."""

from __future__ import annotations

from romproof.engine.chips import Chip, fields
from romproof.machine.gameboy.memory import VBK, GameBoyMemory

_VBK_UNUSED, _SVBK_UNUSED = 0xFE, 0xF8


@fields()
class ColorBanks(Chip):
    """Two banks of VRAM at $8000, and seven of work RAM at $D000 beside the one at $C000.

    Bank 0 of work RAM cannot be chosen at $D000: SVBK keeps the 0, and bank 1 is in sight (Pan
    Docs, "SVBK").
    """

    _vbk: int
    _svbk: int

    def __init__(self, memory: GameBoyMemory) -> None:
        self._memory = memory

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        return self._vbk | _VBK_UNUSED if address == VBK else self._svbk | _SVBK_UNUSED

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        if address == VBK:
            self._vbk = value & ~_VBK_UNUSED
            self._memory.show_vram(self._vbk, cycle)
        else:
            self._svbk = value & ~_SVBK_UNUSED
            self._memory.show_wram(self._svbk or 1, cycle)
