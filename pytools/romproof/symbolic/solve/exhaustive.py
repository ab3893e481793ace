"""Whether conditions can hold, by trying every input: where there are few enough."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from romproof.symbolic.solve.answer import UNSAT, Answer, AnswerKind
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.trials import all_inputs
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, Term
from romproof.symbolic.terms.sample import evaluate
from romproof.symbolic.terms.walk import in_order, variables

WIDEST = 64
"""Bits of terms that are worked out many at once."""


def by_all_inputs(wanted: Sequence[Term], most: int, deadline: Deadline) -> Answer | None:
    """The answer; None when it would take more than ``most`` values of terms.

    Raises OutOfTime.
    """
    free = variables(wanted)
    inputs = None if any(term.op is ARRAY for term in free) else all_inputs(free)
    if inputs is None:
        return None
    terms = [term for term in in_order(wanted) if term.width]
    if len(terms) * inputs.count > most or any(term.width > WIDEST for term in terms):
        return None
    for values in inputs.rows():
        deadline.check()
        holds = values[""] == values[""]
        for value in evaluate(wanted, values):
            holds &= value != 0
        if holds.any():
            number = int(np.flatnonzero(holds)[0])
            return Answer(
                AnswerKind.SAT, Model({t.name: int(values[t.name][number]) for t in free})
            )
    return UNSAT
