"""Tokens, one at a time, since how the next one is read depends on what the last one meant."""

from __future__ import annotations

import re
from collections.abc import Callable

from romproof.toolchains.rgbds.asm import literals, numbers
from romproof.toolchains.rgbds.asm.characters import (
    BLANKS,
    DIGITS,
    END,
    IDENTIFIER_START,
    NEWLINES,
    is_printable,
    readable,
    show_char,
)
from romproof.toolchains.rgbds.asm.context import Context, Mode
from romproof.toolchains.rgbds.asm.contexts import Contexts
from romproof.toolchains.rgbds.asm.growth import Growth
from romproof.toolchains.rgbds.asm.keywords import KEYWORDS
from romproof.toolchains.rgbds.asm.model import Symbol, SymbolType
from romproof.toolchains.rgbds.asm.plain_tokens import (
    ARGUMENT,
    PlainToken,
    Token,
    may_end,
    read_line,
    read_plain_token,
    read_whole,
)
from romproof.toolchains.rgbds.asm.reader import LONG, Reader
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.asm.settings import Settings
from romproof.toolchains.rgbds.asm.skipping import skip_conditional, skip_loop
from romproof.toolchains.rgbds.asm.symbols import Symbols

_LONGER = {
    "=": ("===", "=="),
    "!": ("!==", "!="),
    "<": ("<<=", "<<", "<="),
    ">": (">>>", ">>=", ">>", ">="),
    "+": ("++", "+="),
    "-": ("-=",),
    "*": ("**", "*="),
    "/": ("/=",),
    "|": ("||", "|="),
    "^": ("^=",),
    "&": ("&&", "&="),
    "%": ("%=",),
    ":": ("::",),
    "[": ("[[",),
}
_SINGLE = frozenset("~?(),")

_BLANKS = re.compile(r"[ \t]+")
_RAW_ARGUMENT = re.compile(r"""[^,;()"'#/\\{\r\n]+""")
_NAMES = frozenset({"SYMBOL", "LABEL", "QMACRO"})
_PLAIN_ARGUMENTS = re.compile(r"""([^;()"'#/\\{\r\n]*+)(?:;[^\r\n]*+)?\n""")
_EMPTY_LINES = re.compile(r"(?:[ \t]*+(?:;[^\r\n]*+)?\r?\n)++")
_CHECKED = _NAMES | {ARGUMENT, "ELIF", "NEWLINE"}
"""Kinds of plain tokens that depend on what was defined, and the line's end."""
_EQUS = SymbolType.EQUS
_MAX_LINES = 20_000
"""Lines whose tokens are kept at a time."""


