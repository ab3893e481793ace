"""The chips of an address space, compiled: kept for engines."""

from __future__ import annotations

import ctypes
import inspect
from typing import Any

from romproof.engine.chips import Chip
from romproof.engine.llvm.chips.chip_parts import ChipParts
from romproof.engine.llvm.chips.module import ENTRIES, NAMES, ChipModule
from romproof.engine.llvm.compile import compile_module
from romproof.engine.llvm.running import buffer_address
from romproof.engine.space import AddressSpace
from romproof.isa.cpu import Cpu

_Entries = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class CompiledChips:
    """Compiled code for chips, and where their state is."""

    def __init__(self, cpu: Cpu, space: AddressSpace, line: str) -> None:
        chips = [device for device in space.numbered if isinstance(device, Chip)]
        clocks = [clock for clock in space.clocked if isinstance(clock, Chip)]
        parts = ChipParts([space, *chips, *clocks])
        order = [isinstance(device, Chip) for device in space.numbered]
        key = f"chips {cpu.name} {order} {len(clocks)} {space.steals} {parts.shape()}"
        code = compile_module(key, ENTRIES, lambda: ChipModule(cpu, space, parts, line).build())
        table = (ctypes.c_uint64 * len(NAMES))()
        _Entries(code.address)(ctypes.addressof(table))
        self._entries = list(table)
        self._parts = parts
        self._addresses = parts.addresses()
        self._hooks = [(hook, len(inspect.signature(hook).parameters)) for hook in parts.hooks]

    def give(self, state: Any) -> None:
        """Let compiled code know where all this is."""
        for name, address in zip(NAMES, self._entries, strict=True):
            setattr(state, name, address)
        state.parts = buffer_address(self._addresses)

    def call(self, number: int, arguments: tuple[int, ...]) -> int:
        """Call a method of a chip in Python."""
        hook, count = self._hooks[number]
        return int(hook(*arguments[:count]) or 0)


def compile_chips(cpu: Cpu, space: AddressSpace, line: str) -> CompiledChips:
    """The chips of a space; ``line`` is what the CPU answers when it serves an interrupt."""
    return CompiledChips(cpu, space, line)
