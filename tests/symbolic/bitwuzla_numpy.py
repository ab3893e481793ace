"""Bitwuzla's formulas as ``formula_numpy`` reads them."""

from __future__ import annotations

from typing import Any

import pytest
from formula_numpy import Node, Syntax

bitwuzla = pytest.importorskip("bitwuzla", reason="formulas are those of Bitwuzla")
Kind = bitwuzla.Kind

_OPS: dict[Any, str] = {
    Kind.ARRAY_STORE: "store",
    Kind.ARRAY_SELECT: "load",
    Kind.ITE: "choice",
    Kind.BV_CONCAT: "concat",
    Kind.BV_EXTRACT: "extract",
    Kind.BV_ZERO_EXTEND: "widened",
    Kind.NOT: "not",
    Kind.BV_NOT: "invert",
    Kind.AND: "and",
    Kind.XOR: "unlike",
    Kind.EQUAL: "equal",
    Kind.BV_ULT: "less",
    Kind.BV_AND: "bits and",
    Kind.BV_XOR: "bits xor",
    Kind.BV_ADD: "plus",
    Kind.BV_SUB: "minus",
    Kind.BV_MUL: "times",
}


def _node(formula: Any) -> Node:
    kind, sort = formula.kind(), formula.sort()
    is_array, is_truth = sort.is_array(), sort.is_bool()
    width = 0 if is_array or is_truth else sort.bv_size()
    if kind == Kind.CONSTANT:
        return Node("variable", width, formula.symbol(), 0, is_array, is_truth)
    if kind == Kind.VALUE:
        number = formula.is_true() if is_truth else int(formula.value(10))
        return Node("value", width, "", number, is_array, is_truth)
    low = formula.indices()[1] if kind == Kind.BV_EXTRACT else 0
    return Node(_OPS[kind], width, "", low, is_array, is_truth)


SYNTAX = Syntax(lambda each: each.id(), lambda each: each.children(), _node)
