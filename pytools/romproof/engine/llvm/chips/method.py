"""A method of a chip, compiled, to be called from Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from romproof.engine.chips import Chip
from romproof.engine.llvm.chips.chip_parts import ChipParts
from romproof.engine.llvm.chips.module import ChipModule
from romproof.engine.llvm.chips.values import KnownValue, number
from romproof.engine.llvm.compile import compile_module
from romproof.engine.llvm.frame import BYTES, I64, Frame
from romproof.engine.llvm.running import buffer_address
from romproof.engine.llvm.state import state_type
from romproof.engine.space import AddressSpace
from romproof.isa.cpus import cpu_named

_ENTRY = "method"
_CPU = cpu_named("sm83")
"""Compiled code finds its parts by the state of a CPU: any will do."""


class CompiledMethod:
    """Calls the method with numbers, and gives the number that it gives.

    The method may use no Python (``in_python``) and no devices behind an address space.
    """

    def __init__(self, chip: Chip, name: str) -> None:
        function = getattr(type(chip), name)
        count = function.__code__.co_argcount - 1
        self._parts = ChipParts([chip])
        key = f"method {type(chip).__qualname__}.{name} {self._parts.shape()}"
        code = compile_module(key, _ENTRY, lambda: _build(self._parts, chip, function, count))
        self._addresses = self._parts.addresses()
        self._state = state_type(_CPU.name)()
        self._state.parts = buffer_address(self._addresses)
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * count)
        self._call: Callable[..., Any] = kind(code.address)

    def __call__(self, *arguments: int) -> int:
        return int(self._call(ctypes.addressof(self._state), *arguments))


def _build(parts: ChipParts, chip: Chip, function: Any, count: int) -> ir.Module:
    made = ChipModule(_CPU, AddressSpace(), parts, "")
    arguments = (KnownValue(chip), *[None] * count)
    compiled, results, _ = made.function(function, arguments)
    assert results == 1, "a method that gives one number"
    kind = ir.FunctionType(I64, (BYTES, *[I64] * count))
    entry = ir.Function(made.module, kind, _ENTRY)
    builder = ir.IRBuilder(entry.append_basic_block("entry"))
    Frame(_CPU, entry, builder)
    builder.ret(number(builder, builder.call(compiled, list(entry.args))))
    return made.module
