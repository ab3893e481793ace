"""What conditions say of variables is put in their place before anybody is asked."""

from __future__ import annotations

import pytest

from romproof.engine.smt import term as t
from romproof.engine.smt.known import variables_known
from romproof.engine.smt.solver import Solver
from romproof.engine.smt.term import Term

A, B, C, LOW = (t.var(name, 8) for name in ("a", "b", "c", "low"))


def zero(term: Term) -> Term:
    return t.eq(term, t.const(0, term.width))


def test_bits_that_are_known() -> None:
    aligned = zero(t.extract(LOW, 0, 3))
    even = t.eq(t.extract(LOW, 6, 2), t.const(2, 2))
    assert variables_known([aligned]) == {LOW: t.concat(t.extract(LOW, 3, 5), t.const(0, 3))}
    middle = t.extract(LOW, 3, 3)
    assert variables_known([t.and_(aligned, even)]) == {
        LOW: t.concat(t.const(2, 2), middle, t.const(0, 3))
    }


def test_one_variable_is_made_of_others() -> None:
    found = variables_known([zero(t.xor(A, t.xor(B, C)))])
    assert len(found) == 1
    [(variable, value)] = found.items()
    assert variable in (A, B, C)
    assert t.xor(value, variable) is t.xor(A, t.xor(B, C))


def test_values_are_put_into_each_other() -> None:
    found = variables_known([t.eq(A, B), t.eq(B, C), t.eq(C, t.const(7, 8))])
    assert found == dict.fromkeys((A, B, C), t.const(7, 8))


def test_a_variable_is_not_put_into_itself() -> None:
    assert variables_known([t.eq(A, t.mul(A, B))]) == {}
    assert variables_known([t.not_(t.eq(A, B)), t.ult(A, B)]) == {}


def test_terms_equal_under_conditions_need_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solver, "check", None)
    solver = Solver()
    aligned = [zero(t.extract(LOW, 0, 3))]
    place = t.add(t.concat(A, LOW), t.const(5, 16))
    assert solver.equal(place, t.concat(A, t.add(LOW, t.const(5, 8))), aligned).kind == "unsat"
    assert solver.equal(t.xor(A, B), C, [zero(t.xor(A, t.xor(B, C)))]).kind == "unsat"
