"""The bounds of a program's routines, each found from those of the routines it calls."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from romproof.contract.names.bounds import bounds_of
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.ports import volatile_addresses
from romproof.isa.abi import Abi, Flag, abi_of
from romproof.machine.memory import MemoryMap, load_image, part_in_memory
from romproof.program.image import Image, Segment
from romproof.program.listing import find_outermost
from romproof.timing.analysis import Naming, Task, analyse
from romproof.timing.effects import cell
from romproof.timing.graph import Code, NoCode, edges_of, graph_of
from romproof.timing.loops import nest_of
from romproof.timing.model import Bounds, Routine
from romproof.timing.stated import collect_stated

_KEPT = {"rw", "bss", "zp"}
"""The kinds of segments in which a program keeps variables."""


class NotCounted(Enum):
    """Why nobody counts how often the code at a label is executed each time its loop is entered."""

    ELSEWHERE = "the code does not belong to this routine"
    """It may be that of a routine that is called: its own contract may count it."""
    SEVERAL_ENTRIES = "a loop of this routine is entered in several places"
    """The control flow graph is not reducible: there are loops without a head."""
    WAYS_UNKNOWN = "the control flow of this routine is not known everywhere"
    """There is a jump through a table, or an instruction that nobody can follow."""


@dataclass(frozen=True)
class CountedCode:
    """The instructions of a loop, or of all of a routine, and where each instruction of the routine
    may lead within it."""

    body: frozenset[int]
    edges: Mapping[int, frozenset[int]]


class TimedProgram:
    """A program whose routines' bounds are worked out when they are asked for.

    ``banks`` chooses among overlapping memory areas. The contracts give the iterations of loops
    (``loops:``) and say which routines may be called with D set; their cycles are not used.
    Raises OverlappingAreas, NoAbi.
    """

    def __init__(
        self, image: Image, contracts: Mapping[str, Contract], banks: Collection[str] = ()
    ) -> None:
        abi = abi_of(image.cpu)
        self.memory = memory = load_image(image, banks=banks, first=abi.first_areas)
        self.image = part_in_memory(image, memory.left_out)
        self._code = _code_of(self.image, memory, contracts.values())
        here = {symbol.name: symbol.value for symbol in self.image.symbols}
        self._stated = collect_stated(contracts.values())
        self._contracts: dict[int, Contract] = {}
        for name, contract in contracts.items():
            if name in here:
                self._contracts.setdefault(here[name], contract)
        self._known: dict[int, Routine] = {}
        self._at_work: list[int] = []

    def bounds(self, routine: str | int) -> Bounds:
        """The bounds of a routine, by name or address. Raises UnknownSymbol, NoCode."""
        return self.routine(self.find(routine)).bounds

    def find(self, routine: str | int) -> int:
        """The address of a routine. Raises UnknownSymbol, and NoCode where it has no code."""
        address = self.image.address(routine) if isinstance(routine, str) else routine
        line = self.image.line_at(address)
        if self._code.at(address) is None or (line is not None and not line.is_code):
            raise NoCode(f"there is no code at {self.image.describe(address)}")
        return address

    def routine(self, address: int) -> Routine:
        """What is known of the routine at an address."""
        if address in self._at_work:
            chain = [*self._at_work[self._at_work.index(address) :], address]
            names = " -> ".join(self.image.format_address(a) or f"${a:04X}" for a in chain)
            return Routine(
                address, Bounds(0, None, (f"{self._place(address)}: recursion: {names}",))
            )
        if address not in self._known:
            self._at_work.append(address)
            try:
                self._known[address] = analyse(self._task(address))
            except NoCode as fault:
                self._known[address] = Routine(address, Bounds(0, None, (str(fault),)))
            finally:
                self._at_work.pop()
        return self._known[address]

    def own_code(self, entry: int) -> frozenset[int]:
        """The addresses of the instructions of a routine, those of its callees aside. Raises
        NoCode."""
        return frozenset(graph_of(self._code, entry, self.image.describe).block_of)

    def loop_around(self, entry: int, address: int) -> frozenset[int] | None:
        """The addresses of the instructions of the innermost loop around one, in the routine at
        ``entry``; None where it is in no loop. Raises NoCode."""
        loop = self.loop_with_head(entry, address)
        return None if loop is None else loop[1]

    def count_at(self, entry: int, address: int) -> CountedCode | NotCounted:
        """Where the executions of the code at ``address`` are counted, in the routine at ``entry``:
        each time its innermost loop is entered, or in each call where it is in no loop; or why they
        are not. Raises NoCode."""
        graph = graph_of(self._code, entry, self.image.describe)
        block = graph.block_of.get(address)
        if block is None:
            return NotCounted.ELSEWHERE
        if any(each.problem for each in graph.blocks.values()):
            return NotCounted.WAYS_UNKNOWN
        nest = nest_of(graph)
        if nest.irreducible:
            return NotCounted.SEVERAL_ENTRIES
        loop = next((each for each in nest.loops if each.head == nest.around[block]), None)
        blocks = graph.blocks.keys() if loop is None else loop.body
        body = frozenset(step.address for each in blocks for step in graph.blocks[each].steps)
        return CountedCode(body, edges_of(graph))

    def loop_from(self, head: int) -> frozenset[int]:
        """The addresses of the instructions between an address and where it comes next, in one
        routine: none where it does not."""
        try:
            return self.loop_around(head, head) or frozenset()
        except NoCode:
            return frozenset()

    def loop_with_head(self, entry: int, address: int) -> tuple[int, frozenset[int]] | None:
        """The same with the address where every iteration of the loop begins before them."""
        graph = graph_of(self._code, entry, self.image.describe)
        block = graph.block_of.get(address)
        nest = nest_of(graph)
        head = None if block is None else nest.around[block]
        for loop in nest.loops:
            if loop.head == head:
                body = frozenset(s.address for b in loop.body for s in graph.blocks[b].steps)
                return graph.blocks[loop.head].steps[0].address, body
        return None

    def loop_beyond(self, entry: int, branch: int) -> tuple[int, frozenset[int]] | None:
        """The loop around the innermost loop of a branch that does not leave that one; None where
        it leaves it, or there is none around it. Raises NoCode."""
        graph = graph_of(self._code, entry, self.image.describe)
        nest = nest_of(graph)
        block = graph.block_of.get(branch)
        inner = next((each for each in nest.loops if block in each.body), None)
        if block is None or inner is None or inner.parent is None:
            return None
        targets = {edge.target for edge in graph.blocks[block].edges}
        return self.loop_with_head(entry, inner.parent) if targets <= inner.body else None

    def _task(self, address: int) -> Task:
        names = Naming(self.image.describe, self._place, self._label)
        contract = self._contracts.get(address)
        limits = {} if contract is None else _limits(contract, self._code)
        code = self._code
        if contract is not None:
            code = replace(code, abi=contract.entry(code.abi))
        return Task(code, address, self._stated, self.routine, names, limits)

    def _place(self, address: int) -> str:
        """``file:line`` of the code at an address, else the address."""
        line = self.image.line_at(address)
        if line is None:
            return self.image.describe(address)
        span = find_outermost(line.span)
        return f"{span.source.name}:{span.line}"

    def _label(self, address: int) -> str | None:
        """The label that the source has at an address, a local one rather than a routine's."""
        labels = [s for s in self.image.symbols if s.is_label and s.value == address and s.span]
        return min(labels, key=lambda s: (s.exported, len(s.name))).name if labels else None


