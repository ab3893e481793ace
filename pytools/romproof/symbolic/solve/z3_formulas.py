"""Formulas of z3, made by its C functions: its own Python classes take twice as long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3

from romproof.symbolic.solve.formulas import Formula
from romproof.symbolic.solve.heap import keep_freed_memory
from romproof.symbolic.solve.z3_tactic import solver_of_bits


class Z3Formulas:
    """The formulas of one context, which belongs to this object; they are pointers of C.

    ``variables`` has those of Python by their names.
    """

    def __init__(self) -> None:
        keep_freed_memory()
        self.context = z3.Context()
        self.variables: dict[str, Any] = {}
        self._ref = self.context.ref()
        self._sorts: dict[int, Any] = {}
        self._numbers: dict[tuple[int, int], Formula] = {}

    def _keep(self, formula: Formula) -> Formula:
        # until the context goes, and then all at once
        z3.Z3_inc_ref(self._ref, formula)
        return formula

    def _sort(self, width: int) -> Any:
        sort = self._sorts.get(width)
        if sort is None:
            sort = self._sorts[width] = z3.BitVecSort(width, self.context)
        return sort

    def number(self, value: int, width: int) -> Formula:
        key = (value, width)
        numeral = self._numbers.get(key)
        if numeral is None:
            made = z3.Z3_mk_numeral(self._ref, str(value), self._sort(width).ast)
            numeral = self._numbers[key] = self._keep(made)
        return numeral

    def truth(self, value: bool) -> Formula:
        return self._keep((z3.Z3_mk_true if value else z3.Z3_mk_false)(self._ref))

    def variable(self, name: str, width: int) -> Formula:
        if not width:
            made = z3.Array(name, self._sort(16), self._sort(8))
        elif width == 1:
            made = z3.Bool(name, self.context)
        else:
            made = z3.Const(name, self._sort(width))
        self.variables[name] = made
        return made.as_ast()

    def opposite(self, truth: Formula) -> Formula:
        return self._keep(z3.Z3_mk_not(self._ref, truth))

    def every(self, truths: Sequence[Formula]) -> Formula:
        array = (z3.Ast * len(truths))(*truths)
        return self._keep(z3.Z3_mk_and(self._ref, len(truths), array))

    def unlike(self, one: Formula, other: Formula) -> Formula:
        return self._keep(z3.Z3_mk_xor(self._ref, one, other))

    def same(self, one: Formula, other: Formula) -> Formula:
        return self._keep(z3.Z3_mk_eq(self._ref, one, other))

    def less(self, one: Formula, other: Formula) -> Formula:
        return self._keep(z3.Z3_mk_bvult(self._ref, one, other))

    def choice(self, condition: Formula, then: Formula, otherwise: Formula) -> Formula:
        return self._keep(z3.Z3_mk_ite(self._ref, condition, then, otherwise))

    def invert(self, bits: Formula) -> Formula:
        return self._keep(z3.Z3_mk_bvnot(self._ref, bits))

    def both(self, one: Formula, other: Formula) -> Formula:
        return self._keep(z3.Z3_mk_bvand(self._ref, one, other))

    def differing(self, one: Formula, other: Formula) -> Formula:
        return self._keep(z3.Z3_mk_bvxor(self._ref, one, other))

    def plus(self, one: Formula, other: Formula) -> Formula:
        return self._keep(z3.Z3_mk_bvadd(self._ref, one, other))

    def minus(self, one: Formula, other: Formula) -> Formula:
        return self._keep(z3.Z3_mk_bvsub(self._ref, one, other))

    def times(self, one: Formula, other: Formula) -> Formula:
        return self._keep(z3.Z3_mk_bvmul(self._ref, one, other))

    def concat(self, parts: Sequence[Formula]) -> Formula:
        joined = parts[0]
        for part in parts[1:]:
            joined = self._keep(z3.Z3_mk_concat(self._ref, joined, part))
        return joined

    def cut(self, bits: Formula, low: int, width: int) -> Formula:
        return self._keep(z3.Z3_mk_extract(self._ref, low + width - 1, low, bits))

    def zero_extend(self, bits: Formula, more: int) -> Formula:
        return self._keep(z3.Z3_mk_zero_ext(self._ref, more, bits))

    def store(self, array: Formula, address: Formula, byte: Formula) -> Formula:
        return self._keep(z3.Z3_mk_store(self._ref, array, address, byte))

    def load(self, array: Formula, address: Formula) -> Formula:
        return self._keep(z3.Z3_mk_select(self._ref, array, address))

    def solver(self, thorough: bool) -> Any:
        """A new solver; the thorough one is for bits and truths alone."""
        if thorough:
            return solver_of_bits(self.context)
        return z3.SimpleSolver(ctx=self.context)

    def asserter(self, solver: Any) -> Callable[[Formula], None]:
        """What makes a truth hold for a solver."""
        return lambda truth: z3.Z3_solver_assert(self._ref, solver.solver, truth)
