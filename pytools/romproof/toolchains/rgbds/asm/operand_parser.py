"""The operands of an instruction, read into nouns; whether they fit it is not asked here."""

from __future__ import annotations

from collections.abc import Mapping

from romproof.toolchains.rgbds.asm.keywords import CONDITIONS, MOVING_POINTERS, REGISTERS
from romproof.toolchains.rgbds.asm.operands import (
    OPPOSITES,
    Condition,
    HighMemory,
    Immediate,
    MemoryOperand,
    Operand,
    Register,
    StackOffset,
)
from romproof.toolchains.rgbds.asm.tokens import LINE_ENDS
from romproof.toolchains.rgbds.asm.values import POWER, ValueParser
from romproof.toolchains.rgbds.obj.rpn import RpnOp

_HALVES = {
    ("HIGH", "AF"): "a",
    ("HIGH", "BC"): "b",
    ("LOW", "BC"): "c",
    ("HIGH", "DE"): "d",
    ("LOW", "DE"): "e",
    ("HIGH", "HL"): "h",
    ("LOW", "HL"): "l",
}
"""Registers by their pair."""
_C = {("LOW", "BC"): "c"}
"""The one of them that is a pointer."""

_ENDS = (*LINE_ENDS, "::")
_PLAIN_VALUES = ("SYMBOL", "NUMBER", "LOCAL")
_POINTERS = ("BC", "DE", "HL", "C")


_NAMED: Mapping[str, Operand] = {
    **{word: Condition(word.lower()) for word in CONDITIONS},
    **{word: Register(word.lower()) for word in REGISTERS - {"SP"}},
}
"""Operands of one word."""


def parse_operands(parser: ValueParser) -> list[Operand]:
    """Everything up to the end of the statement. Raises SyntaxFault."""
    operands: list[Operand] = []
    if parser.kind in _ENDS:
        return operands
    operands.append(_operand(parser))
    while parser.kind == ",":
        parser.next()
        operands.append(_operand(parser))
    return operands


def _operand(parser: ValueParser) -> Operand:
    kind = parser.kind
    named = _NAMED.get(kind)
    if named is not None:
        parser.next()
        return named
    if kind in _PLAIN_VALUES:
        return Immediate(parser.expression())
    if kind == "SP":
        return _stack_pointer(parser)
    if kind == "[":
        return _memory(parser)
    if kind == "[[":
        return Immediate(parser.fragment(), is_literal=True)
    if kind in ("HIGH", "LOW"):
        return _half(parser, _HALVES)
    if kind == "!":
        return _negation(parser)
    return Immediate(parser.expression())


def _stack_pointer(parser: ValueParser) -> Operand:
    parser.next()
    sign = parser.accept("+", "-")
    if sign is None:
        return Register("sp")
    distance = parser.expression()
    if sign[0] == "-":
        distance = parser.expressions.unary(RpnOp.NEG, distance)
    return StackOffset(distance)


def _half(parser: ValueParser, registers: Mapping[tuple[str, str], str]) -> Register | Immediate:
    """HIGH or LOW: of a pair it is a register, else the start of an expression."""
    function = parser.next()[0]
    parser.expect("(")
    register = registers.get((function, parser.kind))
    if register is not None:
        parser.next()
        parser.expect(")")
        return Register(register)
    value = parser.expressions.unary(RpnOp[function], parser.inside())
    return Immediate(parser.number(parser.climb(value, 0)))


def _negation(parser: ValueParser) -> Operand:
    """``!``: of a condition the opposite one, else an operator."""
    count = 0
    while parser.accept("!"):
        count += 1
    if parser.kind in CONDITIONS or parser.kind == "C":
        condition = parser.next()[0].lower()
        return Condition(OPPOSITES[condition] if count % 2 else condition)
    value = parser.number(parser.climb(parser.unary(), POWER))
    for _ in range(count):
        value = parser.expressions.unary(RpnOp.LOGIC_NOT, value)
    return Immediate(parser.number(parser.climb(value, 0)))


def _memory(parser: ValueParser) -> Operand:
    """What is in brackets: a pointer, or an address."""
    parser.next()
    moving = parser.accept(*MOVING_POINTERS)
    if moving is not None:
        parser.expect("]")
        return Register(f"[{MOVING_POINTERS[moving[0]]}]")
    if parser.kind in _POINTERS:
        pointer = parser.next()[0]
        sign = parser.accept("+", "-") if pointer == "HL" else None
        parser.expect("]")
        return Register(f"[{pointer.lower()}{sign[0] if sign else ''}]")
    if parser.kind == "[[":
        address = parser.fragment()
        parser.expect("]")
        return MemoryOperand(address)
    return _address(parser)


def _address(parser: ValueParser) -> Operand:
    """The rest of ``[n]``, ``[n + c]`` or ``[LOW(bc)]``."""
    parser.c_offset_allowed, parser.c_offset = True, False
    try:
        if parser.kind in ("HIGH", "LOW"):
            operand = _half(parser, _C)
        else:
            operand = Immediate(parser.expression())
    finally:
        parser.c_offset_allowed = False
    with_c, parser.c_offset = parser.c_offset, False
    parser.expect("]")
    if isinstance(operand, Register):
        return Register(f"[{operand.text}]")
    return HighMemory(operand.value) if with_c else MemoryOperand(operand.value)
