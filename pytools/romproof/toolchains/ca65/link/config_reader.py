"""Reading the pieces that all blocks of a linker configuration are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from romproof.text.diagnostic import Diagnostics, suggest
from romproof.text.span import Source, Span
from romproof.toolchains.ca65.link.config import ConfigNumber, FileName, Reference, StartAddress
from romproof.toolchains.ca65.link.config_lexer import ConfigKind, ConfigToken, tokens
from romproof.toolchains.ca65.obj.expr import Binary, BinaryOp, Expr, Literal, Unary, UnaryOp

AttributeValue = ConfigNumber | FileName | bool | str | int
"""What an attribute may be set to."""

MAX_NESTED = 64
"""Parentheses and signs around one number."""

_SUM = {"+": BinaryOp.ADD, "-": BinaryOp.SUB}
_PRODUCT = {"*": BinaryOp.MUL, "/": BinaryOp.DIV}


class SyntaxFault(Exception):
    """Internal signal: the entry being read cannot be understood; it was reported."""


@dataclass
class ConfigAttributes:
    """The ``name = value`` pairs of one entry, names in upper case."""

    values: dict[str, AttributeValue] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)

    def number(self, name: str) -> ConfigNumber | None:
        """The expression ``name`` is set to, or None."""
        value = self.values.get(name)
        return value if isinstance(value, ConfigNumber) else None

    def file(self, name: str) -> FileName | None:
        """The file name ``name`` is set to, or None."""
        value = self.values.get(name)
        return value if isinstance(value, FileName) else None

    def word(self, name: str) -> str | None:
        """The word ``name`` is set to, or None."""
        value = self.values.get(name)
        return value if isinstance(value, str) else None

    def flag(self, name: str) -> bool:
        """True when ``name`` was switched on."""
        return self.values.get(name) is True


class ConfigReader:
    """Walks over the tokens of a configuration; one token of look-ahead."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.declared = 0
        self.start_address: ConfigNumber | None = None
        self._tokens = tokens(source, diagnostics)
        self.token = next(self._tokens)
        self._depth = 0

    def fault(self, message: str, help: str | None = None) -> SyntaxFault:
        """Report what is wrong with the current token; the caller raises the result."""
        self.diagnostics.error(message, self.token.span, help)
        return SyntaxFault()

    def at(self, kind: ConfigKind) -> bool:
        """True when the current token is of ``kind``."""
        return self.token.kind is kind

    def advance(self) -> ConfigToken:
        """The current token; moves on."""
        token = self.token
        if token.kind is not ConfigKind.END:
            self.token = next(self._tokens)
        return token

    def accept(self, mark: str) -> bool:
        """Skip the punctuation ``mark`` if it is next; gives whether it was."""
        is_next = self.token.is_mark(mark)
        if is_next:
            self.advance()
        return is_next

    def expect(self, mark: str, after: str) -> None:
        """Skip the punctuation ``mark``. Raises SyntaxFault when it is not next."""
        if not self.accept(mark):
            raise self.fault(f"expected '{mark}' {after}, found {self.token}")

    def name(self, what: str) -> ConfigToken:
        """A name, in its own spelling. Raises SyntaxFault."""
        if not self.at(ConfigKind.NAME):
            raise self.fault(f"expected {what}, found {self.token}")
        return self.advance()

    def keyword(self, choices: Iterable[str], what: str) -> str:
        """One of ``choices`` (upper case), written in any case. Raises SyntaxFault."""
        known = list(choices)
        if not self.at(ConfigKind.NAME):
            raise self.fault(f"expected {what}, found {self.token}")
        word = self.token.text.upper()
        if word not in known:
            hint = suggest(word, known) or "possible are " + ", ".join(sorted(known))
            raise self.fault(f"'{self.token.text}' is not {what}", hint)
        self.advance()
        return word

    def one_of(self, choices: Iterable[str], what: str) -> Callable[[], str]:
        """A reader of one of ``choices``, as :meth:`keyword`."""
        return lambda: self.keyword(choices, what)

    def boolean(self) -> bool:
        """yes, no, true, false, or a number that is 0 or not. Raises SyntaxFault."""
        if self.at(ConfigKind.NUMBER):
            return self.advance().number != 0
        return self.keyword(("YES", "NO", "TRUE", "FALSE"), "yes or no") in ("YES", "TRUE")

    def file(self) -> FileName:
        """A quoted file name or ``%O``. Raises SyntaxFault."""
        if self.token.file is None:
            raise self.fault(f"expected a file name in quotes, found {self.token}")
        return self.advance().file or FileName(())

    def number(self) -> ConfigNumber:
        """An expression. Raises SyntaxFault."""
        first = self.token.span
        expr = self._chain(_SUM, lambda: self._chain(_PRODUCT, self._factor))
        return ConfigNumber(expr, first, self.declared)

    def _chain(self, operators: Mapping[str, BinaryOp], operand: Callable[[], Expr]) -> Expr:
        left = operand()
        while self.at(ConfigKind.MARK) and self.token.text in operators:
            op = operators[self.advance().text]
            left = Binary(op, left, operand())
        return left

    def _factor(self) -> Expr:
        if self._depth == MAX_NESTED:
            raise self.fault("the expression is nested too deeply", "split it up")
        self._depth += 1
        try:
            return self._operand()
        finally:
            self._depth -= 1

    def _operand(self) -> Expr:
        if self.accept("+"):
            return self._factor()
        if self.accept("-"):
            return Unary(UnaryOp.NEGATE, self._factor())
        if self.accept("("):
            inner = self.number().expr
            self.expect(")", "after the expression")
            return inner
        if self.at(ConfigKind.NUMBER):
            return Literal(self.advance().number)
        if self.at(ConfigKind.START):
            self.advance()
            return StartAddress(self.start_address)
        if self.at(ConfigKind.NAME):
            token = self.advance()
            return Reference(token.text, token.span)
        raise self.fault(f"expected a number or a symbol, found {self.token}")

    def attributes(self, allowed: Mapping[str, Callable[[], AttributeValue]]) -> ConfigAttributes:
        """Attributes up to the end of the entry; ``=`` and ``,`` may be left out.

        ``allowed`` maps a name in upper case to the reader of its value.
        Raises SyntaxFault.
        """
        attributes = ConfigAttributes()
        while self.at(ConfigKind.NAME):
            place = self.token.span
            name = self.keyword(allowed, "an attribute here")
            self.accept("=")
            if name in attributes.values:
                self.diagnostics.error(f"{name} is already defined", place)
            attributes.values[name] = allowed[name]()
            attributes.places[name] = place
            self.accept(",")
        return attributes

    def skip_entry(self) -> None:
        """Move behind the next ``;``, or to the ``}`` or the end before it."""
        while not self.at(ConfigKind.END) and not self.token.is_mark("}"):
            if self.advance().is_mark(";"):
                return
