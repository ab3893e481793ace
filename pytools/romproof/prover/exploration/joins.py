"""Ways that met again, asked about one by one.

The argument stands in the head page: ``romproof.prover.exploration``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import AND, EQ, ITE, LOAD, XOR
from romproof.symbolic.terms.term import Term
from romproof.symbolic.terms.walk import in_order

MAX = 3
"""Conditions by which ways are told apart."""
SHORT = 100
"""Terms of a condition that is quick to decide with others."""

Way = tuple[list[Term], list[Term]]
"""A path, each condition for itself, and terms as they are there."""


def split_ways(path: Sequence[Term], terms: Sequence[Term], left: int = MAX) -> Iterator[Way]:
    """A path and terms, for each way apart: what holds on all of them holds on the path."""
    apart = list(conjuncts(path))
    choice = next((each for each in in_order(terms) if each.op is ITE and not each.width), None)
    if choice is None or not left:
        yield apart, list(terms)
        return
    condition = choice.args[0]
    if condition.op is XOR and len(condition.args) == 2 and condition.args[1] is t.TRUE:
        condition = condition.args[0]
    for holds in (t.TRUE, t.FALSE):
        memo: dict[Term, Term] = {}
        known = condition if holds is t.TRUE else t.not_(condition)
        put = [t.replace(each, {condition: holds}, memo) for each in (*apart, *terms)]
        here = [known, *put[: len(apart)]]
        if t.FALSE not in here:
            yield from split_ways(here, put[len(apart) :], left - 1)


def conjuncts(path: Sequence[Term]) -> Iterator[Term]:
    """The conditions that hold when all of a path do, as many as there are."""
    for each in path:
        if each.op is AND:
            yield from conjuncts(each.args)
        else:
            yield each


def select_short(path: Sequence[Term]) -> list[Term]:
    """Those of a path that are quick to decide: short ones, that say what bytes of arrays are or
    nothing of them. Often they are enough, and what follows from some follows from all."""
    return [each for each in path if _is_plain(each)]


def _is_plain(condition: Term) -> bool:
    inside = list(islice(in_order([condition]), SHORT + 1))
    if len(inside) > SHORT:
        return False
    return condition.op in (EQ, XOR) or not any(each.op is LOAD for each in inside)
