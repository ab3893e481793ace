"""Cycles across invariants, by the states that are really there at them.

The argument stands in the head page: ``romproof.prover.cycles``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from romproof.prover.calls.costs import extreme, of_the_way
from romproof.prover.cycles.liveness import (
    LiveVariables,
    filter_by_variables,
    find_live,
    find_path_conditions,
    is_about,
)
from romproof.prover.exploration.explore import Leg, ProgramPoint
from romproof.prover.exploration.pages import drop_pages
from romproof.prover.replay.judge import Case
from romproof.prover.states.variables import is_contracted
from romproof.symbolic.solve.cases import best_of
from romproof.symbolic.solve.cones import AT_ONCE, MAX_ROWS, Columns, Cones, fits
from romproof.symbolic.solve.frontier_steps import conjuncts
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.solve.unload import without_arrays
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY, LOAD
from romproof.symbolic.terms.origin import VariableName
from romproof.symbolic.terms.sample import all_values
from romproof.symbolic.terms.term import Term

MAX_LEGS = 1 << 12
"""Legs one after the other."""
MAX_STATES = 1 << 18
"""States at one place."""
MAX_IN_ALL = 1 << 27
"""States of all legs together."""

_NOWHERE = -1


@dataclass(frozen=True)
class _States:
    """What is handed on at a place, each with its cycles: arrays of the shape (states,). ``trail``,
    of the shape (states, 2), says which of the choices was the last on the way there, and which row
    of these."""

    columns: Mapping[str, Any]
    cycles: Any
    trail: Any


@dataclass(frozen=True)
class _Choices:
    """Values of inputs, of the entry's variables and of bytes of its arrays, that were chosen
    together: one a row. ``trail`` is what was chosen before."""

    values: Mapping[Term, Any]
    trail: Any


@dataclass(frozen=True)
class Reached:
    """A bound, and the input that may reach it: as conditions on it, and as a model. None where
    what was chosen is no input."""

    cycles: int
    chosen: tuple[Term, ...] = ()
    model: Model | None = None


def find_bound_by_states(case: Case, sign: int) -> Reached | None:
    """The fewest cycles of any call (``sign`` -1), or the most (1); None where there are too many
    states. Raises OutOfTime."""
    walk = _Walk(case, find_live(case), sign)
    first = np.full((1, 2), _NOWHERE, np.int64)
    states: dict[ProgramPoint, _States] = {None: _States({}, np.zeros(1, np.int64), first)}
    best: tuple[int, Any] | None = None
    followed = 0
    for _ in range(MAX_LEGS):
        arrived: dict[ProgramPoint, list[_States]] = {}
        for leg in case.legs:
            if leg.begin in states:
                after = walk.after(leg, states[leg.begin])
                if after is None:
                    return None
                arrived.setdefault(leg.end, []).extend(after)
        states = {}
        for end, parts in arrived.items():
            if not parts:
                continue
            one = _merge(parts, sign)
            if end not in case.start.ends:
                states[end] = one
                continue
            at = int(np.argmax(sign * one.cycles))
            if best is None or sign * one.cycles[at] > sign * best[0]:
                best = int(one.cycles[at]), one.trail[at]
        if not states:
            return None if best is None else _input(case, *best, walk.choices)
        sizes = [len(one.cycles) for one in states.values()]
        followed += sum(sizes)
        if max(sizes) > MAX_STATES or followed > MAX_IN_ALL:
            return None
    return None


def _merge(parts: Sequence[_States], sign: int) -> _States:
    """The states of all parts, each once."""
    cycles = np.concatenate([part.cycles for part in parts])
    columns = {
        name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns
    }
    best = best_of(list(columns.values()), sign * cycles)
    trail = np.concatenate([part.trail for part in parts])
    chosen = {name: column[best] for name, column in columns.items()}
    return _States(chosen, cycles[best], trail[best])


def _input(case: Case, cycles: int, trail: Any, choices: Sequence[_Choices]) -> Reached:
    """A bound with an input that has all which was chosen on the way to it; without one where
    something was chosen twice, in two ways, or where it is not allowed."""
    chosen: dict[Term, int] = {}
    which, row = map(int, trail)
    while which != _NOWHERE:
        for place, values in choices[which].values.items():
            value = int(values[row])
            if chosen.setdefault(place, value) != value:
                return Reached(cycles)
        which, row = map(int, choices[which].trail[row])
    conditions = [t.eq(place, t.const(value, place.width)) for place, value in chosen.items()]
    model = case.oracle.ask(conditions).model
    if model is None:
        return Reached(cycles)
    conditions, model = case.separate(conditions, model)
    return Reached(cycles, tuple(conditions), model)


@dataclass(frozen=True)
class _Walk:
    """From states to states; ``choices`` are all that were made on the way."""

    case: Case
    live: LiveVariables
    sign: int
    choices: list[_Choices] = field(default_factory=list)

    def after(self, leg: Leg, states: _States) -> list[_States] | None:
        """The states in which some come to the end of a leg; None: they are too many."""
        own, there = self.live.at(leg.begin), self.live.after(leg)
        whole = of_the_way(self.case, leg, leg.at.total_cycles())
        cycles = extreme(whole, self.sign)
        # where it is not seen of all states, it is asked of each
        among = t.variables([whole]) if cycles is None else []
        cycles = whole if cycles is None else cycles
        path = [
            *find_path_conditions(leg),
            *filter_by_variables(leg, {variable.name for variable in own.values()}),
        ]
        known = [each for each in path if not any(map(is_contracted, t.variables([each])))]
        for conditions in (path, known):  # what calls leave may be too much to follow
            terms = drop_pages([cycles, *there.values(), *conditions])
            found = self._follow(terms, list(there), own, states, among)
            if found is not None:
                return found
        return None

    def _follow(
        self,
        terms: Sequence[Term],
        names: Sequence[str],
        own: Mapping[str, Term],
        states: _States,
        among: Iterable[Term],
    ) -> list[_States] | None:
        """The same by the terms of a leg, as for ``_made``, for values of some variables each."""
        apart = {*_in_addresses(terms), *among}
        index = [name for name, variable in own.items() if variable in apart]
        found: list[_States] = []
        for values, rows in _group_equal(
            [states.columns[name] for name in index], len(states.cycles)
        ):
            known = {
                own[name]: t.const(int(value), own[name].width)
                for name, value in zip(index, values, strict=True)
            }
            memo: dict[Term, Term] = {}
            plain = [t.replace(term, known, memo) for term in terms]
            cycles = extreme(plain[0], self.sign)
            if cycles is None:
                return None
            plain[0] = cycles
            given = {variable.name: states.columns[name][rows] for name, variable in own.items()}
            made = self._make(plain, names, given, rows, states)
            if made is None:
                return None
            found += made
        return found

    def _make(
        self,
        terms: Sequence[Term],
        names: Sequence[str],
        given: Mapping[VariableName, Any],
        rows: Any,
        states: _States,
    ) -> list[_States] | None:
        """The same of some states. The first of the terms are cycles and what is handed on by these
        names; the others must hold."""
        plain = without_arrays([*terms, *conjuncts(self.case.oracle.assumptions)])
        if plain is None or not fits(plain.conditions[: len(terms)], None):
            return None
        wanted, rest = plain.conditions[: len(terms)], conjuncts(plain.conditions[len(terms) :])
        free = {v.name: v for v in t.variables(wanted) if v.name not in given}
        inputs = {n: v for n, v in free.items() if n.is_at_entry}
        for name, at, byte in plain.bytes:
            if name.is_at_entry:
                inputs[byte.name] = t.load(t.array_var(name), at)
        inputs = {n: v for n, v in inputs.items() if v.op is not LOAD or v.args[1].is_const}
        inside = {*free}
        cones = Cones([each for each in rest if is_about(each, inside)], free.values())
        table = _table(cones, inside)
        if table is None:
            return None
        among = inside | given.keys()
        joined = [c for c in rest if is_about(c, among) and not is_about(c, inside)]
        wanted = [*wanted, *(c for c in joined if inside and fits([c], None))]
        found: list[_States] = []
        for parents, values in _rows(given, rows, table):
            self.case.oracle.solver.deadline.check()
            done = all_values(wanted, values)
            holds = np.ones(len(parents), dtype=bool)
            for condition in wanted[1 + len(names) :]:
                holds &= done[condition] != 0
            kept = np.flatnonzero(holds)
            cycles = states.cycles[parents[kept]] + done[wanted[0]][kept].astype(np.int64)
            columns = [done[term][kept] for term in wanted[1 : 1 + len(names)]]
            if inside:
                best = best_of(columns, self.sign * cycles)
                kept, cycles = kept[best], cycles[best]
                columns = [column[best] for column in columns]
            if not len(kept):
                continue
            trail = states.trail[parents[kept]]
            if inside:
                chosen = {
                    place: values[name][kept] for name, place in inputs.items() if name in free
                }
                trail = self._select(_Choices(chosen, trail), len(kept))
            found.append(_States(dict(zip(names, columns, strict=True)), cycles, trail))
        return found

    def _select(self, choices: _Choices, count: int) -> Any:
        self.choices.append(choices)
        return np.stack([np.full(count, len(self.choices) - 1), np.arange(count)], axis=1)


def _table(cones: Cones, names: set[VariableName]) -> Columns | None:
    """All values of some variables together, those that no condition joins side by side; None where
    they are too many."""
    parts = [{name} for name in sorted(names)]
    for condition in cones.conditions:
        joined = [part for part in parts if part & cones.names(condition)]
        parts = [part for part in parts if part not in joined] + [set().union(*joined)]
    if any(name not in cones.domains for name in names):
        return None
    found: Columns = {}
    count = 1
    for part in filter(None, parts):
        if cones.rows(part) > MAX_ROWS:
            return None
        table = cones.table(part, None)
        size = len(next(iter(table.values())))
        if count * size > MAX_STATES:
            return None
        found = {name: np.repeat(column, size) for name, column in found.items()}
        found |= {name: np.tile(column, count) for name, column in table.items()}
        count *= size
    return found


def _in_addresses(terms: Sequence[Term]) -> set[Term]:
    """The variables by which arrays of the entry are read."""
    loads = [x for x in t.in_order(terms) if x.op is LOAD]
    return set(t.variables([x.args[1] for x in loads if _is_given(x.args[0])]))


def _is_given(array: Term) -> bool:
    return any(v.op is ARRAY and v.name.is_at_entry for v in t.variables([array]))


def _group_equal(columns: Sequence[Any], count: int) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Rows that have the same values, with these."""
    if not columns:
        yield (), np.arange(count)
        return
    values, numbers = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    for number, row in enumerate(values):
        yield tuple(map(int, row)), np.flatnonzero(numbers.ravel() == number)


def _rows(
    given: Mapping[VariableName, Any], rows: Any, table: Columns
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """States with all inputs of a table each, some at a time: which states, and all values."""
    size = len(next(iter(table.values()))) if table else 1
    for begin in range(0, len(rows) * size, AT_ONCE):
        numbers = np.arange(begin, min(begin + AT_ONCE, len(rows) * size))
        which, choice = np.divmod(numbers, size)
        values: dict[str, Any] = {name: column[which] for name, column in given.items()}
        values |= {name: column[choice] for name, column in table.items()}
        yield rows[which], values or {"": np.zeros(len(numbers), np.uint64)}
