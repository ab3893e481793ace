"""What the generators of both CPUs share: statements, loops with invariants, calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from fuzz_nouns import Item, Machine, Mem, Routine
from fuzz_terms import Bin, Cell, Num, Old, Reg, Term, Within


@dataclass(frozen=True)
class Callee:
    """A routine that may be called: what has to hold of which register, and what it is made of."""

    name: str
    ranges: tuple[tuple[str, int, int], ...]
    touches: frozenset[Item]


@dataclass
class Draft:
    """A routine in the making.

    ``knowledge`` are terms that hold at its end by construction, ``ranges`` what is required of
    registers and single bytes, ``touches`` all that it names.
    """

    name: str
    code: list[str] = field(default_factory=list)
    ranges: list[tuple[Term, int, int]] = field(default_factory=list)
    invariants: list[tuple[str, tuple[Term, ...]]] = field(default_factory=list)
    decreases: list[tuple[str, Term]] = field(default_factory=list)
    knowledge: list[Term] = field(default_factory=list)
    touches: set[Item] = field(default_factory=set)
    decimal: bool = False
    """Whether it takes any value of the 6502's D."""
    opens: bool = False
    """Whether the next statement changes what is known."""


def known(draft: Draft) -> tuple[Term, ...]:
    """What is required of the inputs."""
    return tuple(Within(term, low, high) for term, low, high in draft.ranges)


