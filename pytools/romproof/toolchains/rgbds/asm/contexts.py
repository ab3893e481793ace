"""The stack of contexts: what is read at the moment, and what it came from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from romproof.support.reading import MAX_TEXT, read_input
from romproof.text.span import Source, Span, Via
from romproof.toolchains.rgbds.asm.context import (
    Came,
    Context,
    Loop,
    MacroArguments,
    StatementSpot,
    UniqueName,
    loop_node,
)
from romproof.toolchains.rgbds.asm.growth import Growth
from romproof.toolchains.rgbds.asm.model import Symbol
from romproof.toolchains.rgbds.asm.options import RgbdsOptions
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.asm.settings import Settings
from romproof.toolchains.rgbds.obj.model import Node, NodeKind, SourcePosition
from romproof.toolchains.rgbds.obj.opmath import wrap


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file as it was read: what messages show, and the same as one character a byte."""

    name: str
    shown: str
    text: str


def source_text(name: str, data: bytes) -> SourceText:
    """A file's contents."""
    return SourceText(name, data.decode("utf-8", "surrogateescape"), data.decode("latin-1"))


class Contexts:
    """The stack. ``current`` is the context being read; ``entered`` is the one that the next line
    comes from, if it changes."""

    def __init__(
        self, options: RgbdsOptions, settings: Settings, report: Reporter, growth: Growth
    ) -> None:
        self._show_quiet = options.show_quiet
        self._dialect = options.dialect
        self._settings = settings
        self._report = report
        self._growth = growth
        self._unique_names = 0
        self._paths: dict[Symbol, str] = {}  # of macros that were called
        self.stack: list[Context] = []
        self.current: Context
        self.entered: Context | None = None
        self.sources: list[Source] = []

    @property
    def top(self) -> Context:
        """The innermost context."""
        return self.stack[-1]

    @property
    def line(self) -> int:
        """The current line."""
        return self.current.line

    def place(self) -> SourcePosition:
        """Where the assembler is reading."""
        if not self.stack:
            raise AssertionError("there is no position before the first source")
        return SourcePosition(self.stack[-1].node, self.current.line, StatementSpot(self.current))

    def span(self) -> Span | None:
        """The place that messages name; None before the first source."""
        return self.current.span() if self.stack else None

    @property
    def arguments(self) -> MacroArguments | None:
        """The arguments of the current macro."""
        return self.top.arguments if self.stack else None

    def unique_name(self) -> str | None:
        """What ``\\@`` denotes; None outside of macros and loops."""
        holder = self.top.unique
        if holder is None:
            return None
        if not holder.text:
            self._unique_names += 1
            holder.text = f"_u{self._unique_names}"
        return holder.text

    def _hides(self, node: Node) -> bool:
        """Whether messages leave a node out."""
        return node.quiet and not self._show_quiet

    # -- entering ---------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """How many files, macros, loops and symbols are being read in each other."""
        return len(self.stack) + len(self.current.expansions)

    def _check_depth(self) -> None:
        most = self._settings.recursion_depth
        if len(self.stack) > most:
            self._report.fatal(f"Recursion limit ({most}) exceeded")

    def _push(self, context: Context, now: bool = False) -> None:
        context.line = context.first_line
        self.stack.append(context)
        if now:
            self.current = context
        else:
            self.entered = context

    def switch(self) -> Context:
        """What was entered is read from now on."""
        assert self.entered is not None
        self.current, self.entered = self.entered, None
        return self.current

    def enter_file(self, file: SourceText, quiet: bool = False) -> None:
        """Read a file next; the first one at once."""
        self._check_depth()
        outer = self.stack[-1] if self.stack else None
        via = None
        if outer is not None and self.current.line:
            via = Via("included", self.current.statement_span())
        if self._dialect is not None:
            in_form = self._dialect.in_todays_form
            file = SourceText(file.name, in_form(file.shown), in_form(file.text))
        source = Source(file.name, file.shown, via)
        self.sources.append(source)
        node = Node(
            NodeKind.FILE,
            file.name,
            outer.node if outer else None,
            self.current.line if outer else 0,
            quiet=quiet,
        )
        self._push(
            Context(
                node,
                source,
                file.text,
                arguments=outer.arguments if outer else None,
                unique=outer.unique if outer else None,
                shown_as=via.span if via and self._hides(node) else None,
            ),
            now=outer is None,
        )

    def enter_macro(self, symbol: Symbol, arguments: MacroArguments, quiet: bool) -> None:
        """Read a macro's body next."""
        body = symbol.macro
        assert body is not None
        self._check_depth()
        if self.top.node.kind is not NodeKind.FILE:  # else there are as many as the file has lines
            self._growth.body(body.text, self.depth)
        came = Came(f"in macro '{symbol.name}', called", StatementSpot(self.current))
        quiet = quiet or body.quiet
        path = self._paths.get(symbol)
        if path is None:
            path = self._paths[symbol] = _macro_path(symbol)
        node = Node(NodeKind.MACRO, path, self.stack[-1].node, self.current.line, quiet=quiet)
        self._push(
            Context(
                node,
                body.source,
                body.text,
                body.line,
                arguments,
                UniqueName(),
                came=came,
                shown_as=came.spot if self._hides(node) else None,
            )
        )

    def run_loop(self, loop: Loop, body: str, line: int, source: Source, quiet: bool) -> None:
        """Read a loop's body next, as often as the loop says. ``line`` is that of its start."""
        if loop.count == 0:
            return
        self._check_depth()
        outer = self.top
        around = outer.node.iterations if outer.node.kind is NodeKind.REPT else ()
        node = Node(NodeKind.REPT, "", outer.node, line, (1, *around), quiet)
        came: Via | Came | None = loop.came(1)
        shown_as = None
        if self._hides(node):
            # the loop is left out, but not the line in it
            came, shown_as, loop.start = outer.came, outer.shown_as, None
        self._push(
            Context(node, source, body, line, outer.arguments, UniqueName(), loop, came, shown_as)
        )

    def break_loop(self) -> bool:
        """BREAK: no further turns; False, after an error, outside of a loop."""
        loop = self.top.loop
        if loop is None:
            self._report.error("`BREAK` can only be used inside a loop (`REPT`/`FOR` block)")
            return False
        loop.count = 0
        return True

    # -- leaving ----------------------------------------------------------------------------

    def leave(self) -> bool:
        """The current text is at its end: go on with what is around it; True if nothing is."""
        context = self.current
        open_ = len(context.conditionals)
        if open_:
            s = "" if open_ == 1 else "s"
            self._report.fatal(
                f"Ended block with {open_} unterminated conditional{s} "
                f"(`IF`/`ELIF`/`ELSE` block{s})"
            )
        top = self.top
        if top.loop is not None:
            if self._next_turn(top, top.loop):
                return False
        elif len(self.stack) == 1:
            return True
        self.stack.pop()
        self.current = self.top
        return False

    def _next_turn(self, context: Context, loop: Loop) -> bool:
        turn = context.node.iterations[0]
        context.node = loop_node(context.node, turn + 1)
        if loop.assign is not None and turn <= loop.count:
            loop.value = wrap(loop.value + loop.step)
            loop.assign(loop.value)
        if turn + 1 > loop.count:
            return False
        self._growth.body(context.text, self.depth)
        context.restart()
        context.unique = UniqueName()
        context.came = loop.came(turn + 1) or context.came
        return True

    def check_expansions(self) -> None:
        """Fatal when expansions nest deeper than -r allows."""
        most = self._settings.recursion_depth
        if len(self.current.expansions) > most + 1:
            self._report.fatal(f"Recursion limit ({most}) exceeded")

    def set_depth(self, depth: int) -> None:
        """OPT r: another limit of nesting."""
        if len(self.stack) > depth + 1:
            self._report.fatal(f"Recursion limit ({depth}) exceeded")
        self._settings.recursion_depth = depth
        self.check_expansions()


def read_file(path: Path) -> SourceText:
    """A source file. Raises OSError."""
    return source_text(str(path), read_input(path, MAX_TEXT))


def _macro_path(symbol: Symbol) -> str:
    """``file.asm::REPT~2::name``: where the macro was defined, and its name."""
    assert symbol.place is not None
    node: Node | None = symbol.place.node
    iterations = "".join(f"::REPT~{turn}" for turn in reversed(node.iterations)) if node else ""
    while node is not None and node.kind is NodeKind.REPT:
        node = node.parent
    return f"{node.name if node else ''}{iterations}::{symbol.name}"
