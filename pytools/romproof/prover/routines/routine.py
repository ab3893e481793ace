"""The proof of one routine's contract."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from romproof.contract.nouns.items import name_of
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.ports import volatile_addresses
from romproof.contract.nouns.statement import StatementKind
from romproof.prover.calls.ports import with_ports
from romproof.prover.catalogue import Reason
from romproof.prover.conditions.bank_switching import bank_registers, check_banks
from romproof.prover.conditions.loop_counts import count_loops
from romproof.prover.conditions.memory import Filled
from romproof.prover.conditions.vacuity import idle_returns, no_input, no_stack
from romproof.prover.cycles.bounds import with_reached
from romproof.prover.exploration.explore import Exploration, explore
from romproof.prover.invariants.heads import find_undecided
from romproof.prover.invariants.search import WithInvariants, find_invariants, may_infer
from romproof.prover.replay.confirm import GOOD, attempt, execute_contract, with_runs
from romproof.prover.replay.judge import Case
from romproof.prover.results import (
    CycleProof,
    Finding,
    Proof,
    Verdict,
    report_disagreement,
    report_unfollowed,
    worst,
)
from romproof.prover.routines.assumptions import rests_on
from romproof.prover.routines.statements import statements
from romproof.prover.states.entry import input_bounds, start_of
from romproof.prover.states.handlers import know_handlers
from romproof.prover.states.pointer_blocks import NoRoom
from romproof.prover.states.program import ProofProgram
from romproof.prover.states.view import terms_of
from romproof.support.cache import digest_of_packages
from romproof.support.version import version_of
from romproof.symbolic.execute.events import Event, EventKind, LongLoop, NeedsPorts, Unfinished
from romproof.symbolic.execute.executor import Lemma
from romproof.symbolic.execute.patience import MAX_ITERATIONS
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.backends import SolversDisagree
from romproof.symbolic.solve.deadline import RESERVE, Deadline, OutOfTime
from romproof.symbolic.solve.effort import Effort
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.terms.node import HERE, Terms, using
from romproof.text.cause import Cause, join_causes
from romproof.text.messages import Message
from romproof.witness.witness import DEFAULT, Plan

SOLVERS = ("z3-solver", "bitwuzla", "numpy", "llvmlite")
"""What decides a proof beside romproof itself."""
FEW_ITERATIONS = 32
"""How often a branch may be undecided before an invariant for its loop is looked for."""
MAX_TERMS = 40_000_000
"""Terms that a proof may be made of: some ten gigabytes."""


@dataclass(frozen=True, slots=True)
class ProofOptions:
    """How to prove.

    ``effort`` is the work for each claim, a multiple of the default; ``timeout``, in seconds for
    each routine, ends the work and decides nothing else. ``cross``: two solvers have to agree.
    ``loose``: limits of cycles need not be reached. Values of more than ``keeping`` terms are
    forgotten, if it is given: that is enough for contracts of long computations, and quicker.
    ``on_progress`` hears of progress: instructions executed so far. ``fresh``: where proofs are
    kept between runs, none is taken from there. A proof may be made of ``most_terms`` terms.
    ``on_event`` hears of events while the code is executed symbolically; it may raise.
    ``on_statement`` hears which statement is asked about next. A branch
    may be undecided ``patience`` times.
    """

    timeout: float | None = None
    loose: bool = False
    keeping: int | None = None
    on_progress: Callable[[int], None] = field(default=lambda count: None)
    effort: float = 1.0
    cross: bool = False
    fresh: bool = False
    most_terms: int = MAX_TERMS
    on_event: Callable[[Event, Oracle], None] | None = None
    on_statement: Callable[[Message], None] | None = None
    patience: int = MAX_ITERATIONS

    @property
    def limits(self) -> Effort:
        """The limits of work. Raises ValueError for an effort that is not positive."""
        return Effort().times(self.effort)

    def stamp(self, *packages: str) -> str:
        """What stands for how something is proved: where it is the same, so is a proof of the same.

        These options but for those of time and progress, the code of romproof and of ``packages``,
        the solvers and the engines.
        """
        what = (self.loose, self.keeping, self.effort, self.cross, self.most_terms, self.patience)
        code = digest_of_packages("romproof", *packages)
        return repr((what, code, [version_of(name) for name in SOLVERS]))


@dataclass(frozen=True)
class Explored:
    """A routine after symbolic execution: what further proofs start from, within ``terms``."""

    exploration: Exploration = field(repr=False)
    case: Case = field(repr=False)
    terms: Terms = field(repr=False)
    filled: Filled = field(repr=False)


class Vacuous(Exception):
    """There is no input; ``finding`` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.detail)
        self.finding = finding


