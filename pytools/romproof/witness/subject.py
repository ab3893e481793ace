"""What is executed: a routine or a piece of code, the contract it must keep, and its memory."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from random import Random

from romproof.contract.checks.preserved import usual_flags
from romproof.contract.nouns.expr import (
    Condition,
    FlagValue,
    MemoryByte,
    MemoryValue,
    PairValue,
    RegisterValue,
    walk,
)
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.harness.checks.stack import call_stack
from romproof.harness.rom import Rom
from romproof.isa.abi import Abi, Flag, Register, abi_of
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named

SIZE = 0x10000
DEPTHS = 0x140
"""By how much the stack pointer is varied, at most: enough for a carry into its high byte."""
SHARE = 16
"""Where the contract does not say how much stack is used, it is varied within this part of the
room."""
OTHERS = 256
"""Stack pointers that are drawn besides the notable ones."""

InputKey = str | int
"""A register or flag, by its name in the microcode; or the address of a byte."""


@dataclass(frozen=True)
class Subject:
    """Code and its contract.

    ``memory`` has 65,536 bytes, ``fixed`` is nonzero where they stay as they are (code and
    read-only data), ``executable`` where an instruction may start; None: everywhere. A routine
    that ``is_called`` returns to any one of ``ends``, whichever its caller pushed; a piece of
    code ends where one of ``ends`` comes next. ``stack`` are the lowest and the highest stack
    pointer at the first instruction, the stack has room down to the pointer ``floor``. Reads from
    ``volatile`` ranges bring anything. ``describe`` names an address.
    """

    contract: Contract
    abi: Abi
    entry: int
    ends: tuple[int, ...]
    is_called: bool
    memory: bytes = field(repr=False)
    fixed: bytes = field(repr=False)
    executable: bytes | None = field(repr=False)
    stack: tuple[int, int]
    floor: int = 0
    volatile: tuple[range, ...] = ()
    describe: Callable[[int], str] = field(repr=False, default=lambda address: f"${address:04X}")

    @cached_property
    def cpu(self) -> Cpu:
        """The CPU it is code for."""
        return cpu_named(self.abi.cpu)

    @cached_property
    def registers(self) -> tuple[str, ...]:
        """All registers and flags that hold values of a program, the stack pointer aside."""
        others = ("pc", self.cpu.stack, self.cpu.special)
        return tuple(name for name in self.cpu.registers if name not in others)

    @cached_property
    def preserved(self) -> tuple[str, ...]:
        """Those of ``registers`` that must come back as they were."""
        contract = self.contract
        listed = contract.outputs + contract.clobbers
        free = {name_of(item) for item in listed if not isinstance(item, MemoryRange)}
        return tuple(name for name in self.registers if name not in free)

    @property
    def lists_inputs(self) -> bool:
        """Whether the contract says what the inputs are."""
        return "in" in dict(self.contract.places)

    @cached_property
    def inputs(self) -> tuple[InputKey, ...]:
        """What the contract lists as inputs, the stack pointer and constants aside."""
        return tuple(self._keys(self.contract.inputs))

    @cached_property
    def outputs(self) -> tuple[InputKey, ...]:
        """What the contract lists as outputs."""
        return tuple(self._keys(self.contract.outputs))

    @cached_property
    def secrets(self) -> frozenset[InputKey]:
        """The inputs that no branch and no address may depend on."""
        return frozenset(self._keys(self.contract.secrets))

    @cached_property
    def keys(self) -> tuple[InputKey, ...]:
        """All whose values are chosen with care: inputs, and what ``requires`` speaks of.

        Without a list of inputs every register may be one.
        """
        named = list(_find_named(self.contract.requires))
        every = () if self.lists_inputs else self.registers
        keys = dict.fromkeys([*self.inputs, *self._keys((*self.contract.secrets, *named)), *every])
        return tuple(key for key in keys if key not in self.usual)

    @cached_property
    def usual(self) -> dict[str, int]:
        """Flags and switches that always have the same value at the entry."""
        flags = usual_flags(self.contract, self.abi)
        usual = {name_of(flag): value for flag, value in flags.items()}
        return usual | dict([self.abi.masking] if self.abi.by_interrupt else ())

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The memory that the contract speaks of, in order; constants and ports aside."""
        contract = self.contract
        listed = contract.inputs + contract.outputs + contract.clobbers + contract.secrets
        addresses = {key for key in self._keys(listed) if isinstance(key, int)}
        addresses |= {key for key in self.keys if isinstance(key, int)}
        return tuple(sorted(addresses))

    @cached_property
    def written(self) -> frozenset[int]:
        """The memory it may change."""
        return frozenset(a for each in self.contract.written() for a in each.addresses())

    @cached_property
    def ports(self) -> frozenset[int]:
        """The addresses of all volatile memory."""
        return frozenset(address for each in self.volatile for address in each)

    @cached_property
    def secret_ports(self) -> frozenset[int]:
        """Those that bring secrets."""
        listed = [item for item in self.contract.secrets if isinstance(item, MemoryRange)]
        return self.ports.intersection(a for item in listed for a in item.addresses())

    @cached_property
    def pointers(self) -> tuple[int, ...]:
        """The stack pointers it may be entered with: the highest and the lowest, those at which
        bytes carry, and the others.

        Where the stack would lie on memory that the contract speaks of, it may not.
        """
        free = self.free_pointers or [self.stack[1]]
        from_above = free[::-1]
        notable = [*islice((s for s in from_above if s & 0xFF in (0, 1, 0xFE, 0xFF)), 8)]
        fewer = [*islice((s for s in from_above if s & 0x0F in (0, 0x0F)), 4)]
        others = Random(0).sample(free, min(len(free), OTHERS))
        return tuple(dict.fromkeys([free[-1], free[0], *fewer, *notable, *others]))

    @cached_property
    def free_pointers(self) -> list[int]:
        """The stack pointers with which the stack lies on nothing that the contract speaks of.

        Both ends of the window move up with the pointer: those that hit a range of addresses are
        next to each other. (An empty window in the middle of one counts as a hit.)
        """
        low, high = self.stack
        free: list[int] = []
        for first, end in _ranges({*self.cells, *self.ports}):
            every = range(low, high + 1)
            reaching = bisect_right(every, first, key=lambda s: self.window(s).stop)
            free += every[:reaching]
            low = max(low, low + bisect_left(every, end, key=lambda s: self.window(s).start))
        return [*free, *range(low, high + 1)]

    def window(self, stack: int) -> range:
        """The addresses that belong to its stack when it is entered with that stack pointer."""
        depth = self.contract.stack
        lowest = self.floor if depth is None else max(stack - depth, self.floor)
        return self.abi.on_stack(min(lowest, stack), self.stack_after(stack))

    def stack_after(self, stack: int) -> int:
        """The stack pointer in the end."""
        return stack + (self.abi.return_size if self.is_called else 0)

    def readable(self, stack: int) -> bytearray:
        """One byte for each address: nonzero where reads need no write before them."""
        readable = bytearray(self.fixed)
        for key in self.inputs:
            if isinstance(key, int):
                readable[key] = 1
        for address in self.ports:
            readable[address] = 1
        for address in self.abi.on_stack(stack, self.stack_after(stack)):
            readable[address % SIZE] = 1
        return readable

    def _keys(self, items: Iterable[Item]) -> Iterator[InputKey]:
        for item in items:
            if isinstance(item, MemoryRange):
                for address in item.addresses():
                    if address < SIZE and not self.fixed[address] and address not in self.ports:
                        yield address
            elif (name := name_of(item)) in self.registers:
                yield name


