"""Terms: values of fixed width that may depend on unknown inputs.

Each function gives the simplest term it knows for a value; equal terms are one object, so
that ``is`` compares them. What is not equal as a term may still be equal as a value: that is
for ``romproof.symbolic.solve.solver`` to find out.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import romproof.symbolic.terms.rule_table  # noqa: F401  # the terms are simplified by it
from romproof.symbolic.terms.choice import ite
from romproof.symbolic.terms.compare import eq, ult
from romproof.symbolic.terms.logic import and_, not_, or_, xor
from romproof.symbolic.terms.node import FALSE, TRUE, Term, const, var
from romproof.symbolic.terms.remainder import rem
from romproof.symbolic.terms.sample import evaluate
from romproof.symbolic.terms.slices import concat, extract, zext
from romproof.symbolic.terms.sums import add, mul, sub
from romproof.symbolic.terms.tables import array_ite, array_var, load, lookup, store
from romproof.symbolic.terms.walk import in_order, replace, transplant, variables

__all__ = [
    "FALSE",
    "TRUE",
    "Term",
    "add",
    "all_of",
    "and_",
    "array_ite",
    "array_var",
    "concat",
    "const",
    "eq",
    "evaluate",
    "extract",
    "in_order",
    "ite",
    "load",
    "lookup",
    "mul",
    "not_",
    "or_",
    "rem",
    "replace",
    "store",
    "sub",
    "transplant",
    "ult",
    "var",
    "variables",
    "xor",
    "zext",
]


def all_of(conditions: Iterable[Term]) -> Term:
    """Whether all conditions (one bit each) hold."""
    return reduce(and_, conditions, TRUE)
