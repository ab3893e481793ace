"""Two solvers: who is asked when, and what becomes of it when they do not say the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest
from smt_hard import HARD, X, Y
from smt_terms import all_inputs
from test_smt_solver import conditions_of

from romproof.symbolic.solve import backends
from romproof.symbolic.solve.answer import Answer, AnswerKind, Reply, unknown
from romproof.symbolic.solve.backends import SolversDisagree, find_bitwuzla
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.effort import BITWUZLA, Z3, Effort
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.solve.sweep import Sweep
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause
from romproof.text.errors import MissingExtra

pytest.importorskip("z3", reason="z3 is one of them")

EFFORT = Effort(quick=7, thorough=900, witness=60)
GOOD = Model({"x": 0x12345679, "y": 1})
BAD = Model({"x": 2, "y": 3})


class Told:
    """Says what it is told to say: in quick questions, and in thorough ones."""

    def __init__(
        self, name: str, quick: AnswerKind, thorough: AnswerKind, model: Model = GOOD
    ) -> None:
        self.name = name
        self.unit = "words"
        self.model = model
        self.kinds = (AnswerKind(quick), AnswerKind(thorough))
        self.asked: list[tuple[int, bool]] = []

    def ask(
        self, conditions: Sequence[Term], limit: int, deadline: Deadline, thorough: bool
    ) -> Reply:
        self.asked.append((limit, thorough))
        kind = self.kinds[thorough]
        if kind == "unknown":
            why = f"{self.name} is tired after {limit} {self.unit}"
            return Reply(unknown(Cause.EFFORT, why), 1)
        return Reply(Answer(kind, self.model if kind == "sat" else None), 1)


def both(first: Told, second: Told, cross: bool = False) -> Answer:
    return Solver(EFFORT, cross=cross, first=first, second=second).check([HARD])


def test_the_second_is_asked_where_the_first_give_up() -> None:
    first = Told(Z3, "unknown", "unknown")
    second = Told(BITWUZLA, "unknown", "unsat")
    assert both(first, second).kind == "unsat"
    assert (first.asked, second.asked) == ([(7, False), (900, True)], [(60, True)])


def test_the_second_is_not_asked_where_the_first_knows() -> None:
    for kinds in (("unsat", "unknown"), ("unknown", "unsat")):
        second = Told(BITWUZLA, "sat", "sat")
        assert both(Told(Z3, *kinds), second).kind == "unsat"
        assert not second.asked


def test_the_reason_names_both() -> None:
    answer = both(Told(Z3, "unknown", "unknown"), Told(BITWUZLA, "unknown", "unknown"))
    assert answer.kind == "unknown"
    assert str(answer.reason) == "z3 is tired after 900 words; Bitwuzla is tired after 60 words"


def test_the_first_is_alone_without_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "find_bitwuzla", lambda: None)
    answer = Solver(EFFORT, first=Told(Z3, "unknown", "unknown")).check([HARD])
    assert str(answer.reason) == "z3 is tired after 900 words"
    with pytest.raises(MissingExtra, match=r'pip install "romproof\[bitwuzla\]"'):
        Solver(EFFORT, cross=True)


@pytest.mark.parametrize("kind", ["sat", "unsat"])
def test_both_have_to_say_it(kind: AnswerKind) -> None:
    for quick in ("unknown", kind):
        first, second = Told(Z3, quick, kind), Told(BITWUZLA, "unknown", kind)
        assert both(first, second, cross=True).kind == kind
        assert second.asked == [(60, True)]


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(("one", "other"), [("sat", "unsat"), ("unsat", "sat")])
def test_who_is_wrong_is_found_out(quick: bool, one: AnswerKind, other: AnswerKind) -> None:
    first = Told(Z3, one if quick else "unknown", one)
    with pytest.raises(SolversDisagree) as caught:
        both(first, Told(BITWUZLA, other, other), cross=True)
    assert caught.value.answers == ((Z3, one), (BITWUZLA, other))
    assert f"z3 says {one}, Bitwuzla says {other}" in str(caught.value)
    assert "fault of the prover" in str(caught.value)
    assert sorted(caught.value.question.splitlines()[:2]) == ["; v0: y", "; v1: x"]
    assert "(check-sat)" in caught.value.question


@pytest.mark.parametrize("wrong", [0, 1])
def test_an_input_that_is_none_is_found_out(wrong: int) -> None:
    models = [BAD, GOOD] if wrong == 0 else [GOOD, BAD]
    told = [Told(n, "sat", "sat", m) for n, m in zip((Z3, BITWUZLA), models, strict=True)]
    with pytest.raises(SolversDisagree, match="says sat, with an input that does not satisfy"):
        both(*told, cross=True)


@pytest.mark.parametrize("kind", ["sat", "unsat"])
def test_one_who_gives_up_leaves_it_open(kind: AnswerKind) -> None:
    answer = both(Told(Z3, kind, kind), Told(BITWUZLA, "unknown", "unknown"), cross=True)
    assert answer.kind == "unknown"
    told = f"not both have an answer: z3 says {kind}; Bitwuzla is tired after 60 words"
    assert str(answer.reason) == told
    answer = both(Told(Z3, "unknown", "unknown"), Told(BITWUZLA, kind, kind), cross=True)
    told = f"not both have an answer: z3 is tired after 900 words; Bitwuzla says {kind}"
    assert (answer.kind, str(answer.reason)) == ("unknown", told)


def test_a_wrong_pair_of_a_sweep_is_found_out() -> None:
    product = t.mul(X, Y)
    one, other = t.xor(X, product), t.sub(t.or_(X, product), t.and_(X, product))
    assert one is not other
    first, second = Told(Z3, "unsat", "unsat"), Told(BITWUZLA, "unsat", "unsat")
    solver = Solver(EFFORT, cross=True, first=first, second=second)
    assert len(set(Sweep(solver, [], EFFORT.share()).together(one, other))) == 1
    assert len(second.asked) == len(first.asked) > 0
    wrong = Solver(EFFORT, cross=True, first=first, second=Told(BITWUZLA, "sat", "sat"))
    with pytest.raises(SolversDisagree):
        Sweep(wrong, [], EFFORT.share()).together(one, other)


# ---------------------------------------------------------------- the real ones


def test_bitwuzla_answers_what_z3_does_not() -> None:
    pytest.importorskip("bitwuzla")
    effort = Effort(quick=1, pair=1, thorough=1, values=1)
    never = [t.ult(X, Y), t.ult(Y, t.mul(X, t.const(1, 32)))]
    assert Solver(effort).check([*never, t.ult(t.const(5, 32), X)]).kind == "unsat"
    answer = Solver(effort).check([HARD, t.ult(X, Y), t.ult(t.const(1, 32), X)])
    assert answer.model is not None
    assert answer.model.value(HARD)


def test_bitwuzla_knows_arrays() -> None:
    pytest.importorskip("bitwuzla")
    backend = find_bitwuzla()
    assert backend is not None
    array, at, to = t.array_var("m"), t.var("at", 16), t.var("to", 16)
    stored = t.store(array, at, t.const(7, 8))
    differ = [t.not_(t.eq(t.load(stored, to), t.load(array, to)))]
    reply = backend.ask(differ, 1000, Deadline(), True)
    assert reply.answer.model is not None
    assert all(map(reply.answer.model.value, differ))
    same = [*differ, t.not_(t.eq(at, to))]
    assert backend.ask(same, 1000, Deadline(), True).answer.kind == "unsat"


@pytest.mark.parametrize("seed", range(10))
def test_both_agree_with_trying_all_inputs(seed: int) -> None:
    pytest.importorskip("bitwuzla")
    maker = all_inputs(seed + 7000)
    known = maker.make(60)
    oracle = Oracle(Solver(Effort(values=1), cross=True))
    for _ in range(8):
        conditions, holds = conditions_of(maker, known)
        answer = oracle.ask(conditions)
        assert answer.kind in ("unknown", "sat" if holds.any() else "unsat"), conditions


def test_without_bitwuzla_z3_is_enough() -> None:
    program = (
        "import sys; sys.modules['bitwuzla'] = None\n"
        "import importlib.util; find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name: None if name == 'bitwuzla' else find(name)\n"
        "from romproof.symbolic.terms import term as t\n"
        "from romproof.symbolic.solve.solver import Solver\n"
        "a, b = t.var('a', 8), t.var('b', 8)\n"
        "print(Solver().check([t.ult(a, b), t.ult(b, a)]).kind)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "unsat\n"
