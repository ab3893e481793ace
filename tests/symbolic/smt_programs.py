"""Random programs that end: branches that join, loops, calls, tables of addresses, arrays.

All memory that they name is in objects or fixed, and their stack is in order: nothing keeps
them from being executed as terms. What is here holds for all CPUs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import ClassVar

from romproof.isa.load import load
from romproof.isa.model import Opcode
from romproof.symbolic.execute.layout import MemoryObject

START = 0x8000
DEPTH = 2
NEAR = 100
"""Bytes that a branch may pass over."""


@dataclass(frozen=True)
class Part:
    """Some bytes, and then ``use`` of a label: its "word", "low" or "high" byte, or how far it is
    ("near"). "here" is where the label is."""

    data: bytes = b""
    label: str = ""
    use: str = ""

    @property
    def size(self) -> int:
        """The bytes it takes."""
        more = {"": 0, "here": 0, "word": 2}
        return len(self.data) + more.get(self.use, 1)


Code = list[Part]


def here(label: str) -> Code:
    """The place of a label."""
    return [Part(label=label, use="here")]


def size_of(code: Code) -> int:
    """The bytes that code takes."""
    return sum(part.size for part in code)


def assembled(code: Code, start: int) -> tuple[bytes, dict[str, int]]:
    """The bytes from ``start`` on, and where the labels are."""
    labels: dict[str, int] = {}
    at = start
    for part in code:
        if part.use == "here":
            labels[part.label] = at
        at += part.size
    found = bytearray()
    for part in code:
        found += part.data
        target = labels.get(part.label, 0)
        match part.use:
            case "word":
                found += target.to_bytes(2, "little")
            case "low":
                found.append(target & 0xFF)
            case "high":
                found.append(target >> 8)
            case "near":
                found += (target - start - len(found) - 1).to_bytes(1, "little", signed=True)
    return bytes(found), labels


@cache
def opcodes(cpu: str) -> dict[str, Opcode]:
    """The opcodes by their syntax."""
    return {each.syntax: each for each in load(cpu) if each.canonical}


Statement = Callable[[int], Code]


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


class Writer:
    """Writes a program for one CPU; what is in it is drawn from ``random``.

    It needs these ``objects``, ``fixed`` bytes at some addresses, and what is known of
    ``registers``.
    """

    cpu: ClassVar[str]
    objects: ClassVar[tuple[MemoryObject, ...]]
    fixed: ClassVar[dict[int, bytes]]
    registers: ClassVar[dict[str, int]]

    def __init__(self, random: Random) -> None:
        self.random = random
        self._labels = 0
        self._counters = 0
        self._routines: list[Code] = []

    # ------------------------------------------------------------ what each CPU has of its own

    def simple(self) -> Code:
        """An instruction that leads on."""
        raise NotImplementedError

    def special(self) -> list[Statement]:
        """Statements with at most so many levels of others in them."""
        raise NotImplementedError

    def branch(self, label: str, near: bool = True) -> Code:
        """To the label if some flag has some value."""
        raise NotImplementedError

    def jump(self, label: str) -> Code:
        """To the label."""
        raise NotImplementedError

    def call(self, label: str) -> Code:
        """Call a routine, perhaps if some flag has some value."""
        raise NotImplementedError

    def back(self) -> Code:
        """Return."""
        raise NotImplementedError

    def counted(self, counter: int, body: Code, known: bool) -> Code:
        """``body`` 1 to 4 times, with a counter of its own; how often is ``known`` or not."""
        raise NotImplementedError

    # ------------------------------------------------------------ what all have

    def op(self, syntax: str, operand: int = 0, label: str = "", use: str = "") -> Code:
        """An instruction; with a label, its address is the operand, or what ``use`` says."""
        row = opcodes(self.cpu)[syntax]
        data = row.prefix + bytes([row.byte])
        if label:
            use = use or ("near" if row.placeholder == "e8" else "word")
            return [Part(data, label, use)]
        return [Part(data + operand.to_bytes(row.size - len(data), "little"))]

    def ops(self, *syntaxes: str) -> Code:
        """Instructions without operands."""
        return [part for syntax in syntaxes for part in self.op(syntax)]

    def label(self) -> str:
        """A new one."""
        self._labels += 1
        return f"l{self._labels}"

    def pick(self, *names: str) -> str:
        """One of them."""
        return self.random.choice(names)

    def address_in(self, which: MemoryObject) -> int:
        """One of an object's."""
        return self.random.randrange(which.address, which.end)

    def block(self, depth: int, least: int = 1, most: int = 3) -> Code:
        """Some statements."""
        count = self.random.randint(least, most)
        return [part for _ in range(count) for part in self.statement(depth)]

    def statement(self, depth: int) -> Code:
        """A statement with at most so many levels of others in it."""
        if depth < 0 or self.random.random() < 0.4:
            return [part for _ in range(self.random.randint(1, 4)) for part in self.simple()]
        return self.random.choice([*self.special(), self.choice, self.loop, self.calls])(depth - 1)

    def choice(self, depth: int) -> Code:
        """A branch over something, or to something else."""
        body, over = self.block(depth), self.label()
        other, end = self.block(depth), self.label()
        found = [*self.branch(over, size_of(body) < NEAR), *body]
        if self.random.random() < 0.5:
            return [*found, *here(over)]
        return [*found, *self.jump(end), *here(over), *other, *here(end)]

    def loop(self, depth: int) -> Code:
        """A loop of a few turns."""
        self._counters += 1
        counter, known = self._counters - 1, self.random.random() < 0.7
        return self.counted(counter % 8, self.block(min(depth, 0), most=2), known)

    def calls(self, depth: int) -> Code:
        """A call of a new routine or two, with perhaps a second way out."""
        name = self.label()
        body = self.block(depth)
        if self.random.random() < 0.4:
            over = self.label()
            body += [*self.branch(over), *self.back(), *here(over), *self.block(depth)]
        self._routines.append([*here(name), *body, *self.back()])
        again = self.random.random() < 0.3
        return [*self.call(name), *([*self.simple(), *self.call(name)] if again else [])]

    def program(self) -> tuple[bytes, dict[str, int]]:
        """A program from START on; it ends at the label ``end`` or ``other``."""
        main = self.block(DEPTH, 3, 5)
        if self.random.random() < 0.5:
            main += self.branch("other", near=False)
        routines = [part for routine in self._routines for part in routine]
        ends = [*here("end"), Part(b"\0"), *here("other")]
        return assembled([*main, *self.jump("end"), *routines, *ends], START)
