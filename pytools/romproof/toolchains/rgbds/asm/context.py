"""What is being read: a file, the body of a macro, or a loop, each inside of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from romproof.text.span import Source, Span, Via
from romproof.toolchains.rgbds.asm.plain_tokens import PlainToken
from romproof.toolchains.rgbds.obj.model import Node, NodeKind


@dataclass(slots=True)
class MacroArguments:
    """The texts a macro was called with; ``shifted`` of them are out of sight."""

    texts: tuple[str, ...]
    shifted: int = 0

    @property
    def count(self) -> int:
        """How many there are to see (``_NARG``)."""
        return len(self.texts) - self.shifted

    def get(self, number: int) -> str | None:
        """Argument ``number``, from 1, or from -1 backwards; None if there is none."""
        index = number - 1 + self.shifted if number > 0 else len(self.texts) + number
        return self.texts[index] if self.shifted <= index < len(self.texts) else None

    def all(self) -> str:
        """All in sight with commas between them, and one behind an empty last one."""
        seen = self.texts[self.shifted :]
        return ",".join(seen) + ("," if seen and not seen[-1] else "")

    def shift(self, count: int) -> str | None:
        """Move by ``count`` arguments; gives a complaint when there are not so many."""
        wanted = self.shifted + count
        self.shifted = max(0, min(wanted, len(self.texts)))
        if wanted > len(self.texts):
            return "Cannot shift macro arguments past their end"
        if wanted < 0:
            return "Cannot shift macro arguments past their beginning"
        return None


class Mode:
    """How the lexer reads on."""

    NORMAL = "normal"
    TO_ELIF = "skip to the next branch of this conditional"
    TO_ENDC = "skip to the end of this conditional"
    TO_ENDR = "skip to the end of this loop"


@dataclass(slots=True)
class Expansion:
    """Text that is read in place of a symbol (``name``) or a macro argument (None)."""

    name: str | None
    text: str
    pos: int = 0


@dataclass(slots=True)
class Conditional:
    """An open IF: whether one of its branches was assembled, and whether ELSE was met."""

    ran: bool = False
    in_else: bool = False


@dataclass(slots=True)
class UniqueName:
    """What ``\\@`` denotes; made when it is first asked for."""

    text: str = ""


@dataclass(slots=True)
class Loop:
    """``count`` iterations of a REPT or FOR. A FOR has a ``value``, which grows by ``step``, and
    calls ``assign`` with it.

    ``start`` is where messages say that it begins; None leaves it out of them.
    """

    count: int
    assign: Callable[[int], None] | None = None
    value: int = 0
    step: int = 0
    start: StatementSpot | None = None

    def came(self, turn: int) -> Came | None:
        """The step of a message's chain that leads here."""
        return Came(f"in turn {turn} of the loop", self.start) if self.start else None


