"""What is given to an engine, checked before it runs: a mistake is reported, not executed."""

from __future__ import annotations

from array import array
from collections.abc import Collection
from typing import Protocol

from romproof.text.errors import RomproofError

ADDRESSES = 0x10000


class BadEngineInput(RomproofError):
    """What an engine was given cannot be meant; the message says what is wrong with it."""


class Unsupported(RomproofError):
    """The engine cannot do what is asked of it; the message names one that can."""


def check_run(until: Collection[int], limit: int) -> None:
    """Raises BadInput for places that are not addresses and a budget below one cycle."""
    if limit < 1:
        raise BadEngineInput(f"limit={limit}: a run needs at least one cycle")
    for address in until:
        if not 0 <= address < ADDRESSES:
            raise BadEngineInput(f"until={address}, which is not an address of 16 bits")


def check_map(name: str, given: bytes | None) -> None:
    """Raises BadInput for a map that has not one byte for each address."""
    if given is not None and len(given) != ADDRESSES:
        raise BadEngineInput(
            f"'{name}' has {len(given):,} bytes; it needs one for each of the "
            f"{ADDRESSES:,} addresses"
        )


class _Pages(Protocol):
    """What is checked of an AddressSpace."""

    store: bytearray
    flat: bool
    read_pages: array[int]
    write_pages: array[int]


def check_store(space: _Pages) -> None:
    """Raises BadInput when the memory of ``space`` does not hold all pages of its tables."""
    size = len(space.store)
    needed = ADDRESSES if space.flat else max(*space.read_pages, *space.write_pages) + 0x100
    if size < needed:
        raise BadEngineInput(
            f"memory has {size:,} bytes, but its pages go up to byte {needed:,}: "
            "it was replaced by a shorter object"
        )
    if space.flat and size > needed:
        raise BadEngineInput(
            f"memory has {size:,} bytes, but there are {needed:,} addresses: it was replaced by "
            f"a longer object"
        )
