"""The code of a routine as blocks: what it executes from its entry until it returns.

Jumps into other routines and falling through into the next one are followed like any other way;
what is called is not part of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from romproof.isa.abi import MOS6502, Abi
from romproof.isa.codec import Instruction, decode
from romproof.isa.flow import Flow
from romproof.isa.model import OpcodeVariant
from romproof.text.errors import RomproofError
from romproof.timing.effects import Effect, effect_of

_RESTS = ("halt", "stop", "wai")


class NoCode(RomproofError):
    """There is no code where a routine is said to be."""


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction at its place, and what it does."""

    instruction: Instruction
    effect: Effect

    @property
    def address(self) -> int:
        """Where it stands."""
        return self.instruction.address


@dataclass(frozen=True, slots=True)
class Edge:
    """A way out of a block: to the block at ``target``, back to the caller where that is None.

    ``cycles`` are those of the instruction that leads there, 0 when there is none: then they
    belong to the block. ``call`` is the routine that is called on the way. ``taken`` says
    whether the condition of the block's last instruction holds; None when it has none.
    """

    target: int | None
    cycles: int
    call: int | None = None
    taken: bool | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Why it is not known how the code at ``address`` goes on."""

    address: int
    text: str


@dataclass(frozen=True, slots=True)
class BasicBlock:
    """Instructions that are executed one after another.

    ``problem`` says why it is not known where they lead; there is no edge then.
    """

    steps: tuple[Step, ...]
    edges: tuple[Edge, ...]
    problem: Problem | None = None

    @property
    def start(self) -> int:
        """The address of the first instruction."""
        return self.steps[0].address

    @property
    def last(self) -> Step:
        """The last instruction."""
        return self.steps[-1]


@dataclass(frozen=True)
class Graph:
    """The blocks of a routine by address, each after those that lead to it but for loops."""

    entry: int
    blocks: Mapping[int, BasicBlock]

    @cached_property
    def order(self) -> Mapping[int, int]:
        """The number of each block in the order above."""
        return {start: number for number, start in enumerate(self.blocks)}

    @cached_property
    def block_of(self) -> Mapping[int, int]:
        """The block that each instruction is in."""
        return {step.address: b for b, block in self.blocks.items() for step in block.steps}

    @property
    def calls(self) -> frozenset[int]:
        """The routines that are called."""
        edges = (edge for block in self.blocks.values() for edge in block.edges)
        return frozenset(edge.call for edge in edges if edge.call is not None)


@dataclass(frozen=True)
class Code:
    """The program in its 64 KiB of ``memory``. What follows has a byte for each address, nonzero

    in ``present`` where the program has bytes, in ``protected`` where nothing can be written, and
    in ``variables`` where memory keeps what is written. Of ``ports`` no read says what the next
    brings: they are none of these variables, and no constants.
    """

    abi: Abi
    memory: bytes
    present: bytes
    protected: bytes
    variables: bytes
    ports: frozenset[int] = frozenset()

    @cached_property
    def stack(self) -> str:
        """The name of the stack pointer."""
        return self.abi.stack_pointer.attribute

    @cached_property
    def decimal(self) -> str | None:
        """The name of the flag that makes sums decimal, None on a CPU without one."""
        return "d" if "d" in self.abi.letters else None

    def constant(self, address: int) -> bool:
        """Whether the byte at an address is always the same."""
        return bool(self.present[address] and self.protected[address]) and address not in self.ports

    def at(self, address: int) -> Instruction | None:
        """The instruction at an address, None where the program has none."""
        instruction = decode(self.memory[address : address + 3], address, self.abi.cpu)
        if instruction is None or not all(
            self.present[address : address + instruction.opcode.size]
        ):
            return None
        return instruction

    def step(self, instruction: Instruction) -> Step:
        """The instruction with what it does."""
        start = instruction.address
        code = self.memory[start : start + instruction.opcode.size]
        return Step(instruction, effect_of(self.abi.cpu, code))


@dataclass(frozen=True, slots=True)
class _Leaving:
    """Where an instruction leads; None as ``edges``: to the one that follows."""

    edges: tuple[Edge, ...] | None = None
    problem: str = ""


def graph_of(code: Code, entry: int, describe: Callable[[int], str]) -> Graph:
    """The graph of the routine at ``entry``; ``describe`` names an address in problems.

    Raises NoCode.
    """
    leaving: dict[int, _Leaving] = {}
    steps: dict[int, Instruction] = {}
    heads, work = {entry}, [entry]
    while work:
        address = work.pop()
        while address not in leaving:
            instruction = code.at(address)
            if instruction is None:
                break
            steps[address] = instruction
            leaving[address] = edges = _leaving(code, instruction)
            following = (address + instruction.opcode.size) & 0xFFFF
            if edges.edges is None:
                if code.at(following) is None:
                    heads.add(following)
                address = following
                continue
            targets = [edge.target for edge in edges.edges if edge.target is not None]
            heads.update(targets)
            work += targets
            break
    blocks = {
        head: _block(code, head, heads, steps, leaving, describe) for head in heads if head in steps
    }
    if entry not in blocks:
        raise NoCode(f"the program has no code at {describe(entry)}")
    return order_blocks(Graph(entry, blocks))


def edges_of(graph: Graph) -> dict[int, frozenset[int]]:
    """By the address of each instruction those of the instructions that may come next in the
    routine; a call leads to where it returns to."""
    edges: dict[int, frozenset[int]] = {}
    for block in graph.blocks.values():
        addresses = [step.address for step in block.steps]
        for one, other in pairwise(addresses):
            edges[one] = frozenset((other,))
        targets = (edge.target for edge in block.edges if edge.target is not None)
        edges[addresses[-1]] = frozenset(targets)
    return edges


def order_blocks(graph: Graph) -> Graph:
    """The graph without blocks that cannot be reached, in order."""
    done: list[int] = []
    seen = {graph.entry}
    stack = [(graph.entry, _targets(graph.blocks[graph.entry]))]
    while stack:
        start, targets = stack[-1]
        if targets:
            target = targets.pop()
            if target not in seen:
                seen.add(target)
                stack.append((target, _targets(graph.blocks[target])))
        else:
            done.append(start)
            stack.pop()
    return Graph(graph.entry, {start: graph.blocks[start] for start in reversed(done)})


def without(graph: Graph, edges: frozenset[tuple[int, int]]) -> Graph:
    """The graph without some edges, each a block's address and the edge's number."""
    blocks = {
        start: replace(
            block,
            edges=tuple(e for number, e in enumerate(block.edges) if (start, number) not in edges),
        )
        for start, block in graph.blocks.items()
    }
    return order_blocks(Graph(graph.entry, blocks))


def _targets(block: BasicBlock) -> list[int]:
    return [edge.target for edge in block.edges if edge.target is not None]


def _block(
    code: Code,
    head: int,
    heads: set[int],
    steps: Mapping[int, Instruction],
    leaving: Mapping[int, _Leaving],
    describe: Callable[[int], str],
) -> BasicBlock:
    """The block that begins at ``head`` and goes on until another one begins."""
    decoded: list[Step] = []
    address = head
    while True:
        decoded.append(code.step(steps[address]))
        way = leaving[address]
        following = (address + steps[address].opcode.size) & 0xFFFF
        if way.edges is None and following in heads:
            way = _Leaving((Edge(following, 0),))
        if way.edges is not None:
            lost = [e.target for e in way.edges if e.target is not None and e.target not in steps]
            if lost:
                text = f"it continues at {describe(lost[0])}, where the program has no code"
                way = _Leaving((), text)
            problem = Problem(address, way.problem) if way.problem else None
            return BasicBlock(tuple(decoded), way.edges or (), problem)
        address = following


def _leaving(code: Code, instruction: Instruction) -> _Leaving:
    """Where an instruction leads, and the cycles it takes on each path."""
    opcode, target = instruction.opcode, instruction.target
    following = (instruction.address + opcode.size) & 0xFFFF
    base = opcode.cycles.minimum
    taken = base + opcode.cycles.taken + bool(instruction.crosses)
    match opcode.flow:
        case Flow.NEXT:
            if opcode.mnemonic in _RESTS:
                why = f"'{opcode.mnemonic}' waits for an event outside the CPU"
                return _Leaving((Edge(following, base),), why)
            if opcode.variant is OpcodeVariant.PREFIX:
                return _Leaving((), "half an instruction")
            return _Leaving()
        case Flow.BRANCH if target is not None:
            return _Leaving((Edge(following, base, None, False), Edge(target, taken, None, True)))
        case Flow.JUMP:
            known = _jump_target(code, instruction)
            if known is None:
                return _Leaving((), f"'{opcode.syntax}' jumps to a computed address")
            return _Leaving((Edge(known, taken),))  # ``bra`` may cross a page
        case Flow.CALL if target is not None:
            if not opcode.conditional:
                return _Leaving((Edge(following, base, target),))
            return _Leaving(
                (Edge(following, base, None, False), Edge(following, taken, target, True))
            )
        case Flow.RETURN:
            if not opcode.conditional:
                return _Leaving((Edge(None, base),))
            return _Leaving((Edge(following, base, None, False), Edge(None, taken, None, True)))
        case Flow.SOFTWARE_INTERRUPT:
            return _Leaving((), f"'{opcode.mnemonic}' calls the interrupt handler")
    return _Leaving((), f"'{opcode.mnemonic}' locks the CPU")


def _jump_target(code: Code, instruction: Instruction) -> int | None:
    """Where a jump leads; one through a pointer only if the pointer never changes."""
    if "(" not in instruction.opcode.mode:
        return instruction.target
    if instruction.opcode.mode != "(a16)":
        return None
    low = instruction.operand
    high = (low + 1) & 0xFFFF
    if instruction.opcode.cpu == MOS6502.cpu:
        high = low & 0xFF00 | high & 0xFF  # nothing carries into the pointer's page
    if not (code.constant(low) and code.constant(high)):
        return None
    return code.memory[low] | code.memory[high] << 8
