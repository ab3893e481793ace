"""What the profiler keeps of calls: the costs of routines, the open calls, the paths to them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import ClassVar

_MAX_CALLS = 1024
"""Open calls that are remembered; the 6502's stack has room for 128 real ones."""
_MAX_NODES = 50_000
"""Paths of calls that are distinguished."""
NEVER = 0x10000
"""A stack level no return can rise above: the outermost call ends with the run."""

HALT, OTHER_DMA, MORE = -1, -2, -5
"""In place of a routine's location: what the machine takes; and calls along too many paths."""
MACHINE = {HALT: "(HALT)", OTHER_DMA: "(DMA)", -3: "(OAM DMA)", -4: "(DMC DMA)"}
"""What the rows of the machine are called."""


@dataclass(slots=True)
class RunningCost:
    """The running sums of one routine, also by the location of the instruction, and the accesses
    to memory by page: the page's number times 2, and 1 more for writes."""

    location: int
    calls: int = 0
    exclusive: int = 0
    inclusive: int = 0
    minimum: int = 0
    maximum: int = 0
    total: int = 0
    interrupt: bool = False
    counts: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    spent: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    pages: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    active: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    """Open calls, by the number of interrupts that are open."""

    def close(self, cycles: int, outermost: bool) -> None:
        """One call of ``cycles`` inclusive cycles has ended."""
        self.minimum = cycles if self.calls == 0 else min(self.minimum, cycles)
        self.maximum = max(self.maximum, cycles)
        self.calls += 1
        self.total += cycles
        if outermost:  # inner calls of a recursion are part of it
            self.inclusive += cycles


@dataclass(slots=True, eq=False)
class PathNode:
    """A routine, called from ``site`` along the path that ``parent`` is; ``cycles`` are its own."""

    location: int
    site: int | None
    parent: PathNode | None
    depth: int = 0
    calls: int = 0
    cycles: int = 0
    children: dict[tuple[int, int | None], PathNode] = field(default_factory=dict)


@dataclass(slots=True)
class OpenCall:
    """An open call. ``level`` is the stack pointer just inside it.

    ``back`` and ``back_level`` are the address and stack pointer after a plain
    return; None for a tail call, which has no return address of its own. ``start`` is the cycle in
    which it began, ``away`` what handlers of interrupts had taken by then; ``interrupts`` says how
    many of these are open.
    """

    cost: RunningCost
    node: PathNode
    start: int
    away: int
    interrupts: int
    level: int
    back: int | None = None
    back_level: int = NEVER
    interrupt: bool = False


