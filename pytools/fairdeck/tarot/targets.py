"""The CPUs that the shuffle is written for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Target:
    """One CPU.

    ``name`` is what command lines call it, ``title`` what people do. ``rom`` is the folder of a
    program with all routines. ``swaps`` are the registers in which ``swap`` takes two places of
    the deck; ``cycles`` is what its cycles are called, ``suffix`` how its sources' names end.
    """

    name: str
    title: str
    rom: str
    swaps: tuple[str, str]
    cycles: str
    suffix: str


TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        row.name: row
        for row in (
            Target("6502", "6502", "tarot", ("x", "y"), "cycles", ".s"),
            Target("sm83", "SM83", "tarot-gb", ("l", "e"), "M-cycles", ".asm"),
        )
    }
)
"""By name."""

MOS6502 = TARGETS["6502"]
SM83 = TARGETS["sm83"]
