"""The frame of a compiled function: the shared state, and registers as local variables."""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import ir

from romproof.engine.llvm.state import (
    AcknowledgeCall,
    HookCall,
    ReadCall,
    SignalCall,
    StealCall,
    WriteCall,
    state_type,
)
from romproof.isa.cpu import Cpu

I1, I8, I16, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
BYTES = I8.as_pointer()
_SIZES = {1: I8, 2: I16, 8: I64}

_SIGNATURES = {
    "read_call": ir.FunctionType(I8, (I16, I64, I8)),
    "write_call": ir.FunctionType(I8, (I16, I8, I64, I8)),
    "signal_call": ir.FunctionType(ir.VoidType(), (I64,)),
    "acknowledge_call": ir.FunctionType(ir.VoidType(), (I8,)),
    "steal_call": ir.FunctionType(ir.VoidType(), (I64, I64, I8)),
    "hook_call": ir.FunctionType(I64, [I64] * 5),
}
assert len(_SIGNATURES) == len(
    (ReadCall, WriteCall, SignalCall, AcknowledgeCall, StealCall, HookCall)
)
_CHIPS = {
    "read_call": "chip_read",
    "write_call": "chip_write",
    "signal_call": "chip_signal",
    "acknowledge_call": "chip_acknowledge",
}
"""What is called in place of Python where devices are compiled; the state comes first there."""


class Frame:
    """Access to the fields of the state and to local variables, for code under construction.

    Local variables are stack slots, which LLVM turns into registers by itself.
    """

    def __init__(self, cpu: Cpu, function: ir.Function, builder: ir.IRBuilder) -> None:
        self.cpu = cpu
        self.function = function
        self.builder = builder
        self._type = state_type(cpu.name)
        self._state = function.args[0]
        self._locals: dict[str, Any] = {}
        self._pointers: dict[str, Any] = {}

    def field(self, name: str) -> Any:
        """The address of a field of the state."""
        described: Any = getattr(self._type, name)
        address = self.builder.gep(self._state, [I64(described.offset)])
        return self.builder.bitcast(address, _SIZES[described.size].as_pointer())

    def load(self, name: str) -> Any:
        """The value of a field."""
        return self.builder.load(self.field(name))

    def store(self, name: str, value: Any) -> None:
        """Set a field; the value is widened to it."""
        field = self.field(name)
        kind = field.type.pointee
        if value.type.width < kind.width:
            value = self.builder.zext(value, kind)
        self.builder.store(value, field)

    def pointer(self, name: str, kind: Any = I8) -> Any:
        """A pointer stored in the state, loaded once where the function begins."""
        return self._pointers[name]

    def load_pointers(self, **kinds: Any) -> None:
        """Load the pointers that are needed; to be called in the entry block."""
        for name, kind in kinds.items():
            address = self.builder.load(self.field(name))
            self._pointers[name] = self.builder.inttoptr(address, kind.as_pointer())

    def ask(self, chips: bool, name: str, *args: Any) -> Any:
        """Call back into Python, or to compiled devices."""
        if not chips:
            return self.call(name, *args)
        signature = _SIGNATURES[name]
        kind = ir.FunctionType(signature.return_type, (BYTES, *signature.args))
        address = self.builder.load(self.field(_CHIPS[name]))
        target = self.builder.inttoptr(address, kind.as_pointer())
        return self.builder.call(target, (self._state, *args))

    def call(self, name: str, *args: Any) -> Any:
        """Call back into Python."""
        address = self.builder.load(self.field(name))
        target = self.builder.inttoptr(address, _SIGNATURES[name].as_pointer())
        return self.builder.call(target, args)

    def declare(self, name: str, kind: Any) -> None:
        """A new local variable; to be called in the entry block."""
        self._locals[name] = self.builder.alloca(kind, name=name)

    def has(self, name: str) -> bool:
        """Whether there is a local variable of that name."""
        return name in self._locals

    def local(self, name: str) -> Any:
        """The address of a local variable."""
        return self._locals[name]

    def adopt(self, name: str, address: Any) -> None:
        """Use a local variable of the function that calls this one."""
        self._locals[name] = address

    def get(self, name: str) -> Any:
        """A local variable's value."""
        return self.builder.load(self._locals[name])

    def set(self, name: str, value: Any) -> None:
        """Set a local variable."""
        self.builder.store(value, self._locals[name])

    def enter(self, *fields: str) -> None:
        """Make registers and some fields of the state local; in the entry block."""
        for name, bits in self.cpu.registers.items():
            self.declare(name, ir.IntType(bits))
        for name in fields:
            self.declare(name, self.field(name).type.pointee)
        self.reload(*fields)

    def reload(self, *fields: str) -> None:
        """Take registers and fields from the state again."""
        for name, bits in self.cpu.registers.items():
            value = self.load(f"r_{name}")
            if bits < value.type.width:
                value = self.builder.trunc(value, ir.IntType(bits))
            self.set(name, value)
        for name in fields:
            self.set(name, self.load(name))

    def leave(self, *fields: str) -> None:
        """Write registers and fields back."""
        for name in self.cpu.registers:
            self.store(f"r_{name}", self.get(name))
        for name in fields:
            self.store(name, self.get(name))


def assert_layout(state: ctypes.Structure) -> None:
    """The sizes compiled code knows are those ctypes uses."""
    assert all(getattr(type(state), field[0]).size in _SIZES for field in state._fields_)
