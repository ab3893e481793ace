"""The Game Boy Color's registers at $FF4C to $FF7F that do nothing here but keep some bits.

Infrared (RP) has nobody at the other end: bit 1 says that no light comes in. OPRI only counts while
the boot ROM runs. What $FF72 to $FF75 are for is not known; PCM12 and PCM34 are what channels put
out, which is silence. Sources: Pan Docs, "CGB Registers"; mooneye-test-suite, ``boot_hwio-C`` and
``unused_hwio-C``.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence
from types import MappingProxyType

from romproof.engine.chips import Chip, fields
from romproof.machine.gameboy.model import Console

FIRST, LAST = 0xFF4C, 0xFF7F
_VBK, _RP, _OPRI, _PCM12, _PCM34 = 0xFF4F, 0xFF56, 0xFF6C, 0xFF76, 0xFF77

_IN_BOTH: Mapping[int, tuple[int, int]] = MappingProxyType(
    {
        _VBK: (0, 0xFE),
        0xFF72: (0xFF, 0),
        0xFF73: (0xFF, 0),
        0xFF75: (0x70, 0x8F),
        _PCM12: (0, 0),
        _PCM34: (0, 0),
    }
)
"""The bits that a register keeps, and those that read as 1 whatever was written."""
_IN_COLOR: Mapping[int, tuple[int, int]] = MappingProxyType(
    {_RP: (0xC1, 0x3E), _OPRI: (0x01, 0xFE), 0xFF74: (0xFF, 0)}
)
"""Those that are there for cartridges that use colours only."""
_RP_OF_E = 0xC1, 0x2E
"""RP of revision E (SameBoy)."""


@fields(_values=LAST - FIRST + 1)
class ColorRegisters(Chip):
    """The registers, and the addresses between them, which read as $FF."""

    _values: MutableSequence[int]

    def __init__(self, kind: Console) -> None:
        rows = {**_IN_BOTH, **_IN_COLOR} if kind.in_color else _IN_BOTH
        if kind.in_color and kind.is_e:
            rows = {**rows, _RP: _RP_OF_E}
        found = [rows.get(address, (0, 0xFF)) for address in range(FIRST, LAST + 1)]
        self._kept = bytes(kept for kept, _ in found)
        self._ones = bytes(ones for _, ones in found)

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        return self._values[address - FIRST] | self._ones[address - FIRST]

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self._values[address - FIRST] = value & self._kept[address - FIRST]
