"""The words for address sizes, as ``.segment`` and ``.import`` take them."""

from __future__ import annotations

from romproof.program.address_size import AddressSize

ADDRESS_SIZES = {
    "abs": AddressSize.ABSOLUTE,
    "absolute": AddressSize.ABSOLUTE,
    "default": AddressSize.DEFAULT,
    "direct": AddressSize.ZEROPAGE,
    "dword": AddressSize.LONG,
    "far": AddressSize.FAR,
    "long": AddressSize.LONG,
    "near": AddressSize.ABSOLUTE,
    "zeropage": AddressSize.ZEROPAGE,
    "zp": AddressSize.ZEROPAGE,
}
