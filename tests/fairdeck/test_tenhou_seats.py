"""Seats in a commitment: a mismatch where the order is beyond doubt, else told to be unchecked."""

from __future__ import annotations

import json
import re
from itertools import combinations, permutations
from pathlib import Path
from urllib.parse import quote

import pytest

from fairdeck.tenhou.commitment import (
    SeatsFit,
    SeatsUnchecked,
    commitment,
    seats_fit,
    sure_order,
    why_unchecked,
)
from fairdeck.tenhou.mjlog import read_log
from fairdeck.tenhou.seed import parse_seed
from fairdeck.tenhou.verify import FIXED_BEFORE, Kind, Report, Unchecked, Verdict, verify

GAMES: dict[str, str] = {
    log["name"]: log["xml"]
    for log in json.loads(
        (Path(__file__).parents[1] / "vectors" / "tenhou_games.json").read_text("utf-8")
    )["logs"]
}
TRUE = {"plain": "0132", "three": "0123"}
"""Ann, Bob, Hanako (in kanji) and d by code points; of three players the last has number 3."""


def published(xml: str, seats: str) -> str:
    """The hash that would have been published of a log's seed with these seats."""
    return commitment(seats, parse_seed(read_log(xml.encode()).seed or ""))


def named(xml: str, names: tuple[str, ...]) -> str:
    """The log with other players; their UN that come back are left out, and so are BYE."""
    first = xml.index("<UN ")
    start, end = xml[:first], re.sub(r"<(UN|BYE) [^>]*>", "", xml[first:])
    told = " ".join(f'n{n}="{quote(name)}"' for n, name in enumerate(names))
    return f'{start}<UN {told} dan="1,1,1,1" rate="1,1,1,1" sx="M,M,M,M"/>{end}'


def seated(name: str, seats: str, names: tuple[str, ...] = ()) -> Report:
    xml = GAMES[name] if not names else named(GAMES[name], names)
    return verify(read_log(xml.encode()), published(xml, seats))


@pytest.mark.parametrize("seats", ["".join(p) for p in permutations("0123")])
def test_four_seats(seats: str) -> None:
    report = seated("plain", seats)
    assert report.commitment is not None
    assert report.commitment.match is not None
    assert report.commitment.match.seats == seats
    if seats == TRUE["plain"]:
        assert report.verdict is Verdict.VERIFIED
        assert report.commitment.fit is SeatsFit.AS_NAMED
        assert report.complete
        assert FIXED_BEFORE not in report.not_checked
        return
    assert report.verdict is Verdict.MISMATCH
    assert report.difference is not None
    assert report.difference.kind is Kind.SEATS
    assert seats in str(report.difference.sentence)


@pytest.mark.parametrize("seats", ["".join(p) + "3" for p in permutations("012")])
def test_three_seats(seats: str) -> None:
    report = seated("three", seats)
    kept = seats == TRUE["three"]
    assert report.verdict is (Verdict.VERIFIED if kept else Verdict.MISMATCH)


@pytest.mark.parametrize(("one", "other"), list(combinations(range(4), 2)))
def test_names_swapped_under_the_true_hash(one: int, other: int) -> None:
    names = ["Ann", "Bob", "花子", "d"]
    assert seated("plain", TRUE["plain"], tuple(names)).verdict is Verdict.VERIFIED
    names[one], names[other] = names[other], names[one]
    report = seated("plain", TRUE["plain"], tuple(names))
    assert report.difference is not None
    assert report.difference.kind is Kind.SEATS


@pytest.mark.parametrize(
    ("names", "seats", "why"),
    [
        (("NoName", "Ann", "NoName", "x"), "1023", SeatsUnchecked.EQUAL_NAMES),
        (("NoName", "Ann", "NoName", "x"), "2013", SeatsUnchecked.EQUAL_NAMES),
        (("bob", "Carl", "x", "y"), "1023", SeatsUnchecked.SORTING),
        (("bob", "Carl", "x", "y"), "0123", SeatsUnchecked.SORTING),
        (("ann", "Ann", "x", "y"), "0123", SeatsUnchecked.SORTING),
        (("a", "b", "麒", "ｱ"), "0123", SeatsUnchecked.SORTING),
        (("a", "b", "ｱ", "😀"), "0132", SeatsUnchecked.SORTING),
        (("a", "b", "亜", "一"), "0132", SeatsUnchecked.SORTING),
    ],
)  # fmt: skip
def test_where_names_do_not_tell_the_order(
    names: tuple[str, ...], seats: str, why: SeatsUnchecked
) -> None:
    report = seated("plain", seats, names)
    assert report.verdict is Verdict.VERIFIED
    assert report.commitment is not None
    assert (report.commitment.fit, report.commitment.unchecked) == (SeatsFit.UNCHECKED, why)
    assert Unchecked.SEATS in report.unchecked


@pytest.mark.parametrize(
    ("names", "seats"),
    [
        (("NoName", "Ann", "NoName", "x"), "0123"),
        (("NoName", "Ann", "NoName", "x"), "1032"),
        (("bob", "Carl", "x", "y"), "1032"),
        (("a", "b", "麒", "ｱ"), "1023"),
        (("a", "b", "麒", "ｱ"), "2301"),
    ],
)
def test_those_whose_order_is_known_have_to_sit_right_all_the_same(
    names: tuple[str, ...], seats: str
) -> None:
    report = seated("plain", seats, names)
    assert report.difference is not None
    assert report.difference.kind is Kind.SEATS


@pytest.mark.parametrize("part", ["n1", "UN"])
def test_without_names_the_seed_is_compared_and_the_seats_are_not(part: str) -> None:
    pattern = r"<UN [^>]*>" if part == "UN" else r' n1="[^"]*"'
    xml = re.sub(r"<(BYE) [^>]*>", "", GAMES["three"])
    first, rest = xml.split("<UN ", 1)
    xml = first + re.sub(pattern, "", "<UN " + re.sub(r"<UN [^>]*>", "", rest), count=1)
    report = verify(read_log(xml.encode()), published(xml, "2103"))
    assert report.verdict is Verdict.VERIFIED
    assert report.commitment is not None
    assert report.commitment.unchecked is SeatsUnchecked.NO_NAMES
    assert report.commitment.seats == "2103"
    other = verify(read_log(xml.encode()), "0" * 128)
    assert other.verdict is Verdict.MISMATCH


def test_the_published_example() -> None:
    """Its three players sit as 1203, and their order is the same however names are sorted."""
    names = ("ちゃいますんこ", "アグモン", "NoName")
    assert why_unchecked(names, 0) is None
    assert seats_fit("1203", names, 0) is SeatsFit.AS_NAMED
    assert seats_fit("2013", names, 0) is SeatsFit.OTHER
    assert why_unchecked(names, 1) is SeatsUnchecked.FIRST_DEALER
    assert seats_fit("2013", names, 1) is SeatsFit.UNCHECKED


def test_orders() -> None:
    assert sure_order("a", "b") == -1
    assert sure_order("花", "a") == 1
    assert sure_order("한", "a") == 1
    assert sure_order("�", "a") is None
    assert sure_order("a", "a") is None
