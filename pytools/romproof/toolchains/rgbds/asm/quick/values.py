"""Expressions of plain lines: what they are worth, if that can be said without a complaint."""

from __future__ import annotations

from collections.abc import Callable

from romproof.toolchains.rgbds.asm import strings
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.model import Expression, Symbol, SymbolType, known
from romproof.toolchains.rgbds.obj.opmath import BINARY, UNARY
from romproof.toolchains.rgbds.obj.rpn import RpnOp


class NotPlain(Exception):
    """The line is one for the plain path; nothing has been done yet."""


Probe = Callable[[], int | None]
Build = Callable[[], Expression]
PlainValue = tuple[Probe, Build]
"""Two functions: what it is worth (None: the linker has to know; raises NotPlain), changing
nothing; and the expression, for values that are not known, which may make symbols."""

SOME_NAME = "\\"
"""For the name of a value that is another one each time."""
_LABEL, _EQU, _VAR, _REF = SymbolType.LABEL, SymbolType.EQU, SymbolType.VAR, SymbolType.REF
_SHIFTS = frozenset({RpnOp.SHL, RpnOp.SHR, RpnOp.USHR})
_FOLDING = frozenset({RpnOp.LOGIC_AND, RpnOp.LOGIC_OR, RpnOp.AND})
"""Operators that may have a value although one of their operands has none."""
_LOWEST = -0x8000_0000


def number(value: int) -> PlainValue:
    """A number."""
    expression = known(value)
    value = expression.value or 0
    return (lambda: value), (lambda: expression)


def symbol_value(asm: Assembly, symbol: Symbol) -> int | None:
    """What a symbol is worth; None: the linker has to know. Raises NotPlain."""
    kind = symbol.type
    if kind is _EQU or kind is _VAR:
        if symbol.computed is None:
            return symbol.value
        if symbol.name == "_NARG":
            arguments = asm.contexts.arguments
            if arguments is not None:
                return arguments.count
        raise NotPlain
    if kind is _LABEL:
        section = symbol.section
        if section is None:  # it is @
            raise NotPlain
        return None if section.address is None else section.address + symbol.value
    if kind is _REF:
        return None
    raise NotPlain


def find_symbol(asm: Assembly, name: str) -> Symbol | None:
    """The symbol that a name with at most one dot in it means here. Raises NotPlain."""
    if name[0] == ".":
        scope = asm.sections.global_scope
        if scope is None:
            raise NotPlain
        name = scope.name + name
    return asm.symbols.table.get(name)


def symbol(asm: Assembly, name: str) -> PlainValue:
    """A symbol."""
    find, expressions = asm.symbols.table.get, asm.expressions
    if "." in name:

        def probe() -> int | None:
            symbol = find_symbol(asm, name)
            return None if symbol is None else symbol_value(asm, symbol)

    else:

        def probe() -> int | None:
            symbol = find(name)
            if symbol is None:
                return None
            if symbol.type is _EQU and symbol.computed is None:
                return symbol.value
            return symbol_value(asm, symbol)

    return probe, lambda: expressions.symbol(name)


def bank(asm: Assembly, name: str) -> PlainValue:
    """BANK of a label."""
    expressions = asm.expressions

    def probe() -> int | None:
        symbol = find_symbol(asm, name)
        if symbol is None:
            return None
        if not symbol.is_label or symbol.name == "@":
            raise NotPlain
        return None if symbol.section is None else symbol.section.bank

    return probe, lambda: expressions.bank_of_symbol(name)


def is_defined(asm: Assembly, name: str) -> PlainValue:
    """DEF of a name without a dot; one of a built-in symbol depends on where that is asked."""

    def probe() -> int | None:
        symbol = asm.symbols.table.get(name)
        if symbol is not None and (symbol.is_builtin or symbol.type is _REF):
            raise NotPlain
        return int(symbol is not None)

    return probe, _never


def character(asm: Assembly, text: str) -> PlainValue:
    """A character literal."""
    charmaps = asm.charmaps

    def probe() -> int | None:
        units = charmaps.plain(text)
        if units is None or len(units) != 1:
            raise NotPlain
        return units[0]

    return probe, _never


def entries(asm: Assembly, text: str) -> PlainValue:
    """CHARLEN of a string."""
    charmaps = asm.charmaps

    def probe() -> int | None:
        if charmaps.plain(text) is None:
            raise NotPlain
        return strings.entries(text, charmaps)

    return probe, _never


def unary(asm: Assembly, op: RpnOp, operand: PlainValue) -> PlainValue:
    """An operator, or a function, of one operand."""
    inner, build = operand
    compute, expressions = UNARY[op], asm.expressions

    def probe() -> int | None:
        value = inner()
        if value is not None:
            return compute(value)
        if op is RpnOp.LOGIC_NOT or (op is RpnOp.LOW and _may_be_aligned(asm)):
            raise NotPlain
        return None

    return probe, lambda: expressions.unary(op, build())


def _may_be_aligned(asm: Assembly) -> bool:
    """Whether the low byte of a label might be known."""
    return any(section.alignment >= 8 for section in asm.sections.all)


def binary(
    asm: Assembly, op: RpnOp, left: PlainValue, right: PlainValue, names: tuple[str, str]
) -> PlainValue:
    """An operator of two operands; ``names``: those that are symbols and nothing else, or ""."""
    left_value, build_left = left
    right_value, build_right = right
    compute, expressions = BINARY[op], asm.expressions
    is_simple = op not in _SHIFTS and op not in (RpnOp.DIV, RpnOp.MOD, RpnOp.EXP)
    is_distance = op is RpnOp.SUB and all(names)
    is_perhaps = is_distance and SOME_NAME in names

    def probe() -> int | None:
        one, other = left_value(), right_value()
        if one is not None and other is not None:
            if not is_simple:
                _check(op, one, other)
            return compute(one, other)
        if is_perhaps:
            raise NotPlain
        if is_distance:
            start, end = find_symbol(asm, names[1]), find_symbol(asm, names[0])
            if (
                start is not None
                and end is not None
                and expressions.have_constant_distance(end, start)
            ):
                return end.value - start.value
        elif op in _FOLDING:
            raise NotPlain
        return None

    def build() -> Expression:
        first = build_known(left_value, build_left)
        return expressions.binary(op, first, build_known(right_value, build_right))

    return probe, build


def build_known(probe: Probe, build: Build) -> Expression:
    """The expression of a part, which may be known by itself."""
    value = probe()
    return build() if value is None else known(value)


def _check(op: RpnOp, left: int, right: int) -> None:
    """Raises NotPlain for what would be an error, or perhaps warned of."""
    if op in _SHIFTS:
        if not 0 <= right < 32 or (op is RpnOp.SHR and left < 0):
            raise NotPlain
    elif op is RpnOp.EXP:
        if right < 0:
            raise NotPlain
    elif right == 0 or (left == _LOWEST and right == -1):
        raise NotPlain


def _never() -> Expression:
    raise AssertionError("its value is always known")
