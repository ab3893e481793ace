"""Melds as logs write them: a number of 16 bits, the attribute ``m`` of the element N.

The layout is the one that Tenhou's viewer reads; it was checked on the logs named in
docs/verifying.md, whose every call fits the hands and the discards.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from fairdeck.tiles import COPIES, KINDS, kind

NORTH = 30
"""The kind that three players set aside."""
SEATS = 4
"""Seats are given as steps modulo four, of three players too."""
_RUNS_OF_A_SUIT = 7


class Called(Enum):
    """What is called; the value is how the sentences name it."""

    CHII = "chii"
    PON = "pon"
    OPEN_KAN = "open kan"
    CLOSED_KAN = "closed kan"
    ADDED_KAN = "added kan"
    NORTH = "north"

    @property
    def is_kan(self) -> bool:
        """Whether it has four tiles."""
        return self in (Called.OPEN_KAN, Called.CLOSED_KAN, Called.ADDED_KAN)

    @property
    def is_replaced(self) -> bool:
        """Whether a tile is then drawn from the dead wall."""
        return self.is_kan or self is Called.NORTH


@dataclass(frozen=True, slots=True)
class Meld:
    """A call: all its ``tiles`` (ids, ascending).

    ``taken`` is the tile that another player discarded, ``source`` the seat of that player; both
    are None where nothing is taken. ``added`` is the fourth tile of an added kan.
    """

    called: Called
    tiles: tuple[int, ...]
    taken: int | None = None
    source: int | None = None
    added: int | None = None

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of the tiles, ascending."""
        return tuple(kind(tile) for tile in self.tiles)

    @property
    def own(self) -> frozenset[int]:
        """The tiles that come out of the caller's hand with this call."""
        if self.added is not None:
            return frozenset({self.added})
        return frozenset(self.tiles) - {self.taken}


def decode(code: int, seat: int) -> Meld:
    """The meld that ``seat`` calls with ``code``. Raises ValueError when there is none such."""
    if not 0 <= code < 1 << 16:
        raise ValueError("a meld is a number of 16 bits")
    source = (seat + (code & 3)) % SEATS
    if code & 4:
        _is_unused(code, 0x200)
        return _chii(code, source)
    if code & 0x18:
        _is_unused(code, 0x180)
        return _triplet(code, source)
    tile = code >> 8
    if tile >= KINDS * COPIES:
        raise ValueError(f"there is no tile {tile}")
    if code & 0x20:
        _is_unused(code, 0xC3)
        return Meld(Called.NORTH, (tile,))
    _is_unused(code, 0xC0)
    tiles = tuple(range(tile - tile % COPIES, tile - tile % COPIES + COPIES))
    if source == seat:
        return Meld(Called.CLOSED_KAN, tiles)
    return Meld(Called.OPEN_KAN, tiles, tile, source)


def _is_unused(code: int, bits: int) -> None:
    if code & bits:
        raise ValueError("bits are set that mean nothing")


def _chii(code: int, source: int) -> Meld:
    """Bits 3..8: the copy of each tile; above them the run, and which of its tiles was taken."""
    run, taken = divmod(code >> 10, 3)
    suit, first = divmod(run, _RUNS_OF_A_SUIT)
    if suit > 2:
        raise ValueError("there is no such run")
    base = 9 * suit + first
    tiles = tuple(COPIES * (base + n) + (code >> 3 + 2 * n & 3) for n in range(3))
    return Meld(Called.CHII, tiles, tiles[taken], source)


def _triplet(code: int, source: int) -> Meld:
    """Bits 5 and 6: the copy a pon leaves out; above them the kind, and which tile was taken."""
    base, taken = divmod(code >> 9, 3)
    if base >= KINDS:
        raise ValueError("there is no such kind")
    out = COPIES * base + (code >> 5 & 3)
    tiles = tuple(t for t in range(COPIES * base, COPIES * base + COPIES) if t != out)
    if code & 0x18 == 0x18:
        raise ValueError("it is a triplet and a kan")
    if code & 8:
        return Meld(Called.PON, tiles, tiles[taken], source)
    return Meld(Called.ADDED_KAN, tuple(sorted((*tiles, out))), tiles[taken], source, out)
