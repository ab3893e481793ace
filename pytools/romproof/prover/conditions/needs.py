"""What a call's results depend on, where the call is made.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Iterator

from romproof.symbolic.execute.events import SummaryCall
from romproof.symbolic.solve.frontier_steps import conjuncts
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term


def needs_of(call: SummaryCall) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    """The results of a call, and what each depends on where the call is made."""
    if call.before is None:
        yield from call.results
        return
    known: dict[Term, Term] = {}
    for condition in conjuncts(call.before.path):
        known |= {condition: t.TRUE, t.not_(condition): t.FALSE}
    memo: dict[Term, Term] = {}
    for result, needs in call.results:
        yield result, tuple(t.replace(need, known, memo) for need in needs)
