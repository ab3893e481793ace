"""How z3 works on bits: its own tactic for QF_BV, without what depends on the process.

z3's "qfbv" passes over one of its steps, the simplification as a graph of ANDs, once the whole
process has taken more than 300 MB for z3, and its SAT solver keeps less of what it tried
(``probing_cache``) from 1,024 MB on. So a question's work, and whether its limit was enough, depend
on other contexts, among them those of questions that were left alone at a deadline. Here the step
is always taken, and nothing is kept in that place. All else is as in z3's
src/tactic/smtlogics/qfbv_tactic.cpp, but for a step about divisions that releases from 5.1 on
have: no formula here has one.
"""

from __future__ import annotations

from typing import Any

import z3


def solver_of_bits(context: Any) -> Any:
    """A new solver for bits and truths alone."""

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
