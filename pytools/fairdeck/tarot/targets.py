"""The CPUs that the shuffle is written for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Target:
    """One CPU.

    ``name`` is what command lines call it, ``title`` what people do. ``rom`` is the folder of the
    program that people start, ``library`` that of one with all routines, seen from the folder of
    ROMs. ``swaps`` are the registers in which ``swap`` takes two places of the deck; ``cycles`` is
    what its cycles are called.
    """

    name: str
    title: str
    rom: str
    library: str
    swaps: tuple[str, str]
    cycles: str


TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        row.name: row
        for row in (
            Target("6502", "6502", "tarot", "tarot", ("x", "y"), "cycles"),
            Target("sm83", "SM83", "tarot-gb", "../asm/sm83/tarot", ("l", "e"), "M-cycles"),
        )
    }
)
"""By name."""

MOS6502 = TARGETS["6502"]
SM83 = TARGETS["sm83"]
