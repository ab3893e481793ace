"""A question to the solvers: conditions that may hold at once, in the forms that tactics need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, auto
from functools import cached_property

from romproof.symbolic.solve.answer import Answer, AnswerKind
from romproof.symbolic.solve.effort import Effort, Share
from romproof.symbolic.solve.equations import Known, simplify
from romproof.symbolic.solve.lookups import Loosened, without_tables
from romproof.symbolic.solve.unload import Unloaded, without_arrays
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import Term


class Depth(IntEnum):
    """How far a question goes down the pipeline."""

    EASY = auto()
    """As far as the first attempt of a solver."""
    SHORT = auto()
    """Without what asks further questions, or takes all the effort there is."""
    FULL = auto()


@dataclass(frozen=True)
class Question:
    """Can all ``conditions`` (one bit each) hold at once?

    ``wanted`` are the conditions with what ``known`` has put in (the values of variables that
    follow); None: they contradict each other. Work is taken from ``share``; ``limit`` is that of a
    first attempt, in z3's units, None the usual one.
    """

    conditions: Sequence[Term]
    wanted: Sequence[Term] | None
    known: Known
    share: Share
    limit: int | None = None

    @classmethod
    def of(cls, conditions: Sequence[Term], share: Share) -> Question:
        """The question, simplified."""
        wanted, known = simplify(conditions)
        if wanted is not None and contradict(wanted):
            wanted = None
        return cls(conditions, wanted, known, share)

    @cached_property
    def plain(self) -> Unloaded | None:
        """The question without arrays; None: there are too many."""
        return without_arrays(self.wanted or ())

    @property
    def bits(self) -> Sequence[Term]:
        """The conditions without arrays, or with them where there are too many."""
        return (self.wanted or ()) if self.plain is None else self.plain.conditions

    @cached_property
    def loose(self) -> Loosened | None:
        """``bits`` without large tables; None where there are none."""
        return without_tables(self.bits)

    def easy(self, effort: Effort) -> int:
        """What a first attempt may take, in z3's units."""
        return self.limit or effort.quick

    def complete(self, answer: Answer) -> Answer:
        """The answer to the question of one to ``wanted``: with the values that are known."""
        if answer.model is None:
            return answer
        values, arrays = dict(answer.model.values), answer.model.arrays
        for name, value in reversed(self.known.items()):
            values[name] = Model(values, arrays).value(value)
        return Answer(AnswerKind.SAT, Model(values, arrays))

    def complete_bits(self, answer: Answer | None) -> Answer | None:
        """The same of an answer to ``bits``."""
        if answer is None or answer.model is None or self.plain is None:
            return answer if answer is None else self.complete(answer)
        return self.complete(Answer(AnswerKind.SAT, self.plain.model(answer.model)))


def contradict(conditions: Sequence[Term]) -> bool:
    """Whether one of the conditions is that another does not hold."""
    known = set(conditions)
    return any(t.not_(condition) in known for condition in conditions)
