"""The state in which a routine is entered: what its contract names is unknown, all else too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from romproof.contract.bounds import bounds_of
from romproof.contract.items import MemoryRange
from romproof.contract.model import Contract
from romproof.harness.rom import Rom
from romproof.harness.stack import call_stack
from romproof.isa.abi import Abi, Flag, Register, abi_of
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named
from romproof.obj.image import Image
from romproof.symbolic.execute.layout import Layout, Object
from romproof.symbolic.execute.meaning import Later
from romproof.symbolic.execute.state import Memory, State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

READ_ONLY = "ro"
"""The kind of segments whose bytes stay as they are, also where the memory could be written."""

CONSTANTS = ("RODATA",)
"""Segments that are read-only whatever their kind: ca65's ``.rodata``."""


@dataclass(frozen=True)
class Program:
    """A program, as proofs see it: ``rom`` with the bytes that stay as they are."""

    rom: Rom
    abi: Abi
    cpu: Cpu
    fixed: bytes = field(repr=False)
    is_fixed: bytes = field(repr=False)

    @property
    def image(self) -> Image:
        """The image of the program."""
        return self.rom.image

    def name_at(self, address: int) -> str:
        """The symbol at an address, else its number."""
        return self.image.named(address) or f"${address:04X}"


def program_of(rom: Rom) -> Program:
    """The program as proofs see it: code, read-only data and all of ROM stay as they are."""
    memory = rom.memory_map
    fixed = bytearray(memory.protected)
    for start, size in _constant(rom.loaded):
        end = min(start + size, len(fixed))
        fixed[start:end] = b"\1" * (end - start)
    abi = abi_of(rom.image.cpu)
    return Program(rom, abi, cpu_named(abi.cpu), memory.initial, bytes(fixed))


def _constant(image: Image) -> Iterator[tuple[int, int]]:
    """Where in RAM bytes stay as they are, with how many: layouts for RAM make all of it "rw"."""
    for segment in image.segments:
        if segment.kind == READ_ONLY or segment.name in CONSTANTS:
            yield segment.run, segment.size
    yield from ((line.address, line.size) for line in image.lines if line.is_code)
    if not image.segments:
        yield from ((block.address, len(block.data)) for block in image.blocks)


def objects_of(ranges: Iterable[MemoryRange]) -> tuple[Object, ...]:
    """The ranges as objects; those that overlap are one."""
    objects: list[Object] = []
    for wanted in sorted(ranges, key=lambda each: (each.address, -each.size)):
        end = wanted.address + wanted.size
        if objects and wanted.address < objects[-1].end:
            last = objects[-1]
            objects[-1] = Object(last.name, last.address, max(last.end, end) - last.address)
        else:
            objects.append(Object(wanted.name, wanted.address, wanted.size))
    return tuple(objects)


def layout_of(program: Program, contract: Contract) -> Layout:
    """Memory as the routine of a contract sees it."""
    items = contract.inputs + contract.outputs + contract.clobbers + contract.secrets
    ranges = [item for item in items if isinstance(item, MemoryRange)]
    return Layout(program.fixed, program.is_fixed, objects_of(ranges))


@dataclass(frozen=True)
class Start:
    """How a routine is entered.

    ``registers`` maps the CPU's registers to terms: variables, but for the stack pointer.
    ``ends`` has the address it comes back to, ``stack`` is the stack pointer at its first
    instruction. A piece of code ``is_called`` not: it ends where it comes to one of ``ends``.
    """

    program: Program
    contract: Contract
    layout: Layout
    address: int
    registers: Mapping[str, Term]
    ends: tuple[int, ...]
    stack: int
    is_called: bool = True

    @property
    def stack_after(self) -> int:
        """The stack pointer in the end."""
        return self.stack + (self.program.abi.return_size if self.is_called else 0)

    def state(self, indexed: frozenset[str], bounds: Mapping[str, tuple[int, int]]) -> State:
        """The state at the first instruction."""
        memory = Memory(self.layout, indexed, bounds)
        abi = self.program.abi
        pushed = (self.ends[0] - abi.return_bias) & 0xFFFF
        for place, byte in zip(
            abi.on_stack(self.stack, self.stack + abi.return_size),
            pushed.to_bytes(abi.return_size, "little"),
            strict=True,
        ):
            memory.set_byte(place, t.const(byte, 8))
        registers: dict[str, Term | Later] = dict(self.registers)
        return State(self.address, registers, memory, self.stack)


def start_of(
    program: Program,
    contract: Contract,
    address: int,
    bounds: Mapping[str, tuple[int, int]],
    ends: Sequence[int] = (),
) -> Start:
    """How the routine at ``address`` is entered; ``bounds`` of its inputs by their names.

    ``ends`` are where a piece of code ends that is no routine.
    """
    abi, cpu = program.abi, program.cpu
    registers = {
        name: t.var(name, width, *bounds.get(name, (0, (1 << width) - 1)))
        for name, width in cpu.registers.items()
    }
    stack = call_stack(abi, program.image).top - abi.return_size
    registers[cpu.stack] = t.const(stack, cpu.registers[cpu.stack])
    registers["pc"] = t.const(address, 16)
    registers[cpu.special] = t.const(0, cpu.registers[cpu.special])
    for flag in abi.flags:
        if flag.letter in abi.not_inverted and flag not in contract.inputs:
            registers[register_name(abi, flag)] = t.const(0, 1)
    layout = layout_of(program, contract)
    called = not ends
    places = tuple(ends) or (_free(program),)
    return Start(program, contract, layout, address, registers, places, stack, called)


def _free(program: Program) -> int:
    """Where the routine returns to: an address no code can stand at."""
    executable = program.rom.memory_map.executable
    return max(a for a in range(program.abi.highest_nowhere + 1) if not executable[a])


def register_name(abi: Abi, item: Register | Flag) -> str:
    """What the CPU's microcode calls a register or flag: SM83 flags have two letters there."""
    return item.attribute if isinstance(item, Register) else item.name.lower()


def names_of_inputs(start: Start, indexed: frozenset[str]) -> frozenset[str]:
    """The names of the variables and arrays that stand for what the contract lists as input."""
    abi, names = start.program.abi, set[str]()
    for item in start.contract.inputs:
        if isinstance(item, MemoryRange):
            names |= {start.layout.byte_name(address) for address in item.addresses()}
            found = start.layout.object_at(item.address)
            if found is not None and found.name in indexed and item.size == found.size:
                names.add(found.name)
        else:
            names.add(register_name(abi, item))
    return frozenset(names)


def input_bounds(program: Program, contract: Contract) -> dict[str, tuple[int, int]]:
    """Between which values the inputs of a routine lie, by the names of their variables."""
    layout = layout_of(program, contract)
    found: dict[str, tuple[int, int]] = {}
    for key, bounds in bounds_of(contract).items():
        if isinstance(key, int):
            found[layout.byte_name(key)] = bounds
        elif not isinstance(key, MemoryRange):
            found[register_name(program.abi, key)] = bounds
    return found
