"""A state of symbolic execution: terms in place of numbers, and the way that leads to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

from romproof.symbolic.execute.meaning import Later, now
from romproof.symbolic.execute.memory import Memory
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.linear import collect, to_signed
from romproof.symbolic.terms.sums import total
from romproof.symbolic.terms.term import Term

CYCLE_BITS = 32
"""The width of numbers of cycles."""
MAX_BITS = 3
"""Bits in which two numbers of cycles may differ to be added up."""


class State:
    """A CPU and its memory.

    ``path`` are the conditions, of one bit each, under which execution comes here; ``frames``
    the return addresses of the calls under way. ``cycles`` have been spent since the start, and
    ``extra`` more (a term), ``lowest`` is the lowest stack pointer on any path here: an offset
    from that at the entry where memory has a frame, else the number. ``iterations`` counts, by
    address, how often places were reached (16 bits each), ``turns`` is how often it jumped back.
    """

    __slots__ = (
        "cycles", "extra", "frames", "iterations", "lowest", "memory", "path", "pc", "registers",
        "turns",
    )  # fmt: skip

    def __init__(
        self, pc: int, registers: dict[str, Term | Later], memory: Memory, lowest: int
    ) -> None:
        self.pc = pc
        self.registers = registers
        self.memory = memory
        self.lowest = lowest
        self.path: tuple[Term, ...] = ()
        self.frames: tuple[int, ...] = ()
        self.cycles = self.turns = 0
        self.extra = t.const(0, CYCLE_BITS)
        self.iterations: dict[int, Term] = {}

    def copy(self) -> State:
        """The same state, to be changed on its own."""
        other = State(self.pc, self.registers.copy(), self.memory.copy(), self.lowest)
        other.path, other.frames = self.path, self.frames
        other.cycles, other.extra, other.turns = self.cycles, self.extra, self.turns
        other.iterations = self.iterations.copy()
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
        """Become both: what this state is on its paths, and the other on its own.

        Both are at the same place with the same stack pointer.
        """
        shared = 0
        for mine, theirs in zip(self.path, other.path, strict=False):
            if mine is not theirs:
                break
            shared += 1
        here, there = t.all_of(self.path[shared:]), t.all_of(other.path[shared:])
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
        self.turns = max(self.turns, other.turns)
        for place, mine_turned in self.iterations.items():
            self.iterations[place] = t.ite(condition, mine_turned, other.iterations[place])
        either = t.or_(here, there)
        self.path = self.path[:shared] if either is t.TRUE else (*self.path[:shared], either)


def _either(condition: Term, mine: Term | Later, theirs: Term | Later) -> Term | Later:
    if isinstance(mine, Later) or isinstance(theirs, Later):
        return Later(lambda: t.ite(condition, now(mine), now(theirs)))
    return t.ite(condition, mine, theirs)


def _either_number(condition: Term, one: Term, two: Term) -> Term:
    """A choice between sums that differ in single bits: a sum of bits again.

    What it can be at least and at most is what its bits say.
    """
    ones, number_1 = collect([(1, one)], 0, CYCLE_BITS)
    twos, number_2 = collect([(1, two)], 0, CYCLE_BITS)
    differ = [bit for bit in ones | twos if ones.get(bit) != twos.get(bit)]
    if len(differ) > MAX_BITS or any(bit.width > 1 for bit in differ):
        return t.ite(condition, one, two)
    cases: list[tuple[int, Term]] = []
    for when, factors, number in (
        (condition, ones, number_1),
        (t.not_(condition), twos, number_2),
    ):
        inside = [(to_signed(number, CYCLE_BITS), when)]
        for bit in differ:
            more = factors.get(bit, 0)
            inside = [
                candidate
                for total_so_far, case in inside
                for candidate in (
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
