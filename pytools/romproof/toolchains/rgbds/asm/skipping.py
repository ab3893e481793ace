"""Going over text without reading it: branches that are not taken, and bodies that are stored.

Only words at the start of a line count, and nothing is expanded; so what an expansion would bring
can neither open nor close anything here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from romproof.toolchains.rgbds.asm.characters import BLANKS, END, IDENTIFIER, LETTERS, NEWLINES
from romproof.toolchains.rgbds.asm.context import Conditional, Context, Mode
from romproof.toolchains.rgbds.asm.keywords import LEADING
from romproof.toolchains.rgbds.asm.reader import Reader

_LEADING = rf"[ \t]*({'|'.join(sorted(LEADING))})(?![A-Za-z0-9_#$@.])"
_LEADING_HERE = re.compile(_LEADING, re.IGNORECASE | re.ASCII)
_LEADING_LINE = re.compile(rf"[\r\n]{_LEADING}", re.IGNORECASE | re.ASCII)
"""The next line that begins with one of these words."""


def _leading_keyword(reader: Reader) -> str:
    """Go on to behind the next leading keyword; gives it in upper case, "EOF" at the end."""
    context = reader.context
    if not context.expansions:
        return _quick_keyword(context)
    while True:
        char = reader.peek()
        if context.at_line_start:
            context.at_line_start = False
            char = reader.skip(BLANKS)
            if char and char in LETTERS:
                word = ""
                while char and char in IDENTIFIER:
                    word += char
                    char = reader.next()
                if word.upper() in LEADING:
                    return word.upper()
        if char == END:
            return "EOF"
        reader.shift()
        if char in NEWLINES:
            reader.skip_newline(char)
            reader.next_line()
            context.at_line_start = True


def _quick_keyword(context: Context) -> str:
    """The same by whole lines, where only one text is read."""
    text, start = context.text, context.pos
    context.painted = 0
    found = _LEADING_HERE.match(text, start) if context.at_line_start else None
    context.at_line_start = False
    if found is None:
        found = _LEADING_LINE.search(text, start)
        end = len(text) if found is None else found.start(1)
        context.line += text.count("\n", start, end)
        if "\r" in text:
            context.line += text.count("\r", start, end) - text.count("\r\n", start, end)
    if found is None:
        context.pos = len(text)
        return "EOF"
    context.pos = found.end()
    # what follows the word at once has been looked at: it is not expanded
    context.painted = 1
    return found[1].upper()


def skip_conditional(reader: Reader, to_end: bool) -> str:
    """Go on to the branch that may follow, or to the ENDC; gives the keyword there."""
    context = reader.context
    context.mode = Mode.NORMAL
    keyword = "EOF"

    def skip() -> None:
        nonlocal keyword
        depth = len(context.conditionals)
        while True:
            keyword = _leading_keyword(reader)
            here = len(context.conditionals) == depth
            if keyword == "EOF":
                return
            if keyword == "IF":
                context.conditionals.append(Conditional())
            elif keyword == "ELIF":
                if here and not to_end:
                    return
            elif keyword == "ELSE":
                if context.conditionals[-1].in_else:
                    reader.report.fatal("Found `ELSE` after an `ELSE` block")
                context.conditionals[-1].in_else = True
                if here and not to_end:
                    return
            elif keyword == "ENDC":
                if here:
                    return
                context.conditionals.pop()

    reader.without_expansion(skip)
    return keyword


def skip_loop(reader: Reader) -> str:
    """Go on to the end of the loop's text: all of it has been taken into one context."""
    context = reader.context
    context.mode = Mode.NORMAL

    def skip() -> None:
        while True:
            keyword = _leading_keyword(reader)
            if keyword == "EOF":
                return
            if keyword == "IF":
                context.conditionals.append(Conditional())
            elif keyword == "ENDC":
                if not context.conditionals:
                    reader.report.fatal(
                        "Found `ENDC` outside of a conditional "
                        "(not after an `IF`/`ELIF`/`ELSE` block)"
                    )
                context.conditionals.pop()

    reader.without_expansion(skip)
    return "EOF"


def capture_loop(reader: Reader) -> str | None:
    """The text up to the matching ENDR, without it; None when there is none."""
    depth = 0

    def ends(word: str) -> bool:
        nonlocal depth
        if word in ("REPT", "FOR"):
            depth += 1
        elif word == "ENDR":
            depth -= 1
        return depth < 0

    return _capture(reader, "loop (`REPT`/`FOR` block)", ends)


def capture_macro(reader: Reader) -> str | None:
    """The text up to ENDM, without it; None when there is none."""
    return _capture(reader, "macro definition", lambda word: word == "ENDM")


def _capture(reader: Reader, what: str, ends: Callable[[str], bool]) -> str | None:
    context = reader.context
    start = context.pos
    buffered = bool(context.expansions)
    if buffered:
        context.captured = []
    reader.next_line()
    body: str | None = None

    def read() -> None:
        nonlocal body
        while True:
            word = _leading_keyword(reader)
            if word == "EOF":
                reader.report.error(f"Unterminated {what}")
                return
            if ends(word):
                text = (
                    "".join(context.captured or ())
                    if buffered
                    else context.text[start : context.pos]
                )
                body = text[: len(text) - len(word)]
                return

    reader.without_expansion(read)
    context.captured = None
    context.at_line_start = False
    return body
