"""Formulas of z3, made by its C functions, and the solvers that take them.

z3's own Python classes take twice as long as its C functions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import z3

from romproof.symbolic.solve.formulas import Formula


class Z3Formulas:
    """The formulas of one context, which belongs to this object; they are pointers of C.

    ``variables`` has those of Python by their names.
    """

    def __init__(self) -> None:
        _keep_freed_memory()
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
            return _solver_of_bits(self.context)
        return z3.SimpleSolver(ctx=self.context)

    def asserter(self, solver: Any) -> Callable[[Formula], None]:
        """What makes a truth hold for a solver."""
        return lambda truth: z3.Z3_solver_assert(self._ref, solver.solver, truth)


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Names of glibc's, see mallopt(3)."""
_KEPT = 256 << 20
"""Bytes that are free and not returned to the system, at most."""
_LARGE = 32 << 20
"""Blocks of more bytes are still returned at once; glibc allows no more than this."""


@cache
def _keep_freed_memory() -> bool:
    """Have this process keep freed memory for the next question; whether the system's C library can
    do so.

    Each question has a context of z3's own, some megabytes that are taken and given back. glibc
    returns them to the system each time, and to take them again, page by page, took longer than
    most questions.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, TypeError, AttributeError):  # not glibc
        return False
    return bool(mallopt(_TRIM_THRESHOLD, _KEPT)) and bool(mallopt(_MMAP_THRESHOLD, _LARGE))


def _solver_of_bits(context: Any) -> Any:
    """A new solver for bits and truths alone: z3's own tactic for QF_BV, without what depends on
    the process.

    z3's "qfbv" passes over one of its steps, the simplification as a graph of ANDs, once the whole
    process has taken more than 300 MB for z3, and its SAT solver keeps less of what it tried
    (``probing_cache``) from 1,024 MB on. So a question's work, and whether its limit was enough,
    depend on other contexts, among them those of questions that were left alone at a deadline. Here
    the step is always taken, and nothing is kept in that place. All else is as in z3's
    src/tactic/smtlogics/qfbv_tactic.cpp, but for a step about divisions that releases from 5.1 on
    have: no formula here has one.
    """

    def step(name: str, **parameters: bool | int) -> Any:
        tactic = z3.Tactic(name, ctx=context)
        return z3.With(tactic, **parameters) if parameters else tactic

    def steps(*tactics: Any) -> Any:
        return z3.Then(*tactics, ctx=context)

    plain = {"flat_and_or": False}
    preamble = steps(
        step("simplify", **plain),
        step("propagate-values", **plain),
        step("solve-eqs", solve_eqs_max_occs=2),
        step("elim-uncnstr"),
        step("reduce-bv-size"),
        step(
            "simplify",
            som=True,
            pull_cheap_ite=True,
            push_ite_bv=False,
            local_ctx=True,
            local_ctx_limit=10_000_000,
            flat=True,
            hoist_mul=False,
            **plain,
        ),
        step("simplify", hoist_mul=True, som=False, **plain),
        step("max-bv-sharing"),
        step("ackermannize_bv"),
    )
    small = z3.With(
        steps(step("simplify"), step("solve-eqs")), local_ctx=True, flat=False, flat_and_or=False
    )
    bits = steps(step("bit-blast"), small, step("aig"), step("sat", probing_cache=False))
    others = z3.Cond(z3.Probe("is-qfbv", ctx=context), bits, step("smt"), ctx=context)
    equations = steps(step("bv1-blast"), step("smt"))
    chosen = z3.Cond(z3.Probe("is-qfbv-eq", ctx=context), equations, others, ctx=context)
    whole = z3.With(steps(preamble, chosen), elim_and=True, push_ite_bv=True, blast_distinct=True)
    return whole.solver()
