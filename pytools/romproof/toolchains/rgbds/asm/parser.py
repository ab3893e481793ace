"""Lines: labels, directives, instructions and macro calls, each handed to who knows it."""

from __future__ import annotations

from romproof.text.diagnostic import suggest
from romproof.toolchains.rgbds.asm import functions, instructions
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.context import MacroArguments, Mode
from romproof.toolchains.rgbds.asm.directives import CONTROL, DATA, DIRECTIVES
from romproof.toolchains.rgbds.asm.keywords import DIRECTIVES as DIRECTIVE_WORDS
from romproof.toolchains.rgbds.asm.keywords import MNEMONICS
from romproof.toolchains.rgbds.asm.lexer import Lexer
from romproof.toolchains.rgbds.asm.model import Expression, SymbolType
from romproof.toolchains.rgbds.asm.operand_parser import parse_operands
from romproof.toolchains.rgbds.asm.symbols import Symbols
from romproof.toolchains.rgbds.asm.tokens import LINE_ENDS, SyntaxFault
from romproof.toolchains.rgbds.asm.values import ValueParser

_DIFF_MARKS = ("+", "-")
_LABELS = ("LABEL", "LOCAL", ":")
_BEHIND_DATA = (*LINE_ENDS, "::")


class Parser(ValueParser):
    """Reads statements, and carries them out with the parts of an assembler."""

    def __init__(self, lexer: Lexer, asm: Assembly) -> None:
        super().__init__(lexer, asm)
        self._asm = asm

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
            self._report.error(str(fault), span=fault.span)
            self._recover()

    def _recover(self) -> None:
        context = self.lexer.context
        context.mode, context.expanding_strings = Mode.NORMAL, True
        while self.kind not in (*LINE_ENDS, "EOF"):
            self.next()
        if self.kind != "EOF":
            self.next()

    def _line(self) -> None:
        kind = self.kind
        if kind == "NEWLINE":
            self.next()
            return
        if kind in _DIFF_MARKS:
            self.next()
            self._report.error(
                f"syntax error, unexpected '{kind}' at the beginning of the line "
                "(is it a leftover diff mark?)"
            )
            kind = self.kind
        control = CONTROL.get(kind)
        if control is not None:
            self.next()
            control(self, self._asm)
            return
        if kind in _LABELS:
            self._label(kind)
            kind = self.kind
        if kind in ("INCLUDE", "BREAK"):
            DIRECTIVES[self.next()[0]](self, self._asm)
            return
        self._statement(kind)
        self.end_of_line()

    def _label(self, kind: str) -> None:
        if kind == "LABEL":
            name = self.name("LABEL")
            exported = self.expect(":", "::")[0] == "::"
        elif kind == "LOCAL":
            name = self.name("LOCAL")
            end = self.accept(":", "::")
            if end is None and not self._starts_statement():
                self.refuse_token()
            exported = end is not None and end[0] == "::"
        else:
            self.next()
            self._symbols.add_anonymous()
            return
        self._symbols.add_label(name)
        if exported:
            self._symbols.export(name)

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

    def _statement(self, kind: str) -> None:
        # messages name the statement's place from now on
        context = self.lexer.context
        context.statement_at, context.value_at = context.token_at, None
        if kind in DATA or kind in MNEMONICS:
            self._data(kind)
        elif kind in ("SYMBOL", "QMACRO"):
            name = self.name(kind)
            arguments = self.raw_arguments(self._warn_if_empty)
            given = MacroArguments(tuple(_call_arguments(kind, arguments)))
            call_macro(self._asm, name, given, quiet=kind == "QMACRO")
        elif kind in DIRECTIVES:
            DIRECTIVES[self.next()[0]](self, self._asm)
        elif kind not in LINE_ENDS:
            self.refuse_token()

    def _warn_if_empty(self, text: str) -> None:
        if not text:
            self._report.warning("empty-macro-arg", "Empty macro argument")

    def _data(self, kind: str) -> None:
        """Data and instructions, several with ``::`` between them."""
        asm = self._asm
        while True:
            start = asm.sections.mark() if asm.options.lines else None
            self.next()
            if kind in DATA:
                DATA[kind](self, asm)
            else:
                operands = parse_operands(self)
                if self.kind not in _BEHIND_DATA:
                    self.refuse_token("NEWLINE")
                instructions.write(kind, operands, asm)
            if start is not None:
                asm.sections.note_line(start, is_code=kind not in DATA)
            if self.kind != "::":
                return
            self.next()
            kind = self.kind
            context = self.lexer.context
            context.statement_at, context.value_at = context.token_at, None
            if kind not in DATA and kind not in MNEMONICS:
                self.refuse_token()

    # -- values -----------------------------------------------------------------------------

    def number_function(self, name: str) -> Expression:
        """See Values."""
        return functions.number(self, self._asm, name)

    def string_function(self, name: str) -> str:
        """See Values."""
        return functions.string(self, self._asm, name)

    def fragment(self) -> Expression:
        """See Values."""
        self.expect("[[")
        name = self._asm.sections.begin_literal()
        self._symbols.add_label(name)
        while self.kind != "]]":
            if self.kind == "EOF":
                self.refuse_token("]]")
            self.line()
        self.next()
        self._asm.sections.pop()
        return self.expressions.symbol(name)


def _call_arguments(kind: str, arguments: list[str]) -> list[str]:
    """The arguments of a call; of a quiet one the question mark is none."""
    if kind != "QMACRO" or not arguments:
        return arguments
    first = arguments[0].removeprefix("?").lstrip(" \t")
    rest = arguments[1:]
    return [first, *rest] if first or rest else []


_INSTRUCTION_NAMES = frozenset(word.lower() for word in MNEMONICS)
_DIRECTIVE_NAMES = frozenset(word.lower() for word in DIRECTIVE_WORDS)
_LOOKS_LIKE = ("EQUS", "EQU", "RB", "RW", "RL", "=")
"""What follows a name in a definition; without DEF it is taken for a macro's name."""


def call_macro(asm: Assembly, name: str, arguments: MacroArguments, quiet: bool) -> None:
    """Read a macro's body next."""
    report, symbols = asm.report, asm.symbols
    symbol = symbols.find_exact(name)
    if symbol is None:
        if symbols.was_purged(name):
            report.error(f"Undefined macro `{name}`; it was purged")
            return
        meant = _guess_meaning(name, arguments)
        hint = f" (did you mean {meant}?)" if meant else ""
        similar = None if meant else _similar(symbols, name)
        report.error(f"Undefined macro `{name}`{hint}", help=similar)
        return
    if symbol.type is not SymbolType.MACRO or symbol.macro is None:
        report.error(f"`{name}` is not a macro")
        return
    asm.contexts.enter_macro(symbol, arguments, quiet)


def _similar(symbols: Symbols, name: str) -> str | None:
    """A help text when a word at the start of a statement looks misspelt."""
    usual = symbols.macro_names() | _INSTRUCTION_NAMES
    return suggest(name, usual) or suggest(name, _DIRECTIVE_NAMES)


def _guess_meaning(name: str, arguments: MacroArguments) -> str | None:
    """What a call of no macro was probably meant to be."""
    first = arguments.get(1)
    if first is None:
        return None
    for word in _LOOKS_LIKE:
        if first.upper().startswith(word):
            return f'"DEF {name} {word} ..."'
    if first.upper().startswith("SET"):
        return f'"DEF {name} = ..."'
    if first.startswith(":"):
        return f'a label "{name}{"::" if first[1:2] == ":" else ":"}"'
    return None
