"""Expressions in the source: numbers, strings, operators and functions."""

from __future__ import annotations

from abc import ABC, abstractmethod

from romproof.toolchains.rgbds.asm import strings
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.keywords import NUMBER_FUNCTIONS, STRING_FUNCTIONS
from romproof.toolchains.rgbds.asm.lexer import Lexer
from romproof.toolchains.rgbds.asm.model import Expression, known
from romproof.toolchains.rgbds.asm.tokens import LINE_ENDS, Tokens
from romproof.toolchains.rgbds.obj.rpn import RpnOp

NumberOrText = Expression | str

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
OPERATORS = {
    text: (level, op) for level, table in enumerate(_LEVELS) for text, op in table.items()
} | {"**": (POWER, RpnOp.EXP)}
"""The level of each operator, and what it does."""
PREFIXES = {"-": RpnOp.NEG, "~": RpnOp.NOT, "!": RpnOp.LOGIC_NOT, "+": None}
_BEHIND_SYMBOLS = frozenset(OPERATORS) | frozenset(
    ["++", "===", "!==", ",", ")", "]", "::", "NEWLINE", "EOB", "EOL"]
)
_STRING_OPERATORS = ("++", "===", "!==")
_BEHIND_NUMBERS = (*LINE_ENDS, ",", ")", "]", "::")
_NAMES = frozenset({"SYMBOL", "LABEL", "LOCAL", "ANON"})


class ValueParser(Tokens, ABC):
    """Reads values. What those consist of besides is left to who knows it: functions, and
    fragments, which have statements in them."""

    def __init__(self, lexer: Lexer, asm: Assembly) -> None:
        super().__init__(lexer)
        self._report = asm.report
        self._growth = asm.growth
        self._symbols = asm.symbols
        self._charmaps = asm.charmaps
        self.expressions = asm.expressions
        self.c_offset_allowed = False
        """Whether ``+ c`` may end the expression, as in ``[$FF00 + c]``."""
        self.c_offset = False
        """Whether it did."""

    @abstractmethod
    def number_function(self, name: str) -> Expression:
        """The value of the function ``name``, whose arguments follow. Raises SyntaxFault."""

    @abstractmethod
    def string_function(self, name: str) -> str:
        """The text of the function ``name``, whose arguments follow. Raises SyntaxFault."""

    @abstractmethod
    def fragment(self) -> Expression:
        """What is in double brackets, as the address it gets."""

    def expression(self) -> Expression:
        """A number; a string denotes the value of its only character."""
        value = self.value()
        if isinstance(value, str) and self.kind not in _BEHIND_SYMBOLS:
            self.refuse_token()
        return self.number(value)

    def constant(self, *behind: str) -> int:
        """A number that must be known; ``behind`` are the tokens that may follow it."""
        expression = self.expression()
        if self.kind not in (behind or _BEHIND_NUMBERS):
            self.refuse_token(*behind)
        return self.expressions.constant(expression)

    def count(self) -> int:
        """A number that must be known and not negative."""
        value = self.constant()
        if value < 0:
            self._report.fatal(f"Constant must not be negative: {value}")
        return value

    def number(self, value: NumberOrText) -> Expression:
        """``value`` as a number."""
        if isinstance(value, str):
            return known(strings.string_number(value, self._report, self._charmaps))
        return value

    def value(self) -> NumberOrText:
        """A number or a string. Messages name its place until the next one begins."""
        kind = self.kind
        context = self.lexer.context
        start = context.value_at = context.token_at
        value = self._symbol() if kind in _NAMES else self.unary()
        if self.kind in OPERATORS:
            value = self.climb(value, 0)
        context.value_at = start
        return value

    def climb(self, left: NumberOrText, level: int) -> NumberOrText:
        """``left`` and the operators behind it that bind at least as tight as ``level``."""
        while True:
            operator_row = OPERATORS.get(self.kind)
            if operator_row is None or operator_row[0] < level:
                return left
            binds, op = operator_row
            operator = self.next()[0]
            if operator == "+" and self.c_offset_allowed and self.kind in ("C", "LOW"):
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
            left = self.expressions.binary(op, number, self.number(right))

    def _low_or_c(self) -> NumberOrText | None:
        """The function LOW; None: it was the register C, which ``LOW(bc)`` is as well."""
        if self.next()[0] == "C":
            return None
        self.expect("(")
        if self.accept("BC"):
            self.expect(")")
            return None
        return self.expressions.unary(RpnOp.LOW, self.inside())

    def inside(self) -> Expression:
        """The rest of what is in parentheses, where c is no offset."""
        allowed, self.c_offset_allowed = self.c_offset_allowed, False
        inner = self.expression()
        self.expect(")")
        self.c_offset_allowed = allowed
        return inner

    def unary(self) -> NumberOrText:
        """An operand with the operators in front of it."""
        kind = self.kind
        if kind == "NUMBER":
            value = self.next()[1]
            assert isinstance(value, int)
            return known(value)
        if kind not in PREFIXES:
            return self._primary(kind)
        op = PREFIXES[self.next()[0]]
        operand = self.number(self.climb(self.unary(), POWER))
        return operand if op is None else self.expressions.unary(op, operand)

    def _primary(self, kind: str) -> NumberOrText:
        if kind in _NAMES:
            return self._symbol()
        if kind == "CHARACTER":
            text = self.name("CHARACTER")
            return known(strings.character_number(text, self._report, self._charmaps))
        if kind == "(":
            self.next()
            return self.inside()
        if kind in NUMBER_FUNCTIONS:
            return self.number_function(self.next()[0])
        if self.starts_string():
            return self._text(self._string_primary())
        self.refuse_token()

    def starts_string(self) -> bool:
        """Whether a string begins here that is no symbol."""
        kind = self.kind
        return kind == "STRING" or kind in STRING_FUNCTIONS or kind == "SECTION"

    def _symbol(self) -> NumberOrText:
        """A symbol, or an expression of strings that begins with one."""
        name = str(self.next()[1])
        behind = self.kind
        if behind not in _BEHIND_SYMBOLS:
            self.refuse_token()
        symbol = self._symbols.find(name)
        if (symbol is None or not symbol.is_string) and behind not in _STRING_OPERATORS:
            return self.expressions.symbol(name)
        return self._text(self._string_symbol(name))

    def _text(self, text: str) -> NumberOrText:
        """A string that begins with ``text``, or a comparison of strings."""
        text = self._join(text)
        operator = self.accept("===", "!==")
        if operator is None:
            return text
        equal = text == self.string()
        return known(int(equal == (operator[0] == "===")))

    def _join(self, text: str) -> str:
        while self.accept("++"):
            text = self._growth.check(text + self._string_operand())
        return text

    def string(self) -> str:
        """A string, or a symbol that denotes one. Raises SyntaxFault."""
        return self._join(self._string_operand())

    def _string_operand(self) -> str:
        if self.starts_string():
            return self._string_primary()
        if self.kind in _NAMES:
            return self._string_symbol(str(self.next()[1]))
        self.refuse_token("STRING")

    def _string_primary(self) -> str:
        if self.kind == "STRING":
            return self.name("STRING")
        return self.string_function(self.next()[0])

    def _string_symbol(self, name: str) -> str:
        symbol = self._symbols.find(name)
        if symbol is not None and symbol.is_string:
            return self._symbols.text(symbol)
        self._report.error(f"`{name}` is not a string symbol")
        return ""
