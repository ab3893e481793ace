"""The rules a logged game is held against, one by one, at tables made for them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
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
    Event,
    GameLog,
    Left,
    NoWin,
    Riichi,
    RoundLog,
    Rules,
    Settlement,
    Win,
)
from fairdeck.tenhou.game.melds import Called, Meld, decode
from fairdeck.tenhou.game.payments import (
    base_points,
    drawn_change,
    liable_change,
    orphans_change,
    shares,
    win_change,
)
from fairdeck.tenhou.game.round_end import Round
from fairdeck.tenhou.game.succession import Next, check_next, following, outcome, points_for
from fairdeck.tenhou.game.track import Tracker
from fairdeck.tenhou.game.turns import Phase
from fairdeck.tenhou.game.wins import check_win_of, worth_of
from fairdeck.tenhou.game.worth import NUMBERS, dora_kind
from fairdeck.tiles import NAMES

FOUR, THREE = Rules(0x09, known=True), Rules(0x19, known=True)
_SCATTERED = ("147m258p369s1235z", "2468m2468p2468s6z", "1579m1579p1579s6z", "3579m357p3579s67z")


def ids(text: str, used: set[int]) -> tuple[int, ...]:
    """Free copies of the tiles written as ``text``."""
    found = []
    for one in parse_kinds(text):
        tile = next((t for t in range(4 * one, 4 * one + 4) if t not in used), -1)
        assert tile >= 0, f"no {NAMES[one]} is left"
        used.add(tile)
        found.append(tile)
    return tuple(found)


def table(*hands: str, rules: Rules = FOUR, dealer: int = 0) -> tuple[Round, set[int]]:
    """A round with these hands and scattered ones for the others, and the tiles in them."""
    used: set[int] = set()
    texts = [*hands, *_SCATTERED[len(hands) :]][: rules.players]
    dealt = tuple(ids(text, used) for text in texts)
    dora = ids("7z", used)[0]
    start = {4: 250, 3: 350}[rules.players]
    log = RoundLog(0, 0, 0, (start,) * rules.players, dealer, (1, 1), dora, dealt, ())
    return Round(log, rules), used


def feed(played: Round, *events: Event) -> Round:
    """Let these happen."""
    game = GameLog(played.players, None, (), ())
    tracker = Tracker(game, played.rules, played)
    for event in events:
        tracker.take(event)
    return played


def wrong(kind: Kind, played: Round, *events: Event) -> str:
    """The last of these contradicts; gives how."""
    feed(played, *events[:-1])
    with pytest.raises(Contradiction) as found:
        feed(played, events[-1])
    assert found.value.kind is kind
    return str(found.value)


def settled(played: Round, *change: int, sticks: int | None = None) -> Settlement:
    """A result that moves ``change``, by default nothing."""
    moved = change or (0,) * played.players
    return Settlement(tuple(played.scores), moved, 0, played.sticks if sticks is None else sticks)


def first_turns(played: Round, used: set[int], text: str) -> list[Event]:
    """Each seat draws a tile of ``text`` and discards it."""
    events: list[Event] = []
    for seat, one in enumerate(parse_kinds(text)):
        tile = ids(NAMES[one], used)[0]
        events += [Draw(seat, tile), Discard(seat, tile)]
    return events


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
    assert drawn_change([1], 4) == (-10, 30, -10, -10)
    assert drawn_change([0, 1], 3) == (10, 10, -20)
    assert drawn_change([], 4) == drawn_change(range(4), 4) == (0, 0, 0, 0)
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
    found = worth_of(win, seat, played.circumstances(win, again=False))
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
