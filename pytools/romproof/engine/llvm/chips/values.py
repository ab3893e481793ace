"""What expressions are while chips are compiled: numbers of compiled code, or what is known now."""

from __future__ import annotations

import ctypes
from array import array
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from romproof.engine.llvm.frame import I1, I8, I16, I32, I64

ELEMENTS: dict[str, Any] = {"B": I8, "H": I16, "I": I32, "Q": I64}


@dataclass(frozen=True)
class KnownValue:
    """Something that is known while code is made: a number, a chip, a table, a function."""

    value: Any


@dataclass(frozen=True)
class Method:
    """A function together with its ``self``."""

    owner: Any
    function: Any


@dataclass(frozen=True)
class Cells:
    """Bytes or words in memory: those of the part ``number``, from ``offset`` on."""

    number: int
    offset: int
    element: Any


class NotCompiled(Exception):
    """This is not written in the part of Python that can be compiled."""


def is_number(value: object) -> bool:
    """Whether a value of Python is a number in compiled code."""
    return isinstance(value, int)


def element_of(buffer: object) -> Any:
    """The type of an element of what lies in memory."""
    if isinstance(buffer, array):
        return ELEMENTS[buffer.typecode]
    return I8


def field_type(kind: Any) -> Any:
    """The type of a field of a chip; None when it is an array."""
    return {ctypes.c_int64: I64, ctypes.c_bool: I8}.get(kind)


def number(builder: ir.IRBuilder, value: Any) -> Any:
    """A value as 64 bits. Raises NotCompiled for what is no number."""
    if isinstance(value, KnownValue):
        if not is_number(value.value):
            raise NotCompiled(f"{value.value!r} is no number")
        return I64(int(value.value))
    if isinstance(value, ir.Value):
        return builder.zext(value, I64) if value.type == I1 else value
    raise NotCompiled(f"{value!r} is no number")


def truth(builder: ir.IRBuilder, value: Any) -> Any:
    """Whether a value is true: Known, or a bit."""
    if isinstance(value, KnownValue):
        return KnownValue(bool(value.value))
    if isinstance(value, ir.Value) and value.type == I1:
        return value
    return builder.icmp_signed("!=", number(builder, value), I64(0))


def floor_divide(builder: ir.IRBuilder, one: Any, other: Any) -> tuple[Any, Any]:
    """Quotient and remainder, rounded down as in Python."""
    quotient, rest = builder.sdiv(one, other), builder.srem(one, other)
    zero = I64(0)
    differs = builder.icmp_signed("<", builder.xor(rest, other), zero)
    wrong = builder.and_(builder.icmp_signed("!=", rest, zero), differs)
    return (
        builder.sub(quotient, builder.zext(wrong, I64)),
        builder.add(rest, builder.select(wrong, other, zero)),
    )
