"""What the CPU finds on the bus that OAM DMA copies from."""

from __future__ import annotations

from typing import Protocol

from romproof.engine.chips import Chip, fields, in_python
from romproof.engine.protocol import Engine
from romproof.engine.space import NEVER, PAGE
from romproof.machine.gameboy.memory import CARTRIDGE_RAM, OAM, VRAM, WRAM, GameBoyMemory
from romproof.machine.gameboy.oam import COPIED, OamDma

_HRAM = 0xFF80
_BUSES = ((), ((0, VRAM - 1), (CARTRIDGE_RAM, OAM - 1)), ((VRAM, CARTRIDGE_RAM - 1),))
"""What shares its wires with a source in it: cartridge and WRAM, or VRAM."""
_BUSES_OF_CGB = (
    (),
    ((0, VRAM - 1), (CARTRIDGE_RAM, WRAM - 1)),
    ((VRAM, CARTRIDGE_RAM - 1),),
    ((WRAM, OAM - 1),),
)
"""The Color's work RAM has wires of its own (Pan Docs, "OAM DMA Transfer")."""


class HasEngine(Protocol):
    """The machine around this."""

    @property
    def engine(self) -> Engine:
        """Which knows the instruction that is being executed."""


@fields()
class BusConflict(Chip):
    """During OAM DMA reads of its bus, fetches too, bring the byte that is being copied, and
    writes are lost (Pan Docs, "OAM DMA Transfer"): programs wait for its end in HRAM.

    They pay nothing for this, as it is there only when the copy is started by code that is not in
    HRAM. So what code in HRAM does on that bus, before the copy is over, is not modelled.
    """

    _bus: int
    """Whose bytes are copied: a number of _BUSES, 0 while none are."""
    _until: int

    def __init__(
        self, memory: GameBoyMemory, dma: OamDma, machine: HasEngine, is_cgb: bool = False
    ) -> None:
        self._is_cgb = int(is_cgb)
        self._buses = _BUSES_OF_CGB if is_cgb else _BUSES
        self._memory, self._dma, self._machine = memory, dma, machine
        self._space = memory.space
        self._until = NEVER
        dma.listeners.append(self)

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        byte = self._dma.copies(cycle)
        return self._space.peek(address) if byte < 0 else byte

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device: before and after the copy, in the instruction that starts it or is the last,
        memory is there."""
        if self._dma.copies(cycle) >= 0:
            return
        if address < VRAM or CARTRIDGE_RAM <= address < WRAM:
            self._memory.write(address, value, cycle)
            return
        space = self._space
        space.store[space.write_pages[address // PAGE] + address % PAGE] = value

    def copy_starts(self, page: int, until: int) -> None:
        """See OnCopy."""
        if self._bus:
            self._free()
        if self._machine.engine.executing < _HRAM:
            self._bus = 2 if VRAM <= page * PAGE < CARTRIDGE_RAM else 1
            if self._is_cgb and page * PAGE >= WRAM:
                self._bus = 3
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

    @in_python
    def settle(self) -> None:
        """Be asked for the addresses of the bus, and for no others."""
        space = self._space
        if space.has(self):
            space.detach(self)
        for first, last in self._buses[self._bus]:
            space.attach(first, last, self)

    def _free(self) -> None:
        self._bus, self._until = 0, NEVER
        self.settle()
