"""Whether a sum of addresses stays in its page is a matter of what is added to the page alone.

The argument stands in the head page: ``romproof.prover.exploration``.
"""

from __future__ import annotations

from collections.abc import Sequence

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import EQ, EXTRACT, SUM
from romproof.symbolic.terms.term import Term


def drop_pages(terms: Sequence[Term]) -> list[Term]:
    """Terms in which no page is asked about that makes no difference."""
    found: dict[Term, Term] = {}
    for term in t.in_order(terms):
        if term.op is EQ:
            one, other = term.args
            stays = _stays(one, other) or _stays(other, one)
            if stays is not None:
                found[term] = stays
    memo: dict[Term, Term] = {}
    return [t.replace(term, found, memo) for term in terms] if found else list(terms)


def _stays(page: Term, after: Term) -> Term | None:
    """One bit: is a page that after the sum? None where it is no such question."""
    if after.op is not EXTRACT or after.args[0].op is not SUM:
        return None
    total, low = after.args[0], after.number
    factors = dict(zip(total.args, total.factors, strict=True))
    if total.width != low + page.width or factors.pop(page, 0) != 1 << low:
        return None
    rest = t.const(total.number, total.width)
    for term, factor in factors.items():
        wide = t.zext(term, total.width)
        rest = t.add(rest, t.mul(wide, t.const(factor, total.width)))
    return t.eq(t.extract(rest, low, page.width), t.const(0, page.width))
