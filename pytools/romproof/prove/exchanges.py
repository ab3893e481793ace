"""Is an object in the end what it was, in another order? It is if all that happened to it were
exchanges of two bytes."""

from __future__ import annotations

from collections.abc import Iterator

from romproof.engine.smt import term as t
from romproof.engine.smt.layout import Object
from romproof.engine.smt.node import ITE, STORE
from romproof.engine.smt.term import Term
from romproof.prove.case import Case, Claim
from romproof.prove.explore import Leg
from romproof.prove.results import Finding


def rearranges(case: Case, name: str) -> Finding:
    """That the object ``name`` keeps its bytes, in whatever order, on each leg.

    What holds on each leg holds from the entry to the return.
    """
    which = next(each for each in case.found.start.layout.objects if each.name == name)

    def claims() -> Iterator[Claim]:
        for leg in case.found.legs:
            yield from _exchanges(leg, which)

    return case.judge(f"only exchanges bytes of {name}: it stays a permutation", claims())


def _exchanges(leg: Leg, which: Object) -> Iterator[Claim]:
    """That the object is made of the one at the leg's beginning by exchanges."""
    before = leg.first.memory.copy().array(which)
    waiting, seen = [leg.at.memory.copy().array(which)], set[Term]()
    while waiting:
        array = waiting.pop()
        if array is before or array in seen:
            continue
        seen.add(array)
        if array.op == ITE:
            waiting += array.args[1:]
        elif array.op == STORE and array.args[0].op == STORE:
            middle, second, late = array.args
            first, one, early = middle.args
            broken = f"{which.name} gets a byte that it did not have"
            yield Claim(broken, leg.at.path, t.eq(early, t.load(first, second)), leg)
            yield Claim(broken, leg.at.path, t.eq(late, t.load(first, one)), leg)
            waiting.append(first)
        else:
            yield Claim(f"{which.name} changes otherwise than by exchanges", leg.at.path, t.FALSE)
