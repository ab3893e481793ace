"""What is known of an expression now: its value, its parts, its address size.

An expression is studied as a sum: a number plus counted references to
sections and imported symbols. What does not fit that form is "complex" and
left to the linker.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from romproof.program.address_size import AddressSize
from romproof.toolchains.ca65.asm.symbols import Studied, Symbol
from romproof.toolchains.ca65.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Imported,
    Literal,
    Place,
    Unary,
    UnaryOp,
    Unresolved,
    apply_binary,
    apply_unary,
    wrap,
)

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler


@dataclass(frozen=True, slots=True)
class SymbolRef(Expr):
    """A symbol that has no definition yet when it is named."""

    symbol: Symbol


@dataclass(frozen=True, slots=True)
class UnnamedRef(Expr):
    """The unnamed label number ``index`` of the source, ahead of its use."""

    index: int


_RESULT_SIZE = {
    UnaryOp.BYTE0: AddressSize.ZEROPAGE,
    UnaryOp.BYTE1: AddressSize.ZEROPAGE,
    UnaryOp.BYTE2: AddressSize.ZEROPAGE,
    UnaryOp.BYTE3: AddressSize.ZEROPAGE,
    UnaryOp.WORD0: AddressSize.ABSOLUTE,
    UnaryOp.WORD1: AddressSize.ABSOLUTE,
    UnaryOp.FAR: AddressSize.FAR,
    UnaryOp.DWORD: AddressSize.LONG,
    UnaryOp.NOT: AddressSize.ZEROPAGE,
}
"""Operators that fix the address size whatever they are applied to."""

_COMPARISONS = frozenset(
    {
        BinaryOp.EQ,
        BinaryOp.NE,
        BinaryOp.LT,
        BinaryOp.GT,
        BinaryOp.LE,
        BinaryOp.GE,
        BinaryOp.BOOL_XOR,
    }
)


def literal_size(value: int) -> AddressSize:
    """The smallest address size a number fits; LONG for negative ones."""
    if 0 <= value <= 0xFF:
        return AddressSize.ZEROPAGE
    if 0 <= value <= 0xFFFF:
        return AddressSize.ABSOLUTE
    return AddressSize.FAR if 0 <= value <= 0xFFFFFF else AddressSize.LONG


@dataclass(slots=True)
class Study:
    """What an expression comes to. ``places`` maps section numbers to how often
    their start is added, ``names`` the same for imported or undefined symbols."""

    value: int = 0
    size: AddressSize = AddressSize.DEFAULT
    complex: bool = False
    places: dict[int, int] = field(default_factory=dict)
    names: dict[Symbol, int] = field(default_factory=dict)

    @property
    def is_constant(self) -> bool:
        """True when the value is a number that is known now."""
        return not self.complex and not any(self.places.values()) and not any(self.names.values())

    def copy(self, size: AddressSize) -> Study:
        """The same with another size; what is done to it leaves this one alone."""
        return Study(self.value, size, self.complex, dict(self.places), dict(self.names))

    def merge(self, other: Study, factor: int = 1) -> None:
        """Take over the references of ``other``, ``factor`` times."""
        for section, count in other.places.items():
            self.places[section] = self.places.get(section, 0) + factor * count
        for symbol, count in other.names.items():
            self.names[symbol] = self.names.get(symbol, 0) + factor * count

    def merge_size(self, other: Study) -> None:
        """The larger size; an unknown size wins if its expression is complex."""
        if self.size is AddressSize.DEFAULT:
            if not self.complex:
                self.size = other.size
        elif other.size is AddressSize.DEFAULT:
            if other.complex:
                self.size = other.size
        else:
            self.size = max(self.size, other.size)


_FEW = 64
"""Operators of an expression that are studied without keeping what came out: copying it takes
longer than to study them again."""


def study(asm: Assembler, expr: Expr) -> Study:
    """Everything that is known of ``expr`` at this point of the source."""
    # once the source has ended, nothing that was found out can change
    result = _study(asm, expr, asm.symbols.studied if asm.symbols.resolved else Studied())
    if result.complex:
        return result
    if result.is_constant:
        result.size = max(result.size, literal_size(result.value))
    else:
        # symbols may have cancelled out: take the size from those that are left;
        # of several sections ca65 looks at the first one only
        sizes = [asm.segments.sections[s].address_size for s, n in result.places.items() if n][:1]
        sizes += [s.address_size for s, n in result.names.items() if n]
        result.size = max(sizes)
    return result


def constant_value(asm: Assembler, expr: Expr) -> int | None:
    """The number ``expr`` comes to, or None when it is not known yet."""
    if isinstance(expr, Literal):
        return expr.value
    result = study(asm, expr)
    return result.value if result.is_constant else None


def easy_value(expr: Expr) -> int | None:
    """The number if ``expr`` is one or is just the name of one."""
    while isinstance(expr, SymbolRef):
        definition = definition_of(expr.symbol)
        if definition is None:
            return None
        expr = definition
    return expr.value if isinstance(expr, Literal) else None


def definition_of(symbol: Symbol) -> Expr | None:
    """What a symbol stands for, seen from a use that came before it was known.

    For a variable that is its first value. But a use in an inner scope is not
    tied to the variable before the end of the source, and then gets its last.
    """
    outer = symbol.stand_in
    if outer is not None:
        return outer.expr if outer.is_variable else SymbolRef(outer)
    return symbol.first_value if symbol.is_variable else symbol.expr


def _study(asm: Assembler, expr: Expr, seen: Studied) -> Study:
    match expr:
        case Literal(value):
            return Study(value, literal_size(value))
        case Place(section, offset):
            return Study(offset, asm.segments.sections[section].address_size, False, {section: 1})
        case SymbolRef(symbol):
            return _study_symbol(asm, symbol, seen)
        case UnnamedRef(index):
            target = asm.unnamed.resolve(index)
            if target is not None:
                return _study(asm, target, seen)
            seen.open += 1
            return Study(complex=True)
    seen.steps += 1
    if seen.steps <= _FEW:
        return _study_operator(asm, expr, seen)
    known = seen.found.get(id(expr))
    if known is None:
        before = seen.open
        result = _study_operator(asm, expr, seen)
        known = seen.found[id(expr)] = expr, result, seen.open > before
    elif known[2]:
        seen.open += 1
    return known[1].copy(known[1].size)


def _study_operator(asm: Assembler, expr: Expr, seen: Studied) -> Study:
    match expr:
        case Unary(op, operand):
            return _study_unary(op, _study(asm, operand, seen))
        case Binary(BinaryOp.BOOL_AND | BinaryOp.BOOL_OR as op, left, right):
            return _study_choice(asm, op is BinaryOp.BOOL_OR, left, right, seen)
        case Binary(op, left, right):
            return _study_binary(asm, op, _study(asm, left, seen), _study(asm, right, seen))
    raise TypeError(f"no study of {type(expr).__name__}")


def _study_symbol(asm: Assembler, symbol: Symbol, seen: Studied) -> Study:
    definition = definition_of(symbol)
    if definition is not None:
        if symbol.being_studied:
            asm.error_at_span(
                f"Circular reference in definition of symbol '{symbol.name}'", symbol.span
            )
            seen.open += 1
            return Study(complex=True)
        if symbol.known is None:
            symbol.being_studied = True
            before = seen.open
            result = _study(asm, definition, seen)
            symbol.being_studied = False
            if asm.symbols.resolved or seen.open == before:
                symbol.known = result  # no later line can change it
        else:
            result = symbol.known
        return result.copy(symbol.address_size or result.size)
    if symbol.is_import:
        return Study(0, symbol.address_size, False, {}, {symbol: 1})
    size = symbol.address_size
    if size is AddressSize.DEFAULT and symbol.scope is not None:
        # perhaps an outer symbol is meant: its size is the best guess
        outer = asm.symbols.find_any(symbol.scope.parent, symbol.name)
        if outer is not None:
            size = outer.address_size
    seen.open += 1
    return Study(0, size, True, {}, {symbol: 1})


def _study_unary(op: UnaryOp, operand: Study) -> Study:
    if op is UnaryOp.NEGATE and not operand.complex:
        negated = Study(wrap(-operand.value), operand.size)
        negated.merge(operand, -1)
        return negated
    if op is not UnaryOp.BANK and operand.is_constant:
        operand.value = apply_unary(op, operand.value)
    else:
        operand.complex = True
    operand.size = _RESULT_SIZE.get(op, operand.size)
    return operand


def _study_binary(asm: Assembler, op: BinaryOp, left: Study, right: Study) -> Study:
    if op in (BinaryOp.ADD, BinaryOp.SUB) and not (left.complex or right.complex):
        left.value = apply_binary(op, left.value, right.value)
        left.merge(right, 1 if op is BinaryOp.ADD else -1)
        left.merge_size(right)
        return left
    if left.is_constant and right.is_constant:
        try:
            left.value = apply_binary(op, left.value, right.value)
        except Unresolved as reason:
            asm.error(str(reason))
            left.complex = True
        if op is BinaryOp.MUL:
            left.merge_size(right)
    elif op is BinaryOp.MUL and not (left.complex or right.complex):
        factor, other = (left, right) if left.is_constant else (right, left)
        if factor.is_constant:
            product = Study(wrap(factor.value * other.value), other.size)
            product.merge(other, factor.value)
            product.merge_size(factor)
            return product
        _give_up(left, right)
    else:
        _give_up(left, right)
    if op in _COMPARISONS:
        left.size = AddressSize.ZEROPAGE
    return left


def _study_choice(asm: Assembler, is_or: bool, left: Expr, right: Expr, seen: Studied) -> Study:
    """``&&`` and ``||``: the right side counts only if the left does not decide."""
    result = _study(asm, left, seen)
    if result.is_constant and bool(result.value) == is_or:
        return Study(int(is_or), AddressSize.ZEROPAGE)
    if result.is_constant:
        result = _study(asm, right, seen)
    if not result.is_constant:
        result.complex = True
    return Study(int(bool(result.value)), AddressSize.ZEROPAGE, result.complex)


def _give_up(left: Study, right: Study) -> None:
    left.complex = True
    left.merge(right)
    left.merge_size(right)


def finished(asm: Assembler, expr: Expr) -> Expr:
    """``expr`` for the linker: only numbers, places and imports are left."""
    result = study(asm, expr)
    if result.is_constant:
        return Literal(result.value)
    places = [(s, n) for s, n in result.places.items() if n]
    names = [(s, n) for s, n in result.names.items() if n]
    if not result.complex and not names and places == [(places[0][0], 1)]:
        return Place(places[0][0], result.value)
    return _spelled_out(asm, expr)


def _spelled_out(asm: Assembler, expr: Expr) -> Expr:
    match expr:
        case SymbolRef(symbol):
            return _spelled_out_symbol(asm, symbol)
        case UnnamedRef(index):
            target = asm.unnamed.resolve(index)
            return finished(asm, target) if target is not None else Literal(0)
        case Unary() | Binary():
            known = asm.symbols.spelled_out.get(id(expr))
            if known is None:  # once for each node: variables share their values
                known = asm.symbols.spelled_out[id(expr)] = expr, _operator_spelled_out(asm, expr)
            return known[1]
    return expr


def _operator_spelled_out(asm: Assembler, expr: Unary | Binary) -> Expr:
    if isinstance(expr, Unary):
        return Unary(expr.op, finished(asm, expr.operand))
    return Binary(expr.op, finished(asm, expr.left), finished(asm, expr.right))


def _spelled_out_symbol(asm: Assembler, symbol: Symbol) -> Expr:
    definition = definition_of(symbol)
    if definition is None:
        return Imported(symbol.name)
    if symbol.being_studied:
        return Literal(0)  # defined by itself, which was reported
    if symbol.finished is None:
        symbol.being_studied = True
        symbol.finished = finished(asm, definition)
        symbol.being_studied = False
    return symbol.finished
