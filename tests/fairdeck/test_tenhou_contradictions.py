"""Results and declarations that tell too little or too much; each verdict is the rules'."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tenhou_tables import feed, ids, settled, table, wrong

from fairdeck.tenhou.game.contradiction import Contradiction
from fairdeck.tenhou.game.events import (
    Call,
    Discard,
    Draw,
    GameLog,
    Left,
    NoWin,
    Riichi,
    Settlement,
    Win,
)
from fairdeck.tenhou.game.melds import Called, Meld
from fairdeck.tenhou.game.round_end import Round
from fairdeck.tenhou.game.track import Tracker
from fairdeck.tenhou.game.worth import NUMBERS
from fairdeck.tenhou.mjlog import BadLog, read_log
from fairdeck.tenhou.verify import OWN, Kind, Report, Unchecked, Verdict, verify

GAMES: dict[str, str] = {
    log["name"]: log["xml"]
    for log in json.loads(
        (Path(__file__).parents[1] / "vectors" / "tenhou_games.json").read_text("utf-8")
    )["logs"]
}
NAMES = list(GAMES)


def told(xml: str) -> Report:
    return verify(read_log(xml.encode()))


def changed(xml: str, element: str, key: str, value: str | None, at: int = 0) -> str:
    """The ``at``-th such element with another value of an attribute, or (None) without it."""
    match = list(re.finditer(element, xml))[at]
    text = match[0]
    text = re.sub(rf'\s{key}="[^"]*"', "", text)
    if value is not None:
        text = re.sub(r"\s*/?>\Z", f' {key}="{value}"/>', text)
    return xml[: match.start()] + text + xml[match.end() :]


@pytest.mark.parametrize("name", NAMES)
def test_a_drawn_round_that_does_not_tell_what_it_moves(name: str) -> None:
    """The points move all the same: such a log is incomplete, or contradicts that they do."""
    without = changed(GAMES[name], "<RYUUKYOKU [^>]*>", "sc", None)
    report = told(without)
    assert report.verdict is Verdict.VERIFIED
    assert not report.complete
    assert any("points that its end moves" in str(one) for one in report.left_out)
    end = re.search("<RYUUKYOKU [^>]*>", GAMES[name])
    assert end is not None
    before = ",".join(re.findall(r"-?\d+", re.findall('sc="([^"]*)"', end[0])[0])[::2])
    after = without.index("<INIT", end.start())
    kept = without[:after] + re.sub('ten="[^"]*"', f'ten="{before}"', without[after:], count=1)
    report = told(kept)
    assert report.difference is not None
    assert report.difference.kind is Kind.SCORE


@pytest.mark.parametrize("name", NAMES)
def test_nor_does_one_that_tells_nothing_at_all(name: str) -> None:
    end = re.search("<RYUUKYOKU [^>]*>", GAMES[name])
    assert end is not None
    bare = GAMES[name].replace(end[0], "<RYUUKYOKU/>")
    report = told(bare)
    assert (report.verdict, report.complete) == (Verdict.VERIFIED, False)
    before = ",".join(re.findall(r"-?\d+", re.findall('sc="([^"]*)"', end[0])[0])[::2])
    after = bare.index("<INIT", end.start())
    kept = bare[:after] + re.sub('ten="[^"]*"', f'ten="{before}"', bare[after:], count=1)
    report = told(kept)
    assert report.difference is not None
    assert report.difference.kind is Kind.SCORE


@pytest.mark.parametrize("name", NAMES)
def test_counters_are_compared_without_points(name: str) -> None:
    xml = changed(GAMES[name], "<RYUUKYOKU [^>]*>", "sc", None)
    report = told(changed(xml, "<RYUUKYOKU [^>]*>", "ba", "7,7"))
    assert report.difference is not None
    assert report.difference.kind is Kind.SCORE


def test_final_scores_need_what_was_moved() -> None:
    xml = changed(GAMES["plain"], "<RYUUKYOKU [^>]*>", "sc", None)
    with pytest.raises(BadLog, match="'sc' is missing"):
        told(changed(xml, "<RYUUKYOKU [^>]*>", "owari", "250,0,250,0,250,0,250,0"))


@pytest.mark.parametrize("name", NAMES)
def test_a_payment_for_riichi_that_tells_no_scores(name: str) -> None:
    paid = r'<REACH [^>]*step="2"[^>]*>'
    report = told(changed(GAMES[name], paid, "ten", None))
    assert (report.verdict, report.complete) == (Verdict.VERIFIED, False)
    assert any("after a riichi" in str(one) for one in report.left_out)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("step", ["1", "2"])
def test_scores_at_a_riichi_are_compared(name: str, step: str) -> None:
    report = told(changed(GAMES[name], rf'<REACH [^>]*step="{step}"[^>]*>', "ten", "1,2,3,0"))
    assert report.difference is not None
    assert report.difference.kind is Kind.SCORE


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_who_is_away_wins_nothing(name: str, at: int) -> None:
    match = list(re.finditer(r'<AGARI [^>]*who="(\d)"[^>]*>', GAMES[name]))[at]
    bye = f'<BYE who="{match[1]}" />'
    report = told(GAMES[name][: match.start()] + bye + GAMES[name][match.start() :])
    assert report.difference is not None
    assert report.difference.kind is Kind.PLAYER


@pytest.mark.parametrize(
    "key", ["ten", "sc", "ba", "hai", "machi", "who", "fromWho", "yaku", "doraHai"]
)
@pytest.mark.parametrize("name", ["three", "plain"])
def test_a_win_without_something(name: str, key: str) -> None:
    """Without its han, its indicators or anything else a win is none."""
    try:
        report = told(changed(GAMES[name], r"<AGARI [^>]*yaku=[^>]*>", key, None))
    except BadLog:
        return
    assert report.verdict is Verdict.MISMATCH


@pytest.mark.parametrize(
    ("element", "key", "value"),
    [
        ("<INIT [^>]*>", "hai3", "1,2,3"),
        ("<RYUUKYOKU [^>]*>", "hai3", "1,2,3"),
        ("<UN [^>]*>", "n3", "x"),
        ("<INIT [^>]*>", "oya", "3"),
        ("<INIT [^>]*>", "ten", "350,350,350,1"),
    ],
)
def test_three_players_have_no_fourth(element: str, key: str, value: str) -> None:
    with pytest.raises(BadLog):
        told(changed(GAMES["three"], element, key, value))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", ["rule", "csrule", "0x100", "0x400", "0x8000"])
def test_rules_of_its_own(name: str, how: str) -> None:
    """Nothing contradicts, and not all was checked: what was not is told."""
    xml = own(GAMES[name], how)
    report = told(xml)
    assert report.verdict is Verdict.VERIFIED
    assert not report.complete
    assert not report.left_out
    assert report.unchecked == OWN
    assert Unchecked.WORTH in report.unchecked


def own(xml: str, how: str) -> str:
    if how.startswith("0x"):
        return re.sub(r'type="(\d+)"', lambda m: f'type="{int(m[1]) | int(how, 16)}"', xml, count=1)
    return xml.replace("<GO ", f'<GO {how}="1" ')


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("by", [(10, 0), (-10, 0), (0, 10), (10, 10)])
def test_points_add_up_whatever_the_rules_are(name: str, by: tuple[int, int]) -> None:
    xml = own(GAMES[name], "rule")
    found = re.search(r'<AGARI [^>]*sc="([^"]*)"', xml)
    assert found is not None
    numbers = [int(one) for one in found[1].split(",")]
    numbers[1], numbers[3] = numbers[1] + by[0], numbers[3] + by[1]
    forged = xml[: found.start(1)] + ",".join(map(str, numbers)) + xml[found.end(1) :]
    report = told(forged)
    assert report.difference is not None
    assert report.difference.kind is Kind.SCORE


def test_nobody_but_the_winner_is_given_points() -> None:
    """The sum is right, and a player who did not win is paid."""
    xml = own(GAMES["plain"], "rule")
    found = re.search(r'<AGARI [^>]*sc="([^"]*)" [^>]*who="(\d)"', xml)
    assert found is not None
    numbers = [int(one) for one in found[1].split(",")]
    winner, other = int(found[2]), (int(found[2]) + 1) % 4
    numbers[2 * winner + 1] -= 500
    numbers[2 * other + 1] += 500
    forged = xml[: found.start(1)] + ",".join(map(str, numbers)) + xml[found.end(1) :]
    report = told(forged)
    assert report.difference is not None
    assert report.difference.kind is Kind.SCORE


def test_an_empty_rule_is_none() -> None:
    assert told(GAMES["plain"].replace("<GO ", '<GO rule="" ')).complete


# at tables made for a rule

_BLANK = Win(
    seat=1, source=0, liable=None, hand=(), melds=(), tile=0, fu=0, value=0, limit=0, yaku=(),
    yakuman=(), dora=(), ura=(), settlement=Settlement((), (), 0, 0),
)  # fmt: skip


def closed_kan(hand: str) -> tuple[Round, Win]:
    """Seat 0 declares a closed kan of 1m, which seat 1 with ``hand`` waits for."""
    played, used = table("1111m258p369s123z", hand, "2468p2468s24689m", "3579p3579s34567m")
    drawn = ids("6z", used)[0]
    feed(played, Draw(0, drawn), Call(0, Meld(Called.CLOSED_KAN, (0, 1, 2, 3))))
    tiles = tuple(sorted(played.seats[1].tiles | {0}))
    move = Settlement((250,) * 4, (-320, 320, 0, 0), 0, 0)
    return played, replace(
        _BLANK,
        hand=tiles,
        yakuman=(NUMBERS["kokushi"],),
        value=32000,
        limit=5,
        dora=(played.log.dora,),
        settlement=move,
    )


@pytest.mark.parametrize("hand", ["23m444666z55577s", "23m456p11555s444z", "23m111p55666777z"])
def test_a_closed_kan_is_robbed_by_no_usual_hand(hand: str) -> None:
    played, win = closed_kan(hand)
    assert "only thirteen orphans" in wrong(Kind.WIN, played, win)


def test_a_closed_kan_is_robbed_by_orphans() -> None:
    played, win = closed_kan("9m19p19s12345677z")
    assert feed(played, win).results == [win]


READY = ("234567m34522s46p", "234567m34533s46p", "234567m67844s46p")
"""All simples that wait for 5p."""
_FIRST = "19m19p19s1234567z"


def five(*hands: str) -> tuple[Round, NoWin]:
    """Seat 0 discards a 5p; and the end by three wins that may follow."""
    played, used = table(_FIRST, *hands)
    tile = ids("5p", used)[0]
    feed(played, Draw(0, tile), Discard(0, tile))
    hands_shown = tuple(tuple(sorted(seat.tiles)) for seat in played.seats[1:])
    return played, NoWin("ron3", (None, *hands_shown), settled(played))


def test_three_wins_at_once() -> None:
    played, end = five(*READY)
    assert feed(played, end).no_win == end


def furiten_by_discard(played: Round) -> None:
    played.seats[3].discards.append(55)


def furiten_by_passing(played: Round) -> None:
    played.seats[2].passed.add(13)


@pytest.mark.parametrize("change", [furiten_by_discard, furiten_by_passing])
def test_three_wins_of_which_one_is_furiten(change: Callable[[Round], None]) -> None:
    played, end = five(*READY)
    change(played)
    wrong(Kind.ROUND_END, played, end)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_three_wins_of_which_one_has_no_yaku(seat: int) -> None:
    hands = list(READY)
    hands[seat] = "123567m67888s46p"
    played, end = five(*hands)
    wrong(Kind.ROUND_END, played, end)


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_three_wins_of_which_one_is_away(seat: int) -> None:
    played, end = five(*READY)
    tracker = Tracker(GameLog(4, None, (), ()), played.rules, played)
    tracker.take(Left(seat))
    with pytest.raises(Contradiction) as found:
        tracker.take(end)
    assert found.value.kind is Kind.ROUND_END


def test_who_is_away_breaks_nothing_off() -> None:
    played, used = table("19m19p19s123z2344m")
    tracker = Tracker(GameLog(4, None, (), ()), played.rules, played)
    tracker.take(Left(0))
    tracker.take(Draw(0, ids("3p", used)[0]))
    shown = (tuple(sorted(played.seats[0].tiles)), None, None, None)
    with pytest.raises(Contradiction) as found:
        tracker.take(NoWin("yao9", shown, settled(played)))
    assert found.value.kind is Kind.PLAYER


def test_a_riichi_without_scores_moves_them_all_the_same() -> None:
    played, used = table("123456789m1122p")
    drawn = ids("3z", used)[0]
    feed(played, Draw(0, drawn), Riichi(0, 1, None), Discard(0, drawn), Riichi(0, 2, None))
    assert played.scores[0] == 240


@pytest.mark.parametrize("element", ["<AGARI [^>]*>", "<RYUUKYOKU [^>]*>"])
def test_chips_are_told_to_be_unchecked(element: str) -> None:
    xml = GAMES["plain"]
    found = re.search(element, xml)
    assert found is not None
    scores = re.findall('sc="([^"]*)"', found[0])[0]
    report = told(changed(xml, element, "sc", f"{scores},1,2,3,4,5,6,7,8"))
    assert (report.verdict, report.complete) == (Verdict.VERIFIED, False)
    assert report.unchecked == (Unchecked.CHIPS,)


@pytest.mark.parametrize("key", ["n0", "n1", "n2", "n3"])
def test_a_log_that_names_not_all_players_leaves_something_out(key: str) -> None:
    xml = re.sub(r'<BYE [^>]*>|<UN n\d="[^"]*" ?/>', "", GAMES["plain"])
    report = told(changed(xml, "<UN [^>]*>", key, None))
    assert (report.verdict, report.complete) == (Verdict.VERIFIED, False)
    assert [str(one) for one in report.left_out] == ["the log does not name its players"]
