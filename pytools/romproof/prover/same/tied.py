"""The terms of the second routine for the inputs of the first.

Both routines were executed for unknown inputs of their own, whose variables have the same names.
So each variable of the second is replaced: by what the first finds in the cell that corresponds,
else by a new one, of which nothing is known. What the second assumes of a variable by the bounds
it was made with is not in its terms; it becomes an assumption.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from romproof.prover.catalogue import Reason
from romproof.prover.replay.judge import Case
from romproof.prover.same.sides import CellPairs
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY
from romproof.symbolic.terms.origin import LocationKind, OriginKind, second_name
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause

MAX_CELLS = 4096
"""Bytes of an array at another address whose contents are said to be the same, byte by byte."""


_OF_THE_CALLER = (LocationKind.RETURN_ADDRESS, LocationKind.PUSHED_FLAGS, LocationKind.STACK)


@dataclass
class Tied:
    """``other`` for the inputs of ``one``; ``assumed`` is what has to hold of them besides."""

    pairs: CellPairs
    one: Case
    other: Case
    assumed: list[Term] = field(default_factory=list)
    _replaced: dict[Term, Term] = field(default_factory=dict)

    def term(self, term: Term) -> Term:
        """A term of the second routine. Raises Undecided where ports are read."""
        new = [v for v in t.variables([term]) if v not in self._replaced]
        for variable in sorted(new, key=lambda v: (v.name, v.serial)):
            self._replaced[variable] = self._partner(variable)
        return t.replace(term, self._replaced)

    def terms(self, terms: Iterable[Term]) -> list[Term]:
        """Several of them."""
        return [self.term(each) for each in terms]

    def model(self, model: Model) -> Model:
        """The input of the second routine, under its own names, for an input of the first."""
        values, arrays = dict[str, int](), dict[str, bytes]()
        for variable, partner in self._replaced.items():
            if variable.op is not ARRAY:
                values[variable.name] = model.value(partner)
                continue
            data = bytearray(model.array(partner.name))
            which = self._object(variable)
            for address in range(which.address, which.end):
                data[address] = model.value(self._byte(partner, address))
            arrays[variable.name] = bytes(data)
        return Model(values, arrays)

    def _byte(self, partner: Term, address: int) -> Term:
        mine = self.pairs.bytes.get(address)
        if mine is not None:
            return self.one.entry.memory.byte(mine)
        return t.load(partner, t.const(address, 16))

    def _object(self, array: Term) -> MemoryObject:
        memory = self.other.entry.memory
        return next(each for each in memory.indexed if each.key == array.name)

    def _partner(self, variable: Term) -> Term:
        if variable.name.kind in (OriginKind.PORT, OriginKind.CALL):
            raise ports_of(self.pairs.other.title)
        if variable.op is ARRAY:
            return self._array(variable)
        address = variable.name.address
        mine: Term | None = None
        if address is not None:
            place = self.pairs.bytes.get(address)
            mine = None if place is None else self.one.entry.memory.byte(place)
        elif variable.name in self.pairs.registers:
            mine = self.one.entry.get(self.pairs.registers[variable.name])
        elif self.one.program.cpu is self.other.program.cpu:
            mine = self._of_the_stack(variable)
        if mine is None or mine.width != variable.width:
            name = second_name(variable.name)
            return t.var(name, variable.width, variable.low, variable.high)
        self.assumed += _within(mine, variable.low, variable.high)
        return mine

    def _of_the_stack(self, variable: Term) -> Term | None:
        """The stack is the caller's, and the same for both: the pointer, where they return to, and
        what lies there."""
        start, name = self.one.start, variable.name
        if name == self.one.program.cpu.stack:
            return start.frame.pointer
        if name.is_at_entry and name.location.kind in _OF_THE_CALLER:
            return t.var(name, variable.width)
        return None

    def _array(self, array: Term) -> Term:
        which = self._object(array)
        cells = range(which.address, which.end)
        same = all(self.pairs.bytes.get(address) == address for address in cells)
        if same and any(each.key == which.key for each in self.one.entry.memory.indexed):
            return array  # both have it at the same place, and both reach it with an index
        if len(cells) > MAX_CELLS:
            moved = Reason.TOO_LARGE_TO_MOVE(name=which.name, most=MAX_CELLS)
            raise Undecided(Cause.NOT_COMPARABLE, moved)
        other = t.array_var(second_name(array.name))
        for address in cells:
            mine = self.pairs.bytes.get(address)
            if mine is not None:
                here = t.load(other, t.const(address, 16))
                self.assumed.append(t.eq(here, self.one.entry.memory.byte(mine)))
        return other


def ports_of(title: str) -> Undecided:
    """Why versions are not compared of which one reads ports."""
    return Undecided(Cause.NOT_COMPARABLE, Reason.VERSION_READS_PORTS(routine=title))


def _within(term: Term, low: int, high: int) -> Iterator[Term]:
    """That a term lies within bounds which its variable was made with."""
    if term.low < low:
        yield t.not_(t.ult(term, t.const(low, term.width)))
    if term.high > high:
        yield t.not_(t.ult(t.const(high, term.width), term))
