"""One question to z3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import z3

from romproof.engine.smt.lower import Lowering
from romproof.engine.smt.node import ARRAY, Term

Kind = Literal["sat", "unsat", "unknown"]

INTERRUPTED = "interrupted from keyboard"
"""How z3 tells of a Ctrl-C that it took for itself: Python hears nothing of it."""


def ask(
    wanted: Sequence[Term], timeout: float
) -> tuple[Kind, dict[str, int], dict[str, bytes], str]:
    """Can all conditions hold? The kind of the answer, variables and arrays, or a reason.

    Raises KeyboardInterrupt.
    """
    context = z3.Context()
    lowering = Lowering(context)
    lowering.prepare(wanted)
    solver = z3.Solver(ctx=context)
    solver.set("timeout", max(1, int(timeout * 1000)))
    solver.set("random_seed", 1)
    for condition in wanted:
        solver.add(lowering.truth(condition))
    solver.add(*lowering.bounds)
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
    for variable, formula in lowering.variables.items():
        if variable.op == ARRAY:
            arrays[variable.name] = _bytes(model, formula, context)
        elif variable.width == 1:
            values[variable.name] = int(z3.is_true(model.eval(formula, True)))
        else:
            values[variable.name] = model.eval(formula, True).as_long()
    return "sat", values, arrays, ""


def _reason(text: str, timeout: float) -> str:
    if text in ("timeout", "canceled"):
        return f"no answer within {timeout:g} seconds"
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
        return bytes(found.get(address, rest) for address in range(0x10000))
    numbers = (z3.BitVecVal(address, 16, context) for address in range(0x10000))
    return bytes(model.eval(formula[number], True).as_long() for number in numbers)
