"""Exact placements: figures worked out elsewhere, small cases by trying everything, simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial

import pytest

from fairdeck.audit.picture import colour, shrunk
from fairdeck.audit.placement import (
    WORDS,
    Placement,
    remainder_weights,
    swap_each_with_any,
    swap_each_with_later,
    tarot,
)
from fairdeck.audit.systems import SYSTEMS
from fairdeck.tarot.distribution import placement
from fairdeck.tarot.draw import Reduction


def _by_trying(n: int, choices: list[list[int]]) -> list[list[Fraction]]:
    """Every outcome of the draws ``choices``, each remainder with its exact probability."""
    table = [[Fraction(0)] * n for _ in range(n)]
    for picks in product(*choices):
        deck, p = list(range(n)), Fraction(1)
        for place, pick in enumerate(picks):
            options = len(choices[place])
            p *= Fraction(remainder_weights(options)[pick - choices[place][0]], WORDS)
            deck[place], deck[pick] = deck[pick], deck[place]
        for at, tile in enumerate(deck):
            table[tile][at] += p
    return table


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_small_cases_by_trying_everything(n: int) -> None:
    cases = (
        (swap_each_with_any(n), [list(range(n)) for _ in range(n)]),
        (swap_each_with_later(n), [list(range(i, n)) for i in range(n - 1)]),
    )
    for found, choices in cases:
        wanted = _by_trying(n, choices)
        for tile, at in product(range(n), repeat=2):
            assert found.probability(tile, at) == wanted[tile][at]


@pytest.fixture(scope="module")
def arcade() -> Placement:
    return swap_each_with_any(136)


def test_mj_arcade(arcade: Placement) -> None:
    assert arcade.ratios[135][0] == pytest.approx(0.7385, abs=5e-5)
    assert arcade.ratios[135][134] == pytest.approx(1.3619, abs=5e-5)
    assert arcade.lowest == pytest.approx(0.7385 - 1, abs=5e-5)
    assert arcade.highest == pytest.approx(0.3619, abs=5e-5)
    assert arcade.rms == pytest.approx(0.114, abs=5e-4)
    assert max(arcade.variations) == pytest.approx(0.0769, abs=5e-5)
    assert sum(arcade.variations) / 136 == pytest.approx(0.0448, abs=5e-5)
    # all is even for the first tile, and at the last place, but for the remainders
    assert arcade.ratios[0] == pytest.approx([1.0] * 136, abs=2e-8)
    assert [row[135] for row in arcade.ratios] == pytest.approx([1.0] * 136, abs=2e-8)


def test_rows_and_columns_are_distributions(arcade: Placement) -> None:
    assert {sum(row) for row in arcade.weights} == {arcade.total}
    assert {sum(column) for column in zip(*arcade.weights, strict=True)} == {arcade.total}


def test_tenhou_is_fair_but_for_the_remainders() -> None:
    found = swap_each_with_later(136)
    assert 0 < found.highest < 3.0e-8
    assert -3.0e-8 < found.lowest < 0


def test_tarot() -> None:
    fair = tarot(78, Reduction.CORRECT)
    assert (fair.lowest, fair.highest, fair.rms) == (0, 0, 0)
    printed = tarot(78, Reduction.PRINTED)
    assert 1 + printed.lowest == pytest.approx(0.5503, abs=5e-5)
    assert 1 + printed.highest == pytest.approx(2.4994, abs=5e-5)
    assert printed.variations[0] == pytest.approx(0.0387, abs=5e-5)
    row = placement(5, 78, Reduction.PRINTED)
    assert tuple(printed.probability(5, at) for at in range(78)) == row


@pytest.mark.parametrize("n", [1, 2, 7, 136])
def test_remainders(n: int) -> None:
    weights = remainder_weights(n)
    assert sum(weights) == WORDS
    assert max(weights) - min(weights) <= 1
    # the remainders of the last, incomplete turn come up once more
    assert weights.count(max(weights)) == (WORDS % n or n)


def test_what_is_said_of_the_systems() -> None:
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)
    bits = {system.name: system.order_bits for system in SYSTEMS}
    assert bits["tarot"] == pytest.approx(382.20, abs=5e-3)
    assert bits["mjarcade"] == pytest.approx(616.7, abs=5e-2)
    assert 136**136 % factorial(136) != 0


def test_colours_and_blocks() -> None:
    assert colour(0, 1) == (255, 255, 255)
    assert colour(2, 1) == (255, 0, 0)
    assert colour(-1, 1) == (0, 0, 255)
    blocks = shrunk(swap_each_with_any(12), 4)
    assert len(blocks) == 4
    assert blocks[3][0] < 0 < blocks[3][2]
