"""Riichi hands: the model against the vectors, the tables against the definition, an oracle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from slow import slow_but

from fairdeck.riichi.batch import shanten_batch, ukeire_batch
from fairdeck.riichi.cases import QUESTIONS
from fairdeck.riichi.hand import (
    BadHand,
    Hand,
    counts_of,
    make_hand,
    parse_kinds,
    parse_meld,
)
from fairdeck.riichi.shanten import join_costs, shanten, suit_costs
from fairdeck.riichi.shapes import is_complete
from fairdeck.riichi.tables import suit_table
from fairdeck.riichi.ukeire import ukeire
from fairdeck.riichi.win import is_furiten, waits
from fairdeck.tiles import NAMES

VECTORS = Path(__file__).parents[1] / "vectors"


def _load(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    return found


HANDS, WINS, CALLS = _load("hands"), _load("wins"), _load("calls")
NOT_ANSWERED = {"cat", "id", "tiles", "melds", "raw_ukeire_trap", "normal_ignoring_melds"}


def _hand(tiles: str, melds: list[dict[str, str]]) -> Hand:
    return make_hand(parse_kinds(tiles), [parse_meld(m["type"], m["tiles"]) for m in melds])


def given_away(case: dict[str, Any]) -> dict[str, Any]:
    """What the vectors say of discards, with the tile that is given away among those seen.

    They count as if the hand had never had it. It helps, if drawn again, where its discard raises
    the shanten, and only there: then there is one less.
    """
    before = case["shanten"]
    after = {tile: [n, count - (n > before)] for tile, (n, count) in case["discards"].items()}
    best = case["best"]
    count = best["ukeire_count"] - (best["shanten"] > before)
    changed: dict[str, Any] = {"discards": after, "best": best | {"ukeire_count": count}}
    if "riichi_discards" in case and before == -1:
        waits: dict[str, dict[str, int]] = {}
        for tile, each in case["riichi_discards"].items():
            waits[tile] = {k: n - (k == tile) for k, n in each.items() if n > (k == tile)}
        changed["riichi_discards"] = waits
    return changed


def test_a_tile_that_is_given_away_stays_seen() -> None:
    """Complete hands: the tile helps when it is drawn again, and one of it lies on the table."""
    lone = QUESTIONS["analyze"]({"tiles": "123m456p789s11122z"})
    # of the pair one is given away and one kept: two are left to be drawn again
    assert lone["discards"]["2z"] == [0, 2]
    assert lone["riichi_discards"]["2z"] == {"2z": 2}
    seen = QUESTIONS["analyze"]({"tiles": "123m456p789s11122z", "visible": "22z"})
    assert seen["discards"]["2z"] == [0, 0]


@pytest.mark.slow_cases("2")
@pytest.mark.parametrize("part", slow_but([2], range(8)))
def test_hands(part: int) -> None:
    for case in HANDS["cases"][part::8]:
        answer = QUESTIONS["analyze"](case)
        wanted = {key: value for key, value in case.items() if key not in NOT_ANSWERED}
        if "discards" in case:
            wanted |= given_away(case)
        assert {key: answer.get(key) for key in wanted} == wanted, case["id"]


def test_the_traps_of_the_published_formula() -> None:
    for case in HANDS["formula_traps"]:
        counts = counts_of(parse_kinds(case["tiles"]))
        total: tuple[int, ...] = (0, *([99] * 9))
        for first, end in ((0, 9), (9, 18), (18, 27), (27, 34)):
            room = (4,) * (end - first)
            total = join_costs(total, suit_costs(counts[first:end], room, first < 27))
        assert total[5 + 4 - case["called_melds"]] - 1 == case["normal"], case


def test_wins() -> None:
    for case in WINS["cases"]:
        answer = QUESTIONS["win"](case)
        assert answer["yaku"] == case["yaku"], case
        assert answer["wins"] == case["wins"], case
        for key in ("han", "fu"):
            assert answer.get(key) == case.get(key), case


def test_complete_shapes() -> None:
    for case in WINS["complete_check"]:
        hand = _hand(case["closed"], case["melds"]).plus(parse_kinds(case["win"])[0])
        assert is_complete(hand) == case["complete"], case


def test_calls() -> None:
    for case in CALLS["discard_calls"]:
        answer = QUESTIONS["calls"](case)
        assert {key: case[key] for key in answer} == answer, case
    for case in CALLS["own_turn"]:
        assert QUESTIONS["calls"](case) == {
            key: case[key] for key in ("closed_kan", "added_kan")
        }, case


@pytest.fixture(autouse=True)
def _no_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ROMPROOF_CACHE", str(tmp_path))


def _random_hands(count: int, size: int, seed: int, kinds: int = 34) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    deck = np.repeat(np.arange(kinds), 4)
    hands = np.zeros((count, 34), dtype=np.uint8)
    for row in range(count):
        np.add.at(hands[row], rng.permutation(deck)[:size], 1)
    return hands


@pytest.mark.quick_cases("14-18")
@pytest.mark.parametrize(("size", "kinds"), [(13, 34), (14, 34), (13, 9), (14, 18)])
def test_the_batch_is_the_definition(size: int, kinds: int) -> None:
    hands = _random_hands(60, size, seed=size + kinds, kinds=kinds)
    for row, found in zip(hands, shanten_batch(hands), strict=True):
        wanted = shanten(Hand(tuple(map(int, row))))
        assert tuple(found) == (wanted.normal, wanted.chiitoi, wanted.kokushi)


def test_the_table_is_the_definition() -> None:
    table = suit_table(9)
    rng = np.random.default_rng(5)
    weights = 5 ** np.arange(8, -1, -1)
    for _ in range(400):
        held = tuple(map(int, rng.integers(0, 5, 9)))
        row = table[int(np.dot(held, weights))]
        assert tuple(map(int, row)) == suit_costs(held, (4,) * 9, True)
    honours = suit_table(7)
    for number in rng.integers(0, 5**7, 200):
        held = tuple(int(number) // 5**place % 5 for place in range(6, -1, -1))
        assert tuple(map(int, honours[number])) == suit_costs(held, (4,) * 7, False)


def test_the_batch_of_vectors() -> None:
    cases = [case for case in HANDS["cases"] if not case["melds"]]
    hands = np.array([counts_of(parse_kinds(case["tiles"])) for case in cases], dtype=np.uint8)
    wanted = [[case["normal"], case["chiitoi"], case["kokushi"]] for case in cases]
    assert shanten_batch(hands).tolist() == wanted
    with_ukeire = [i for i, case in enumerate(cases) if "ukeire" in case]
    for index, row in zip(with_ukeire, ukeire_batch(hands[with_ukeire]), strict=True):
        helps = {NAMES[kind]: int(count) for kind, count in enumerate(row) if count}
        assert helps == cases[index]["ukeire"]


def test_an_oracle_agrees() -> None:
    oracle = pytest.importorskip("mahjong.shanten").Shanten()
    hands = np.concatenate([_random_hands(400, 13, 1), _random_hands(400, 14, 2, kinds=18)])
    best = shanten_batch(hands).min(axis=1)
    for row, found in zip(hands, best, strict=True):
        assert oracle.calculate_shanten([int(n) for n in row]) == found


def test_visible_tiles_are_not_left() -> None:
    hand = _hand("123m456p789s1122z", [])
    assert ukeire(hand).tiles == {27: 2, 28: 2}
    seen = counts_of(parse_kinds("11z2z"))
    assert ukeire(hand, seen).tiles == {28: 1}
    with pytest.raises(BadHand, match="5 of 1z are seen"):
        ukeire(hand, counts_of(parse_kinds("111z")))


def test_furiten() -> None:
    hand = _hand("123m456p789s1122z", [])
    assert waits(hand) == {27, 28}
    assert is_furiten(hand, [0, 28])
    assert not is_furiten(hand, [0, 1])
    assert not is_furiten(_hand("147m258p369s1234z", []), range(34))


@pytest.mark.parametrize(
    ("case", "what"),
    [
        ({"tiles": "11111m22334455p"}, "5 of 1m"),
        ({"tiles": "111m22334455p12z"}, None),
        ({"tiles": "123m"}, "the hand has 3 tiles; it needs 13"),
        ({"tiles": "1234567890123m8z"}, "no tile '8z'"),
        ({"tiles": "123x"}, "is not a tile"),
        ({"tiles": "m123"}, "is not a tile"),
        ({"tiles": 5}, "has to be text"),
        ({"tiles": "1m", "melds": [{"type": "pon", "tiles": "123m"}]}, "is not a pon"),
        ({"tiles": "1m", "melds": [{"type": "chi", "tiles": "891m"}]}, "is not a chi"),
        ({"tiles": "1m", "melds": [{"type": "chi", "tiles": "123z"}]}, "is not a chi"),
        ({"tiles": "1m", "melds": [{"type": "kan", "tiles": "1111m"}]}, "no meld 'kan'"),
        ({"tiles": "1m", "melds": [{"tiles": "111m"}]}, "type"),
        ({"tiles": "1m", "melds": "pon:111m"}, "has to be a list"),
        ({"tiles": "1111m", "melds": [{"type": "pon", "tiles": "111m"}] * 3}, "13 of 1m"),
        ({}, '"tiles" has to be text'),
    ],
)
def test_bad_hands(case: dict[str, Any], what: str | None) -> None:
    if what is None:
        assert QUESTIONS["analyze"](case)["shanten"] >= -1
        return
    with pytest.raises(BadHand, match=what):
        QUESTIONS["analyze"](case)


@pytest.mark.parametrize(
    ("case", "what"),
    [
        ({"closed": "1111m222333p444s", "win": "1m"}, "fifth 1m"),
        ({"closed": "123456789m1122z", "win": "12m"}, "one tile"),
        ({"closed": "123456789m1122z", "win": "1z", "seat_wind": "X"}, "no wind"),
        ({"closed": "123456789m1122z", "win": "1z", "flags": ["tenho"]}, "no flag"),
        ({"closed": "123456789m11222z", "win": "1z"}, "without the winning tile"),
        ({"closed": "123456789m1122z", "win": "1z", "tsumo": 1}, "true or false"),
    ],
)
def test_bad_wins(case: dict[str, Any], what: str) -> None:
    with pytest.raises(BadHand, match=what):
        QUESTIONS["win"](case)


def test_bad_calls() -> None:
    with pytest.raises(BadHand, match="the discarder is"):
        QUESTIONS["calls"]({"hand": "123456789m1122z", "discard": "1z", "discarder": "me"})
    with pytest.raises(BadHand, match="before a call"):
        QUESTIONS["calls"]({"hand": "123456789m11222z", "discard": "1z"})


def test_a_damaged_table_is_made_again(tmp_path: Path) -> None:
    suit_table.cache_clear()
    first = suit_table(7)
    files = list(tmp_path.glob("*.npy"))
    assert len(files) == 1
    whole = files[0].read_bytes()
    for damaged in (b"damaged", b"", whole[:40], whole[:-1], b"PK\x03\x04"):
        files[0].write_bytes(damaged)
        suit_table.cache_clear()
        assert (suit_table(7) == first).all()
        assert files[0].read_bytes() == whole
    suit_table.cache_clear()
