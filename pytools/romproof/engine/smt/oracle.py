"""Questions about states: can this be, and for which input? Cheap means come first."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from romproof.engine.smt import term as t
from romproof.engine.smt.solver import Answer, Model, Solver
from romproof.engine.smt.term import Term


class Undecided(Exception):
    """The solver gave up; ``reason`` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Oracle:
    """Answers under ``assumptions``, which always hold, with a solver's help.

    An answer once found is kept. After ``deadline`` (as time.monotonic() has it) there are none.
    """

    def __init__(
        self,
        solver: Solver,
        assumptions: Sequence[Term] = (),
        deadline: float = float("inf"),
    ) -> None:
        self.solver = solver
        self.assumptions = tuple(assumptions)
        self.deadline = deadline
        self._answers: dict[frozenset[Term], Answer] = {}
        self.questions = 0

    def ask(self, conditions: Iterable[Term]) -> Answer:
        """Whether all conditions can hold, and a model if so."""
        wanted = [c for c in conditions if c is not t.TRUE]
        if t.FALSE in wanted:
            return Answer("unsat", None, "")
        key = frozenset(wanted)
        found = self._answers.get(key)
        if found is None:
            self.questions += 1
            left = self.deadline - time.monotonic()
            if left <= 0:
                return Answer("unknown", None, "there was no time left for it")
            timeout = min(left, self.solver.timeout)
            found = self.solver.check([*self.assumptions, *wanted], timeout)
            self._answers[key] = found
        return found

    def equal(self, a: Term, b: Term, path: Sequence[Term]) -> Answer:
        """Whether two terms can differ on the path: unsat when they are equal."""
        left = self.deadline - time.monotonic()
        if left <= 0 and a is not b:
            return Answer("unknown", None, "there was no time left for it")
        self.questions += 1
        return self.solver.equal(a, b, [*self.assumptions, *path])

    def possible(self, path: Sequence[Term], condition: Term) -> bool:
        """Whether the condition can hold on the path; what nobody knows can."""
        if condition.is_const:
            return bool(condition.number)
        return self.ask([*path, condition]).kind != "unsat"

    def always(self, path: Sequence[Term], condition: Term) -> Model | None:
        """None when the condition holds on the path for all inputs, else one for which it does not.

        Raises Undecided.
        """
        answer = self.ask([*path, t.not_(condition)])
        if answer.kind == "unknown":
            raise Undecided(answer.reason)
        return answer.model

    def example(self, path: Sequence[Term], when: Term, wanted: Term) -> int | None:
        """A value that a term can have on the path when ``when`` holds; None: there is no way.

        Raises Undecided.
        """
        answer = self.ask([*path, when])
        if answer.kind == "unknown":
            raise Undecided(answer.reason)
        return None if answer.model is None else answer.model.value(wanted)

    def extremes(self, path: Sequence[Term], wanted: Term) -> tuple[Model, Model]:
        """Models in which a term is least and greatest on a path that exists.

        Raises Undecided.
        """
        return self._extreme(path, wanted, -1), self._extreme(path, wanted, 1)

    def _extreme(self, path: Sequence[Term], wanted: Term, sign: int) -> Model:
        answer = self.ask(path)
        if answer.model is None:
            raise Undecided(answer.reason or "no input comes here")
        best, value = answer.model, answer.model.value(wanted)
        bound = wanted.high if sign > 0 else wanted.low
        # ask for the bound first, then for half of what is left: few questions
        while value != bound:
            target = bound
            while True:
                number = t.const(target, wanted.width)
                reaches = t.ult(wanted, number) if sign > 0 else t.ult(number, wanted)
                answer = self.ask([*path, t.not_(reaches)])
                if answer.kind == "unknown":
                    raise Undecided(answer.reason)
                if answer.model is not None:
                    best, value = answer.model, answer.model.value(wanted)
                    break
                bound = target - sign  # nothing is at the target or beyond
                if bound == value:
                    return best
                target = (bound + value + (sign > 0)) // 2
        return best
