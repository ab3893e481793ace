"""A routine, or a piece of one, equals its model: for all inputs, or here is one where not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from romproof.contract.nouns.items import name_of
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.statement import StatementKind
from romproof.harness.rom import Rom
from romproof.prover.catalogue import InformationFlow, Property, Reason
from romproof.prover.conditions.contract import assertions, memory, reads
from romproof.prover.conditions.memory import Filled
from romproof.prover.exploration.explore import Leg
from romproof.prover.models.agreement import Agreement, agreement_of
from romproof.prover.models.follow import follow, place_of, terms_in
from romproof.prover.models.inputs import Batch, draw_inputs
from romproof.prover.models.mapping import Compared
from romproof.prover.models.mapping import Mapping as ModelMapping
from romproof.prover.refinement.call_inputs import examples_of, input_terms
from romproof.prover.refinement.requirement import follow_requirement
from romproof.prover.replay.confirm import Executed, execute_model, with_runs
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import (
    Example,
    Finding,
    Proof,
    Verdict,
    report_disagreement,
    report_unfollowed,
    worst,
)
from romproof.prover.routines.assumptions import rests_on
from romproof.prover.routines.routine import (
    Explored,
    ProofOptions,
    ProofTask,
    Vacuous,
    explore_routine,
)
from romproof.prover.states.model_places import BadMapping, is_number
from romproof.prover.states.program import ProofProgram, program_of
from romproof.prover.states.view import StateView
from romproof.symbolic.execute.events import Unfinished
from romproof.symbolic.execute.executor import Lemma
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import bits, condition
from romproof.symbolic.numbers.model_run import Path, merge_results
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.numbers.symbytes import ArrayBytes
from romproof.symbolic.solve.answer import Answer, AnswerKind
from romproof.symbolic.solve.backends import SolversDisagree
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.symbolic.solve.freedom import without_free_bits
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.solve.smallest import smallest
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, using
from romproof.symbolic.terms.origin import any_name
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause, join_causes
from romproof.text.messages import Message

PythonModel = Callable[..., Any]


@dataclass(frozen=True)
class Equivalence:
    """What is known of a routine and its model. ``inputs`` are some that are allowed, drawn for
    the model to be compared with itself: of each path that it takes, and of each kind."""

    proof: Proof
    inputs: tuple[Example, ...] = field(default=(), repr=False)


def prove_equivalent(
    rom: Rom,
    routine: str,
    mapping: ModelMapping,
    model: PythonModel,
    requires: PythonModel | None = None,
    timeout: float | None = None,
) -> Equivalence:
    """Prove that a routine leaves in its outputs what the model gives for its inputs.

    ``requires`` takes the model's arguments and says which inputs count. ``timeout`` in
    seconds ends the work. Raises BadMapping when the model's results are not those of the routine.
    """
    contract, program = mapping.places.contract, program_of(rom)
    address = rom.image.address(routine)
    options = ProofOptions(timeout)
    tried: list[Example] = []
    proof = prove_model(
        program, contract, address, mapping, model, requires, options, {}, keep=tried.extend
    )
    return Equivalence(proof, tuple(tried))


def prove_model(
    program: ProofProgram,
    contract: Contract,
    address: int,
    mapping: ModelMapping,
    model: PythonModel,
    requires: PythonModel | None,
    options: ProofOptions,
    lemmas: Mapping[int, Lemma],
    ends: Sequence[int] = (),
    keep: Callable[[Iterator[Example]], None] | None = None,
) -> Proof:
    """The same with lemmas, and for a piece of code that ends before one of the ``ends``.

    Where there are several ends, the model's result is a pair: the number of the end that
    execution reaches, and the values there. ``keep`` takes the inputs that the model was
    compared for, if anybody wants them.
    """
    begun = time.monotonic()
    executed: Executed | None = None
    explored: Explored | None = None
    try:
        with using(Terms()):
            explored = explore_routine(ProofTask(program, contract, address, options, lemmas, ends))
            contract = explored.exploration.start.plain_contract
            findings, batches = compare(explored, mapping, model, requires)
            if keep is not None:
                keep(examples_of(explored, batches))
            if worst([each.verdict for each in findings]) is Verdict.PROVED:
                executed = execute_model(explored.case, mapping, model, requires)
    except Vacuous as stop:
        findings = [stop.finding]
    except SolversDisagree as fault:
        findings = [report_disagreement(fault)]
    except Unfinished as stop:
        where = program.image.describe(stop.pc)
        findings = [report_unfollowed(stop.cause, Reason.STOPS(place=where, why=stop.reason))]
    except (Undecided, OutOfTime) as stop:
        findings = [report_unfollowed(stop.cause, stop.reason)]
    except RecursionError:
        findings = [report_unfollowed(Cause.TOO_DEEP, Reason.NESTS())]
    except NotSymbolic as stop:
        findings = [refuse_model(stop)]
    assumed = tuple(condition.text for condition in contract.requires)
    seconds = time.monotonic() - begun
    rests = tuple(
        rests_on(program, contract, None if explored is None else explored.exploration.start)
    )
    clobbers = tuple(name_of(item) for item in contract.clobbers)
    proof = Proof(
        contract.name, tuple(findings), None, seconds, assumed, rests_on=rests, clobbers=clobbers
    )
    return proof if executed is None else with_runs(proof, executed)


def compare(
    explored: Explored,
    mapping: ModelMapping,
    model: PythonModel,
    requires: PythonModel | None = None,
) -> tuple[list[Finding], list[Batch]]:
    """One finding for each place of the model's result, and the inputs that it was tried with.

    Raises NotSymbolic and Undecided, and BadMapping when the model, or ``requires``, does not say
    what it has to.
    """
    exploration, case = explored.exploration, explored.case
    if exploration.cuts:
        raise Undecided(Cause.NOT_COMPARABLE, Reason.NO_EXACT_RESULT())
    legs = exploration.returning_legs()
    if not legs:
        raise Undecided(Cause.NO_RETURN, Reason.NEVER_RETURNS())
    entry = StateView(exploration.start.program.abi, exploration.entry, exploration.entry)
    assumed: list[Term] = []
    if requires is not None:
        assumed = [follow_requirement(case, mapping, requires, entry)]
    arguments = mapping.arguments(entry)
    terms = [*terms_in([*arguments[0], *arguments[1].values()]), *input_terms(explored)]
    batches = draw_inputs(case.oracle, terms, assumed)
    if not batches:
        return [_no_input(case, assumed)], []
    followed = follow(
        model,
        lambda: mapping.run(model, entry),
        [*case.oracle.assumptions, *assumed],
        lambda conditions: (
            case.oracle.ask(without_free_bits(conditions)).kind is not AnswerKind.UNSAT
        ),
    )
    paths = followed.paths
    failing = [
        Claim(
            Reason.MODEL_RAISES(error=repr(path.error)),
            [*assumed, path.condition],
            t.FALSE,
            legs[0],
        )
        for path in paths
        if path.error is not None
    ]
    # what it reads and writes elsewhere is not in the terms
    findings = [memory(case), reads(case, Filled(case)), *assertions(case)]
    if failing:
        findings.append(case.judge(StatementKind.MODEL, Property.MODEL_TAKES_ALL(), failing))
    whole = [path for path in paths if path.error is None]
    if not whole:
        reason, kind = Reason.MODEL_ALWAYS_RAISES(), StatementKind.MODEL
        raising = Finding(Property.MODEL_GIVES(), Verdict.VACUOUS, reason, kind=kind)
        return [*findings, raising], batches
    _require_result(model, whole)
    findings += _ends(case, mapping, merge_results(whole), assumed)
    if any(each.verdict is Verdict.REFUTED for each in findings):
        return findings, batches  # an input shows it; no more need to be checked
    agreement = agreement_of(
        case.oracle,
        followed,
        arguments,
        lambda given: mapping.call(model, given),
        batches,
        assumed,
        terms,
    )
    findings.append(_find_agreement(agreement))
    return findings, agreement.batches


def refuse_model(stop: NotSymbolic) -> Finding:
    """That a model could not be followed, and why."""
    kind, causes = StatementKind.FOLLOWED, join_causes(stop.cause)
    statement, reason = Property.MODEL_FOLLOWED(), Reason.GIVEN(text=str(stop))
    return Finding(statement, Verdict.UNKNOWN, reason, kind=kind, causes=causes)


def _no_input(case: Case, assumed: Sequence[Term]) -> Finding:
    """The finding on conditions for which no input was drawn."""
    statement = Property.MODEL_INPUT()
    answer = case.oracle.ask(assumed)
    if answer.kind is AnswerKind.UNSAT:
        reason, kind = Reason.NO_INPUT_ALLOWED(), StatementKind.SOME_INPUT
        return Finding(statement, Verdict.VACUOUS, reason, kind=kind)
    return Finding(
        statement,
        Verdict.UNKNOWN,
        answer.reason or Reason.NONE_FOUND(),
        kind=StatementKind.SOME_INPUT,
        causes=join_causes(answer.cause),
    )


def _require_result(model: PythonModel, paths: Sequence[Path]) -> None:
    """Raises BadMapping when the model ends without a result."""
    if any(path.result is None for path in paths):
        is_always = all(path.result is None for path in paths)
        raise BadMapping(
            f"the model {place_of(model)} gives None for "
            f"{'every input' if is_always else 'some inputs'}: a 'return' is missing"
        )


def _find_agreement(agreement: Agreement) -> Finding:
    return report_agreement(Property.MODEL_PLAIN(), agreement)


def report_agreement(statement: Message, agreement: Agreement) -> Finding:
    """Whether a model did the same with plain numbers for all inputs that were tried."""
    difference = agreement.difference
    verdict = Verdict.PROVED if difference is None else Verdict.UNKNOWN
    reason = difference or Reason.INPUTS(count=agreement.count)
    return Finding(statement, verdict, reason, kind=StatementKind.MODEL)


def _ends(
    case: Case, mapping: ModelMapping, result: Any, assumed: Sequence[Term]
) -> Iterator[Finding]:
    """Findings on the model's result at each end of the code."""
    exploration = case.exploration
    ends = exploration.start.ends
    for leg in exploration.returning_legs():
        after = StateView(exploration.start.program.abi, leg.at, exploration.entry)
        values = result
        if len(ends) > 1:
            here, values = result
            where = exploration.start.program.image.describe(leg.end)
            same = here == ends.index(leg.end)
            holds = t.const(same, 1) if isinstance(same, bool) else condition(same)
            broken = Reason.GOES_ELSEWHERE()
            yield case.judge(
                StatementKind.MODEL,
                Property.MODEL_END(place=where),
                [Claim(broken, [*leg.at.path, *assumed], holds, leg)],
            )
        for compared in mapping.compare(values, after):
            statement = Property.PLACE_EQUALS_MODEL(place=str(compared.place))
            yield holds_what(case, leg, leg.at, [*leg.at.path, *assumed], compared, statement)


