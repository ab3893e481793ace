"""What is paid at the end of a round, and what follows it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tenhou_tables import FOUR, THREE, settled, table

from fairdeck.tenhou.game.contradiction import Contradiction
from fairdeck.tenhou.game.events import (
    Win,
)
from fairdeck.tenhou.game.melds import Called, Meld
from fairdeck.tenhou.game.payments import (
    base_points,
    liable_change,
    orphans_change,
    payments_of_draw,
    shares,
    win_change,
)
from fairdeck.tenhou.game.succession import Next, check_next, following, points_for
from fairdeck.tenhou.game.turns import Phase
from fairdeck.tenhou.game.wins import check_win_of, win_value
from fairdeck.tenhou.game.worth import NUMBERS, dora_kind
from fairdeck.tiles import NAMES


@pytest.mark.parametrize(
    ("han", "fu", "base"),
    [(1, 30, 240), (3, 60, 1920), (4, 30, 1920), (4, 40, 2000), (5, 30, 2000), (6, 30, 3000),
     (8, 30, 4000), (11, 30, 6000), (13, 30, 8000), (26, 30, 8000)],
)  # fmt: skip
def test_base_points(han: int, fu: int, base: int) -> None:
    assert base_points(han, fu)[0] == base


def test_payments() -> None:
    assert shares(2000, 0, 0, 0, 4) == [0, 40, 40, 40]
    assert shares(2000, 1, 1, 0, 4) == [40, 0, 20, 20]
    assert shares(2000, 1, 1, 0, 3) == [40, 0, 20]
    assert shares(1920, 1, 2, 0, 4) == [0, 0, 77, 0]
    assert win_change([0, 0, 77, 0], 1, 2, 2, 1) == (0, 93, -83, 0)
    assert win_change([40, 0, 20], 1, 1, 1, 0) == (-41, 62, -21)
    assert liable_change([0, 107, 107, 107], 0, 0, 2, 1, 1) == (334, 0, -324, 0)
    assert liable_change([0, 320, 0, 0], 0, 1, 2, 1, 0) == (323, -160, -163, 0)
    assert payments_of_draw([1], 4) == (-10, 30, -10, -10)
    assert payments_of_draw([0, 1], 3) == (10, 10, -20)
    assert payments_of_draw([], 4) == payments_of_draw(range(4), 4) == (0, 0, 0, 0)
    assert orphans_change([1], 0, 4) == (-40, 80, -20, -20)
    for paid in ([0, 39, 13, 26], [64, 0, 0, 0]):
        assert sum(win_change(paid, 1 if paid[0] else 0, 0, 3, 2)) == 20


@pytest.mark.parametrize("tsumo", [True, False])
def test_who_feeds_the_third_dragon_pays(tsumo: bool) -> None:
    """With a second yakuman the rules leave open whether for that as well; no other sum goes."""
    played, _ = table()
    seat = played.seats[0]
    seat.tiles = {108, 109, 112, 113, 114}
    seat.melds, played.untouched = [], False
    for first, source in ((124, 1), (128, 3), (132, 2)):
        tiles = (first, first + 1, first + 2)
        seat.tiles |= set(tiles[1:])
        seat.call(Meld(Called.PON, tiles, first, source))
    seat.tiles -= {114}
    assert seat.liable == {NUMBERS["daisangen"]: 2}
    played.phase, played.turn, played.last = Phase.REACT, 1, 114
    if tsumo:
        seat.tiles |= {114}
        played.phase, played.turn, seat.drawn = Phase.ACT, 0, 114
    win = Win(
        seat=0, source=0 if tsumo else 1, liable=2, hand=tuple(sorted(seat.tiles | {114})),
        melds=tuple(seat.melds), tile=114, fu=40, value=96000, limit=5, yaku=(),
        yakuman=(NUMBERS["daisangen"], NUMBERS["tsuuiisou"]), dora=tuple(played.indicators),
        ura=(), settlement=settled(played),
    )  # fmt: skip
    found = win_value(win, seat, played.circumstances(win, again=False))
    assert found is not None
    win = replace(win, fu=found.fu)
    allowed = [(960, 0, -960, 0), (960, -160, -640, -160)] if tsumo else [
        (960, -480, -480, 0), (960, -720, -240, 0),
    ]  # fmt: skip
    for change in (*allowed, (960, -320, -320, -320)):
        told = replace(win, settlement=replace(win.settlement, change=change))
        fits = check_win_of(told, seat, played.circumstances(told, again=False)) == change
        assert fits == (change in allowed)


def test_dora() -> None:
    names = {NAMES[k]: NAMES[dora_kind(k, 4)] for k in range(34)}
    assert [names[n] for n in ("1m", "9m", "9p", "1z", "4z", "5z", "7z")] == [
        "2m", "1m", "1p", "2z", "1z", "6z", "5z",
    ]  # fmt: skip
    assert sorted(names.values()) == sorted(NAMES)
    assert [dora_kind(k, 3) for k in (0, 8)] == [8, 0]
    assert len(NUMBERS) == 55


def test_what_follows() -> None:
    assert [following(n, 4) for n in (0, 3)] == [1, 4]
    assert [following(n, 3) for n in (0, 2, 6)] == [1, 4, 8]
    played, _ = table()
    left = Next(True, 1, 0, (250,) * 4, False)
    log = replace(played.log, honba=1)
    check_next(log, played, left)
    for change in (
        {"honba": 0}, {"number": 1}, {"sticks": 1}, {"dealer": 1}, {"scores": (251, 249, 250, 250)},
    ):  # fmt: skip
        with pytest.raises(Contradiction):
            check_next(replace(log, **change), played, left)
    with pytest.raises(Contradiction, match="is over"):
        check_next(log, played, replace(left, ends=True))


def test_final_points() -> None:
    assert points_for((255, 337, 79, 329), FOUR)[0] == (-14.0, 43.0, -42.0, 13.0)
    assert points_for((300, 300, 200, 200), FOUR)[0] == (20.0 + 0.0 + 20.0, 10.0, -20.0, -30.0)
    assert points_for((-57, 722, 385), THREE)[0] == (-66.0, 67.0, -1.0)
    assert points_for((243, 98, 307, 352), FOUR)[1] == (-15.7, -40.2, 10.7, 45.2)
    early = points_for((212, 195, 222, 371), replace(FOUR, early=True))
    assert (-14.0, -20.0, -3.0, 37.0) in early
