"""Inputs at the ends of what is required, for routines of which no term says what a run does from
its beginning to its end; and what runs of them take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import CycleClaim
from romproof.prover.conditions.extremes import extremes
from romproof.prover.conditions.termination import Ending, ending, truth_of
from romproof.prover.cycles.bounds import limits
from romproof.prover.infer.addresses import Need
from romproof.prover.infer.settings import expression_of
from romproof.prover.invariants.samples import inputs
from romproof.prover.replay.judge import Case
from romproof.prover.replay.run import LIMIT, ReplayInputs, execute, inputs_of
from romproof.prover.results import CycleProof
from romproof.prover.states.entry import register_name
from romproof.prover.states.view import number_of
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

MAX_CYCLES = 1_000_000
"""What one run may take: a loop over all memory has some 60,000 iterations."""
_MAX_ASKED = 240
"""Sets of conditions for which an input is looked for."""
_FOR_CYCLES = 0.2
"""The part of the time that is left for limits of cycles that runs reach."""
_MAX_MEASURED = 2_000_000
"""Cycles that all runs together may take that are only made to see what they take."""


def inputs_at_ends(case: Case, needs: Sequence[Need]) -> Iterator[ReplayInputs]:
    """Inputs with which loops have the most and the fewest iterations; those at the ends of what is
    required, alone and two at a time, on each way that leads to a loop or past all; and others."""
    for model, involved in extremes(case):
        yield inputs_of(case.start, case.entry, model, involved)
    ends = list(_ends(case, needs))
    both = [(*one, *two) for one, two in combinations(ends, 2)]
    first = [tuple(leg.at.path) for leg in case.exploration.legs if leg.begin is None]
    ways = first if len(first) > 1 else [()]
    asked = (
        (*conditions, *way)
        for conditions, way in (*product(ends, ways), *product(both, ways))
        if t.FALSE not in (*conditions, *way)
    )
    for conditions in islice(asked, _MAX_ASKED):
        try:
            answer = case.oracle.ask(conditions)
        except Undecided:
            continue
        if answer.model is not None:
            yield inputs_of(case.start, case.entry, answer.model, conditions)
    yield from inputs(case.exploration, case.oracle)


def _ends(case: Case, needs: Sequence[Need]) -> Iterator[tuple[Term, ...]]:
    """None, then conditions with which an input, or a requirement's expression, is at an end."""
    yield ()
    for item in case.contract.inputs:
        if isinstance(item, MemoryRange):
            continue
        value = case.entry.get(register_name(case.abi, item))
        if value.is_const or value.width != 8:
            continue
        for number in (0, 1, 0xFF):
            yield (t.eq(value, t.const(number, 8)),)
    for need in needs:
        expression = expression_of(need, case.contract.requires)
        if expression is not None:
            value = number_of(expression, case.abi, case.entry, case.entry)
            for end in (need.low, need.high):
                yield (truth_of(value == end),)


def cycles_of(case: Case, needs: Sequence[Need]) -> CycleClaim | None:
    """The cycles of a routine with loops that are cut: such as runs show, where these are the
    limits, else such as follow from the most of each iteration."""
    try:
        ends = ending(case)
        known = limits(case, (None, None), ends)
    except Undecided:
        return None
    if known.least is None:
        return None
    found = None if known.most is None else _find_exact_cycles(case, needs, ends, known)
    return found or (known.least, known.most)


def _find_exact_cycles(
    case: Case, needs: Sequence[Need], ends: Ending, known: CycleProof
) -> tuple[int, int] | None:
    """The cycles that runs show, if no run takes fewer or more."""
    solver = case.oracle.solver
    whole = solver.deadline
    solver.until(whole.share(_FOR_CYCLES))
    try:
        seen = _measure_cycles(case, needs)
        if seen is None or seen == (known.least, known.most):
            return seen
        found = limits(case, seen, ends)
        return seen if (found.least, found.most) == seen else None
    except (Undecided, OutOfTime):
        return None
    finally:
        solver.until(whole)


def _measure_cycles(case: Case, needs: Sequence[Need]) -> tuple[int, int] | None:
    """The fewest and the most cycles of some runs; None without any."""
    seen: set[int] = set()
    spent = 0
    for given in inputs_at_ends(case, needs):
        if spent > _MAX_MEASURED:
            break
        case.oracle.solver.deadline.check()
        done = execute(case.start, given, case.start.ends, max(LIMIT, MAX_CYCLES))
        spent += done.cycles
        if done.stopped:
            seen.add(done.cycles)
    return (min(seen), max(seen)) if seen else None
