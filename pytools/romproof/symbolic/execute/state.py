"""A state of symbolic execution: terms in place of numbers, and the way that leads to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

from romproof.symbolic.execute.layout import Layout, Object
from romproof.symbolic.execute.meaning import Later, now
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.linear import collected, signed
from romproof.symbolic.terms.sums import total
from romproof.symbolic.terms.term import Term

CYCLE_BITS = 32
"""The width of numbers of cycles."""
MOST_BITS = 3
"""Bits in which two numbers of cycles may differ to be added up."""


class Memory:
    """The contents of memory, as far as they were written; all else is as at the start.

    The bytes of an object in ``indexed`` are one array: they may be reached with an index that
    is not known. All other bytes are terms of their own.
    """

    __slots__ = ("_arrays", "_bytes", "_pending", "bounds", "indexed", "layout")

    def __init__(
        self,
        layout: Layout,
        indexed: frozenset[str] = frozenset(),
        bounds: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.layout = layout
        self.indexed = indexed
        self.bounds = bounds or {}
        self._bytes: dict[int, Term] = {}
        self._arrays: dict[Object, Term] = {}
        self._pending: dict[Object, dict[int, Term]] = {}

    def copy(self) -> Memory:
        """The same contents, to be changed on their own."""
        other = Memory(self.layout, self.indexed, self.bounds)
        other._bytes = self._bytes.copy()
        other._arrays = self._arrays.copy()
        other._pending = {key: pending.copy() for key, pending in self._pending.items()}
        return other

    def start(self, address: int) -> Term:
        """What a byte holds at the start."""
        layout = self.layout
        if layout.is_fixed[address]:
            return t.const(layout.fixed[address], 8)
        found = layout.object_at(address)
        if found is not None and found.name in self.indexed:
            return t.load(t.array_var(found.name), t.const(address, 16))
        name = layout.byte_name(address)
        return t.var(name, 8, *self.bounds.get(name, (0, 0xFF)))

    def byte(self, address: int) -> Term:
        """What a byte holds now."""
        found = self._indexed_at(address)
        if found is None:
            value = self._bytes.get(address)
            return self.start(address) if value is None else value
        value = self._pending.get(found, {}).get(address)
        if value is None:
            value = t.load(self._flushed(found), t.const(address, 16))
        return value

    def set_byte(self, address: int, value: Term) -> None:
        """Write a byte."""
        found = self._indexed_at(address)
        if found is None:
            self._bytes[address] = value
        else:
            self._pending.setdefault(found, {})[address] = value

    def was_written(self, address: int) -> bool:
        """Whether a byte was written on some way here; of an array nobody knows: False."""
        found = self._indexed_at(address)
        where = self._bytes if found is None else self._pending.get(found, {})
        return address in where

    def array(self, which: Object) -> Term:
        """The contents of an indexed object."""
        pending = self._pending.pop(which, None)
        array = self._flushed(which)
        if pending:
            for address, value in pending.items():
                array = t.store(array, t.const(address, 16), value)
            self._arrays[which] = array
        return array

    def set_array(self, which: Object, array: Term) -> None:
        """Replace the contents of an indexed object."""
        self._pending.pop(which, None)
        self._arrays[which] = array

    def changed_bytes(self) -> dict[int, Term]:
        """The bytes that were written, but for those of indexed objects."""
        return self._bytes

    def changed_arrays(self) -> dict[Object, Term]:
        """The indexed objects that were written."""
        changed = {*self._arrays, *self._pending}
        return {which: self.array(which) for which in changed}

    def merge(self, other: Memory, condition: Term) -> None:
        """Become what this memory is where ``condition`` holds, and else the other."""
        for address in self._bytes.keys() | other._bytes.keys():
            mine, theirs = self.byte(address), other.byte(address)
            self._bytes[address] = mine if mine is theirs else t.ite(condition, mine, theirs)
        for which in {*self._arrays, *self._pending, *other._arrays, *other._pending}:
            one, two = self._pending.get(which, {}), other._pending.get(which, {})
            if self._flushed(which) is other._flushed(which):
                for address in one.keys() | two.keys():
                    mine, theirs = self.byte(address), other.byte(address)
                    joined = mine if mine is theirs else t.ite(condition, mine, theirs)
                    self._pending.setdefault(which, {})[address] = joined
            else:
                joined = t.array_ite(condition, self.array(which), other.array(which))
                self.set_array(which, joined)

    def _flushed(self, which: Object) -> Term:
        return self._arrays.get(which) or t.array_var(which.name)

    def _indexed_at(self, address: int) -> Object | None:
        if not self.indexed:
            return None
        found = self.layout.object_at(address)
        return found if found is not None and found.name in self.indexed else None


class State:
    """A CPU and its memory.

    ``path`` are the conditions, of one bit each, under which execution comes here; ``frames``
    the return addresses of the calls under way. ``cycles`` have been spent since the start, and
    ``extra`` more (a term), ``lowest`` is the lowest stack pointer on any way here.
    """

    __slots__ = ("cycles", "extra", "frames", "lowest", "memory", "path", "pc", "registers")

    def __init__(
        self, pc: int, registers: dict[str, Term | Later], memory: Memory, lowest: int
    ) -> None:
        self.pc = pc
        self.registers = registers
        self.memory = memory
        self.lowest = lowest
        self.path: tuple[Term, ...] = ()
        self.frames: tuple[int, ...] = ()
        self.cycles = 0
        self.extra = t.const(0, CYCLE_BITS)

    def copy(self) -> State:
        """The same state, to be changed on its own."""
        other = State(self.pc, self.registers.copy(), self.memory.copy(), self.lowest)
        other.path, other.frames = self.path, self.frames
        other.cycles, other.extra = self.cycles, self.extra
        return other

    def get(self, register: str) -> Term:
        """What a register holds."""
        return now(self.registers[register])

    def assume(self, condition: Term) -> None:
        """Go on only where the condition holds."""
        if condition is not t.TRUE and condition not in self.path:
            self.path = (*self.path, condition)

    def know(self, known: Mapping[Term, Term]) -> None:
        """Put what terms are known to be in their place, in registers and among the cycles."""
        for name, held in self.registers.items():
            term = held.known if isinstance(held, Later) else held
            if term is not None and term in known:
                self.registers[name] = known[term]
        self.extra = t.replace(self.extra, known)

    def total_cycles(self) -> Term:
        """All cycles since the start."""
        return t.add(self.extra, t.const(self.cycles, CYCLE_BITS))

    def merge(self, other: State) -> None:
        """Become both: what this state is on its ways, and the other on its own.

        Both are at the same place with the same stack pointer.
        """
        shared = 0
        for mine, theirs in zip(self.path, other.path, strict=False):
            if mine is not theirs:
                break
            shared += 1
        here, there = conjunction(self.path[shared:]), conjunction(other.path[shared:])
        condition = t.not_(there) if t.not_(there) is here else here
        for name, held in self.registers.items():
            others = other.registers[name]
            if held is not others:
                self.registers[name] = _either(condition, held, others)
        self.memory.merge(other.memory, condition)
        least = min(self.cycles, other.cycles)
        one = t.add(self.extra, t.const(self.cycles - least, CYCLE_BITS))
        two = t.add(other.extra, t.const(other.cycles - least, CYCLE_BITS))
        self.cycles, self.extra = least, _either_number(condition, one, two)
        self.lowest = min(self.lowest, other.lowest)
        either = t.or_(here, there)
        self.path = self.path[:shared] if either is t.TRUE else (*self.path[:shared], either)


def conjunction(conditions: Iterable[Term]) -> Term:
    """All of them."""
    return reduce(t.and_, conditions, t.TRUE)


def _either(condition: Term, mine: Term | Later, theirs: Term | Later) -> Term | Later:
    if isinstance(mine, Later) or isinstance(theirs, Later):
        return Later(lambda: t.ite(condition, now(mine), now(theirs)))
    return t.ite(condition, mine, theirs)


def _either_number(condition: Term, one: Term, two: Term) -> Term:
    """A choice between sums that differ in single bits: a sum of bits again.

    What it can be at least and at most is what its bits say.
    """
    ones, number_1 = collected([(1, one)], 0, CYCLE_BITS)
    twos, number_2 = collected([(1, two)], 0, CYCLE_BITS)
    differ = [bit for bit in ones | twos if ones.get(bit) != twos.get(bit)]
    if len(differ) > MOST_BITS or any(bit.width > 1 for bit in differ):
        return t.ite(condition, one, two)
    cases: list[tuple[int, Term]] = []
    for when, factors, number in (
        (condition, ones, number_1),
        (t.not_(condition), twos, number_2),
    ):
        inside = [(signed(number, CYCLE_BITS), when)]
        for bit in differ:
            more = factors.get(bit, 0)
            inside = [
                found
                for total_so_far, case in inside
                for found in (
                    (total_so_far, t.and_(case, t.not_(bit))),
                    (total_so_far + more, t.and_(case, bit)),
                )
            ]
        cases += [(each, case) for each, case in inside if case is not t.FALSE]
    cases.sort(key=lambda case: case[0])
    work = [(factor, term) for term, factor in ones.items() if term not in differ]
    return total(CYCLE_BITS, work + list(_steps(cases)), cases[0][0])


def _steps(cases: list[tuple[int, Term]]) -> Iterator[tuple[int, Term]]:
    """Bits with their factors: what cases, one of which holds, have more than the least of them."""
    for place in range(1, len(cases)):
        more = cases[place][0] - cases[place - 1][0]
        if more:
            below, above = cases[:place], cases[place:]
            few = below if len(below) <= len(above) else above
            holds = reduce(t.or_, (case for _, case in few))
            yield more, t.not_(holds) if few is below else holds