@dataclass(slots=True)
class Context:
    """A text that is being read.

    ``text`` is read from ``pos``; it begins in line ``first_line`` + 1 of ``source``. ``line`` is
    the current line. ``painted`` characters from here on have been looked at: they are not
    expanded again. ``shown_as`` is the place that messages name instead of one in here, where a
    quiet macro or file is read. ``token_at``, ``value_at`` (None: no value so far) and
    ``statement_at`` are places in the text; ``is_reading`` says that a token is being made.
    ``line_tokens`` are the plain tokens of the line that begins at ``line_at``, by their distance
    from there; ``line_end`` is where it ends if they leave out its comment, else 0.
    """

    node: Node
    source: Source
    text: str
    first_line: int = 0
    arguments: MacroArguments | None = None
    unique: UniqueName | None = None
    loop: Loop | None = None
    came: Via | Came | None = None
    shown_as: Span | StatementSpot | None = None
    pos: int = 0
    line: int = 0
    mode: str = Mode.NORMAL
    at_line_start: bool = True
    last_kind: str = ""
    pending: str | None = None
    conditionals: list[Conditional] = field(default_factory=list)
    expansions: list[Expansion] = field(default_factory=list)
    painted: int = 0
    expanding: bool = True
    expanding_strings: bool = True
    captured: list[str] | None = None
    expansion_at: int = 0
    is_reading: bool = False
    token_at: int = 0
    value_at: int | None = None
    statement_at: int = 0
    line_at: int = 0
    line_end: int = 0
    line_tokens: Mapping[int, PlainToken] = field(default_factory=dict)

    @property
    def via(self) -> Via | None:
        """The step of a message's chain that leads here."""
        came = self.came
        if isinstance(came, Came):
            came = self.came = Via(came.what, came.spot.span())
        return came

    def restart(self) -> None:
        """To the beginning, as for the next turn of a loop."""
        self.pos, self.line, self.mode = 0, self.first_line, Mode.NORMAL
        self.at_line_start, self.last_kind, self.pending = True, "", None
        self.conditionals.clear()
        self.expansions.clear()
        self.painted, self.expanding, self.expanding_strings = 0, True, True

    def note_expansion(self, at: int) -> None:
        """Remember where in the text the outermost expansion is."""
        if all(expansion.pos >= len(expansion.text) for expansion in self.expansions):
            self.expansion_at = at

    def char_at(self) -> int:
        """Where the character read last is, or the expansion that it comes from."""
        return self.expansion_at if self.expansions else max(self.pos - 1, 0)

    def span(self) -> Span:
        """The place of what is being read: a token, a value, or all of a statement."""
        if self.is_reading:
            return self.token_span()
        return self.statement_span() if self.value_at is None else self._span(self.value_at)

    def token_span(self) -> Span:
        """The place of the last token, or of its statement when that was the line's end."""
        if self.last_kind in ("NEWLINE", "EOB", "EOL"):
            return self.statement_span()
        return self._span(self.token_at)

    def statement_span(self) -> Span:
        """The place of the current statement."""
        return self._span(self.statement_at)

    def _span(self, at: int) -> Span:
        return self.shown() or self.span_at(at, self.line, self.via)

    def shown(self) -> Span | None:
        """The place that messages name instead of one in here, if they do."""
        if isinstance(self.shown_as, StatementSpot):
            self.shown_as = self.shown_as.span()
        return self.shown_as

    def span_at(self, at: int, number: int, via: Via | None) -> Span:
        """The place of a character of line ``number``."""
        start = self.text.rfind("\n", 0, at) + 1
        col = len(self.text[start:at].encode("latin-1").decode("utf-8", "replace")) + 1
        line = self.source.line(number)
        rest = line[col - 1 :]
        if rest.strip():
            col += len(rest) - len(rest.lstrip())
        else:
            col = len(line) - len(line.lstrip()) + 1
        return Span(self.source, max(number, 1), col, 1, via)


class StatementSpot:
    """Where a context was when its current statement began: the span is made if it is asked for.

    Each symbol, patch and call of a macro has such a place, and messages name hardly any.
    """

    __slots__ = ("at", "came", "context", "line")

    def __init__(self, context: Context) -> None:
        self.context = context
        self.at = context.statement_at
        self.line = context.line
        self.came = context.came

    def span(self) -> Span:
        """The place, for messages."""
        context = self.context
        shown = context.shown()
        if shown is not None:
            return shown
        came = self.came
        via = Via(came.what, came.spot.span()) if isinstance(came, Came) else came
        return context.span_at(self.at, self.line, via)


class Came:
    """How a context was come to: the step of a message's chain, made if a message needs it."""

    __slots__ = ("spot", "what")

    def __init__(self, what: str, spot: StatementSpot) -> None:
        self.what = what
        self.spot = spot


def loop_node(node: Node, iteration: int) -> Node:
    """The node of the given turn of the loop that ``node`` is a turn of."""
    rest = node.iterations[1:]
    return Node(NodeKind.REPT, "", node.parent, node.parent_line, (iteration, *rest), node.quiet)
