"""The proof of one routine's contract."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from romproof.contract.model import Contract
from romproof.prove.attempts import attempt
from romproof.prove.case import Case
from romproof.prove.checks import check_all
from romproof.prove.cycles import cycles
from romproof.prove.explore import Exploration, explore
from romproof.prove.results import CycleProof, Finding, RoutineProof, Verdict
from romproof.prove.start import Program, input_bounds, start_of
from romproof.prove.view import terms_of
from romproof.symbolic.execute.events import Unfinished
from romproof.symbolic.execute.executor import Lemma
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.solve.solver import Solver

TIMEOUT = 60.0
"""Seconds for a routine unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to prove: ``timeout`` in seconds for each routine; ``loose``: limits of cycles need not
    be reached. Values of more than ``keeping`` terms are forgotten, if it is given: that is enough
    for contracts of long computations, and quicker. ``told`` hears of progress: instructions
    executed so far."""

    timeout: float = TIMEOUT
    loose: bool = False
    keeping: int | None = None
    told: Callable[[int], None] = field(default=lambda count: None)


@dataclass(frozen=True)
class Explored:
    """A routine after symbolic execution: what further proofs start from."""

    found: Exploration = field(repr=False)
    case: Case = field(repr=False)


def explore_routine(
    program: Program,
    contract: Contract,
    address: int,
    options: Options,
    lemmas: Mapping[int, Lemma],
    ends: Sequence[int] = (),
) -> Explored:
    """All ways through a routine, or to one of ``ends``. Raises Unfinished and Undecided."""
    deadline = time.monotonic() + options.timeout
    bounds = input_bounds(program, contract)
    start = start_of(program, contract, address, bounds, ends)

    def oracle_for(entry: State) -> Oracle:
        assumed = terms_of(contract.requires, program.abi, entry, entry)
        return Oracle(Solver(options.timeout), assumed, deadline)

    found = explore(
        start,
        bounds,
        oracle_for,
        lemmas=lemmas,
        deadline=deadline,
        told=options.told,
        keeping=options.keeping,
    )
    return Explored(found, Case(found, oracle_for(found.entry)))


def prove_routine(
    program: Program,
    contract: Contract,
    address: int,
    options: Options,
    lemmas: Mapping[int, Lemma],
    ends: Sequence[int] = (),
) -> tuple[RoutineProof, Explored | None]:
    """What can be said of a contract; also the exploration, if there was a whole one.

    ``ends`` are where a piece of code ends that is no routine.
    """
    begun = time.monotonic()
    explored: Explored | None = None
    limits: CycleProof | None = None
    try:
        explored = explore_routine(program, contract, address, options, lemmas, ends)
        findings = [_returns(explored), *check_all(explored.case)]
        if contract.cycles is not None or not contract.places:
            finding, limits = cycles(
                explored.case, contract.cycles, options.loose, contract.constant_cycles
            )
            findings.append(finding)
    except Unfinished as stop:
        where = program.image.describe(stop.pc)
        findings = [Finding("can be followed", Verdict.UNKNOWN, f"{where}: it {stop.reason}")]
    except Undecided as stop:
        findings = [Finding("can be followed", Verdict.UNKNOWN, stop.reason)]
    if findings[0].verdict is Verdict.UNKNOWN and not ends:
        tried = attempt(program, contract, address)
        findings += [tried] if tried is not None else []
    return (
        RoutineProof(
            contract.name,
            tuple(findings),
            limits,
            time.monotonic() - begun,
            tuple(condition.text for condition in contract.requires),
        ),
        explored,
    )


def _returns(explored: Explored) -> Finding:
    if explored.found.invariants:
        return Finding("comes back only where it was called", Verdict.PROVED)
    return Finding("returns, for every input", Verdict.PROVED)
