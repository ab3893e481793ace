"""Yaku of a complete hand that was read as melds and a pair, or as seven pairs.

Each is a function that says whether a reading has it; the tables give the han for a closed hand
and for an open one (0: only closed). Han and exclusions are those of the common Japanese rules,
as Tenhou plays them; double yakuman count once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from fairdeck.riichi.hand import Hand
from fairdeck.riichi.shapes import Group, Shape
from fairdeck.riichi.situation import Situation

YAKUMAN = 13
"""Han that a yakuman is given."""

TERMINALS = frozenset({0, 8, 9, 17, 18, 26})
HONOURS = frozenset(range(27, 34))
YAOCHUU = TERMINALS | HONOURS
_DRAGONS = {31: "haku", 32: "hatsu", 33: "chun"}
_WINDS = {27: "east", 28: "south", 29: "west", 30: "north"}
_GREEN = frozenset({19, 20, 21, 23, 25, 32})


@dataclass(frozen=True)
class Reading:
    """A complete hand as it is read: with its ``shape``, or as seven pairs (None)."""

    hand: Hand
    win: int
    situation: Situation
    shape: Shape | None

    @cached_property
    def kinds(self) -> frozenset[int]:
        """The kinds in hand and melds."""
        pairs = zip(self.hand.closed, self.hand.melded, strict=True)
        return frozenset(kind for kind, (own, melded) in enumerate(pairs) if own + melded)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The melds; none of seven pairs."""
        return self.shape.groups if self.shape else ()

    @cached_property
    def runs(self) -> list[int]:
        """The first kinds of the runs, sorted."""
        return sorted(g.kind for g in self.groups if g.is_run)

    @cached_property
    def triplets(self) -> list[int]:
        """The kinds of triplets and kans, sorted."""
        return sorted(g.kind for g in self.groups if not g.is_run)

    @property
    def pair(self) -> int | None:
        """The kind of the pair; None of seven pairs."""
        return self.shape.pair if self.shape else None

    @property
    def hidden_triplets(self) -> int:
        """Triplets and kans without a tile of another player."""
        return sum(not g.is_run and not g.is_open for g in self.groups)

    @property
    def is_closed(self) -> bool:
        """Whether nothing was called."""
        return self.hand.is_closed

    @property
    def is_pinfu(self) -> bool:
        """Four runs, a pair without value, a wait at two ends."""
        shape, situation = self.shape, self.situation
        if shape is None or not self.is_closed or len(self.runs) != 4 or shape.waits_in is None:
            return False
        if shape.pair in _DRAGONS or shape.pair in (situation.seat_wind, situation.round_wind):
            return False
        first, win = shape.waits_in.kind, self.win
        low_end = win == first and first % 9 != 6
        high_end = win == first + 2 and first % 9 != 0
        return low_end or high_end


Rule = Callable[[Reading], bool]


def _has(flag: str) -> Rule:
    """A fact that is a yaku; what contradicts it is refused before (``situation.CLASHES``)."""
    return lambda r: flag in r.situation.flags


def _menzen_tsumo(r: Reading) -> bool:
    return r.situation.tsumo and r.is_closed


def _tanyao(r: Reading) -> bool:
    return not r.kinds & YAOCHUU and (r.is_closed or r.situation.open_tanyao)


