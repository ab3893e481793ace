"""The words for address sizes, as ``.segment`` and ``.import`` take them, and as messages do."""

from __future__ import annotations

from typing import Final

from romproof.program.address_size import AddressSize
from romproof.text.diagnostic import suggest
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.tokens import IDENT

ADDRESS_SIZES: Final = {
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


_LARGEST: Final = {"none": AddressSize.LONG, "65816": AddressSize.FAR}
"""Address sizes go up to ABSOLUTE elsewhere."""


def optional_address_size(feed: Feed, cpu: str) -> AddressSize:
    """Read ``: zeropage`` or the like; DEFAULT when there is no colon."""
    if not feed.accept(":"):
        return AddressSize.DEFAULT
    word = feed.tok.text.lower() if feed.at(IDENT) else ""
    size = ADDRESS_SIZES.get(word)
    if size is None:
        feed.error(
            "Address size specifier expected",
            help=suggest(word, ADDRESS_SIZES) or "one of zeropage, absolute",
        )
        size = AddressSize.DEFAULT
    elif size > _LARGEST.get(cpu, AddressSize.ABSOLUTE):
        feed.error("Invalid address size specification for current CPU")
        size = AddressSize.DEFAULT
    if not feed.tok.ends_line:
        feed.next()
    return size


def size_name(size: AddressSize) -> str:
    """The size as messages call it."""
    return "long" if size is AddressSize.LONG else size.name.lower()