@dataclass(slots=True)
class Ledger:
    """The calls of executions, open and done: every cycle is one routine's own, or the machine's.

    What interrupts take is no part of the calls that they interrupt.
    """

    most_calls: ClassVar[int] = _MAX_CALLS
    costs: dict[int, RunningCost] = field(default_factory=dict, init=False)
    edges: dict[tuple[int, int], list[int]] = field(default_factory=dict, init=False)
    root: PathNode = field(default_factory=lambda: PathNode(MORE, None, None), init=False)
    now: int = field(default=0, init=False)
    _calls: list[OpenCall] = field(default_factory=list, init=False)
    _nodes: int = field(default=0, init=False)
    _mark: int = field(default=0, init=False)
    _away: int = field(default=0, init=False)
    _counts: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int), init=False)
    _spent: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int), init=False)

    def add_up(self) -> None:
        """Bring ``costs`` up to date: what came many at once may not be in them yet."""

    def _open(
        self,
        location: int,
        level: int,
        site: int | None = None,
        back: int | None = None,
        back_level: int = 0,
        *,
        interrupt: bool = False,
    ) -> None:
        """A routine begins, called from ``site`` or by an interrupt."""
        self._settle()
        calls = self._calls
        cost = self.costs.get(location)
        if cost is None:
            cost = self.costs[location] = RunningCost(location)
        interrupts = 0
        if calls:
            interrupts = calls[-1].interrupts + interrupt
        above = self.root if interrupt or not calls else calls[-1].node
        node = self._child(above, location, None if interrupt else site)
        node.calls += 1
        cost.active[interrupts] += 1
        cost.interrupt |= interrupt
        calls.append(
            OpenCall(
                cost,
                node,
                self.now,
                self._away,
                interrupts,
                level,
                back,
                back_level,
                interrupt,
            )
        )
        self._counts, self._spent = cost.counts, cost.spent
        if len(calls) > _MAX_CALLS:
            # a program that never returns has overwritten its oldest calls long ago
            self._end(calls[1], calls[0])
            del calls[1]

    def _close(self) -> None:
        """The innermost call has ended."""
        self._settle()
        call = self._calls.pop()
        if self._calls:
            self._end(call, self._calls[-1])
            if call.interrupt:
                self._away = call.away + self.now - call.start
            cost = self._calls[-1].cost
            self._counts, self._spent = cost.counts, cost.spent
        else:
            self._end(call, None)

    def _end(self, call: OpenCall, caller: OpenCall | None) -> None:
        cycles = self.now - call.start - (self._away - call.away)
        active = call.cost.active
        active[call.interrupts] -= 1
        call.cost.close(cycles, not active[call.interrupts])
        if caller is not None and not call.interrupt:
            self._count_call(caller.cost.location, call.cost.location, cycles)

    def _count_call(self, caller: int, callee: int, cycles: int) -> None:
        edge = self.edges.setdefault((caller, callee), [0, 0])
        edge[0] += 1
        edge[1] += cycles

    def _forget(self) -> None:
        """Begin to count anew; the calls that are open now have been entered in cycle 0."""
        self.costs, self.edges, self.root = {}, {}, PathNode(MORE, None, None)
        self.now = self._mark = self._away = self._nodes = 0
        above = self.root
        for call in self._calls:
            location, site = call.node.location, call.node.site
            cost = self.costs.setdefault(call.cost.location, RunningCost(call.cost.location))
            cost.active[call.interrupts] += 1
            cost.interrupt |= call.interrupt
            above = self._child(self.root if call.interrupt else above, location, site)
            above.calls += 1
            call.cost, call.node, call.start, call.away = cost, above, 0, 0
            self._counts, self._spent = cost.counts, cost.spent

    def _drop(self) -> None:
        """The innermost call is none: nothing of it was executed."""
        call = self._calls.pop()
        call.cost.active[call.interrupts] -= 1
        call.node.calls -= 1

    def _close_to(self, size: int) -> None:
        while len(self._calls) > size:
            self._close()

    def _close_above(self, s: int) -> None:
        """Close the calls whose return address is no longer on the stack."""
        while self._calls[-1].level < s:
            self._close()

    def _charge(self, what: int, cycles: int, site: int) -> None:
        """Cycles that the machine takes, while the instruction at ``site`` is executed."""
        self._settle()
        cost = self.costs.get(what)
        if cost is None:
            cost = self.costs[what] = RunningCost(what)
        cost.exclusive += cycles
        self._child(self._calls[-1].node, what, site).cycles += cycles
        self.now += cycles
        self._mark = self.now

    def _charge_all(self, what: int, cycles: int, site: int) -> None:
        """All of what the machine has taken at once."""
        call = self._calls[-1]
        self.costs[what].close(cycles, True)
        self._count_call(call.cost.location, what, cycles)
        self._child(call.node, what, site).calls += 1

    def _settle(self) -> None:
        """Give the cycles since the last change of routine to the one that ran."""
        passed = self.now - self._mark
        if passed:
            call = self._calls[-1]
            call.cost.exclusive += passed
            call.node.cycles += passed
            self._mark = self.now

    def _child(self, node: PathNode, location: int, site: int | None) -> PathNode:
        """The path that goes on from ``node``; there are only so many."""
        if node.location == MORE and node.parent is not None:
            return node
        child = node.children.get((location, site))
        if child is None:
            if self._nodes >= _MAX_NODES or node.depth >= _MAX_CALLS:
                location, site = MORE, None
                if (location, site) in node.children:
                    return node.children[location, site]
            self._nodes += 1
            child = PathNode(location, site, node, node.depth + 1)
            node.children[location, site] = child
        return child
