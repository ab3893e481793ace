"""The cheapest and the dearest way through a graph whose loops are counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from romproof.timing.graph import BasicBlock, Edge, Graph
from romproof.timing.loops import NaturalLoop, Nest

Cost = tuple[int, int | None]
"""The fewest and the most cycles; None: without bound."""

Exit = tuple[int, int]
"""A way out of a block: its address and the number of the edge. ``LOST`` as the number stands for
a block that leads nobody knows where, ``ASTRAY`` for a call that may not come back."""

LOST = -1
ASTRAY = -2


@dataclass(frozen=True, slots=True)
class Callee:
    """What a call costs. ``strays``: it may not come back to where it was called."""

    cost: Cost
    strays: bool


@dataclass(frozen=True, slots=True)
class LoopIterations:
    """How often a loop's head is executed each time the loop is entered.

    ``spans`` has, for exits, the fewest and the most iterations until they are taken; for all
    other exits these are ``least`` and ``most``.
    """

    least: int
    most: int | None
    spans: Mapping[Exit, Cost]

    def until(self, way: Exit) -> Cost:
        """The iterations until an exit is taken."""
        least, most = self.spans.get(way, (1, None))
        return max(least, self.least), smaller(most, self.most)

    def possible(self, way: Exit) -> bool:
        """Whether an exit is ever taken, as far as its iterations tell."""
        least, most = self.until(way)
        return most is None or least <= most


@dataclass(frozen=True)
class Prices:
    """What things cost: blocks by address, without their last instruction where it leads
    elsewhere; callees by address; and the iterations of loops by head."""

    blocks: Mapping[int, Cost]
    callees: Mapping[int, Callee]
    iterations: Mapping[int, LoopIterations]


def plus(one: Cost, other: Cost) -> Cost:
    """One after the other."""
    most = None if one[1] is None or other[1] is None else one[1] + other[1]
    return one[0] + other[0], most


def either(one: Cost | None, other: Cost) -> Cost:
    """One or the other; None: there is no one."""
    if one is None:
        return other
    most = None if one[1] is None or other[1] is None else max(one[1], other[1])
    return min(one[0], other[0]), most


def smaller(one: int | None, other: int | None) -> int | None:
    """The smaller of two bounds; None: without bound."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def cost_of(graph: Graph, nest: Nest, prices: Prices) -> Cost | None:
    """The cost from the entry until the return, that included; None when there is no return.

    A way that is lost counts as if it returned at once, but has no most.
    """
    paths = _Paths(graph, nest, prices)
    loops: dict[int, dict[Exit, Cost]] = {}
    for loop in nest.loops:
        loops[loop.head] = paths.through(loop, loops)
    total: Cost | None = None
    for cost in paths.through(None, loops).values():
        total = either(total, cost)
    return total


@dataclass(frozen=True)
class _Paths:
    graph: Graph
    nest: Nest
    prices: Prices

    def through(
        self, loop: NaturalLoop | None, inner: Mapping[int, dict[Exit, Cost]]
    ) -> dict[Exit, Cost]:
        """The cost of each exit of a loop from entering it; of the graph for None.

        ``inner`` are those of the loops within.
        """
        head = self.graph.entry if loop is None else loop.head
        own = None if loop is None else loop.head
        reached: dict[int, Cost] = {head: (0, 0)}
        iteration: Cost | None = None
        out: dict[Exit, Cost] = {}
        for start in self.graph.blocks:
            if start not in reached:
                continue
            if self.nest.around[start] == own:
                paths = self.out_of_block(self.graph.blocks[start])
            else:
                paths = inner[start]  # blocks of inner loops are reached by their heads only
            for way, cost in paths.items():
                cost = plus(reached[start], cost)
                target = self.target(way)
                if target == own and target is not None:
                    iteration = either(iteration, cost)
                elif target is not None and (loop is None or target in loop.body):
                    reached[target] = either(reached.get(target), cost)
                else:
                    out[way] = either(out.get(way), cost)
        return out if loop is None else self._with_iterations(loop, iteration, out)

    def target(self, way: Exit) -> int | None:
        start, number = way
        return self.graph.blocks[start].edges[number].target if number >= 0 else None

    def out_of_block(self, block: BasicBlock) -> dict[Exit, Cost]:
        body = self.prices.blocks[block.start]
        if block.problem:
            return {(block.start, LOST): (body[0], None)}
        paths: dict[Exit, Cost] = {}
        for number, edge in enumerate(block.edges):
            callee = self._callee(edge)
            cost = plus(plus(body, (edge.cycles, edge.cycles)), callee.cost)
            paths[block.start, number] = cost
            if callee.strays:
                way = (block.start, ASTRAY)
                paths[way] = either(paths.get(way), (cost[0], None))
        return paths

    def _callee(self, edge: Edge) -> Callee:
        return Callee((0, 0), False) if edge.call is None else self.prices.callees[edge.call]

    def _with_iterations(
        self, loop: NaturalLoop, iteration: Cost | None, out: Mapping[Exit, Cost]
    ) -> dict[Exit, Cost]:
        """The exits, after all iterations before the one in which they are taken."""
        costs: dict[Exit, Cost] = {}
        iterations = self.prices.iterations[loop.head]
        for way, cost in out.items():
            if iteration is None:
                costs[way] = cost
                continue
            least, most = iterations.until(way)
            if not iterations.possible(way):
                continue  # another way is always taken before
            more = None if most is None or iteration[1] is None else (most - 1) * iteration[1]
            costs[way] = plus(cost, ((least - 1) * iteration[0], more))
        return costs


def cheapest(graph: Graph, prices: Prices) -> int | None:
    """The fewest cycles from the entry until the return, whatever the loops; None without one."""
    paths = _Paths(graph, Nest((), {}, {}, ()), prices)
    waiting = [(0, graph.entry)]
    done: set[int] = set()
    ends: list[int] = []
    while waiting:
        cycles, start = heappop(waiting)
        if start in done:
            continue
        done.add(start)
        for way, cost in paths.out_of_block(graph.blocks[start]).items():
            target = paths.target(way)
            if target is None:
                ends.append(cycles + cost[0])
            else:
                heappush(waiting, (cycles + cost[0], target))
    return min(ends, default=None)
