"""What can be answered to a question, and who is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from romproof.symbolic.solve.deadline import Deadline, NoAnswer
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import Term
from romproof.text.cause import Cause
from romproof.text.messages import Message


class AnswerKind(StrEnum):
    """Whether all conditions of a question can hold at once."""

    SAT = "sat"
    """There is an input."""
    UNSAT = "unsat"
    """There is none."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Answer:
    """SAT: ``model`` is an input. UNKNOWN: ``cause`` and ``reason`` say why."""

    kind: AnswerKind
    model: Model | None = None
    cause: Cause | None = None
    reason: Message | None = None


UNSAT = Answer(AnswerKind.UNSAT)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and the work it took, in the solver's own units."""

    answer: Answer
    work: int


class Backend(Protocol):
    """A solver. What it says depends on the question and the limit alone: on no name, no question
    before, no clock."""

    @property
    def name(self) -> str:
        """How people call it."""
        ...

    @property
    def unit(self) -> str:
        """What its work is counted in, as a plural."""
        ...

    def ask(
        self, conditions: Sequence[Term], limit: int, deadline: Deadline, thorough: bool
    ) -> Reply:
        """Whether all conditions (one bit each) can hold at once; unknown past ``limit``.

        What is ``thorough`` takes longer to begin and comes further. Raises OutOfTime and
        KeyboardInterrupt.
        """
        ...


def unknown(cause: Cause, reason: Message) -> Answer:
    """No answer, and why."""
    return Answer(AnswerKind.UNKNOWN, None, cause, reason)


def give_up(backend: Backend, limit: int, why: str = "") -> Answer:
    """No answer within the limit; ``why`` is what else the solver says of it."""
    data = {"solver": backend.name, "limit": limit, "unit": backend.unit}
    if why:
        return unknown(Cause.EFFORT, NoAnswer.WITHIN_EFFORT_BECAUSE(**data, why=why))
    return unknown(Cause.EFFORT, NoAnswer.WITHIN_EFFORT(**data))
