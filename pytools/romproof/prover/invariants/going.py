"""Iterations that do something, apart from those in which a loop only waits for a port.

The argument stands in the head page: ``romproof.prover.invariants``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from romproof.prover.conditions.waits import find_waiting_cuts
from romproof.prover.exploration.explore import Exploration, Leg, split_leg
from romproof.prover.invariants.quantities import Quantity, quantities
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t


def going_on(exploration: Exploration, oracle: Oracle) -> Exploration:
    """The same where a path back to a cut that reads a port is one on which something moves."""
    places = find_waiting_cuts(exploration)
    if not places:
        return exploration
    every = quantities(exploration.start, exploration.start.contract, exploration)
    legs = [
        _find_moved(leg, oracle, every) if leg.begin == leg.end in places else leg
        for leg in exploration.legs
    ]
    return replace(exploration, legs=tuple(legs))


def _find_moved(leg: Leg, oracle: Oracle, every: Sequence[Quantity]) -> Leg:
    """The part of a leg on which one number moves by the same each time, where on the rest it stays
    what it is; else the leg."""
    for what in every:
        step = t.sub(what.at(leg.at), what.at(leg.first))
        if step.is_const:
            continue
        stays = t.eq(step, t.const(0, step.width))
        path = [*leg.at.path, t.not_(stays)]
        try:
            number = oracle.example(path, t.TRUE, step)
            if number is None or not oracle.possible(leg.at.path, stays):
                continue
            if oracle.always(path, t.eq(step, t.const(number, step.width))) is None:
                return split_leg(leg, t.not_(stays))
        except Undecided:
            continue
    return leg
