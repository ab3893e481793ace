"""What the values in a machine stand for, where a model has them in another form.

The argument stands in the head page: ``romproof.prover.refinement``.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from inspect import signature
from typing import Any

from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.prover.exploration.explore import Leg
from romproof.prover.exploration.joins import select_short, split_ways
from romproof.prover.models.follow import follow
from romproof.prover.models.mapping import settle
from romproof.prover.models.screen import Feasible
from romproof.prover.refinement.equivalence import equal_numbers, holds_equal
from romproof.prover.refinement.stages import ModelValues, Stage
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import Finding, Verdict
from romproof.prover.states.model_places import BadMapping, is_number
from romproof.symbolic.numbers.model_run import Path, merge_results
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message


@dataclass(frozen=True)
class AbstractValues:
    """A model's values in a place: ``meant`` are those that it has in another form, ``plain`` those
    that the machine has as they are. ``errors`` are the paths on which nothing can be meant."""

    plain: ModelValues
    meant: ModelValues
    errors: tuple[Path, ...] = ()

    @property
    def every(self) -> ModelValues:
        """All of them by their names; bytes anew each time, as a model may change them."""
        return {name: copy(value) for name, value in {**self.plain, **self.meant}.items()}


def apply_meaning(stage: Stage, taken: ModelValues) -> ModelValues:
    """The model's values for what ``takes`` brought, with plain numbers and symbolic ones."""
    if stage.means is None:
        return taken
    own = _names(stage)
    left = {name: value for name, value in taken.items() if name not in own}
    return {**left, **stage.means(**{name: taken[name] for name in own})}


def _names(stage: Stage) -> tuple[str, ...]:
    """What of the machine's values ``means`` takes. Raises BadMapping."""
    assert stage.means is not None
    wanted = tuple(signature(stage.means).parameters)
    if not set(wanted) <= set(stage.takes):
        raise BadMapping(f"means takes {', '.join(wanted)}, which the stage does not take")
    return wanted


def abstract(
    stage: Stage, taken: ModelValues, assumed: Sequence[Term], feasible: Feasible
) -> AbstractValues:
    """The same for symbolic values, in all ways that can be taken. Raises NotSymbolic."""
    means = stage.means
    if means is None:
        return AbstractValues(taken, {})
    own = _names(stage)
    given = {name: taken[name] for name in own}
    paths = follow(means, lambda: settle(means(**given)), assumed, feasible).paths
    good = [path for path in paths if path.error is None]
    found = merge_results(good) if good else {}
    plain = {name: value for name, value in taken.items() if name not in own}
    wrong = next((name for name, value in found.items() if not is_number(value)), None)
    if wrong is not None:
        raise BadMapping(f"'{wrong}' must mean a number")
    return AbstractValues(plain, found, tuple(path for path in paths if path.error is not None))


def can_be_meant(
    case: Case, found: AbstractValues, path: Sequence[Term], leg: Leg, here: Message
) -> Finding:
    """That there is no way without values, where all of ``path`` hold."""
    claims = [
        Claim(Reason.RAISES(error=repr(each.error)), [*path, each.condition], t.FALSE, leg)
        for each in found.errors
    ]
    return case.judge(StatementKind.MODEL, Property.MEANT(here=here), claims)


def prove_same_numbers(
    case: Case, leg: Leg, where: Sequence[Term], name: str, pair: tuple[Any, Any], there: Message
) -> Finding:
    """Whether a number is what the machine means by it: ``pair`` is what the model says, and this.
    Raises BadMapping."""
    expected, actual = pair
    if not is_number(expected):
        raise BadMapping(f"the model gives no number for '{name}', as the machine does")
    width = max(_bits_of(expected), _bits_of(actual), 1)

    statement = Property.PLACE_EQUALS_MODEL_AT(there=there, place=f"'{name}'")
    found = Finding(statement, Verdict.PROVED, kind=StatementKind.MODEL)
    for said, one, other in equal_numbers(f"'{name}'", expected, actual, width):
        for path, (here, is_there) in split_ways(where, [one, other]):
            if case.oracle.equal(here, is_there, select_short(path)).kind is AnswerKind.UNSAT:
                continue
            found = holds_equal(case, leg, path, [(said, here, is_there)], statement)
            if found.verdict is not Verdict.PROVED:
                return found
    return found


def _bits_of(value: Any) -> int:
    """Bits of a natural number."""
    high: int = value if isinstance(value, int) else value.high
    return high.bit_length()
