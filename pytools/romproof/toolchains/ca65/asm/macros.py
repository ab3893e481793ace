"""Macros: ``.macro`` for whole statements, ``.define`` for parts of a line.

Both are lists of tokens. Parameters are replaced when they are played;
locals get a name no source can spell, new for each expansion.
"""

from __future__ import annotations

from typing import Final

from romproof.text.span import Span, Via
from romproof.toolchains.ca65.asm.conditions import Conditions
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.macro import Macro, MacroFrame
from romproof.toolchains.ca65.asm.messages import FatalError
from romproof.toolchains.ca65.asm.mnemonics import is_mnemonic
from romproof.toolchains.ca65.asm.settings import Settings
from romproof.toolchains.ca65.asm.tokens import EOF, EOL, IDENT, LOCAL, Token
from romproof.toolchains.ca65.obj.dialect import Change

MAX_EXPANSIONS: Final = 256
"""Macros inside macros, as in ca65; more is taken for endless recursion."""


class Macros:
    """All macros that are defined at the current token."""

    def __init__(self, feed: Feed, settings: Settings, conditions: Conditions) -> None:
        self._feed = feed
        self._settings = settings
        self._conditions = conditions
        dialect = settings.syntax.dialect
        self._ends_anywhere = Change.LINE_OF_ENDMACRO not in dialect
        self._table: dict[str, Macro] = {}
        self._expansions = 0
        self._locals = 0

    def find(self, name: str) -> Macro | None:
        """The ``.macro`` macro of this name, or None."""
        macro = self._table.get(name)
        return None if macro is None or macro.is_define else macro

    def names(self) -> list[str]:
        """The names of all ``.macro`` macros, for suggestions."""
        return [name for name, macro in self._table.items() if not macro.is_define]

    # -- definition ----------------------------------------------------------

    def define(self, is_define: bool) -> None:
        """Read a definition; the current token is the macro's name."""
        feed = self._feed
        name = feed.tok
        fault = None
        notes: tuple[tuple[str, Span], ...] = ()
        if name.kind != IDENT:
            fault = "Identifier expected"
        elif self._is_reserved(name.text):
            fault = "Cannot use an instruction as macro name"
        elif name.text in self._table:
            fault = f"A macro named '{name.text}' is already defined"
            notes = (("the first definition is", self._table[name.text].span),)
        if fault is not None:
            feed.error(fault, notes=notes)
            self._skip_definition(is_define)
            return
        macro = Macro(name.text, is_define, feed.span())
        self._table[name.text] = macro
        if is_define:
            feed.define_names.add(name.text)
        feed.raw += 1
        feed.next()
        self._read_params(macro)
        self._read_body(macro)
        feed.raw -= 1

    def _is_reserved(self, name: str) -> bool:
        """Whether macros may not have a name because it is an instruction's."""
        settings = self._settings
        shadowing = "ubiquitous_idents" in settings.syntax.features
        return not shadowing and is_mnemonic(name, settings)

    def _skip_definition(self, is_define: bool) -> None:
        feed = self._feed
        if not is_define:
            starts_line = self._ends_anywhere
            while not (feed.at(EOF) or (starts_line and feed.at(".endmacro"))):
                starts_line = self._ends_anywhere or feed.at(EOL)
                feed.next()
            if feed.at(EOF):
                raise self._report_unclosed()
        feed.skip_line()

    def _read_params(self, macro: Macro) -> None:
        feed = self._feed
        parentheses = macro.is_define and feed.accept("(")
        if not macro.is_define or parentheses:
            while feed.at(IDENT):
                if feed.tok.text in macro.params:
                    feed.error(f"Duplicate symbol '{feed.tok.text}'")
                macro.params.append(feed.tok.text)
                feed.next()
                if not feed.accept(","):
                    break
        if not macro.is_define:
            feed.expect_line_end()
            if feed.tok.kind == EOL:
                feed.next()
        elif parentheses:
            feed.expect(")")

    def _read_body(self, macro: Macro) -> None:
        feed = self._feed
        starts_line = True
        while not self._ends_body(macro, starts_line):
            if feed.at(EOF):
                raise self._report_unclosed(("the macro starts", macro.span))
            if feed.at(".local") and not macro.is_define:
                self._read_locals(macro)
                continue
            macro.add(feed.tok)
            starts_line = feed.at(EOL)
            feed.next()
        if not macro.is_define:
            feed.next()
        macro.complete = True

    def _ends_body(self, macro: Macro, starts_line: bool) -> bool:
        """Whether a macro ends at the current token, which may be the first word of a line."""
        if macro.is_define:
            return self._feed.tok.ends_line
        return self._feed.at(".endmacro") and (starts_line or self._ends_anywhere)

    def _report_unclosed(self, *notes: tuple[str, Span]) -> FatalError:
        """The source has ended in a macro. What it swallowed was not assembled, so what would be
        said of symbols without a definition is not true, and is left out."""
        feed = self._feed
        feed.error("'.ENDMACRO' expected", notes=notes)
        self._conditions.close_file(feed.files[0])
        return FatalError()

    def _read_locals(self, macro: Macro) -> None:
        feed = self._feed
        while True:
            feed.next()
            if not feed.at(IDENT, LOCAL):
                feed.error_skip("Identifier expected")
                break
            macro.declare(feed.tok.text)
            feed.next()
            if not feed.at(","):
                break
        feed.end_statement()

    def undefine(self, is_define: bool) -> None:
        """Forget the macro named by the current token."""
        feed = self._feed
        if not feed.at(IDENT):
            feed.error_skip("Identifier expected")
            return
        name = feed.tok.text
        macro = self._table.get(name)
        if macro is None or macro.is_define != is_define:
            feed.error(f"No such macro: {name}", candidates=self._table)
        elif macro.active:
            feed.error("Cannot delete a macro that is currently expanded")
        else:
            del self._table[name]
            feed.define_names.discard(name)
        feed.next()

    # -- expansion -----------------------------------------------------------

    def expand_define(self, name: str) -> None:
        """Play the ``.define`` macro ``name``; the current token is its name."""
        self.expand(self._table[name])

    def expand(self, macro: Macro) -> None:
        """Play a macro; the current token is its name."""
        feed = self._feed
        if not macro.complete:
            feed.error("Cannot expand an incomplete macro")
            return
        if feed.macro_depth >= MAX_EXPANSIONS:
            feed.fatal(f"Too many nested macro expansions: '{macro.name}' expands itself")
            return
        what = "in .define" if macro.is_define else "in macro"
        via = Via(f"{what} '{macro.name}', used", feed.span())
        self._expansions += 1
        number = self._expansions
        lines = feed.record.enter_macro()
        first_local = self._locals
        self._locals += macro.local_count
        args = self._define_args(macro) if macro.is_define else self._classic_args(macro)
        if args is None:
            return
        frame = MacroFrame(feed, self._conditions, macro, args, via, number, lines, first_local)
        if macro.is_define:
            # the token after the call was read to find its end: play it last
            frame.final = feed.tok
        else:
            feed.expect_line_end()
        feed.insert(frame)

    def _classic_args(self, macro: Macro) -> list[list[Token]] | None:
        feed = self._feed
        args: list[list[Token]] = []
        feed.next()
        while not feed.tok.ends_line or args:
            if len(args) >= len(macro.params):
                feed.error_skip(
                    "Too many macro parameters",
                    help=f"'{macro.name}' takes {len(macro.params)}",
                    notes=(("it is defined", macro.span),),
                )
                break
            end = feed.list_end(",")
            arg: list[Token] = []
            while feed.tok.kind not in (end, EOL):
                if feed.at(EOF):
                    feed.error("Unexpected end of file")
                    return None
                arg.append(feed.tok)
                feed.next()
            args.append(arg)
            if end == "}":
                if feed.at(EOL):
                    feed.error("End of line encountered within macro argument")
                    break
                feed.next()
            if not feed.accept(","):
                break
        return args

    def _define_args(self, macro: Macro) -> list[list[Token]] | None:
        feed = self._feed
        args: list[list[Token]] = []
        feed.next()
        for number in range(1, len(macro.params) + 1):
            end = feed.list_end(",")
            if feed.tok.ends_line or feed.at(end):
                feed.error_skip(f"Macro parameter #{number} is empty")
                return None
            arg: list[Token] = []
            while feed.tok.kind != end and not feed.tok.ends_line:
                arg.append(feed.tok)
                feed.next()
            args.append(arg)
            if end == "}":
                if feed.tok.ends_line:
                    feed.error("End of line encountered within macro argument")
                    break
                feed.next()
            if number < len(macro.params):
                feed.expect(",")
        return args
