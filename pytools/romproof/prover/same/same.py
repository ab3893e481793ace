"""Two versions of a routine, compared for all inputs that both contracts allow.

Both are executed symbolically, all their loops and callees included, and the terms of the second
are made terms of the first one's inputs (``tied``). What the first gives is compared, cell by cell;
an input for which something differs is executed by both versions before anybody hears of it, and
what is proved is executed as well.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from romproof.contract.nouns.ports import volatile_addresses
from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.prover.conditions.contract import OF_EVENTS, access_of
from romproof.prover.conditions.termination import ending
from romproof.prover.exploration.explore import Leg
from romproof.prover.models.inputs import draw_inputs
from romproof.prover.replay.confirm import report_unexecuted
from romproof.prover.replay.examples import example_of
from romproof.prover.replay.judge import SPARE, Case, Claim
from romproof.prover.results import (
    Example,
    Finding,
    Verdict,
    report_disagreement,
    report_unfollowed,
    worst,
)
from romproof.prover.routines.routine import ProofOptions, ProofTask, Vacuous, explore_routine
from romproof.prover.same.cost import Range, VersionCost, cost_of, difference
from romproof.prover.same.runs import MAX_CYCLES, Both, models_of, run_both
from romproof.prover.same.sides import CellPairs, MachineCell, Side
from romproof.prover.same.tied import Tied, ports_of
from romproof.symbolic.execute.events import EventKind, Unfinished
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.backends import SolversDisagree
from romproof.symbolic.solve.deadline import Deadline, OutOfTime
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.solve.smallest import smallest
from romproof.symbolic.solve.solver import Model, Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, using
from romproof.symbolic.terms.origin import OriginKind
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause, join_causes
from romproof.text.messages import Message

ELSEWHERE = (
    EventKind.READS,
    EventKind.READS_PORT,
    EventKind.WRITES,
    EventKind.WRITES_FIXED,
    EventKind.TOO_MANY_PLACES,
)
"""What is in no term of the states at the ends, or not the same for both."""
MAX_RUNS = 256
"""Inputs that are executed after a proof."""


@dataclass(frozen=True)
class Differs:
    """An input that tells two versions apart: ``example`` for the first, ``other_example`` for the
    other, and what each leaves in the outputs that differ: place, cell, values."""

    example: Example
    other_example: Example
    outputs: tuple[tuple[str, MachineCell, int, int], ...]


@dataclass(frozen=True)
class Sameness:
    """What is known of two versions.

    ``findings`` has a verdict on each output, and on what that rests on. ``more_cycles`` is what
    the other takes more than the first, at least and at most on the same input; None where they
    count different cycles, or nobody knows. ``differs`` is an input that refutes it. ``runs`` is on
    how many inputs both were executed and compared after the proof.
    """

    pairs: CellPairs = field(repr=False)
    findings: tuple[Finding, ...]
    one: VersionCost | None = None
    other: VersionCost | None = None
    more_cycles: Range | None = None
    differs: Differs | None = None
    runs: int = 0
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """On all of it: proved where they are equal for all inputs that both contracts allow."""
        return worst([each.verdict for each in self.findings])


def refute(differs: Differs) -> tuple[Finding, ...]:
    """The findings on the outputs that an input tells apart."""
    shown: dict[str, Finding] = {}
    for place, cell, mine, hers in differs.outputs:
        found = Finding(
            Property.SAME(place=place),
            Verdict.REFUTED,
            Reason.CELLS_DIFFER(place=cell.text, mine=mine, theirs=hers),
            differs.example,
            True,
            kind=StatementKind.SAME,
        )
        shown.setdefault(place, found)
    return tuple(shown.values())


def prove_same(pairs: CellPairs, options: ProofOptions) -> Sameness:
    """Compare two routines. Raises MissingExtra without a solver."""
    begun = time.monotonic()
    try:
        with using(Terms()):
            result = _compare(pairs, options)
    except Vacuous as stop:
        result = Sameness(pairs, (stop.finding,))
    except _Stopped as stop:
        result = Sameness(pairs, (_not_compared(stop.cause, stop.reason),))
    except (Undecided, OutOfTime) as stop:
        result = Sameness(pairs, (_not_compared(stop.cause, stop.reason),))
    except SolversDisagree as fault:
        result = Sameness(pairs, (report_disagreement(fault),))
    except RecursionError:
        result = Sameness(pairs, (_not_compared(Cause.TOO_DEEP, Reason.NESTS()),))
    return replace(result, seconds=time.monotonic() - begun)


class _Stopped(Exception):
    """A routine could not be followed to its end; ``cause`` and ``reason`` say why."""

    def __init__(self, cause: Cause, reason: Message) -> None:
        super().__init__(reason)
        self.cause = cause
        self.reason = reason


@dataclass(frozen=True)
class _Ends:
    """Both routines at their ends: the states are those of single legs."""

    tied: Tied
    oracle: Oracle
    path: tuple[Term, ...]
    cycles: tuple[Term, Term]

    def outputs(self) -> Iterator[tuple[str, list[tuple[MachineCell, Term, Term]]]]:
        """Each place that is compared, with what both have in its cells."""
        one, other = (_end(case).at for case in (self.tied.one, self.tied.other))
        for place, cells in self.tied.pairs.compared.items():
            yield (
                place,
                [(mine, mine.read(one), self.tied.term(hers.read(other))) for mine, hers in cells],
            )


def _compare(pairs: CellPairs, options: ProofOptions) -> Sameness:
    deadline = Deadline(options.timeout)
    one, other = _both(pairs, options, deadline)
    tied = Tied(pairs, one, other)
    findings = [*_foundations(pairs.one, one), *_foundations(pairs.other, other)]
    ends = _ends(tied, options, deadline)
    if ends.oracle.ask(ends.path).kind is AnswerKind.UNSAT:
        return Sameness(pairs, (_report_no_input(),))
    differs: Differs | None = None
    for place, cells in ends.outputs():
        finding, shown = _place(ends, place, cells)
        findings.append(replace(finding, kind=StatementKind.SAME))
        differs = differs or shown
    costs = _costs(ends)
    # cycles of two CPUs are not the same thing
    comparable = one.abi.cpu == other.abi.cpu
    more = difference(ends.oracle, ends.path, *ends.cycles) if comparable else None
    result = Sameness(pairs, tuple(findings), *costs, more, differs)
    return _execute(result, ends) if result.verdict is Verdict.PROVED else result


def _not_compared(cause: Cause, reason: Message | None) -> Finding:
    return replace(report_unfollowed(cause, reason), statement=Property.COMPARABLE())


def _report_no_input() -> Finding:
    statement, kind = Property.COMMON_INPUT(), StatementKind.SOME_INPUT
    return Finding(statement, Verdict.VACUOUS, Reason.NO_COMMON_INPUT(), kind=kind)


def _both(pairs: CellPairs, options: ProofOptions, deadline: Deadline) -> tuple[Case, Case]:
    """Both explored, with the same places as ports."""
    sides = pairs.one, pairs.other
    while True:
        one, other = (_explore(side, options, deadline) for side in sides)
        ports = one.start.layout.volatile, other.start.layout.volatile
        known = pairs.with_ports(*ports)
        if all(
            volatile_addresses(side.contract, side.program.abi) <= seen
            for side, seen in zip(known, ports, strict=True)
        ):
            return one, other
        sides = known


def _explore(side: Side, options: ProofOptions, deadline: Deadline) -> Case:
    try:
        task = ProofTask(side.program, side.contract, side.address, options, deadline=deadline)
        explored = explore_routine(task)
    except Unfinished as stop:
        where = side.program.image.describe(stop.pc)
        stopped = Reason.VERSION_STOPS(routine=side.title, place=where, why=stop.reason)
        raise _Stopped(stop.cause, stopped) from None
    except Undecided as stop:
        undecided = Reason.VERSION_UNDECIDED(routine=side.title, why=stop.reason)
        raise _Stopped(stop.cause, undecided) from None
    if not explored.exploration.returning_legs():
        raise _Stopped(Cause.NO_RETURN, Reason.VERSION_NEVER_RETURNS(routine=side.title))
    return explored.case


def _foundations(side: Side, case: Case) -> Iterator[Finding]:
    """What the comparison rests on: it ends, and what it reads and writes is in its terms.

    Memory that a contract lists is: also what only the other version may change, or what is read
    before it was written. It is the same for both where they begin.
    """

    def claims() -> Iterator[Claim]:
        for event in case.exploration.events:
            if event.kind in ELSEWHERE:
                broken = access_of(case, event, case.image.describe)
                cause = OF_EVENTS.get(event.kind)
                yield Claim(broken, event.path, t.FALSE, event=event, cause=cause)

    statement = Property.LISTED_MEMORY(routine=side.title)
    used = case.judge(StatementKind.READS, statement, claims())
    # it may be the same in both: what is reported is that nobody compared it
    yield used if used.verdict is Verdict.PROVED else replace(used, verdict=Verdict.UNKNOWN)
    for each in ending(case).findings:
        of_version = Property.OF_VERSION(routine=side.title, statement=each.statement)
        yield replace(each, statement=of_version)


def _end(case: Case) -> Leg:
    (leg,) = case.exploration.returning_legs()
    return leg


def _ends(tied: Tied, options: ProofOptions, deadline: Deadline) -> _Ends:
    one, other = _end(tied.one), _end(tied.other)
    if any(
        variable.name.kind is OriginKind.PORT
        for variable in t.variables(_find_involved_of(tied.one))
    ):
        raise ports_of(tied.pairs.one.title)
    cycles = one.at.total_cycles(), tied.term(other.at.total_cycles())
    path = (*one.at.path, *tied.terms(other.at.path))
    theirs = tied.terms(tied.other.oracle.assumptions)
    for cells in tied.pairs.compared.values():
        for _, hers in cells:
            tied.term(hers.read(other.at))  # so that all that is assumed of inputs is known
    assumed = [*tied.one.oracle.assumptions, *theirs, *tied.assumed]
    solver = Solver(options.limits, deadline, options.cross)
    return _Ends(tied, Oracle(solver, assumed), path, cycles)


def _place(
    ends: _Ends, place: str, cells: Sequence[tuple[MachineCell, Term, Term]]
) -> tuple[Finding, Differs | None]:
    statement = Property.SAME(place=place)
    undecided: Finding | None = None
    for cell, mine, hers in cells:
        answer = ends.oracle.equal(mine, hers, ends.path)
        if answer.kind is AnswerKind.UNKNOWN:
            reason = Reason.CELL_UNDECIDED(place=cell.text, why=answer.reason)
            causes = join_causes(answer.cause)
            undecided = undecided or Finding(statement, Verdict.UNKNOWN, reason, causes=causes)
        elif answer.model is not None:
            return _differs(ends, statement, cell, mine, hers, answer.model)
    return undecided or Finding(statement, Verdict.PROVED), None


def _differs(
    ends: _Ends, statement: Message, cell: MachineCell, mine: Term, hers: Term, model: Model
) -> tuple[Finding, Differs | None]:
    """The smallest input that shows a difference, executed by both.

    What no contract lists is no input: it has to be there what the programs have there.
    """
    different = [*ends.path, t.not_(t.eq(mine, hers))]
    unlisted = list(_assume_unlisted(ends))
    if unlisted:
        different += unlisted
        answer = ends.oracle.ask(different)
        if answer.model is None:
            unlisted_read = Reason.CELL_UNLISTED(place=cell.text)
            return Finding(statement, Verdict.UNKNOWN, unlisted_read), None
        model = answer.model
    model = smallest(ends.oracle, different, model)
    both = _run(ends, model)
    seen = tuple(both.find_differences()) if both.has_ended else ()
    reason = Reason.CELLS_DIFFER(place=cell.text, mine=model.value(mine), theirs=model.value(hers))
    examples = _examples(ends, model)
    if not seen:
        fault = Reason.PROVER_FAULT(why=Reason.NOT_WHEN_EXECUTED(why=reason))
        causes = (Cause.PROVER_FAULT,)
        return Finding(statement, Verdict.UNKNOWN, fault, examples[0], False, causes=causes), None
    finding = Finding(statement, Verdict.REFUTED, reason, examples[0], True)
    return finding, Differs(*examples, seen)


def _assume_unlisted(ends: _Ends) -> Iterator[Term]:
    """That memory which a routine reads, and its contract does not list, is as in its program."""
    for case in (ends.tied.one, ends.tied.other):
        for variable in sorted(t.variables(_find_involved_of(case)), key=lambda each: each.name):
            address = variable.name.address
            if address is None or case.start.layout.object_at(address) is not None:
                continue
            there = t.const(case.program.fixed[address], variable.width)
            term = variable if case is ends.tied.one else ends.tied.term(variable)
            yield t.eq(term, there)


def _run(ends: _Ends, model: Model) -> Both:
    limit = max(model.value(each) for each in ends.cycles) + SPARE
    return run_both(ends.tied, model, _find_involved(ends), limit)


def _find_involved(ends: _Ends) -> list[Term]:
    """The terms of both routines that say which inputs matter, each by its own names."""
    return [*_find_involved_of(ends.tied.one), *_find_involved_of(ends.tied.other)]


def _find_involved_of(case: Case) -> list[Term]:
    at = _end(case).at
    return [
        *at.path,
        *map(at.get, case.program.cpu.registers),
        at.total_cycles(),
        *at.memory.changed_bytes().values(),
    ]


def _examples(ends: _Ends, model: Model) -> tuple[Example, Example]:
    tied = ends.tied
    values = (model, tied.model(model))
    made = [
        example_of(case.start, each, case.exploration.indexed, ())
        for case, each in zip((tied.one, tied.other), values, strict=True)
    ]
    return made[0], made[1]


def _costs(ends: _Ends) -> tuple[VersionCost, VersionCost]:
    tied = ends.tied
    mine = {mine.text for cells in tied.pairs.compared.values() for mine, _ in cells}
    hers = {hers.text for cells in tied.pairs.compared.values() for _, hers in cells}
    ours = frozenset(mine) | _memory(tied.pairs.one)
    theirs = frozenset(hers) | _memory(tied.pairs.other)
    one, other = ends.cycles
    return (
        cost_of(tied.one, ends.oracle, ends.path, one, ours),
        cost_of(tied.other, ends.oracle, ends.path, other, theirs),
    )


def _memory(side: Side) -> frozenset[str]:
    return frozenset(item.name for item in side.contract.outputs)


def _execute(result: Sameness, ends: _Ends) -> Sameness:
    """What was proved, executed: the machine has to do so, too."""
    terms = [*_find_involved_tied(ends), *ends.oracle.assumptions]
    batches = draw_inputs(ends.oracle, terms, ends.path)
    spent, runs = 0, 0
    for model in islice(models_of(batches, terms), MAX_RUNS):
        both = _run(ends, model)
        spent += both.one.cycles + both.other.cycles
        wrong = next(both.find_differences(), None)
        taken = both.other.cycles - both.one.cycles
        more = result.more_cycles
        if not both.has_ended or wrong is not None or (more and not more[0] <= taken <= more[1]):
            what = Reason.DIFFERS(place=wrong[0]) if wrong else Reason.RUN_DIFFERS()
            finding = report_unexecuted(Reason.PROVER_FAULT(why=what), Cause.PROVER_FAULT)
            return replace(result, findings=(*result.findings, finding))
        runs += 1
        if spent > MAX_CYCLES:
            break
    if not runs:
        finding = report_unexecuted(Reason.NO_INPUT_FOUND(), Cause.NO_INPUT_KNOWN)
        return replace(result, findings=(*result.findings, finding))
    return replace(result, runs=runs)


def _find_involved_tied(ends: _Ends) -> list[Term]:
    return [each for _, cells in ends.outputs() for cell in cells for each in cell[1:]]
