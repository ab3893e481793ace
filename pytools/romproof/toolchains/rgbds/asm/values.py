"""Expressions in the source: numbers, strings, operators and functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from romproof.toolchains.rgbds.asm import functions, strings
from romproof.toolchains.rgbds.asm.expression import Expression, known
from romproof.toolchains.rgbds.asm.keywords import NUMBER_FUNCTIONS, STRING_FUNCTIONS
from romproof.toolchains.rgbds.obj.rpn import RpnOp

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.parser import Parser

Value = Expression | str

_LEVELS: tuple[dict[str, RpnOp], ...] = (
    {"||": RpnOp.LOGIC_OR},
    {"&&": RpnOp.LOGIC_AND},
    {
        "==": RpnOp.EQ,
        "!=": RpnOp.NE,
        "<": RpnOp.LT,
        ">": RpnOp.GT,
        "<=": RpnOp.LE,
        ">=": RpnOp.GE,
    },
    {"+": RpnOp.ADD, "-": RpnOp.SUB},
    {"&": RpnOp.AND, "|": RpnOp.OR, "^": RpnOp.XOR},
    {"<<": RpnOp.SHL, ">>": RpnOp.SHR, ">>>": RpnOp.USHR},
    {"*": RpnOp.MUL, "/": RpnOp.DIV, "%": RpnOp.MOD},
)
"""From the loosest to the tightest; all group from the left."""

POWER = len(_LEVELS)
"""The level of the tightest operator."""
_OPERATORS = {
    text: (level, op) for level, table in enumerate(_LEVELS) for text, op in table.items()
} | {"**": (POWER, RpnOp.EXP)}
_PREFIXES = {"-": RpnOp.NEG, "~": RpnOp.NOT, "!": RpnOp.LOGIC_NOT, "+": None}
_BEHIND_SYMBOLS = frozenset(_OPERATORS) | frozenset(
    ["++", "===", "!==", ",", ")", "]", "::", "NEWLINE", "EOB", "EOL"]
)
_NAMES = ("SYMBOL", "LABEL", "LOCAL", "ANON")


class Values:
    """Reads values from a parser's tokens."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        self.asm = parser.asm
        self.c_offset_allowed = False
        """Whether ``+ c`` may end the expression, as in ``[$FF00 + c]``."""
        self.c_offset = False
        """Whether it did."""

    def expression(self) -> Expression:
        """A number; a string stands for the value of its only character."""
        value = self.value()
        if isinstance(value, str) and self.parser.kind not in _BEHIND_SYMBOLS:
            self.parser.unexpected()
        return self.number(value)

    def number(self, value: Value) -> Expression:
        """``value`` as a number."""
        if isinstance(value, str):
            return known(strings.string_number(value, self.asm.report, self.asm.charmaps))
        return value

    def value(self) -> Value:
        """A number or a string. Messages name its place until the next one begins."""
        assert self.parser.kind
        context = self.asm.lexer.context
        start = context.value_at = context.token_at
        value = self.climb(self.unary(), 0)
        context.value_at = start
        return value

    def climb(self, left: Value, level: int) -> Value:
        """``left`` and the operators behind it that bind at least as tight as ``level``."""
        parser = self.parser
        while True:
            found = _OPERATORS.get(parser.kind)
            if found is None or found[0] < level:
                return left
            binds, op = found
            operator = parser.next()[0]
            if operator == "+" and self.c_offset_allowed and parser.kind in ("C", "LOW"):
                operand = self._low_or_c()
                if operand is None:
                    self.c_offset = True
                    return left
            else:
                operand = self.unary()
            # the power groups from the right, all others from the left
            tighter = binds if binds == POWER else binds + 1
            number = self.number(left)
            right = self.climb(operand, tighter)
            left = self.asm.expressions.binary(op, number, self.number(right))

    def _low_or_c(self) -> Value | None:
        """The function LOW; None: it was the register C, which ``LOW(bc)`` is as well."""
        if self.parser.next()[0] == "C":
            return None
        self.parser.expect("(")
        if self.parser.accept("BC"):
            self.parser.expect(")")
            return None
        return self.asm.expressions.unary(RpnOp.LOW, self.inside())

    def inside(self) -> Expression:
        """The rest of what stands in parentheses, where c is no offset."""
        allowed, self.c_offset_allowed = self.c_offset_allowed, False
        inner = self.expression()
        self.parser.expect(")")
        self.c_offset_allowed = allowed
        return inner

    def unary(self) -> Value:
        """An operand with the operators in front of it."""
        kind = self.parser.kind
        if kind not in _PREFIXES:
            return self._primary()
        op = _PREFIXES[self.parser.next()[0]]
        operand = self.number(self.climb(self.unary(), POWER))
        return operand if op is None else self.asm.expressions.unary(op, operand)

    def _primary(self) -> Value:
        parser = self.parser
        kind = parser.kind
        if kind == "NUMBER":
            value = parser.next()[1]
            assert isinstance(value, int)
            return known(value)
        if kind == "CHARACTER":
            text = parser.name("CHARACTER")
            return known(strings.character_number(text, self.asm.report, self.asm.charmaps))
        if kind == "(":
            parser.next()
            return self.inside()
        if kind in NUMBER_FUNCTIONS:
            return functions.number(parser, parser.next()[0])
        if kind in _NAMES or self.starts_string():
            return self._text_or_symbol()
        parser.unexpected()

    def starts_string(self) -> bool:
        """Whether a string begins here that is no symbol."""
        kind = self.parser.kind
        return kind == "STRING" or kind in STRING_FUNCTIONS or kind == "SECTION"

    def _text_or_symbol(self) -> Value:
        """A string, a comparison of strings, or a symbol of either kind."""
        parser = self.parser
        if self.starts_string():
            text = self._string_primary()
        else:
            name = str(parser.next()[1])
            if parser.kind not in _BEHIND_SYMBOLS:
                parser.unexpected()
            symbol = self.asm.symbols.find(name)
            is_string = symbol is not None and symbol.is_string
            if not is_string and parser.kind not in ("++", "===", "!=="):
                return self.asm.expressions.symbol(name)
            text = self._string_symbol(name)
        text = self._joined(text)
        operator = parser.accept("===", "!==")
        if operator is None:
            return text
        equal = text == self.string()
        return known(int(equal == (operator[0] == "===")))

    def _joined(self, text: str) -> str:
        while self.parser.accept("++"):
            text = self.asm.growth.checked(text + self._string_operand())
        return text

    def string(self) -> str:
        """A string, or a symbol that stands for one. Raises SyntaxFault."""
        return self._joined(self._string_operand())

    def _string_operand(self) -> str:
        if self.starts_string():
            return self._string_primary()
        if self.parser.kind in _NAMES:
            return self._string_symbol(str(self.parser.next()[1]))
        self.parser.unexpected("STRING")

    def _string_primary(self) -> str:
        if self.parser.kind == "STRING":
            return self.parser.name("STRING")
        return functions.string(self.parser, self.parser.next()[0])

    def _string_symbol(self, name: str) -> str:
        symbol = self.asm.symbols.find(name)
        if symbol is not None and symbol.is_string:
            return self.asm.symbols.text(symbol)
        self.asm.report.error(f"`{name}` is not a string symbol")
        return ""
