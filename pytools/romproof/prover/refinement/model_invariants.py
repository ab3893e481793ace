"""What holds in all places of a model of stages, besides the contract's invariants.

The argument stands in the head page: ``romproof.prover.refinement``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from romproof.contract.nouns.expr import All, Condition
from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.prover.exploration.explore import Leg
from romproof.prover.exploration.joins import conjuncts, split_ways
from romproof.prover.refinement.stages import ModelValues
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import Finding
from romproof.prover.states.model_places import BadMapping
from romproof.prover.states.view import for_any, of_one, term_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message


@dataclass(frozen=True)
class Always:
    """``conditions`` as contracts have them; ``at`` gives the number that each ``all`` is asked of,
    and takes values of the machine by their names in ``takes``."""

    conditions: tuple[Condition, ...]
    at: Callable[..., Any] = field(repr=False)

    def find_assumptions(self, case: Case, state: State, taken: ModelValues) -> list[Term]:
        """What may be supposed in a ``state`` with a place's values. Raises BadMapping."""
        wanted = tuple(signature(self.at).parameters)
        if not set(wanted) <= set(taken):
            names = ", ".join(wanted)
            raise BadMapping(f"always= uses {names}, which the stage does not take")
        number = self.at(**{name: taken[name] for name in wanted})
        terms: list[Term] = []
        for each in self.conditions:
            terms.append(for_any(each, case.abi, state, case.entry))
            if isinstance(each.expression, All):
                terms.append(of_one(each, number, case.abi, state, case.entry))
            else:
                terms.append(term_of(each, case.abi, state, case.entry))
        return terms

    def prove(
        self, case: Case, leg: Leg, assumed: Sequence[Term], there: Message
    ) -> Iterator[Finding]:
        """That it holds where a leg ends, if that is ``assumed`` where it begins."""
        for each in self.conditions:
            holds = for_any(each, case.abi, leg.at, case.entry)
            claims = [
                Claim(Reason.NOT_ALWAYS(), path, t.all_of(left), leg)
                for path, (here,) in split_ways([*leg.at.path, *assumed], [holds])
                if (left := [each for each in conjuncts([here]) if each not in path])
            ]
            statement = Property.ALWAYS(there=there, condition=each.text)
            yield case.judge(StatementKind.MODEL, statement, claims)