def holds_what(
    case: Case,
    leg: Leg,
    state: State,
    path: Sequence[Term],
    compared: Compared,
    statement: Message,
) -> Finding:
    """Whether a place holds in a ``state`` what the model says, where all of ``path`` do."""
    return holds_equal(case, leg, path, _pairs(state, compared), statement)


def holds_equal(
    case: Case,
    leg: Leg,
    path: Sequence[Term],
    pairs: Iterable[tuple[Message, Term, Term]],
    statement: Message,
) -> Finding:
    """Whether pairs of terms are equal where all of ``path`` do: name, what the model says, what
    there is."""
    undecided: Answer | None = None
    for broken, expected, actual in pairs:
        answer = case.oracle.equal(expected, actual, path)
        if answer.kind is AnswerKind.UNKNOWN:
            undecided = undecided or answer
        elif answer.model is not None:
            return _differs(case, leg, statement, broken, path, expected, actual, answer.model)
    kind = StatementKind.MODEL
    if undecided is None:
        return Finding(statement, Verdict.PROVED, kind=kind)
    causes = join_causes(undecided.cause)
    return Finding(statement, Verdict.UNKNOWN, undecided.reason, kind=kind, causes=causes)


def _differs(
    case: Case,
    leg: Leg,
    statement: Message,
    place: Message,
    path: Sequence[Term],
    expected: Term,
    actual: Term,
    model: Model,
) -> Finding:
    equal = t.eq(expected, actual)
    model = smallest(case.oracle, [*path, t.not_(equal)], model)
    claim = Claim(
        Reason.VALUE_DIFFERS(
            place=place, actual=model.value(actual), expected=model.value(expected)
        ),
        path,
        equal,
        leg,
    )
    return replace(case.refute(statement, claim, model), kind=StatementKind.MODEL)


