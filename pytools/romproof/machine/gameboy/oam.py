"""Page $FE: the sprites' memory OAM, and OAM DMA, which fills it."""

from __future__ import annotations

from typing import Protocol

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER, PAGE
from romproof.machine.gameboy.lcd import LineCounter
from romproof.machine.gameboy.memory import ECHO, OAM, WRAM, GameBoyMemory

DMA = 0xFF46
COPIED = 0xA0
OAM_END = OAM + COPIED
_DELAY = 2
"""M-cycles from the write to DMA until OAM is out of reach."""


def _place(address: int, is_cgb: int) -> int:
    """Where a byte of OAM's page is in it. Behind OAM the Color has memory, of which some bits of
    the address do not choose (SameBoy, ``extra_oam``)."""
    return address - OAM & ~0x18 if is_cgb and address >= OAM_END else address - OAM


class OnCopy(Protocol):
    """Something that has to know that OAM DMA was started."""

    def copy_starts(self, page: int, until: int) -> None:
        """It copies from a page, from now until a cycle."""


@fields()
class OamDma(Chip):
    """OAM and the register DMA: a write copies 160 bytes into OAM, one in an M-cycle.

    Until that is over OAM reads as $FF and ignores writes. All bytes are copied at the start:
    a program cannot see the difference unless it changes the source meanwhile. On the machine
    it cannot sensibly do that: source and CPU would want the same bus (``BusConflict``). That
    the copy rests while the CPU is halted is not modelled.
    """

    _page: int
    _begin: int
    """The cycle at which the copy begins; NEVER when it has."""
    _busy_from: int
    _busy_until: int
    _copied_at: int
    """When the last copy began."""

    def __init__(
        self,
        memory: GameBoyMemory,
        lines: LineCounter,
        page: int = 0xFF,
        is_cgb: bool = False,
    ) -> None:
        self._oam = memory.oam_at
        self._is_cgb = int(is_cgb)
        self._lines = lines
        self._store, self._pages = memory.space.store, memory.space.read_pages
        self._page = page
        self._begin = NEVER
        self._busy_from = self._busy_until = -1
        self.listeners: list[OnCopy] = []

    def read(self, address: int, cycle: int) -> int:
        """Device: OAM, the unusable rest of its page, and DMA."""
        if address == DMA:
            return self._page
        self.advance(cycle)
        if self._is_busy(cycle) or self._lines.hides_oam(cycle):
            return 0xFF
        if address < OAM_END or self._is_cgb:
            return self._store[self._oam + _place(address, self._is_cgb)]
        return 0

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self.advance(cycle)
        if address == DMA:
            self._start(value, cycle)
            return
        if self._is_busy(cycle) or self._lines.keeps_oam(cycle):
            return
        if address < OAM_END or self._is_cgb:
            self._lines.latch(cycle)
            place = _place(address, self._is_cgb)
            self._store[self._oam + place] = value
            if place < COPIED:
                self._lines.note_oam(place, value, cycle)

    def due(self) -> int:
        """Clocked: when the copy begins."""
        return self._begin

    def advance(self, cycle: int) -> None:
        """Clocked."""
        if self._begin > cycle:
            return
        self._lines.latch(self._begin)
        self._copied_at, self._begin = self._begin, NEVER
        first = self._page << 8
        if first >= ECHO and self._is_cgb:
            for place in range(COPIED):
                self._store[self._oam + place] = 0xFF
            self._lines.note_copied_oam(self._copied_at)
            return
        if first >= ECHO:  # there is nothing but WRAM on that bus, not even here
            first -= ECHO - WRAM
        start = self._pages[first // PAGE]
        self._store[self._oam : self._oam + COPIED] = self._store[start : start + COPIED]
        self._lines.note_copied_oam(self._copied_at)

    def copies(self, cycle: int) -> int:
        """The byte that is being copied; -1 when there is none."""
        self.advance(cycle)
        if not self._is_busy(cycle):
            return -1
        return self._store[self._oam + cycle - self._copied_at]

    def _is_busy(self, cycle: int) -> bool:
        return self._busy_from <= cycle < self._busy_until

    def _start(self, page: int, cycle: int) -> None:
        """An earlier transfer goes on until the new one begins."""
        self._page = page
        self._begin = cycle + _DELAY
        if not self._busy_from <= self._begin <= self._busy_until:
            self._busy_from = self._begin
        self._busy_until = self._begin + COPIED
        for listener in self.listeners:
            listener.copy_starts(page, self._busy_until)
