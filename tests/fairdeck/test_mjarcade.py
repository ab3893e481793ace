"""MJ Arcade's walls against the vectors: several implementations and the published script agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairdeck.mjarcade.seed import SeedError, decode, key
from fairdeck.mjarcade.uncertain import BadEvent, check_sequence, running_value, tile_value
from fairdeck.mjarcade.wall import deal
from fairdeck.twister import Twister

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "mj_arcade.json").read_text("utf-8")
)
WELL_FORMED = VECTORS["four_player"] + VECTORS["three_player_extrapolated"]


@pytest.mark.parametrize("case", WELL_FORMED)
def test_walls_and_dice(case: dict[str, Any]) -> None:
    dealt = deal(case["seeds"], case["ue"])
    assert list(dealt.wall) == case["wall"]
    assert [face - 1 for face in dealt.dice] == case["dice_raw"]
    assert not dealt.warnings
    words = [decode(seed).words for seed in case["seeds"]]
    assert {tuple(f"{w:08X}" for w in p) for p in words} == set(map(tuple, case["player_words"]))
    made = key(words, case["ue"])
    assert [f"{word:08X}" for word in made] == case["key"]
    outputs = [f"{word:08X}" for word in Twister(made).words(8)]
    assert outputs == case["first_8_outputs"]


def test_the_order_of_players_does_not_matter() -> None:
    case = VECTORS["four_player"][0]
    assert deal(case["seeds"][::-1], case["ue"]) == deal(case["seeds"], case["ue"])


def test_assumptions_are_told() -> None:
    four, three = (deal(case[0]["seeds"], 1) for case in (WELL_FORMED, WELL_FORMED[-1:]))
    assert len(four.wall) == 136
    assert len(three.wall) == 108
    assert len(three.assumptions) == len(four.assumptions) + 1
    assert "three-player" in three.assumptions[0]


@pytest.mark.parametrize("case", VECTORS["malformed_script_behaviour"])
def test_malformed_seeds(case: dict[str, Any]) -> None:
    with pytest.raises(SeedError, match="--lenient"):
        deal(case["seeds"], case["ue"])
    dealt = deal(case["seeds"], case["ue"], lenient=True)
    assert list(dealt.wall) == case["wall"]
    assert [face - 1 for face in dealt.dice] == case["dice_raw"]
    assert dealt.warnings


def test_the_last_two_bits_do_not_count() -> None:
    seed = VECTORS["four_player"][0]["seeds"][0]
    assert len({decode(seed[:26] + last).words for last in "0123"}) == 1
    assert decode(seed[:26] + "4").words != decode(seed[:26] + "3").words


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_a_game_has_three_or_four_players(count: int) -> None:
    with pytest.raises(SeedError, match="four players, or three"):
        deal(["0" * 27] * count, 1)


@pytest.mark.parametrize("case", VECTORS["uncertain_element"])
def test_uncertain_element(case: dict[str, Any]) -> None:
    values = running_value(case["events"])
    assert values[-1] == case["total"]
    assert values == sorted(values)
    assert running_value(case["events"], start=7)[-1] == case["total"] + 7


def test_values_of_tiles() -> None:
    assert [tile_value(t) for t in ("1m", "9s", "0p", "E", "N", "P", "F", "C", "7z")] == [
        1, 9, 5, 1, 4, 5, 6, 7, 7,
    ]  # fmt: skip
    # the published example: the third discard is the red dragon
    assert running_value([["discard", 0, 3, "C"]]) == [21]


@pytest.mark.parametrize(
    ("event", "what"),
    [
        (["discard", 0, 1, "10p"], "is not a tile"),
        (["discard", 4, 1, "1p"], "players are"),
        (["discard", 0, 0, "1p"], "the first is 1"),
        (["discard", 0, True, "1p"], "the first is 1"),
        (["discard", 0, 1], "neither"),
        (["draw"], "neither"),
        ("deal", "neither"),
        (["discard", 0, 1, 5], "the tile is 5"),
    ],
)
def test_bad_events(event: Any, what: str) -> None:
    with pytest.raises(BadEvent, match=what) as caught:
        running_value([["deal"], event])
    assert str(caught.value).startswith("event 2: ")


@pytest.mark.parametrize(
    ("events", "what"),
    [
        ([["discard", 0, 1, "1m"]], "event 1: a discard before the first deal"),
        ([["deal"], ["discard", 0, 3, "C"]], "event 2: .* number 3 .* number 1"),
        (
            [["deal"], ["discard", 0, 1, "1m"], ["discard", 1, 1, "1m"], ["discard", 0, 1, "2m"]],
            "event 4: .* number 2",
        ),
        ([["deal"], ["discard", 0, 1, "1m"], ["discard", 0, 2, "2m"]], "twice in a row"),
        (
            [["deal"], *(["discard", n % 4, n // 4 + 1, "50"[n % 2] + "p"] for n in range(5))],
            "event 6: '5p' is discarded a fifth time",
        ),
        (
            [
                ["deal"],
                *(["discard", n % 2, n // 2 + 1, f"{n + 1}m"] for n in range(9)),
                ["discard", 1, 5, "E"],
                ["discard", 0, 6, "S"],
            ],
            "event 12: player 0 discards after player 1, so called 'E', and has called four",
        ),
        (
            [
                ["deal"],
                ["discard", 0, 1, "C"],
                ["discard", 1, 1, "C"],
                ["discard", 2, 1, "C"],
                ["discard", 1, 2, "1m"],
                ["discard", 3, 1, "1m"],
            ],
            "event 5: player 1 discards after player 2, so called 'C' with two more of it",
        ),
        (
            [
                ["deal"],
                ["discard", 0, 1, "C"],
                ["discard", 3, 1, "1m"],
                ["discard", 0, 2, "C"],
                ["discard", 1, 1, "C"],
            ],
            "event 5: 'C' is the fifth of its kind, with those of a call",
        ),
        ([["deal"], ["discard", 0, 1, "10p"]], "event 2: .* is not a tile"),
        ([["deal"], ["discard", 0, 1]], "event 2: .*neither"),
    ],
)
def test_sequences_that_no_game_can_have(events: list[Any], what: str) -> None:
    with pytest.raises(BadEvent, match=what):
        check_sequence(events)


def test_sequences_that_games_have() -> None:
    """Counts begin anew with each deal. Two of the vectors have five of a kind in a round."""
    check_sequence([["deal"], ["deal"], ["discard", 2, 1, "C"], ["deal"], ["discard", 2, 1, "C"]])
    # three players, and a call of the second one's tile
    check_sequence([["deal"], *(["discard", n % 3, n // 3 + 1, f"{n + 1}m"] for n in range(9))])
    check_sequence([["deal"], ["discard", 1, 1, "E"], ["discard", 0, 1, "S"]])
    told = []
    for case in VECTORS["uncertain_element"]:
        try:
            check_sequence(case["events"])
        except BadEvent as fault:
            told.append(str(fault))
    assert len(told) == 2
    assert all("a fifth time" in text for text in told)