@dataclass(frozen=True)
class ProofTask:
    """What there is to prove: the ``contract`` of the code of a ``program`` at an ``address``.

    ``lemmas`` are what is known of callees, by their addresses. ``ends`` are where a piece of code
    ends that is not a routine. ``deadline`` is by default that of the options, from now on.
    ``is_endless``: whether a lemma has been used that is proved only if its code ends; no run has
    to end then. ``proved`` has the routines whose proofs are over, with whether all of each is.
    """

    program: ProofProgram
    contract: Contract
    address: int
    options: ProofOptions = field(default_factory=ProofOptions)
    lemmas: Mapping[int, Lemma] = field(default_factory=dict)
    ends: Sequence[int] = ()
    deadline: Deadline | None = None
    is_endless: Callable[[], bool] = lambda: False
    proved: Mapping[str, bool] = field(default_factory=dict)

    def in_time(self, reserve: float = 0.0) -> tuple[ProofTask, Deadline]:
        """The same with a deadline, which leaves a reserve if it is a new one; and that."""
        deadline = self.deadline or Deadline(self.options.timeout, reserve=reserve)
        return replace(self, deadline=deadline), deadline


def explore_routine(task: ProofTask, patience: int = MAX_ITERATIONS) -> Explored:
    """All paths through a routine, or to one of its ends, as terms of those under work.

    What is a port for a routine that it comes to is one for it: its contract is then the ``stated``
    one of the start. A branch may be undecided ``patience`` times. Raises Unfinished, Undecided,
    Vacuous and OutOfTime.
    """
    task, deadline = task.in_time()
    program, contract = task.program, task.contract
    more = program.ports_of(task.address, bool(task.ends))
    more -= volatile_addresses(contract, program.abi)
    contract = with_ports(contract, more) if more else contract
    while True:
        try:
            return _explore(replace(task, contract=contract), deadline, patience)
        except NeedsPorts as need:
            contract = with_ports(contract, need.ports)


def _explore(task: ProofTask, deadline: Deadline, patience: int) -> Explored:
    """The same with the ports of the contract alone. Raises NeedsPorts as well."""
    program, contract, options = task.program, task.contract, task.options
    HERE.terms.watch = lambda count: _go_on(deadline, count, options.most_terms)
    bounds = input_bounds(program, contract)
    start = start_of(program, contract, task.address, bounds, task.ends)

    def oracle_for(entry: State) -> Oracle:
        assumed = terms_of(contract.requires, program.abi, entry, entry)
        return Oracle(Solver(options.limits, deadline, options.cross), assumed)

    entry = start.state(start.block_objects, bounds)
    solver = Solver(options.limits, deadline, options.cross)
    empty = no_stack(start) or no_input(program, contract, entry, Oracle(solver))
    if empty is not None:
        raise Vacuous(empty)

    def on_progress(count: int) -> None:
        options.on_progress(count)
        deadline.check()

    exploration = explore(
        start,
        bounds,
        oracle_for,
        lemmas=task.lemmas,
        counted=list(count_loops(start)),
        on_progress=on_progress,
        keeping=options.keeping,
        on_event=options.on_event,
        patience=min(patience, options.patience),
    )
    check_banks(program, exploration)
    handlers = know_handlers(program, contract.changing, task.proved)
    case = Case(exploration, oracle_for(exploration.entry), options.on_statement, handlers)
    return Explored(exploration, case, HERE.terms, Filled(case))


