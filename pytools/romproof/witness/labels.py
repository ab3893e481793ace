"""What a contract claims of places on the way: invariants, what decreases, iterations of loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.expr import All, Expression, Sum, parts
from romproof.contract.nouns.model import Invariant, LoopBound
from romproof.contract.nouns.statement import Statement, StatementKind
from romproof.timing.graph import Code, Graph, NoCode, graph_of
from romproof.timing.loops import nest_of
from romproof.witness.columns import OneView
from romproof.witness.subject import Subject

Broken = tuple[Statement, str]
"""A statement that does not hold, and why."""


@dataclass(frozen=True)
class Labels:
    """The claims by address. ``bodies`` has the instructions of the innermost loop around each
    address, where it is known; ``own`` are all instructions of the routine itself. ``calls`` has
    the instructions of it that call a routine, and where they go on."""

    invariants: Mapping[int, tuple[Invariant, ...]] = field(default_factory=dict)
    assertions: Mapping[int, tuple[Invariant, ...]] = field(default_factory=dict)
    decreases: Mapping[int, tuple[Any, ...]] = field(default_factory=dict)
    loops: Mapping[int, tuple[LoopBound, ...]] = field(default_factory=dict)
    bodies: Mapping[int, frozenset[int]] = field(default_factory=dict)
    own: frozenset[int] = frozenset()
    calls: Mapping[int, frozenset[int]] = field(default_factory=dict)

    @cached_property
    def stops(self) -> frozenset[int]:
        """Where values are checked."""
        return frozenset(self.invariants) | frozenset(self.assertions) | frozenset(self.decreases)

    @property
    def counted(self) -> tuple[int, ...]:
        """Where visits are counted."""
        every = [*self.invariants, *self.assertions, *self.decreases, *self.loops]
        return tuple(dict.fromkeys(every))

    @cached_property
    def weights(self) -> Mapping[int, int]:
        """How many expressions are evaluated at a visit of each of ``stops``."""
        weights: dict[int, int] = {}
        for address in self.stops:
            stated = self.invariants.get(address, ()) + self.assertions.get(address, ())
            conditions = [c for each in stated for c in each.conditions]
            every = [c.expression for c in conditions]
            every += [each.expression for each in self.decreases.get(address, ())]
            weights[address] = sum(map(_weight, every)) + 1
        return weights


def labels_of(subject: Subject) -> Labels:
    """The claims of a contract on places."""
    contract = subject.contract
    invariants = _by_address(contract.invariants)
    assertions = _by_address(contract.assertions)
    decreases = _by_address(getattr(contract, "decreases", ()))
    loops = _by_address(contract.loops)
    if not (decreases or loops):
        return Labels(invariants, assertions)
    graph = _graph(subject)
    if graph is None:
        return Labels(invariants, assertions, decreases, loops)
    bodies = _bodies(graph, {*decreases, *loops})
    own = frozenset(graph.block_of)
    return Labels(invariants, assertions, decreases, loops, bodies, own, _calls(graph))


@dataclass
class OwnCode:
    """Which instructions of a run the routine executes itself, and not a routine that it calls.

    A routine may call code that it goes on to as well: it has one address in either case. The stack
    pointer tells which it is, also where a callee drops the address that it should return to.
    ``calls`` are those of Labels, ``mask`` has the bits of the stack pointer.
    """

    calls: Mapping[int, frozenset[int]]
    mask: int
    awaited: frozenset[int] = frozenset()
    """Where the call that is under way goes on; empty when there is none."""
    level: int = 0
    """The stack pointer before that call."""

    def holds(self, pc: int, stack: int) -> bool:
        """Whether the next instruction, at ``pc`` with this stack pointer, is the routine's own."""
        pushed = self.level - stack & self.mask
        if self.awaited and pc not in self.awaited and 0 < pushed <= self.mask >> 1:
            return False
        self.awaited, self.level = self.calls.get(pc, frozenset()), stack
        return True


