"""The reader of statements: each is expanded, taken apart and carried out before the next is read.

What a statement means depends on those before it, down to its tokens: on macros, ``.define``,
switched features, the CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from romproof.text.diagnostic import suggest
from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.directives import command_of
from romproof.toolchains.ca65.asm.directives.linkage import COMMANDS as OF_LINKAGE
from romproof.toolchains.ca65.asm.directives.text import COMMANDS as OF_TEXT
from romproof.toolchains.ca65.asm.instructions import assemble_instruction
from romproof.toolchains.ca65.asm.macro import Macro
from romproof.toolchains.ca65.asm.mnemonics import instruction_set, is_mnemonic
from romproof.toolchains.ca65.asm.symbol import SymbolEntry
from romproof.toolchains.ca65.asm.tokens import (
    CONDITIONALS,
    EOF,
    EOL,
    IDENT,
    KEYWORDS,
    LOCAL,
    ULABEL,
    UNKNOWN,
    Token,
)
from romproof.toolchains.ca65.obj.expr import Literal

_USUAL: Final[dict[str, Callable[[Assembly], None]]] = {**OF_LINKAGE, **OF_TEXT}
"""Commands that few sources do without; the other topics are imported when one is met."""


def read_statements(asm: Assembly) -> None:
    """Carry out all statements of the source, and of what it includes."""
    _Statements(asm).read()


class _Statements:
    """Reads statements, from the current token on."""

    def __init__(self, asm: Assembly) -> None:
        self._assembly = asm
        asm.conditions.decide = self._decide
        asm.feed.run_function = self._run_function

    def read(self) -> None:
        """All up to the source's end."""
        feed = self._assembly.feed
        feed.next()
        while feed.tok.kind != EOF:
            self._statement()
            if feed.tok.kind == EOL:
                feed.next()

    def _decide(self, word: str) -> bool:
        """Whether the condition holds that follows a word."""
        from romproof.toolchains.ca65.asm.directives.conditionals import TESTS

        return TESTS[word](self._assembly)

    def _run_function(self, name: str) -> None:
        """Replace a function of tokens by what it gives."""
        from romproof.toolchains.ca65.asm.token_functions import run

        run(self._assembly, name)

    def _statement(self) -> None:
        feed = self._assembly.feed
        if not feed.inserted:
            at = feed.tok  # behind a comment of several lines it begins further down
            feed.record.line_read(at.source, at.line, len(feed.files))
            feed.record.statement()
        if feed.tok.kind == EOL:
            return
        feed.begin_statement()
        segments = self._assembly.segments
        segments.line_is_code = False
        section, start = segments.current, len(segments.current.data)
        if feed.accept(":"):
            self._assembly.unnamed.define()
        if feed.at(ULABEL) and self._assembly.settings.syntax.dialect.marked_unnamed:
            self._define_unnamed()
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
            feed.record.note_size()
        if segments.wants_lines:
            segments.record_line(start, section, feed.statement)
        feed.expect_line_end()

    def _define_unnamed(self) -> None:
        """``@:``, at its first character."""
        feed = self._assembly.feed
        if feed.tok.number != 0:
            feed.error("Invalid unnamed label definition", help="it is '@:'")
        self._assembly.unnamed.define()
        feed.next()
        if feed.accept(":"):
            return
        features = self._assembly.settings.syntax.features
        if feed.tok.space or "labels_without_colons" not in features:
            feed.error("':' expected")

    def _starts_with_name(self) -> bool:
        feed = self._assembly.feed
        if feed.tok.kind in (LOCAL, "::"):
            return True
        return feed.tok.kind == IDENT and not self._is_mnemonic() and self._macro() is None

    def _is_mnemonic(self) -> bool:
        """Whether the current token is an instruction (and not a macro of that name)."""
        tok = self._assembly.feed.tok
        if tok.kind != IDENT or not is_mnemonic(tok.text, self._assembly.settings.cpu):
            return False
        shadowed = "ubiquitous_idents" in self._assembly.settings.syntax.features
        return not (shadowed and self._assembly.macros.find(tok.text) is not None)

    def _macro(self) -> Macro | None:
        tok = self._assembly.feed.tok
        return self._assembly.macros.find(tok.text) if tok.kind == IDENT else None

    def _definition(self) -> SymbolEntry | None:
        """A label, which is returned, or an assignment."""
        feed = self._assembly.feed
        token = feed.tok
        symbol = self._assembly.symbols.parse()
        if feed.at("=", ":="):
            is_label = feed.at(":=")
            feed.next()
            self._assembly.symbols.define(
                symbol, self._assembly.expressions.expression(), is_label=is_label, token=token
            )
            return None
        if feed.accept(".set"):
            value = Literal(self._assembly.expressions.constant())
            self._assembly.symbols.define(symbol, value, is_variable=True, token=token)
            return None
        if not feed.at(":") and (
            token.space or "labels_without_colons" not in self._assembly.settings.syntax.features
        ):
            self._colon_missing(token, symbol)
            return None
        self._assembly.symbols.define(
            symbol, self._assembly.segments.here(), is_label=True, token=token
        )
        feed.accept(":")
        return symbol

    def _colon_missing(self, token: Token, symbol: SymbolEntry) -> None:
        """A word that is nothing we know: a misspelt instruction or a bare label."""
        words = [*self._assembly.macros.names(), *instruction_set(self._assembly.settings.cpu)]
        help = suggest(token.text, words) if token.kind == IDENT else None
        if f".{token.text.lower()}" in KEYWORDS:
            help = f"did you mean '.{token.text.lower()}'?"
        if help is None or self._assembly.feed.tok.ends_line:
            hint = "a label ends with ':'"
            help = f"{help} ({hint})" if help else hint
        self._assembly.feed.error(
            f"':' expected: '{token.value}' is not an instruction, macro or command",
            token,
            help=help,
        )
        if self._assembly.feed.tok.ends_line:
            # it can only be a label: define it, so that its uses are no errors too
            self._assembly.symbols.define(
                symbol, self._assembly.segments.here(), is_label=True, token=token
            )
        self._assembly.feed.skip_line()

    def _command(self) -> None:
        feed = self._assembly.feed
        kind = feed.tok.kind
        if kind in CONDITIONALS:
            self._assembly.conditions.handle()
        elif (command := _USUAL.get(kind) or command_of(kind)) is not None:
            feed.next()
            command(self._assembly)
        elif kind in (".define", ".undefine"):
            from romproof.toolchains.ca65.asm.directives.text import define, undefine

            (define if kind == ".define" else undefine)(self._assembly)
        elif kind == ".end":
            feed.ended = True
            feed.next()
        elif kind == IDENT and self._is_mnemonic():
            assemble_instruction(self._assembly)
        elif (macro := self._macro()) is not None:
            self._assembly.macros.expand(macro)
        elif kind in ("*", "$") and "pc_assignment" in self._assembly.settings.syntax.features:
            self._assign_pc()
        elif kind == UNKNOWN:
            feed.skip_line()  # it was reported when it was read
        elif kind.startswith("."):
            self._assembly.feed.error_skip(f"Unexpected '{feed.tok.value}'")

    def _assign_pc(self) -> None:
        self._assembly.feed.next()
        if not self._assembly.feed.accept("="):
            self._assembly.feed.error_skip("'=' expected")
            return
        from romproof.toolchains.ca65.asm.directives.segments import set_origin

        set_origin(self._assembly)
