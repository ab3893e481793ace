"""Is it a win? The best reading of a complete hand, its yaku, han and fu; and furiten."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from fairdeck.riichi.hand import BadHand, Hand
from fairdeck.riichi.shanten import ORPHANS, chiitoi, kokushi
from fairdeck.riichi.shapes import Shape, is_complete, shapes
from fairdeck.riichi.situation import Situation, check_flags
from fairdeck.riichi.waits import waits
from fairdeck.riichi.yaku import YAKUMAN, YAOCHUU, Found, Reading, find_yaku
from fairdeck.tiles import COPIES, NAMES

_PAIRS_FU = 25


@dataclass(frozen=True, slots=True)
class Win:
    """``complete``: the tiles are; ``yaku`` without dora, sorted; ``fu`` 0 for orphans, no win."""

    complete: bool
    yaku: tuple[str, ...] = ()
    han: int = 0
    fu: int = 0

    @property
    def wins(self) -> bool:
        """A hand without yaku does not win."""
        return bool(self.yaku)


def check_win(hand: Hand, win: int, situation: Situation) -> Win:
    """Judge ``hand`` (without the winning tile) with ``win``.

    Raises BadHand for a fifth copy, and for flags that contradict each other or the hand.
    """
    if hand.closed[win] + hand.melded[win] >= COPIES:
        raise BadHand(f"the winning tile would be the fifth {NAMES[win]}; a set has four")
    check_flags(hand, win, situation)
    whole = hand.plus(win)
    if not is_complete(whole):
        return Win(False)
    if not hand.melds and kokushi(whole.closed) == -1:
        all_thirteen = all(hand.closed[kind] == 1 for kind in ORPHANS)
        return Win(True, ("kokushi_13" if all_thirteen else "kokushi",), YAKUMAN)
    best = max(_readings(whole, win, situation), key=lambda reading: (reading.han, reading.fu))
    return best


def _readings(hand: Hand, win: int, situation: Situation) -> Iterator[Win]:
    for shape in shapes(hand, win, situation.tsumo):
        reading = Reading(hand, win, situation, shape)
        yield _judge_reading(find_yaku(reading), fu(reading))
    if not hand.melds and chiitoi(hand.closed) == -1:
        yield _judge_reading(find_yaku(Reading(hand, win, situation, None)), _PAIRS_FU)


def _judge_reading(reading: Found, points: int) -> Win:
    if not reading.yaku:
        return Win(True)
    return Win(True, reading.yaku, reading.han, points)


def fu(reading: Reading) -> int:
    """The small points of a reading as melds and a pair, rounded up to tens."""
    shape, situation = reading.shape, reading.situation
    assert shape is not None
    if reading.is_pinfu:
        return 20 if situation.tsumo else 30
    points = 20 + _group_fu(shape) + _pair_fu(shape, situation) + _wait_fu(reading, shape)
    if situation.tsumo:
        points += 2
    elif reading.is_closed:
        points += 10
    if points == 20:
        return 30  # an open hand of runs
    return -(-points // 10) * 10


def _group_fu(shape: Shape) -> int:
    total = 0
    for group in shape.groups:
        if not group.is_run:
            worth = 4 if group.kind in YAOCHUU else 2
            total += worth * (1 if group.is_open else 2) * (4 if group.is_kan else 1)
    return total


def _pair_fu(shape: Shape, situation: Situation) -> int:
    valued = (31, 32, 33, situation.seat_wind, situation.round_wind)
    return 2 * valued.count(shape.pair)


def _wait_fu(reading: Reading, shape: Shape) -> int:
    """Two for a wait on one kind only: in a run's middle, at its edge, or for the pair."""
    group, win = shape.waits_in, reading.win
    if group is None:
        return 2
    if not group.is_run:
        return 0
    middle = win == group.kind + 1
    edge = (win == group.kind + 2 and group.kind % 9 == 0) or (
        win == group.kind and group.kind % 9 == 6
    )
    return 2 if middle or edge else 0


def is_furiten(hand: Hand, discarded: Collection[int]) -> bool:
    """Whether a wait was discarded by the player: then no discard may be won on."""
    return not waits(hand).isdisjoint(discarded)
