"""Random terms: what they are made of, what they became, and formulas for them are equal."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from lowered import How, by_bitwuzla, by_z3, lowered
from slow import slow_but
from smt_terms import Known, Numbers, some_inputs

from romproof.symbolic.solve.facts import BitFacts
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term


@pytest.fixture(params=[by_z3, by_bitwuzla], ids=["z3", "bitwuzla"])
def how(request: pytest.FixtureRequest) -> How:
    made: How = request.param()
    return made


def test_a_sum_with_its_own_low_bits_in_its_high_ones(how: How) -> None:
    x, y = t.var("x", 8), t.var("y", 8)
    low = t.add(x, y)
    chosen = t.ite(t.eq(low, t.const(3, 8)), x, t.const(9, 8))
    high = t.mul(t.zext(chosen, 16), t.const(0x300, 16))
    wide = t.add(t.add(t.zext(x, 16), t.zext(y, 16)), high)
    values = {"x": np.array([1, 200], np.uint64), "y": np.array([2, 100], np.uint64)}
    for roots in ([wide, low], [low, wide]):
        found, _ = lowered(how, roots, 2, values, {})
        wanted = {low: [3, 44], wide: [3 + 0x300, 300 + 9 * 0x300]}
        assert [each.tolist() for each in found] == [wanted[root] for root in roots]


def test_a_product_with_all_of_its_bits_shifted_out() -> None:
    x, y = (t.concat(t.var(name, 4), t.const(0, 4)) for name in "xy")
    assert t.mul(x, y) is t.const(0, 8)


STEPS = 80


def hold(found: Iterable[Numbers], known: Iterable[Known], how: str) -> None:
    """AssertionError where values are not what they ought to be."""
    for value, (term, wanted) in zip(found, known, strict=True):
        wrong = np.flatnonzero(value.astype(np.uint64) != wanted)
        assert not len(wrong), f"{how}: {term} is {value[wrong[0]]}, not {wanted[wrong[0]]}"


# random terms, 80 steps of each seed: eight seeds have every operation in them hundreds of times
@pytest.mark.parametrize("seed", slow_but(range(0, 40, 5), range(40)))
def test_what_terms_mean(seed: int, how: How) -> None:
    maker = some_inputs(seed)
    known = maker.make(STEPS)
    terms = [term for term, _ in known]
    hold(t.evaluate(terms, maker.values, {"array": maker.contents}), known, "evaluated")
    for term, value in known:
        assert term.low <= value.min(), f"{term} is {value.min()}, and {term.low} at least"
        assert value.max() <= term.high, f"{term} is {value.max()}, and {term.high} at most"
    for prepared in (True, False):
        arrays = {"array": maker.memory}
        found, bounds = lowered(how, terms, maker.count, maker.values, arrays, prepared)
        hold(found, known, "as a formula")
        assert all(each.all() for each in bounds)


@pytest.mark.parametrize("bits", [1, 8, 16])
def test_bounds_are_put_to_the_solver(bits: int, how: How) -> None:
    top = (1 << bits) - 1
    low, high = (5, top - 2) if bits > 1 else (0, 1)
    numbers = np.array([0, low, high, top], np.uint64)
    _, bounds = lowered(how, [t.var("x", bits, low, high)], 4, {"x": numbers}, {})
    within = np.logical_and.reduce(bounds) if bounds else np.ones(4, bool)
    assert within.tolist() == [bits == 1, True, True, bits == 1]


def test_one_name_with_several_bounds_is_one_unknown(how: How) -> None:
    one, other = t.var("x", 8, 3, 9), t.var("x", 8, 0, 200)
    numbers = np.array([4, 100], np.uint64)
    found, bounds = lowered(how, [t.eq(one, other)], 2, {"x": numbers}, {})
    assert found[0].tolist() == [True, True]
    assert np.logical_and.reduce(bounds).tolist() == [True, False]


@pytest.mark.parametrize("seed", range(20))
def test_what_terms_mean_with_others_in_place_of_variables(seed: int) -> None:
    maker = some_inputs(seed + 1000)
    known = maker.make(STEPS)
    names = {"bit0": 1, "byte1": 8, "word": 16}
    mapping: dict[Term, Term] = {}
    values = dict(maker.values)
    for name, width in names.items():
        term, values[name] = maker.random.choice(maker.known[width])
        mapping[t.var(name, width)] = term
    memo: dict[Term, Term] = {}
    replaced = [t.replace(term, mapping, memo) for term, _ in known]
    arrays = {"array": maker.contents}
    wanted = t.evaluate([term for term, _ in known], values, arrays)
    found = t.evaluate(replaced, maker.values, arrays)
    hold(found, list(zip(replaced, wanted, strict=True)), "with others in it")


@pytest.mark.parametrize("seed", range(20))
def test_what_follows_from_conditions(seed: int) -> None:
    maker = some_inputs(seed + 2000)
    known = maker.make(STEPS)
    facts = BitFacts()
    holds = np.ones(maker.count, dtype=bool)
    conditions = maker.known[1].copy()
    maker.random.shuffle(conditions)
    for condition, value in conditions:
        if (holds & (value != 0)).sum() >= 8:
            facts.assume(condition)
            holds &= value != 0
        elif (holds & (value == 0)).sum() >= 8:
            facts.assume(condition, False)
            holds &= value == 0
    for term, value in known:
        low, high = facts.bounds(term)
        assert low <= value[holds].min(), str(term)
        assert value[holds].max() <= high, str(term)
        if term.width == 1 and (truth := facts.truth(term)) is not None:
            assert (value[holds] == truth).all(), str(term)
