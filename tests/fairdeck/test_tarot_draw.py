"""Flips and draws on the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeck.tarot.draw import DrawError, Generator, Reduction, Roll, draw, flip, roll
from fairdeck.tarot.feedback import FEEDBACKS

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "tarot.json").read_text())

seeds = st.integers(1, 2**32 - 1)
feedbacks = st.sampled_from(list(FEEDBACKS.values()))
reductions = st.sampled_from(list(Reduction))


@every_case(
    "case",
    VECTORS["draws"],
    ids=lambda c: f"{c['feedback']}-{c['state']}-{c['reduction']}",
)
def test_draws_follow_the_vectors(case: dict[str, Any]) -> None:
    feedback = FEEDBACKS[case["feedback"].lower()]
    generator = Generator(int(case["state"], 16), feedback)
    spent = 0
    for n, value, flips in case["draws_n_value_flips"]:
        drawn = draw(generator, n, Reduction(case["reduction"]))
        assert (drawn.value, drawn.flips) == (value, flips)
        generator = drawn.generator
        spent += drawn.flips
    assert generator.flips_left == case["flips_left"]
    assert spent + generator.flips_left == 8 * case["lfsr_calls"]


@every_case(
    "case",
    VECTORS["streams"],
    ids=lambda c: f"{c['n']}-{c['reduction']}-{c['bits'][:12]}",
)
def test_rolls_follow_the_vectors_for_given_bits(case: dict[str, Any]) -> None:
    n, reduction = case["n"], Reduction(case["reduction"])
    bits = iter(case["bits"])
    for value, flips in case["value_flips"]:
        state, used = Roll(), 0
        while not state.done:
            state = roll(state, int(next(bits)), n, reduction)
            used += 1
        assert (state.c, used) == (value, flips)


@settings(deadline=None)
@given(seeds, feedbacks, st.lists(st.integers(2, 300), min_size=1, max_size=20), reductions)
def test_draws_take_the_flips_in_order_and_leave_the_rest(
    seed: int, feedback: Any, sizes: list[int], reduction: Reduction
) -> None:
    start = generator = Generator(seed, feedback)
    spent = 0
    for n in sizes:
        drawn = draw(generator, n, reduction)
        assert 0 <= drawn.value < n
        assert 0 <= drawn.generator.flips_left < 8
        assert drawn.generator.remainder >> drawn.generator.flips_left == 0
        generator = drawn.generator
        spent += drawn.flips
    alone = start
    for _ in range(spent):
        alone, _ = flip(alone)
    assert alone == generator


@settings(deadline=None)
@given(seeds, st.integers(2, 1024))
def test_v_needs_a_ninth_bit_only_above_128(seed: int, n: int) -> None:
    generator, state, most = Generator(seed), Roll(), 0
    while not state.done:
        generator, bit = flip(generator)
        most = max(most, 2 * state.v)
        state = roll(state, bit, n, Reduction.CORRECT)
        assert state.done or state.c < state.v < n
    assert most <= 2 * (n - 1)
    assert n > 128 or most < 256


@settings(deadline=None)
@given(seeds, st.integers(1, 8))
def test_powers_of_two_take_the_same_flips_in_both_forms(seed: int, exponent: int) -> None:
    generator, n = Generator(seed), 1 << exponent
    printed = draw(generator, n, Reduction.PRINTED)
    assert printed == draw(generator, n)
    assert printed.flips == exponent


@pytest.mark.parametrize("n", [1, 0, -5])
def test_draw_from_fewer_than_two_is_refused(n: int) -> None:
    with pytest.raises(DrawError, match="at least 2"):
        draw(Generator(1), n)