def _limits(contract: Contract, code: Code) -> dict[str, tuple[int, int]]:
    """The limits of inputs that a contract requires; D has some when it is an input."""
    limits: dict[str, tuple[int, int]] = {}
    for item in contract.inputs:
        if isinstance(item, Flag) and item.name.lower() == code.decimal:
            limits[item.name.lower()] = (0, 1)
    for key, (low, high) in bounds_of(contract).items():
        if low > high or isinstance(key, MemoryRange):
            continue
        if isinstance(key, int):
            if code.variables[key]:
                limits[cell(key)] = (low, high)
        elif key.name.lower() != code.stack:
            limits[key.name.lower()] = (low, high)
    return limits


def _code_of(image: Image, memory: MemoryMap, contracts: Iterable[Contract]) -> Code:
    """The bytes of a program, and what is known of its memory. What one contract calls a port is
    one for all routines."""
    present = bytearray(0x10000)
    for block in image.blocks:
        end = block.address + len(block.data)
        present[block.address : end] = b"\1" * len(block.data)
    abi, variables = abi_of(image.cpu), bytearray(0x10000)
    for segment in image.segments:
        if segment.kind in _KEPT:
            for address in _variables_of(segment, abi):
                variables[address] = 1
    ports = volatile_addresses(None, abi).union(
        *(volatile_addresses(each, abi) for each in contracts)
    )
    for address in ports:
        variables[address] = 0
    return Code(abi, memory.initial, bytes(present), memory.protected, bytes(variables), ports)


def _variables_of(segment: Segment, abi: Abi) -> Collection[int]:
    """The addresses of a segment that keep what is written to them."""
    every = range(segment.run, min(segment.run + segment.size, 0x10000))
    if not abi.ram:
        return every
    return [a for a in every if any(first <= a < end for first, end in abi.ram)]
