"""Who answers when Python asks a symbolic number for a value: ``if``, ``list[...]``, ``range``."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol

from romproof.symbolic.numbers.ranged import Ranged
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.terms.term import Term


class Decider(Protocol):
    """What runs a Python function on symbolic numbers."""

    def truth(self, condition: Term) -> bool:
        """Whether a condition of one bit holds, on the way that is followed."""

    def value(self, number: Ranged) -> int:
        """What a number is, on the way that is followed."""


DECIDER: ContextVar[Decider | None] = ContextVar("DECIDER", default=None)
"""The one that runs now."""


def is_running() -> bool:
    """Whether a model is run."""
    return DECIDER.get() is not None


def decide(condition: Term) -> bool:
    """Whether a condition of one bit holds. Raises NotSymbolic when no model runs."""
    if condition.is_const:
        return bool(condition.number)
    return _running("a truth value").truth(condition)


def one_value(number: Ranged) -> int:
    """One of the values of a number. Raises NotSymbolic when no model runs, or for too many."""
    if number.low == number.high:
        return number.low
    return _running("a value").value(number)


def _running(what: str) -> Decider:
    decider = DECIDER.get()
    if decider is None:
        raise NotSymbolic(f"a symbolic number has {what} only in the run of a model")
    return decider
