"""What a stage of a model asks of a routine that was proved, and what that leaves.

The argument stands in the head page: ``romproof.prover.refinement``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from romproof.contract.nouns.statement import StatementKind
from romproof.prover.calls.summaries import ProvedRoutine
from romproof.prover.catalogue import Property, Reason
from romproof.prover.models.mapping import compare_at
from romproof.prover.refinement.equivalence import holds_what
from romproof.prover.refinement.stages import Asked, ModelValues
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import Finding
from romproof.prover.states.model_places import BadMapping, ModelPlace, ModelPlaces
from romproof.prover.states.view import StateView
from romproof.symbolic.execute.events import SummaryCall
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.model_run import Path, merge_results
from romproof.symbolic.terms import term as t
from romproof.text.messages import Message


@dataclass(frozen=True)
class Answered:
    """The one call of a routine from a place: ``given`` and ``left`` say what is where before
    and after it, by names of the model."""

    case: Case
    asked: Asked
    before: State
    after: State
    given: Mapping[str, ModelPlace]
    left: Mapping[str, ModelPlace]

    def answer(self) -> ModelValues:
        """What the call leaves, as a model takes it."""
        view = StateView(self.case.abi, self.after, self.case.entry)
        return {name: place.read(view) for name, place in self.left.items()}

    def claims(self, here: Message, begin: int | None, paths: Sequence[Path]) -> Iterator[Finding]:
        """That the call was given what the model asks, whose ways are ``paths``."""
        leg = next(each for each in self.case.legs if each.begin == begin)
        routine = self.asked.routine
        failing = [
            Claim(Reason.QUESTION_RAISES(error=repr(each.error)), [each.condition], t.FALSE, leg)
            for each in paths
            if each.error is not None
        ]
        if failing:
            statement = Property.ASKED(here=here, routine=routine)
            yield self.case.judge(StatementKind.MODEL, statement, failing)
            return
        question = merge_results(paths)
        view = StateView(self.case.abi, self.before, self.case.entry)
        for name, place in self.given.items():
            compared = compare_at(place, question[name], view)
            statement = Property.RECEIVES(here=here, routine=routine, place=str(place))
            yield holds_what(self.case, leg, self.before, self.before.path, compared, statement)


def find_answer(
    case: Case, asked: Asked, begin: int | None, lemmas: Mapping[int, ProvedRoutine], here: Message
) -> Answered:
    """The call that answers, made from the place ``begin``. Raises BadMapping."""
    address = case.image.address(asked.routine)
    calls = [
        (call.before, call.after)
        for call in case.exploration.calls
        if call.begin == begin and _goes_to(call, address)
    ]
    if len(calls) != 1 or address not in lemmas:
        raise BadMapping(
            f"{here} {asked.routine} is asked, but {len(calls)} of its calls use its contract: "
            f"exactly one call must, and the routine must be proved with exact=False"
        )
    ((before, after),) = calls
    assert before is not None
    assert after is not None
    places = ModelPlaces(lemmas[address].contract, case.abi)
    found = Answered(
        case,
        asked,
        before,
        after,
        {n: places.find(p, places.contract.inputs, "input") for n, p in asked.given.items()},
        {n: places.find(p, places.contract.outputs, "output") for n, p in asked.answer.items()},
    )
    _check_function(found, lemmas[address], places)
    return found


def _goes_to(call: SummaryCall, address: int) -> bool:
    return call.before is not None and call.before.pc == address


def _check_function(found: Answered, lemma: ProvedRoutine, places: ModelPlaces) -> None:
    """Raises BadMapping where the answer is not a function of what is asked."""
    contract, asked = lemma.contract, found.asked
    if contract.pointers:
        raise BadMapping(
            f"{asked.routine} has a block behind a pointer, which a stage cannot pass: list the "
            f"memory instead"
        )
    inputs = _items(places.of(contract.inputs))
    if (
        "in" not in dict(contract.places)
        or lemma.reads_ports
        or not inputs <= _items(found.given.values())
    ):
        raise BadMapping(
            f"the outputs of {asked.routine} may depend on more than the question gives: the "
            f"question must give every place that its contract lists under 'in:', and none may "
            f"be a port"
        )
    memory = {each for each in _items(found.left.values()) if isinstance(each, int)}
    if memory - lemma.surely - inputs:
        raise BadMapping(
            f"{asked.routine} may leave bytes of {', '.join(asked.answer.values())} unwritten: "
            f"they then keep an old value, which is not one of its inputs"
        )


def _items(places: Iterable[ModelPlace]) -> frozenset[object]:
    return frozenset[object]().union(*(place.items for place in places))
