"""A routine with invariants does what a model says that goes from place to place.

The argument stands in the head page: ``romproof.prover.refinement``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from romproof.contract.nouns.statement import StatementKind
from romproof.prover.calls.summaries import ProvedRoutine
from romproof.prover.catalogue import Property, Reason, StageLocation
from romproof.prover.exploration.explore import Leg
from romproof.prover.models.agreement import agreement_of
from romproof.prover.models.follow import follow, terms_in
from romproof.prover.models.inputs import draw_inputs
from romproof.prover.models.mapping import Mapping as ModelMapping
from romproof.prover.models.mapping import compare_at, settle
from romproof.prover.models.screen import Feasible
from romproof.prover.refinement.abstraction import (
    AbstractValues,
    abstract,
    apply_meaning,
    can_be_meant,
    prove_same_numbers,
)
from romproof.prover.refinement.equivalence import holds_what, refuse_model, report_agreement
from romproof.prover.refinement.model_invariants import Always
from romproof.prover.refinement.oracle_calls import Answered, find_answer
from romproof.prover.refinement.stages import END, ENTRY, ModelValues, Stage, run
from romproof.prover.replay.confirm import Executed, execute_model, with_runs
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import Finding, Proof, Verdict, report_unfollowed, worst
from romproof.prover.states.model_places import BadMapping, ModelPlace, ModelPlaces
from romproof.prover.states.view import StateView
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.model_run import Path, merge_results
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.symbolic.solve.freedom import without_free_bits
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message


def simulate(
    case: Case,
    stages: Mapping[str, Stage],
    gives: Mapping[str, str],
    lemmas: Mapping[int, ProvedRoutine],
    always: Always | None = None,
) -> Proof:
    """The proof that a routine does what a model does, whose stages are known by their labels, and
    what came of executing both; ``gives`` says where the model's values are at the end. ``lemmas``
    are routines by their addresses, ``always`` is what holds in all places. Raises BadMapping."""
    begun = time.monotonic()
    executed: Executed | None = None
    findings: list[Finding] = []
    try:
        findings += _findings(case, stages, gives, lemmas, always)
        if worst([each.verdict for each in findings]) is Verdict.PROVED:
            executed = execute_model(case, *_as_one(case, stages, gives), None)
    except (Undecided, OutOfTime) as stop:
        findings.append(report_unfollowed(stop.cause, stop.reason))
    except NotSymbolic as stop:
        findings.append(refuse_model(stop))
    proof = Proof("model", tuple(findings), seconds=time.monotonic() - begun)
    return proof if executed is None else with_runs(proof, executed)


def _as_one(
    case: Case, stages: Mapping[str, Stage], gives: Mapping[str, str]
) -> tuple[ModelMapping, Callable[..., Any]]:
    """The whole model, as one that is executed."""
    places = ModelPlaces(case.contract, case.abi)
    every = [*case.contract.inputs, *case.contract.outputs, *case.contract.clobbers]
    sources = {n: places.find(p, every, "place") for n, p in stages[ENTRY].takes.items()}
    results = [places.find(text, every, "place") for text in gives.values()]

    def model(**values: Any) -> Any:
        given = run(stages, values)
        return tuple(given[name] for name in gives)

    return ModelMapping(places, (), sources, {}, tuple(results)), model


def _findings(
    case: Case,
    stages: Mapping[str, Stage],
    gives: Mapping[str, str],
    lemmas: Mapping[int, ProvedRoutine],
    always: Always | None,
) -> Iterator[Finding]:
    image, exploration = case.image, case.exploration
    known = {None: ENTRY} | {image.address(label): label for label in stages if label != ENTRY}
    names: dict[int | None, str] = {**known, **dict.fromkeys(case.start.ends, END)}
    missing = [image.describe(at) for at in exploration.cuts if at not in names]
    if missing or ENTRY not in stages:
        raise BadMapping(f"the model has no stage for {', '.join(missing) or 'the entry'}")
    if stages[ENTRY].means is not None:
        raise BadMapping(
            "means= is not possible at the entry: there a model takes the routine's own inputs"
        )
    everywhere = {**stages, END: Stage(gives, stages[ENTRY].model)}
    for begin, label in known.items():
        if begin is None or begin in exploration.cuts:
            stage = _Stage(case, names, everywhere, begin, stages[label], lemmas, always)
            yield from stage.judge_stages()


@dataclass(frozen=True)
class _Stage:
    """One stage, and the legs from its place. ``names`` are the labels of places, ``stages`` what
    is taken at each, the end included."""

    case: Case
    names: Mapping[int | None, str]
    stages: Mapping[str, Stage]
    begin: int | None
    stage: Stage
    lemmas: Mapping[int, ProvedRoutine]
    always: Always | None

    @property
    def _here(self) -> Message:
        label = self.names[self.begin]
        return StageLocation.FROM(label=label) if label else StageLocation.FROM_ENTRY()

    def judge_stages(self) -> Iterator[Finding]:
        """A finding on each leg and each value, and that plain numbers give the same."""
        case, stage, asked = self.case, self.stage, self.stage.asked
        first = case.exploration.start_state(self.begin)
        oracle = case.oracle
        call = (
            None if asked is None else find_answer(case, asked, self.begin, self.lemmas, self._here)
        )
        assumed = [*oracle.assumptions, *first.path]

        def feasible(conditions: Sequence[Term]) -> bool:
            return oracle.ask(without_free_bits(conditions)).kind is not AnswerKind.UNSAT

        here = abstract(stage, self._read_inputs(), assumed, feasible)
        if here.errors:
            found = can_be_meant(case, here, first.path, self._a_leg, self._here)
            yield found
            if found.verdict is not Verdict.PROVED:
                return

        def question() -> Any:
            assert asked is not None
            return settle(asked.question(**here.every))

        questions: tuple[Path, ...] = ()
        if asked is not None:
            questions = follow(asked.question, question, assumed, feasible).paths
        followed = follow(
            stage.model,
            lambda: settle(stage.model(**here.every, **_answer(call))),
            assumed,
            feasible,
        )
        if call is not None:
            yield from call.claims(self._here, self.begin, questions)
        supposed: list[Term] = []
        if self.always is not None and self.begin is not None:
            supposed = self.always.find_assumptions(case, first, self._read_inputs())
        for leg in case.legs:
            if leg.begin == self.begin:
                yield from self._claims(leg, followed.paths, feasible, supposed)
        answer = _answer(call)
        given = {**self._read_inputs(), **answer}
        terms = [*terms_in([*given.values()])]
        batches = draw_inputs(oracle, terms, first.path)
        statement = Property.MODEL_PLAIN_AT(here=self._here)
        if not batches:
            reason, kind = Reason.NONE_REACHES(), StatementKind.MODEL
            yield Finding(statement, Verdict.UNKNOWN, reason, kind=kind)
            return
        agreement = agreement_of(
            oracle,
            followed,
            ((), given),
            lambda plain: settle(stage.model(**self._evaluate(plain[1], answer))),
            batches,
            first.path,
            terms,
        )
        yield report_agreement(statement, agreement)

    def _evaluate(self, values: ModelValues, answer: ModelValues) -> ModelValues:
        """What a model takes, for plain numbers in the machine and of an answer."""
        taken = {name: value for name, value in values.items() if name not in answer}
        return {**apply_meaning(self.stage, taken), **{name: values[name] for name in answer}}

    @property
    def _a_leg(self) -> Leg:
        return next(leg for leg in self.case.legs if leg.begin == self.begin)

    def _read_inputs(self) -> ModelValues:
        return self._read_place(self.stage.takes, self.case.exploration.start_state(self.begin))

    def _read_place(self, takes: Mapping[str, str], state: State) -> ModelValues:
        view = StateView(self.case.abi, state, self.case.entry)
        return {name: self._place(text).read(view) for name, text in takes.items()}

    def _place(self, text: str) -> ModelPlace:
        contract = self.case.contract
        every = [*contract.inputs, *contract.outputs, *contract.clobbers]
        return ModelPlaces(contract, self.case.abi).find(text, every, "place")

    # ---------------------------------------------------------------- legs

    def _claims(
        self, leg: Leg, paths: Sequence[Path], feasible: Feasible, supposed: Sequence[Term]
    ) -> Iterator[Finding]:
        end = self.names[leg.end]
        there = StageLocation.BETWEEN(here=self._here, end=end)
        elsewhere: list[Claim] = []
        good: list[Path] = []
        for path in paths:
            label = END
            if path.error is not None:
                broken = Reason.MODEL_RAISES(error=repr(path.error))
            else:
                label = self._result(path.result)[0]
                broken = Reason.GOES_TO(label=label)
            if path.error is None and label == end:
                good.append(path)
            else:
                elsewhere.append(Claim(broken, [*leg.at.path, path.condition], t.FALSE, leg))
        statement = Property.MODEL_GOES_TOO(there=there)
        yield self.case.judge(StatementKind.MODEL, statement, elsewhere)
        if self.always is not None and end != END:
            yield from self.always.prove(self.case, leg, supposed, there)
        if not good:
            return
        result = merge_results([Path(p.conditions, p.result[1]) for p in good])
        where = [*leg.at.path, reduce(t.or_, (each.condition for each in good), t.FALSE)]
        stage = self.stages[end]
        wanted = abstract(stage, self._read_place(stage.takes, leg.at), where, feasible)
        if wanted.errors:
            yield can_be_meant(self.case, wanted, where, leg, there)
        yield from self._compare(leg, [*where, *supposed], result, wanted, there)

    def _compare(
        self,
        leg: Leg,
        where: Sequence[Term],
        result: ModelValues,
        wanted: AbstractValues,
        there: Message,
    ) -> Iterator[Finding]:
        """That the values of the model are those that are ``wanted`` where the leg ends."""
        end = self.names[leg.end]
        if set(result) != set(wanted.every):
            raise BadMapping(
                f"the model gives {', '.join(result) or 'nothing'} at {end}, where "
                f"{', '.join(wanted.every) or 'nothing'} is taken"
            )
        after = StateView(self.case.abi, leg.at, self.case.entry)
        for name in wanted.plain:
            place = self._place(self.stages[end].takes[name])
            compared = compare_at(place, result[name], after)
            place_said = str(compared.place)
            statement = Property.PLACE_EQUALS_MODEL_AT(there=there, place=place_said)
            yield holds_what(self.case, leg, leg.at, where, compared, statement)
        for name, value in wanted.meant.items():
            yield prove_same_numbers(self.case, leg, where, name, (result[name], value), there)

    def _result(self, result: Any) -> tuple[str, ModelValues]:
        if not isinstance(result, tuple) or len(result) != 2 or not isinstance(result[0], str):
            raise BadMapping(
                f"the model gives {result!r}: it must give a label and the values there"
            )
        if result[0] not in self.stages:
            raise BadMapping(f"the model goes to '{result[0]}', but has no stage of that name")
        return result[0], result[1]


def _answer(call: Answered | None) -> ModelValues:
    return {} if call is None else call.answer()
