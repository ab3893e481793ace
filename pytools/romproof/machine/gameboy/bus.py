"""What the CPU finds on the bus that OAM DMA copies from."""

from __future__ import annotations

from typing import Protocol

from romproof.engine.protocol import Engine
from romproof.engine.space import NEVER, PAGE
from romproof.machine.gameboy.memory import CARTRIDGE_RAM, OAM, VRAM, WRAM, Memory
from romproof.machine.gameboy.oam import COPIED, OamDma

_HRAM = 0xFF80
_MAIN_BUS = ((0, VRAM - 1), (CARTRIDGE_RAM, OAM - 1))
_VIDEO_BUS = ((VRAM, CARTRIDGE_RAM - 1),)
"""What shares its wires with a source in it: cartridge and WRAM, or VRAM."""


class HasEngine(Protocol):
    """The machine around this."""

    @property
    def engine(self) -> Engine:
        """Which knows the instruction that is being executed."""


class BusConflict:
    """During OAM DMA reads of its bus, fetches too, bring the byte that is being copied, and
    writes are lost (Pan Docs, "OAM DMA Transfer"): programs wait for its end in HRAM.

    They pay nothing for this, as it is there only when the copy is started by code that is not in
    HRAM. So what code in HRAM does on that bus, before the copy is over, is not modelled.
    """

    def __init__(self, memory: Memory, dma: OamDma, machine: HasEngine) -> None:
        self._memory, self._dma, self._machine = memory, dma, machine
        self._bus: tuple[tuple[int, int], ...] = ()
        self._until = NEVER
        dma.listeners.append(self)

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        byte = self._dma.copies(cycle)
        return self._memory.space.peek(address) if byte is None else byte

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device: before and after the copy, in the instruction that starts it or is the last,
        memory is there."""
        if self._dma.copies(cycle) is not None:
            return
        if address < VRAM or CARTRIDGE_RAM <= address < WRAM:
            self._memory.write(address, value, cycle)
            return
        space = self._memory.space
        space.store[space.write_pages[address // PAGE] + address % PAGE] = value

    def copy_starts(self, page: int, until: int) -> None:
        """See OnCopy."""
        if self._bus:
            self._free()
        if self._machine.engine.executing < _HRAM:
            self._bus = _VIDEO_BUS if VRAM <= page * PAGE < CARTRIDGE_RAM else _MAIN_BUS
            self._until = until
            self.settle()

    def due(self) -> int:
        """Clocked: at once, from the beginning of the copy until the bus is free again. Near a
        device's time nothing is executed that was translated, which would not fetch anything."""
        return self._until - COPIED if self._bus else NEVER

    def advance(self, cycle: int) -> None:
        """Clocked."""
        if self._until <= cycle:
            self._free()

    def settle(self) -> None:
        """Be asked for the addresses of the bus, and for no others."""
        space = self._memory.space
        if space.has(self):
            space.detach(self)
        for first, last in self._bus:
            space.attach(first, last, self)

    def _free(self) -> None:
        self._bus, self._until = (), NEVER
        self.settle()
