"""The assembler: reads statements one after the other and carries them out."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from romproof.support.reading import read_text
from romproof.support.recursion import deep_recursion
from romproof.text.diagnostic import BuildFailed, Diagnostics, TooManyErrors, suggest
from romproof.text.span import Source
from romproof.toolchains.ca65.asm.assertions import Assertions
from romproof.toolchains.ca65.asm.conditions import Conditions
from romproof.toolchains.ca65.asm.directives import command_of
from romproof.toolchains.ca65.asm.directives.linkage import COMMANDS as OF_LINKAGE
from romproof.toolchains.ca65.asm.directives.text import COMMANDS as OF_TEXT
from romproof.toolchains.ca65.asm.expressions import Expressions
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.files import Files
from romproof.toolchains.ca65.asm.finish import finish, object_for_file
from romproof.toolchains.ca65.asm.instructions import assemble_instruction
from romproof.toolchains.ca65.asm.macro import Macro
from romproof.toolchains.ca65.asm.macros import Macros
from romproof.toolchains.ca65.asm.messages import FatalError
from romproof.toolchains.ca65.asm.mnemonics import instruction_set, is_mnemonic
from romproof.toolchains.ca65.asm.options import Options
from romproof.toolchains.ca65.asm.record import Record
from romproof.toolchains.ca65.asm.segments import Segments, UnnamedLabels
from romproof.toolchains.ca65.asm.settings import Settings
from romproof.toolchains.ca65.asm.silent import Silent
from romproof.toolchains.ca65.asm.study import Evaluator
from romproof.toolchains.ca65.asm.symbol import Symbol
from romproof.toolchains.ca65.asm.symbols import Symbols
from romproof.toolchains.ca65.asm.targets import TARGETS
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
from romproof.toolchains.ca65.obj.expr import Literal
from romproof.toolchains.ca65.obj.object import Object
from romproof.toolchains.ca65.obj.tables import OPTION_TIME, OPTION_TRANSLATOR

if TYPE_CHECKING:
    from romproof.text.paths import Name
    from romproof.toolchains.ca65.asm.listing import Listing


RECURSION_LIMIT: Final = 20_000
"""Python frames; expressions and macros inside each other need them."""


TRANSLATOR: Final = "ca65 V2.19 - romproof"
"""What objects say they are made by."""


def assemble(path: Name, options: Options, diagnostics: Diagnostics) -> Object:
    """Assemble the file ``path``.

    Warnings are added to ``diagnostics``; so are errors, and then BuildFailed
    is raised with all of them.
    """
    name = os.fspath(path)
    try:
        text = read_text(name)
    except OSError as fault:
        diagnostics.error(f"Cannot open input file '{name}': {fault.strerror}")
        raise BuildFailed(diagnostics.items) from None
    if options.reading is not None:
        options.reading(name)
    return assemble_source(Source(name, text), options, diagnostics)


def assemble_source(source: Source, options: Options, diagnostics: Diagnostics) -> Object:
    """Assemble text that is already in memory; as :func:`assemble`."""
    limited = Diagnostics(limit=diagnostics.limit)
    result: Object | None = None
    try:
        assembler = Assembler(source, options, limited)
        with deep_recursion(RECURSION_LIMIT):
            result = assembler.run()
    except (FatalError, TooManyErrors):
        pass
    except RecursionError:
        what = "An expression or macro is nested too deeply"
        limited.error(what, assembler.feed.statement, help="split it up")
    diagnostics.items.extend(limited.items)
    diagnostics.errors += limited.errors
    if limited.errors or result is None:
        raise BuildFailed(limited.items)
    return result


_USUAL: Final[dict[str, Callable[[Assembler], None]]] = {**OF_LINKAGE, **OF_TEXT}
"""Commands that few sources do without; the other topics are imported when one is met."""


def _listing(options: Options) -> Listing:
    from romproof.toolchains.ca65.asm.listing import Listing

    return Listing(options.list_bytes, options.page_length)


class Assembler:
    """All state of one run over one source file."""

    def __init__(self, source: Source, options: Options, diagnostics: Diagnostics) -> None:
        self.options = options
        self.settings = Settings.of(options)
        syntax = self.settings.syntax
        record: Silent = Silent()
        if options.tables:
            record = Record(options.debug_info, _listing(options) if options.listed else None)
        self.feed = Feed(source, syntax, diagnostics, options.progress, record)
        self.files = Files(self.feed, options)
        self.conditions = Conditions(self.feed, self._test)
        self.macros = Macros(self.feed, self.settings, self.conditions)
        self.segments = Segments(self.feed, syntax, far_code=options.far_code)
        record.fill_places(self.segments)
        self.unnamed = UnnamedLabels(self.feed, self.segments)
        self.evaluator = Evaluator(self.feed, self.segments, self.unnamed)
        self.symbols = Symbols(self.feed, self.segments, self.evaluator)
        self.expressions = Expressions(self, self.segments, self.unnamed, self.evaluator)
        self.assertions = Assertions(self.feed, record)
        self.feed.defines = self.macros
        self.feed.conditions = self.conditions
        self.feed.run_function = self._run_function

    def run(self) -> Object:
        """Assemble everything and give the object."""
        predefined = [(name, 1) for name in TARGETS[self.options.target]]
        for name, value in (*predefined, *self.options.defines):
            symbol = self.symbols.own(name)
            if symbol.defined:
                self.feed.error_at_span(f"'{name}' is already defined", None, "by -D or -t")
                raise FatalError
            self.symbols.define(symbol, Literal(value))
        self.symbols.owner = None
        self.files.main(self.feed.sources[0])
        self.feed.record.option(OPTION_TRANSLATOR, TRANSLATOR)
        self.feed.record.option(OPTION_TIME, "")
        self.segments.wants_lines = not self.options.only_file
        self.feed.next()
        while self.feed.tok.kind != EOF:
            self._line()
            if self.feed.tok.kind == EOL:
                self.feed.next()
        finish(self)
        if self.options.only_file:
            made = object_for_file(self)
        else:
            from romproof.toolchains.ca65.asm.for_linker import object_for_linker

            made = object_for_linker(self)
        record = self.feed.record
        if isinstance(record, Record) and record.listing is not None and self.options.listed:
            self.options.listed(record.listing.text(TRANSLATOR, made.name))
        return made

    def _test(self, name: str) -> bool:
        """What a condition comes to."""
        from romproof.toolchains.ca65.asm.directives.conditionals import TESTS

        return TESTS[name](self)

    def _run_function(self, name: str) -> None:
        """Replace a function of tokens by what it gives."""
        from romproof.toolchains.ca65.asm.token_functions import run

        run(self, name)

    # -- statements --------------------------------------------------------------

    def _line(self) -> None:
        feed = self.feed
        if not feed.inserted:
            at = feed.tok  # behind a comment of several lines it begins further down
            feed.record.line_read(at.source, at.line, len(feed.files))
            feed.record.statement()
        if feed.tok.kind == EOL:
            return
        feed.begin_statement()
        segments = self.segments
        segments.line_is_code = False
        section, start = segments.current, len(segments.current.data)
        if feed.accept(":"):
            self.unnamed.define()
        label = None
        if self._starts_with_name():
            label = self._definition()
            if label is None:
                feed.expect_line_end()
                return
        self._command()
        if label is not None:
            same = segments.current is section
            label.size = len(section.data) - start if same else 0
            feed.record.sized()
        if segments.wants_lines:
            segments.record_line(start, section, feed.statement)
        feed.expect_line_end()

    def _starts_with_name(self) -> bool:
        feed = self.feed
        if feed.tok.kind in (LOCAL, "::"):
            return True
        return feed.tok.kind == IDENT and not self._is_mnemonic() and self._macro() is None

    def _is_mnemonic(self) -> bool:
        """Whether the current token is an instruction (and not a macro of that name)."""
        tok = self.feed.tok
        if tok.kind != IDENT or not is_mnemonic(tok.text, self.settings.cpu):
            return False
        shadowed = "ubiquitous_idents" in self.settings.syntax.features
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
            self.symbols.define(
                symbol, self.expressions.expression(), is_label=is_label, token=token
            )
            return None
        if feed.accept(".set"):
            value = Literal(self.expressions.constant())
            self.symbols.define(symbol, value, is_variable=True, token=token)
            return None
        if not feed.at(":") and (
            token.space or "labels_without_colons" not in self.settings.syntax.features
        ):
            self._colon_missing(token, symbol)
            return None
        self.symbols.define(symbol, self.segments.here(), is_label=True, token=token)
        feed.accept(":")
        return symbol

    def _colon_missing(self, token: Token, symbol: Symbol) -> None:
        """A word that is nothing we know: a misspelt instruction or a bare label."""
        words = [*self.macros.names(), *instruction_set(self.settings.cpu)]
        help = suggest(token.text, words) if token.kind == IDENT else None
        if f".{token.text.lower()}" in KEYWORDS:
            help = f"did you mean '.{token.text.lower()}'?"
        if help is None or self.feed.tok.ends_line:
            hint = "a label ends with ':'"
            help = f"{help} ({hint})" if help else hint
        self.feed.error(
            f"':' expected: '{token.value}' is no instruction, macro or command", token, help=help
        )
        if self.feed.tok.ends_line:
            # it can only be a label: define it, so that its uses are no errors too
            self.symbols.define(symbol, self.segments.here(), is_label=True, token=token)
        self.feed.skip_line()

    def _command(self) -> None:
        feed = self.feed
        kind = feed.tok.kind
        if kind in CONDITIONALS:
            self.conditions.handle()
        elif (command := _USUAL.get(kind) or command_of(kind)) is not None:
            feed.next()
            command(self)
        elif kind in (".define", ".undefine"):
            from romproof.toolchains.ca65.asm.directives.text import define, undefine

            (define if kind == ".define" else undefine)(self)
        elif kind == ".end":
            feed.ended = True
            feed.next()
        elif kind == IDENT and self._is_mnemonic():
            assemble_instruction(self)
        elif (macro := self._macro()) is not None:
            self.macros.expand(macro)
        elif kind in ("*", "$") and "pc_assignment" in self.settings.syntax.features:
            self._assign_pc()
        elif kind == UNKNOWN:
            feed.skip_line()  # it was reported when it was read
        elif kind.startswith("."):
            self.feed.error_skip(f"Unexpected '{feed.tok.value}'")

    def _assign_pc(self) -> None:
        self.feed.next()
        if not self.feed.accept("="):
            self.feed.error_skip("'=' expected")
            return
        from romproof.toolchains.ca65.asm.directives.segments import set_origin

        set_origin(self)
