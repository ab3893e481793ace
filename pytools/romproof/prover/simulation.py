"""A routine with invariants does what a model says that goes from place to place.

The model is a machine of its own: in a place it has values, its state there, and one stage takes
it to the next place with the values there. Places are the routine's entry, its invariants and its
end; which registers and bytes hold the values of each is stated. It is claimed of each leg, all
paths from one place to the next, that the model goes where the code does and has the values that
the code leaves, whatever the values before that the invariant allows (a forward simulation:
Lynch and Vaandrager, "Forward and backward simulations", Information and Computation 121, 1995).
A run is a sequence of legs, so by induction over them the model, run from the routine's inputs,
comes to the end when the routine returns, and has its results. That all legs are known, that the
invariants hold and what else changes is the contract's proof, on which this rests.

What a stage asks of other routines is in ``asked.py``. Where no call is made the claims hold for
every answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from romproof.prover.asked import Answered, answered
from romproof.prover.case import Case, Claim
from romproof.prover.equivalence import holds_what
from romproof.prover.executed import Executed, execute_model, with_runs
from romproof.prover.explore import Leg
from romproof.prover.lemmas import ProvedRoutine
from romproof.prover.mapping import Mapping as ModelMapping
from romproof.prover.mapping import compared_at, settled
from romproof.prover.models.agreement import agreement_of
from romproof.prover.models.follow import follow, terms_in
from romproof.prover.models.inputs import drawn
from romproof.prover.places import BadMapping, Place, Places
from romproof.prover.results import Finding, Proof, Verdict, worst
from romproof.prover.stages import END, ENTRY, Stage, Values, run
from romproof.prover.view import StateView
from romproof.symbolic.numbers.model_run import Path, merged
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.symbolic.solve.freedom import without_free_bits
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term


def simulated(
    case: Case,
    stages: Mapping[str, Stage],
    gives: Mapping[str, str],
    lemmas: Mapping[int, ProvedRoutine],
) -> Proof:
    """The proof that a routine does what a model does, whose stages are known by their labels, and
    what came of executing both; ``gives`` says where the model's values are at the end. ``lemmas``
    are routines by their addresses. Raises BadMapping."""
    begun = time.monotonic()
    executed: Executed | None = None
    findings: list[Finding] = []
    try:
        findings += _findings(case, stages, gives, lemmas)
        if worst([each.verdict for each in findings]) is Verdict.PROVED:
            executed = execute_model(case, *_as_one(case, stages, gives), None)
    except (Undecided, OutOfTime) as stop:
        findings.append(Finding("can be followed", Verdict.UNKNOWN, stop.reason))
    except NotSymbolic as stop:
        findings.append(Finding("the model can be followed", Verdict.UNKNOWN, str(stop)))
    proof = Proof("model", tuple(findings), seconds=time.monotonic() - begun)
    return proof if executed is None else with_runs(proof, executed)


def _as_one(
    case: Case, stages: Mapping[str, Stage], gives: Mapping[str, str]
) -> tuple[ModelMapping, Callable[..., Any]]:
    """The whole model, as one that is executed."""
    places = Places(case.contract, case.abi)
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
) -> Iterator[Finding]:
    image, exploration = case.image, case.exploration
    known = {None: ENTRY} | {image.address(label): label for label in stages if label != ENTRY}
    names: dict[int | None, str] = {**known, **dict.fromkeys(case.start.ends, END)}
    missing = [image.describe(at) for at in exploration.cuts if at not in names]
    if missing or ENTRY not in stages:
        raise BadMapping(f"the model has no stage for {', '.join(missing) or 'the entry'}")
    everywhere = {label: stage.takes for label, stage in stages.items()} | {END: gives}
    for begin, label in known.items():
        if begin is None or begin in exploration.cuts:
            yield from _Stage(case, names, everywhere, begin, stages[label], lemmas).judged()


@dataclass(frozen=True)
class _Stage:
    """One stage, and the legs from its place. ``names`` are the labels of places, ``takes`` what is
    taken at each."""

    case: Case
    names: Mapping[int | None, str]
    takes: Mapping[str, Mapping[str, str]]
    begin: int | None
    stage: Stage
    lemmas: Mapping[int, ProvedRoutine]

    @property
    def _here(self) -> str:
        label = self.names[self.begin]
        return f"from {label}" if label else "from the entry"

    def judged(self) -> Iterator[Finding]:
        """A finding on each leg and each value, and that plain numbers give the same."""
        case, stage, asked = self.case, self.stage, self.stage.asked
        first = case.exploration.first_at(self.begin)
        oracle = case.oracle
        call = None if asked is None else answered(case, asked, self.begin, self.lemmas, self._here)
        assumed = [*oracle.assumptions, *first.path]

        def feasible(conditions: Sequence[Term]) -> bool:
            return oracle.ask(without_free_bits(conditions)).kind != "unsat"

        def question() -> Any:
            assert asked is not None
            return settled(asked.question(**self._taken()))

        questions: tuple[Path, ...] = ()
        if asked is not None:
            questions = follow(asked.question, question, assumed, feasible).paths
        followed = follow(
            stage.model,
            lambda: settled(stage.model(**self._taken(), **_answer(call))),
            assumed,
            feasible,
        )
        if call is not None:
            yield from call.claims(self._here, self.begin, questions)
        for leg in case.legs:
            if leg.begin == self.begin:
                yield from self._claims(leg, followed.paths)
        given = {**self._taken(), **_answer(call)}
        terms = [*terms_in([*given.values()])]
        batches = drawn(oracle, terms, first.path)
        statement = f"{self._here} the model does the same with plain numbers"
        if not batches:
            yield Finding(statement, Verdict.UNKNOWN, "no values were found that come there")
            return
        agreement = agreement_of(
            oracle,
            followed,
            ((), given),
            lambda plain: settled(stage.model(**plain[1])),
            batches,
            first.path,
            terms,
        )
        verdict = Verdict.UNKNOWN if agreement.difference else Verdict.PROVED
        yield Finding(statement, verdict, agreement.difference or f"{agreement.count:,} inputs")

    def _taken(self) -> Values:
        first = self.case.exploration.first_at(self.begin)
        return self._read(self.stage.takes, StateView(self.case.abi, first, self.case.entry))

    def _read(self, takes: Mapping[str, str], view: StateView) -> Values:
        return {name: self._place(text).read(view) for name, text in takes.items()}

    def _place(self, text: str) -> Place:
        contract = self.case.contract
        every = [*contract.inputs, *contract.outputs, *contract.clobbers]
        return Places(contract, self.case.abi).find(text, every, "place")

    # ---------------------------------------------------------------- legs

    def _claims(self, leg: Leg, paths: Sequence[Path]) -> Iterator[Finding]:
        end = self.names[leg.end]
        there = f"{self._here} to {end}"
        elsewhere: list[Claim] = []
        good: list[Path] = []
        for path in paths:
            label = END
            if path.error is not None:
                broken = f"the model raises {path.error!r}"
            else:
                label = self._result(path.result)[0]
                broken = f"the model goes to {label}"
            if path.error is None and label == end:
                good.append(path)
            else:
                elsewhere.append(Claim(broken, [*leg.at.path, path.condition], t.FALSE, leg))
        yield self.case.judge(f"{there} goes the model, too", elsewhere)
        if not good:
            return
        result = merged([Path(p.conditions, p.result[1]) for p in good])
        wanted = self.takes[end]
        if set(result) != set(wanted):
            raise BadMapping(
                f"the model gives {', '.join(result) or 'nothing'} at {end}, where "
                f"{', '.join(wanted) or 'nothing'} is taken"
            )
        after = StateView(self.case.abi, leg.at, self.case.entry)
        where = [*leg.at.path, reduce(t.or_, (each.condition for each in good), t.FALSE)]
        for name, text in wanted.items():
            compared = compared_at(self._place(text), result[name], after)
            statement = f"{there} {compared.place} is what the model says"
            yield holds_what(self.case, leg, leg.at, where, compared, statement)

    def _result(self, result: Any) -> tuple[str, Values]:
        if not isinstance(result, tuple) or len(result) != 2 or not isinstance(result[0], str):
            raise BadMapping(f"the model gives {result!r}: a label and the values there are wanted")
        if result[0] not in self.takes:
            raise BadMapping(f"the model goes to '{result[0]}', of which it has no stage")
        return result[0], result[1]


def _answer(call: Answered | None) -> Values:
    return {} if call is None else call.answer()
