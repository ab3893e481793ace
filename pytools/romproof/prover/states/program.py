"""A program as proofs see it: what of it stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from romproof.contract.nouns.ports import volatile_addresses
from romproof.harness.rom import Rom
from romproof.isa.abi import Abi, abi_of
from romproof.isa.codec import Instruction, decode
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named
from romproof.machine.memory import MemoryMap
from romproof.program.image import Image
from romproof.timing.following import follow_code
from romproof.timing.graph import NoCode
from romproof.timing.program import TimedProgram as Bounded

READ_ONLY = "ro"
"""The kind of segments whose bytes stay as they are, also where the memory could be written."""

CONSTANTS = ("RODATA",)
"""Segments that are read-only whatever their kind: ca65's ``.rodata``."""


@dataclass(frozen=True)
class ProofProgram:
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

    @cached_property
    def bounded(self) -> Bounded:
        """Its loops, as those who count cycles see them."""
        return Bounded(self.rom.loaded, {})

    @cached_property
    def hidden(self) -> frozenset[int]:
        """The addresses at which banks that are not in sight have something."""
        image, left_out = self.image, self.rom.memory_map.left_out
        places = [range(a.start, a.start + a.size) for a in image.areas if a.name in left_out]
        places += [
            range(b.address, b.address + len(b.data)) for b in image.blocks if b.area in left_out
        ]
        return frozenset(address for place in places for address in place)

    @cached_property
    def ports_at(self) -> Mapping[int, frozenset[int]]:
        """By the addresses of routines with contracts that list some, what is a port for each; of
        contracts that can be read, in what is loaded."""
        here = {symbol.name for symbol in self.rom.loaded.symbols}
        found: dict[int, frozenset[int]] = {}
        for name, contract in self.rom.readable.items():
            if contract.volatile and name in here:
                address = self.image.address(name)
                ports = volatile_addresses(contract, self.abi)
                found[address] = ports | found.get(address, frozenset())
        return found

    def ports_of(self, address: int, is_piece: bool) -> frozenset[int]:
        """What is a port for the code at an address by the contracts of routines that it comes to,
        be it by calls that are never made; of a piece of code also of those that it is part of.
        Where it may go is not always known from the code alone: then it is anywhere."""
        if not self.ports_at:
            return frozenset()
        routine = self.bounded.routine(address)
        reached = {address, *routine.code}
        ports = [
            theirs for entry, theirs in self.ports_at.items() if routine.strays or entry in reached
        ]
        for entry, theirs in self.ports_at.items() if is_piece else ():
            with suppress(NoCode):
                if address in self.bounded.own_code(entry):
                    ports.append(theirs)
        return frozenset[int]().union(*ports)

    def name_at(self, address: int) -> str:
        """The symbol at an address, else its number."""
        return self.image.format_address(address) or f"${address:04X}"


def program_of(rom: Rom, entries: Iterable[int] = ()) -> ProofProgram:
    """The program as proofs see it: code, read-only data and all of ROM stay as they are.

    ``entries`` are the addresses of routines without contracts that somebody asks about.
    """
    memory = rom.memory_map
    fixed = bytearray(memory.protected)
    abi = abi_of(rom.image.cpu)
    constant = [*_constant(rom.loaded)]
    if not any(line.is_code for line in rom.image.lines):
        constant += _follow(rom, memory, abi.cpu, entries)
    for start, size in constant:
        end = min(start + size, len(fixed))
        fixed[start:end] = b"\1" * (end - start)
    return ProofProgram(rom, abi, cpu_named(abi.cpu), memory.initial, bytes(fixed))


def _constant(image: Image) -> Iterator[tuple[int, int]]:
    """Where in RAM bytes stay as they are, with how many: layouts for RAM make all of it "rw"."""
    for segment in image.segments:
        if segment.kind == READ_ONLY or segment.name in CONSTANTS:
            yield segment.run, segment.size
    yield from ((line.address, line.size) for line in image.lines if line.is_code)
    if not image.segments:
        yield from ((block.address, len(block.data)) for block in image.blocks)


def _follow(
    rom: Rom, memory: MemoryMap, cpu: str, entries: Iterable[int]
) -> Iterator[tuple[int, int]]:
    """The instructions that lie on the way of routines with contracts, and of those at
    ``entries``, with their sizes.

    Of a program with labels but no lines nobody says what is code. In RAM all of it would be
    variable, and a routine would be refuted by an input with another program in it.
    """

    def at(address: int) -> Instruction | None:
        if not memory.executable[address]:
            return None
        return decode(memory.initial[address : address + 3], address, cpu)

    claimed = [rom.image.address(name) for name in rom.readable]
    for address, step in follow_code([*claimed, *entries], at).items():
        yield address, step.instruction.opcode.size
