"""What is wrong for one value alone is found without a solver, and only where it is so."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from romproof.symbolic.solve.answer import Reply, unknown
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.effort import Effort
from romproof.symbolic.solve.guided import by_guided_inputs as guided
from romproof.symbolic.solve.guided import setting_for
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import Term
from romproof.text.cause import Cause

LOW, HIGH, WIDE = t.var("low", 8), t.var("high", 8), t.var("wide", 16)
MULTIPLIER = t.concat(HIGH, LOW)
PRODUCT = t.mul(t.zext(MULTIPLIER, 32), t.zext(WIDE, 32))


def one_more(when: Term) -> Term:
    """The product, and one more where a condition holds."""
    return t.ite(when, t.add(PRODUCT, t.const(1, 32)), PRODUCT)


class Mute:
    """A solver that never knows."""

    name, unit = "z3", "words"

    def ask(
        self, conditions: Sequence[Term], limit: int, deadline: Deadline, thorough: bool
    ) -> Reply:
        return Reply(unknown(Cause.EFFORT, "it is mute"), 1)


class Silent(Mute):
    name = "Bitwuzla"


RARE = {
    "two bytes": t.and_(t.eq(LOW, t.const(0x5A, 8)), t.eq(HIGH, t.const(0xA5, 8))),
    "a word": t.eq(WIDE, t.const(0x1234, 16)),
    "some bits": t.and_(
        t.eq(t.extract(WIDE, 3, 9), t.const(0x155, 9)), t.eq(LOW, t.const(0x77, 8))
    ),
    "a sum": t.and_(
        t.eq(t.add(WIDE, t.const(0x4321, 16)), t.const(7, 16)), t.eq(HIGH, t.const(0x99, 8))
    ),
    "a complement": t.eq(t.xor(WIDE, t.const(0x0FF0, 16)), t.const(0xABCD, 16)),
    "just below a limit": t.and_(
        t.ult(WIDE, t.const(0x3039, 16)), t.not_(t.ult(WIDE, t.const(0x3038, 16)))
    ),
}


@pytest.mark.parametrize("when", RARE.values(), ids=RARE)
def test_what_is_wrong_for_one_value_is_found_without_a_solver(when: Term) -> None:
    wrong = t.not_(t.eq(one_more(when), PRODUCT))
    solver = Solver(Effort(values=0), first=Mute(), second=Silent())
    answer = solver.check([wrong])
    assert answer.model is not None, answer
    assert answer.model.value(wrong) == 1
    assert answer.model.value(when) == 1


def test_what_cannot_be_is_not_found() -> None:
    twice = t.and_(t.eq(LOW, t.const(0x5A, 8)), t.ult(LOW, t.const(0x20, 8)))
    assert guided([t.eq(LOW, t.const(0x5A, 8)), t.not_(t.eq(one_more(twice), PRODUCT))]) is None


def test_bounds_of_variables_are_kept() -> None:
    """One name may be used with several bounds: all of them hold."""
    number, digit = t.var("n", 8), t.var("n", 8, low=0, high=9)
    assert guided([t.eq(number, t.const(0x5A, 8)), t.ult(digit, LOW)]) is None
    found = guided([t.eq(number, t.const(7, 8)), t.ult(digit, LOW), t.eq(HIGH, t.const(0x5A, 8))])
    assert found is not None
    assert found.model is not None
    assert found.model.values["n"] == 7


def test_settings_give_the_value() -> None:
    """Of random terms that can be turned round: with the bits that are named it has the value."""
    random_ = random.Random(5)

    def drawn(depth: int) -> Term:
        kind = random_.randrange(5) if depth else 0
        number = random_.randrange(256)
        match kind:
            case 0:
                return random_.choice((LOW, HIGH, t.extract(WIDE, random_.randrange(8), 8)))
            case 1:
                return t.xor(drawn(depth - 1), t.const(number, 8))
            case 2:
                return t.add(drawn(depth - 1), t.const(number, 8))
            case 3:
                joined = t.concat(drawn(depth - 1), HIGH)
                return t.extract(joined, random_.randrange(9), 8)
        return t.mul(drawn(depth - 1), t.const(number | 1, 8))

    checked = 0
    for _ in range(200):
        term, value = drawn(3), random_.randrange(256)
        setting = setting_for(term, value)
        if setting is None or len({bits.name for bits in setting}) < len(setting):
            continue  # one variable twice: both need not fit
        checked += 1
        values = {name: random_.randrange(1 << 16) for name in ("wide",)}
        values |= {name: random_.randrange(256) for name in ("low", "high")}
        for bits in setting:
            values[bits.name] = (values[bits.name] & ~bits.mask) | bits.bits
        assert Model(values).value(term) == value, term
    assert checked > 80
