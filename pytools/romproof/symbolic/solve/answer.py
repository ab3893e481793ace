"""What can be answered to a question, and who is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import Term

Kind = Literal["sat", "unsat", "unknown"]


@dataclass(frozen=True, slots=True)
class Answer:
    """sat: there is an input, the ``model``. unsat: there is none. unknown: ``reason`` says why."""

    kind: Kind
    model: Model | None = None
    reason: str = ""


UNSAT = Answer("unsat")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, and the work it took, in the solver's own units."""

    answer: Answer
    work: int


class Asker(Protocol):
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


def gave_up(asker: Asker, limit: int) -> str:
    """The reason of an answer that did not come within the limit."""
    return f"{asker.name} has no answer within {limit:,} {asker.unit}"
