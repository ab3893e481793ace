"""What differs between the C64s of the television standards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from romproof.machine.board import BoardError
from romproof.text.diagnostic import suggest


@dataclass(frozen=True, slots=True)
class Region:
    """``lines`` of a frame, each of ``cycles_per_line`` cycles of the CPU.

    ``vblank`` is the first line of the vertical blank. ``jiffy`` is what the KERNAL loads CIA 1's
    timer A with, for about 60 interrupts a second.
    """

    lines: int
    cycles_per_line: int
    vblank: int
    jiffy: int
    is_pal: bool

    @property
    def frame(self) -> int:
        """Cycles of a frame."""
        return self.lines * self.cycles_per_line


REGIONS: Mapping[str, Region] = MappingProxyType(
    {
        "pal": Region(312, 63, 300, 0x4025, is_pal=True),
        "ntsc": Region(263, 65, 13, 0x4295, is_pal=False),
        "ntsc-old": Region(262, 64, 13, 0x4295, is_pal=False),
    }
)
"""The VIC-II 6569, 6567R8 and 6567R56A. Lines, cycles and vertical blank: Christian Bauer, "The
MOS 6567/6569 video controller (VIC-II)", section 3.4; the timer's values: the KERNAL at $FDDD, in
the disassemblies of github.com/mist64/c64ref."""


def region_named(name: str) -> Region:
    """The region of a name. Raises BoardError."""
    region = REGIONS.get(name)
    if region is None:
        hint = suggest(name, REGIONS)
        raise BoardError(
            f"no region '{name}' of the C64"
            + (f"; {hint}" if hint else "")
            + f"; there are: {', '.join(REGIONS)}"
        )
    return region
