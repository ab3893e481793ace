"""The smallest input in place of any: people see at once what matters, and who found it plays no
part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, LOAD, VAR
from romproof.symbolic.terms.term import Term


def smallest(oracle: Oracle, conditions: Sequence[Term], model: Model, divisor: int = 1) -> Model:
    """The least model of the conditions: each variable, in the order of their names, is as small
    as it can be with those before it; so is then each byte of an array that matters, in the order
    of names and addresses. All other bytes are 0.

    There are only so many questions for it; where they run out, or nobody knows, the rest is as
    it came: as in ``model``, which has to satisfy the conditions. ``divisor``: what part of the
    effort for an example this one is worth, one in so many.
    """
    search = _Minimizer(oracle, conditions, model, divisor)
    free = t.variables([*oracle.assumptions, *conditions])
    named: dict[str, list[Term]] = {}
    for variable in sorted(free, key=lambda v: (v.name, v.serial)):
        if variable.op is VAR:
            named.setdefault(variable.name, []).append(variable)
    # bounds of one name all hold, where it is used with several
    highest = {name: max(each, key=lambda v: v.low) for name, each in named.items()}
    search.settle([_Place(v, v.low, named[name]) for name, v in highest.items()])
    while places := search.bytes():
        search.settle(places)
    return search.tidy_model()


@dataclass(frozen=True, slots=True)
class _Place:
    """A number to be made small, ``low`` or more. ``terms`` are all that stand for it."""

    term: Term
    low: int
    terms: Sequence[Term]


class _Minimizer:
    def __init__(
        self, oracle: Oracle, conditions: Sequence[Term], model: Model, divisor: int
    ) -> None:
        self.oracle = oracle
        self.known = list(conditions)
        self.model = model
        self.left = oracle.solver.effort.example
        self.share = oracle.solver.effort.example_share().part(divisor)
        self.values: dict[str, int] = {}
        self.cells: dict[str, dict[int, int]] = {}
        # what the bytes are looked for in: without all that is settled
        self._open = [*oracle.assumptions, *conditions]

    def settle(self, places: Sequence[_Place]) -> None:
        """Make numbers as small as they can be, the first of them first."""
        waiting = list(places)
        while waiting:
            # as many as possible as small as possible: often that is all of them
            count = self._lowest(waiting)
            self._fix(waiting[:count])
            if count < len(waiting):
                self._lower(waiting[count])
                self._fix(waiting[count : count + 1])
            waiting = waiting[count + 1 :]

    def _fix(self, places: Sequence[_Place]) -> None:
        """From now on they are what they are in the model."""
        values: dict[Term, Term] = {}
        for place in places:
            number = t.const(self.model.value(place.term), place.term.width)
            self.known.append(t.eq(place.term, number))
            values |= dict.fromkeys(place.terms, number)
            if place.term.op is VAR:
                self.values[place.term.name] = number.number
            else:
                array, address = place.term.args
                self.cells.setdefault(array.name, {})[address.number] = number.number
        memo: dict[Term, Term] = {}
        self._open = [t.replace(each, values, memo) for each in self._open]

    def _lowest(self, places: Sequence[_Place]) -> int:
        """How many of the first places can be as low as possible together: the model is so."""
        count, end = self._low_in_model(places), len(places)
        tried = end
        while count < end:
            wanted = [t.eq(p.term, t.const(p.low, p.term.width)) for p in places[:tried]]
            if self._can(wanted):
                count = max(tried, self._low_in_model(places))
            else:
                end = tried - 1
            tried = (count + end + 1) // 2
        return count

    def _low_in_model(self, places: Sequence[_Place]) -> int:
        for number, place in enumerate(places):
            if self.model.value(place.term) != place.low:
                return number
        return len(places)

    def _lower(self, place: _Place) -> None:
        """Make one number that cannot be the lowest as small as it can be."""
        low, high = place.low + 1, self.model.value(place.term)
        while low < high:
            middle = (low + high) // 2
            if self._can([t.not_(t.ult(t.const(middle, place.term.width), place.term))]):
                high = self.model.value(place.term)
            else:
                low = middle + 1

    def _can(self, wanted: Sequence[Term]) -> bool:
        """Whether that can be as well: then the model is such a one."""
        if not self.left:
            return False
        self.left -= 1
        answer = self.oracle.ask([*self.known, *wanted], self.share)
        if answer.model is not None:
            self.model = answer.model
        return answer.model is not None

    def bytes(self) -> list[_Place]:
        """The bytes at known addresses that matter and are not settled."""
        loads = {
            (term.args[0].name, term.args[1].number): term
            for term in t.in_order(self._open)
            if term.op is LOAD and term.args[0].op is ARRAY and term.args[1].is_const
        }
        return [_Place(loads[key], 0, [loads[key]]) for key in sorted(loads)]

    def tidy_model(self) -> Model:
        """What was settled, and nothing else."""
        arrays: dict[str, bytes] = {}
        for name, cells in self.cells.items():
            data = bytearray(0x10000)
            for address, byte in cells.items():
                data[address] = byte
            arrays[name] = bytes(data)
        tidy = Model(self.values, arrays)
        conditions = [*self.oracle.assumptions, *self.known]
        return tidy if all(map(tidy.value, conditions)) else self.model
