"""The iterations of loops that contracts state, beside those that were counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from romproof.contract.nouns.model import Contract, LoopBound
from romproof.timing.cost import Cost, Exit, LoopIterations, smaller
from romproof.timing.counts import Iterations
from romproof.timing.graph import Graph
from romproof.timing.loops import NaturalLoop, Nest

Stated = Mapping[int, tuple[LoopBound, ...]]
"""By the address of the code that is executed so often: all of an address hold."""

Bounded = tuple[int, LoopBound]
"""A block, and how often a contract says that it is executed."""


def collect_stated(contracts: Iterable[Contract]) -> Stated:
    """All bounds of loops in some contracts."""
    bounds: dict[int, tuple[LoopBound, ...]] = {}
    for contract in contracts:
        for bound in contract.loops:
            for address in bound.addresses:
                bounds[address] = (*bounds.get(address, ()), bound)
    return bounds


def in_loop(stated: Stated, loop: NaturalLoop, graph: Graph, nest: Nest) -> list[Bounded]:
    """The bounds for blocks of a loop, those of inner loops aside, that every iteration passes.

    Of a block, whose code is executed as often from its first to its last instruction, there may
    be several.
    """
    return [
        (block, bound)
        for address, bounds in stated.items()
        if (block := graph.block_of.get(address)) is not None
        and nest.around[block] == loop.head
        and nest.on_every_turn(block, loop, graph)
        for bound in bounds
    ]


def most_iterations(bounds: Iterable[Bounded], loop: NaturalLoop) -> int | None:
    """The most iterations of a loop as ``bounds`` have it; None without any.

    A block that is not the head may be left out in the last iteration.
    """
    return min((b.most + (block != loop.head) for block, b in bounds), default=None)


def with_stated(
    iterations: Iterations, bounds: Iterable[Bounded], loop: NaturalLoop, graph: Graph, nest: Nest
) -> LoopIterations:
    """Counted iterations and stated ones together."""
    bounds = list(bounds)
    spans: dict[Exit, Cost] = dict(iterations.exits)
    for block, bound in bounds:
        for way in exits_of(loop, graph):
            if block != loop.head and nest.dominates(block, way[0]):
                least, most = spans.get(way, (1, None))
                spans[way] = (least, smaller(most, bound.most))
    least = max((bound.least for _, bound in bounds), default=1)
    return LoopIterations(
        max(least, 1), smaller(iterations.most, most_iterations(bounds, loop)), spans
    )


def exits_of(loop: NaturalLoop, graph: Graph) -> list[Exit]:
    """All edges that leave a loop."""
    return [
        (start, number)
        for start in loop.body
        for number, edge in enumerate(graph.blocks[start].edges)
        if edge.target not in loop.body
    ]
