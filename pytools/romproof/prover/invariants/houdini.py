"""The greatest set of candidates that every leg keeps up.

The argument stands in the head page: ``romproof.prover.invariants``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from romproof.contract.nouns.expr import All, Condition
from romproof.prover.exploration.cut_points import cut_at
from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case
from romproof.prover.states.view import for_any
from romproof.symbolic.solve.effort import Share
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t

Candidates = Mapping[int, Sequence[Condition]]
"""Conditions by the address of the loop's head."""

MAX_ROUNDS = 30
"""How often everything is executed anew."""
_PART = 10
"""What part of a claim's effort may be spent on all candidates together, before each is judged by
itself, and on whether one follows from others, which only makes for shorter lines."""


def find_inductive(
    candidates: Candidates, explored: Callable[[Candidates], Case]
) -> tuple[dict[int, list[Condition]], Case] | None:
    """What is left of candidates, with the legs on which it is kept up; None where it took too
    many rounds. ``explored`` executes the routine with some of them as invariants. Raises what
    that raises."""
    left = {place: list(conditions) for place, conditions in candidates.items()}
    for _ in range(MAX_ROUNDS):
        case = explored(left)
        changed = False
        for place, conditions in left.items():
            for leg in case.exploration.legs_to(place):
                kept = _keep(case, leg, place, conditions)
                changed = changed or len(kept) < len(conditions)
                conditions[:] = kept
        if not changed:
            return left, case
    return None


def _keep(case: Case, leg: Leg, place: int, conditions: Sequence[Condition]) -> list[Condition]:
    """Those that hold where a leg arrives."""
    entry = case.entry
    claims = [(one, for_any(one, case.abi, leg.at, entry)) for one in conditions]
    while claims:
        try:
            every = t.all_of(claim for _, claim in claims)
            model = case.oracle.always(leg.at.path, every, _share(case))
        except Undecided:
            return _prove_each(case, leg, place, claims)
        if model is None:
            break
        left = [(one, claim) for one, claim in claims if model.value(claim)]
        if len(left) == len(claims):
            return _prove_each(case, leg, place, claims)
        claims = left
    return [one for one, _ in claims]


def _prove_each(
    case: Case, leg: Leg, place: int, claims: Sequence[tuple[Condition, t.Term]]
) -> list[Condition]:
    """Those that hold where a leg arrives, each by itself, the shorter ones first.

    What follows from others that hold, wherever the loop is, holds there too: of two pointers that
    move together the second's distance needs no work with what a leg makes of both.
    """
    anywhere = _anywhere(case, place, [one for one, _ in claims])
    kept: list[Condition] = []
    known: list[t.Term] = []
    for one, claim in sorted(claims, key=lambda each: len(each[0].text)):
        term = anywhere.get(id(one))
        follows = term is not None and bool(known) and case.oracle.holds(known, term, _share(case))
        if follows or case.oracle.holds(leg.at.path, claim):
            kept.append(one)
            known += [] if term is None else [term]
    return [one for one, _ in claims if one in kept]


def drop_implied(case: Case, place: int, conditions: Sequence[Condition]) -> list[Condition]:
    """Conditions without those that follow from others at a cut: together they say as much.

    Those on cells of arrays are compared one with another, the others with all that are left. The
    longer ones are asked first whether they follow.
    """
    left = list(conditions)
    terms = _anywhere(case, place, left)
    if not terms:
        return left
    for one in sorted(conditions, key=lambda each: -len(each.text)):
        of_cells = isinstance(one.expression, All)
        others = [
            terms[id(each)]
            for each in left
            if each is not one and isinstance(each.expression, All) is of_cells
        ]
        sets = [[each] for each in others] if of_cells else [others]
        if any(case.oracle.holds(each, terms[id(one)], _share(case)) for each in sets):
            left = [each for each in left if each is not one]
    return left


def _anywhere(case: Case, place: int, conditions: Sequence[Condition]) -> dict[int, t.Term]:
    """What conditions say of any state at a loop's head, by their ids; {} where it is not cut."""
    cut = case.exploration.cuts.get(place)
    if cut is None:
        return {}
    # the variables of the cut itself have the limits that the conditions give them
    free = cut_at(case.start, case.entry, cut.arrived, place, ()).state
    return {id(one): for_any(one, case.abi, free, case.entry) for one in conditions}


def _share(case: Case) -> Share:
    """A part of the work for one claim, where it is as well if nothing comes of it."""
    return case.oracle.solver.effort.share().part(_PART)
