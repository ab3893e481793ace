"""The shuffle on the model, and seeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeck.tarot.cards import NAMES, suit_of
from fairdeck.tarot.draw import Generator, Reduction, Roll, roll
from fairdeck.tarot.feedback import FEEDBACKS, Feedback, next_byte
from fairdeck.tarot.runs import Request
from fairdeck.tarot.seed import SeedError, format_state, parse_seed
from fairdeck.tarot.shuffle import CARDS, SORTED, shuffle, shuffles

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "tarot.json").read_text())["decks"]

generators = st.builds(
    Generator, st.integers(1, 2**32 - 1), st.sampled_from(list(FEEDBACKS.values()))
)
reductions = st.sampled_from(list(Reduction))


@every_case("case", VECTORS, ids=lambda c: f"{c['feedback']}-{c['state']}-{c['reduction']}")
def test_shuffles_follow_the_vectors(case: dict[str, Any]) -> None:
    generator = Generator(int(case["state"], 16), FEEDBACKS[case["feedback"].lower()])
    decks = [bytes.fromhex(text) for text in case["deck_hex_after_each_shuffle"]]
    done = shuffles(generator, len(decks), reduction=Reduction(case["reduction"]))
    assert [bytes(s.deck) for s in done] == decks
    assert [s.flips for s in done] == case["flips_per_shuffle"]
    assert list(done[0].indices) == case["indices_first_shuffle"]
    spent = 0
    for one, after in zip(done, case["generator_after_each_shuffle"], strict=True):
        assert one.generator == Generator(
            int(after["lfsr"], 16), generator.feedback, after["rng"], after["flips_left"]
        )
        spent += one.flips
        assert spent + after["flips_left"] == 8 * after["lfsr_calls"]


@settings(deadline=None)
@given(generators, st.integers(1, 4), reductions)
def test_no_card_is_lost_or_made(generator: Generator, count: int, reduction: Reduction) -> None:
    for one in shuffles(generator, count, reduction=reduction):
        assert sorted(one.deck) == list(SORTED)
        assert all(0 <= r <= a for a, r in zip(range(77, 0, -1), one.indices, strict=True))


@settings(deadline=None)
@given(generators, reductions)
def test_shuffles_use_one_stream_of_flips_without_a_gap(
    generator: Generator, reduction: Reduction
) -> None:
    done = shuffles(generator, 2, reduction=reduction)
    spent = sum(one.flips for one in done)
    state = generator.state
    bits: list[int] = []
    while len(bits) < spent:
        state, byte = next_byte(state, generator.feedback)
        bits += [byte >> i & 1 for i in range(8)]
    left = iter(bits)
    for one in done:
        for n, index in zip(range(CARDS, 1, -1), one.indices, strict=True):
            rolled = Roll()
            while not rolled.done:
                rolled = roll(rolled, next(left), n, reduction)
            assert rolled.c == index
    rest = list(left)
    assert done[-1].generator.state == state
    assert done[-1].generator.flips_left == len(rest)
    assert done[-1].generator.remainder == sum(bit << i for i, bit in enumerate(rest))


@settings(deadline=None)
@given(generators, st.permutations(SORTED))
def test_a_shuffle_moves_places_whatever_cards_are_on_them(
    generator: Generator, deck: list[int]
) -> None:
    moved = shuffle(generator).deck
    assert shuffle(generator, deck).deck == tuple(deck[place] for place in moved)


@pytest.mark.parametrize("feedback", FEEDBACKS.values(), ids=FEEDBACKS)
def test_the_zero_state_only_rotates(feedback: Feedback) -> None:
    one = shuffle(Generator(0, feedback))
    assert one.deck == (*range(1, CARDS), 0)
    assert one.flips == 419


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("12345678", 0x12345678),
        ("$deadBEEF", 0xDEADBEEF),
        (" 00000001 ", 1),
        ("FFFFFFFF", 0xFFFFFFFF),
    ],
)
def test_seed_is_the_state_lfsr0_first(text: str, state: int) -> None:
    assert parse_seed(text) == state


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1234567",
        "123456789",
        "0x123456",
        "1234567g",
        "-2345678",
        "12 45678",
        "１２３４５６７８",
    ],
)
def test_malformed_seed_is_refused(text: str) -> None:
    with pytest.raises(SeedError, match="8 hexadecimal digits"):
        parse_seed(text)


def test_zero_seed_is_refused() -> None:
    with pytest.raises(SeedError, match="never leaves"):
        parse_seed("00000000")


@settings(deadline=None)
@given(st.integers(1, 2**32 - 1))
def test_seed_text_round_trip(state: int) -> None:
    assert parse_seed(format_state(state)) == state


def test_every_card_has_its_own_name() -> None:
    assert len(set(NAMES)) == CARDS
    assert NAMES[0] == "The Fool"
    assert [NAMES[i] for i in (21, 22, 35, 36, 50, 64, 77)] == [
        "The World",
        "Ace of Wands",
        "King of Wands",
        "Ace of Cups",
        "Ace of Swords",
        "Ace of Pentacles",
        "King of Pentacles",
    ]
    assert [suit_of(i) for i in (0, 21, 22, 77)] == [
        "major arcana",
        "major arcana",
        "Wands",
        "Pentacles",
    ]


@pytest.mark.parametrize("seed", [0, -1, 1 << 32])
def test_a_run_does_not_start_from_an_impossible_state(seed: int) -> None:
    with pytest.raises(SeedError, match="seed"):
        Request(seed)
