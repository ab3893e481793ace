"""Is an object in the end what it was, in another order? It is if all that happened to it were
exchanges of two bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import Finding
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ITE, STORE
from romproof.symbolic.terms.term import Term


@dataclass(frozen=True)
class Rearrangement:
    """What is exchanged on one path through a leg, on which all of ``path`` holds.

    ``places`` are the two addresses of each exchange, the last exchange first.
    """

    path: tuple[Term, ...]
    places: tuple[tuple[Term, Term], ...]


def rearranges(case: Case, name: str) -> Finding:
    """That the object ``name`` keeps its bytes, in whatever order, on each leg.

    What holds on each leg holds from the entry to the return.
    """
    which = _object(case, name)

    def claims() -> Iterator[Claim]:
        for leg in case.legs:
            yield from _exchanges(leg, which)

    return case.judge(StatementKind.MODEL, Property.PERMUTATION(name=name), claims())


def _exchanges(leg: Leg, which: MemoryObject) -> Iterator[Claim]:
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
            broken = Reason.NEW_BYTE(name=which.name)
            yield Claim(broken, leg.at.path, t.eq(early, t.load(first, second)), leg)
            yield Claim(broken, leg.at.path, t.eq(late, t.load(first, one)), leg)
            waiting.append(first)
        else:
            yield Claim(Reason.NO_EXCHANGE(name=which.name), leg.at.path, t.FALSE)


def rearrangements(case: Case, leg: Leg, name: str) -> Iterator[Rearrangement]:
    """What is exchanged of the object ``name``, which a leg only rearranges, and when."""
    which = _object(case, name)
    before = leg.first.memory.copy().array(which)
    waiting = [(leg.at.memory.copy().array(which), Rearrangement(leg.at.path, ()))]
    while waiting:
        array, done = waiting.pop()
        if array is before:
            yield done
        elif array.op == ITE:
            when, then, otherwise = array.args
            waiting.append((then, Rearrangement((*done.path, when), done.places)))
            waiting.append((otherwise, Rearrangement((*done.path, t.not_(when)), done.places)))
        else:
            middle, second, _ = array.args
            first, one, _ = middle.args
            waiting.append((first, Rearrangement(done.path, (*done.places, (one, second)))))


def _object(case: Case, name: str) -> MemoryObject:
    return next(each for each in case.start.layout.objects if each.name == name)
