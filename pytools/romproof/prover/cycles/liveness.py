"""What of the past decides how long a run still takes: which variables matter at each place.

The argument stands in the head page: ``romproof.prover.cycles``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from romproof.prover.exploration.explore import Leg, ProgramPoint
from romproof.prover.exploration.pages import drop_pages
from romproof.prover.replay.judge import Case
from romproof.prover.states.variables import value_of
from romproof.symbolic.solve.frontier_steps import conjuncts
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import VAR
from romproof.symbolic.terms.origin import VariableName
from romproof.symbolic.terms.term import Term

VariableNames = Sequence[VariableName]
_INPUT = "old "
"""What the names of inputs begin with among those of a place."""


@dataclass(frozen=True)
class LiveVariables:
    """``new`` are the new variables that matter at each place, by their names at the entry;
    ``inputs`` those of the entry that were asked about before, and are again from there on."""

    case: Case = field(repr=False)
    new: Mapping[ProgramPoint, VariableNames]
    inputs: Mapping[ProgramPoint, Mapping[VariableName, Term]]

    def at(self, place: ProgramPoint) -> Mapping[str, Term]:
        """The variables of a place by their names; no two places share those of new ones."""
        known = {} if place is None else self.case.exploration.cuts[place].unknown
        own: dict[str, Term] = {name: known[name] for name in self.new.get(place, ())}
        return {**own, **self._keep_inputs(place)}

    def after(self, leg: Leg) -> Mapping[str, Term]:
        """What they are at the end of a leg, of the place there."""
        handed: dict[str, Term] = {
            name: value_of(leg.at, name) for name in self.new.get(leg.end, ())
        }
        return {**handed, **self._keep_inputs(leg.end)}

    def _keep_inputs(self, place: ProgramPoint) -> dict[str, Term]:
        inputs = self.inputs.get(place, {})
        return {f"{_INPUT}{name}": variable for name, variable in inputs.items()}


def find_live(case: Case) -> LiveVariables:
    """What matters at each place."""
    new = _new(case)
    asked = [
        {
            variable.name: variable
            for variable in t.variables(_find_decided(leg, new))
            if variable.op is VAR and variable.name.is_at_entry
        }
        for leg in case.legs
    ]
    before: dict[ProgramPoint, dict[VariableName, Term]] = {}
    later: dict[ProgramPoint, dict[VariableName, Term]] = {}
    grown = True
    while grown:
        sizes = sum(map(len, (*before.values(), *later.values())))
        for leg, own in zip(case.legs, asked, strict=True):
            before.setdefault(leg.end, {}).update({**before.get(leg.begin, {}), **own})
            later.setdefault(leg.begin, {}).update({**later.get(leg.end, {}), **own})
        grown = sizes < sum(map(len, (*before.values(), *later.values())))
    inputs = {
        place: {name: v for name, v in sorted(later.get(place, {}).items()) if name in known}
        for place, known in before.items()
    }
    return LiveVariables(case, new, inputs)


def _new(case: Case) -> dict[ProgramPoint, VariableNames]:
    """The new variables that matter at each cut, by their names at the entry; no arrays."""
    cuts = case.exploration.cuts
    needed: dict[ProgramPoint, set[VariableName]] = {place: set() for place in cuts}
    grown = True
    while grown:
        grown = False
        for leg in case.legs:
            if leg.begin is None:
                continue
            free = t.variables(_find_decided(leg, needed))
            own = cuts[leg.begin].unknown
            used = {name for name, v in own.items() if v.op is VAR and v in free}
            grown = grown or not needed[leg.begin].issuperset(used)
            needed[leg.begin] |= used
    return {place: sorted(names) for place, names in needed.items()}


def _find_decided(
    leg: Leg, new: Mapping[ProgramPoint, Sequence[VariableName] | set[VariableName]]
) -> list[Term]:
    """All that is decided on a leg: its cycles, its way, and what it hands on."""
    handed = [value_of(leg.at, name) for name in sorted(new.get(leg.end, ()))]
    return drop_pages([leg.at.total_cycles(), *find_path_conditions(leg), *handed])


def find_path_conditions(leg: Leg) -> list[Term]:
    """The conditions under which a leg is taken, without those that held where it began."""
    known = {*conjuncts(leg.first.path)}
    return [each for each in conjuncts(leg.at.path) if each not in known]


def filter_by_variables(leg: Leg, among: Collection[str]) -> list[Term]:
    """Those that held where a leg began, as far as they speak of variables ``among`` some alone."""
    return [each for each in conjuncts(leg.first.path) if is_about(each, among)]


def is_about(condition: Term, among: Collection[str]) -> bool:
    """Whether a condition speaks of nothing but variables with some names."""
    return all(variable.name in among for variable in t.variables([condition]))