def name_of(item: Register | Flag) -> str:
    """What the microcode calls a register or flag: SM83 flags have two letters there."""
    return item.attribute if isinstance(item, Register) else item.name.lower()


def subject_of(
    rom: Rom,
    contract: Contract,
    entry: int,
    fixed: bytes,
    ends: Iterable[int] = (),
    stack: tuple[int, int] | None = None,
) -> Subject:
    """The routine at ``entry``, or the piece of code from there to one of ``ends``.

    ``fixed`` is nonzero for each of the 65,536 addresses where bytes stay as they are. ``stack``:
    the lowest and the highest stack pointer at the first instruction; by default the highest
    that calls have, and some below it. Raises BadValue when there is no room for a stack.
    """
    usual = abi_of(rom.image.cpu)
    abi, room = contract.entry(usual), call_stack(usual, rom.image)
    places = tuple(ends)
    executable = rom.memory_map.executable
    if stack is None:
        high = room.top - abi.return_size
        depth = contract.stack
        least = high - (high - room.floor) // SHARE if depth is None else room.floor + depth
        stack = min(max(high - DEPTHS, least), high), high
    return Subject(
        contract,
        abi,
        entry,
        places or _places_to_return_to(abi, executable),
        not places,
        rom.memory_map.initial,
        fixed,
        executable,
        stack,
        room.floor,
        _volatile(contract, abi),
        rom.loaded.describe,
    )


def _places_to_return_to(abi: Abi, executable: bytes) -> tuple[int, ...]:
    """Addresses that no code stands at: the highest, and some far from it."""
    free = [a for a in range(abi.highest_nowhere, 0, -1) if not executable[a]]
    return tuple(dict.fromkeys(free[len(free) * part // 5] for part in range(5)))


def _volatile(contract: Contract, abi: Abi) -> tuple[range, ...]:
    """The ports: those of the contract, and those that every machine with the CPU has."""
    own: tuple[MemoryRange, ...] = getattr(contract, "volatile", ())
    machine: tuple[tuple[int, int], ...] = getattr(abi, "volatile", ())
    return (*(each.addresses() for each in own), *(range(low, end) for low, end in machine))


def _ranges(addresses: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Addresses without a gap, from the first to the one after the last, in order."""
    first: int | None = None
    before = -1
    for address in sorted(addresses):
        if first is not None and address > before + 1:
            yield first, before + 1
            first = None
        first, before = address if first is None else first, address
    if first is not None:
        yield first, before + 1


def _find_named(conditions: Iterable[Condition]) -> Iterator[Item]:
    """The registers, flags and memory that conditions speak of."""
    for condition in conditions:
        for each in walk(condition.expression):
            match each:
                case MemoryValue() | MemoryByte():
                    yield each.memory
                case RegisterValue():
                    yield each.register
                case FlagValue():
                    yield each.flag
                case PairValue():
                    yield each.high
                    yield each.low
