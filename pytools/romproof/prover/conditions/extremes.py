"""Inputs with which loops have the most and the fewest iterations: those that reach the limits of
cycles, where any input is known that does.

What is found is executed, and only what the machine does counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from romproof.prover.conditions.termination import NUMBER_BITS, value_at
from romproof.prover.replay.judge import SPARE, Case
from romproof.symbolic.numbers.integers import SymInt, bits
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms.term import Term


def extremes(case: Case) -> Iterator[tuple[Model, list[Term]]]:
    """Inputs with which the number that decreases in a loop is as great as it can be when the loop
    begins, and as small; each with the terms that it is about. Raises OutOfTime."""
    for number in case.contract.decreases:
        for leg in case.exploration.legs:
            if leg.begin is not None or leg.end not in number.addresses:
                continue
            value, path = value_at(case, number, leg.at), leg.at.path
            if not isinstance(value, SymInt) or (value.high - value.low) >> NUMBER_BITS:
                continue
            term = bits(value - value.low, NUMBER_BITS)
            for find in (case.oracle.most, case.oracle.least):
                with suppress(Undecided):
                    yield find(path, term), [term, *path]


def is_reached(case: Case, cycles: int) -> bool:
    """Whether one of these inputs takes so many cycles when it is executed."""
    with suppress(OutOfTime):
        for model, involved in extremes(case):
            limit = cycles + SPARE
            done = case.run(case.entry, model, involved, case.start.ends, limit=limit)
            if done.stopped and done.cycles == cycles:
                return True
    return False