def _go_on(deadline: Deadline, count: int, most: int) -> None:
    """Raises OutOfTime, and Undecided where a proof takes more terms than there may be."""
    deadline.check()
    if count > most:
        raise Undecided(Cause.EFFORT, Reason.TOO_MANY_TERMS(most=most))


def prove_routine(task: ProofTask) -> tuple[Proof, Explored | None]:
    """What can be said of a contract; also the exploration, if there was a whole one. The terms of
    it all are new ones."""
    task, deadline = task.in_time(RESERVE)
    program, contract = task.program, task.contract
    executed: tuple[Proof, Explored | None] | None = None
    with using(Terms()):
        try:
            executed = _prove(task, FEW_ITERATIONS if may_infer(contract) else MAX_ITERATIONS)
            first = _hard_loop(task, *executed)
        except LongLoop as stop:
            first = stop.pc
        except NoRoom as stop:
            found = report_unfollowed(Cause.NO_ROOM, Reason.GIVEN(text=str(stop)))
            return Proof(contract.name, (found,)), None
    if first is None:
        assert executed is not None, "no reason is known"
        return executed
    completed = _find_invariants(task, first)
    tried: tuple[Proof, Explored | None] | None = None
    in_time = True
    if completed is not None:
        with using(Terms()):
            proof, explored = _prove(replace(task, contract=completed.contract), MAX_ITERATIONS)
        tried = replace(proof, inferred=tuple(map(str, completed.lines))), explored
        in_time = not deadline.is_over
        if proof.verdict is Verdict.PROVED or (
            proof.verdict is Verdict.PARTIAL and explored is not None and _waits(explored)
        ):
            return tried
    if executed is not None:
        return executed
    with using(Terms()):
        refuted = _attempt(task)
        if refuted is not None:
            return refuted, None
    with using(Terms()):
        whole = _prove(task, MAX_ITERATIONS)
    if tried is not None and tried[0].verdict is Verdict.PARTIAL:
        return whole if whole[0].verdict is Verdict.PROVED else tried

    def advise(why: Message | None) -> Message:
        if completed is not None:
            return completed.advise(why, in_time)
        return Reason.LOOP_NOT_CUT(why=why, loop=program.image.describe(first))

    return _advise(whole[0], completed, advise), whole[1]


def _advise(
    proof: Proof,
    completed: WithInvariants | None,
    advise: Callable[[Message | None], Message],
) -> Proof:
    """A proof that came to no end, with what was found of its loops: something to begin with."""
    if proof.verdict is not Verdict.UNKNOWN:
        return proof
    findings = (
        replace(
            each, reason=advise(each.reason), causes=join_causes(*each.causes, Cause.UNCUT_LOOP)
        )
        if each.kind is StatementKind.FOLLOWED and (completed or Cause.LONG_LOOP not in each.causes)
        else each
        for each in proof.findings
    )
    return replace(proof, findings=tuple(findings))


def _hard_loop(task: ProofTask, proof: Proof, explored: Explored | None) -> int | None:
    """A branch in a loop that was executed to its end, where that left something unknown."""
    if proof.verdict is not Verdict.UNKNOWN or explored is None or not may_infer(task.contract):
        return None
    return find_undecided(task.program, task.address, explored.exploration.events)


def _find_invariants(task: ProofTask, first: int) -> WithInvariants | None:
    """Invariants for the loop around an instruction, and others, if there are any."""
    task, deadline = task.in_time()
    half = deadline if deadline.seconds is None else Deadline(deadline.left / 2)

    def execute(contract: Contract) -> Case:
        return explore_routine(replace(task, contract=contract, deadline=half), FEW_ITERATIONS).case

    with using(Terms()), suppress(OutOfTime, RecursionError, Vacuous, SolversDisagree):
        return find_invariants(task.program, task.contract, task.address, first, execute)
    return None


