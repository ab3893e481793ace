"""What a template comes to at its place: an expression, and what is known of it.

The expressions are those that expressions.py makes of the same text, and what is said of them
is what study.py finds; the commonest of them are looked at without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from romproof.text.span import Source, Span
from romproof.toolchains.ca65.asm.expressions import unary
from romproof.toolchains.ca65.asm.quick.templates import (
    Applied,
    Character,
    Here,
    Name,
    Node,
    Template,
)
from romproof.toolchains.ca65.asm.symbol import At, Symbol
from romproof.toolchains.ca65.asm.symbol_refs import SymbolRef, easy_value
from romproof.toolchains.ca65.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Literal,
    UnaryOp,
    Unresolved,
    apply_binary,
    leaves,
)

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.quick.parts import Parts


_SMALL: Final = 1 << 62
"""What is smaller needs not be wrapped."""
Start = tuple[object, int, int, int]


class Leave(Exception):
    """The line is for the parser of tokens."""


class Values:
    """The values in the current line, number ``line`` of ``source``. ``start`` is the plan of that
    line, if it has one, the offset of its first token, that of what follows its word, and the
    length of that token."""

    def __init__(self, asm: Parts) -> None:
        self.source: Source = asm.feed.sources[0]
        self.line = 0
        self.start: Start = None, 0, 0, 1
        self._parts = asm
        self._symbols = asm.symbols
        self._segments = asm.segments
        self._record = asm.feed.record
        self._evaluator = asm.evaluator

    def span(self, template: Template, rest: int) -> Span:
        """Where a value stands that is in the text at offset ``rest``."""
        return Span(self.source, self.line, rest + template.at + 1, template.length)

    def at(self) -> At:
        """Where the statement begins."""
        _, at, _, length = self.start
        return self.source, self.line, at + 1, length, None

    def statement(self) -> Span:
        """The same as a span."""
        _, at, _, length = self.start
        return Span(self.source, self.line, at + 1, length)

    def symbol(self, name: Name, rest: int) -> Symbol:
        """The symbol that is named, which is made if it does not exist. Raises Leave."""
        text, symbols = name.text, self._symbols
        if text[0] == "@":
            if symbols.owner is None:
                raise Leave
            symbol = symbols.owner.local(text) or symbols.make_local(symbols.owner, text)
        else:
            scope = symbols.current
            symbol = scope.symbols.get(text) or symbols.make(scope, text)
        symbol.referenced = True
        self._record.referred(symbol)
        if symbol.used_at is None:
            symbol.used_at = Span(self.source, self.line, rest + name.at + 1, len(text))
        return symbol

    def expr(self, template: Template, rest: int) -> Expr:
        """The value at this place. Raises Leave where it is in error."""
        if template.simple is None:
            return self._built(template.root, rest)
        return self.of_symbol(self.symbol(template.simple, rest), template)

    def of_symbol(self, symbol: Symbol, template: Template) -> Expr:
        """The value of a simple template whose symbol is known. Raises Leave."""
        value = symbol.expr
        made = value if symbol.is_variable and value is not None else SymbolRef(symbol)
        plus = template.plus
        if plus is None:
            return made
        if isinstance(value, Literal) and template.op is BinaryOp.ADD:
            total = value.value + plus.value
            if -_SMALL < total < _SMALL:
                return Literal(total)
        return self._binary(template.op, made, plus)

    def _binary(self, op: BinaryOp, left: Expr, right: Expr) -> Expr:
        a = easy_value(left)
        b = None if a is None else easy_value(right)
        if a is None or b is None:
            return Binary(op, left, right)
        try:
            return Literal(apply_binary(op, a, b))
        except Unresolved:
            raise Leave from None

    def _built(self, node: Node, rest: int) -> Expr:
        if isinstance(node, Literal):
            return node
        if isinstance(node, Applied):
            left = self._built(node.left, rest)
            if isinstance(node.op, UnaryOp):
                return unary(node.op, left)
            assert node.right is not None, "of two operands"
            return self._binary(node.op, left, self._built(node.right, rest))
        if isinstance(node, Name):
            symbol = self.symbol(node, rest)
            if symbol.is_variable and symbol.expr is not None:
                return symbol.expr
            return SymbolRef(symbol)
        if isinstance(node, Here):
            return self._segments.here()
        if isinstance(node, Character):
            return Literal(self._parts.settings.charmap[node.code])
        if not self._parts.unnamed.exists(node.count):
            raise Leave
        span = Span(self.source, self.line, rest + node.at + 1, node.length)
        return self._parts.unnamed.reference(node.count, span)

    def remember_guess(self, expr: Expr) -> None:
        """Mark the symbols whose size had to be guessed, to warn if they are zero page."""
        for leaf in (expr,) if type(expr) is SymbolRef else leaves(expr):
            if isinstance(leaf, SymbolRef):
                symbol = leaf.symbol
                if symbol.guessed_at is None and not symbol.defined:
                    symbol.guessed_at = self.statement()
