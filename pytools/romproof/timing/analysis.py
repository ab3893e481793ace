"""From the code of one routine to its bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from romproof.contract.nouns.model import LoopBound
from romproof.isa.algebra import const, register
from romproof.isa.cpus import cpu_named
from romproof.isa.flow import Flow
from romproof.timing.cost import Callee, Cost, Exit, LoopIterations, Prices, cheapest, cost_of
from romproof.timing.counts import Iterations, Outside, count_iterations
from romproof.timing.effects import at_entry, cell_address
from romproof.timing.footprint import Footprint, footprint_of
from romproof.timing.graph import BasicBlock, Code, Graph, Step, graph_of, order_blocks, without
from romproof.timing.loops import NaturalLoop, Nest, nest_of
from romproof.timing.model import Bounds, KnownLoop, Routine
from romproof.timing.stated import Bounded, Stated, exits_of, in_loop, most_iterations, with_stated
from romproof.timing.values import InputLimits, KnownStates, RegisterValues, Walk, possible


@dataclass(frozen=True)
class Naming:
    """How people call an address: as a routine or label, and as a place in the source."""

    describe: Callable[[int], str]
    place: Callable[[int], str]
    label: Callable[[int], str | None]


@dataclass(frozen=True)
class Task:
    """A routine to analyse: its entry, and what is known besides its code.

    ``stated`` are the iterations of loops that contracts state, ``callee`` gives what is known of a
    routine that is called. ``limits`` are those of inputs; where D has none it is clear.
    """

    code: Code
    entry: int
    stated: Stated
    callee: Callable[[int], Routine]
    names: Naming
    limits: InputLimits

    @cached_property
    def start(self) -> RegisterValues:
        """What is known at the entry."""
        pointer = self.code.abi.stack_pointer
        state = {pointer.attribute: register(pointer.attribute, pointer.bits)}
        if self.code.decimal is not None:
            state[self.code.decimal] = const(0, 1)
        widths = cpu_named(self.code.abi.cpu).registers
        for name, (low, high) in self.limits.items():
            width = widths.get(name, 8)
            state[name] = const(low, width) if low == high else register(at_entry(name), width)
        return state

    @cached_property
    def input_limits(self) -> InputLimits:
        """The limits by the names that the values at the entry have."""
        return {at_entry(name): limits for name, limits in self.limits.items()}


def analyse(task: Task) -> Routine:
    """Everything about a routine. Raises NoCode."""
    graph = graph_of(task.code, task.entry, task.names.describe)
    callees = {address: task.callee(address) for address in graph.calls}
    while True:
        view = _View(task, graph, callees)
        smaller = view.possible()
        if smaller is graph:
            return view.routine()
        graph = smaller


@dataclass(frozen=True)
class _View:
    """A routine as one of its graphs shows it."""

    task: Task
    graph: Graph
    all_callees: Mapping[int, Routine]

    @cached_property
    def callees(self) -> Mapping[int, Routine]:
        return {address: self.all_callees[address] for address in self.graph.calls}

    @cached_property
    def nest(self) -> Nest:
        return nest_of(self.graph)

    @cached_property
    def walk(self) -> Walk:
        prints = {address: routine.footprint for address, routine in self.callees.items()}
        blocks = self.graph.blocks
        inner = {
            loop.head: footprint_of((blocks[b] for b in loop.body), prints, self.task.code)
            for loop in self.nest.loops
        }
        return Walk(self.task.code, self.graph, self.nest, self.task.start, prints, inner)

    @cached_property
    def facts(self) -> KnownStates:
        return self.walk.facts()

    @cached_property
    def footprint(self) -> Footprint:
        return footprint_of(self.graph.blocks.values(), self.walk.callees, self.task.code)

    @cached_property
    def addresses(self) -> frozenset[int]:
        """Where the code is, with that of what is called."""
        own = (
            step.address + offset
            for block in self.graph.blocks.values()
            for step in block.steps
            for offset in range(step.instruction.opcode.size)
        )
        return frozenset(own).union(*(routine.code for routine in self.callees.values()))

    def possible(self) -> Graph:
        """The graph without edges that are never taken and those beyond a problem."""
        if self.nest.irreducible:
            return self.graph
        facts, graph = self.facts, self.graph
        never = frozenset(
            (start, number)
            for start in facts.before
            for number in range(len(graph.blocks[start].edges))
            if (start, number) not in facts.after
        )
        if never:
            graph = without(graph, never)
        problems = {b: p for b, p in facts.problems.items() if not self.graph.blocks[b].problem}
        if problems:
            blocks = {
                start: replace(block, edges=(), problem=problems[start])
                if start in problems
                else block
                for start, block in graph.blocks.items()
            }
            graph = order_blocks(Graph(graph.entry, blocks))
        return graph

    # ---------------------------------------------------------------- the result

    def routine(self) -> Routine:
        """What came out."""
        if self.nest.irreducible:
            return self._irreducible()
        iterations = {loop.head: self._iterations(loop) for loop in self.nest.loops}
        blocks = self.graph.blocks.values()
        cost = cost_of(self.graph, self.nest, self._prices(iterations))
        reasons = tuple(dict.fromkeys(self._reasons(iterations, cost)))
        best, worst = (0, None) if cost is None else cost
        strays = any(routine.strays for routine in self.callees.values())
        return Routine(
            self.graph.entry,
            Bounds(best, None if reasons else worst, reasons),
            conflicts=tuple(
                counted.conflict for counted in iterations.values() if counted.conflict
            ),
            stated=self._find_stated(iterations),
            loops=tuple(self._known_loop(loop, iterations[loop.head]) for loop in self.nest.loops),
            calls=self.graph.calls,
            footprint=self.footprint,
            code=self.addresses,
            strays=strays or any(block.problem for block in blocks),
        )

    def _irreducible(self) -> Routine:
        """A routine whose loops cannot be distinguished."""
        where = self.task.names.place(self.nest.irreducible[0])
        best = cheapest(self.graph, self._prices({}))
        reason = f"{where}: a loop is entered here and in another place: give it one entry"
        return Routine(
            self.graph.entry,
            Bounds(best or 0, None, (reason,)),
            stated=self._find_stated({}),
            calls=self.graph.calls,
            code=self.addresses,
        )

    def _find_stated(self, iterations: Mapping[int, _Counted]) -> tuple[LoopBound, ...]:
        """What contracts state of the loops, and what is stated where the bounds of callees rest
        on it; each once."""
        own = [bound for counted in iterations.values() for bound in counted.rests]
        inner = [bound for routine in self.callees.values() for bound in routine.stated]
        return tuple(dict.fromkeys((*own, *inner)))

    def _iterations(self, loop: NaturalLoop) -> _Counted:
        """The iterations of a loop, by counting and by what contracts state."""
        bounds = in_loop(self.task.stated, loop, self.graph, self.nest)
        outside = Outside(self.facts, self.task.input_limits)
        counted = count_iterations(self.walk, loop, outside, most_iterations(bounds, loop))
        both = with_stated(counted, bounds, loop, self.graph, self.nest)
        exits = exits_of(loop, self.graph)
        if not bounds or not exits or any(both.possible(way) for way in exits):
            counted_here = _Counted(both, counted.extras, bool(bounds))
            return (
                replace(counted_here, rests=self._rests(loop, counted_here, bounds))
                if bounds
                else counted_here
            )
        # no exit fits: what is stated is wrong
        counted = count_iterations(self.walk, loop, outside, None)
        conflict = _conflict([bound for _, bound in bounds], counted, exits)
        alone = with_stated(counted, (), loop, self.graph, self.nest)
        return _Counted(alone, counted.extras, False, conflict)

    def _rests(
        self, loop: NaturalLoop, counts: _Counted, bounds: Sequence[Bounded]
    ) -> tuple[LoopBound, ...]:
        """The bounds in contracts that say more of a loop than counting does."""
        outside = Outside(self.facts, self.task.input_limits)
        counted = count_iterations(self.walk, loop, outside, None)
        alone = with_stated(counted, (), loop, self.graph, self.nest)
        iterations = counts.iterations
        same = (alone.most, counted.extras) == (iterations.most, counts.extras)
        if same and all(alone.until(w) == iterations.until(w) for w in exits_of(loop, self.graph)):
            return ()
        return tuple(bound for _, bound in bounds)

    def _known_loop(self, loop: NaturalLoop, counted: _Counted) -> KnownLoop:
        names, head = self.task.names, loop.head
        return KnownLoop(
            head,
            names.label(head) or "",
            names.place(head),
            counted.iterations.most,
            counted.stated,
        )

    # ---------------------------------------------------------------- cycles

    def _prices(self, iterations: Mapping[int, _Counted]) -> Prices:
        """What blocks, callees and loops cost."""
        return Prices(
            {start: self._cost(block, iterations) for start, block in self.graph.blocks.items()},
            {
                address: Callee((routine.bounds.best, routine.bounds.worst), routine.strays)
                for address, routine in self.callees.items()
            },
            {head: counted.iterations for head, counted in iterations.items()},
        )

    def _cost(self, block: BasicBlock, iterations: Mapping[int, _Counted]) -> Cost:
        """The cycles of a block, but for a last instruction that leads elsewhere."""
        low = high = 0
        for step in block.steps:
            opcode = step.instruction.opcode
            if opcode.flow is not Flow.NEXT:
                continue
            without_extra, with_extra = True, opcode.cycles.page
            if with_extra:
                without_extra, with_extra = self._extra(step, block, iterations)
            low += opcode.cycles.minimum + (not without_extra)
            high += opcode.cycles.minimum + with_extra
        return low, high

    def _extra(
        self, step: Step, block: BasicBlock, iterations: Mapping[int, _Counted]
    ) -> tuple[bool, bool]:
        """Whether an instruction is ever executed without its conditional cycle, and with it."""
        if self.nest.irreducible:
            return (True, True)
        extra = self.facts.extras.get(step.address)
        bounds = [] if extra is None else [possible(extra, self.task.input_limits)]
        head = self.nest.around[block.start]
        while head is not None:
            seen = iterations[head].extras.get(step.address)
            bounds += [] if seen is None else [seen]
            head = self.nest.parents[head]
        return all(one for one, _ in bounds), all(one for _, one in bounds)

    # ---------------------------------------------------------------- reasons

    def _reasons(self, iterations: Mapping[int, _Counted], cost: Cost | None) -> Iterator[str]:
        """Why the most cycles are not known."""
        names = self.task.names
        for block in self.graph.blocks.values():
            if block.problem is not None:
                yield f"{names.place(block.problem.address)}: {block.problem.text}"
        for loop in self.nest.loops:
            if iterations[loop.head].iterations.most is None:
                yield self._explain_unbounded(loop)
        for routine in self.callees.values():
            yield from routine.bounds.reasons
        yield from self._changes_itself()
        if cost is None:
            yield f"{names.place(self.graph.entry)}: it never returns"

    def _explain_unbounded(self, loop: NaturalLoop) -> str:
        where, label = self.task.names.place(loop.head), self.task.names.label(loop.head)
        blocks = self.graph.blocks
        problem = any(blocks[start].problem for start in loop.body)
        if not problem and not exits_of(loop, self.graph):
            return f"{where}: this loop is never left"
        if label is None:
            return (
                f"{where}: no known bound for this loop: give it a label for 'loops: LABEL COUNT'"
            )
        return f"{where}: no known bound for this loop: write 'loops: {label} COUNT'"

    def _changes_itself(self) -> Iterator[str]:
        for name in sorted(self.footprint.names):
            address = cell_address(name)
            if address is not None and address in self.addresses:
                yield f"{self.task.names.place(address)}: this code is changed while it runs"


def _conflict(bounds: Sequence[LoopBound], counted: Iterations, exits: Sequence[Exit]) -> str:
    """Why no exit of a loop fits what contracts state of it, and the place."""
    tightest = min(bounds, key=lambda bound: bound.most)
    fewest = min(counted.exits.get(way, (1, None))[0] for way in exits)
    why = f"the loop has at least {fewest} iterations"
    if fewest <= tightest.most:
        other = max(bounds, key=lambda bound: bound.least)
        why = f"its loop is declared to have at least {other.least} iterations ('{other}')"
    where = f"{tightest.span.source.name}:{tightest.span.line}"
    return f"{where}: 'loops: {tightest}' is impossible: {why}"


@dataclass(frozen=True, slots=True)
class _Counted:
    """The iterations of a loop; ``conflict`` says why what a contract states cannot be.

    ``rests`` is what contracts state that counting does not find.
    """

    iterations: LoopIterations
    extras: Mapping[int, tuple[bool, bool]]
    stated: bool
    conflict: str = ""
    rests: tuple[LoopBound, ...] = ()
