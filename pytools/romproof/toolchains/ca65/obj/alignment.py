"""How far segments may be aligned."""

from __future__ import annotations

from typing import Final

MAX_ALIGNMENT: Final = 0x10000
LARGE_ALIGNMENT: Final = 0x101  # from here on ca65 and ld65 warn
