"""The assembler: reads statements one after the other and carries them out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from romproof.program.address_size import AddressSize
from romproof.text.diagnostic import BuildFailed, Diagnostics, Severity, TooManyErrors, suggest
from romproof.text.reading import read_text
from romproof.text.span import Source, Span
from romproof.toolchains.ca65.asm import expressions
from romproof.toolchains.ca65.asm.address_sizes import ADDRESS_SIZES
from romproof.toolchains.ca65.asm.conditions import Conditions
from romproof.toolchains.ca65.asm.directives import COMMANDS
from romproof.toolchains.ca65.asm.directives import segments as segment_commands
from romproof.toolchains.ca65.asm.directives.linkage import warn_if_larger
from romproof.toolchains.ca65.asm.directives.text import define, undefine
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.files import Files
from romproof.toolchains.ca65.asm.finish import finish
from romproof.toolchains.ca65.asm.instructions import assemble_instruction
from romproof.toolchains.ca65.asm.lexer import Syntax
from romproof.toolchains.ca65.asm.macros import Macro, Macros
from romproof.toolchains.ca65.asm.mnemonics import instruction_set, is_mnemonic
from romproof.toolchains.ca65.asm.options import Options
from romproof.toolchains.ca65.asm.segments import Segments, UnnamedLabels
from romproof.toolchains.ca65.asm.study import study
from romproof.toolchains.ca65.asm.symbols import Symbol, Symbols
from romproof.toolchains.ca65.asm.targets import TARGETS, charmap
from romproof.toolchains.ca65.asm.tokens import (
    CONDITIONALS,
    EOF,
    EOL,
    IDENT,
    KEYWORDS,
    LOCAL,
    UNKNOWN,
    Token,
)
from romproof.toolchains.ca65.obj.expr import Expr, Literal
from romproof.toolchains.ca65.obj.object import Action, Assertion, Object

RECURSION_LIMIT = 20_000
"""Python frames; expressions and macros inside each other need them."""


class FatalError(Exception):
    """Assembly cannot go on; the reason is already among the diagnostics."""


def assemble(path: Path, options: Options, diagnostics: Diagnostics) -> Object:
    """Assemble the file ``path``.

    Warnings are added to ``diagnostics``; so are errors, and then BuildFailed
    is raised with all of them.
    """
    try:
        text = read_text(path)
    except OSError as fault:
        diagnostics.error(f"Cannot open input file '{path}': {fault.strerror}")
        raise BuildFailed(diagnostics.items) from None
    if options.reading is not None:
        options.reading(path)
    return assemble_source(Source(str(path), text), options, diagnostics)


def assemble_source(source: Source, options: Options, diagnostics: Diagnostics) -> Object:
    """Assemble text that is already in memory; as :func:`assemble`."""
    limited = Diagnostics(limit=diagnostics.limit)
    result: Object | None = None
    try:
        assembler = Assembler(source, options, limited)
        with _deep_recursion():
            result = assembler.run()
    except (FatalError, TooManyErrors):
        pass
    except RecursionError:
        what = "An expression or macro is nested too deeply"
        limited.error(what, assembler.statement, help="split it up")
    diagnostics.items.extend(limited.items)
    diagnostics.errors += limited.errors
    if limited.errors or result is None:
        raise BuildFailed(limited.items)
    return result


@contextmanager
def _deep_recursion() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


class Assembler:
    """All state of one run over one source file."""

    cpu: str
    macros: Macros
    segments: Segments

    def __init__(self, source: Source, options: Options, diagnostics: Diagnostics) -> None:
        self.options = options
        self.diagnostics = diagnostics
        self.source = source
        self.sources = [source]
        self.syntax = Syntax(set(options.features), options.ignore_case)
        self.cpu = options.cpu
        self.cpu_stack: list[str] = []
        self.autoimport = options.auto_import
        self.charmap = charmap(options.target)
        self.feed = Feed(self)
        self.files = Files(self)
        self.conditions = Conditions(self)
        self.macros = Macros(self)
        self.segments = Segments(self)
        self.symbols = Symbols(self)
        self.unnamed = UnnamedLabels(self)
        self.assertions: list[tuple[Assertion, bool]] = []
        self.statement = Span(source, 1, 1)
        self.operand: Token | None = None  # the start of the last expression
        self.line_is_code = False

    def run(self) -> Object:
        """Assemble everything and give the object."""
        predefined = [(name, 1) for name in TARGETS[self.options.target]]
        for name, value in (*predefined, *self.options.defines):
            symbol = self.symbols.own(name)
            if symbol.defined:
                self.diagnostics.error(f"'{name}' is already defined", help="by -D or -t")
                raise FatalError
            self.define(symbol, Literal(value))
        self.symbols.owner = None
        self.feed.open(self.source)
        self.feed.next()
        while self.feed.tok.kind != EOF:
            self._line()
        return finish(self)

    # -- statements --------------------------------------------------------------

    def begin_statement(self) -> None:
        """Remember where the statement at the current token stands."""
        self.statement = self.feed.span()

    def end_statement(self) -> None:
        """Expect the end of the line and go on to the next one."""
        self.feed.expect_line_end()
        if self.feed.tok.kind == EOL:
            self.feed.next()

    def _line(self) -> None:
        feed = self.feed
        if feed.tok.kind == EOL:
            feed.next()
            return
        self.begin_statement()
        self.line_is_code = False
        section, start = self.segments.current, len(self.segments.current.data)
        if feed.accept(":"):
            self.unnamed.define()
        label = None
        if self._starts_with_name():
            label = self._definition()
            if label is None:
                self.end_statement()
                return
        self._command()
        if label is not None:
            same = self.segments.current is section
            label.size = len(section.data) - start if same else 0
        self.segments.record_line(start, section, self.statement, self.line_is_code)
        self.end_statement()

    def _starts_with_name(self) -> bool:
        feed = self.feed
        if feed.tok.kind in (LOCAL, "::"):
            return True
        return feed.tok.kind == IDENT and not self._is_mnemonic() and self._macro() is None

    def _is_mnemonic(self) -> bool:
        """Whether the current token is an instruction (and not a macro of that name)."""
        tok = self.feed.tok
        if tok.kind != IDENT or not is_mnemonic(tok.text, self.cpu):
            return False
        shadowed = "ubiquitous_idents" in self.syntax.features
        return not (shadowed and self.macros.find(tok.text) is not None)

    def _macro(self) -> Macro | None:
        tok = self.feed.tok
        return self.macros.find(tok.text) if tok.kind == IDENT else None

    def _definition(self) -> Symbol | None:
        """A label, which is returned, or an assignment."""
        feed = self.feed
        token = feed.tok
        symbol = self.symbols.parse()
        if feed.at("=", ":="):
            is_label = feed.at(":=")
            feed.next()
            self.define(symbol, expressions.expression(self), is_label=is_label, token=token)
            return None
        if feed.accept(".set"):
            value = Literal(expressions.constant(self))
            self.define(symbol, value, is_variable=True, token=token)
            return None
        if not feed.at(":") and (
            token.space or "labels_without_colons" not in self.syntax.features
        ):
            self._colon_missing(token, symbol)
            return None
        self.define(symbol, self.segments.here(), is_label=True, token=token)
        feed.accept(":")
        return symbol

    def _colon_missing(self, token: Token, symbol: Symbol) -> None:
        """A word that is nothing we know: a misspelt instruction or a bare label."""
        words = [*self.macros.names(), *instruction_set(self.cpu)]
        help = suggest(token.text, words) if token.kind == IDENT else None
        if f".{token.text.lower()}" in KEYWORDS:
            help = f"did you mean '.{token.text.lower()}'?"
        if help is None or self.feed.tok.ends_line:
            hint = "a label ends with ':'"
            help = f"{help} ({hint})" if help else hint
        self.error(
            f"':' expected: '{token.value}' is no instruction, macro or command", token, help=help
        )
        if self.feed.tok.ends_line:
            # it can only be a label: define it, so that its uses are no errors too
            self.define(symbol, self.segments.here(), is_label=True, token=token)
        self.feed.skip_line()

    def _command(self) -> None:
        feed = self.feed
        kind = feed.tok.kind
        if kind in CONDITIONALS:
            self.conditions.handle()
        elif (command := COMMANDS.get(kind)) is not None:
            feed.next()
            command(self)
        elif kind == ".define":
            define(self)
        elif kind == ".undefine":
            undefine(self)
        elif kind == ".end":
            feed.ended = True
            feed.next()
        elif kind == IDENT and self._is_mnemonic():
            assemble_instruction(self)
        elif (macro := self._macro()) is not None:
            self.macros.expand(macro)
        elif kind in ("*", "$") and "pc_assignment" in self.syntax.features:
            self._assign_pc()
        elif kind == UNKNOWN:
            feed.skip_line()  # it was reported when it was read
        elif kind.startswith("."):
            self.error_skip(f"Unexpected '{feed.tok.value}'")

    def _assign_pc(self) -> None:
        self.feed.next()
        if not self.feed.accept("="):
            self.error_skip("'=' expected")
            return
        segment_commands.set_origin(self)

    # -- definitions -------------------------------------------------------------

    def define(
        self,
        symbol: Symbol,
        expr: Expr,
        *,
        address_size: AddressSize = AddressSize.DEFAULT,
        is_label: bool = False,
        is_variable: bool = False,
        token: Token | None = None,
    ) -> None:
        """Give ``symbol`` its value; ``.set`` makes a variable, which may change."""
        fault = self._redefinition(symbol, is_variable)
        if fault is not None:
            notes = (("the first definition is", symbol.span),) if symbol.span else ()
            self.error(fault, token, notes=notes)
            return
        symbol.address_size = address_size or study(self, expr).size
        if is_variable and not symbol.defined:
            symbol.first_value = expr
        symbol.expr = expr
        symbol.defined = True
        symbol.is_label = symbol.is_label or is_label
        symbol.is_variable = is_variable
        if symbol.is_global:
            symbol.is_global, symbol.is_export = False, True
        symbol.span = self.feed.span(token) if token is not None else self.statement
        if symbol.is_export:
            if symbol.export_size is AddressSize.DEFAULT:
                symbol.export_size = symbol.address_size
            else:
                warn_if_larger(self, symbol)
        if symbol.parent is None:
            self.symbols.owner = symbol

    def _redefinition(self, symbol: Symbol, is_variable: bool) -> str | None:
        name = symbol.name
        if symbol.is_import:
            return f"Symbol '{name}' is already an import"
        if is_variable and (symbol.is_export or symbol.is_global):
            return f"Var symbol '{name}' cannot be an export or global symbol"
        if symbol.defined and not symbol.is_variable:
            return f"Symbol '{name}' is already defined"
        if symbol.defined and not is_variable:
            return f"Symbol '{name}' is already different kind"
        return None

    def optional_address_size(self) -> AddressSize:
        """Read ``: zeropage`` or the like; DEFAULT when there is no colon."""
        feed = self.feed
        if not feed.accept(":"):
            return AddressSize.DEFAULT
        word = feed.tok.text.lower() if feed.at(IDENT) else ""
        size = ADDRESS_SIZES.get(word)
        if size is None:
            self.error(
                "Address size specifier expected",
                help=suggest(word, ADDRESS_SIZES) or "one of zeropage, absolute",
            )
            size = AddressSize.DEFAULT
        elif size > AddressSize.ABSOLUTE and self.cpu != "none":
            self.error("Invalid address size specification for current CPU")
            size = AddressSize.DEFAULT
        if not feed.tok.ends_line:
            feed.next()
        return size

    def add_assertion(self, expr: Expr, action: Action, message: str, late: bool = False) -> None:
        """Remember an assertion; ``late`` ones are for the linker only."""
        self.assertions.append((Assertion(expr, action, message, self.statement), late))

    # -- messages --------------------------------------------------------------------

    def error(
        self,
        message: str,
        token: Token | None = None,
        *,
        help: str | None = None,
        notes: tuple[tuple[str, Span], ...] = (),
        candidates: Iterable[str] | None = None,
    ) -> None:
        """Report an error at a token (default: the current one)."""
        if help is None and candidates is not None:
            wanted = str((token or self.feed.tok).value)
            help = suggest(wanted, candidates)
        self.diagnostics.error(message, self.feed.span(token), help, notes)

    def error_at(self, message: str, token: Token, help: str | None = None) -> None:
        """Report an error about characters that are no token."""
        self.diagnostics.error(
            message, Span(token.source, token.line, token.col, token.length), help
        )

    def error_at_span(self, message: str, span: Span | None, help: str | None = None) -> None:
        """Report an error at another place than the current token."""
        self.diagnostics.error(message, span, help)

    def error_skip(
        self,
        message: str,
        token: Token | None = None,
        *,
        help: str | None = None,
        notes: tuple[tuple[str, Span], ...] = (),
    ) -> None:
        """Report an error at a token (default: the current one) and skip the line's rest."""
        self.error(message, token, help=help, notes=notes)
        self.feed.skip_line()

    def reported_here(self) -> bool:
        """Whether the last thing said is an error at the current token.

        Whatever is wrong there besides is most likely the same slip.
        """
        last = self.diagnostics.items[-1:]
        return any(d.severity is Severity.ERROR and d.span == self.feed.span() for d in last)

    def warning(self, message: str, span: Span | None = None, help: str | None = None) -> None:
        """Report something suspicious in the current statement."""
        self.diagnostics.warning(message, span or self.statement, help)

    def fatal(self, message: str) -> None:
        """Report an error after which assembly cannot go on. Raises FatalError."""
        self.diagnostics.error(message, self.statement)
        raise FatalError