class Lexer(Reader):
    """The tokens of the current context, and of those that follow it."""

    def __init__(
        self,
        report: Reporter,
        settings: Settings,
        growth: Growth,
        contexts: Contexts,
        symbols: Symbols,
    ) -> None:
        super().__init__(report, settings, growth, contexts, symbols)
        self._table = symbols.table
        self._lines: dict[str, dict[int, PlainToken]] = {}

    def token(self) -> Token:
        """The next token."""
        context = self._start_line() if self.context.at_line_start else self.context
        if context is None:
            return "EOF", None
        in_text = not context.expansions or self.count_unread() == 0
        if in_text and context.pending is None and context.mode == Mode.NORMAL:
            plain = context.line_tokens.get(context.pos - context.line_at)
            token = self._read_end(context) if plain is None else self._accept_plain(context, plain)
            if token is not None:
                return token
        return self._read(context)

    def _accept_plain(self, context: Context, plain: PlainToken) -> Token | None:
        """Go past a plain token of the line; None if it has to be read closer."""
        token, at, end = plain
        kind, end = token[0], context.line_at + end
        ends_line = False
        if kind in _CHECKED:
            if kind == "NEWLINE":
                end, ends_line = context.line_end or end, True
            elif kind == ARGUMENT:
                argument = self._read_argument(context, str(token[1]))
                if argument is None:
                    return None
                token, kind = argument, argument[0]
            elif kind == "ELIF" or self._is_expanded(context, token):
                return None
        context.token_at, context.pos = context.line_at + at, end
        context.painted, context.last_kind = 0, kind
        context.at_line_start = ends_line
        if context.expansions:
            context.expansions.clear()
        return token

    def _read_end(self, context: Context) -> Token | None:
        """The end of the context's text, if that is next."""
        at = context.pos
        if at != len(context.text):
            return None
        context.expansions.clear()
        context.token_at, context.pos, context.painted = at, at + 1, 0
        context.last_kind, context.at_line_start = "EOB", True
        return "EOB", None

    def _is_expanded(self, context: Context, token: Token) -> bool:
        """Whether a name denotes a text, which is read in its place."""
        name = token[1]
        symbol = self._table.get(name) if isinstance(name, str) else None
        return symbol is not None and symbol.type is _EQUS and context.expanding_strings

    def _read_argument(self, context: Context, escape: str) -> Token | None:
        """The token that a macro argument is, if it is all of a plain one."""
        arguments = self.contexts.stack[-1].arguments
        if arguments is None or context.expansions or context.painted > 0:
            return None
        text = arguments.all() if escape[0] == "#" else arguments.get(int(escape[0]))
        token = None if text is None else read_whole(text)
        if text is None or token is None or not may_end(token, escape[1:]):
            return None
        if token[0] in _CHECKED and (token[0] != "SYMBOL" or self._is_expanded(context, token)):
            return None
        if context.unique is not None or len(text) > LONG:
            self.growth.count_insertion(text, self.contexts.depth)
        return token

    def _start_line(self) -> Context | None:
        """The context that the next line comes from; None at the end of the source."""
        contexts, context = self.contexts, self.context
        if contexts.entered is not None:
            context = self.context = contexts.switch()
        if context.last_kind == "EOB":
            if contexts.leave():
                return None
            context = self.context = contexts.current
        if not context.expansions:
            context.line += 1
            if context.mode == Mode.NORMAL:
                empty = _EMPTY_LINES.match(context.text, context.pos)
                if empty is not None:
                    context.line += empty[0].count("\n")
                    context.pos = empty.end()
                self._read_line(context)
        context.statement_at, context.value_at = context.pos, None
        return context

    def _read(self, context: Context) -> Token:
        """The next token, whatever it is."""
        context.token_at, context.is_reading = context.pos, True
        normal = context.mode == Mode.NORMAL
        kind, value = self._normal() if normal else self._skip(context.mode)
        context.is_reading = False
        if kind == "EOF":
            kind = "EOB"
        context.last_kind = kind
        context.at_line_start = kind in ("NEWLINE", "EOB")
        return kind, value

    def _skip(self, mode: str) -> Token:
        if mode == Mode.TO_ENDR:
            return skip_loop(self), None
        return skip_conditional(self, to_end=mode == Mode.TO_ENDC), None

    def _normal(self) -> Token:
        context = self.context
        if context.pending is not None:
            kind, context.pending = context.pending, None
            return kind, None
        while True:
            token = self._scan_plain(context)
            if token is not None:
                return token
            char = self.take()
            if char and char in BLANKS:
                self.take_run(_BLANKS)
                continue
            token = self._slow(char)
            if token is not None:
                return token
            context.at_line_start = False

    def _scan_plain(self, context: Context) -> Token | None:
        """The next token, if it is a plain one; what a name denotes is read in its place."""
        while True:
            count = self.count_unread() if context.expansions else 0
            top = context.expansions[count - 1] if count else context
            at = top.pos
            plain = read_plain_token(top.text, at)
            if plain is None:
                return None
            token, token_at, end = plain
            if count and end == len(top.text) and not may_end(token, self._peek_behind(count)):
                return None
            context.token_at = context.expansion_at if count else token_at
            self.go_past(count, end, end - at)
            if token[0] == "ELIF" and self._is_over():
                return skip_conditional(self, to_end=True), None
            if token[0] not in _NAMES or not self._is_expanded(context, token):
                return token
            self._insert(self._table[str(token[1])])
            context.at_line_start = False

    def _peek_behind(self, count: int) -> str:
        """The character behind the text of an expansion, of ``count``."""
        context = self.context
        for expansion in reversed(context.expansions[: count - 1]):
            if expansion.pos < len(expansion.text):
                return expansion.text[expansion.pos]
        return context.text[context.pos : context.pos + 1]

    def _insert(self, symbol: Symbol) -> None:
        """Read what a string denotes in place of its name."""
        self.context.note_expansion(self.context.token_at)
        self.expand(self.symbols.text(symbol), symbol.name)

    def _read_line(self, context: Context) -> None:
        """Find the plain tokens of the line that begins here, which are kept by its text."""
        start, text = context.pos, context.text
        end = text.find("\n", start) + 1 or len(text)
        line, context.line_end = text[start:end], 0
        if ";" in line and "\r" not in line and line[-1] == "\n":
            # where the semicolon begins no comment, the plain tokens end before it
            line = line.partition(";")[0].rstrip(" \t") + "\n"
            context.line_end = end
        tokens = self._lines.get(line)
        if tokens is None:
            if len(self._lines) >= _MAX_LINES:
                self._lines.clear()
            tokens = self._lines[line] = read_line(line)
        context.line_at, context.line_tokens = start, tokens

    def _slow(self, char: str) -> Token | None:
        """The token that begins with ``char``; None when it was none."""
        self.context.token_at = self.context.char_at()
        if char == ";":
            self.discard_comment()
            return None
        if char == END:
            return "EOF", None
        if char in NEWLINES:
            self.skip_newline(char)
            return "NEWLINE", None
        if char in _SINGLE:
            return char, None
        if char == "@":
            return "SYMBOL", "@"
        if char in DIGITS:
            return "NUMBER", self._number(char)
        if char == '"':
            return "STRING", literals.string(self)
        if char == "'":
            return "CHARACTER", literals.character(self)
        if char == "$":
            return "NUMBER", numbers.number(self, 16, "", "'$'")
        if char == "`":
            return "NUMBER", numbers.graphics(self)
        if char == "\\":
            self.discard_continuation()
            return None
        if char in _LONGER or char == "]":
            return self._punctuation(char)
        return self._word(char)

    def _number(self, first: str) -> int:
        base = {"x": 16, "o": 8, "b": 2}.get(self.peek().lower()) if first == "0" else None
        if base is None:
            return numbers.decimal(self, first)
        prefix = f'"0{self.take().lower()}"'
        return numbers.number(self, base, "", prefix)

    def _punctuation(self, char: str) -> Token | None:
        follows = self.peek()
        if char == "]":
            if follows != "]":
                return "]", None
            # what is in double brackets need not end with a line
            self.shift()
            self.context.pending = "]]"
            return "EOL", None
        if char == "/" and follows == "*":
            self.shift()
            self.discard_block_comment()
            return None
        if char == ":" and follows and follows in "+-":
            count = 1
            while self.next() == follows:
                count += 1
            return "ANON", self.symbols.anonymous_name(count, back=follows == "-")
        if char == "&" and (follows and follows in "01234567_"):
            return "NUMBER", numbers.number(self, 8, "", "'&'")
        if char == "%" and (follows == "_" or numbers.is_binary_digit(self, follows)):
            return "NUMBER", numbers.number(self, 2, "", "'%'")
        text = char
        while any(longer.startswith(text + follows) for longer in _LONGER[char]) and follows:
            text += follows
            follows = self.next()
        return text, None

    def _word(self, char: str) -> Token | None:
        raw = char == "#"
        if raw:
            follows = self.peek()
            if follows == '"':
                self.shift()
                return "STRING", literals.string(self, raw=True)
            if follows and follows in IDENTIFIER_START:
                char = self.take()
        if char not in IDENTIFIER_START:
            self._report_garbage(char)
            return None
        return self._name_token(char + self.read_name(), raw)

    def _name_token(self, name: str, raw: bool) -> Token | None:
        """The token of a name that has been read; None when it is a string that was opened."""
        context, symbols = self.context, self.symbols
        is_local = "." in name and name not in (".", "..")
        if not raw and not is_local:
            word = name.upper()
            if word in KEYWORDS:
                if word == "ELIF" and self._is_over():
                    return skip_conditional(self, to_end=True), None
                return word, None
        if is_local:
            head = name.partition(".")[0]
            if not raw and head.upper() in KEYWORDS:
                self.report.error(
                    f'Identifier "{name}" begins with a keyword; '
                    "did you mean to put a space between them?"
                )
            return "LOCAL", name
        if not raw and context.expanding_strings:
            symbol = symbols.find_exact(name)
            if symbol is not None and symbol.is_string:
                self._insert(symbol)
                return None
        if name in (".", ".."):
            return "SYMBOL", name
        follows = self.peek()
        kind = {":": "LABEL", "?": "QMACRO"}.get(follows, "SYMBOL")
        return kind, name

    def _is_over(self) -> bool:
        """Whether an ELIF ends a branch that was assembled: its condition plays no part."""
        context = self.context
        if context.last_kind != "NEWLINE" or not context.conditionals:
            return False
        top = context.conditionals[-1]
        return top.ran and not top.in_else

    def _report_garbage(self, char: str) -> None:
        garbage = [char]
        while self._is_garbage(self.peek()):
            garbage.append(self.take())
        visible = all(is_printable(c) for c in garbage)
        text = ", ".join(show_char(c) for c in garbage)
        hint = "" if visible else " (is the file UTF-8?)"
        self.report.error(f"Invalid character{'s' * (len(garbage) > 1)} {text}{hint}")

    @staticmethod
    def _is_garbage(char: str) -> bool:
        if char == END or char in " \t\r\n":
            return False
        return char in "{}" or not is_printable(char)

    # -- raw text ---------------------------------------------------------------------------

    def arguments(self, each: Callable[[str], None]) -> list[str]:
        """The arguments of a macro, or of OPT, up to the end of the line, as they are written.

        ``each`` is called with one before the next is read.
        """
        plain = self._read_plain_arguments()
        if plain is not None:
            return plain
        arguments: list[str] = []
        while True:
            self.context.token_at, self.context.is_reading = self.context.pos, True
            text, end = self._argument()
            self.context.is_reading = False
            if end == ",":
                self.shift()
            if text or end == ",":
                arguments.append(text)
                each(text)
            if end != ",":
                break
        context = self.context
        context.token_at = context.pos
        if end and end in NEWLINES:
            self.shift()
            self.skip_newline(end)
            context.pending = "NEWLINE"
        else:
            context.pending = "EOF"
        return arguments

    def _read_plain_arguments(self) -> list[str] | None:
        """The arguments up to the end of the line, if all are plain and none is empty."""
        context = self.context
        match = _PLAIN_ARGUMENTS.match(context.text, context.pos)
        if match is None or context.expansions:
            return None
        text = match[1].strip(" \t")
        arguments = [argument.strip(" \t") for argument in text.split(",")] if text else []
        if not all(arguments):
            return None
        context.token_at, context.pos = match.end() - 1, match.end()
        context.painted, context.pending = 0, "NEWLINE"
        return arguments

    def _argument(self) -> tuple[str, str]:
        """One argument, and the character that ends it."""
        text, depth = "", 0
        while True:
            text += self.take_run(_RAW_ARGUMENT)
            char = self.peek()
            if char == ";":
                self.discard_comment()
                char = self.peek()
            if char == END or char in NEWLINES or (char == "," and depth == 0):
                return text.strip(" \t"), char
            if char == '"':
                self.shift()
                text += literals.string(self, verbatim=True)
            elif char == "'":
                self.shift()
                text += literals.character(self, verbatim=True)
            elif char == "#":
                text += char
                if self.next() == '"':
                    self.shift()
                    text += literals.string(self, raw=True, verbatim=True)
            elif char == "/":
                if self.next() == "*":
                    self.shift()
                    self.discard_block_comment()
                else:
                    text += char
            elif char == "\\":
                text += self._argument_escape()
            else:
                depth += (char == "(") - (char == ")" and depth > 0)
                text += char
                self.shift()

    def _argument_escape(self) -> str:
        char = self.next()
        if char == END:
            self.report.error("Illegal character escape '\\' at end of input")
            return "\\"
        if char in " \t\r\n":
            self.discard_continuation()
            return ""
        escapes = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
        if char not in escapes and char not in ",()\\\"'{}":
            self.report.error(f"Illegal character escape {show_char(char)}")
        self.shift()
        return escapes.get(char, char)


def describe(token: Token) -> str:
    """A token as messages name it."""
    kind, value = token
    names = {
        "NEWLINE": "end of line", "EOB": "end of buffer", "EOL": "end of fragment literal",
        "EOF": "end of file", "NUMBER": "number", "STRING": "string", "CHARACTER": "character",
        "ANON": "anonymous label",
    }  # fmt: skip
    if kind in names:
        return names[kind]
    if kind in ("SYMBOL", "LABEL", "LOCAL", "QMACRO"):
        return f"`{readable(str(value))}`"
    return f"`{kind}`"
