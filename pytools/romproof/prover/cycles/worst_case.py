"""The most cycles of a call, from why its loops end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from romproof.prover.conditions.termination import Step
from romproof.prover.exploration.explore import Leg, ProgramPoint


def find_most_cycles(
    steps: Sequence[Step], legs: Sequence[Leg], most: Mapping[int, int]
) -> int | None:
    """The most cycles of any path from the entry along the legs; None where there is no limit.

    ``most`` has those of each leg, by its number in ``legs``.
    """
    cost = {id(leg): most[number] for number, leg in enumerate(legs)}
    return _find_longest(None, list(legs), steps, cost, {})


def _find_longest(
    source: ProgramPoint,
    legs: Sequence[Leg],
    steps: Sequence[Step],
    cost: Mapping[int, int],
    known: dict[ProgramPoint, int | None],
) -> int | None:
    """The most cycles of a walk from a place along legs, in which circles end by their steps."""
    if source not in known:
        known[source] = _walk(source, legs, steps, cost, known)
    return known[source]


def _walk(
    source: ProgramPoint,
    legs: Sequence[Leg],
    steps: Sequence[Step],
    cost: Mapping[int, int],
    known: dict[ProgramPoint, int | None],
) -> int | None:
    step = next((each for each in steps if source in each.places), None)
    inside = 0 if step is None else _bound_circle(step, cost)
    if inside is None:
        return None
    most = 0
    for leg in legs:
        leaves = leg.begin == source if step is None else leg.begin in step.places
        if leaves and (step is None or leg.end not in step.places):
            rest = _find_longest(leg.end, legs, steps, cost, known)
            if rest is None:
                return None
            most = max(most, cost[id(leg)] + rest)
    return inside + most


def _bound_circle(step: Step, cost: Mapping[int, int]) -> int | None:
    """The most cycles that are spent in a circle."""
    if step.times is None:
        return None
    free = [leg for leg in step.legs if not any(leg is each for each in step.limited)]
    known: dict[ProgramPoint, int | None] = {}
    walk = 0
    for place in sorted(step.places):
        one = _find_longest(place, free, step.inner, cost, known)
        if one is None:
            return None
        walk = max(walk, one)
    return walk + step.times * (max((cost[id(leg)] for leg in step.limited), default=0) + walk)
