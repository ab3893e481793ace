"""Expressions: ca65's operators, their order, and the functions that give numbers.

From tightest to loosest: unary, then ``* / .mod & ^ << >>``, then ``+ - |``,
then comparisons, then ``&&`` and ``.xor``, then ``||``, then ``!``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.text.span import Span
from romproof.toolchains.ca65.asm import functions
from romproof.toolchains.ca65.asm.study import SymbolRef, constant_value, easy_value
from romproof.toolchains.ca65.asm.tokens import CHAR, IDENT, INT, LOCAL, STRING, ULABEL, UNKNOWN
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

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler

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

_OPERATORS = {token: (level, op) for level, ops in enumerate(_LEVELS) for token, op in ops.items()}
"""The level and meaning of each token that is a binary operator."""

_PREFIX = {
    "-": UnaryOp.NEGATE,
    "~": UnaryOp.COMPLEMENT,
    "<": UnaryOp.BYTE0,
    ">": UnaryOp.BYTE1,
    "^": UnaryOp.BYTE2,
}

_BOUNDS = {1: UnaryOp.BYTE0, 2: UnaryOp.WORD0, 3: UnaryOp.FAR, 4: UnaryOp.DWORD}


def expression(asm: Assembler) -> Expr:
    """Read an expression; what can be computed now is."""
    start = asm.feed.tok
    negated = asm.feed.accept("!")
    result = unary(UnaryOp.NOT, expression(asm)) if negated else _binary(asm, 0)
    asm.operand = start  # where messages about the value point to
    return result


def constant(asm: Assembler) -> int:
    """Read an expression whose value must be known now; 0 after an error."""
    start = asm.feed.tok
    before = asm.diagnostics.errors
    value = constant_value(asm, expression(asm))
    if value is None:
        if asm.diagnostics.errors == before:
            asm.error(
                "Constant expression expected",
                start,
                help="the value must be known here: it may not depend on "
                "imports, on labels' addresses or on what is defined below",
            )
        return 0
    return value


def is_constant(asm: Assembler) -> bool:
    """Read an expression and tell whether its value is known now."""
    return constant_value(asm, expression(asm)) is not None


def bounded(expr: Expr, size: int) -> Expr:
    """``expr`` cut to its ``size`` low bytes (feature force_range)."""
    return unary(_BOUNDS[size], expr)


def unary(op: UnaryOp, operand: Expr) -> Expr:
    """``op operand``, computed if the operand is a number."""
    value = easy_value(operand) if op is not UnaryOp.BANK else None
    return Unary(op, operand) if value is None else Literal(apply_unary(op, value))


def binary(asm: Assembler, op: BinaryOp, left: Expr, right: Expr) -> Expr:
    """``left op right``, computed if both are numbers."""
    a, b = easy_value(left), easy_value(right)
    if a is None or b is None:
        return Binary(op, left, right)
    try:
        return Literal(apply_binary(op, a, b))
    except Unresolved as reason:
        asm.error(str(reason))
        return Literal(1)


def _binary(asm: Assembler, level: int) -> Expr:
    """Read operands joined by operators of ``level`` and tighter ones."""
    left = _factor(asm)
    while (found := _OPERATORS.get(asm.feed.tok.kind)) is not None and found[0] >= level:
        asm.feed.next()
        left = binary(asm, found[1], left, _binary(asm, found[0] + 1))
    return left


def _factor(asm: Assembler) -> Expr:
    feed = asm.feed
    token = feed.tok
    kind = token.kind
    if kind == INT:
        feed.next()
        return Literal(token.number)
    if kind in (IDENT, LOCAL, "::"):
        return _symbol(asm)
    if kind == CHAR:
        feed.next()
        return Literal(asm.charmap[token.number])
    if kind == ULABEL:
        label = asm.unnamed.reference(token.number)
        feed.next()
        return label
    if kind in ("*", "$"):
        feed.next()
        return asm.segments.here()
    if kind == "(":
        feed.next()
        inner = expression(asm)
        feed.expect(")")
        return inner
    if kind == "+":
        feed.next()
        return _factor(asm)
    if kind in _PREFIX:
        feed.next()
        return unary(_PREFIX[kind], _factor(asm))
    if kind in functions.PLAIN:
        feed.next()
        return Literal(functions.PLAIN[kind](asm))
    function = FUNCTIONS.get(kind)
    if function is not None:
        return _call(asm, function)
    return _not_a_factor(asm)


def _not_a_factor(asm: Assembler) -> Expr:
    feed = asm.feed
    token = feed.tok
    if token.kind == STRING and len(token.text) == 1:
        if "loose_char_term" in asm.syntax.features:
            feed.next()
            return Literal(asm.charmap[ord(token.text)])
        asm.error("Syntax error", help="a character constant is written with single quotes")
    elif token.ends_line:
        asm.error("Syntax error", help="an expression is expected here")
        return Literal(0)
    elif token.kind != UNKNOWN:  # which was reported when it was read
        asm.error("Syntax error", help=f"'{token.value}' cannot start an expression")
    feed.next()
    return Literal(0)


def _symbol(asm: Assembler) -> Expr:
    """A reference to a symbol; a variable gives the value it has now."""
    token, via = asm.feed.tok, asm.feed.via
    symbol = asm.symbols.parse()
    symbol.referenced = True
    if symbol.used_at is None:
        symbol.used_at = Span(token.source, token.line, token.col, token.length, via)
    if symbol.is_variable and symbol.expr is not None:
        return symbol.expr
    return SymbolRef(symbol)


def _call(asm: Assembler, function: Callable[[Assembler], Expr]) -> Expr:
    feed = asm.feed
    feed.next()
    if not feed.at("("):
        asm.error_skip("'(' expected")
        return Literal(0)
    feed.next()
    result = function(asm)
    feed.expect(")")
    return result


def _of(op: UnaryOp) -> Callable[[Assembler], Expr]:
    return lambda asm: unary(op, expression(asm))


def _extreme(op: BinaryOp) -> Callable[[Assembler], Expr]:
    def read(asm: Assembler) -> Expr:
        left = expression(asm)
        asm.feed.expect(",")
        return binary(asm, op, left, expression(asm))

    return read


def _strat(asm: Assembler) -> Expr:
    feed = asm.feed
    if not feed.at(STRING):
        asm.error("String constant expected")
        feed.next()
        return Literal(0)
    text = feed.tok.text
    feed.next()
    feed.expect(",")
    index = constant(asm)
    if not 0 <= index < len(text):
        asm.error(
            "Range error",
            asm.operand,
            help=f"the string has {len(text)} characters, counted from 0",
        )
        return Literal(0)
    return Literal(asm.charmap[ord(text[index])])


def _answer(function: Callable[[Assembler], int]) -> Callable[[Assembler], Expr]:
    return lambda asm: Literal(function(asm))


FUNCTIONS: dict[str, Callable[[Assembler], Expr]] = {
    ".bank": _of(UnaryOp.BANK),
    ".bankbyte": _of(UnaryOp.BYTE2),
    ".hibyte": _of(UnaryOp.BYTE1),
    ".hiword": _of(UnaryOp.WORD1),
    ".lobyte": _of(UnaryOp.BYTE0),
    ".loword": _of(UnaryOp.WORD0),
    ".max": _extreme(BinaryOp.MAX),
    ".min": _extreme(BinaryOp.MIN),
    ".const": lambda asm: Literal(int(is_constant(asm))),
    ".strat": _strat,
    **{name: _answer(function) for name, function in functions.ABOUT.items()},
}
"""Functions with arguments; called with the first token of the arguments current."""
