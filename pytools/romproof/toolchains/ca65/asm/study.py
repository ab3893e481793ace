"""What is known of an expression now: its value, its parts, its address size.

An expression is studied as a sum: a number plus counted references to
sections and imported symbols. What does not fit that form is "complex" and
left to the linker.
"""

from __future__ import annotations

from typing import Final

from romproof.program.address_size import AddressSize
from romproof.toolchains.ca65.asm.messages import Messages
from romproof.toolchains.ca65.asm.segments import Segments, UnnamedLabels
from romproof.toolchains.ca65.asm.symbol import Scope, Study, SymbolEntry, find_outward
from romproof.toolchains.ca65.asm.symbol_refs import SymbolRef, UnnamedRef, definition_of
from romproof.toolchains.ca65.obj.dialect import V2_19, Change, Dialect
from romproof.toolchains.ca65.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Imported,
    Literal,
    SectionOffset,
    Unary,
    UnaryOp,
    Unresolved,
    apply_binary,
    apply_unary,
    wrap,
)

_RESULT_SIZE: Final = {
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

_COMPARISONS: Final = frozenset(
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


_ZEROPAGE: Final = AddressSize.ZEROPAGE
_ABSOLUTE: Final = AddressSize.ABSOLUTE


def literal_size(value: int) -> AddressSize:
    """The smallest address size a number fits; LONG for negative ones."""
    if 0 <= value <= 0xFF:
        return _ZEROPAGE
    if 0 <= value <= 0xFFFF:
        return _ABSOLUTE
    return AddressSize.FAR if 0 <= value <= 0xFFFFFF else AddressSize.LONG


class Studied:
    """What came of operators that were studied already, by the identity of their nodes.

    Variables share their values, so that ``x .set x + x`` doubles the tree and adds one node. Each
    node is stored with its study: no other gets its identity meanwhile.
    """

    __slots__ = (
        "known",
        "open",
        "steps",
    )

    def __init__(
        self,
        steps: int = 0,
        open: int = 0,
        known: dict[int, tuple[Expr, Study, bool]] | None = None,
    ) -> None:
        self.steps = steps
        self.open = open
        self.known: dict[int, tuple[Expr, Study, bool]] = {} if known is None else known


_FEW: Final = 64
"""Operators of an expression that are studied without keeping what came out: copying it takes
longer than to study them again."""


class PartialEvaluator:
    """Says what expressions come to, as far as the source has been read."""

    def __init__(
        self,
        messages: Messages,
        segments: Segments,
        unnamed: UnnamedLabels,
        dialect: Dialect = V2_19,
    ) -> None:
        self.resolved = False  # the source has ended: what each symbol means is decided
        self.reading: Scope | None = None  # only its symbols may mean outer ones; None: all
        self._narrow = Change.NARROW_SIZES in dialect
        self._messages = messages
        self._segments = segments
        self._unnamed = unnamed
        self._studied = Studied()  # since then
        self._spelled_out: dict[int, tuple[Expr, Expr]] = {}  # operators for the linker, likewise

    def study(self, expr: Expr) -> Study:
        """Everything that is known of ``expr`` at this point of the source."""
        # once the source has ended, nothing that was found out can change
        result = self._study(expr, self._studied if self.resolved else Studied())
        if result.complex:
            return result
        if result.is_constant:
            result.size = max(result.size, literal_size(result.value))
        else:
            # symbols may have cancelled out: take the size from those that are left;
            # of several sections ca65 looks at the first one only
            sizes = [
                self._segments.sections[s].address_size for s, n in result.places.items() if n
            ][:1]
            sizes += [s.address_size for s, n in result.names.items() if n]
            result.size = max(sizes)
        return result

    def known(self, expr: Expr) -> tuple[int | None, AddressSize]:
        """The number that ``expr`` comes to, None where it is not known, and the address size: of
        a study, which is not made for what is simple, as most values are."""
        if isinstance(expr, Literal):
            return expr.value, literal_size(expr.value)
        sections = self._segments.sections
        if isinstance(expr, SymbolRef):
            symbol = expr.symbol
            value = symbol.expr
            if symbol.stand_in is not None or symbol.is_variable or symbol.is_import:
                pass
            elif isinstance(value, Literal):
                size = literal_size(value.value)
                said = _ZEROPAGE if self._narrow else symbol.address_size
                return value.value, max(said or size, size)
            elif isinstance(value, SectionOffset):
                return None, sections[value.section].address_size
            elif value is None and not self.resolved:
                return None, self._guess_size(symbol)
        elif (
            isinstance(expr, Binary)
            and expr.op is BinaryOp.SUB
            and isinstance(expr.right, SectionOffset)
        ):
            # a branch: target - end - start of the segment
            distance, place = expr.left, expr.right
            if isinstance(distance, Binary) and distance.op is BinaryOp.SUB and not place.offset:
                target, end = distance.left, distance.right
                if isinstance(target, SymbolRef) and isinstance(end, Literal):
                    symbol = target.symbol
                    value = symbol.expr
                    if (
                        isinstance(value, SectionOffset)
                        and value.section == place.section
                        and symbol.stand_in is None
                        and not symbol.is_variable
                    ):
                        return value.offset - end.value, sections[place.section].address_size
        study = self.study(expr)
        return (study.value if study.is_constant else None), study.size

    def constant_value(self, expr: Expr) -> int | None:
        """The number ``expr`` comes to, or None when it is not known yet."""
        if isinstance(expr, Literal):
            return expr.value
        if isinstance(expr, SectionOffset):
            return None
        result = self.study(expr)
        return result.value if result.is_constant else None

    def _study(self, expr: Expr, seen: Studied) -> Study:
        match expr:
            case Literal(value):
                return Study(value, literal_size(value))
            case SectionOffset(section, offset):
                return Study(
                    offset, self._segments.sections[section].address_size, False, {section: 1}
                )
            case SymbolRef(symbol):
                return self._study_symbol(symbol, seen)
            case UnnamedRef(index):
                target = self._unnamed.resolve(index)
                if target is not None:
                    return self._study(target, seen)
                seen.open += 1
                return Study(complex=True)
        seen.steps += 1
        if seen.steps <= _FEW:
            return self._study_operator(expr, seen)
        known = seen.known.get(id(expr))
        if known is None:
            before = seen.open
            result = self._study_operator(expr, seen)
            known = seen.known[id(expr)] = expr, result, seen.open > before
        elif known[2]:
            seen.open += 1
        return known[1].copy(known[1].size)

    def _study_operator(self, expr: Expr, seen: Studied) -> Study:
        match expr:
            case Unary(op, operand):
                return _study_unary(op, self._study(operand, seen))
            case Binary(BinaryOp.BOOL_AND | BinaryOp.BOOL_OR as op, left, right):
                return self._study_choice(op is BinaryOp.BOOL_OR, left, right, seen)
            case Binary(op, left, right):
                return self._study_binary(op, self._study(left, seen), self._study(right, seen))
        raise TypeError(f"no study of {type(expr).__name__}")

    def _study_symbol(self, symbol: SymbolEntry, seen: Studied) -> Study:
        definition = definition_of(symbol)
        if definition is not None:
            if symbol.being_studied:
                self._messages.error_at_span(
                    f"Circular reference in definition of symbol '{symbol.name}'", symbol.span
                )
                seen.open += 1
                return Study(complex=True)
            if symbol.known is None:
                symbol.being_studied = True
                before = seen.open
                result = self._study(definition, seen)
                symbol.being_studied = False
                if self.resolved or seen.open == before:
                    symbol.known = result  # no later line can change it
            else:
                result = symbol.known
            said = symbol.address_size
            if self._narrow:
                return result.copy(min(said or result.size, result.size))
            return result.copy(said or result.size)
        if symbol.is_import:
            return Study(0, symbol.address_size, False, {}, {symbol: 1})
        seen.open += 1
        return Study(0, self._guess_size(symbol), True, {}, {symbol: 1})

    def _guess_size(self, symbol: SymbolEntry) -> AddressSize:
        """The size of a symbol that is not defined yet: perhaps an outer one is meant, whose size
        is the best guess."""
        scope = symbol.scope
        if symbol.address_size is AddressSize.DEFAULT and scope is not None:
            here = self.reading is None or scope is self.reading
            outer = find_outward(scope.parent, symbol.name) if here else None
            if outer is not None:
                return outer.address_size
        return symbol.address_size

    def _study_binary(self, op: BinaryOp, left: Study, right: Study) -> Study:
        if op in (BinaryOp.ADD, BinaryOp.SUB) and not (left.complex or right.complex):
            left.value = apply_binary(op, left.value, right.value)
            left.merge(right, 1 if op is BinaryOp.ADD else -1)
            left.merge_size(right)
            return left
        if left.is_constant and right.is_constant:
            try:
                left.value = apply_binary(op, left.value, right.value)
            except Unresolved as reason:
                self._messages.error(str(reason))
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
        elif op is BinaryOp.AND and self._narrow:
            _mask(left, right)
        else:
            _give_up(left, right)
        if op in _COMPARISONS:
            left.size = AddressSize.ZEROPAGE
        return left

    def _study_choice(self, is_or: bool, left: Expr, right: Expr, seen: Studied) -> Study:
        """``&&`` and ``||``: the right side counts only if the left does not decide."""
        result = self._study(left, seen)
        if result.is_constant and bool(result.value) == is_or:
            return Study(int(is_or), AddressSize.ZEROPAGE)
        if result.is_constant:
            result = self._study(right, seen)
        if not result.is_constant:
            result.complex = True
        return Study(int(bool(result.value)), AddressSize.ZEROPAGE, result.complex)

    def finish(self, expr: Expr) -> Expr:
        """``expr`` for the linker: only numbers, places and imports are left."""
        result = self.study(expr)
        if result.is_constant:
            return Literal(result.value)
        places = [(s, n) for s, n in result.places.items() if n]
        names = [(s, n) for s, n in result.names.items() if n]
        if not result.complex and not names and places == [(places[0][0], 1)]:
            return SectionOffset(places[0][0], result.value)
        return self._spell_out(expr)

    def _spell_out(self, expr: Expr) -> Expr:
        match expr:
            case SymbolRef(symbol):
                return self._spell_out_symbol(symbol)
            case UnnamedRef(index):
                target = self._unnamed.resolve(index)
                return self.finish(target) if target is not None else Literal(0)
            case Unary() | Binary():
                known = self._spelled_out.get(id(expr))
                if known is None:  # once for each node: variables share their values
                    known = self._spelled_out[id(expr)] = expr, self._operator_spelled_out(expr)
                return known[1]
        return expr

    def _operator_spelled_out(self, expr: Unary | Binary) -> Expr:
        if isinstance(expr, Unary):
            return Unary(expr.op, self.finish(expr.operand))
        return Binary(expr.op, self.finish(expr.left), self.finish(expr.right))

    def _spell_out_symbol(self, symbol: SymbolEntry) -> Expr:
        definition = definition_of(symbol)
        if definition is None:
            return Imported(symbol.name)
        if symbol.being_studied:
            return Literal(0)  # defined by itself, which was reported
        if symbol.finished is None:
            symbol.being_studied = True
            symbol.finished = self.finish(definition)
            symbol.being_studied = False
        return symbol.finished


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
    if op is UnaryOp.NEAR:
        operand.size = max(operand.size, AddressSize.ABSOLUTE)
    return operand


def _mask(left: Study, right: Study) -> None:
    """``&`` of what is not known: no larger than either side."""
    constants = [side.value for side in (left, right) if side.is_constant]
    known = right.size if left.is_constant else left.size
    if AddressSize.DEFAULT in (left.size, right.size):
        left.size = known if constants else AddressSize.DEFAULT
    else:
        left.size = min(left.size, right.size)
    if constants:
        size = literal_size(constants[0])
        left.size = min(left.size or size, size)
    left.complex = True
    left.merge(right)


def _give_up(left: Study, right: Study) -> None:
    left.complex = True
    left.merge(right)
    left.merge_size(right)
