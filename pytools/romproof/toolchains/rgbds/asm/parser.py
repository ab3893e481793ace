"""Lines: labels, directives, instructions and macro calls, each handed to who knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from romproof.text.span import Span
from romproof.toolchains.rgbds.asm import instructions
from romproof.toolchains.rgbds.asm.arguments import MacroArguments
from romproof.toolchains.rgbds.asm.context import Mode
from romproof.toolchains.rgbds.asm.directives import CONTROL, DATA, DIRECTIVES
from romproof.toolchains.rgbds.asm.expression import Expression
from romproof.toolchains.rgbds.asm.keywords import MNEMONICS
from romproof.toolchains.rgbds.asm.lexer import Token, described
from romproof.toolchains.rgbds.asm.operand_parser import parse_operands
from romproof.toolchains.rgbds.asm.values import Values

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.assembler import Assembler

LINE_ENDS = ("NEWLINE", "EOB", "EOL")
_BEHIND_NUMBERS = (*LINE_ENDS, ",", ")", "]", "::")


class SyntaxFault(Exception):
    """The line cannot be understood from ``span`` on."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


class Parser:
    """Reads tokens as they are needed: what one means may change how the next is read."""

    def __init__(self, asm: Assembler) -> None:
        self.asm = asm
        self.values = Values(self)
        self._ahead: Token | None = None

    # -- tokens -----------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        if self._ahead is None:
            self._ahead = self.asm.lexer.token()
        return self._ahead[0]

    def next(self) -> Token:
        """Take the next token."""
        token = self._ahead or self.asm.lexer.token()
        self._ahead = None
        return token

    def accept(self, *kinds: str) -> Token | None:
        """Take the next token if it is one of ``kinds``."""
        return self.next() if self.kind in kinds else None

    def expect(self, *kinds: str) -> Token:
        """Take the next token, which must be one of ``kinds``. Raises SyntaxFault."""
        if self.kind not in kinds:
            self.unexpected(*kinds)
        return self.next()

    def name(self, *kinds: str) -> str:
        """The text of the next token: a name, or a string. Raises SyntaxFault."""
        return str(self.expect(*kinds)[1])

    def unexpected(self, *wanted: str) -> NoReturn:
        """Report the next token as out of place."""
        assert self.kind
        token = self._ahead
        assert token is not None
        expected = [described((kind, kind.lower())) for kind in wanted]
        hint = f", expecting {' or '.join(expected)}" if 0 < len(expected) <= 4 else ""
        raise SyntaxFault(
            f"syntax error, unexpected {described(token)}{hint}",
            self.asm.lexer.context.token_span(),
        )

    @property
    def at_end(self) -> bool:
        """Whether the line ends here."""
        return self.kind in LINE_ENDS

    def end_of_item(self, *more: str) -> None:
        """An item of a list must end here; if it does not, nothing is to come of it."""
        if self.kind not in (",", *LINE_ENDS, *more):
            self.unexpected(",", "NEWLINE")

    def end_of_statement(self, *more: str) -> None:
        """Nothing may follow here. A directive with operands does nothing before it knows that."""
        if self.kind not in (*LINE_ENDS, *more):
            self.unexpected("NEWLINE")
        # what is wrong now is no longer a single value
        self.asm.lexer.context.value_at = None

    def end_of_line(self) -> None:
        """The line must end here."""
        self.expect(*LINE_ENDS)

    # -- lines ------------------------------------------------------------------------------

    def source(self) -> None:
        """All lines of the program."""
        while self.kind != "EOF":
            self.line()

    def line(self) -> None:
        """One line, or what is left of it after an error."""
        try:
            self._line()
        except SyntaxFault as fault:
            self.asm.report.error(str(fault), span=fault.span)
            self._recover()

    def _recover(self) -> None:
        context = self.asm.lexer.context
        context.mode, context.expanding_strings = Mode.NORMAL, True
        while self.kind not in (*LINE_ENDS, "EOF"):
            self.next()
        if self.kind != "EOF":
            self.next()

    def _line(self) -> None:
        mark = self.accept("+", "-")
        if mark is not None:
            self.asm.report.error(
                f"syntax error, unexpected '{mark[0]}' at the beginning of the line "
                "(is it a leftover diff mark?)"
            )
        control = CONTROL.get(self.kind)
        if control is not None:
            self.next()
            control(self)
            return
        self._label()
        if self.kind in ("INCLUDE", "BREAK"):
            DIRECTIVES[self.next()[0]](self)
            return
        self._statement()
        self.end_of_line()

    def _label(self) -> None:
        kind = self.kind
        if kind == "LABEL":
            name = self.name("LABEL")
            exported = self.expect(":", "::")[0] == "::"
        elif kind == "LOCAL":
            name = self.name("LOCAL")
            end = self.accept(":", "::")
            if end is None and not self._starts_statement():
                self.unexpected()
            exported = end is not None and end[0] == "::"
        elif kind == ":":
            self.next()
            self.asm.symbols.add_anonymous()
            return
        else:
            return
        self.asm.symbols.add_label(name)
        if exported:
            self.asm.symbols.export(name)

    def _starts_statement(self) -> bool:
        """Whether what follows a label is next, or the line's end."""
        kind = self.kind
        return (
            self.at_end
            or kind in MNEMONICS
            or kind in DATA
            or kind in DIRECTIVES
            or kind in ("SYMBOL", "QMACRO")
        )

    def _start_statement(self) -> str:
        """Messages name its place from now on; gives the kind of its first token."""
        kind = self.kind
        context = self.asm.lexer.context
        context.statement_at, context.value_at = context.token_at, None
        return kind

    def _statement(self) -> None:
        kind = self._start_statement()
        if kind in DATA or kind in MNEMONICS:
            self._data()
        elif kind in ("SYMBOL", "QMACRO"):
            name = self.name(kind)
            arguments = self.raw_arguments(self._warn_if_empty)
            self.asm.contexts.call_macro(
                name, MacroArguments(tuple(_called(kind, arguments))), kind == "QMACRO"
            )
        elif kind in DIRECTIVES:
            DIRECTIVES[self.next()[0]](self)
        elif not self.at_end:
            self.unexpected()

    def raw_arguments(self, each: Callable[[str], None] = lambda text: None) -> list[str]:
        """What follows on the line as texts, of which ``each`` is told; its end comes next."""
        assert self._ahead is None
        return self.asm.lexer.arguments(each)

    def _warn_if_empty(self, text: str) -> None:
        if not text:
            self.asm.report.warning("empty-macro-arg", "Empty macro argument")

    def _data(self) -> None:
        """Data and instructions, several with ``::`` between them."""
        sections = self.asm.sections
        while True:
            start = sections.mark()
            kind = self._start_statement()
            self.next()
            if kind in DATA:
                DATA[kind](self)
            else:
                self._instruction(kind)
            sections.note_line(start, is_code=kind not in DATA)
            if self.accept("::") is None:
                return
            if self.kind not in DATA and self.kind not in MNEMONICS:
                self.unexpected()

    def _instruction(self, mnemonic: str) -> None:
        operands = parse_operands(self)
        if self.kind not in (*LINE_ENDS, "::"):
            self.unexpected("NEWLINE")
        instructions.write(mnemonic, operands, self.asm)

    # -- values -----------------------------------------------------------------------------

    def expression(self) -> Expression:
        """A number, known or not."""
        return self.values.expression()

    def constant(self, *behind: str) -> int:
        """A number that must be known; ``behind`` are the tokens that may follow it."""
        expression = self.values.expression()
        if self.kind not in (behind or _BEHIND_NUMBERS):
            self.unexpected(*behind)
        return self.asm.expressions.constant(expression)

    def count(self) -> int:
        """A number that must be known and not negative."""
        value = self.constant()
        if value < 0:
            self.asm.report.fatal(f"Constant must not be negative: {value}")
        return value

    def string(self) -> str:
        """A text."""
        return self.values.string()

    def fragment(self) -> Expression:
        """What stands in double brackets, as the address it gets."""
        self.expect("[[")
        name = self.asm.sections.begin_literal()
        self.asm.symbols.add_label(name)
        while self.kind != "]]":
            if self.kind == "EOF":
                self.unexpected("]]")
            self.line()
        self.next()
        self.asm.sections.pop()
        return self.asm.expressions.symbol(name)


def _called(kind: str, arguments: list[str]) -> list[str]:
    """The arguments of a call; of a quiet one the question mark is none."""
    if kind != "QMACRO" or not arguments:
        return arguments
    first = arguments[0].removeprefix("?").lstrip(" \t")
    rest = arguments[1:]
    return [first, *rest] if first or rest else []
