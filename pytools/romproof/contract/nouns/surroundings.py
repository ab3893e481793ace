"""The loops of code, as far as checks at run time need them: which is around a place, and where
it is left.

What a loop is here is the same as for romproof.timing: all paths from its head back to it, those
through called routines aside. Code that is entered in two places has the loop that the place
itself makes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from romproof.isa.codec import Instruction, decode
from romproof.isa.flow import Flow

_MAX_INSTRUCTIONS = 20_000
"""The most instructions followed in a routine; one with more is data that was taken for code."""

_Successors = Mapping[int, tuple[int, ...]]
"""Where each instruction of a routine may lead."""


@dataclass(frozen=True, slots=True)
class Loop:
    """The code from ``head`` back to it. Execution leaves it when it comes to one of ``exits``."""

    head: int
    exits: frozenset[int]


@dataclass(frozen=True, slots=True)
class RoutineCode:
    """The code from ``entry`` on, without what it calls (``calls``)."""

    entry: int
    successors: _Successors
    calls: frozenset[int]

    def loop_around(self, place: int) -> Loop | None:
        """The innermost loop around the instruction at an address; None outside of all."""
        nodes = frozenset(self.successors)
        innermost: Loop | None = None
        while True:
            body = self._cycle(place, nodes)
            if not body:
                return innermost
            head = self._head(body, place)
            leaving = {target for node in body for target in self.successors[node]} - body
            innermost = Loop(head, frozenset(leaving))
            if head == place:
                return innermost
            nodes = body - {head}

    def _cycle(self, place: int, nodes: frozenset[int]) -> frozenset[int]:
        """All that lies on paths from a place back to it, within ``nodes``."""
        after = _reach(self.successors[place], lambda node: self.successors[node], nodes)
        before: dict[int, list[int]] = {}
        for node in after:
            for target in self.successors[node]:
                before.setdefault(target, []).append(node)
        return _reach(before.get(place, ()), lambda node: before.get(node, ()), after)

    def _head(self, body: frozenset[int], place: int) -> int:
        """Where a loop is entered."""
        outside = (node for node in self.successors if node not in body)
        entries = {target for node in outside for target in self.successors[node]} & body
        if self.entry in body:
            entries.add(self.entry)
        return place if place in entries else min(entries, default=place)


def _reach(
    start: Iterable[int], following: Callable[[int], Iterable[int]], nodes: frozenset[int]
) -> frozenset[int]:
    """What can be reached from ``start``, itself included, without leaving ``nodes``."""
    work = [node for node in start if node in nodes]
    reached = set(work)
    while work:
        for node in following(work.pop()):
            if node in nodes and node not in reached:
                reached.add(node)
                work.append(node)
    return frozenset(reached)


def routine_at(entry: int, memory: bytes | bytearray, executable: bytes, cpu: str) -> RoutineCode:
    """The code of the routine at ``entry``.

    ``executable`` is nonzero where an instruction may start. Jumps to computed addresses end what
    is known.
    """
    successors: dict[int, tuple[int, ...]] = {}
    calls: set[int] = set()
    work = [entry]
    while work and len(successors) < _MAX_INSTRUCTIONS:
        address = work.pop()
        if address in successors or not executable[address]:
            continue
        instruction = decode(bytes(memory[address : address + 3]), address, cpu)
        successors[address] = targets = () if instruction is None else _targets(instruction)
        if (
            instruction is not None
            and instruction.opcode.flow is Flow.CALL
            and instruction.target is not None
        ):
            calls.add(instruction.target)
        work += targets
    known = {at: tuple(t for t in targets if t in successors) for at, targets in successors.items()}
    return RoutineCode(entry, known, frozenset(calls))


def _targets(instruction: Instruction) -> tuple[int, ...]:
    """Where an instruction may lead within its routine."""
    opcode, target = instruction.opcode, instruction.target
    following = (instruction.address + opcode.size) & 0xFFFF
    match opcode.flow:
        case Flow.NEXT | Flow.CALL:
            return (following,)
        case Flow.BRANCH if target is not None:
            return (following, target)
        case Flow.JUMP if target is not None and "(" not in opcode.mode:
            return (target,)
        case Flow.RETURN if opcode.conditional:
            return (following,)
    return ()
