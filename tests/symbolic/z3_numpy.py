"""z3's formulas as ``formula_numpy`` reads them."""

from __future__ import annotations

from typing import Any

import pytest
from formula_numpy import Node, Syntax

z3 = pytest.importorskip("z3", reason="formulas are those of z3")

_OPS: dict[int, str] = {
    z3.Z3_OP_STORE: "store",
    z3.Z3_OP_SELECT: "load",
    z3.Z3_OP_ITE: "choice",
    z3.Z3_OP_CONCAT: "concat",
    z3.Z3_OP_EXTRACT: "extract",
    z3.Z3_OP_ZERO_EXT: "widened",
    z3.Z3_OP_NOT: "not",
    z3.Z3_OP_BNOT: "invert",
    z3.Z3_OP_BNEG: "negative",
    z3.Z3_OP_AND: "and",
    z3.Z3_OP_OR: "or",
    z3.Z3_OP_XOR: "unlike",
    z3.Z3_OP_EQ: "equal",
    z3.Z3_OP_ULT: "less",
    z3.Z3_OP_ULEQ: "less or equal",
    z3.Z3_OP_UGT: "more",
    z3.Z3_OP_UGEQ: "more or equal",
    z3.Z3_OP_BAND: "bits and",
    z3.Z3_OP_BOR: "bits or",
    z3.Z3_OP_BXOR: "bits xor",
    z3.Z3_OP_BADD: "plus",
    z3.Z3_OP_BSUB: "minus",
    z3.Z3_OP_BMUL: "times",
    z3.Z3_OP_BUREM: "remainder",
}


def _node(formula: Any) -> Node:
    decl = formula.decl()
    kind = decl.kind()
    is_array, is_truth = z3.is_array(formula), z3.is_bool(formula)
    width = 0 if is_array or is_truth else formula.size()
    if kind == z3.Z3_OP_UNINTERPRETED:
        return Node("variable", width, decl.name(), 0, is_array, is_truth)
    if kind == z3.Z3_OP_BNUM:
        return Node("value", width, number=formula.as_long())
    if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
        return Node("value", number=kind == z3.Z3_OP_TRUE, is_truth=True)
    low = decl.params()[1] if kind == z3.Z3_OP_EXTRACT else 0
    return Node(_OPS[kind], width, "", low, is_array, is_truth)


SYNTAX = Syntax(lambda each: each.get_id(), lambda each: each.children(), _node)
