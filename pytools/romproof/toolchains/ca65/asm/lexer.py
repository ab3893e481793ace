"""Characters to tokens, one line at a time.

A line at a time, because ``.feature``, ``.case`` and ``.localchar`` change
how the *next* line reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from romproof.text.diagnostic import suggest
from romproof.text.numbers import whole
from romproof.text.span import Source
from romproof.toolchains.ca65.asm.escaped_text import EscapedText
from romproof.toolchains.ca65.asm.line_tokens import HARMLESS, read_plain_line
from romproof.toolchains.ca65.asm.tokens import (
    ALIASES,
    CHAR,
    EOF,
    EOL,
    IDENT,
    INT,
    KEYWORDS,
    LOCAL,
    REGISTER,
    REGISTERS,
    REGISTERS_65816,
    STRING,
    ULABEL,
    UNKNOWN,
    Token,
)
from romproof.toolchains.ca65.obj.dialect import V2_19, V2_19_GIT, Change, Dialect, suggest_dialect

_LONGEST_REGISTER: Final = 3
_OF_OTHERS: Final = {
    **dict.fromkeys((".db", ".text", ".ascii", ".defb", ".fcb"), "here that is .byte"),
    **dict.fromkeys((".dw", ".defw", ".fdb"), "here that is .word"),
    **dict.fromkeys((".ds", ".dsb", ".fill", ".block", ".pad"), "here that is .res"),
    **dict.fromkeys((".incsrc", ".src"), "here that is .include"),
    **dict.fromkeys((".binary", ".import_binary"), "here that is .incbin"),
    **dict.fromkeys((".equ", ".label"), "here that is NAME = VALUE"),
    ".pc": "here that is .org, or a segment that the configuration places",
}
"""Words of other assemblers for the 6502, and what to write."""
_HEX: Final = frozenset("0123456789ABCDEFabcdef")
ESCAPES: Final = {"\\": "\\", "'": "'", '"': '"', "t": "\t", "r": "\r", "n": "\n"}
C_ESCAPES: Final = ESCAPES | dict(zip("?abefv", "?\a\b\x1b\f\v", strict=True))


class Syntax:
    """The switches a source may flip while it is read."""

    __slots__ = (
        "dialect",
        "features",
        "ignore_case",
        "line_continuation",
        "local_start",
        "registers",
    )

    def __init__(
        self,
        features: set[str] | None = None,
        ignore_case: bool = False,
        line_continuation: bool = False,
        local_start: str = "@",
        registers: frozenset[str] = REGISTERS,
        dialect: Dialect = V2_19,
    ) -> None:
        self.dialect = dialect
        self.features: set[str] = set()
        self.ignore_case = ignore_case
        self.line_continuation = line_continuation
        self.local_start = local_start
        self.registers = registers
        for feature in features or ():
            self.switch(feature, on=True)

    def switch(self, feature: str, on: bool) -> None:
        """Switch a feature of the dialect."""
        if feature == "line_continuations":
            self.line_continuation = on
        elif on:
            self.features.add(feature)
        else:
            self.features.discard(feature)


def _scanner_of(
    features: frozenset[str], local_start: str, marked_unnamed: bool, has_at: bool
) -> str:
    extra = ("@" if "at_in_identifiers" in features else "") + (
        "$" if "dollar_in_identifiers" in features else ""
    )
    more = f"[A-Za-z0-9_{extra}]*"
    unnamed = r":(?:\++|-+)"
    if marked_unnamed:
        unnamed = rf":(?:\++|-+|<+|>+)|[{local_start}](?![A-Za-z0-9_{extra}])(?:\++|-+|<+|>+|)"
    low = "_" if "underline_in_numbers" in features else ""
    parts = [
        r"(?P<space>[ \t]+)",
        rf"(?P<hex>\$[0-9A-Fa-f{low}]*)",
        rf"(?P<bin>%[01{low}]*)",
        rf"(?P<num>[0-9][0-9A-Fa-f{low}]*[hH]?)",
        rf"(?P<word>[A-Za-z_]{more})",
        rf"(?P<dot>\.[A-Za-z_]{more})",
        *([r"(?P<at>@)"] if has_at else []),
        rf"(?P<ulabel>{unnamed})",
        rf"(?P<local>[{local_start}]{more})",
        r"(?P<op>::|:=|&&|\|\||<=|<<|<>|>=|>>|[-+*^&|:,#()\[\]{}<>=!~./])",
        r"(?P<quote>[\"'])",
        r"(?P<comment>;.*)",
    ]
    return "|".join(parts)


@cache
def _scanner(
    features: frozenset[str], local_start: str, marked_unnamed: bool, has_at: bool
) -> re.Pattern[str]:
    """One pattern for a whole line; the group's name says what was found."""
    return re.compile(_scanner_of(features, local_start, marked_unnamed, has_at))


