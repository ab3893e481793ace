"""The state in which a routine is entered: what its contract names is unknown, and all else too:
memory, registers, where the stack lies, and where the routine returns to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from romproof.contract.checks.preserved import usual_flags
from romproof.contract.names.bounds import bounds_of
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.ports import volatile_addresses
from romproof.harness.checks.stack import call_stack
from romproof.isa.abi import Abi, Flag, Register
from romproof.prover.states.pointer_blocks import (
    blocks_of,
    contract_without_blocks,
    objects_of_blocks,
    with_blocks,
)
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.layout import MemoryLayout, MemoryObject, StackFrame
from romproof.symbolic.execute.meaning import Later
from romproof.symbolic.execute.memory import Memory
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import (
    PUSHED_FLAGS,
    RETURN_ADDRESS,
    VariableName,
    byte_name,
    register_variable,
)
from romproof.symbolic.terms.term import Term

ROOM = 32
"""Bytes of stack that are free below the return address, whatever a contract says."""

_BREAK, _ALWAYS_1 = 4, 5
"""Bits of the byte that a 6502 pushes: B, which is 0 for an interrupt that is no ``brk``."""

Bounds = Mapping[VariableName, tuple[int, int]]


def objects_of(ranges: Iterable[MemoryRange]) -> tuple[MemoryObject, ...]:
    """The ranges as objects; those that overlap are one, whatever they are called."""
    objects: list[MemoryObject] = []
    for wanted in sorted(ranges, key=lambda each: (each.address, -each.size)):
        end = wanted.address + wanted.size
        if objects and wanted.address < objects[-1].end:
            last = objects[-1]
            objects[-1] = MemoryObject(last.name, last.address, max(last.end, end) - last.address)
        else:
            objects.append(MemoryObject(wanted.name, wanted.address, wanted.size))
    return tuple(objects)


def layout_of(
    program: ProofProgram, contract: Contract, frame: StackFrame | None = None
) -> MemoryLayout:
    """Memory as the routine of a contract sees it."""
    items = contract.inputs + contract.outputs + contract.clobbers + contract.secrets
    ranges = [item for item in items if isinstance(item, MemoryRange)]
    ports = volatile_addresses(contract, program.abi)
    objects = objects_of(ranges)
    given = {a for i in contract.inputs if isinstance(i, MemoryRange) for a in i.addresses()}
    marked = {which for which in objects if not given.issuperset(range(which.address, which.end))}
    layout = MemoryLayout(program.fixed, drop_ports(program.is_fixed, ports), objects, ports, frame)
    return replace(layout, marked=frozenset(marked))


def drop_ports(is_fixed: bytes, ports: Iterable[int]) -> bytes:
    """Where bytes stay as they are: at no port, be it among read-only data, as the registers of a
    mapper are."""
    fixed = bytearray(is_fixed)
    for address in ports:
        if address < len(fixed):
            fixed[address] = 0
    return bytes(fixed)


@dataclass(frozen=True)
class Start:
    """How a routine is entered.

    ``registers`` maps the CPU's registers to terms: variables, but for those with a value they
    always have. ``ends`` has the address that stands for where it returns to. A piece of code
    ``is_called`` not: it ends where it comes to one of ``ends``. ``stacks`` are the lowest and the
    highest stack pointer, as the routine finds it, of which everything is proved. ``contract``
    lists what stands for blocks behind pointers, too (romproof.prover.states.pointer_blocks).
    """

    program: ProofProgram
    contract: Contract
    layout: MemoryLayout
    address: int
    registers: Mapping[str, Term]
    ends: tuple[int, ...]
    stacks: tuple[int, int]
    is_called: bool = True

    @property
    def frame(self) -> StackFrame:
        """The stack."""
        assert self.layout.frame is not None, "start_of makes one"
        return self.layout.frame

    @property
    def abi(self) -> Abi:
        """How the code is entered."""
        return self.contract.entry(self.program.abi)

    @cached_property
    def block_objects(self) -> frozenset[MemoryObject]:
        """The objects that stand for blocks behind pointers: arrays from the beginning."""
        return objects_of_blocks(self.contract)

    @cached_property
    def plain_contract(self) -> Contract:
        """The contract as it is written, without them."""
        return contract_without_blocks(self.contract)

    @property
    def stack_after(self) -> Term:
        """The stack pointer in the end."""
        pointer = self.frame.pointer
        size = self.abi.return_size if self.is_called else 0
        return t.add(pointer, t.const(size, pointer.width))

    def find_preserved(self, item: Register | Flag) -> Term:
        """What a register or flag is in the end where it comes back as it was. Of a handler that
        is what the interrupt found: it has masked further ones, and pushed the flags."""
        abi, name = self.abi, register_name(self.program.abi, item)
        if isinstance(item, Flag) and abi.pushes_flags:
            return t.extract(_flags_on_stack(), item.mask.bit_length() - 1, 1)
        if abi.by_interrupt and name == abi.masking[0]:
            return t.const(1 - abi.masking[1], 1)
        return self.registers[name]

    def state(self, indexed: frozenset[MemoryObject], bounds: Bounds) -> State:
        """The state at the first instruction."""
        memory = Memory(self.layout, indexed, bounds)
        flags = int(self.abi.pushes_flags)
        if flags:
            memory.push(0, _flags_on_stack())
        for offset in range(self.abi.return_size - flags):
            memory.push(offset + flags, t.extract(self.frame.pushed, 8 * offset, 8))
        registers: dict[str, Term | Later] = dict(self.registers)
        state = State(self.address, registers, memory, 0)
        memory.blocks = tuple(blocks_of(self.contract, self.program.abi, state))
        return state


def start_of(
    program: ProofProgram,
    contract: Contract,
    address: int,
    bounds: Bounds,
    ends: Sequence[int] = (),
) -> Start:
    """How the routine at ``address`` is entered; ``bounds`` of its inputs by their names.

    ``ends`` are where a piece of code ends that is not a routine. Raises RomproofError where
    nothing can stand for the blocks of the contract.
    """
    abi, cpu = program.abi, program.cpu
    contract = with_blocks(program, contract)
    registers = {
        name: t.var(register_variable(name), width, *clip(bounds, register_variable(name), width))
        for name, width in cpu.registers.items()
    }
    places = tuple(ends) or (_free(program),)
    frame, stacks = _frame(program, contract, places[0])
    registers[cpu.stack] = frame.pointer
    registers["pc"] = t.const(address, 16)
    registers[cpu.special] = t.const(0, cpu.registers[cpu.special])
    for flag, value in usual_flags(contract, abi).items():
        registers[register_name(abi, flag)] = t.const(value, 1)
    if contract.entry(abi).by_interrupt:
        name, value = abi.masking
        registers[name] = t.const(value, 1)
    layout = layout_of(program, contract, frame)
    return Start(program, contract, layout, address, registers, places, stacks, not ends)


def clip(bounds: Bounds, name: VariableName, width: int) -> tuple[int, int]:
    """The bounds of a variable; all it can be where they leave nothing (reported elsewhere)."""
    low, high = bounds.get(name, (0, (1 << width) - 1))
    return (low, high) if low <= high else (0, (1 << width) - 1)


def _frame(
    program: ProofProgram, contract: Contract, end: int
) -> tuple[StackFrame, tuple[int, int]]:
    """The stack anywhere that calls may have it, with room for what the contract says and more."""
    abi, cpu = contract.entry(program.abi), program.cpu
    width = cpu.registers[cpu.stack]
    stack = call_stack(abi, program.image)
    high = stack.top - abi.return_size
    room = min((contract.stack or 0) + ROOM, (high - stack.floor) // 2)
    low = stack.floor + room
    pointer = t.var(register_variable(cpu.stack), width, low, high)
    base = t.add(t.zext(pointer, 16), t.const(abi.stack_base, 16))
    pushed = t.var(RETURN_ADDRESS, 16)
    target = t.add(pushed, t.const(abi.return_bias, 16))
    return StackFrame(pointer, base, pushed, target, end, room), (low, high)


def _flags_on_stack() -> Term:
    """The flags of what was interrupted, as the 6502 pushes them: any, but for the two bits that
    are no flags. Those in the chip may be others in the handler, though they are not: what is
    proved without that holds with it."""
    status = t.var(PUSHED_FLAGS, 8)
    high, low = t.extract(status, _ALWAYS_1 + 1, 2), t.extract(status, 0, _BREAK)
    return t.concat(high, t.const(1, 1), t.const(0, 1), low)


def _free(program: ProofProgram) -> int:
    """What stands for where the routine returns to: an address no code can stand at."""
    # the last byte that is 0
    return program.rom.memory_map.executable.rindex(0, 0, program.abi.highest_nowhere + 1)


def register_name(abi: Abi, item: Register | Flag) -> VariableName:
    """What the CPU's microcode calls a register or flag, which is the name of what it holds at the
    entry: SM83 flags have two letters there."""
    text = item.attribute if isinstance(item, Register) else item.name.lower()
    return register_variable(text)


def input_bounds(program: ProofProgram, contract: Contract) -> dict[VariableName, tuple[int, int]]:
    """Between which values the inputs of a routine lie, by the names of their variables."""
    limits: dict[VariableName, tuple[int, int]] = {}
    for key, bounds in bounds_of(contract).items():
        if isinstance(key, int):
            limits[byte_name(key)] = bounds
        elif not isinstance(key, MemoryRange):
            limits[register_name(program.abi, key)] = bounds
    return limits
