"""Loops in which a program does nothing but wait.

A loop waits when each pass does the same as the last one, unless an interrupt or the hardware has
changed what it reads: it writes nothing to memory, calls nothing, and each register or flag that it
changes is computed anew in each pass before it is looked at. So a loop that counts is none, nor one
that stirs a random number. The loop stands in one piece, from the target of a jump back to that
jump; what is read and written is known from the microcode.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from romproof.isa.abi import abi_of
from romproof.isa.algebra import Op, Value
from romproof.isa.codec import Instruction, decode
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import CPUS, cpu_named
from romproof.isa.flow import Flow
from romproof.isa.microcode import StepKind
from romproof.measure.code_locations import BANK, CodeLocations
from romproof.program.image import Image

MOST_BYTES = 48
"""Longer loops are not looked at: those that wait have a few instructions."""
_FLOWS = (Flow.NEXT, Flow.BRANCH, Flow.JUMP)
_PC = "pc"


@dataclass(frozen=True, slots=True)
class LoopUses:
    """What an instruction looks at and changes: registers, with each flag one of them. ``through``
    are the registers by which it finds the memory that it reads, None where it reads none;
    ``by_pointer``: memory itself says where. ``is_quiet``: it writes no memory, and the CPU goes on
    afterwards."""

    looks_at: frozenset[str]
    changes: frozenset[str]
    through: frozenset[str] | None
    by_pointer: bool
    is_quiet: bool


@cache
def uses_of(cpu: str, index: int) -> LoopUses:
    """Of the opcode with an index."""
    of: Cpu = cpu_named(cpu)
    code = of.microcode[index]
    passed_over = {_PC, of.special}
    looked: set[str] = set()
    through: set[str] | None = None
    is_quiet = code.stop is None
    by_pointer = False
    for step in code.steps:
        for value in (step.address, step.value, step.when):
            looked |= _registers_in(value)
        if step.kind is StepKind.READ:
            through = (through or set()) | _registers_in(step.address) - passed_over
            brought = _inputs_in(step.address)
            by_pointer |= any(code.steps[n].kind is StepKind.READ for n in brought)
        is_quiet &= not step.kind.is_write
    for _, value in code.results:
        looked |= _registers_in(value)
    looked |= _registers_in(code.next)
    changes = {name for name, _ in code.results}
    return LoopUses(
        frozenset(looked - passed_over),
        frozenset(changes - passed_over),
        None if through is None else frozenset(through),
        by_pointer,
        is_quiet,
    )


def _registers_in(value: Value | None) -> set[str]:
    return {part.name for part in _parts(value) if part.op is Op.REGISTER}


def _inputs_in(value: Value | None) -> set[int]:
    return {part.number for part in _parts(value) if part.op is Op.INPUT}


def _parts(value: Value | None) -> Iterator[Value]:
    """A value and all that it is made of, each once."""
    seen: set[int] = set()
    waiting = [] if value is None else [value]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        waiting += part.args


@dataclass(frozen=True, slots=True)
class WaitLoop:
    """A loop that waits: its instructions in the order of memory; ``location`` is that of the
    first, see CodeLocations."""

    location: int
    body: tuple[Instruction, ...]

    @property
    def locations(self) -> frozenset[int]:
        """Those of its instructions."""
        first = self.body[0].address
        return frozenset(self.location + each.address - first for each in self.body)


@dataclass
class WaitLoops:
    """The loops of a program that wait, by what stands in them."""

    places: CodeLocations
    _known: dict[int, WaitLoop | None] = field(default_factory=dict)
    _decoded: dict[int, Instruction | None] = field(default_factory=dict)
    _bytes: dict[int, tuple[Image, dict[int, int]]] = field(default_factory=dict)
    _cpu: str = field(init=False)

    def __post_init__(self) -> None:
        self._cpu = abi_of(self.places.image.cpu).cpu

    def find(self, location: int) -> WaitLoop | None:
        """The longest such loop that the instruction at a location is in; None where it is in
        none, or where the code is not known."""
        if location not in self._known:
            found = self._find(location) if location >= 0 and self._cpu in CPUS else None
            self._known[location] = found
        return self._known[location]

    def instruction(self, location: int) -> Instruction | None:
        """The instruction at a location, as the program has it; None where that is not known."""
        if location not in self._decoded:
            address = location % BANK
            image = self.places.image_at(location)
            line = image.line_at(address)
            if line is not None and line.data:
                data = line.data[address - line.address :]
            else:
                data = bytes(self._read(image, address))
            self._decoded[location] = decode(data, address, self._cpu) if data else None
        return self._decoded[location]

    def _read(self, image: Image, address: int) -> Iterator[int]:
        """What no source line has: up to three bytes of the image."""
        known = self._bytes.get(id(image))
        if known is None:
            found = {
                block.address + offset: byte
                for block in image.blocks
                for offset, byte in enumerate(block.data)
            }
            known = self._bytes[id(image)] = image, found
        for at in range(address, address + 3):
            if at not in known[1]:
                return
            yield known[1][at]

    def _find(self, location: int) -> WaitLoop | None:
        best: WaitLoop | None = None
        for closing in self._run_on(location):
            target = _leads_to(closing)
            if closing.opcode.flow is Flow.NEXT or target is None:
                continue
            end = closing.address + closing.opcode.size
            if not end - MOST_BYTES <= target <= location % BANK:
                continue
            start = location - location % BANK + target
            body = self._body(start, closing)
            if body and location in WaitLoop(start, body).locations and _is_wait(self._cpu, body):
                best = WaitLoop(start, body)
        return best

    def _run_on(self, location: int) -> Iterator[Instruction]:
        """The instructions from a location on, as they stand in memory."""
        end = location + MOST_BYTES
        while location < end:
            instruction = self.instruction(location)
            if instruction is None or instruction.opcode.flow not in _FLOWS:
                return
            yield instruction
            location += instruction.opcode.size

    def _body(self, start: int, closing: Instruction) -> tuple[Instruction, ...]:
        """The instructions of a loop; none where they do not lead to the jump that closes it."""
        body: list[Instruction] = []
        for instruction in self._run_on(start):
            body.append(instruction)
            if instruction.address == closing.address:
                return tuple(body)
            if instruction.address > closing.address:
                break
        return ()


def _leads_to(jump: Instruction) -> int | None:
    """Where a jump leads; None where memory or a register says it."""
    return None if "(" in jump.opcode.mode or "[" in jump.opcode.mode else jump.target


def _is_wait(cpu: str, body: tuple[Instruction, ...]) -> bool:
    """Whether each pass does the same: see the head of the module."""
    places = {each.address: number for number, each in enumerate(body)}
    uses = [uses_of(cpu, each.opcode.index) for each in body]
    if not all(use.is_quiet for use in uses):
        return False
    following: list[list[int]] = []
    for number, each in enumerate(body):
        ways: list[int] = []
        if each.opcode.flow is not Flow.JUMP and number + 1 < len(body):
            ways.append(number + 1)
        if each.opcode.flow is not Flow.NEXT:
            target = _leads_to(each)
            if target is None:
                return False  # nobody knows where it leads
            if target in places:
                ways.append(places[target])
            elif body[0].address <= target <= body[-1].address:
                return False  # into the middle of an instruction
        following.append(ways)
    changed = frozenset[str]().union(*(use.changes for use in uses))
    return not changed & _live_at_head(uses, following)


def _live_at_head(uses: list[LoopUses], following: list[list[int]]) -> frozenset[str]:
    """The registers that a pass looks at as the pass before has left them."""
    live: list[frozenset[str]] = [frozenset() for _ in uses]
    settled = False
    while not settled:
        settled = True
        for number in range(len(uses) - 1, -1, -1):
            after = frozenset[str]().union(*(live[way] for way in following[number]))
            now = uses[number].looks_at | (after - uses[number].changes)
            settled &= now == live[number]
            live[number] = now
    return live[0]