def _waits(explored: Explored) -> bool:
    """Whether ports are read: no execution shows that a loop ends which waits for one."""
    return any(e.kind is EventKind.READS_PORT for e in explored.exploration.events)


def _attempt(task: ProofTask) -> Proof | None:
    """A proof that some input breaks the contract, if a few are enough to find one."""
    program, contract = task.program, task.contract
    if bank_registers(program, contract):
        return None  # runs know of one bank only
    start = start_of(program, contract, task.address, input_bounds(program, contract), task.ends)
    tried = attempt(start, task.in_time()[1])
    if tried is None:
        return None
    assumed = tuple(condition.text for condition in contract.requires)
    clobbers = tuple(name_of(item) for item in contract.clobbers)
    rests = tuple(rests_on(program, contract, None))
    return Proof(contract.name, (tried,), assumed=assumed, rests_on=rests, clobbers=clobbers)


def _prove(task: ProofTask, patience: int) -> tuple[Proof, Explored | None]:
    task, deadline = task.in_time()
    program, contract, options = task.program, task.contract, task.options
    begun = time.monotonic()
    explored: Explored | None = None
    limits: CycleProof | None = None
    notes: tuple[Message, ...] = ()
    try:
        explored = explore_routine(task, patience)
        contract = explored.exploration.start.plain_contract
        findings, limits = statements(explored.case, explored.filled, options.loose)
        notes = tuple(idle_returns(explored.case, program.bounded))
    except Unfinished as stop:
        if isinstance(stop, LongLoop) and stop.inside and patience < MAX_ITERATIONS:
            raise
        where = program.image.describe(stop.pc)
        findings = [report_unfollowed(stop.cause, Reason.STOPS(place=where, why=stop.reason))]
    except (Undecided, OutOfTime) as stop:
        findings = [report_unfollowed(stop.cause, stop.reason)]
    except RecursionError:
        findings = [report_unfollowed(Cause.TOO_DEEP, Reason.NESTS())]
    except Vacuous as stop:
        findings = [stop.finding]
    except SolversDisagree as fault:
        findings = [report_disagreement(fault)]
    is_unknown = worst([each.verdict for each in findings]) is Verdict.UNKNOWN
    # in runs no interrupt comes: that they do not end says nothing of code that waits for one
    waits = any(Cause.INTERRUPT_WAIT in each.causes for each in findings)
    if is_unknown and not waits and not bank_registers(program, contract):
        start = start_of(
            program, contract, task.address, input_bounds(program, contract), task.ends
        )
        tried = attempt(start, deadline)
        findings += [tried] if tried is not None else []
    proof = Proof(
        contract.name,
        tuple(findings),
        limits,
        assumed=tuple(condition.text for condition in contract.requires),
        rests_on=tuple(
            rests_on(program, contract, None if explored is None else explored.exploration.start)
        ),
        notes=notes,
        clobbers=tuple(name_of(item) for item in contract.clobbers),
    )
    if explored is not None:
        explored.terms.watch = None  # what comes now looks at the time itself
    if explored is not None and proof.verdict in GOOD:
        is_sure = proof.verdict is Verdict.PROVED and not task.is_endless()
        executed = execute_contract(explored.case, limits, options.loose, is_sure, _plan(options))
        proof = with_runs(proof, executed)
        if limits is not None and not options.loose:
            proof = with_reached(proof, explored.case, limits, executed.seen)
    return replace(proof, seconds=time.monotonic() - begun), explored


def _plan(options: ProofOptions) -> Plan:
    """How much is executed: on the slow engine less where there is less effort."""
    part = min(1.0, options.effort)
    return replace(DEFAULT, plain_cycles=round(DEFAULT.plain_cycles * part))
