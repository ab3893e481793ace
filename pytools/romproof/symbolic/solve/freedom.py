"""Conditions on single bits of which no other speaks: those can always be satisfied.

A model that goes through a number bit by bit asks of each whether it may be set; most are free.
"""

from __future__ import annotations

from collections.abc import Iterable

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import EXTRACT, VAR, Term


def without_free_bits(conditions: Iterable[Term]) -> list[Term]:
    """Conditions that can hold together just if all of the given ones can."""
    bits: dict[Term, Term] = {}
    others: list[Term] = []
    for condition in conditions:
        variable = _variable(condition)
        if variable is None:
            others.append(condition)
        else:
            bits[condition] = variable
    bound = {variable for c, variable in bits.items() if t.not_(c) in bits} | t.variables(others)
    names = {variable.name for variable in bound}
    return [*others, *(each for each, variable in bits.items() if variable.name in names)]


def _variable(condition: Term) -> Term | None:
    """The variable of which a condition is one bit, or one bit inverted, if it may be anything."""
    for bit in (condition, t.not_(condition)):
        variable = bit.args[0] if bit.op is EXTRACT else bit
        if variable.op is VAR and not variable.low and variable.high == (1 << variable.width) - 1:
            return variable
    return None
