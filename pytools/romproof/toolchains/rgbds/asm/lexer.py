"""Tokens, one at a time, since how the next one is read depends on what the last one meant."""

from __future__ import annotations

import re
from collections.abc import Callable

from romproof.text.numbers import whole
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
from romproof.toolchains.rgbds.asm.context import Mode
from romproof.toolchains.rgbds.asm.keywords import KEYWORDS
from romproof.toolchains.rgbds.asm.reader import Reader
from romproof.toolchains.rgbds.asm.skipping import skip_conditional, skip_loop

Token = tuple[str, int | str | None]
"""Kind and value. The kind of a keyword is the word in upper case, that of punctuation itself.

Others are SYMBOL, LABEL (a name and a colon at once), LOCAL, ANON, QMACRO (a name and ``?`` at
once), NUMBER, STRING, CHARACTER, NEWLINE, EOL (before ``]]``), EOB (the end of a text), EOF.
"""

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

# What needs no look at single characters: tokens without escapes or braces in or behind them.
_QUICK = re.compile(
    r"""[ \t]*(?:
      (?P<name>[A-Za-z_.][A-Za-z0-9_#$@.]*+)(?![\\{])
    | \$(?P<hex>[0-9A-Fa-f]{1,8}+)(?![0-9A-Fa-f_\\{])
    | (?P<decimal>[0-9]{1,9}+)(?![0-9_.xXoObB\\{])
    | "(?P<string>[^"\\{\r\n]*+)"(?!["\\{])
    | (?P<punctuation>(?><<=|>>>|>>=|===|!==|==|!=|<<|<=|>>|>=|\+\+|\+=|-=|\*\*|\*=|/=|\|\||\|=|\^=
        |&&|&=|::|[,()~?=!<>+\-*|^\[\]@]|/(?!\*)|:(?![+\-:])))(?![\\{])
    | (?:;[^\r\n]*)?(?P<newline>\r\n|\r|\n)
    )""",
    re.VERBOSE,
)
_AFTER_SINGLE = {
    "=": "=", "!": "=", "<": "<=", ">": ">=", "+": "+=", "-": "=", "*": "*=", "|": "|=",
    "^": "=", "[": "[", "]": "]", "/": "=",
}  # fmt: skip


class Lexer(Reader):
    """The tokens of the current context, and of those that follow it."""

    def token(self) -> Token:
        """The next token."""
        contexts, context = self.contexts, self.context
        if context.at_line_start and contexts.entered is not None:
            context = self.context = contexts.switch()
        if context.last_kind == "EOB":
            if contexts.leave():
                return "EOF", None
            context = self.context = contexts.current
        if context.at_line_start:
            self.next_line()
            context.statement_at, context.value_at = context.pos, None
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
            if not context.expansions and (
                context.painted == 0 or context.text[context.pos : context.pos + 1] not in "\\{"
            ):
                match = _QUICK.match(context.text, context.pos)
                if match is not None:
                    token = self._quick(match)
                    if token is not None:
                        return token
            char = self.take()
            if char and char in BLANKS:
                continue
            token = self._slow(char)
            if token is not None:
                return token
            context.at_line_start = False

    def _quick(self, match: re.Match[str]) -> Token | None:
        """The token that was matched at once; None leaves it to the slow path."""
        context = self.context
        kind, text = match.lastgroup, match[match.lastgroup or 0]
        if kind == "punctuation" and len(text) == 1:
            # a longer one may be made with what an expansion brings; "]]" is special
            follows = context.text[match.end() : match.end() + 1]
            if follows and follows in _AFTER_SINGLE.get(text, ""):
                return None
        context.token_at = match.start(kind or 0)
        # the end of a name is known by looking at what follows it
        context.pos, context.painted = match.end(), int(kind == "name")
        if kind == "name":
            return self._name_token(text, raw=False)
        if kind == "hex":
            return "NUMBER", whole(text, 16)
        if kind == "decimal":
            return "NUMBER", whole(text)
        if kind == "string":
            context.token_at -= 1
            return "STRING", text
        if kind == "newline":
            return "NEWLINE", None
        return ("SYMBOL", "@") if text == "@" else (text, None)

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
                context.note_expansion(context.token_at)
                self.expand(symbols.text(symbol), symbol.name)
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

    def _argument(self) -> tuple[str, str]:
        """One argument, and the character that ends it."""
        text, depth = "", 0
        while True:
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
