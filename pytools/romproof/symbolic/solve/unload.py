"""Loads from arrays as values of their own: what is left is a question of bits alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from romproof.symbolic.terms.choice import ite
from romproof.symbolic.terms.compare import eq
from romproof.symbolic.terms.logic import not_, or_
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, CONST, FALSE, ITE, LOAD, STORE, Term, var
from romproof.symbolic.terms.origin import VariableName, part_name
from romproof.symbolic.terms.walk import in_order, rebuild

MAX_STEPS = 20_000
"""Stores looked at, and pairs of loads compared."""
MAX_NESTED = 100
"""Choices of arrays in choices of arrays."""


@dataclass(slots=True)
class Unloaded:
    """Conditions without arrays, and which variable is which byte: array, address, byte."""

    conditions: list[Term] = field(default_factory=list)
    bytes: list[tuple[VariableName, Term, Term]] = field(default_factory=list)

    def model(self, model: Model) -> Model:
        """The input that a model of the conditions means."""
        arrays: dict[str, bytearray] = {}
        for name, address, byte in self.bytes:
            cells = arrays.setdefault(name, bytearray(0x10000))
            cells[model.value(address)] = model.value(byte)
        mine = {byte.name for _, _, byte in self.bytes}
        values = {name: value for name, value in model.values.items() if name not in mine}
        return Model(values, {name: bytes(cells) for name, cells in arrays.items()})


def without_arrays(conditions: Iterable[Term]) -> Unloaded | None:
    """Conditions without arrays that can hold just when the given ones can; None: too many."""
    conditions = list(conditions)
    if not any(term.op is LOAD for term in in_order(conditions)):
        return Unloaded(conditions)
    work = _Work()
    try:
        for term in in_order(conditions):
            work.add(term)
        wanted = [work.done[condition] for condition in conditions]
        return Unloaded(wanted + work.agreements(), work.all_loads())
    except _TooMany:
        return None


class _TooMany(Exception):
    pass


class _Work:
    def __init__(self) -> None:
        self.done: dict[Term, Term] = {}
        self.steps = 0
        self.loads: dict[VariableName, dict[Term, Term]] = {}
        self._read: dict[tuple[Term, Term], Term] = {}

    def add(self, term: Term) -> None:
        """Find what a term is without arrays; its args have been added."""
        if not term.width:
            return
        if term.op is LOAD:
            self.done[term] = self.byte_at(term.args[0], self.done[term.args[1]], 0)
            return
        args = tuple(self.done[arg] for arg in term.args)
        same = all(new is old for new, old in zip(args, term.args, strict=True))
        self.done[term] = term if same else rebuild(term, args)

    def byte_at(self, array: Term, address: Term, depth: int) -> Term:
        """A byte of an array."""
        key = (array, address)
        if key in self._read:
            return self._read[key]
        if depth > MAX_NESTED:
            raise _TooMany
        passed: list[tuple[Term, Term]] = []
        loaded: Term | None = None
        while array.op is STORE:
            self._step()
            below, at, byte = array.args
            same = eq(address, self.done[at])
            if same.op is CONST and same.number:
                loaded = self.done[byte]
                break
            if same.op is not CONST:
                passed.append((same, self.done[byte]))
            array = below
        if loaded is None:
            loaded = self._read_below(array, address, depth)
        for same, byte in reversed(passed):
            loaded = ite(same, byte, loaded)
        self._read[key] = loaded
        return loaded

    def _read_below(self, array: Term, address: Term, depth: int) -> Term:
        if array.op is ITE:
            condition, then, otherwise = array.args
            one = self.byte_at(then, address, depth + 1)
            return ite(self.done[condition], one, self.byte_at(otherwise, address, depth + 1))
        assert array.op is ARRAY
        mine = self.loads.setdefault(array.name, {})
        if address not in mine:
            mine[address] = var(part_name(array.name, f"?{len(mine)}"), 8)
        return mine[address]

    def _step(self) -> None:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise _TooMany

    def agreements(self) -> list[Term]:
        """At the same address stands the same byte."""
        agreements: list[Term] = []
        for mine in self.loads.values():
            cells = list(mine.items())
            for number, (address, byte) in enumerate(cells):
                for other, other_byte in cells[:number]:
                    self._step()
                    same = eq(address, other)
                    if same is not FALSE:  # TRUE for two forms of one address
                        agreements.append(or_(not_(same), eq(byte, other_byte)))
        return agreements

    def all_loads(self) -> list[tuple[VariableName, Term, Term]]:
        """All bytes that were read."""
        return [
            (name, address, byte)
            for name, mine in self.loads.items()
            for address, byte in mine.items()
        ]
