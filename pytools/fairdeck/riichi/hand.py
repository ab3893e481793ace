"""Hands and melds as people write them, and the faults they can have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from fairdeck.tiles import COPIES, KINDS, NAMES
from romproof import BadInput

Counts = tuple[int, ...]
"""How many of each of the 34 kinds, 0..4."""

_INDEX = {name: kind for kind, name in enumerate(NAMES)} | {
    f"0{suit}": NAMES.index(f"5{suit}") for suit in "mps"
}
WINDS = {"E": 27, "S": 28, "W": 29, "N": 30}
"""The kinds of the winds by their letters."""


class BadHand(BadInput):
    """A hand that cannot be; the text names the tile or the meld."""


class MeldKind(Enum):
    """What a meld is; the value is its name in hands' notation."""

    CHI = "chi"
    PON = "pon"
    OPEN_KAN = "minkan"
    CLOSED_KAN = "ankan"
    ADDED_KAN = "kakan"

    @property
    def is_kan(self) -> bool:
        """Whether it has four tiles."""
        return self not in (MeldKind.CHI, MeldKind.PON)


@dataclass(frozen=True, slots=True)
class Meld:
    """A called meld, or a kan: ``tiles`` are kinds, in ascending order."""

    kind: MeldKind
    tiles: tuple[int, ...]

    @property
    def is_open(self) -> bool:
        """A closed kan leaves the hand closed."""
        return self.kind is not MeldKind.CLOSED_KAN


@dataclass(frozen=True, slots=True)
class Hand:
    """Tiles in the hand, and the melds beside it."""

    closed: Counts
    melds: tuple[Meld, ...] = ()

    @property
    def size(self) -> int:
        """Tiles in the hand itself."""
        return sum(self.closed)

    @property
    def is_closed(self) -> bool:
        """Whether nothing was called; closed kans do not count."""
        return not any(meld.is_open for meld in self.melds)

    @property
    def melded(self) -> Counts:
        """How many of each kind the melds have."""
        counts = [0] * KINDS
        for meld in self.melds:
            for kind in meld.tiles:
                counts[kind] += 1
        return tuple(counts)

    def plus(self, kind: int) -> Hand:
        """The hand with one more tile."""
        return Hand(add_tiles(self.closed, kind, 1), self.melds)

    def minus(self, kind: int) -> Hand:
        """The hand with one tile less."""
        return Hand(add_tiles(self.closed, kind, -1), self.melds)


def add_tiles(counts: Counts, kind: int, by: int) -> Counts:
    """``counts`` with ``by`` more tiles of a kind."""
    return (*counts[:kind], counts[kind] + by, *counts[kind + 1 :])


def parse_kinds(text: str) -> list[int]:
    """The kinds of tiles written as ``123m055p11z`` (0 is a red five). Raises BadHand."""
    kinds: list[int] = []
    compact = re.sub(r"\s+", "", text)
    at = 0
    for match in re.finditer(r"([0-9]+)([mpsz])", compact):
        if match.start() != at:
            break
        at = match.end()
        for digit in match[1]:
            name = digit + match[2]
            if name not in _INDEX:
                raise BadHand(f"there is no tile '{name}'; tiles are 1-9 m p s and 1-7 z")
            kinds.append(_INDEX[name])
    if at != len(compact):
        raise BadHand(
            f"'{compact[at : at + 12]}' is not a tile; write digits and their suit, as in "
            f"123m055p11z"
        )
    return kinds


def counts_of(kinds: Iterable[int]) -> Counts:
    """How many there are of each kind."""
    counter = Counter(kinds)
    return tuple(counter[kind] for kind in range(KINDS))


def parse_meld(kind: str, text: str) -> Meld:
    """A meld by its name (``chi``, ``pon``, ``minkan``, ``ankan``, ``kakan``). Raises BadHand."""
    try:
        meant = MeldKind(kind)
    except ValueError:
        known = ", ".join(k.value for k in MeldKind)
        raise BadHand(f"there is no meld '{kind}'; melds are {known}") from None
    tiles = tuple(sorted(parse_kinds(text)))
    if meant is MeldKind.CHI:
        fits = (
            len(tiles) == 3 and is_run(tiles[0]) and tiles == tuple(range(tiles[0], tiles[0] + 3))
        )
    else:
        fits = len(tiles) == (4 if meant.is_kan else 3) and len(set(tiles)) == 1
    if not fits:
        wanted = {
            MeldKind.CHI: "three tiles in a row of one suit",
            MeldKind.PON: "three equal tiles",
        }.get(meant, "four equal tiles")
        raise BadHand(f"'{text}' is not a {kind}: that is {wanted}")
    return Meld(meant, tiles)


def is_run(first: int) -> bool:
    """Whether a run of three can begin with a kind."""
    return first < 27 and first % 9 <= 6


def make_hand(kinds: Sequence[int], melds: Sequence[Meld] = ()) -> Hand:
    """The hand of these tiles. Raises BadHand for a fifth copy or a wrong number of tiles."""
    hand = Hand(counts_of(kinds), tuple(melds))
    for kind, (own, melded) in enumerate(zip(hand.closed, hand.melded, strict=True)):
        if own + melded > COPIES:
            raise BadHand(f"there are {own + melded} of {NAMES[kind]}; a set has four")
    if len(melds) > 4:
        raise BadHand(f"{len(melds)} melds; a hand has four at most")
    usual = 13 - 3 * len(melds)
    if hand.size not in (usual, usual + 1):
        beside = f" beside {len(melds)} meld{'s' * (len(melds) != 1)}" if melds else ""
        raise BadHand(
            f"the hand has {hand.size} tiles{beside}; it needs {usual}, or {usual + 1} after a draw"
        )
    return hand
