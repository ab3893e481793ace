"""All that one run over one source fills: what statements are carried out with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm.conditions import Conditions
from romproof.toolchains.ca65.asm.expressions import Expressions
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.files import Files
from romproof.toolchains.ca65.asm.macros import Macros
from romproof.toolchains.ca65.asm.messages import Messages
from romproof.toolchains.ca65.asm.options import Options
from romproof.toolchains.ca65.asm.record import Record
from romproof.toolchains.ca65.asm.segments import Segments, UnnamedLabels
from romproof.toolchains.ca65.asm.settings import Settings
from romproof.toolchains.ca65.asm.silent import Silent
from romproof.toolchains.ca65.asm.study import PartialEvaluator
from romproof.toolchains.ca65.asm.symbols import Symbols
from romproof.toolchains.ca65.obj.expr import Expr
from romproof.toolchains.ca65.obj.object import Action, Assertion

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.listing import Listing


class Assertions:
    """What was asserted so far; with each, whether only the linker looks at it."""

    def __init__(self, messages: Messages, record: Silent) -> None:
        self._messages = messages
        self._record = record
        self.all: list[tuple[Assertion, bool]] = []

    def add(self, expr: Expr, action: Action, message: str, late: bool = False) -> None:
        """Remember an assertion of the current statement; ``late`` ones are for the linker only."""
        self._record.assertion(expr, (action is Action.ERROR) | 2 * late, message)
        self.all.append((Assertion(expr, action, message, self._messages.statement), late))


def _listing(options: Options) -> Listing:
    from romproof.toolchains.ca65.asm.listing import Listing

    return Listing(options.list_bytes, options.page_length)


class Assembly:
    """The tables of a source and what reads it, each made from those above it. Directives and
    instructions are functions of an assembly."""

    def __init__(self, source: Source, options: Options, diagnostics: Diagnostics) -> None:
        self.options = options
        self.settings = Settings.of(options)
        syntax = self.settings.syntax
        record: Silent = Silent()
        if options.tables:
            record = Record(options.debug_info, _listing(options) if options.listed else None)
        self.feed = Feed(source, syntax, diagnostics, options.progress, record)
        self.files = Files(self.feed, options)
        self.conditions = Conditions(self.feed)
        self.macros = Macros(self.feed, self.settings, self.conditions)
        self.segments = Segments(self.feed, syntax, far_code=options.far_code)
        self.segments.wants_lines = not options.only_file
        record.fill_places(self.segments)
        self.unnamed = UnnamedLabels(self.feed, self.segments)
        self.evaluator = PartialEvaluator(self.feed, self.segments, self.unnamed)
        self.symbols = Symbols(self.feed, self.segments, self.evaluator)
        self.expressions = Expressions(self, self.segments, self.unnamed, self.evaluator)
        self.assertions = Assertions(self.feed, record)
        self.feed.defines = self.macros
        self.feed.conditions = self.conditions
