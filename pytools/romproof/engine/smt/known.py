"""What conditions say of variables: that they, or some of their bits, are something else.

With that put in their place, terms that are equal under the conditions are often one object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from romproof.engine.smt.logic import xor
from romproof.engine.smt.node import AND, CONST, EQ, EXTRACT, VAR, XOR, Term
from romproof.engine.smt.slices import concat, extract
from romproof.engine.smt.walk import replace, variables


def variables_known(conditions: Iterable[Term]) -> dict[Term, Term]:
    """Variables, with what they are where all conditions (one bit each) hold.

    The terms for them have none of the variables, but for other bits of the same one.
    """
    found: dict[Term, Term] = {}
    for condition in conditions:
        for part in condition.args if condition.op is AND else (condition,):
            if part.op is not EQ:
                continue
            told = next(_told(replace(part, found)), None)
            if told is not None:
                step = dict([told])
                found = {each: replace(term, step) for each, term in found.items()}
                found.setdefault(*told)
    return found


def _told(condition: Term) -> Iterator[tuple[Term, Term]]:
    """Variables that a condition gives a value; only one of them can be put."""
    if condition.op is not EQ:
        return
    one, other = condition.args
    if one.op is XOR and other.op is CONST:
        for arg in one.args:
            yield from _put(arg, xor(xor(one, arg), other))
        return
    yield from _put(one, other)
    yield from _put(other, one)


def _put(place: Term, value: Term) -> Iterator[tuple[Term, Term]]:
    """A variable, or one of which some bits are known, and what it is."""
    whole = place.args[0] if place.op is EXTRACT else place
    if whole.op is not VAR or whole in variables([value]):
        return
    parts = [value]
    end = place.number + place.width if place.op is EXTRACT else whole.width
    if end < whole.width:
        parts.insert(0, extract(whole, end, whole.width - end))
    if end > place.width:
        parts.append(extract(whole, 0, end - place.width))
    yield whole, concat(*parts)