def _find_scanner(syntax: Syntax) -> re.Pattern[str]:
    marked = Change.MARKED_UNNAMED in syntax.dialect
    has_at = "R0" in syntax.registers
    return _scanner(frozenset(syntax.features), syntax.local_start, marked, has_at)


def is_name(text: str, syntax: Syntax) -> bool:
    """Whether ``text`` could be one identifier in a source."""
    match = _find_scanner(syntax).fullmatch(text)
    return match is not None and match.lastgroup == "word"


class Lexer:
    """Reads one source; ``next_line`` gives the tokens of its next line."""

    def __init__(
        self,
        source: Source,
        syntax: Syntax,
        error: Callable[[str, Token, str | None], None],
        comment: Callable[[Token], None],
    ) -> None:
        """``comment`` is called with the first token of a line in which a ``/*`` begins."""
        self.source = source
        self.number = 0  # of the line being read, 1-based
        self._syntax = syntax
        self._error = error
        self._comment = comment
        self._lines = source.lines
        self._text = ""
        self._pos = 0
        self._resumed = 0

    def next_line(self) -> list[Token]:
        """The tokens of the next line, EOL last; [EOF] after the last line."""
        syntax = self._syntax
        if (
            self.number + 1 < len(self._lines)  # the last line has no end
            and not syntax.ignore_case
            and syntax.local_start == "@"
            and syntax.features <= HARMLESS
            and len(syntax.registers) <= len(REGISTERS_65816)
            and not (Change.MARKED_UNNAMED in syntax.dialect and self._names_by_arrows())
        ):
            text = self._lines[self.number].rstrip()
            tokens = read_plain_line(text, self.source, self.number + 1, syntax.registers)
            if tokens is not None:
                self.number += 1
                return tokens
        return self.scan_line()

    def _names_by_arrows(self) -> bool:
        """Whether the next line may name an unnamed label as ``:<``."""
        text = self._lines[self.number]
        return ":<" in text or ":>" in text

    def scan_line(self) -> list[Token]:
        """The same of any line, by one token after the other, with all that is wrong in it."""
        if self.number >= len(self._lines):
            return [self._end()]
        self._start_line()
        scanner = _find_scanner(self._syntax)
        tokens: list[Token] = []
        space = False
        while self._pos < len(self._text):
            match = scanner.match(self._text, self._pos)
            if match is None:
                space = self._stray(tokens) or space
                continue
            start, self._pos = self._pos, match.end()
            group, text = match.lastgroup, match.group()
            if group == "space":
                space = True
                continue
            if group == "comment":
                break
            if text == "/" and self._at("*") and "c_comments" in self._syntax.features:
                self._skip_comment(start, tokens)
                space = True
                continue
            token = self._make(group or "", text, start, space)
            if token is not None:
                tokens.append(token)
                space = False
        # behind the last line end there is nothing, or a line without one
        if self.number < len(self._lines) or tokens or self._lines[-1]:
            end = len(self._text)
            tokens.append(self._token(EOL, self._resumption(), end, end, space))
            return tokens
        return [self._end()]

    def _resumption(self) -> str | int:
        """Where a line goes on in which a comment of several lines ends: behind it and white space.
        It is what the line's end says; "" in other lines."""
        if not self._resumed:
            return ""
        rest = self._text[self._resumed :]
        return self._resumed + len(rest) - len(rest.lstrip())

    def _end(self) -> Token:
        """The end of the file is at the end of its last real line."""
        last = max(1, len(self._lines) - (self._lines[-1] == ""))
        column = len(self.source.line(last)) + 1
        return Token(EOF, "", False, self.source, last, column, 1)

    def _start_line(self) -> None:
        self._text = self._lines[self.number].rstrip()
        self._pos = self._resumed = 0
        self.number += 1

    def _at(self, text: str) -> bool:
        return self._text.startswith(text, self._pos)

    def _token(self, kind: str, value: str | int, start: int, end: int, space: bool) -> Token:
        number = max(1, self.number)
        return Token(kind, value, space, self.source, number, start + 1, max(1, end - start))

    def _fault(self, message: str, start: int, help: str | None = None) -> None:
        self._error(message, self._token(IDENT, "", start, self._pos, False), help)

    def _stray(self, tokens: list[Token]) -> bool:
        """A character no token starts with; True when the line goes on below."""
        start = self._pos
        self._pos += 1
        if self._text[start] == "\\" and self._syntax.line_continuation:
            if self._pos == len(self._text) and self.number < len(self._lines):
                self._start_line()
                return True
            self._fault("EOL expected.", start, "a line continuation must end its line")
            return False
        character = self._text[start]
        help = None
        if character == "\\":
            help = "line continuations need '.linecont +'"
        elif character == "\ufeff":
            help = "that is a byte order mark: save the file without one"
        code = character.encode("utf-8", "surrogateescape")[0]
        self._fault(f"Invalid input character: 0x{code:02X}", start, help)
        return False

    def _skip_comment(self, start: int, before: list[Token]) -> None:
        opening, begun = self._token(IDENT, "", start, start + 2, False), self.number
        self._comment(before[0] if before else opening)
        self._pos += 1
        while (end := self._text.find("*/", self._pos)) < 0:
            if self.number >= len(self._lines):
                self._error("Unterminated comment", opening, "close it with '*/'")
                self._pos = len(self._text)
                return
            self._start_line()
        self._pos = end + 2
        if self.number != begun:
            self._resumed = self._pos

    def _make(self, group: str, text: str, start: int, space: bool) -> Token | None:
        match group:
            case "word":
                return self._word(text, start, space)
            case "op" | "at":
                return self._token(text, text, start, self._pos, space)
            case "hex" if text == "$" and "dollar_is_pc" in self._syntax.features:
                return self._token("$", "$", start, self._pos, space)
            case "hex" | "bin" | "num":
                return self._token(INT, self._number(group, text, start), start, self._pos, space)
            case "dot":
                return self._dot_word(text, start, space)
            case "local":
                if len(text) == 1:
                    help = f"a name must follow; for '@:' and '@-': {V2_19_GIT.request}"
                    self._fault("Invalid cheap local symbol", start, help)
                    return None
                return self._token(LOCAL, self._fold(text), start, self._pos, space)
            case "ulabel":
                count = len(text) - 1
                value = count if text[-1] in "+>" else -count
                return self._token(ULABEL, value, start, self._pos, space)
            case _:
                return self._quotation(text, start, space)

    def _fold(self, text: str) -> str:
        return text.upper() if self._syntax.ignore_case else text

    def _word(self, text: str, start: int, space: bool) -> Token:
        if len(text) == 1:
            upper = text.upper()
            if upper in "AFZ" and self._at(":"):
                # ca65 looks at one character only: "a::b" is an override and then ":b"
                self._pos += 1
                return self._token(upper.lower() + ":", text, start, self._pos, space)
            if upper in self._syntax.registers:
                return self._token(upper, text, start, self._pos, space)
        elif len(text) <= _LONGEST_REGISTER and text.upper() in self._syntax.registers:
            if text.upper() == "SP":
                return self._token("S", text, start, self._pos, space)
            return self._token(REGISTER, int(text[1:]), start, self._pos, space)
        return self._token(IDENT, self._fold(text), start, self._pos, space)

    def _is_switched_on(self, word: str) -> bool:
        syntax = self._syntax
        known = Change.ADDRSIZE_IS_KNOWN in syntax.dialect
        return word != ".addrsize" or known or "addrsize" in syntax.features

    def _dot_word(self, text: str, start: int, space: bool) -> Token:
        word = text.lower()
        dialect = self._syntax.dialect
        kind = dialect.words.get(word)
        if kind is None and word in KEYWORDS and self._is_switched_on(word):
            kind = ALIASES.get(word, word)
        if kind is not None:
            return self._token(kind, text, start, self._pos, space)
        if "leading_dot_in_identifiers" in self._syntax.features:
            # 2.19 looks it up among its commands in upper case, and leaves it so
            return self._token(IDENT, text.upper(), start, self._pos, space)
        help = suggest_dialect(word) or _OF_OTHERS.get(word)
        help = help or suggest(word, KEYWORDS | dialect.words.keys())
        self._fault(f"'{text}' is not a recognized control command", start, help)
        return self._token(UNKNOWN, text, start, self._pos, space)

    def _number(self, group: str, text: str, start: int) -> int:
        if group == "num":
            return self._decimal(text, start)
        digits = text[1:]
        if digits.endswith("_"):
            self._fault("Number may not end with underline", start)
        digits = digits.replace("_", "")
        base, name = (16, "hexadecimal") if group == "hex" else (2, "binary")
        if not digits:
            self._fault(f"{name.capitalize()} digit expected", start)
            return 0
        value = whole(digits, base)
        if value > 0xFFFFFFFF:
            self._fault(f"Overflow in {name} number", start, "numbers have at most 32 bits")
            return 0
        return value

    def _decimal(self, text: str, start: int) -> int:
        if text.rstrip("hH").endswith("_"):
            self._fault("Number may not end with underline", start)
        text = text.replace("_", "")
        if text[-1] in "hH":
            value = whole(text[:-1], 16)
        elif text.isdecimal():
            value = whole(text)
        else:
            self._fault("Invalid digits in number", start, "hexadecimal numbers start with '$'")
            return 0
        if value > 0xFFFFFFFF:
            self._fault("Number out of range", start, "numbers have at most 32 bits")
            return 0
        return value

    def _quotation(self, quote: str, start: int, space: bool) -> Token | None:
        features = self._syntax.features
        if quote == "'" and "loose_string_term" not in features:
            return self._character(start, space)
        value = self._string(quote, start)
        kind: str = STRING
        if quote == "'" and len(value) == 1:
            return self._token(CHAR, ord(value), start, self._pos, space)
        return self._token(kind, value, start, self._pos, space)

    def _character(self, start: int, space: bool) -> Token | None:
        if self._at("\\") and self._escapes_as_in_c:
            return self._escaped_character(start, space)
        raw = self._text[self._pos : self._pos + 1].encode("utf-8", "surrogateescape")
        if not raw or raw[0] < 0x20 or raw[0] == 0x7F:
            self._fault("Illegal character constant", start, "write it as 'x'")
            return None
        self._pos += 1
        if self._at("'") and len(raw) == 1:
            self._pos += 1
        elif "missing_char_term" not in self._syntax.features:
            self._fault(
                "Illegal character constant",
                start,
                "a character constant is one byte between single quotes, as in 'x'",
            )
        return self._token(CHAR, raw[0], start, self._pos, space)

    @property
    def _escapes_as_in_c(self) -> bool:
        syntax = self._syntax
        return "string_escapes" in syntax.features and Change.C_ESCAPES in syntax.dialect

    def _escaped_character(self, start: int, space: bool) -> Token | None:
        self._pos += 1
        character = self._escape(start)
        if self._at("'"):
            self._pos += 1
        elif "missing_char_term" not in self._syntax.features:
            self._fault("Illegal character constant", start, "close it with '")
        return self._token(CHAR, ord(character), start, self._pos, space)

    def _string(self, quote: str, start: int) -> str:
        """The bytes up to the closing quote, one character each."""
        out: list[str] = []
        given: set[int] = set()
        text = self._text
        while True:
            if self._pos >= len(text):
                self._fault("Newline in string constant", start, f"close the string with {quote}")
                break
            character = text[self._pos]
            self._pos += 1
            if character == quote:
                break
            if character == "\\" and "string_escapes" in self._syntax.features:
                if self._escapes_as_in_c and self._text[self._pos : self._pos + 1] in ("x", "X"):
                    given.add(len(out))
                out.append(self._escape(start))
            else:
                out.append(character.encode("utf-8", "surrogateescape").decode("latin-1"))
        text = "".join(out)
        return EscapedText(text, frozenset(given)) if given else text

    def _escape(self, start: int) -> str:
        as_in_c = self._escapes_as_in_c
        known = C_ESCAPES if as_in_c else ESCAPES
        rest = self._text[self._pos : self._pos + 3]
        if rest[:1] in known and rest:
            self._pos += 1
            return known[rest[0]]
        number = rest[:1] == "x" or (as_in_c and rest[:1] == "X")
        if len(rest) == 3 and number and set(rest[1:]) <= _HEX:
            self._pos += 3
            return chr(int(rest[1:], 16))
        help = "the escapes are \\" + " \\".join(known) + " \\xHH"
        if as_in_c and rest[:1] in "01234567":
            help = "write \\xHH: ca65 misreads octal numbers"
        self._fault("Unsupported escape sequence in string constant", start, help)
        self._pos += 1
        return rest[:1].encode("utf-8", "surrogateescape").decode("latin-1")
