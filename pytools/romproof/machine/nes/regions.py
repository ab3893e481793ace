"""The television systems: how many lines a frame has, and how the clocks divide.

CPU and PPU divide one master clock. All times here are whole numbers: cycles of the CPU since
it was switched on, and dots of the PPU since then. Sources: nesdev, "Cycle reference chart" and
"PPU frame timing"; where in its cycle the CPU reads, writes and looks at NMI, as Mesen 2 has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

DOTS = 341
"""Dots of a line."""


@dataclass(frozen=True, slots=True)
class Region:
    """A television system.

    A frame has ``lines`` lines; vertical blank begins in line ``vblank``, in dot 1, and ends in
    dot 1 of the last one. A cycle of the CPU takes ``cpu`` master clocks, a dot ``ppu``.
    ``skips``: every other frame is a dot shorter while there is a picture. ``warm_up`` is the
    cycle until which some registers ignore writes. ``sequence`` are the times of the sound's
    frame counter: three quarters, then the end of four steps and the end of five.
    """

    is_constant = True  # compiled devices use it
    name: str
    lines: int
    vblank: int
    cpu: int
    ppu: int
    skips: bool
    warm_up: int
    sequence: tuple[int, int, int, int, int]

    @property
    def swaps_emphasis(self) -> bool:
        """Whether bit 5 of $2001 emphasises green and bit 6 red, as chips for 50 Hz do."""
        return self.lines != 262

    @property
    def length(self) -> int:
        """Dots of a frame that skips none."""
        return self.lines * DOTS

    @property
    def blank(self) -> int:
        """The dot of a frame in which vertical blank begins."""
        return self.vblank * DOTS + 1

    @property
    def clear(self) -> int:
        """The dot of a frame in which vertical blank ends."""
        return (self.lines - 1) * DOTS + 1

    def read_dot(self, cycle: int) -> int:
        """The dot the PPU is in when the CPU reads in a cycle."""
        return (cycle * self.cpu + self.cpu // 2 - 2 - self.ppu) // self.ppu

    def write_dot(self, cycle: int) -> int:
        """The dot the PPU is in when the CPU writes in a cycle."""
        return (cycle * self.cpu + self.cpu // 2 - self.ppu) // self.ppu

    def sample_dot(self, cycle: int) -> int:
        """The dot the PPU is in when the CPU looks at NMI, at the end of a cycle."""
        return (cycle * self.cpu + self.cpu - 1 - self.ppu) // self.ppu

    def sampling(self, dot: int) -> int:
        """The first cycle whose look at NMI sees what happens in a dot."""
        return -(-(dot * self.ppu + self.ppu + 1 - self.cpu) // self.cpu)

    def reading(self, dot: int) -> int:
        """The first cycle whose read sees what happens in a dot."""
        return -(-(dot * self.ppu + self.ppu + 2 - self.cpu // 2) // self.cpu)


REGIONS: Mapping[str, Region] = MappingProxyType(
    {
        region.name: region
        for region in (
            Region("ntsc", 262, 241, 12, 4, True, 29658, (7457, 14913, 22371, 29830, 37282)),
            Region("pal", 312, 241, 16, 5, False, 33132, (8313, 16627, 24939, 33254, 41566)),
            Region("dendy", 312, 291, 15, 5, False, 35349, (7457, 14913, 22371, 29830, 37282)),
        )
    }
)
"""By the name that ``Nes`` is given and that NES 2.0 headers lead to."""
