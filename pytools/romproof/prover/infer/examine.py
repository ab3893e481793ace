"""A routine explored without a contract: what it reads, changes and costs, and what that needs.

Symbolic execution begins with no memory that the routine may touch; what it touches all the same is
reported, becomes an object, and it is tried again. An index without bounds gets some: those with
which it stays in the variable at its base, or a pointer in one area of memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Reason
from romproof.prover.infer.collected import Collected
from romproof.prover.infer.draft import Draft
from romproof.prover.infer.growth import Grown, Growth
from romproof.prover.infer.loops import examine_loops
from romproof.prover.infer.obstacles import NoContract, Obstacle, ObstacleKind, of_unfinished
from romproof.prover.infer.passed import watch_lemmas
from romproof.prover.infer.subject import Subject
from romproof.prover.invariants.heads import loop_at
from romproof.prover.routines.routine import ProofOptions, ProofTask, Vacuous, explore_routine
from romproof.symbolic.execute.events import DeadEnd, LongLoop, Unfinished
from romproof.symbolic.execute.executor import Lemma
from romproof.symbolic.solve.deadline import Deadline, OutOfTime
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms.node import HERE, Terms, using
from romproof.text.cause import Cause

EFFORT = 0.1
"""The effort for each question, as a part of what proofs have: there are many questions."""
MAX_ROUNDS = 40
"""Explorations of one routine, each with more objects than the one before."""
MAX_STEPS = 60_000
"""Instructions that are executed symbolically in one of them, at the usual effort."""
MAX_TERMS = 120_000
"""Terms that there may be in all of them together, at the usual effort."""
MAX_ITERATIONS, SOME_ITERATIONS = 32, 16
"""How often a branch may be undecided: with more, states that meet become too large. What that
takes grows with the square, so loops are cut where there are some, if that comes to something."""
FEW_ITERATIONS = 4
"""How often it may be undecided at first: that shows where a loop is, if it is one that goes on."""
_PART, _SOME = 0.75, 0.2
"""The part of the time for a loop that is cut, where it may have to be executed after all, and for
executing it up to ``SOME_ITERATIONS`` before that."""


def examine(
    subject: Subject, options: ProofOptions, lemmas: Mapping[int, Lemma], deadline: Deadline
) -> Draft:
    """What the routine reads, changes and costs, found until ``deadline``. Raises NoContract."""
    try:
        return _examine(subject, options, lemmas, deadline)
    except Unfinished as stop:
        reason = of_unfinished(subject.program, subject.flows, subject.address, stop)
        raise NoContract(reason) from None
    except (Undecided, OutOfTime) as stop:
        raise NoContract(Obstacle(ObstacleKind.EFFORT, stop.reason)) from None
    except Vacuous as stop:
        why = (
            ObstacleKind.STACK
            if stop.finding.kind is StatementKind.SOME_STACK
            else ObstacleKind.POINTER
        )
        raise NoContract(Obstacle(why, stop.finding.reason)) from None
    except RecursionError:
        raise NoContract(Obstacle(ObstacleKind.EFFORT, Reason.NESTS())) from None


def _examine(
    subject: Subject, options: ProofOptions, lemmas: Mapping[int, Lemma], deadline: Deadline
) -> Draft:
    limited = replace(options, on_progress=_limit(options), most_terms=10 * _limit_terms(options))
    try:
        return _execute(subject, options, lemmas, deadline, FEW_ITERATIONS)
    except LongLoop as stop:
        first = stop
    except NoContract as stop:
        # a pointer may leave what it is meant for before the loop has gone round very often
        place = stop.reason.pc
        if stop.reason.kind is not ObstacleKind.POINTER or place is None:
            raise
        if loop_at(subject.program, subject.address, place) is None:
            raise
        try:
            long = LongLoop(DeadEnd.UNCUT_LOOP(most=FEW_ITERATIONS), place, True)
            return examine_loops(subject, limited, lemmas, long, deadline)
        except (NoContract, Unfinished, Undecided):
            raise stop from None
    try:
        return _execute(subject, options, lemmas, deadline.share(_SOME), SOME_ITERATIONS)
    except LongLoop as stop:
        first = stop
    except (OutOfTime, Undecided, NoContract):
        deadline.check()
    try:
        return examine_loops(subject, limited, lemmas, first, deadline.share(_PART))
    except (NoContract, Unfinished, Undecided, OutOfTime) as stop:
        why = stop
    with suppress(LongLoop, OutOfTime):  # with some more iterations the loop may come to its end
        return _execute(subject, options, lemmas, deadline, MAX_ITERATIONS)
    with suppress(NoContract, Unfinished, Undecided, OutOfTime):  # or to that of a variable
        return _execute(subject, options, lemmas, deadline, SOME_ITERATIONS, walking=True)
    raise why from None


def _limit_terms(options: ProofOptions) -> int:
    return round(MAX_TERMS * options.effort / EFFORT)


def _execute(
    subject: Subject,
    options: ProofOptions,
    lemmas: Mapping[int, Lemma],
    deadline: Deadline,
    patience: int,
    walking: bool = False,
) -> Draft:
    growth = Growth(subject, walking)
    limited = replace(
        options,
        on_progress=_limit(options),
        on_event=growth.on_event,
        patience=patience,
    )
    left = _limit_terms(options)
    registers = frozenset(subject.registers)
    for _ in range(MAX_ROUNDS):
        # the 6502's D is taken to be clear
        draft = Draft(
            inputs=registers - ({"d"} if subject.program.abi.not_inverted else set()),
            clobbers=registers,
            scratch=growth.objects,
            needs=growth.needs,
            is_handler=subject.is_handler,
            areas=growth.areas,
        )
        with using(Terms()):
            try:
                explored = explore_routine(
                    ProofTask(
                        subject.program,
                        subject.contract(draft),
                        subject.address,
                        replace(limited, most_terms=max(left, 1)),
                        watch_lemmas(lemmas, growth),
                        deadline=deadline,
                    )
                )
            except Grown:
                continue
            except LongLoop as stop:
                if not growth.ends(stop):
                    raise
                continue
            finally:
                left -= len(HERE.terms.known)
            if growth.settle(explored):
                draft = Collected(subject, explored, growth.needs).draft()
                return replace(draft, tables=growth.tables, areas=growth.areas)
    reason = Reason.STILL_MORE_OBJECTS(attempts=MAX_ROUNDS)
    raise NoContract(Obstacle(ObstacleKind.POINTER, reason))


def _limit(options: ProofOptions) -> Callable[[int], None]:
    most = round(MAX_STEPS * options.effort / EFFORT)

    def on_progress(count: int) -> None:
        options.on_progress(count)
        if count > most:
            raise Undecided(Cause.EFFORT, Reason.TOO_MANY_INSTRUCTIONS(most=most))

    return on_progress
