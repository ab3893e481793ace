"""Bodies of macros whose lines are plain: their tokens are read when the macro is called first.

Most macros of a file that many sources include are never called in one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from romproof.toolchains.ca65.asm.lexer import Syntax
from romproof.toolchains.ca65.asm.macro import LateBody
from romproof.toolchains.ca65.asm.quick.branches import taken_apart
from romproof.toolchains.ca65.asm.quick.tokens import QuickLexer, is_name, words_in
from romproof.toolchains.ca65.asm.tokens import EOL, KEYWORDS, Token

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.quick.parts import Parts


_END: Final = (".endmacro", ".endmac")
_LOCAL: Final = ".local"


def read_later(parts: Parts, first: int) -> tuple[int, LateBody] | None:
    """Go past the body that begins in the line after number ``first`` of the file, if all of it is
    plain; gives the number of its last line and the body, and None, with nothing done, where it is
    not. The lines are such that are read as they stand."""
    feed, record = parts.feed, parts.feed.record
    source = feed.files[-1].lexer.source
    lines = source.lines
    defines = feed.define_names
    passed: list[tuple[int, int]] = []
    names: list[str] = []
    declaring: set[int] = set()
    for number in range(first, len(lines) - 1):
        text = lines[number]
        match = taken_apart(text)
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
        if word == _LOCAL:
            declared = [name.strip(" \t") for name in match[2].split(",")]
            if not all(map(_can_be_local, declared)):
                return None
            names += declared
            declaring.add(number)
        elif word not in KEYWORDS or word == ".addrsize":
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
            if reader.number in declaring:
                reader.number += 1
                continue
            line = reader.next_line()
            if len(line) > 1 or line[0].kind != EOL:
                yield from line

    return number + 1, LateBody(names, tokens)


def _can_be_local(name: str) -> bool:
    """Whether a text is one name, cheap or not."""
    return is_name(name) or (name[:1] == "@" != name and is_name(f"_{name}".replace("@", "_", 1)))
