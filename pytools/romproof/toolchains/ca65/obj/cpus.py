"""The CPUs that ca65's dialect is assembled for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

CPUS: Mapping[str, str] = MappingProxyType(
    {
        "6502": "mos6502",
        "6502X": "mos6502",
        "none": "mos6502",
        "65SC02": "synertek65c02",
        "65C02": "wdc65c02",
        "65816": "wdc65816",
    }
)
"""Their names, and the instruction table of each; later ones know all code of earlier ones.

``6502X`` has undocumented opcodes, ``65C02`` what Rockwell and WDC added. ``none`` is data only.
"""

_RANK = tuple(dict.fromkeys(CPUS.values()))


def cpu_for(tables: Iterable[str]) -> str:
    """The table of the CPU that executes code of all of ``tables``: the last that is among them."""
    return max(tables, key=_RANK.index, default=_RANK[0])
