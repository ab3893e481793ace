"""How wide an address is, as assemblers and debuggers know it."""

from __future__ import annotations

from enum import IntEnum


class AddressSize(IntEnum):
    """How many bytes it takes to name an address; DEFAULT means not known."""

    DEFAULT = 0
    ZEROPAGE = 1
    ABSOLUTE = 2
    FAR = 3
    LONG = 4
