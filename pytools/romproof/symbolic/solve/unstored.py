"""Sums over cells of an array of which one was written, as the sum before and what it gained.

With c over constant addresses that follow each other,

    sum of a'[c]  =  sum of a[c] + (v - a[p] if p is one of them, else 0)      a' is a with v at p

modulo the sum's width: each address is met once. So a limit of the sum before is of use, where it
would have to be found anew for each place that p can be: a hand with one tile more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.linear import Factors
from romproof.symbolic.terms.node import CONST, LOAD, STORE, SUM, Term
from romproof.symbolic.terms.sums import total
from romproof.symbolic.terms.walk import in_order, rebuild

LEAST = 4
"""Cells of a sum, for it to be worth it."""


def undo_stores_in_sums(conditions: Iterable[Term]) -> list[Term] | None:
    """The same conditions with such sums in the place of others; None where there are none."""
    conditions = list(conditions)
    done: dict[Term, Term] = {}
    for term in in_order(conditions):
        args = tuple(done[arg] for arg in term.args)
        same = all(new is old for new, old in zip(args, term.args, strict=True))
        here = term if same else rebuild(term, args)
        done[term] = _before(here) if here.op is SUM else here
    found = [done[condition] for condition in conditions]
    changed = any(new is not old for new, old in zip(found, conditions, strict=True))
    return found if changed else None


def _before(whole: Term) -> Term:
    """A sum with the cells as they were before they were written, as far back as that goes."""
    while whole.op is SUM and (group := _group(whole)):
        array, factor, cells = group
        below, place, value = array.args
        first = min(cells)
        width = whole.width
        inside = t.ult(t.sub(place, t.const(first, 16)), t.const(len(cells), 16))
        work = [
            (each, arg)
            for arg, each in _factors(whole).items()
            if not (_is_cell(arg, array) and arg.args[1].number in cells)
        ]
        work += [(factor, t.load(below, t.const(cell, 16))) for cell in cells]
        for sign, byte in ((factor, value), (-factor, t.load(below, place))):
            work.append((sign, t.ite(inside, byte, t.const(0, 8))))
        whole = total(width, work, whole.number)
    return whole


def _is_cell(arg: Term, array: Term) -> bool:
    """Whether it is a cell of the array at an address that is known."""
    return arg.op is LOAD and arg.args[0] is array and arg.args[1].op is CONST


def _factors(whole: Term) -> Factors:
    return dict(zip(whole.args, whole.factors, strict=True))


def _group(whole: Term) -> tuple[Term, int, Sequence[int]] | None:
    """An array that was written, a factor, and the addresses of its cells that have it in a sum,
    without a gap."""
    groups: dict[tuple[Term, int], list[int]] = {}
    for arg, factor in _factors(whole).items():
        if arg.op is LOAD and arg.args[0].op is STORE and arg.args[1].op is CONST:
            groups.setdefault((arg.args[0], factor), []).append(arg.args[1].number)
    for (array, factor), cells in groups.items():
        if len(cells) >= LEAST and max(cells) - min(cells) == len(cells) - 1:
            return array, factor, cells
    return None
