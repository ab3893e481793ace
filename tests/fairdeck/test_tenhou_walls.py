"""Walls, dice, deals and commitments against the vectors, which come from other implementations."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from fairdeck.tenhou.commitment import commitment, find_seats, seat_strings
from fairdeck.tenhou.seed import SeedError, UnverifiableSeed, parse_seed
from fairdeck.tenhou.table import FLIPPED_PAIRS, FOUR, TABLES, THREE
from fairdeck.tenhou.wall import round_numbers, rounds
from fairdeck.tiles import hand_text, name
from fairdeck.twister import Twister

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "tenhou_synthetic.json").read_text("utf-8")
)
GAMES = {game["label"]: game for game in VECTORS["shuffle"]}


@pytest.mark.parametrize("label", GAMES)
@pytest.mark.parametrize("players", [4, 3])
def test_walls_and_dice(label: str, players: int) -> None:
    game = GAMES[label]
    made = rounds(parse_seed(game["seed"]), TABLES[players])
    for round_, wanted in zip(made, game["rounds"], strict=False):
        assert list(round_.wall) == wanted["wall136" if players == 4 else "wall108"]
        assert [face - 1 for face in round_.dice] == wanted["dice"]


@pytest.mark.parametrize("label", GAMES)
def test_the_numbers_of_a_round(label: str) -> None:
    game = GAMES[label]
    outputs = Twister(parse_seed(game["seed"]).words)
    hashed = Twister(parse_seed(game["seed"]).words)
    for wanted in game["rounds"]:
        words = outputs.words(288)
        assert [f"{word:08X}" for word in words[:4]] == wanted["src_first4"]
        numbers = [f"{word:08X}" for word in round_numbers(hashed)]
        assert numbers[:4] == wanted["rnd_first4"]
        assert numbers[-4:] == wanted["rnd_last4"]


@pytest.mark.parametrize("label", GAMES)
def test_typical_mistakes_give_other_walls(label: str) -> None:
    seed = parse_seed(GAMES[label]["seed"])
    first = next(rounds(seed, FOUR)).wall[:8]
    symmetric = all(w.to_bytes(4, "big") == w.to_bytes(4, "little") for w in seed.words)
    for mistake, wall in GAMES[label]["wrong_first8_of_round0"].items():
        # one seed reads the same in both orders of bytes
        assert (list(first) == wall) == (symmetric and mistake == "key read big endian"), mistake


def test_a_round_deals_every_tile_once() -> None:
    for table in TABLES.values():
        one = next(rounds(parse_seed(GAMES["tn-open-a"]["seed"]), table))
        hands = [tile for hand in one.hands(dealer=1) for tile in hand]
        assert len(hands) == 13 * table.players == len(set(hands))
        rest = set(one.logged[: table.first_draw + 1])
        assert rest.isdisjoint(hands)
        assert len(rest) + len(hands) == table.tiles
        assert one.hands(dealer=1)[1] == one.hands(dealer=0)[0]


def test_three_players_lack_the_middle_characters() -> None:
    names = {name(THREE.logged(tile), reds=False) for tile in range(THREE.tiles)}
    assert names == {f"{n}{s}" for s in "ps" for n in range(1, 10)} | {"1m", "9m"} | {
        f"{n}z" for n in range(1, 8)
    }


def test_names_of_tiles() -> None:
    assert hand_text([135, 16, 17, 0, 52, 88, 107, 108]) == "105m0p09s17z"
    assert hand_text([16], reds=False) == "5m"


@pytest.mark.parametrize("case", VECTORS["commitments"], ids=lambda case: str(case["label"]))
def test_commitments(case: dict[str, Any]) -> None:
    seed = parse_seed(GAMES[case["label"]]["seed"])
    names = case["names_in_seat_order"]
    wanted = [case["seat_string"]] if case["seat_string"] else case["possible_seat_strings"]
    hashes = [case["commitment"]] if case["seat_string"] else case["commitments"]
    assert sorted(seat_strings(names)) == sorted(wanted)
    assert {commitment(seats, seed) for seats in wanted} == set(hashes)
    for published in hashes:
        match = find_seats(published.upper(), names, seed)
        assert match is not None
        assert match.as_named
        assert match.seats in wanted
    for trap in ("wrong_if_leading_zeros_lost",):
        if trap in case:
            assert find_seats(case[trap], names, seed) is None


def test_an_order_the_names_do_not_give_is_found_and_told() -> None:
    case = next(c for c in VECTORS["commitments"] if "wrong_if_permutation_inverted" in c)
    seed = parse_seed(GAMES[case["label"]]["seed"])
    match = find_seats(case["wrong_if_permutation_inverted"], case["names_in_seat_order"], seed)
    assert match is not None
    assert not match.as_named


def test_the_older_format_stacks_its_pairs_the_other_way_up() -> None:
    text = "mt19937ar-sha512-n288," + ",".join(f"{n:x}" for n in range(1, 33))
    seed = parse_seed(text)
    one = next(rounds(seed, FOUR))
    assert seed.pairs is FLIPPED_PAIRS
    assert one.dora == one.wall[4]
    assert seed.words == tuple(range(1, 33))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "is empty"),
        ("mt19937ar-sha512-n288-base64", "begins with its format"),
        ("mt19937ar-sha512-n288-base64,", "has 0 bytes"),
        ("mt19937ar-sha512-n288-base64,AAAA", "has 3 bytes"),
        ("mt19937ar-sha512-n288-base64,A*AA", "not base64"),
        ("mt19937ar-sha512-n288,1,2,3", "has 3 words"),
        ("mt19937ar-sha512-n288," + ",".join(["123456789"] * 32), "not a hexadecimal number"),
        ("xorshift,1", "is not known"),
    ],
)
def test_what_is_no_seed(text: str, what: str) -> None:
    with pytest.raises(SeedError, match=what):
        parse_seed(text)


def test_the_oldest_seeds_cannot_be_used() -> None:
    with pytest.raises(UnverifiableSeed, match="never published"):
        parse_seed("mt19937ar,1,2,3,4,5,6,7,8")


def test_seeds_may_have_line_breaks() -> None:
    text = GAMES["tn-open-a"]["seed"]
    broken = "\n".join(text[at : at + 76] for at in range(0, len(text), 76))
    assert parse_seed(broken.replace("base\n64", "base64")).words == parse_seed(text).words


def test_the_twister_takes_keys_that_begin_and_end_with_zero() -> None:
    # Python's random.seed drops leading zero words; the first outputs of init_by_array
    # for the key 0x123, 0x234, 0x345, 0x456 are in mt19937ar.out by the generator's authors
    assert Twister([0x123, 0x234, 0x345, 0x456]).words(5) == [
        1067595299,
        955945823,
        477289528,
        4107218783,
        4228976476,
    ]
    starts = {tuple(Twister(key).words(2)) for key in ([7], [7, 0], [7, 0, 0], [0, 7])}
    assert len(starts) == 4
    both = Twister([5, 0]), Twister([5, 0])
    assert list(islice(iter(both[0].words(6)), 6)) == both[1].words(2) + both[1].words(4)
