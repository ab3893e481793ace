"""Where tokens come from: files, and above them macros, repeats and lists.

There are two stacks, as in ca65: inserted tokens are used up before the next
character of any file is read. So a file included by a macro is read after
the macro has ended; in later dialects what is left of the macro waits for the file's end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from romproof.text.diagnostic import Diagnostics, Suspicion
from romproof.text.span import Source, Span, Via
from romproof.toolchains.ca65.asm.lexer import Lexer, Syntax
from romproof.toolchains.ca65.asm.messages import Messages
from romproof.toolchains.ca65.asm.options import Progress
from romproof.toolchains.ca65.asm.record_rows import MacroLines
from romproof.toolchains.ca65.asm.silent import Silent
from romproof.toolchains.ca65.asm.tokens import EOF, EOL, IDENT, INT, TOKEN_FUNCTIONS, Token
from romproof.toolchains.ca65.obj.dialect import Change

MAX_NESTED: Final = 16
"""Macros and repeats in each other of which nothing is counted."""
MAX_INSERTED: Final = 5_000_000
"""Tokens that those in more others, or in one line, may produce before we say it never ends."""
_LINE: Final = 4
"""What the end of an inserted line counts: a statement takes longer than a word."""

LINES_PER_REPORT: Final = 200
"""Lines between two reports of progress."""

MAX_INCLUDES: Final = 200
"""Nested files; more can only be a file that includes itself."""


class Frame(Protocol):
    """A supply of inserted tokens; ``via`` says what inserted them."""

    via: Via | None

    def next(self, feed: Feed) -> Token | None:
        """The next token, or None when the supply is used up."""


class FileFrame:
    """A file being read, with the rest of its current line."""

    __slots__ = (
        "above",
        "index",
        "lexer",
        "tokens",
    )

    def __init__(
        self,
        lexer: Lexer,
        tokens: list[Token] | None = None,
        index: int = 0,
    ) -> None:
        self.lexer = lexer
        self.tokens: list[Token] = [] if tokens is None else tokens
        self.index = index
        self.above: list[Frame] = []  # what included it goes on when it has ended


class ListFrame:
    """Plays a list of tokens ``count`` times, e.g. the body of ``.repeat``.

    ``name`` is the counter: an identifier of that name becomes the number of
    the round.
    """

    def __init__(
        self,
        tokens: Sequence[Token],
        count: int = 1,
        name: str = "",
        via: Via | None = None,
        is_repeat: bool = False,
    ) -> None:
        self.via = via
        self._tokens = tokens
        self._count = count
        self._name = name
        self._round = 0
        self._index = 0
        self._lines: MacroLines | None = None
        self._is_repeat = is_repeat
        self._expands = False
        self._starts_line = True

    def next(self, feed: Feed) -> Token | None:
        """The next token of this or the next round."""
        if self._index >= len(self._tokens):
            self._round += 1
            self._index = 0
            if self._round >= self._count:
                feed.record.leave_list(self._lines)
                return None
        token = self._tokens[self._index]
        self._index += 1
        if self._expands:
            if self._starts_line and token.kind != EOL:
                feed.record.expansion(token, feed.nesting)
            self._starts_line = token.kind == EOL
        feed.record.list_token(self._lines, token)
        if self._name and token.kind == IDENT and token.value == self._name:
            return token.replace_meaning(INT, self._round)
        return token

    def enter(self, feed: Feed) -> None:
        """The first of its tokens is the next one that is read."""
        self._lines = feed.record.enter_list()
        self._expands = feed.record.expands and self._is_repeat


class Defines(Protocol):
    """The ``.define`` macros: words that others are read in place of."""

    def expand_define(self, name: str) -> None:
        """Insert what it denotes; the current token is its name."""


class Hiding(Protocol):
    """The conditionals."""

    active: bool

    def close_file(self, file: FileFrame) -> None:
        """``file`` has ended."""


class Feed(Messages):
    """The stream of tokens the parser reads; ``tok`` is the current one.

    Words in it may denote others, which whoever makes a feed has to supply: ``defines``,
    ``conditions``, and ``run_function``, which carries a token function out.
    """

    defines: Defines
    conditions: Hiding
    run_function: Callable[[str], None]

    def __init__(
        self,
        source: Source,
        syntax: Syntax,
        diagnostics: Diagnostics,
        progress: Progress | None = None,
        record: Silent | None = None,
    ) -> None:
        super().__init__(diagnostics, Span(source, 1, 1))
        self.record = record or Silent()
        self._last: tuple[Source | None, int] = (None, 0)  # the line that was read last
        self.sources = [source]
        self._syntax = syntax
        self._progress = progress
        self.files: list[FileFrame] = []
        self.inserted: list[Frame] = []
        self.raw = 0  # above zero: token functions are left alone
        self.defines_off = False
        self.define_names: set[str] = set()  # those of defines
        self.ended = False  # by .end
        self.abort_macro = False  # by .exitmacro
        self.macro_depth = 0
        self._count = self._in_line = 0
        self._set_aside = 0  # frames above files that are being read
        self._lines_read = 0

    # -- input ---------------------------------------------------------------

    def open(self, source: Source) -> None:
        """Read ``source`` next; the current file goes on when it ends."""
        if self.files:
            self.sources.append(source)
        lexer = Lexer(source, self._syntax, self.error_at, self._note_comment)
        frame = FileFrame(lexer)
        if Change.INCLUDES_AT_ONCE in self._syntax.dialect:
            frame.above, self.inserted = self.inserted, []
            self._set_aside += len(frame.above)
        self.files.append(frame)
        self.record.open_file(source)
        self.record.line_read(source, 1, len(self.files))
        if len(self.files) > 1:
            # whatever follows on the including line is read after the file
            self.tok = self.tok.replace_meaning(EOL, "")

    def _note_comment(self, token: Token) -> None:
        """A comment of several lines begins in the line of ``token``: ca65 remembers where."""
        self.record.line(token)
        self.record.touch()

    def warning(
        self,
        message: str,
        span: Span | None = None,
        help: str | None = None,
        kind: Suspicion | None = None,
    ) -> None:
        """Report something suspicious in the current statement."""
        self.record.touch()
        super().warning(message, span, help, kind)

    def insert(self, frame: Frame) -> None:
        """Read the tokens of ``frame`` next."""
        self.inserted.append(frame)
        if isinstance(frame, ListFrame):
            frame.enter(self)

    def insert_tokens(self, tokens: Sequence[Token]) -> None:
        """Read ``tokens`` next, as if they were here."""
        self.insert(ListFrame(tokens, via=self.via))

    # -- reading ---------------------------------------------------------------

    def next(self) -> Token:
        """Go to the next token and return it; names are replaced by what ``.define`` says, and
        token functions are carried out."""
        while True:
            token = self._next_inserted() if self.inserted and not self.ended else None
            if token is None:
                token = self._next_of_file()
            self.tok = token
            kind = token.kind
            if kind == IDENT and token.value in self.define_names and not self.defines_off:
                self.defines.expand_define(token.text)
                continue
            if kind in TOKEN_FUNCTIONS and not self.raw and self.conditions.active:
                self.run_function(kind)
            return self.tok

    def _next_inserted(self) -> Token | None:
        """The next token of macros, repeats and lists; None when all are used up."""
        while self.inserted:
            frame = self.inserted[-1]
            token = frame.next(self)
            if token is not None:
                self.via = frame.via
                self.count_inserted(token.kind)
                return token
            self.inserted.remove(frame)
        return None

    def _next_of_file(self) -> Token:
        """The next token of the current file, or of the one that includes it."""
        self.via = None
        while True:
            frame = self.files[-1]
            index, tokens = frame.index, frame.tokens
            if index >= len(tokens):
                index, tokens = 0, frame.lexer.next_line()
                frame.tokens = tokens
            frame.index = index + 1
            token = tokens[index]
            if self.ended:
                return token.replace_meaning(EOF, "")
            if token.line != self._last[1] or token.source is not self._last[0]:
                self._last = token.source, token.line
                self.record.line(token)
            kind = token.kind
            if kind == EOL:
                self.lines_passed()
                self.record.line_read(token.source, frame.lexer.number + 1, len(self.files))
            if kind != EOF or len(self.files) == 1:
                return token
            self.conditions.close_file(frame)
            self.files.pop()
            if frame.above:
                self.inserted, self._set_aside = frame.above, self._set_aside - len(frame.above)
                above = self._next_inserted()
                if above is not None:
                    return above
                self.via = None

    @property
    def nesting(self) -> int:
        """How many macros, repeats and lists are being read."""
        return len(self.inserted) + self._set_aside

    def count_inserted(self, kind: str) -> None:
        """Another token of macros or repeats. Raises FatalError where those in many others, or one
        line, make too many: each level may double the one above. What is not nested deeply is
        honest work, however much it is."""
        self._in_line = 0 if kind == EOL else self._in_line + 1
        if self._in_line > MAX_INSERTED:
            self.fatal(f"Macros make more than {MAX_INSERTED:,} tokens of one line")
        if self.nesting <= MAX_NESTED:
            return
        self._count += _LINE if kind == EOL else 1
        if self._count > MAX_INSERTED:
            self.fatal(
                f"Macros and repeats, more than {MAX_NESTED} in each other, make more than "
                f"{MAX_INSERTED:,} tokens: check if they double each other"
            )

    def lines_passed(self, count: int = 1) -> None:
        """Lines have been read."""
        before = self._lines_read
        self._lines_read += count
        if self._progress is not None:
            for report in range(before // LINES_PER_REPORT, self._lines_read // LINES_PER_REPORT):
                known = sum(len(source.lines) for source in self.sources)
                self._progress(self.sources[0].name, (report + 1) * LINES_PER_REPORT, known)

    # -- what the parser asks for again and again ------------------------------

    def at(self, *kinds: str) -> bool:
        """True when the current token is of one of these kinds."""
        return self.tok.kind in kinds

    def accept(self, kind: str) -> bool:
        """Skip the current token if it is of this kind; gives whether it was."""
        if self.tok.kind != kind:
            return False
        self.next()
        return True

    def expect(self, kind: str) -> bool:
        """Skip a token of this kind, or report that it is missing."""
        if self.accept(kind):
            return True
        self.error(f"'{kind}' expected")
        return False

    # -- statements --------------------------------------------------------------

    def begin_statement(self) -> None:
        """Remember where the statement at the current token is."""
        at = self.tok
        self.began = at.source, at.line, at.col, at.length, self.via

    def end_statement(self) -> None:
        """Expect the end of the line and go on to the next one."""
        self.expect_line_end()
        if self.tok.kind == EOL:
            self.next()

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
        self.skip_line()

    def skip_line(self) -> None:
        """Go to the end of the line."""
        while not self.tok.ends_line:
            self.next()

    def expect_line_end(self) -> None:
        """Report what is between a complete statement and the line's end."""
        if not self.tok.ends_line:
            if not self.has_reported_here():
                self.error("Unexpected trailing garbage characters")
            self.skip_line()

    def list_end(self, default: str) -> str:
        """The kind that ends a token list: '}' if it starts with '{' (skipped)."""
        return "}" if self.accept("{") else default
