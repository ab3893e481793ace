"""What a call's results depend on, where the call is made.

Of a callee by its contract each result is a new variable, with the terms that it is a function of.
Some of these are choices: of memory that is written on one path and not on another, or that a
callee before fills if it leaves a flag clear. Where the path to the call says which, they are what
is chosen there. Nothing else has to be the same in two runs: if both make the call they are on its
path, and if one does not, nothing depends there on what the call would have given.
"""

from __future__ import annotations

from collections.abc import Iterator

from romproof.symbolic.execute.events import Call
from romproof.symbolic.solve.frontier_steps import conjuncts
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term


def needs_of(call: Call) -> Iterator[tuple[Term, tuple[Term, ...]]]:
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
