"""The loops of a graph: which there are, and how they lie in each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from romproof.timing.graph import BasicBlock, Graph


@dataclass(frozen=True, slots=True)
class NaturalLoop:
    """All paths from ``head`` back to it. ``body`` has the blocks on them, the head included.

    ``parent`` is the head of the loop around it, None for an outermost one.
    """

    head: int
    body: frozenset[int]
    parent: int | None


@dataclass(frozen=True)
class Nest:
    """The loops of a graph.

    ``loops`` has the inner ones before those around them. ``around`` gives the head of the
    innermost loop around a block, None outside of all. ``dominators`` gives the last block that
    every path to a block passes before it; the entry has itself. ``irreducible`` are blocks by
    which a loop is entered that has another entry besides.
    """

    loops: tuple[NaturalLoop, ...]
    around: Mapping[int, int | None]
    dominators: Mapping[int, int]
    irreducible: tuple[int, ...]

    @cached_property
    def parents(self) -> Mapping[int, int | None]:
        """The head of the loop around each loop, by head."""
        return {loop.head: loop.parent for loop in self.loops}

    def dominates(self, block: int, other: int) -> bool:
        """Whether every path to ``other`` passes ``block``; a block dominates itself."""
        while other != block:
            above = self.dominators[other]
            if above == other:
                return False
            other = above
        return True

    def on_every_turn(self, block: int, loop: NaturalLoop, graph: Graph) -> bool:
        """Whether nothing comes back to the loop's head without having passed ``block``."""
        return all(self.dominates(block, latch) for latch in latches(loop, graph))


def latches(loop: NaturalLoop, graph: Graph) -> tuple[int, ...]:
    """The blocks from which the loop's head comes next."""
    return tuple(start for start in loop.body if loop.head in _followers(graph.blocks[start]))


def nest_of(graph: Graph) -> Nest:
    """The loops of a graph."""
    dominators = _dominators(graph)
    plain = Nest((), {}, dominators, ())
    order = graph.order
    back: dict[int, list[int]] = {}
    irreducible: list[int] = []
    for start, block in graph.blocks.items():
        for target in _followers(block):
            if order[target] > order[start]:
                continue
            if plain.dominates(target, start):
                back.setdefault(target, []).append(start)
            else:
                irreducible.append(target)
    if irreducible:
        return Nest((), dict.fromkeys(graph.blocks), dominators, tuple(sorted(set(irreducible))))
    before = _before(graph)
    bodies = {head: _body(head, sources, before) for head, sources in back.items()}
    # a loop around another one has more blocks
    heads = sorted(bodies, key=lambda head: len(bodies[head]))
    around: dict[int, int | None] = dict.fromkeys(graph.blocks)
    loops: list[NaturalLoop] = []
    for number, head in enumerate(heads):
        parent = next((h for h in heads[number + 1 :] if head in bodies[h]), None)
        loops.append(NaturalLoop(head, bodies[head], parent))
        for start in bodies[head]:
            if around[start] is None:
                around[start] = head
    return Nest(tuple(loops), around, dominators, ())


def _followers(block: BasicBlock) -> list[int]:
    return [edge.target for edge in block.edges if edge.target is not None]


def _before(graph: Graph) -> dict[int, list[int]]:
    """The blocks that lead to each block."""
    before: dict[int, list[int]] = {start: [] for start in graph.blocks}
    for start, block in graph.blocks.items():
        for target in _followers(block):
            before[target].append(start)
    return before


def _body(head: int, sources: list[int], before: Mapping[int, list[int]]) -> frozenset[int]:
    """What leads to a loop's head from within."""
    body = {head}
    work = list(sources)
    while work:
        start = work.pop()
        if start not in body:
            body.add(start)
            work += before[start]
    return frozenset(body)


def _dominators(graph: Graph) -> dict[int, int]:
    """The immediate dominators, found as Cooper, Harvey and Kennedy do."""
    order, before = graph.order, _before(graph)
    dominators = {graph.entry: graph.entry}
    changed = True
    while changed:
        changed = False
        for start in graph.blocks:
            if start == graph.entry:
                continue
            known = [b for b in before[start] if b in dominators]
            common = known[0]
            for other in known[1:]:
                common = _meet(common, other, dominators, order)
            if dominators.get(start) != common:
                dominators[start] = common
                changed = True
    return dominators


def _meet(one: int, other: int, dominators: Mapping[int, int], order: Mapping[int, int]) -> int:
    """The last block that every path to either of two blocks passes."""
    while one != other:
        while order[one] > order[other]:
            one = dominators[one]
        while order[other] > order[one]:
            other = dominators[other]
    return one
