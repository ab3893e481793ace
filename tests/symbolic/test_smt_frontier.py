"""Questions on many small variables, answered one variable after the other."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise, product

import pytest

from romproof.symbolic.solve import frontier_steps
from romproof.symbolic.solve.deadline import NEVER
from romproof.symbolic.solve.frontier import FEWEST, Tables, by_frontier, extreme_by_frontier
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

MAX = 1 << 24
COUNT = 34
"""Variables of which trying all inputs is no way."""
SMALL = 4
"""Variables of which all inputs are tried here, of two bits each."""


def _hand(most: int) -> tuple[list[Term], list[Term]]:
    """Counts of kinds, and that each is 4 at most and all together ``most``."""
    held = [t.var(f"h{number}", 8) for number in range(COUNT)]
    total = t.const(0, 16)
    for each in held:
        total = t.add(total, t.zext(each, 16))
    few = [t.ult(each, t.const(5, 8)) for each in held]
    return held, [*few, t.not_(t.ult(t.const(most, 16), total))]


def _cycles(held: Sequence[Term]) -> Term:
    """9 for a kind that is not there, 11 for one tile, 16 for more."""
    cycles = t.const(100, 16)
    for each in held:
        some = t.ite(t.eq(each, t.const(1, 8)), t.const(11, 16), t.const(16, 16))
        cycles = t.add(cycles, t.ite(t.eq(each, t.const(0, 8)), t.const(9, 16), some))
    return cycles


@pytest.mark.parametrize(("most", "highest"), [(14, 455), (13, 450), (1, 408), (0, 406)])
def test_a_knapsack(most: int, highest: int) -> None:
    held, conditions = _hand(most)
    cycles = _cycles(held)
    for sign, wanted in ((1, highest), (-1, 406)):
        answer = extreme_by_frontier(conditions, cycles, sign, MAX, NEVER)
        assert answer is not None
        assert answer.model is not None
        assert answer.model.value(cycles) == wanted
        assert all(answer.model.value(condition) for condition in conditions)
    beyond = t.ult(t.const(highest, 16), cycles)
    answer = by_frontier([*conditions, beyond], MAX, NEVER)
    assert answer is not None
    assert answer.kind == "unsat"
    reached = by_frontier([*conditions, t.ult(t.const(highest - 1, 16), cycles)], MAX, NEVER)
    assert reached is not None
    assert reached.model is not None
    assert reached.model.value(cycles) == highest


def test_what_goes_on_from_one_variable_to_the_next() -> None:
    """A state that each count changes, of which the cycles of the next turn depend."""
    held, conditions = _hand(14)
    state, cycles = t.const(0, 8), t.const(0, 16)
    for each in held:
        grows = t.ult(state, each)
        cycles = t.add(cycles, t.ite(grows, t.const(7, 16), t.const(3, 16)))
        state = t.ite(grows, each, state)
    answer = extreme_by_frontier(conditions, cycles, 1, MAX, NEVER)
    assert answer is not None
    assert answer.model is not None
    # 1, 2, 3 and 4 tiles, one after the other
    assert answer.model.value(cycles) == 3 * COUNT + 4 * 4
    ten = t.eq(state, t.const(4, 8))
    nine = extreme_by_frontier([*_hand(9)[1], ten], cycles, 1, MAX, NEVER)
    assert nine is not None
    assert nine.model is not None
    assert nine.model.value(cycles) == 3 * COUNT + 4 * 3


def _made(chance: random.Random, free: Sequence[Term], depth: int) -> Term:
    """A term of eight bits."""
    if not depth:
        return t.zext(chance.choice(free), 8)
    one, two = (_made(chance, free, depth - 1) for _ in range(2))
    match chance.randrange(6):
        case 0:
            return t.add(one, two)
        case 1:
            return t.sub(one, two)
        case 2:
            return t.and_(one, two)
        case 3:
            return t.xor(one, two)
        case 4:
            return t.add(t.mul(one, t.const(chance.randrange(8), 8)), two)
        case _:
            return t.ite(t.ult(one, two), two, t.const(chance.randrange(256), 8))


def _value(term: Term, given: Mapping[Term, int]) -> int:
    constants = {variable: t.const(value, 2) for variable, value in given.items()}
    return t.replace(term, constants).number


@pytest.mark.slow_cases("14")
@pytest.mark.parametrize("seed", range(20))
def test_answers_are_those_of_all_inputs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier_steps, "MAX_ROWS", 4)  # one variable after the other
    chance = random.Random(seed)
    free = [t.var(f"v{number}", 2) for number in range(SMALL)]
    wanted = _made(chance, free, 3)
    limit = t.const(chance.randrange(256), 8)
    conditions = [t.ult(_made(chance, free, 3), limit), t.ult(_made(chance, free, 2), wanted)]
    inputs = [dict(zip(free, values, strict=True)) for values in product(range(4), repeat=SMALL)]
    allowed = [each for each in inputs if all(_value(c, each) for c in conditions)]
    answer = by_frontier(conditions, MAX, NEVER)
    if len(t.variables(conditions)) < FEWEST:
        assert answer is None
        return
    assert answer is not None
    assert answer.kind == ("sat" if allowed else "unsat")
    assert answer.model is None or all(map(answer.model.value, conditions))
    for sign in (1, -1):
        best = extreme_by_frontier(conditions, wanted, sign, MAX, NEVER)
        assert best is not None
        if best.model is not None:
            values = [_value(wanted, each) for each in allowed]
            assert best.model.value(wanted) == max(values, key=lambda value: sign * value)
            assert all(map(best.model.value, conditions))
        else:
            assert not allowed


def test_it_gives_up_by_effort() -> None:
    held, conditions = _hand(14)
    assert extreme_by_frontier(conditions, _cycles(held), 1, 1000, NEVER) is None
    wide = [t.var(f"w{number}", 16) for number in range(4)]
    assert by_frontier([t.ult(a, b) for a, b in pairwise(wide)], MAX, NEVER) is None


def test_a_name_has_other_bounds_in_another_question() -> None:
    """Tables are kept for further questions, of the same values only."""
    known: Tables = {}
    for most in (3, 4, 3):
        free = [t.var(f"n{number}", 8, 0, most) for number in range(COUNT)]
        pairs = [
            t.ult(t.add(a, b), t.const(8, 8)) for a, b in zip(free[::2], free[1::2], strict=True)
        ]
        total = t.const(0, 16)
        for each in free:
            total = t.add(total, t.zext(each, 16))
        # two of at most 3 are 6, two of at most 4 are 7 by the condition
        highest = COUNT // 2 * min(2 * most, 7)
        for limit, kind in ((highest - 1, "sat"), (highest, "unsat")):
            beyond = t.ult(t.const(limit, 16), total)
            answer = by_frontier([*pairs, beyond], MAX, NEVER, known)
            assert answer is not None
            assert answer.kind == kind
