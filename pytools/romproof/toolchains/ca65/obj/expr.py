"""Expressions: a value, or a tree that says what the value still waits for.

Arithmetic is that of ca65 and ld65 on a 64-bit host: signed 64-bit numbers
that wrap, division towards zero, logical right shift, comparisons that give
0 or 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum

_BITS = 64
_MASK = (1 << _BITS) - 1


class Expr:
    """Base of all expression nodes, which nobody changes.

    They are no dataclasses: there are many of them, and a frozen one takes four times as long
    to make.
    """

    __slots__ = ()

    def _parts(self) -> tuple[object, ...]:
        names: tuple[str, ...] = type(self).__match_args__  # type: ignore[attr-defined]
        return tuple([getattr(self, name) for name in names])

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Expr)
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts()))})"


class Literal(Expr):
    """A known number."""

    __slots__ = ("value",)
    __match_args__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = value


class SectionOffset(Expr):
    """The address ``offset`` bytes into section number ``section`` of an object."""

    __slots__ = ("offset", "section")
    __match_args__ = ("section", "offset")

    def __init__(self, section: int, offset: int) -> None:
        self.section = section
        self.offset = offset


class Imported(Expr):
    """The value of a symbol that another object exports."""

    __slots__ = ("name",)
    __match_args__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class UnaryOp(Enum):
    """Operators with one operand."""

    NEGATE = "-"
    COMPLEMENT = "~"
    NOT = "!"
    BYTE0 = "<"
    BYTE1 = ">"
    BYTE2 = "^"
    BYTE3 = ".byte3"
    WORD0 = ".loword"
    WORD1 = ".hiword"
    FAR = ".faraddr"
    DWORD = ".dword"
    SWAP = ".dbyt"
    """The two low bytes in the other order."""
    NEAR = "near"
    """Of an address of the 65816: the word within its bank."""
    BANK = ".bank"
    """The bank attribute of the memory area a place lies in; linker only."""


class BinaryOp(Enum):
    """Operators with two operands."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    MOD = ".mod"
    AND = "&"
    OR = "|"
    XOR = "^"
    SHL = "<<"
    SHR = ">>"
    EQ = "="
    NE = "<>"
    LT = "<"
    GT = ">"
    LE = "<="
    GE = ">="
    BOOL_AND = "&&"
    BOOL_OR = "||"
    BOOL_XOR = ".xor"
    MAX = ".max"
    MIN = ".min"


class Unary(Expr):
    """``op`` applied to one expression."""

    __slots__ = ("op", "operand")
    __match_args__ = ("op", "operand")

    def __init__(self, op: UnaryOp, operand: Expr) -> None:
        self.op = op
        self.operand = operand


class Binary(Expr):
    """``op`` applied to two expressions."""

    __slots__ = ("left", "op", "right")
    __match_args__ = ("op", "left", "right")

    def __init__(self, op: BinaryOp, left: Expr, right: Expr) -> None:
        self.op = op
        self.left = left
        self.right = right


def leaves(expr: Expr) -> Iterator[Expr]:
    """What an expression is made of besides operators, from left to right.

    Each node is looked at once, also where parts are shared, and there is no recursion.
    """
    waiting, seen = [expr], set[int]()
    while waiting:
        last = waiting.pop()
        if isinstance(last, (Unary, Binary)):
            if id(last) not in seen:
                seen.add(id(last))
                waiting += [last.operand] if isinstance(last, Unary) else [last.right, last.left]
        else:
            yield last


class Unresolved(Exception):
    """The value is not known; the text says why not."""


def wrap(value: int) -> int:
    """``value`` as a signed 64-bit number."""
    value &= _MASK
    return value - (1 << _BITS) if value >> (_BITS - 1) else value


def _divide(left: int, right: int) -> int:
    if right == 0:
        raise Unresolved("Division by zero")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _modulo(left: int, right: int) -> int:
    if right == 0:
        raise Unresolved("Modulo operation with zero")
    return left - right * _divide(left, right)


def _shift_left(left: int, right: int) -> int:
    count = right & 0xFFFFFFFF
    return left << count if count < _BITS else 0


def _shift_right(left: int, right: int) -> int:
    count = right & 0xFFFFFFFF
    return (left & _MASK) >> count if count < _BITS else 0


UNARY: dict[UnaryOp, Callable[[int], int]] = {
    UnaryOp.NEGATE: lambda v: -v,
    UnaryOp.COMPLEMENT: lambda v: ~v,
    UnaryOp.NOT: lambda v: int(not v),
    UnaryOp.BYTE0: lambda v: v & 0xFF,
    UnaryOp.BYTE1: lambda v: v >> 8 & 0xFF,
    UnaryOp.BYTE2: lambda v: v >> 16 & 0xFF,
    UnaryOp.BYTE3: lambda v: v >> 24 & 0xFF,
    UnaryOp.WORD0: lambda v: v & 0xFFFF,
    UnaryOp.WORD1: lambda v: v >> 16 & 0xFFFF,
    UnaryOp.FAR: lambda v: v & 0xFFFFFF,
    UnaryOp.NEAR: lambda v: v & 0xFFFF,
    UnaryOp.DWORD: lambda v: v & 0xFFFFFFFF,
    UnaryOp.SWAP: lambda v: v & ~0xFFFF | v >> 8 & 0xFF | v << 8 & 0xFF00,
}

BINARY: dict[BinaryOp, Callable[[int, int], int]] = {
    BinaryOp.ADD: lambda a, b: a + b,
    BinaryOp.SUB: lambda a, b: a - b,
    BinaryOp.MUL: lambda a, b: a * b,
    BinaryOp.DIV: _divide,
    BinaryOp.MOD: _modulo,
    BinaryOp.AND: lambda a, b: a & b,
    BinaryOp.OR: lambda a, b: a | b,
    BinaryOp.XOR: lambda a, b: a ^ b,
    BinaryOp.SHL: _shift_left,
    BinaryOp.SHR: _shift_right,
    BinaryOp.EQ: lambda a, b: int(a == b),
    BinaryOp.NE: lambda a, b: int(a != b),
    BinaryOp.LT: lambda a, b: int(a < b),
    BinaryOp.GT: lambda a, b: int(a > b),
    BinaryOp.LE: lambda a, b: int(a <= b),
    BinaryOp.GE: lambda a, b: int(a >= b),
    BinaryOp.BOOL_AND: lambda a, b: int(bool(a) and bool(b)),
    BinaryOp.BOOL_OR: lambda a, b: int(bool(a) or bool(b)),
    BinaryOp.BOOL_XOR: lambda a, b: int(bool(a) != bool(b)),
    BinaryOp.MAX: max,
    BinaryOp.MIN: min,
}


def apply_unary(op: UnaryOp, value: int) -> int:
    """``op value``, wrapped to 64 bits. BANK has no value here: KeyError."""
    return wrap(UNARY[op](value))


def apply_binary(op: BinaryOp, left: int, right: int) -> int:
    """``left op right``, wrapped to 64 bits. Raises Unresolved on division by zero."""
    return wrap(BINARY[op](left, right))
