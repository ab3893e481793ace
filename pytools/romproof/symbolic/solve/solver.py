"""Whether conditions can hold, and whether terms are equal: by trying inputs, then by z3."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from romproof.symbolic.solve.equations import Known, simplified
from romproof.symbolic.solve.sweep import Sweep
from romproof.symbolic.solve.trials import Trials, all_inputs
from romproof.symbolic.solve.unload import unloaded
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, VAR, Term
from romproof.symbolic.terms.sample import evaluate
from romproof.symbolic.terms.walk import in_order, variables
from romproof.text.errors import MissingExtra

if TYPE_CHECKING:
    from romproof.symbolic.solve.ask import Asker

__all__ = ["Answer", "Model", "Solver", "need_z3"]

EFFORT = 300_000
"""For a first attempt: some tenths of a second."""
TRIALS = 64
"""Inputs that are tried before z3 is asked."""
MOST_VALUES = 1 << 27
"""Values of terms that are worked out to try all inputs."""


@dataclass(frozen=True, slots=True)
class Answer:
    """sat: there is an input, the ``model``. unsat: there is none. unknown: ``reason`` says why."""

    kind: Literal["sat", "unsat", "unknown"]
    model: Model | None = None
    reason: str = ""


UNSAT = Answer("unsat")


def need_z3() -> None:
    """Raises MissingExtra when there is no z3."""
    try:
        import romproof.symbolic.solve.ask  # noqa: F401  # imports it
    except ImportError:
        raise MissingExtra('a proof needs z3: pip install "romproof[prove]"') from None


class Solver:
    """Answers questions, each within ``timeout`` seconds.

    Raises MissingExtra without z3, when it is needed, and KeyboardInterrupt.
    """

    def __init__(self, timeout: float = 60.0) -> None:
        self.timeout = timeout
        self.trials = Trials(TRIALS)
        self._asker: Asker | None = None

    @property
    def asker(self) -> Asker:
        """z3."""
        if self._asker is None:
            need_z3()
            from romproof.symbolic.solve.ask import Asker

            self._asker = Asker()
        return self._asker

    def check(self, conditions: Iterable[Term], timeout: float | None = None) -> Answer:
        """Can all conditions (one bit each) hold at once?"""
        end = time.monotonic() + (self.timeout if timeout is None else timeout)
        wanted, known = simplified(conditions)
        if wanted is None or contradictory(wanted):
            return UNSAT
        answer = self.quick(wanted)
        if answer.kind == "unknown":
            answer = self._thorough(wanted, end)
        if answer.model is None:
            return answer
        return Answer("sat", _completed(answer.model, known))

    def equal(
        self, a: Term, b: Term, assuming: Iterable[Term] = (), timeout: float | None = None
    ) -> Answer:
        """Can two terms differ where all of ``assuming`` holds? unsat: they are equal."""
        end = time.monotonic() + (self.timeout if timeout is None else timeout)
        if a is b:
            return UNSAT
        assumed = list(assuming)
        wanted, known = simplified([*assumed, t.not_(t.eq(a, b))])
        if wanted is None or contradictory(wanted):
            return UNSAT
        answer = self.quick(wanted)
        if answer.model is not None:
            return Answer("sat", _completed(answer.model, known))
        if answer.kind == "unknown":
            a, b = self._together(a, b, assumed, end)
            answer = self.check([*assumed, t.not_(t.eq(a, b))], end - time.monotonic())
        return answer

    def _together(self, a: Term, b: Term, assumed: Sequence[Term], end: float) -> tuple[Term, Term]:
        """Two terms brought closer to each other."""
        left, known = simplified(assumed)
        if left is None:
            return a, a
        for name, value in known.items():
            named = [v for v in variables([a, b]) if v.name == name and v.op is VAR]
            memo: dict[Term, Term] = {}
            a, b = (t.replace(term, dict.fromkeys(named, value), memo) for term in (a, b))
        return Sweep(self, left, end).together(a, b)

    def quick(self, wanted: Sequence[Term], effort: int = EFFORT) -> Answer:
        """As ``check``, of conditions none of which is constant; unknown unless it is easy.

        ``effort`` is in z3's own units; unlike a time it means the same on all machines.
        """
        holds = self.trials.holding(wanted)
        if holds.any():
            return Answer("sat", self.trials.model(wanted, int(np.flatnonzero(holds)[0])))
        plain = unloaded(wanted)
        if plain is None:
            return Answer("unknown", None, "it has too many arrays")
        kind, model = self.asker.quick(plain.conditions, effort)
        if model is not None:
            model = plain.model(model)
        return Answer(kind, model, "it is not easy" if kind == "unknown" else "")

    def _thorough(self, wanted: list[Term], end: float) -> Answer:
        """The same for what is not easy."""
        plain = unloaded(wanted)
        conditions = wanted if plain is None else plain.conditions
        answer = _by_all_inputs(conditions)
        if answer is None:
            left = max(0.001, end - time.monotonic())
            answer = Answer(*self.asker.thorough(conditions, left, plain is None))
        if plain is None or answer.model is None:
            return answer
        return Answer("sat", plain.model(answer.model))


def contradictory(conditions: Sequence[Term]) -> bool:
    """Whether one of the conditions is that another does not hold."""
    known = set(conditions)
    return any(t.not_(condition) in known for condition in conditions)


def _completed(model: Model, known: Known) -> Model:
    """The model with the values of the variables that are known."""
    values = dict(model.values)
    for name, value in reversed(known.items()):
        values[name] = Model(values, model.arrays).value(value)
    return Model(values, model.arrays)


def _by_all_inputs(wanted: Sequence[Term]) -> Answer | None:
    """The answer by trying every input; None when there are too many."""
    free = variables(wanted)
    inputs = None if any(term.op is ARRAY for term in free) else all_inputs(free)
    if inputs is None:
        return None
    count = sum(1 for term in in_order(wanted) if term.width)
    if count * inputs.count > MOST_VALUES or any(term.width > 64 for term in in_order(wanted)):
        return None
    for values in inputs.rows():
        holds = values[""] == values[""]
        for value in evaluate(wanted, values):
            holds &= value != 0
        if holds.any():
            number = int(np.flatnonzero(holds)[0])
            found = {term.name: int(values[term.name][number]) for term in free}
            return Answer("sat", Model(found))
    return UNSAT
