"""The registers in the CPU's chip, at $4000 to $401F: sound, OAM DMA, controllers."""

from __future__ import annotations

from romproof.engine.chips import Chip, fields
from romproof.engine.space import AddressSpace
from romproof.machine.nes.apu import Apu
from romproof.machine.nes.controllers import Controllers
from romproof.machine.nes.ppu import Ppu

DMA, STATUS, FIRST_PORT, SECOND_PORT = 0x4014, 0x4015, 0x4016, 0x4017
_DMA_CYCLES = 513


@fields()
class NesPorts(Chip):
    """Which register is whose. OAM DMA is here: it stops the CPU for 513 cycles or 514."""

    def __init__(self, space: AddressSpace, ppu: Ppu, apu: Apu, controllers: Controllers) -> None:
        self._space, self._ppu, self._apu, self._controllers = space, ppu, apu, controllers

    def read(self, address: int, cycle: int) -> int:
        """Device: $4015, $4016 and $4017; the other registers cannot be read."""
        if address == STATUS:
            return self._apu.read(cycle)
        if address in (FIRST_PORT, SECOND_PORT):
            return self._controllers.read(address, cycle)
        return address >> 8  # the byte that was on the bus last

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        if address == DMA:
            self._ppu.dma(self._space, value, cycle)
            self._space.steal(_DMA_CYCLES + (cycle & 1), cycle, "OAM DMA")
        elif address == FIRST_PORT:
            self._controllers.write(value)
        elif address < 0x4018:
            self._apu.write(address, value, cycle)
