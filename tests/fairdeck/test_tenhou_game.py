"""The rules a logged game is held against, one by one, at tables made for them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tenhou_tables import FOUR, THREE, feed, first_turns, ids, settled, table, wrong
from tenhou_write import encode

from fairdeck.riichi.hand import Hand, counts_of, parse_kinds, parse_meld
from fairdeck.riichi.shapes import is_complete
from fairdeck.riichi.waits import waits
from fairdeck.tenhou.game.contradiction import Contradiction, Kind
from fairdeck.tenhou.game.events import (
    Back,
    Call,
    Discard,
    Dora,
    Draw,
    GameLog,
    Left,
    NoWin,
    Riichi,
)
from fairdeck.tenhou.game.melds import Called, Meld, decode
from fairdeck.tenhou.game.succession import outcome
from fairdeck.tenhou.game.track import Tracker


def test_every_meld_has_one_number() -> None:
    """Whatever a number of 16 bits means for a seat, no other number means the same."""
    meant: dict[Meld, int] = {}
    for code in range(1 << 16):
        try:
            meld = decode(code, 1)
        except ValueError:
            continue
        # the number of a closed kan may name any of its four tiles
        assert meld not in meant or meld.called is Called.CLOSED_KAN
        meant[meld] = code
        size = {Called.NORTH: 1, Called.CHII: 3, Called.PON: 3}.get(meld.called, 4)
        assert len(set(meld.tiles)) == len(meld.tiles) == size
        assert (meld.taken is None) == (meld.called in (Called.NORTH, Called.CLOSED_KAN))
        assert meld.taken is None or meld.taken in meld.tiles
    kinds = {called: sum(m.called is called for m in meant) for called in Called}
    # 21 runs of 4^3 copies with 3 tiles to take; the step to the discarder is not looked at here
    assert kinds[Called.CHII] == 4 * 21 * 64 * 3
    assert kinds[Called.PON] == kinds[Called.ADDED_KAN] == 4 * 34 * 4 * 3
    assert kinds[Called.OPEN_KAN] == 3 * 136
    assert kinds[Called.NORTH] == 136
    for bad in (-1, 1 << 16, 137 << 8, 0x18):
        with pytest.raises(ValueError, match=r"no|bits|both|and"):
            decode(bad, 0)


def test_known_melds() -> None:
    """Numbers whose meaning public descriptions of the format give as examples of its layout."""
    run = decode(((0 * 7 + 2) * 3 + 1) << 10 | 2 << 7 | 1 << 5 | 3 << 3 | 4 | 3, 0)
    assert run == Meld(Called.CHII, (4 * 2 + 3, 4 * 3 + 1, 4 * 4 + 2), 4 * 3 + 1, 3)
    assert encode(run, 0) == 7 << 10 | 2 << 7 | 1 << 5 | 3 << 3 | 7


def test_waits_are_what_completes() -> None:
    rng = random.Random(5)
    pools = (range(34), range(9), (0, 8, 9, 17, 18, 26, *range(27, 34)))
    ready = 0
    for turn in range(240):
        kinds = [k for k in pools[turn % 3] for _ in range(4)]
        rng.shuffle(kinds)
        hand = Hand(counts_of(kinds[:13]))
        if turn % 5 == 0:
            hand = Hand(counts_of(kinds[:10]), (parse_meld("pon", f"{turn % 9 + 1}" * 3 + "s"),))
            if any(a + b > 4 for a, b in zip(hand.closed, hand.melded, strict=True)):
                continue
        room = (k for k in range(34) if hand.closed[k] + hand.melded[k] < 4)
        wanted = {kind for kind in room if is_complete(hand.plus(kind))}
        assert waits(hand) == wanted
        ready += bool(wanted)
    assert ready > 20


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("19m19p19s1234567z", 13), ("19m19p19s123456z9s", 1), ("1199m1199p1199s1z", 1),
        ("11123m456p78999s", 4), ("1113m456p789s111z", 2), ("1111m234p567s123z", 0),
    ],
)  # fmt: skip
def test_special_waits(text: str, wanted: int) -> None:
    hand = Hand(counts_of(parse_kinds(text)))
    assert hand.size == 13
    assert len(waits(hand)) == wanted


def test_turns() -> None:
    played, used = table()
    one, two = ids("55m", used)
    assert "turn of seat 0" in wrong(Kind.TURN, played, Draw(1, one))
    assert "has to draw first" in wrong(Kind.TURN, played, Discard(0, one))
    told = wrong(Kind.TURN, played, Draw(0, one), Draw(0, two))
    assert "which has drawn" in told
    assert "seat 1 discards" in wrong(Kind.TURN, played, Discard(1, one))
    assert "does not hold" in wrong(Kind.DISCARD, played, Discard(0, two))
    wrong(Kind.TURN, played, Discard(0, one), Draw(2, two))
    wrong(Kind.TURN, played, Discard(0, one))
    wrong(Kind.DRAW, table()[0], Draw(0, 0))


def test_calls() -> None:
    played, used = table("123456789m1122z", "55p1269m278s1234z", "139m1478s12345z7p")
    five, other = ids("5p4s", used)
    own = [t for t in played.seats[1].tiles if t // 4 == five // 4]
    pon = Meld(Called.PON, tuple(sorted((*own, five))), five, 0)
    feed(played, Draw(0, five))
    assert "which has drawn" in wrong(Kind.TURN, played, Call(1, pon))
    feed(played, Discard(0, five))
    assert "without holding" in wrong(Kind.CALL, played, Call(2, pon))
    wrong(Kind.CALL, played, Call(1, replace(pon, source=3)))
    wrong(Kind.CALL, played, Call(1, replace(pon, taken=own[0])))
    feed(played, Call(1, pon))
    assert "has to discard" in wrong(Kind.TURN, played, Draw(2, other))
    assert "has to discard" in wrong(Kind.TURN, played, Call(1, Meld(Called.NORTH, (120,))))


def test_a_run_is_for_the_next_of_four() -> None:
    for rules, caller in ((FOUR, 2), (THREE, 1)):
        hands = ("147p19m258s12345z", "46p19m258s12345z1p", "46p19m258s12345z1p")
        played, used = table(*hands, "3579m357p3579s67z", rules=rules)
        five = ids("5p", used)[0]
        own = [t for t in played.seats[caller].tiles if t // 4 in (12, 14)]
        run = Meld(Called.CHII, tuple(sorted((*own, five))), five, 0)
        told = wrong(Kind.CALL, played, Draw(0, five), Discard(0, five), Call(caller, run))
        assert "next of four" in told


@pytest.mark.parametrize(("kept", "discard"), [("46p", "5p"), ("67p", "8p"), ("34p", "2p")])
def test_swap_calling(kept: str, discard: str) -> None:
    played, used = table("19m19s1234567z19p", f"{kept}{discard}19m19s123456z", "1579m17p1579s256z")
    five = ids("5p", used)[0]
    own = [t for t in played.seats[1].tiles if t // 4 in parse_kinds(kept)]
    swapped = next(t for t in played.seats[1].tiles if t // 4 == parse_kinds(discard)[0])
    run = Meld(Called.CHII, tuple(sorted((*own[:2], five))), five, 0)
    told = wrong(
        Kind.DISCARD, played, Draw(0, five), Discard(0, five), Call(1, run), Discard(1, swapped)
    )
    assert "swap calling" in told


def test_indicators_of_kans() -> None:
    """That of a closed kan is turned before the draw, of others before the discard."""
    hands = ("1111m258p369s123z", "444p39m258s12345z", "579m1579p1579s66z")
    played, used = table(*hands, "3579m357p3579s67z")
    extra, more, dora, late, taken = ids("4z7z6z5z4p", used)
    feed(played, Draw(0, extra), Call(0, Meld(Called.CLOSED_KAN, (0, 1, 2, 3))))
    assert "before the dora" in wrong(Kind.DORA, played, Draw(0, more))
    feed(played, Dora(dora))
    assert "no kan asks" in wrong(Kind.DORA, played, Dora(late))
    feed(played, Draw(0, more))
    assert played.replaced
    assert "no kan asks" in wrong(Kind.DORA, played, Dora(late))
    feed(played, Discard(0, more))
    played.last = taken  # as if that had been discarded
    four = tuple(range(48, 52))
    feed(played, Call(1, Meld(Called.OPEN_KAN, four, taken, 0)), Draw(1, late))
    assert "before the dora" in wrong(Kind.DORA, played, Discard(1, late))
    feed(played, Dora(ids("2z", used)[0]))
    held = played.seats[1].tiles
    green = Meld(Called.CLOSED_KAN, (128, 129, 130, 131))
    held |= set(green.tiles)
    assert "behind the dora" in wrong(Kind.DORA, played, Call(1, green))
    feed(played, Discard(1, late))


def test_riichi() -> None:
    hand = "123456789m1122p"
    played, used = table(hand)
    drawn, following_ = ids("3z4z", used)
    paid = Riichi(0, 2, (240, 250, 250, 250))
    feed(played, Draw(0, drawn))
    wrong(Kind.TURN, played, Riichi(1, 1, None))
    wrong(Kind.RIICHI, played, paid)
    feed(played, Riichi(0, 1, None))
    assert played.seats[0].riichi == "double_riichi"
    feed(played, Discard(0, drawn))
    assert "has not paid" in wrong(Kind.RIICHI, played, Draw(1, following_))
    wrong(Kind.RIICHI, played, Riichi(1, 2, None))
    wrong(Kind.SCORE, played, Riichi(0, 2, (250, 250, 250, 250)))
    feed(played, Draw(1, following_))
    assert (played.sticks, played.scores[0]) == (1, 240)


@pytest.mark.parametrize(
    ("change", "what"), [({"scores": (9, 9, 9, 9)}, "1000 points"), ({"draws": 67}, "3 tiles")]
)
def test_riichi_needs(change: dict[str, object], what: str) -> None:
    played, used = table("123456789m1122p")
    feed(played, Draw(0, ids("3z", used)[0]))
    for name, value in change.items():
        setattr(played, name, value)
    assert what in wrong(Kind.RIICHI, played, Riichi(0, 1, None))


def test_after_riichi_what_is_drawn_is_discarded() -> None:
    played, used = table("123456789m1122p")
    drawn, a, b, c, d = ids("3z4z4z4z7z", used)
    feed(played, Draw(0, drawn), Riichi(0, 1, None), Discard(0, drawn), Riichi(0, 2, None))
    for seat, tile in ((1, a), (2, b), (3, c)):
        feed(played, Draw(seat, tile), Discard(seat, tile))
    told = wrong(Kind.DISCARD, played, Draw(0, d), Discard(0, min(played.seats[0].tiles)))
    assert "not the drawn tile" in told


def test_riichi_has_to_be_ready() -> None:
    played, used = table()
    drawn = ids("7z", used)[0]
    told = wrong(Kind.RIICHI, played, Draw(0, drawn), Riichi(0, 1, None), Discard(0, drawn))
    assert "not ready" in told


def test_nine_orphans() -> None:
    nine = "19m19p19s123z2344m"
    for hand, fine in ((nine, True), ("19m19p19s1z23446m1z", False)):
        played, used = table(hand)
        feed(played, Draw(0, ids("3p", used)[0]))
        shown = (tuple(sorted(played.seats[0].tiles)), None, None, None)
        event = NoWin("yao9", shown, settled(played))
        if fine:
            left = outcome(feed(played, event))
            assert (left.stays, left.honba, left.ends) == (True, 1, False)
        else:
            wrong(Kind.ROUND_END, played, event)
    played, used = table(nine)
    feed(played, Draw(0, ids("3p", used)[0]))
    hidden = NoWin("yao9", (None,) * 4, settled(played))
    assert "hands of seats nobody are shown" in wrong(Kind.ROUND_END, played, hidden)


def test_four_equal_winds() -> None:
    played, used = table()
    played.seats[0].tiles.discard(116)  # so that all four of a wind are left to draw
    used.discard(116)
    feed(played, *first_turns(played, used, "3333z"))
    assert "same wind" in wrong(Kind.ROUND_END, played, Draw(0, ids("8s", used)[0]))
    feed(played, NoWin("kaze4", (None,) * 4, settled(played)))
    other, used = table()
    events = first_turns(other, used, "4442z")
    wrong(Kind.ROUND_END, other, *events, NoWin("kaze4", (None,) * 4, settled(other)))


@pytest.mark.parametrize("why", ["reach4", "kan4", "ron3", "nm", "never"])
def test_no_other_end_without_its_reason(why: str) -> None:
    played, used = table()
    events = first_turns(played, used, "4z")
    wrong(Kind.ROUND_END, played, *events, NoWin(why, (None,) * 4, settled(played)))


def test_four_riichi_end_the_round() -> None:
    hands = ("123456789m1122p", "123456789s1133p", "456789p1144m222z", "789p789s7788m111z")
    played, used = table(*hands)
    for seat, tile in enumerate(ids("5z5z5z4z", used)):
        feed(played, Draw(seat, tile), Riichi(seat, 1, None), Discard(seat, tile))
        feed(played, Riichi(seat, 2, None))
    wrong(Kind.ROUND_END, played, Draw(0, ids("1z", used)[0]))
    shown = tuple(tuple(sorted(seat.tiles)) for seat in played.seats)
    left = outcome(feed(played, NoWin("reach4", shown, settled(played))))
    assert (left.stays, left.honba, left.sticks) == (True, 1, 4)


def test_a_drawn_wall() -> None:
    """Those who are ready get 3000 points; a round before its end is no drawn wall."""
    played, used = table("123456789m1122p")
    tile = ids("3z", used)[0]
    feed(played, Draw(0, tile), Discard(0, tile))
    shown = (tuple(sorted(played.seats[0].tiles)), None, None, None)
    moved = settled(played, 30, -10, -10, -10)
    assert "69 of 70" in wrong(Kind.ROUND_END, played, NoWin(None, shown, moved))
    played.draws = 70
    for seat in played.seats:
        seat.robbed = True  # else their discards would be all orphans
    wrong(Kind.SCORE, played, NoWin(None, shown, settled(played, 15, -5, -5, -5)))
    wrong(Kind.ROUND_END, played, NoWin(None, (None,) * 4, moved))
    left = outcome(feed(played, NoWin(None, shown, moved)))
    assert (left.stays, left.honba, left.scores) == (True, 1, (280, 240, 240, 240))


def test_discards_of_orphans_only() -> None:
    played, used = table()
    tile = ids("5z", used)[0]
    feed(played, Draw(0, tile), Discard(0, tile))
    played.draws = 70
    for seat in played.seats[1:]:
        seat.robbed = True
    assert "a mangan" in wrong(
        Kind.ROUND_END, played, NoWin(None, ((1,), None, None, None), settled(played))
    )
    moved = settled(played, 120, -40, -40, -40)
    left = outcome(feed(played, NoWin("nm", (None,) * 4, moved)))
    assert (left.stays, left.honba, left.scores[0]) == (False, 1, 370)


def test_an_end_that_tells_nothing_is_no_contradiction() -> None:
    played, used = table()
    tile = ids("5z", used)[0]
    feed(played, Draw(0, tile), Discard(0, tile), NoWin(None, (None,) * 4, settled(played)))
    assert played.early
    assert outcome(played).stays is None


def test_players_who_are_away() -> None:
    played, used = table()
    tracker = Tracker(GameLog(4, None, ("a", "b", "c", "d"), ()), FOUR, played)
    tile, other = ids("5z5z", used)
    tracker.take(Left(0))
    with pytest.raises(Contradiction, match="second time"):
        tracker.take(Left(0))
    with pytest.raises(Contradiction, match="had not left"):
        tracker.take(Back(1, "b"))
    with pytest.raises(Contradiction, match="another name"):
        tracker.take(Back(0, "b"))
    tracker.take(Draw(0, tile))
    with pytest.raises(Contradiction, match="is away"):
        tracker.take(Discard(0, min(played.seats[0].tiles)))
    tracker.take(Discard(0, tile))
    tracker.take(Back(0, "a"))
    with pytest.raises(Contradiction, match="does not hold"):
        tracker.take(Draw(1, other)), tracker.take(Discard(1, tile))