class Generator:
    """Writes routines for one CPU. ``chance`` decides all of it."""

    machine: Machine

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.draft = Draft("none")
        self._labels = 0
        self.callees: list[Callee] = []
        self.in_loop = False

    # ------------------------------------------------------------ what each CPU has of its own

    def simple(self, keep: frozenset[str]) -> None:
        """An instruction that changes none of the registers or variables ``keep``."""
        raise NotImplementedError

    def choice(self, keep: frozenset[str], depth: int) -> None:
        """A branch over something."""
        raise NotImplementedError

    def indexed(self, keep: frozenset[str]) -> None:
        """An access to an array or a table at an index that is small enough."""
        raise NotImplementedError

    def stacked(self, keep: frozenset[str], depth: int) -> None:
        """Something that is pushed and pulled, with something between."""
        raise NotImplementedError

    def flagged(self, keep: frozenset[str], depth: int) -> None:
        """Decimal mode, interrupts."""
        raise NotImplementedError

    def short_loop(self, keep: frozenset[str], depth: int) -> None:
        """A loop of few turns without an invariant."""
        raise NotImplementedError

    def long_loop(self, keep: frozenset[str]) -> None:
        """A loop with an invariant."""
        raise NotImplementedError

    def masked(self, register: str, number: int) -> None:
        """A register with some of its bits cleared: no more than ``number``."""
        raise NotImplementedError

    def loaded(self, register: str, number: int) -> str:
        """The instruction that puts a number into a register."""
        raise NotImplementedError

    def added(self, number: int) -> list[str]:
        """The instructions that add a number to A."""
        raise NotImplementedError

    def calling(self, name: str) -> str:
        """The instruction that calls a routine."""
        raise NotImplementedError

    def back(self) -> str:
        """The instruction that returns."""
        raise NotImplementedError

    # ------------------------------------------------------------ what both have

    def call(self, keep: frozenset[str]) -> None:
        """A call of one of ``callees``, with what it requires."""
        callee = self.chance.choice(self.callees)
        for register, low, high in callee.ranges:
            if low == 0 and high & (high + 1) == 0 and self.chance.random() < 0.5:
                self.masked(register.lower(), high)
            else:
                self.emit(self.loaded(register.lower(), self.chance.randint(low, high)))
        self.emit(self.calling(callee.name))
        self.draft.touches |= callee.touches

    def summing(
        self, kind: str, terms: list[Term], knowledge: list[Term], turns: int, done: Term
    ) -> list[str]:
        """The body of a loop that adds to A, whose sum so far is put among the ``terms``; none for
        other kinds of loops."""
        if kind not in ("sum", "sum at entry"):
            return []
        step = self.chance.choice((1, 2, 3, 7, 16, 100))
        if kind == "sum":
            initial = self.byte()
            self.emit(self.loaded("a", initial))
            terms.append(constant_so_far(Reg("A"), initial, step, done))
            knowledge.append(constant_so_far(Reg("A"), initial, step, Num(turns)))
        elif len(self.draft.code) == 1:
            terms.append(sum_so_far(Reg("A"), step, done))
            knowledge.append(sum_so_far(Reg("A"), step, Num(turns)))
        return self.added(step)

    def turning(
        self,
        again: str,
        body: list[str],
        close: list[str],
        keep: frozenset[str],
        terms: list[Term],
        measure: Term,
    ) -> None:
        """The loop from its label on: what ``body`` does, or anything that leaves ``keep``."""
        self.emit(f"{again}:", *body)
        if not body:
            self.in_loop = True
            self.block(keep, self.chance.randint(0, 1), most=2)
            self.in_loop = False
        self.emit(*close)
        self.draft.invariants.append((again, tuple(terms)))
        self.draft.decreases.append((again, measure))

    def emit(self, *lines: str) -> None:
        """Write instructions and labels."""
        self.draft.code += lines

    def label(self) -> str:
        """A new one, with the mark of local labels."""
        self._labels += 1
        return f"{self.machine.mark}l{self._labels}"

    def touch(self, *items: Item) -> None:
        """Note that the code names something."""
        self.draft.touches |= set(items)

    def pick(self, *names: str) -> str:
        """One of them."""
        return self.chance.choice(names)

    def byte(self) -> int:
        """A number for an operand."""
        return self.chance.choice((0, 1, 2, 3, 5, 9, 15, 16, 0x55, 0x7F, 0x80, 0x99, 0xF0, 0xFF))

    def variable(self, keep: frozenset[str]) -> str:
        """A single byte that may be changed."""
        free = [name for name in ("n", "m", "t", "u") if name not in keep]
        name = self.chance.choice(free)
        self.touch(Mem(name, 1))
        return name

    def block(self, keep: frozenset[str], depth: int, least: int = 1, most: int = 3) -> None:
        """Some statements."""
        for _ in range(self.chance.randint(least, most)):
            self.statement(keep, depth)

    def statement(self, keep: frozenset[str], depth: int) -> None:
        """A statement with at most so many levels of others in it."""
        if depth <= 0 or self.chance.random() < 0.4:
            for _ in range(self.chance.randint(1, 3)):
                self.simple(keep)
            return
        deeper = depth - 1
        kinds: list[Callable[[], None]] = [
            lambda: self.choice(keep, deeper),
            lambda: self.choice(keep, deeper),
            lambda: self.indexed(keep),
            lambda: self.indexed(keep),
            lambda: self.stacked(keep, deeper),
            lambda: self.flagged(keep, deeper),
        ]
        if not self.in_loop:
            kinds += [lambda: self.short_loop(keep, deeper)]
            if not keep:
                kinds += [lambda: self.long_loop(keep)] * 2
        if self.callees and not keep:
            kinds += [lambda: self.call(keep)] * 3
        self.chance.choice(kinds)()

    def routine(self, name: str, depth: int, statements: int) -> Draft:
        """A routine; its contract is found out later."""
        self.draft = Draft(name)
        self.in_loop = False
        if self.callees and self.chance.random() < 0.5:
            self.call(frozenset())
        elif name != "main" and self.chance.random() < 0.3:
            self.long_loop(frozenset())
        self.block(frozenset(), depth, 1, statements)
        last = self.draft.code[-1].split()
        if last[0] in ("jsr", "call") and self.chance.random() < 0.4:
            self.draft.code[-1] = f"{'jmp' if last[0] == 'jsr' else 'jp'} {last[1]}"
        else:
            self.emit(self.back())
        return self.draft

    def loop_terms(self, counter: Term, low: int, high: int, down: bool) -> tuple[Term, Term]:
        """The invariant of a counter, and what decreases."""
        inside = Within(counter, low, high)
        return inside, counter if down else Bin("-", Num(high + 1), counter)


def register_term(name: str) -> Reg:
    """A register as a term."""
    return Reg(name)


def sum_so_far(place: Term, step: int, turns: Term) -> Term:
    """An accumulator that went on by ``step`` in each turn from its value at the entry."""
    assert isinstance(place, Reg | Cell)
    total = Bin("+", Old(place), Bin("*", Num(step), turns))
    return Bin("==", place, Bin("&", total, Num(255)))


def constant_so_far(place: Term, first: int, step: int, turns: Term) -> Term:
    """The same from a constant on."""
    total = Bin("+", Num(first), Bin("*", Num(step), turns))
    return Bin("==", place, Bin("&", total, Num(255)))


def routine_of(draft: Draft) -> Routine:
    """The routine without a contract."""
    return Routine(draft.name, tuple(draft.code))
