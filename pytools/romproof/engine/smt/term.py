"""Terms: values of fixed width that may depend on unknown inputs.

Each function gives the simplest term it knows for a value; equal terms are one object, so
that ``is`` compares them. What is not equal as a term may still be equal as a value: that is
for ``romproof.engine.smt.solver`` to find out.
"""

from __future__ import annotations

from romproof.engine.smt.choice import ite
from romproof.engine.smt.compare import eq, ult
from romproof.engine.smt.logic import and_, not_, or_, xor
from romproof.engine.smt.node import FALSE, TRUE, Term, const, var
from romproof.engine.smt.remainder import rem
from romproof.engine.smt.sample import evaluate
from romproof.engine.smt.slices import concat, extract, zext
from romproof.engine.smt.sums import add, mul, sub
from romproof.engine.smt.tables import array_ite, array_var, load, lookup, store
from romproof.engine.smt.walk import in_order, replace, variables

__all__ = [
    "FALSE",
    "TRUE",
    "Term",
    "add",
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
    "ult",
    "var",
    "variables",
    "xor",
    "zext",
]
