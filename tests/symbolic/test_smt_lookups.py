"""Questions with large tables: asked without them at first, and answered as with them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from romproof.symbolic.solve.answer import Answer, AnswerKind, unknown
from romproof.symbolic.solve.lookups import without_tables
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.text.cause import Cause

CHANCE = random.Random(7)
TABLE = bytes(CHANCE.choice((1, 3, 5, 200)) for _ in range(0x5FFF)) + b"\x07"
"""One byte is 7, the last one; none is 9."""
FIRST, SECOND = t.var("first", 16, 0, 0x5FFF), t.var("second", 16, 0, 0x5FFF)


def byte(place: t.Term) -> t.Term:
    return t.lookup(TABLE, place)


def is_number(term: t.Term, number: int) -> t.Term:
    return t.eq(term, t.const(number, term.width))


SAME = t.eq(FIRST, SECOND)
QUESTIONS = {
    "different bytes at one place": ([SAME, t.not_(t.eq(byte(FIRST), byte(SECOND)))], False),
    "a byte that is there once": ([is_number(byte(FIRST), 7)], True),
    "that byte at another place": (
        [is_number(byte(FIRST), 7), t.ult(FIRST, t.const(0x5FFF, 16))],
        False,
    ),
    "a byte between those that are there": (
        [is_number(byte(FIRST), 9), t.ult(FIRST, t.const(0x800, 16))],
        False,
    ),
    "two places with different bytes": (
        [t.not_(t.eq(byte(FIRST), byte(SECOND))), t.ult(FIRST, SECOND)],
        True,
    ),
    "a table read where another one says": (
        [is_number(t.lookup(TABLE, t.zext(byte(FIRST), 16)), 200), is_number(byte(FIRST), 5)],
        TABLE[5] == 200,
    ),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer_is_that_with_the_table(name: str) -> None:
    conditions, can_be = QUESTIONS[name]
    answer = Solver().check(conditions)
    assert answer.kind == ("sat" if can_be else "unsat")
    if answer.model is not None:
        assert all(answer.model.value(condition) for condition in conditions)


def test_small_tables_are_not_left_out() -> None:
    assert without_tables([is_number(t.lookup(TABLE[:512], t.var("small", 16, 0, 511)), 3)]) is None


def asked(conditions: list[t.Term]) -> Answer | None:
    """The answer of the way without tables alone, none of whose steps is easy enough to skip."""
    solver = Solver()
    loose = without_tables(conditions)
    assert loose is not None
    return loose.answer(lambda each: solver.backends.ask(each, solver.effort.share()))


@pytest.mark.quick_cases("2", "5", "8")
@pytest.mark.parametrize("seed", range(12))
def test_answers_are_those_of_trying_every_value(seed: int) -> None:
    """Bytes of tables that are read where other bytes of tables say, with sums, in random
    questions: what this way says must be so; it may come to nothing."""
    chance = random.Random(seed)
    values = chance.sample(range(256), chance.choice((2, 5, 40)))
    table = bytes(chance.choice(values) for _ in range(1 << 11))
    place = t.var("place", 11)
    first = t.lookup(table, place)
    high = t.const(chance.randrange(8), 3)
    second = t.lookup(table, t.add(t.concat(high, first), place))
    number = chance.choice((*values, 300 & 0xFF))
    conditions = [
        t.eq(t.add(second, first), t.const(number, 8)),
        chance.choice((t.ult(first, second), t.not_(t.eq(first, second)), t.eq(first, second))),
        t.ult(place, t.const(chance.randrange(1, 1 << 11), 11)),
    ]
    can_be = any(
        all(Model({"place": value}, {}).value(each) for each in conditions)
        for value in range(1 << 11)
    )
    answer = asked(conditions)
    if answer is None:
        return
    assert answer.kind == ("sat" if can_be else "unsat")
    if answer.model is not None:
        assert all(answer.model.value(condition) for condition in conditions)
        assert set(answer.model.values) <= {"place"}


def test_a_solver_that_does_not_know_leaves_the_question_open() -> None:
    loose = without_tables([is_number(t.add(byte(FIRST), byte(SECOND)), 14)])
    assert loose is not None
    assert loose.answer(lambda each: unknown(Cause.EFFORT, "too hard")) is None


def test_an_input_that_the_tables_deny_is_no_answer() -> None:
    """A solver that always finds bytes that do not stand there comes to nothing, never to sat."""
    loose = without_tables([is_number(t.add(byte(FIRST), byte(SECOND)), 14)])
    assert loose is not None
    found = {read.name: 7 for _, _, read in loose.bytes}
    wrong = Answer(AnswerKind.SAT, Model({"first": 0, "second": 1, **found}, {}))
    rounds: list[int] = []

    def ask(each: Sequence[t.Term]) -> Answer:
        rounds.append(len(each))
        # where it is fixed what stands at the place, no input is found
        fixed = t.eq(FIRST, t.const(0, 16)) in each
        return Answer(AnswerKind.UNSAT, None) if fixed else wrong

    assert loose.answer(ask) is None
    assert rounds[-1] > rounds[0]  # what stands there was said


def test_two_readers_of_one_table_agree_where_they_read_the_same_place() -> None:
    other = t.add(SECOND, t.const(0, 16))
    loose = without_tables([t.not_(t.eq(byte(FIRST), byte(other))), t.ult(FIRST, SECOND)])
    assert loose is not None
    assert len(loose.bytes) == 2
    assert len(loose.conditions) == 3


@pytest.mark.parametrize(
    ("place", "number", "kind"),
    [(0x5FFF, 7, "sat"), (0x5FFE, 7, "unsat"), (0x5FFF, 9, "unsat")],
)
def test_all_places_of_a_table_are_tried_without_a_formula(
    place: int, number: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> Answer:
        raise AssertionError("a solver is asked")

    monkeypatch.setattr("romproof.symbolic.solve.lookups.Loosened.answer", never)
    high, low = t.var("high", 8), t.var("low", 8)
    pointer = t.concat(high, low)
    conditions = [is_number(byte(pointer), number), t.ult(pointer, t.const(place + 1, 16))]
    answer = Solver().check(conditions)
    assert answer.kind == kind
    if answer.model is not None:
        assert answer.model.value(pointer) == place