def _pairs(state: State, compared: Compared) -> Iterator[tuple[Message, Term, Term]]:
    """What has to be equal, as terms: name, expected, actual."""
    place, memory = compared.place, compared.place.memory
    if is_number(compared.expected):
        width = (
            8 * memory.size if memory is not None else 1 if place.flag else 8 * len(place.registers)
        )
        yield from equal_numbers(str(place), compared.expected, compared.actual, width)
        return
    assert memory is not None
    which = state.memory.layout.object_at(memory.address)
    if isinstance(compared.expected, ArrayBytes) and which is not None:
        # an unknown index stands for all of them
        index = t.var(any_name("index"), 16, memory.address, memory.address + memory.size - 1)
        actual = t.load(state.memory.array(which), index)
        cell = InformationFlow.CELL(name=str(place))
        yield cell, t.load(compared.expected.array, index), actual
        return
    cells = zip(compared.expected, compared.actual, strict=True)
    for number, (expected, actual) in enumerate(cells):
        yield from equal_numbers(f"{place}[{number}]", expected, actual, 8)


def equal_numbers(
    name: str, expected: Any, actual: Any, width: int
) -> Iterator[tuple[Message, Term, Term]]:
    """Two numbers as a pair of terms; what there is fits into ``width`` bits."""
    low, high = (expected, expected) if isinstance(expected, int) else (expected.low, expected.high)
    if low < 0 or high >= 1 << width:
        # with bits enough for both, what does not fit is equal to nothing that is there
        width = max(width, high.bit_length(), (-low).bit_length()) + (low < 0)
    yield InformationFlow.NAMED(name=name), bits(expected, width), bits(actual, width)
