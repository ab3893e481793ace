"""The algebra as LLVM instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from romproof.isa.algebra import Op, Value


class ValueLowering:
    """Emits the instructions of values with ``builder``, each value once.

    ``register`` gives what a register holds now, ``inputs`` what the steps brought. What was
    emitted must be in a block that is passed on every path to a later use.
    """

    def __init__(self, builder: ir.IRBuilder, register: Callable[[str], Any]) -> None:
        self.builder = builder
        self.inputs: dict[int, Any] = {}
        self._register = register
        self._done: dict[Value, Any] = {}

    def __call__(self, value: Value) -> Any:
        """The LLVM value."""
        lowered = self._done.get(value)
        if lowered is None:
            lowered = self._done[value] = self._emit(value)
        return lowered

    def _emit(self, value: Value) -> Any:
        b, kind = self.builder, ir.IntType(value.width)
        args = [self(arg) for arg in value.args]
        match value.op:
            case Op.CONST:
                return ir.Constant(kind, value.number)
            case Op.REGISTER:
                return self._register(value.name)
            case Op.INPUT:
                return self.inputs[value.number]
            case Op.NOT:
                return b.not_(args[0])
            case Op.AND:
                return b.and_(*args)
            case Op.OR:
                return b.or_(*args)
            case Op.XOR:
                return b.xor(*args)
            case Op.ADD:
                return b.add(*args)
            case Op.SUB:
                return b.sub(*args)
            case Op.EQUAL:
                return b.icmp_unsigned("==", *args)
            case Op.LESS:
                return b.icmp_unsigned("<", *args)
            case Op.SELECT:
                return b.select(*args)
            case Op.CONCAT:
                high, low = args
                wide = b.zext(low, kind)
                if value.args[0].op is Op.CONST and value.args[0].number == 0:
                    return wide
                shift = ir.Constant(kind, value.args[1].width)
                return b.or_(b.shl(b.zext(high, kind), shift), wide)
            case Op.EXTRACT:
                whole = args[0]
                if value.number:
                    whole = b.lshr(whole, ir.Constant(whole.type, value.number))
                return b.trunc(whole, kind)
        raise AssertionError(value.op)