def _equal_runs(r: Reading) -> int:
    """Pairs of equal runs."""
    return sum(r.runs.count(first) // 2 for first in set(r.runs))


def _iipeikou(r: Reading) -> bool:
    return r.is_closed and _equal_runs(r) == 1


def _ryanpeikou(r: Reading) -> bool:
    return r.is_closed and _equal_runs(r) == 2


def _in_three_suits(kinds: list[int]) -> bool:
    return any(kind < 9 and kind + 9 in kinds and kind + 18 in kinds for kind in kinds)


def _ittsu(r: Reading) -> bool:
    return any({first, first + 3, first + 6} <= set(r.runs) for first in (0, 9, 18))


def _everywhere(r: Reading, wanted: frozenset[int]) -> bool:
    """Whether each meld and the pair have one of the kinds, and there is a run."""
    if r.shape is None or not r.runs:
        return False
    return r.shape.pair in wanted and all(wanted & set(g.tiles) for g in r.groups)


def _junchan(r: Reading) -> bool:
    return _everywhere(r, TERMINALS)


def _chanta(r: Reading) -> bool:
    return _everywhere(r, YAOCHUU) and not _junchan(r)


def _honroutou(r: Reading) -> bool:
    return r.kinds <= YAOCHUU


def _suits(r: Reading) -> set[int]:
    return {kind // 9 for kind in r.kinds - HONOURS}


def _chinitsu(r: Reading) -> bool:
    return len(_suits(r)) == 1 and not r.kinds & HONOURS


def _honitsu(r: Reading) -> bool:
    return len(_suits(r)) == 1 and bool(r.kinds & HONOURS)


def _kans(r: Reading) -> int:
    return sum(g.is_kan for g in r.groups)


def _dragon_triplets(r: Reading) -> int:
    return sum(kind in _DRAGONS for kind in r.triplets)


def _wind_triplets(r: Reading) -> int:
    return sum(kind in _WINDS for kind in r.triplets)


USUAL: Mapping[str, tuple[int, int, Rule]] = {
    "riichi": (1, 0, _has("riichi")),
    "double_riichi": (2, 0, _has("double_riichi")),
    "ippatsu": (1, 0, _has("ippatsu")),
    "menzen_tsumo": (1, 0, _menzen_tsumo),
    "haitei": (1, 1, _has("haitei")),
    "houtei": (1, 1, _has("houtei")),
    "rinshan": (1, 1, _has("rinshan")),
    "chankan": (1, 1, _has("chankan")),
    "pinfu": (1, 0, lambda r: r.is_pinfu),
    "tanyao": (1, 1, _tanyao),
    "iipeikou": (1, 0, _iipeikou),
    "chiitoitsu": (2, 0, lambda r: r.shape is None),
    "sanshoku_doujun": (2, 1, lambda r: _in_three_suits(r.runs)),
    "ittsu": (2, 1, _ittsu),
    "chanta": (2, 1, _chanta),
    "toitoi": (2, 2, lambda r: len(r.triplets) == 4),
    "sanankou": (2, 2, lambda r: r.hidden_triplets == 3),
    "sankantsu": (2, 2, lambda r: _kans(r) == 3),
    "sanshoku_doukou": (2, 2, lambda r: _in_three_suits(r.triplets)),
    "honroutou": (2, 2, _honroutou),
    "shousangen": (2, 2, lambda r: _dragon_triplets(r) == 2 and r.pair in _DRAGONS),
    "ryanpeikou": (3, 0, _ryanpeikou),
    "junchan": (3, 2, _junchan),
    "honitsu": (3, 2, _honitsu),
    "chinitsu": (6, 5, _chinitsu),
}
"""By name: han closed, han open, and the rule."""


def value_tiles(r: Reading) -> list[str]:
    """The yaku of one han each for triplets of dragons, the seat's wind and the round's."""
    names = [name for kind, name in _DRAGONS.items() if kind in r.triplets]
    for who, kind in (("seat", r.situation.seat_wind), ("round", r.situation.round_wind)):
        if kind in r.triplets:
            names.append(f"{who}_wind_{_WINDS[kind]}")
    return names


def _nine_gates(r: Reading) -> bool:
    if not _chinitsu(r) or r.hand.melds:
        return False
    suit = min(r.kinds) // 9 * 9
    counts = r.hand.closed[suit : suit + 9]
    return counts[0] >= 3 and counts[8] >= 3 and all(counts)


def _pure_nine_gates(r: Reading) -> bool:
    """Whether any tile of the suit would have won."""
    before = r.hand.minus(r.win).closed
    suit = r.win // 9 * 9
    return _nine_gates(r) and before[suit : suit + 9] == (3, 1, 1, 1, 1, 1, 1, 1, 3)


def _four_hidden(r: Reading) -> bool:
    return r.hidden_triplets == 4


def _single_wait(r: Reading) -> bool:
    return r.shape is not None and r.shape.waits_in is None


LIMIT: Mapping[str, Rule] = {
    "suuankou_tanki": lambda r: _four_hidden(r) and _single_wait(r),
    "suuankou": lambda r: _four_hidden(r) and not _single_wait(r),
    "daisangen": lambda r: _dragon_triplets(r) == 3,
    "shousuushii": lambda r: _wind_triplets(r) == 3 and r.pair in _WINDS,
    "daisuushii": lambda r: _wind_triplets(r) == 4,
    "tsuuiisou": lambda r: r.kinds <= HONOURS,
    "ryuuiisou": lambda r: r.kinds <= _GREEN,
    "chinroutou": lambda r: r.kinds <= TERMINALS,
    "chuuren_9": _pure_nine_gates,
    "chuuren": lambda r: _nine_gates(r) and not _pure_nine_gates(r),
    "suukantsu": lambda r: _kans(r) == 4,
}
"""The yakuman of melds and a pair; those of orphans are the hand's, not the reading's."""


@dataclass(frozen=True, slots=True)
class Found:
    """The yaku of a reading, sorted, and their han without dora."""

    yaku: tuple[str, ...]
    han: int


def find_yaku(r: Reading) -> Found:
    """All yaku of a reading; yakuman leave no room for others."""
    limit = sorted(name for name, rule in LIMIT.items() if rule(r))
    if limit:
        return Found(tuple(limit), YAKUMAN * len(limit))
    names, han = value_tiles(r), 0
    han = len(names)
    for name, (closed, opened, rule) in USUAL.items():
        worth = closed if r.is_closed else opened
        if worth and rule(r):
            names.append(name)
            han += worth
    return Found(tuple(sorted(names)), han)