def _by_address(claims: tuple[Any, ...]) -> dict[int, tuple[Any, ...]]:
    by_address: dict[int, tuple[Any, ...]] = {}
    for each in claims:
        for address in each.addresses:
            by_address[address] = (*by_address.get(address, ()), each)
    return by_address


def _graph(subject: Subject) -> Graph | None:
    """The routine's control flow; None where it is not known."""
    present = subject.executable or b"\1" * len(subject.memory)
    nothing = bytes(len(subject.memory))
    code = Code(subject.abi, subject.memory, present, subject.fixed, nothing)
    try:
        return graph_of(code, subject.entry, subject.describe)
    except NoCode:
        return None


def _calls(graph: Graph) -> dict[int, frozenset[int]]:
    """The instructions that call a routine, and where each goes on: after the call, or without
    it."""
    return {
        block.last.address: frozenset(e.target for e in block.edges if e.target is not None)
        for block in graph.blocks.values()
        if any(edge.call is not None for edge in block.edges)
    }


def _bodies(graph: Graph, addresses: set[int]) -> dict[int, frozenset[int]]:
    """The instructions of the innermost loop around each of the addresses."""
    nest = nest_of(graph)
    loops = {loop.head: loop for loop in nest.loops}
    bodies: dict[int, frozenset[int]] = {}
    for address in addresses:
        block = graph.block_of.get(address)
        head = None if block is None else nest.around[block]
        if head is None and block is not None and not nest.irreducible:
            bodies[address] = frozenset(graph.block_of)  # in no loop: it is counted in each call
        if head is not None:
            steps = (s.address for start in loops[head].body for s in graph.blocks[start].steps)
            bodies[address] = frozenset(steps)
    return bodies


def broken_at(
    subject: Subject, labels: Labels, address: int, view: OneView, before: Mapping[int, int]
) -> Iterator[Broken]:
    """What does not hold when the code at ``address`` comes next.

    ``before`` has what decreases, as it was at the last visit within the same loop.
    """
    where = subject.describe(address)
    for kind, word, claims in (
        (StatementKind.INVARIANT, "invariant", labels.invariants),
        (StatementKind.ASSERTION, "assert", labels.assertions),
    ):
        for claim in claims.get(address, ()):
            for condition in claim.conditions:
                if not evaluate(condition.expression, view):
                    text = f"{word} at {where}: {condition.text}"
                    yield Statement(kind, text, (address, condition.expression)), "it does not hold"
    # where a loop waits for a port that is assumed to change, the number may stay what it is
    may_stay = bool(getattr(subject.contract, "changing", ()))
    for each in labels.decreases.get(address, ()):
        value, last = evaluate(each.expression, view), before.get(address)
        if value < 0:
            why = f"it is {value}, not a natural number"
        elif last is not None and value >= last + may_stay:
            why = f"it is {value} and was {last}"
        else:
            continue
        text = f"decreases at {where}: {each.text}"
        yield Statement(StatementKind.DECREASES, text, (address, each.expression)), why


def iterations(labels: Labels, own: list[int], finished: bool) -> Iterator[tuple[LoopBound, int]]:
    """Bounds of loops that a run does not keep to, with the times that a place was executed.

    ``own`` are the instructions that the routine executed itself, in order. A run that has not
    ``finished`` may have been about to go on.
    """
    for address, bounds in labels.loops.items():
        body = labels.bodies.get(address)
        if body is None:
            continue
        for count, left in _count_entries(own, address, body):
            for bound in bounds:
                too_few = count < bound.least and (left or finished)
                if too_few or count > bound.most:
                    yield bound, count


def _count_entries(
    pcs: list[int], address: int, body: frozenset[int]
) -> Iterator[tuple[int, bool]]:
    """How often a place was executed each time its loop was entered, and whether it was left."""
    count, inside = 0, False
    for pc in pcs:
        if pc in body:
            count, inside = count + (pc == address), True
        elif inside:
            yield count, True
            count, inside = 0, False
    if inside:
        yield count, False


def _weight(expression: Expression) -> int:
    own = 1 + sum(map(_weight, parts(expression)))
    if isinstance(expression, (All, Sum)):
        return own * (expression.high - expression.low + 1)
    return own
