"""The stack of contexts: what is read at the moment, and what it came from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from romproof.text.diagnostic import suggest
from romproof.text.reading import MOST_TEXT, read_input
from romproof.text.span import Source, Via
from romproof.toolchains.rgbds.asm.arguments import MacroArguments
from romproof.toolchains.rgbds.asm.context import Context, Loop, UniqueName, loop_node
from romproof.toolchains.rgbds.asm.keywords import DIRECTIVES, MNEMONICS
from romproof.toolchains.rgbds.asm.symbol import Symbol, SymbolType
from romproof.toolchains.rgbds.obj.model import Node, NodeKind
from romproof.toolchains.rgbds.obj.opmath import wrap

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.assembler import Assembler

_INSTRUCTIONS = frozenset(word.lower() for word in MNEMONICS)
_DIRECTIVES = frozenset(word.lower() for word in DIRECTIVES)

_LOOKS_LIKE = ("EQUS", "EQU", "RB", "RW", "RL", "=")
"""What follows a name in a definition; without DEF it is taken for a macro's name."""


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
    """The stack. ``entered`` is the context that the next line comes from, if it changes."""

    def __init__(self, asm: Assembler) -> None:
        self.asm = asm
        self.stack: list[Context] = []
        self.entered: Context | None = None
        self.sources: list[Source] = []

    @property
    def top(self) -> Context:
        """The innermost context."""
        return self.stack[-1]

    @property
    def arguments(self) -> MacroArguments | None:
        """The arguments of the macro under way."""
        return self.top.arguments if self.stack else None

    def unique_name(self) -> str | None:
        """What ``\\@`` stands for; None outside of macros and loops."""
        holder = self.top.unique
        return self.asm.lexer.make_unique(holder) if holder is not None else None

    def _hides(self, node: Node) -> bool:
        """Whether messages leave a node out."""
        return node.quiet and not self.asm.options.show_quiet

    # -- entering ---------------------------------------------------------------------------

    def _check_depth(self) -> None:
        most = self.asm.settings.recursion_depth
        if len(self.stack) > most:
            self.asm.report.fatal(f"Recursion limit ({most}) exceeded")

    def _push(self, context: Context, now: bool = False) -> None:
        context.restart()
        self.stack.append(context)
        if now:
            self.asm.lexer.context = context
        else:
            self.entered = context

    def enter_file(self, file: SourceText, quiet: bool = False) -> None:
        """Read a file next; the first one at once."""
        self._check_depth()
        outer = self.stack[-1] if self.stack else None
        via = None
        if outer is not None and self.asm.lexer.context.line:
            via = Via("included", self.asm.lexer.context.statement_span())
        source = Source(file.name, file.shown, via)
        self.sources.append(source)
        node = Node(
            NodeKind.FILE,
            file.name,
            outer.node if outer else None,
            self.asm.line if outer else 0,
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

    def call_macro(self, name: str, arguments: MacroArguments, quiet: bool) -> None:
        """Read a macro's body next."""
        report, symbols = self.asm.report, self.asm.symbols
        symbol = symbols.find_exact(name)
        if symbol is None:
            if symbols.was_purged(name):
                report.error(f"Undefined macro `{name}`; it was purged")
                return
            meant = _meant(name, arguments)
            hint = f" (did you mean {meant}?)" if meant else ""
            similar = None if meant else self._similar(name)
            report.error(f"Undefined macro `{name}`{hint}", help=similar)
            return
        if symbol.type is not SymbolType.MACRO or symbol.macro is None:
            report.error(f"`{name}` is not a macro")
            return
        self._check_depth()
        body = symbol.macro
        if self.top.node.kind is not NodeKind.FILE:  # else there are as many as the file has lines
            self.asm.growth.body(body.text)
        via = Via(f"in macro '{name}', called", self.asm.lexer.context.statement_span())
        quiet = quiet or body.quiet
        node = Node(NodeKind.MACRO, _macro_path(symbol), self.top.node, self.asm.line, quiet=quiet)
        self._push(
            Context(
                node,
                body.source,
                body.text,
                body.line,
                arguments,
                UniqueName(),
                via=via,
                shown_as=via.span if self._hides(node) else None,
            )
        )

    def _similar(self, name: str) -> str | None:
        """A help text when a word at the start of a statement looks misspelt."""
        usual = self.asm.symbols.macro_names() | _INSTRUCTIONS
        return suggest(name, usual) or suggest(name, _DIRECTIVES)

    def run_loop(self, loop: Loop, body: str, line: int, source: Source, quiet: bool) -> None:
        """Read a loop's body next, as often as the loop says. ``line`` is that of its start."""
        if loop.count == 0:
            return
        self._check_depth()
        outer = self.top
        around = outer.node.iterations if outer.node.kind is NodeKind.REPT else ()
        node = Node(NodeKind.REPT, "", outer.node, line, (1, *around), quiet)
        via, shown_as = loop.via(1), None
        if self._hides(node):
            # the loop is left out, but not the line in it
            via, shown_as, loop.start = outer.via, outer.shown_as, None
        self._push(
            Context(node, source, body, line, outer.arguments, UniqueName(), loop, via, shown_as)
        )

    def break_loop(self) -> bool:
        """BREAK: no further turns; False, after an error, outside of a loop."""
        loop = self.top.loop
        if loop is None:
            self.asm.report.error("`BREAK` can only be used inside a loop (`REPT`/`FOR` block)")
            return False
        loop.count = 0
        return True

    # -- leaving ----------------------------------------------------------------------------

    def leave(self) -> bool:
        """The current text is at its end: go on with what is around it; True if nothing is."""
        context = self.asm.lexer.context
        open_ = len(context.conditionals)
        if open_:
            s = "" if open_ == 1 else "s"
            self.asm.report.fatal(
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
        self.asm.lexer.context = self.top
        return False

    def _next_turn(self, context: Context, loop: Loop) -> bool:
        turn = context.node.iterations[0]
        context.node = loop_node(context.node, turn + 1)
        if loop.variable is not None and turn <= loop.count:
            loop.value = wrap(loop.value + loop.step)
            symbol = self.asm.symbols.add_variable(loop.variable, loop.value)
            if symbol.type is not SymbolType.VAR:
                self.asm.report.fatal("Failed to update `FOR` symbol value")
        if turn + 1 > loop.count:
            return False
        self.asm.growth.body(context.text)
        context.restart()
        context.unique = UniqueName()
        context.via = loop.via(turn + 1) or context.via
        return True

    def set_depth(self, depth: int) -> None:
        """OPT r: another limit of nesting."""
        if len(self.stack) > depth + 1:
            self.asm.report.fatal(f"Recursion limit ({depth}) exceeded")
        self.asm.settings.recursion_depth = depth
        self.asm.lexer.check_depth()


def read_file(path: Path) -> SourceText:
    """A source file. Raises OSError."""
    return source_text(str(path), read_input(path, MOST_TEXT))


def _macro_path(symbol: Symbol) -> str:
    """``file.asm::REPT~2::name``: where the macro was defined, and its name."""
    assert symbol.place is not None
    node: Node | None = symbol.place.node
    turns = "".join(f"::REPT~{turn}" for turn in reversed(node.iterations)) if node else ""
    while node is not None and node.kind is NodeKind.REPT:
        node = node.parent
    return f"{node.name if node else ''}{turns}::{symbol.name}"


def _meant(name: str, arguments: MacroArguments) -> str | None:
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
