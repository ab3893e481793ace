"""The exact distributions, against rational figures made elsewhere and against counting."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import log2
from pathlib import Path

import pytest

from fairdeck.tarot.distribution import distribution, expected_shuffle_flips, placement
from fairdeck.tarot.draw import DrawError, Generator, Reduction, Roll, roll
from fairdeck.tarot.shuffle import shuffle

STATS = json.loads((Path(__file__).parents[1] / "vectors" / "tarot_stats.json").read_text())


def test_correct_draw_is_uniform_for_every_n_and_costs_what_it_must() -> None:
    assert sorted(map(int, STATS["correct"])) == list(range(2, 257))
    for n in range(2, 257):
        found = distribution(n)
        assert set(found.pmf) == {Fraction(1, n)}
        assert len(found.pmf) == n
        assert found.total_variation == 0
        assert str(found.expected_flips) == STATS["correct"][str(n)]["expected_flips"]
        assert log2(n) <= found.expected_flips < log2(n) + 2


def test_printed_draw_has_the_exact_probabilities() -> None:
    assert sorted(map(int, STATS["printed"])) == list(range(2, 79))
    for n in range(2, 79):
        found = distribution(n, Reduction.PRINTED)
        expected = STATS["printed"][str(n)]
        assert [[a, b, str(p)] for a, b, p in found.runs()] == expected["pmf_runs"]
        assert str(found.expected_flips) == expected["expected_flips"]
        assert sum(found.pmf) == 1


def test_printed_draw_of_a_whole_deck() -> None:
    found = distribution(78, Reduction.PRINTED)
    assert found.expected_flips == Fraction(2049030067, 268435456)
    assert round(float(found.total_variation), 6) == 0.012187
    ratios = [round(float(p * 78), 4) for p in found.pmf]
    assert ratios == [0.6094] * 2 + [0.9153] * 2 + [1.0105] * 4 + [1.0129] * 8 + [1.0130] * 62


@pytest.mark.slow_cases(
    "6-Reduction.PRINTED",
    "7-Reduction.PRINTED",
    "11-Reduction.PRINTED",
    "78-Reduction.CORRECT",
    "78-Reduction.PRINTED",
)
@pytest.mark.parametrize("reduction", Reduction)
@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 11, 78])
def test_probabilities_agree_with_counting_all_flips(n: int, reduction: Reduction) -> None:
    # every sequence of 14 flips, once: what has ended by then is known exactly
    length = 14
    ended = [0] * n
    for bits in product((0, 1), repeat=length):
        state = Roll()
        for bit in bits:
            state = roll(state, bit, n, reduction)
            if state.done:
                ended[state.c] += 1
                break
    open_still = 2**length - sum(ended)
    for count, p in zip(ended, distribution(n, reduction).pmf, strict=True):
        assert count <= p * 2**length <= count + open_still


def test_flips_of_a_whole_shuffle() -> None:
    for reduction in Reduction:
        total = float(expected_shuffle_flips(reduction=reduction))
        assert total == pytest.approx(STATS[f"total_78_to_2_{reduction.value}"], rel=1e-15)


def test_expected_flips_are_what_the_model_spends() -> None:
    for reduction in Reduction:
        generator, total, count = Generator(0x12345678), 0, 100
        for _ in range(count):
            one = shuffle(generator, reduction=reduction)
            generator, total = one.generator, total + one.flips
        # the standard deviation of one shuffle is 10.4 flips
        assert abs(total / count - expected_shuffle_flips(reduction=reduction)) < 4 * 10.4 / 10


def test_placement_of_the_first_card() -> None:
    fair = Fraction(1, 78)
    assert set(placement(0)) == {fair}
    printed = placement(0, reduction=Reduction.PRINTED)
    assert sum(printed) == 1
    assert [round(float(p / fair), 4) for p in printed[:2]] == [2.4994, 2.4994]


def test_placement_agrees_with_all_small_shuffles() -> None:
    # three cards: both indices, weighted by their probabilities
    for reduction in Reduction:
        expected = [Fraction(0)] * 3
        for (a, p), (b, q) in product(
            enumerate(distribution(3, reduction).pmf), enumerate(distribution(2, reduction).pmf)
        ):
            deck = [0, 1, 2]
            deck[2], deck[a] = deck[a], deck[2]
            deck[1], deck[b] = deck[b], deck[1]
            expected[deck.index(1)] += p * q
        assert list(placement(1, 3, reduction)) == expected


def test_distribution_below_two_is_refused() -> None:
    with pytest.raises(DrawError, match="at least 2"):
        distribution(1)
