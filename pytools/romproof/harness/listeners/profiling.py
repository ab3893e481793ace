"""Profilers on machines: what is reported to them besides instructions."""

from __future__ import annotations

from collections.abc import Callable

from romproof.engine.instruments import MemoryEvent, Watchpoint
from romproof.isa.abi import abi_of
from romproof.isa.codec import decode
from romproof.machine.board import Board
from romproof.measure.code_locations import CodeLocations
from romproof.measure.profile import Profiler
from romproof.program.image import Image


def places_on(board: Board, image: Image, loaded: Image) -> CodeLocations:
    """Where the code of a program stands on a machine; ``loaded`` is the part of it that is in
    sight at the start, which counts where banks do not take turns."""
    if board.windows and any("[" in area.name for area in image.areas):
        return CodeLocations(image, tuple(board.windows))
    return CodeLocations(loaded)


def access_point(profiler: Profiler, peek: Callable[[int], int]) -> Watchpoint:
    """What tells a profiler of all reads and writes, instructions left out."""
    sizes: dict[int, int] = {}
    cpu = abi_of(profiler.places.image.cpu).cpu

    def size_at(pc: int) -> int:
        first = peek(pc)
        if first not in sizes:
            data = bytes([first, *(peek((pc + i) & 0xFFFF) for i in (1, 2))])
            instruction = decode(data, pc, cpu)
            sizes[first] = 1 if instruction is None else instruction.opcode.size
        return sizes[first]

    def note(event: MemoryEvent) -> None:
        address, pc = event.address, event.pc
        if event.is_write or not 0 <= address - pc < 3 or address - pc >= size_at(pc):
            profiler.record_access(address, event.cycle, event.is_write)

    return Watchpoint(0, 0xFFFF, callback=note)
