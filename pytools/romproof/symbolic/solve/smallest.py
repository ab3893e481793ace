"""A small input in place of any: people see at once what matters."""

from __future__ import annotations

import time
from collections.abc import Sequence

from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import VAR
from romproof.symbolic.terms.term import Term

SECONDS = 3.0
"""The time it may take."""


def smallest(oracle: Oracle, conditions: Sequence[Term], model: Model) -> Model:
    """A model of the conditions in which each variable, in the order of their names, is as small
    as it can be. Where time runs out, the rest is as in ``model``."""
    deadline = time.monotonic() + SECONDS
    known = list(conditions)
    variables = sorted(
        (v for v in t.variables(conditions) if v.op == VAR), key=lambda variable: variable.name
    )
    for variable in variables:
        low, high = variable.low, model.value(variable)
        while low < high and time.monotonic() < deadline:
            # nothing at all is what is best to see, so that is asked for first
            middle = low if low == variable.low else (low + high) // 2
            most = t.const(middle, variable.width)
            answer = oracle.ask([*known, t.not_(t.ult(most, variable))])
            if answer.model is None:
                low = middle + 1
            else:
                model = answer.model
                high = model.value(variable)
        known.append(t.eq(variable, t.const(model.value(variable), variable.width)))
    return model
