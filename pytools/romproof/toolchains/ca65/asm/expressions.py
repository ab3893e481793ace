"""Expressions: ca65's operators, their order, and the functions that give numbers.

From tightest to loosest: unary, then ``* / .mod & ^ << >>``, then ``+ - |``,
then comparisons, then ``&&`` and ``.xor``, then ``||``, then ``!``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from romproof.text.span import Span
from romproof.toolchains.ca65.asm import functions
from romproof.toolchains.ca65.asm.segments import Segments, UnnamedLabels
from romproof.toolchains.ca65.asm.study import PartialEvaluator
from romproof.toolchains.ca65.asm.symbol_refs import SymbolRef, easy_value
from romproof.toolchains.ca65.asm.tokens import CHAR, IDENT, INT, LOCAL, STRING, ULABEL, UNKNOWN
from romproof.toolchains.ca65.obj.dialect import V2_19_GIT, Change
from romproof.toolchains.ca65.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Literal,
    Unary,
    UnaryOp,
    Unresolved,
    apply_binary,
    apply_unary,
)

_LEVELS: tuple[dict[str, BinaryOp], ...] = (
    {"||": BinaryOp.BOOL_OR},
    {"&&": BinaryOp.BOOL_AND, ".xor": BinaryOp.BOOL_XOR},
    {
        "=": BinaryOp.EQ,
        "<>": BinaryOp.NE,
        "<": BinaryOp.LT,
        ">": BinaryOp.GT,
        "<=": BinaryOp.LE,
        ">=": BinaryOp.GE,
    },
    {"+": BinaryOp.ADD, "-": BinaryOp.SUB, "|": BinaryOp.OR},
    {
        "*": BinaryOp.MUL,
        "/": BinaryOp.DIV,
        ".mod": BinaryOp.MOD,
        "&": BinaryOp.AND,
        "^": BinaryOp.XOR,
        "<<": BinaryOp.SHL,
        ">>": BinaryOp.SHR,
    },
)
"""Binary operators, loosest level first; all are left associative."""

OPERATORS: Final = {
    token: (level, op) for level, ops in enumerate(_LEVELS) for token, op in ops.items()
}
"""The level and meaning of each token that is a binary operator."""

PREFIX: Final = {
    "-": UnaryOp.NEGATE,
    "~": UnaryOp.COMPLEMENT,
    "<": UnaryOp.BYTE0,
    ">": UnaryOp.BYTE1,
    "^": UnaryOp.BYTE2,
}

_BOUNDS: Final = {1: UnaryOp.BYTE0, 2: UnaryOp.WORD0, 3: UnaryOp.FAR, 4: UnaryOp.DWORD}


class Expressions:
    """Reads expressions. ``asked`` is what functions in them ask about."""

    def __init__(
        self,
        asked: functions.FunctionInputs,
        segments: Segments,
        unnamed: UnnamedLabels,
        evaluator: PartialEvaluator,
    ) -> None:
        self.asked = asked
        self._feed = asked.feed
        self._settings = asked.settings
        self._symbols = asked.symbols
        self._segments = segments
        self._unnamed = unnamed
        self._evaluator = evaluator

    def expression(self) -> Expr:
        """Read an expression; what can be computed now is."""
        start = self._feed.tok
        negated = self._feed.accept("!")
        result = unary(UnaryOp.NOT, self.expression()) if negated else self._binary(0)
        self._feed.operand = start  # where messages about the value point to
        return result

    def constant(self) -> int:
        """Read an expression whose value must be known now; 0 after an error."""
        start = self._feed.tok
        before = self._feed.diagnostics.errors
        value = self._evaluator.constant_value(self.expression())
        if value is None:
            if self._feed.diagnostics.errors == before:
                self._feed.error(
                    "Constant expression expected",
                    start,
                    help="the value must be known here: it may not depend on imports, on "
                    "labels' addresses or on later definitions",
                )
            return 0
        return value

    def is_constant(self) -> bool:
        """Read an expression; gives whether its value is known now."""
        return self._evaluator.constant_value(self.expression()) is not None

    def binary(self, op: BinaryOp, left: Expr, right: Expr) -> Expr:
        """``left op right``, computed if both are numbers."""
        a, b = easy_value(left), easy_value(right)
        if a is None or b is None:
            return Binary(op, left, right)
        try:
            return Literal(apply_binary(op, a, b))
        except Unresolved as reason:
            self._feed.error(str(reason))
            return Literal(1)

    def _binary(self, level: int) -> Expr:
        """Read operands joined by operators of ``level`` and tighter ones."""
        left = self._factor()
        while (operator := OPERATORS.get(self._feed.tok.kind)) is not None and operator[0] >= level:
            self._feed.next()
            left = self.binary(operator[1], left, self._binary(operator[0] + 1))
        return left

    def _factor(self) -> Expr:
        feed = self._feed
        token = feed.tok
        kind = token.kind
        if kind == INT:
            feed.next()
            return Literal(token.number)
        if kind in (IDENT, LOCAL, "::"):
            return self._symbol()
        if kind == CHAR:
            feed.next()
            return Literal(self._settings.charmap[token.number])
        if kind == ULABEL:
            label = self._unnamed.reference(token.number)
            feed.next()
            return label
        if kind in ("*", "$"):
            feed.next()
            return self._segments.here()
        if kind == "(":
            feed.next()
            inner = self.expression()
            feed.expect(")")
            return inner
        if kind == "+":
            feed.next()
            return self._factor()
        if kind == "!" and Change.NOT_IN_FACTORS in self._settings.syntax.dialect:
            feed.next()
            return unary(UnaryOp.NOT, self._binary(0))
        if kind in PREFIX:
            feed.next()
            return unary(PREFIX[kind], self._factor())
        if kind in functions.PLAIN:
            feed.next()
            return Literal(functions.PLAIN[kind](self.asked))
        function = FUNCTIONS.get(kind)
        if function is not None:
            return self._call(function)
        return self._not_a_factor()

    def _not_a_factor(self) -> Expr:
        feed = self._feed
        token = feed.tok
        if token.kind == STRING and len(token.text) == 1:
            if "loose_char_term" in self._settings.syntax.features:
                feed.next()
                return Literal(self._settings.charmap[ord(token.text)])
            feed.error("Syntax error", help="a character constant is written with single quotes")
        elif token.ends_line:
            feed.error("Syntax error", help="an expression is expected here")
            return Literal(0)
        elif token.kind != UNKNOWN:  # which was reported when it was read
            help = f"'{token.value}' cannot start an expression"
            if token.kind == "!":
                help = f"'!' stands first, or in parentheses; here with {V2_19_GIT.request}"
            feed.error("Syntax error", help=help)
        feed.next()
        return Literal(0)

    def _symbol(self) -> Expr:
        """A reference to a symbol; a variable gives the value it has now."""
        token, via = self._feed.tok, self._feed.via
        symbol = self._symbols.parse()
        symbol.referenced = True
        self._feed.record.refer(symbol)
        if symbol.used_at is None:
            symbol.used_at = Span(token.source, token.line, token.col, token.length, via)
        if symbol.is_variable and symbol.expr is not None:
            return symbol.expr
        return SymbolRef(symbol)

    def _call(self, function: Callable[[Expressions], Expr]) -> Expr:
        feed = self._feed
        feed.next()
        if not feed.at("("):
            feed.error_skip("'(' expected")
            return Literal(0)
        feed.next()
        result = function(self)
        feed.expect(")")
        return result


def bound(expr: Expr, size: int) -> Expr:
    """``expr`` cut to its ``size`` low bytes (feature force_range)."""
    return unary(_BOUNDS[size], expr)


def unary(op: UnaryOp, operand: Expr) -> Expr:
    """``op operand``, computed if the operand is a number."""
    value = easy_value(operand) if op is not UnaryOp.BANK else None
    return Unary(op, operand) if value is None else Literal(apply_unary(op, value))


def _of(op: UnaryOp) -> Callable[[Expressions], Expr]:
    return lambda values: unary(op, values.expression())


def _extreme(op: BinaryOp) -> Callable[[Expressions], Expr]:
    def read(values: Expressions) -> Expr:
        left = values.expression()
        values.asked.feed.expect(",")
        return values.binary(op, left, values.expression())

    return read


def _strat(values: Expressions) -> Expr:
    feed = values.asked.feed
    if not feed.at(STRING):
        feed.error("String constant expected")
        feed.next()
        return Literal(0)
    text = feed.tok.text
    feed.next()
    feed.expect(",")
    index = values.constant()
    if not 0 <= index < len(text):
        feed.error(
            "Range error",
            feed.operand,
            help=f"the string has {len(text)} characters, counted from 0",
        )
        return Literal(0)
    return Literal(values.asked.settings.charmap[ord(text[index])])


def _answer(function: Callable[[functions.FunctionInputs], int]) -> Callable[[Expressions], Expr]:
    return lambda values: Literal(function(values.asked))


FUNCTIONS: dict[str, Callable[[Expressions], Expr]] = {
    ".bank": _of(UnaryOp.BANK),
    ".bankbyte": _of(UnaryOp.BYTE2),
    ".hibyte": _of(UnaryOp.BYTE1),
    ".hiword": _of(UnaryOp.WORD1),
    ".lobyte": _of(UnaryOp.BYTE0),
    ".loword": _of(UnaryOp.WORD0),
    ".max": _extreme(BinaryOp.MAX),
    ".min": _extreme(BinaryOp.MIN),
    ".const": lambda values: Literal(int(values.is_constant())),
    ".strat": _strat,
    **{name: _answer(function) for name, function in functions.ABOUT.items()},
}
"""Functions with arguments; called with the first token of the arguments current."""
