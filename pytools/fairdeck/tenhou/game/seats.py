"""A player at the table: the tiles held, what was called and discarded, riichi, furiten."""

from __future__ import annotations

from dataclasses import dataclass, field

from fairdeck.riichi.hand import Hand, MeldKind, counts_of
from fairdeck.riichi.hand import Meld as HandMeld
from fairdeck.riichi.shanten import kokushi
from fairdeck.riichi.waits import waits
from fairdeck.riichi.yaku import YAOCHUU
from fairdeck.tenhou.game.contradiction import Contradiction, Kind, require
from fairdeck.tenhou.game.melds import NORTH, Called, Meld
from fairdeck.tenhou.game.sentences import Sentence, Value, say, tile_text, word
from fairdeck.tiles import kind, name

_KINDS = {
    Called.CHII: MeldKind.CHI,
    Called.PON: MeldKind.PON,
    Called.OPEN_KAN: MeldKind.OPEN_KAN,
    Called.CLOSED_KAN: MeldKind.CLOSED_KAN,
    Called.ADDED_KAN: MeldKind.ADDED_KAN,
}
_DRAGONS, _WINDS = frozenset({31, 32, 33}), frozenset({27, 28, 29, 30})
DRAGONS_ID, WINDS_ID = 39, 49
"""Tenhou's numbers of the yakuman of three dragons and of four winds."""


@dataclass
class Seat:
    """What is known of one player in a round; ``number`` is the seat."""

    number: int
    tiles: set[int]
    melds: list[Meld] = field(default_factory=list)
    norths: list[int] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)
    robbed: bool = False
    """Whether a discard of this player was called."""
    riichi: str | None = None
    """``riichi`` or ``double_riichi`` once it is declared."""
    discards_fixed: bool = False
    """Whether riichi was declared with an earlier discard."""
    ippatsu: bool = False
    passed: set[int] = field(default_factory=set)
    """The kinds others gave away since the last own discard; after riichi, since that."""
    drawn: int | None = None
    """The tile drawn last, until something is discarded."""
    forbidden: frozenset[int] = frozenset()
    """Kinds that must not be discarded right after a call, as they would swap tiles."""
    liable: dict[int, int] = field(default_factory=dict)
    """Who has to pay for a yakuman, by its number, as that player let its last meld be called."""

    @property
    def is_closed(self) -> bool:
        """Whether nothing was called; closed kans do not count."""
        return all(meld.called is Called.CLOSED_KAN for meld in self.melds)

    def hand(self, *, without: int | None = None) -> Hand:
        """The hand as kinds, the norths that were set aside left out."""
        melds = tuple(HandMeld(_KINDS[meld.called], meld.kinds) for meld in self.melds)
        return Hand(counts_of(kind(tile) for tile in self.tiles if tile != without), melds)

    def waits(self) -> frozenset[int]:
        """The kinds that complete the hand, without a drawn tile."""
        return waits(self.hand())

    @property
    def waits_for_orphans(self) -> bool:
        """Whether the hand is one tile from the thirteen orphans."""
        return not self.melds and not self.norths and kokushi(self.hand().closed) == 0

    def draw(self, tile: int) -> None:
        """Take a tile from the wall."""
        if tile in self.tiles:
            raise Contradiction(
                Kind.DRAW,
                "seat {seat} draws {tile}, which it has",
                seat=self.number,
                tile=tile_text(tile),
            )
        self.tiles.add(tile)
        self.drawn = tile

    def discard(self, tile: int) -> None:
        """Give a tile away."""
        what: dict[str, Value] = {"seat": self.number, "tile": tile_text(tile)}
        if tile not in self.tiles:
            raise Contradiction(
                Kind.DISCARD, "seat {seat} discards {tile}, which it does not hold", **what
            )
        if self.riichi is not None and self.discards_fixed and tile != self.drawn:
            raise Contradiction(
                Kind.DISCARD,
                "seat {seat} discards {tile} after riichi, not the drawn tile",
                **what,
            )
        if kind(tile) in self.forbidden:
            raise Contradiction(
                Kind.DISCARD,
                "seat {seat} discards {tile} right after the call: swap calling",
                **what,
            )
        self.tiles.remove(tile)
        self.discards.append(tile)
        self.drawn, self.forbidden = None, frozenset()
        if self.discards_fixed:
            self.ippatsu = False
        if not self.discards_fixed:
            self.passed.clear()
        self.discards_fixed = self.riichi is not None

    def call(self, meld: Meld) -> None:
        """Lay a meld open, or set a north aside."""
        missing = sorted(meld.own - self.tiles)
        if missing:
            raise Contradiction(
                Kind.CALL,
                "seat {seat} calls {meld} without holding {tile}",
                seat=self.number,
                meld=meld_text(meld),
                tile=tile_text(missing[0]),
            )
        if meld.called is Called.ADDED_KAN:
            pon = Meld(
                Called.PON,
                tuple(t for t in meld.tiles if t != meld.added),
                meld.taken,
                meld.source,
            )
            if pon not in self.melds:
                raise Contradiction(
                    Kind.CALL,
                    "seat {seat} adds to {meld}, which is no pon of it",
                    seat=self.number,
                    meld=meld_text(meld),
                )
            self.melds[self.melds.index(pon)] = meld
        elif meld.called is Called.NORTH:
            require(
                kind(meld.tiles[0]) == NORTH,
                Kind.CALL,
                "seat {seat} sets {tile} aside, which is no north",
                seat=self.number,
                tile=tile_text(meld.tiles[0]),
            )
            self.norths.append(meld.tiles[0])
        else:
            self.melds.append(meld)
            self.forbidden = _swaps(meld)
            self._note_liable(meld)
        self.tiles -= meld.own

    def _note_liable(self, meld: Meld) -> None:
        """Who feeds the third meld of dragons or the fourth of winds pays for the yakuman."""
        if meld.source is None or meld.called is Called.CLOSED_KAN:
            return
        kinds = {m.kinds[0] for m in self.melds if m.called is not Called.CHII}
        for yakuman, wanted in ((DRAGONS_ID, _DRAGONS), (WINDS_ID, _WINDS)):
            if meld.kinds[0] in wanted and wanted <= kinds:
                self.liable[yakuman] = meld.source

    @property
    def all_orphans(self) -> bool:
        """Whether only terminals and honours were discarded, and none of them called."""
        return not self.robbed and all(kind(tile) in YAOCHUU for tile in self.discards)


def _swaps(meld: Meld) -> frozenset[int]:
    """The kinds that would swap: the one taken, and the other end of a run taken at its end."""
    if meld.taken is None or meld.called.is_kan:
        return frozenset()
    taken = kind(meld.taken)
    if meld.called is not Called.CHII:
        return frozenset({taken})
    low, _, high = meld.kinds
    kinds = {taken}
    if taken == low and high % 9 != 8:
        kinds.add(high + 1)
    if taken == high and low % 9 != 0:
        kinds.add(low - 1)
    return frozenset(kinds)


def meld_text(meld: Meld) -> Sentence:
    """``chii 1m2m3m``."""
    tiles = "".join(name(tile) for tile in meld.tiles)
    return say("{call} {tiles}", call=word(meld.called.value), tiles=tiles)
