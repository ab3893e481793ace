"""Bodies of macros whose lines are plain: their tokens are read when the macro is called first.

Most macros of a file that many sources include are never called in one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from romproof.toolchains.ca65.asm.lexer import Syntax
from romproof.toolchains.ca65.asm.quick.branches import hidden_line
from romproof.toolchains.ca65.asm.quick.tokens import QuickLexer, words_in
from romproof.toolchains.ca65.asm.tokens import EOL, KEYWORDS, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from romproof.toolchains.ca65.asm.quick.parts import Parts

_END: Final = (".endmacro", ".endmac")
_OTHERS: Final = frozenset((".addrsize", ".local"))
"""Words that are looked at when a body is read."""


def read_later(parts: Parts, first: int) -> tuple[int, Callable[[], Iterable[Token]]] | None:
    """Go past the body that begins in the line after number ``first`` of the file, if all of it is
    plain; gives the number of its last line and what reads its tokens, and None, with nothing done,
    where it is not. The lines are such that are read as they stand."""
    feed, record = parts.feed, parts.feed.record
    source = feed.files[-1].lexer.source
    lines = source.lines
    match_line, defines = hidden_line().match, feed.define_names
    passed: list[tuple[int, int]] = []
    for number in range(first, len(lines) - 1):
        text = lines[number]
        match = match_line(text)
        if match is None or (defines and not defines.isdisjoint(words_in(text))):
            return None
        if match[1] is None:
            if match[2]:
                passed.append((number + 1, match.start(2)))
            continue
        passed.append((number + 1, match.start(1)))
        word = match[1].lower()
        if word in _END:
            if match[2]:
                return None
            break
        if word not in KEYWORDS or word in _OTHERS:
            return None
    else:
        return None
    for line, column in passed[:-1]:
        record.hidden_line(source, line, column)
    record.plain_line(source, *passed[-1])
    syntax = Syntax(set(parts.settings.syntax.features))

    def tokens() -> Iterator[Token]:
        reader = QuickLexer(source, syntax, feed.error_at, lambda token: None)
        reader.number = first
        while reader.number < number:
            line = reader.next_line()
            if len(line) > 1 or line[0].kind != EOL:
                yield from line

    return number + 1, tokens
