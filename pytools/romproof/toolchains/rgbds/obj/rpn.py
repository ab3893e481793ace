"""Expressions the linker has to finish: operators after their operands, as in rgbds(5)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class RpnOp(IntEnum):
    """A step of an expression; the value is its byte in object files."""

    ADD = 0x00
    SUB = 0x01
    MUL = 0x02
    DIV = 0x03
    MOD = 0x04
    NEG = 0x05
    EXP = 0x06
    OR = 0x10
    AND = 0x11
    XOR = 0x12
    NOT = 0x13
    LOGIC_AND = 0x21
    LOGIC_OR = 0x22
    LOGIC_NOT = 0x23
    EQ = 0x30
    NE = 0x31
    GT = 0x32
    LT = 0x33
    GE = 0x34
    LE = 0x35
    SHL = 0x40
    SHR = 0x41
    USHR = 0x42
    BANK_SYMBOL = 0x50
    BANK_SECTION = 0x51
    BANK_SELF = 0x52
    SIZEOF_SECTION = 0x53
    STARTOF_SECTION = 0x54
    SIZEOF_TYPE = 0x55
    STARTOF_TYPE = 0x56
    LDH = 0x60
    RST = 0x61
    BIT_INDEX = 0x62
    HIGH = 0x70
    LOW = 0x71
    BITWIDTH = 0x72
    TZCOUNT = 0x73
    CONST = 0x80
    SYMBOL = 0x81


LONG_ARGUMENT = frozenset({RpnOp.BANK_SYMBOL, RpnOp.CONST, RpnOp.SYMBOL})
"""Followed by four bytes: a symbol's index in the object, or a number."""

BYTE_ARGUMENT = frozenset({RpnOp.SIZEOF_TYPE, RpnOp.STARTOF_TYPE, RpnOp.BIT_INDEX})
"""Followed by one byte: a section type, or the mask of a bit instruction."""

NAME_ARGUMENT = frozenset({RpnOp.BANK_SECTION, RpnOp.SIZEOF_SECTION, RpnOp.STARTOF_SECTION})
"""Followed by the name of a section and a zero byte."""


@dataclass(frozen=True, slots=True)
class RpnStep:
    """One operator or literal.

    ``argument`` is the number or the name that follows it in the file, None
    for plain operators. The symbol index of ``@`` is -1 (0xFFFFFFFF).
    """

    op: RpnOp
    argument: int | str | None = None


Rpn = tuple[RpnStep, ...]
