"""Questions to z3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import z3

from romproof.symbolic.solve.lower import Lowering
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, Term

Kind = Literal["sat", "unsat", "unknown"]

INTERRUPTED = "interrupted from keyboard"
"""How z3 tells of a Ctrl-C that it took for itself: Python hears nothing of it."""

MOST_FORMULAS = 300_000
"""Formulas that are kept; with more, all are made anew."""


class Asker:
    """All questions share one context and their formulas: a new one takes longer than most
    questions. All raise KeyboardInterrupt."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.lowering = Lowering(self.context)

    def quick(self, wanted: Sequence[Term], effort: int) -> tuple[Kind, Model | None]:
        """Can all conditions hold? unknown unless that is easy to say."""
        if self.lowering.size > MOST_FORMULAS:
            self.lowering = Lowering(self.context)
        solver = z3.SimpleSolver(ctx=self.context)
        solver.set("rlimit", effort)
        kind, model, _ = _ask(solver, self.lowering, wanted)
        return kind, model

    def thorough(
        self, wanted: Sequence[Term], timeout: float, has_arrays: bool
    ) -> tuple[Kind, Model | None, str]:
        """The same within a time in seconds; with a reason when it is unknown."""
        if has_arrays:
            solver = z3.SimpleSolver(ctx=self.context)
        else:
            solver = z3.SolverFor("QF_BV", ctx=self.context)
        solver.set("timeout", max(1, int(timeout * 1000)))
        lowering = Lowering(self.context)
        if not lowering.prepare(wanted):
            lowering = self.lowering
        kind, model, reason = _ask(solver, lowering, wanted)
        if reason in ("timeout", "canceled"):
            reason = f"z3 has no answer within {timeout:.1f} seconds"
        return kind, model, reason


def _ask(solver: Any, lowering: Lowering, wanted: Sequence[Term]) -> tuple[Kind, Model | None, str]:
    for condition in wanted:
        solver.add(lowering.truth(condition))
    solver.add(*lowering.bounds_of(wanted))
    result = solver.check()
    if result == z3.unsat:
        return "unsat", None, ""
    if result == z3.sat:
        return "sat", _model(solver.model(), lowering, wanted), ""
    reason = solver.reason_unknown()
    if reason == INTERRUPTED:
        raise KeyboardInterrupt
    return "unknown", None, reason


def _model(found: Any, lowering: Lowering, wanted: Sequence[Term]) -> Model:
    values: dict[str, int] = {}
    arrays: dict[str, bytes] = {}
    for variable in lowering.variables_of(wanted):
        value = found.eval(lowering.variables[variable], True)
        if variable.op is ARRAY:
            arrays[variable.name] = _bytes(found, lowering.variables[variable], value)
        elif variable.width == 1:
            values[variable.name] = int(z3.is_true(value))
        else:
            values[variable.name] = value.as_long()
    return Model(values, arrays)


def _bytes(model: Any, cells: Any, value: Any) -> bytes:
    """The bytes of an array: one for all addresses, but for some."""
    found: dict[int, int] = {}
    while z3.is_store(value):
        array, address, byte = value.children()
        found.setdefault(address.as_long(), byte.as_long())
        value = array
    if z3.is_const_array(value):
        data = bytearray([value.children()[0].as_long()]) * 0x10000
        for place, byte in found.items():
            data[place] = byte
        return bytes(data)
    numbers = (z3.BitVecVal(address, 16, cells.ctx) for address in range(0x10000))
    return bytes(model.eval(cells[number], True).as_long() for number in numbers)
