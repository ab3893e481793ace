"""Cycles across invariants, by the states that are really there at them.

The best bounds of legs, each wherever it may begin, are reached in no single run where what one
iteration takes depends on what others left. But often few bytes are handed on: those new variables
of a cut that cycles, paths and what is handed on depend on. Here all values that these can have are
followed from the entry, leg by leg, each with the fewest cycles and the most so far. What a leg
reads besides, such as the input's next byte, may be anything then that is required of it by itself:
each time anew, which can only allow more. So these are bounds. An input that has all of what was
chosen on the way reaches one, which is seen when it is executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from romproof.prover.case import Case
from romproof.prover.explore import Leg, Place
from romproof.prover.names import address_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.cases import best_of
from romproof.symbolic.solve.cones import AT_ONCE, MOST_ROWS, Columns, Cones, fits
from romproof.symbolic.solve.stages import conjuncts
from romproof.symbolic.solve.unload import unloaded
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, LOAD, VAR
from romproof.symbolic.terms.sample import all_values
from romproof.symbolic.terms.term import Term

MOST_LEGS = 512
"""Legs one after the other."""
MOST_STATES = 1 << 16

Names = tuple[str, ...]
Byte = tuple[str, int]
"""A byte of an array at the entry: its name, and the address."""


@dataclass(frozen=True)
class _States:
    """What is handed on at a place, each with its cycles, and where it comes from: the arrays have
    the shape (states,). ``befores`` are the states it may come from, ``origins`` which of them it
    does, ``parents`` which row there. ``chosen`` are the bytes that were read on the way from
    there; -1: not this one."""

    columns: Mapping[str, Any]
    cycles: Any
    befores: Sequence[_States] = field(default=(), repr=False)
    origins: Any = None
    parents: Any = None
    chosen: Mapping[Byte, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Reached:
    """A bound, and an input that may reach it: None where what was chosen is no input."""

    cycles: int
    model: Model | None


def bound_by_states(case: Case, sign: int) -> Reached | None:
    """The fewest cycles of any call (``sign`` -1), or the most (1); None where there are too many
    states. Raises OutOfTime."""
    needed = _needed(case)
    if needed is None:
        return None
    walk = _Walk(case, needed, sign)
    states: dict[Place, _States] = {None: _States({}, np.zeros(1, np.int64))}
    best: tuple[int, _States, int] | None = None
    for _ in range(MOST_LEGS):
        arrived: dict[Place, list[_States]] = {}
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
            one = _merged(parts, sign)
            if end not in case.start.ends:
                states[end] = one
                continue
            at = int(np.argmax(sign * one.cycles))
            if best is None or sign * one.cycles[at] > sign * best[0]:
                best = int(one.cycles[at]), one, at
        if not states:
            return None if best is None else Reached(best[0], _input(case, best[1], best[2]))
        if any(len(one.cycles) > MOST_STATES for one in states.values()):
            return None
    return None


def _merged(parts: Sequence[_States], sign: int) -> _States:
    """The states of all parts, each once."""
    sizes = [len(part.cycles) for part in parts]
    cycles = np.concatenate([part.cycles for part in parts])
    columns = {
        name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns
    }
    best = best_of(list(columns.values()), sign * cycles)
    chosen: dict[Byte, Any] = {}
    for byte in dict.fromkeys(byte for part in parts for byte in part.chosen):
        each = [
            part.chosen.get(byte, np.full(size, -1, np.int64)).astype(np.int64)
            for part, size in zip(parts, sizes, strict=True)
        ]
        chosen[byte] = np.concatenate(each)[best]
    return _States(
        {name: column[best] for name, column in columns.items()},
        cycles[best],
        [part.befores[0] for part in parts],
        np.repeat(np.arange(len(parts)), sizes)[best],
        np.concatenate([part.parents for part in parts])[best],
        chosen,
    )


def _input(case: Case, states: _States, row: int) -> Model | None:
    """An input that has all bytes which were chosen on the way to a state; None where one was
    chosen twice, in two ways, or where it is not allowed."""
    chosen: dict[Byte, int] = {}
    while states.befores:
        for byte, values in states.chosen.items():
            value = int(values[row])
            if value >= 0 and chosen.setdefault(byte, value) != value:
                return None
        states, row = states.befores[int(states.origins[row])], int(states.parents[row])
    arrays: dict[str, bytearray] = {}
    for (name, address), value in chosen.items():
        arrays.setdefault(name, bytearray(0x10000))[address] = value
    model = Model({}, {name: bytes(data) for name, data in arrays.items()})
    return model if all(map(model.value, case.oracle.assumptions)) else None


def _needed(case: Case) -> dict[Place, Names] | None:
    """The new variables that matter at each cut, by their names at the entry; None: arrays."""
    cuts = case.exploration.cuts
    needed: dict[Place, set[str]] = {place: set() for place in (None, *cuts)}
    while True:
        before = {place: len(names) for place, names in needed.items()}
        for leg in case.legs:
            if leg.begin is None:
                continue
            terms = [*leg.at.path, leg.at.total_cycles()]
            terms += [_value(leg.at, name) for name in needed.get(leg.end, ())]
            free = t.variables(terms)
            used = {name: v for name, v in cuts[leg.begin].unknown.items() if v in free}
            if any(variable.op is ARRAY for variable in used.values()):
                return None
            needed[leg.begin] |= used.keys()
        if before == {place: len(names) for place, names in needed.items()}:
            break
    return {place: tuple(sorted(names)) for place, names in needed.items()}


def _value(state: State, name: str) -> Term:
    at = address_of(name)
    return state.get(name) if at is None else state.memory.byte(at)


@dataclass(frozen=True)
class _Walk:
    """From states to states."""

    case: Case
    needed: Mapping[Place, Names]
    sign: int

    def after(self, leg: Leg, states: _States) -> list[_States] | None:
        """The states in which some come to the end of a leg; None: they are too many."""
        names = self.needed.get(leg.end, ())
        terms = [leg.at.total_cycles(), *(_value(leg.at, name) for name in names)]
        path = conjuncts(leg.at.path)
        own = {} if leg.begin is None else self.case.exploration.cuts[leg.begin].unknown
        index = [
            name for name in self.needed[leg.begin] if own[name] in _in_addresses([*terms, *path])
        ]
        found: list[_States] = []
        for values, rows in _alike([states.columns[name] for name in index], len(states.cycles)):
            known = {
                own[name]: t.const(int(value), own[name].width)
                for name, value in zip(index, values, strict=True)
            }
            memo: dict[Term, Term] = {}
            plain = [t.replace(term, known, memo) for term in [*terms, *path]]
            given = {own[n].name: states.columns[n][rows] for n in self.needed[leg.begin]}
            made = self._made(plain, len(terms), given, rows, states, names)
            if made is None:
                return None
            found += made
        return found

    def _made(
        self,
        terms: Sequence[Term],
        count: int,
        given: Mapping[str, Any],
        rows: Any,
        states: _States,
        names: Names,
    ) -> list[_States] | None:
        """The same of some states: ``count`` of the terms are wanted, the others must hold."""
        assumed = conjuncts(self.case.oracle.assumptions)
        plain = unloaded([*terms, *assumed])
        if plain is None or not fits(plain.conditions[: len(terms)], None):
            return None
        wanted, rest = plain.conditions[: len(terms)], conjuncts(plain.conditions[len(terms) :])
        free = [v for v in t.variables(wanted) if v.name not in given]
        if any(v.op is not VAR for v in free):
            return None
        inside = {v.name for v in free}
        cones = Cones([c for c in rest if {v.name for v in t.variables([c])} <= inside], free)
        if any(name not in cones.domains for name in inside) or cones.rows(inside) > MOST_ROWS:
            return None
        table = cones.table(inside, None)
        bytes_ = {byte.name: (name, at.number) for name, at, byte in plain.bytes if at.is_const}
        if not inside.issubset(bytes_):
            return None
        found: list[_States] = []
        for parents, values in _rows(given, rows, table):
            self.case.oracle.solver.deadline.check()
            done = all_values(wanted, values)
            holds = np.ones(len(parents), dtype=bool)
            for condition in wanted[count:]:
                holds &= done[condition] != 0
            kept = np.flatnonzero(holds)
            cycles = states.cycles[parents[kept]] + done[wanted[0]][kept].astype(np.int64)
            columns = [done[term][kept] for term in wanted[1:count]]
            best = best_of(columns, self.sign * cycles)
            if not len(best):
                continue
            kept = kept[best]
            found.append(
                _States(
                    dict(zip(names, [column[best] for column in columns], strict=True)),
                    cycles[best],
                    [states],
                    None,
                    parents[kept],
                    {bytes_[name]: values[name][kept] for name in inside},
                )
            )
        return found


def _in_addresses(terms: Sequence[Term]) -> set[Term]:
    """The variables by which arrays are read."""
    return set(t.variables([x.args[1] for x in t.in_order(terms) if x.op is LOAD]))


def _alike(columns: Sequence[Any], count: int) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Rows that have the same values, with these."""
    if not columns:
        yield (), np.arange(count)
        return
    values, numbers = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    for number, row in enumerate(values):
        yield tuple(map(int, row)), np.flatnonzero(numbers.ravel() == number)


def _rows(
    given: Mapping[str, Any], rows: Any, table: Columns
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """States with all inputs of a table each, some at a time: which states, and all values."""
    size = len(next(iter(table.values()))) if table else 1
    for begin in range(0, len(rows) * size, AT_ONCE):
        numbers = np.arange(begin, min(begin + AT_ONCE, len(rows) * size))
        which, choice = np.divmod(numbers, size)
        values = {name: column[which] for name, column in given.items()}
        values |= {name: column[choice] for name, column in table.items()}
        yield rows[which], values or {"": np.zeros(len(numbers), np.uint64)}
