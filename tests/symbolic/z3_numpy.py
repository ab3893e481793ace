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


Formula = tuple[Any, Any]
"""A context and a formula in it, as z3's C interface has them: z3's classes for Python read the
sort of every formula that they hand out, which takes longer than what is done with it here."""


def _children(formula: Formula) -> list[Formula]:
    context, it = formula
    if z3.Z3_get_ast_kind(context, it) != z3.Z3_APP_AST:
        return []
    number = z3.Z3_get_app_num_args(context, it)
    return [(context, z3.Z3_get_app_arg(context, it, each)) for each in range(number)]


def _node(formula: Formula) -> Node:
    context, it = formula
    sort = z3.Z3_get_sort(context, it)
    sort_kind = z3.Z3_get_sort_kind(context, sort)
    is_array, is_truth = sort_kind == z3.Z3_ARRAY_SORT, sort_kind == z3.Z3_BOOL_SORT
    width = 0 if is_array or is_truth else z3.Z3_get_bv_sort_size(context, sort)
    if z3.Z3_get_ast_kind(context, it) == z3.Z3_NUMERAL_AST:
        return Node("value", width, number=int(z3.Z3_get_numeral_string(context, it)))
    decl = z3.Z3_get_app_decl(context, it)
    kind = z3.Z3_get_decl_kind(context, decl)
    if kind == z3.Z3_OP_UNINTERPRETED:
        name = z3.Z3_get_symbol_string(context, z3.Z3_get_decl_name(context, decl))
        return Node("variable", width, name, 0, is_array, is_truth)
    if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
        return Node("value", number=kind == z3.Z3_OP_TRUE, is_truth=True)
    low = z3.Z3_get_decl_int_parameter(context, decl, 1) if kind == z3.Z3_OP_EXTRACT else 0
    return Node(_OPS[kind], width, "", low, is_array, is_truth)


SYNTAX = Syntax(lambda each: z3.Z3_get_ast_id(*each), _children, _node)
