"""One question to z3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import z3

from romproof.engine.smt.lower import Lowering
from romproof.engine.smt.node import ARRAY, Term
from romproof.engine.smt.walk import variables as variables_of

Kind = Literal["sat", "unsat", "unknown"]

MOST_FORMULAS = 300_000
"""Formulas that are kept; with more, all are made anew."""

_kept: Lowering | None = None

INTERRUPTED = "interrupted from keyboard"
"""How z3 tells of a Ctrl-C that it took for itself: Python hears nothing of it."""


def ask(
    wanted: Sequence[Term], timeout: float
) -> tuple[Kind, dict[str, int], dict[str, bytes], str]:
    """Can all conditions hold? The kind of the answer, variables and arrays, or a reason.

    Raises KeyboardInterrupt.
    """
    lowering = _lowering()
    context = lowering.context
    lowering.prepare(wanted)
    solver = z3.Solver(ctx=context)
    solver.set("timeout", max(1, int(timeout * 1000)))
    solver.set("random_seed", 1)
    for condition in wanted:
        solver.add(lowering.truth(condition))
    variables = variables_of(wanted)
    solver.add(*lowering.bounds_of(variables))
    result = solver.check()
    if result == z3.unsat:
        return "unsat", {}, {}, ""
    if result != z3.sat:
        if solver.reason_unknown() == INTERRUPTED:
            raise KeyboardInterrupt
        return "unknown", {}, {}, _reason(solver.reason_unknown(), timeout)
    values: dict[str, int] = {}
    arrays: dict[str, bytes] = {}
    model = solver.model()
    for variable in sorted(variables, key=lambda each: each.serial):
        formula = lowering.variables[variable]
        if variable.op == ARRAY:
            arrays[variable.name] = _bytes(model, formula, context)
        elif variable.width == 1:
            values[variable.name] = int(z3.is_true(model.eval(formula, True)))
        else:
            values[variable.name] = model.eval(formula, True).as_long()
    return "sat", values, arrays, ""


def _lowering() -> Lowering:
    """Formulas are kept: most questions are about terms of questions before."""
    global _kept
    if _kept is None or _kept.size > MOST_FORMULAS:
        _kept = Lowering(z3.Context())
    return _kept


def _reason(text: str, timeout: float) -> str:
    if text in ("timeout", "canceled"):
        return f"z3 has no answer within {timeout:.1f} seconds"
    return f"z3 gives up: {text}"


def _bytes(model: Any, formula: Any, context: Any) -> bytes:
    """The bytes of an array: one for all addresses, but for some."""
    value = model.eval(formula, True)
    found: dict[int, int] = {}
    while z3.is_store(value):
        array, address, byte = value.children()
        found.setdefault(address.as_long(), byte.as_long())
        value = array
    if z3.is_const_array(value):
        rest = value.children()[0].as_long()
        data = bytearray([rest]) * 0x10000
        for address, byte in found.items():
            data[address] = byte
        return bytes(data)
    numbers = (z3.BitVecVal(address, 16, context) for address in range(0x10000))
    return bytes(model.eval(formula[number], True).as_long() for number in numbers)
