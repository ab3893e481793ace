"""What a win is worth: its yaku by Tenhou's numbers, dora, fu, points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fairdeck.riichi.hand import Hand
from fairdeck.riichi.situation import Situation
from fairdeck.riichi.win import check_win
from fairdeck.riichi.yaku import LIMIT, USUAL
from fairdeck.tenhou.game.melds import NORTH
from fairdeck.tenhou.game.payments import base_points
from fairdeck.tiles import RED_FIVES, kind

_WORDS = """
    menzen_tsumo riichi ippatsu chankan rinshan haitei houtei pinfu tanyao iipeikou
    seat_wind_east seat_wind_south seat_wind_west seat_wind_north
    round_wind_east round_wind_south round_wind_west round_wind_north haku hatsu chun
    double_riichi chiitoitsu chanta ittsu sanshoku_doujun sanshoku_doukou sankantsu toitoi
    sanankou shousangen honroutou ryanpeikou junchan honitsu chinitsu renhou tenhou chiihou
    daisangen suuankou suuankou_tanki tsuuiisou ryuuiisou chinroutou chuuren chuuren_9 kokushi
    kokushi_13 daisuushii shousuushii suukantsu dora ura_dora red_fives
"""
NAMES = tuple(_WORDS.split())
"""The yaku by Tenhou's numbers."""
NUMBERS = {name: number for number, name in enumerate(NAMES)}
"""Tenhou's numbers of the yaku."""
DORA, URA_DORA, RED = (NUMBERS[name] for name in ("dora", "ura_dora", "red_fives"))
_ORPHANS = ("kokushi", "kokushi_13")


@dataclass(frozen=True, slots=True)
class Worth:
    """``yaku`` are Tenhou's numbers and han, none of a yakuman, ``yakuman`` such numbers."""

    yaku: dict[int, int]
    yakuman: frozenset[int]
    fu: int
    base: int
    limit: int


@dataclass(frozen=True, slots=True)
class Extras:
    """Han that are no yaku: of the indicators, of those beneath, of red fives.

    ``tiles`` are the whole hand, melds and norths included; ``norths`` those set aside.
    """

    tiles: tuple[int, ...]
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    norths: int
    players: int
    red_fives: bool

    def han(self) -> dict[int, int]:
        """By Tenhou's numbers."""
        counts = Counter(kind(tile) for tile in self.tiles)
        return {
            DORA: self._of(self.dora, counts) + self.norths,
            URA_DORA: self._of(self.ura, counts),
            RED: len(RED_FIVES.intersection(self.tiles)) if self.red_fives else 0,
        }

    def _of(self, indicators: Sequence[int], counts: Counter[int]) -> int:
        return sum(counts[dora_kind(kind(tile), self.players)] for tile in indicators)


def dora_kind(indicator: int, players: int) -> int:
    """The kind that an indicator of a kind makes dora: the next in its suit, winds or dragons."""
    if players == 3 and indicator in (0, 8):
        return 8 - indicator
    if indicator < 27:
        return indicator // 9 * 9 + (indicator + 1) % 9
    if indicator <= NORTH:
        return 27 + (indicator - 26) % 4
    return 31 + (indicator - 30) % 3


def compute_value(
    hand: Hand, tile: int, situation: Situation, blessing: str | None, extras: Extras
) -> Worth | None:
    """The worth of a win with the kind ``tile``; None when the hand does not win.

    ``blessing``: ``tenhou`` or ``chiihou``, when the win comes on the very first draw.
    """
    judged = check_win(hand, tile, situation)
    if not judged.complete:
        return None
    limits = {name for name in judged.yaku if name in LIMIT or name in _ORPHANS}
    if blessing is not None:
        limits.add(blessing)
    if limits:
        base, limit = base_points(0, 0, len(limits))
        return Worth({}, frozenset(NUMBERS[name] for name in limits), judged.fu, base, limit)
    if not judged.wins:
        return None
    yaku = {NUMBERS[name]: _han(name, hand.is_closed) for name in judged.yaku}
    # the indicators beneath are listed after riichi even when they are worth nothing
    given = {URA_DORA} if extras.ura else set()
    yaku |= {number: han for number, han in extras.han().items() if han or number in given}
    base, limit = base_points(sum(yaku.values()), judged.fu)
    return Worth(yaku, frozenset(), judged.fu, base, limit)


def _han(name: str, closed: bool) -> int:
    if name not in USUAL:
        return 1  # a triplet of dragons or winds
    when_closed, when_open, _ = USUAL[name]
    return when_closed if closed else when_open
