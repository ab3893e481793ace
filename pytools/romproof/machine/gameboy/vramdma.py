"""VRAM DMA, the Game Boy Color's HDMA1 to HDMA5 at $FF51 to $FF55.

Blocks of 16 bytes go to VRAM while the CPU stands still: all at once (general), or one in each
HBlank. Sources: Pan Docs, "LCD VRAM DMA Transfers"; SameSuite, ``dma``; SameBoy (Core/memory.c).
"""

from __future__ import annotations

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER, PAGE
from romproof.machine.gameboy.lcd import LineCounter
from romproof.machine.gameboy.memory import CARTRIDGE_RAM, ECHO, VRAM, GameBoyMemory
from romproof.machine.gameboy.speed import Speed

FIRST, LAST = 0xFF51, 0xFF55
_SOURCE_LOW, _TARGET, _TARGET_LOW, _START = 0xFF52, 0xFF53, 0xFF54, 0xFF55
BLOCK = 16
_IN_HBLANK, _LENGTH = 0x80, 0x7F
_VRAM_BITS = 0x1FFF
_END = 0x10000
"""A target that comes here ends the transfer: the counter behind HDMA3 and HDMA4 has run over."""
BLOCK_CYCLES = 8
"""M-cycles of the normal speed for a block; and one M-cycle of whatever speed before the first."""


@fields()
class VramDma(Chip):
    """Source and target go on where the last block ended. HDMA5 reads as the number of blocks that
    are left, less one, with bit 7 set when none is being copied."""

    _source: int
    _target: int
    _left: int
    """What HDMA5 shows, without bit 7."""
    _is_waiting: bool
    """A block is copied in each HBlank."""
    _next: int
    """The cycle after which the next HBlank is looked for."""

    def __init__(self, memory: GameBoyMemory, lines: LineCounter, speed: Speed) -> None:
        self._space, self._memory = memory.space, memory
        self._lines, self._speed = lines, speed
        self._source = self._target = 0xFFF0
        self._left = _LENGTH

    def read(self, address: int, cycle: int) -> int:
        """Device: the first four cannot be read."""
        if address != _START:
            return 0xFF
        return self._left if self._is_waiting else self._left | _IN_HBLANK

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        if address == FIRST:
            self._source = value << 8 | self._source & 0xF0
        elif address == _SOURCE_LOW:
            self._source = self._source & 0xFF00 | value & 0xF0
        elif address == _TARGET:
            self._target = value << 8 | self._target & 0xF0
        elif address == _TARGET_LOW:
            self._target = self._target & 0xFF00 | value & 0xF0
        else:
            self._start(value, cycle)

    def due(self) -> int:
        """Clocked: the next HBlank."""
        return self._lines.next_hblank(self._next) if self._is_waiting else NEVER

    def advance(self, cycle: int) -> None:
        """Clocked."""
        if self._is_waiting and self._lines.next_hblank(self._next) <= cycle:
            self._next = cycle
            self._copy(1, cycle)

    def _start(self, value: int, cycle: int) -> None:
        self._left = value & _LENGTH
        if self._is_waiting and not value & _IN_HBLANK:
            self._is_waiting = False  # that is how a transfer is given up
        elif not value & _IN_HBLANK:
            self._copy(self._left + 1, cycle)
        else:
            self._is_waiting, self._next = True, cycle
            if self._lines.is_in_hblank(cycle):
                self._copy(1, cycle)

    def _copy(self, blocks: int, cycle: int) -> None:
        """Copy as many blocks, and stop the CPU for as long."""
        speed = self._speed
        done = 0
        while done < blocks and (self._left != _LENGTH or done == 0):
            done += 1
            self._copy_block(cycle)
            self._left = self._left - 1 & _LENGTH
            if self._target == _END:
                self._target = 0
                self._left = _LENGTH
        if self._left == _LENGTH:
            self._is_waiting = False
        cycles = done * BLOCK_CYCLES
        self._space.steal((cycles << 1 if speed.shift == 1 else cycles) + 1, cycle, "VRAM DMA")

    def _copy_block(self, cycle: int) -> None:
        store, pages = self._space.store, self._space.read_pages
        to = self._memory.vram_in_sight() + (self._target & _VRAM_BITS)
        source = self._source
        if source < VRAM or CARTRIDGE_RAM <= source < ECHO:
            start = pages[source // PAGE] + source % PAGE
            store[to : to + BLOCK] = store[start : start + BLOCK]
        else:
            for place in range(BLOCK):
                store[to + place] = 0xFF  # nothing answers there
        for place in range(BLOCK):
            address = VRAM + (self._target & _VRAM_BITS) + place
            self._lines.note_vram(address, store[to + place], cycle)
        self._source = self._source + BLOCK & 0xFFFF
        self._target += BLOCK
