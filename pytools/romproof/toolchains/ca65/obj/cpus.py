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

LATER_CPUS: Mapping[str, str] = MappingProxyType(
    {
        **CPUS,
        "6502DTV": "mos6502",
        "65C02": "rockwell65c02",
        "W65C02": "wdc65c02",
        "65CE02": "csg65ce02",
        "4510": "csg4510",
        "45GS02": "csg4510",
        "HuC6280": "huc6280",
        "m740": "melps740",
        "sweet16": "sweet16",
    }
)
"""Those of cc65 after 2.19, whose ``65C02`` has no ``wai`` and no ``stp``.

``6502DTV`` has undocumented opcodes of its own, ``45GS02`` prefixes before those of the table.
"""

_RANK = (
    *("mos6502", "synertek65c02", "rockwell65c02", "wdc65c02", "wdc65816"),
    *("csg65ce02", "csg4510", "huc6280", "melps740", "sweet16"),
)


def cpu_for(tables: Iterable[str]) -> str:
    """The table of the CPU that executes code of all of ``tables``: the last that is among them.
    None executes code of two of those behind the 65C02, unless the 65CE02's and the 4510's."""
    return max(tables, key=_RANK.index, default=_RANK[0])
