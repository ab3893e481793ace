"""Functions whose result is tokens: ``.concat``, ``.ident``, ``.left`` and kin.

They are carried out while tokens are read, so they work anywhere in a line.
Each starts at its own keyword and leaves its result as the current token.
"""

from __future__ import annotations

from collections.abc import Callable

from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.lexer import is_name
from romproof.toolchains.ca65.asm.tokens import IDENT, LOCAL, STRING, Token

_SPEC = r"(?s)%(?P<spec>[-+ #0]*\d*(?:\.\d*)?)(?P<type>.?)"
MAX_WIDTH = 4096
"""Widest field of ``.sprintf``, in characters."""


def run(asm: Assembly, name: str) -> None:
    """Carry out the function at the current token."""
    feed = asm.feed
    feed.next()
    feed.expect("(")
    if name in _LISTS:
        tokens = _LISTS[name](asm)
        # the token behind the call goes last, so that the list is never empty
        feed.insert_tokens([*tokens, feed.tok])
        feed.next()
        return
    result = _VALUES[name](asm)
    if result is None:
        return
    kind, text = result
    if feed.at(")"):
        feed.tok = feed.tok.replace_meaning(kind, text)
    else:
        feed.error("')' expected")


def _string(feed: Feed) -> str | None:
    if feed.at(STRING):
        return feed.tok.text
    feed.error_skip("String constant expected")
    return None


def _concat(asm: Assembly) -> tuple[str, str] | None:
    parts: list[str] = []
    while True:
        part = _string(asm.feed)
        if part is None:
            return None
        parts.append(part)
        asm.feed.next()
        if not asm.feed.accept(","):
            return STRING, "".join(parts)


def _ident(asm: Assembly) -> tuple[str, str] | None:
    name = _string(asm.feed)
    if name is None:
        return None
    start = asm.settings.syntax.local_start
    body = name[1:] if name.startswith(start) else name
    if not is_name(body, asm.settings.syntax):
        asm.feed.error_skip(
            "Argument of .IDENT is not a valid identifier", help=f"the string is '{name}'"
        )
        return None
    if asm.settings.syntax.ignore_case:
        name = name.upper()
    asm.feed.next()
    return (LOCAL if name.startswith(start) else IDENT), name


def _string_of(asm: Assembly) -> tuple[str, str] | None:
    feed = asm.feed
    if feed.at(LOCAL):
        name = feed.tok.text
        feed.next()
        return STRING, name
    if not feed.at(IDENT, "::"):
        return STRING, str(asm.expressions.constant())
    name = ""
    while True:
        separator = feed.at("::")
        name += "::" if separator else feed.tok.text
        feed.next()
        if not feed.at(IDENT if separator else "::"):
            return STRING, name


def _sprintf(asm: Assembly) -> tuple[str, str] | None:
    template = _string(asm.feed)
    if template is None:
        return None
    asm.feed.next()
    out: list[str] = []
    position = 0
    while position < len(template):
        start = template.find("%", position)
        if start < 0:
            out.append(template[position:])
            break
        out.append(template[position:start])
        import re

        match = re.compile(_SPEC).match(template, start)
        assert match is not None  # the pattern matches any '%'
        position = match.end()
        if match["type"] == "%" and not match["spec"]:
            out.append("%")
        elif not match["type"]:
            asm.feed.error_skip("Invalid format string")
            break
        else:
            asm.feed.expect(",")
            out.append(_format(asm, match["spec"], match["type"]))
    return STRING, "".join(out)


def _format(asm: Assembly, spec: str, kind: str) -> str:
    import re

    if any(int(number) > MAX_WIDTH for number in re.findall(r"\d+", spec)):
        asm.feed.error(f"Field of .SPRINTF is wider than {MAX_WIDTH} characters")
        spec = ""
    if kind in "diouxX":
        value = asm.expressions.constant()
        if kind in "ou":
            value &= (1 << 64) - 1  # only these two are unsigned in ca65
        if value == 0 and re.search(r"\.0*$", spec):
            return ""
        text = f"%{spec}{'d' if kind in 'iu' else kind}" % value
        return text.replace("0o", "0") if kind == "o" else text
    if kind == "s":
        value_ = _string(asm.feed)
        if value_ is not None:
            asm.feed.next()
        # ca65 aligns strings the other way round than C: to the left without '-'
        flags, rest = re.match(r"([-+ #0]*)(.*)", spec, re.DOTALL).groups()  # type: ignore[union-attr]
        return f"%{'' if '-' in flags else '-'}{rest}s" % (value_ or "")
    if kind == "c":
        code = asm.expressions.constant()
        if not 0 < code < 256:
            asm.feed.error("Char argument out of range", help="it must be 1..255")
            code = 0x20
        return f"%{spec}s" % chr(code)
    asm.feed.error("Invalid format string", help="the conversions are d i o u x X s c and %%")
    return ""


_VALUES: dict[str, Callable[[Assembly], tuple[str, str] | None]] = {
    ".concat": _concat,
    ".ident": _ident,
    ".sprintf": _sprintf,
    ".string": _string_of,
}


def _collect(feed: Feed) -> list[Token]:
    """The tokens up to the closing parenthesis, which is skipped."""
    end = feed.list_end(")")
    tokens: list[Token] = []
    while feed.tok.kind != end:
        if feed.tok.ends_line:
            feed.error("Unexpected end of line")
            return tokens
        tokens.append(feed.tok)
        feed.next()
    feed.next()
    if end == "}":
        feed.expect(")")
    return tokens


def _count(asm: Assembly) -> int:
    count = max(0, asm.expressions.constant())
    asm.feed.expect(",")
    return count


def _left(asm: Assembly) -> list[Token]:
    count = _count(asm)
    return _collect(asm.feed)[:count]


def _right(asm: Assembly) -> list[Token]:
    count = _count(asm)
    tokens = _collect(asm.feed)
    return tokens[max(0, len(tokens) - count) :]


def _mid(asm: Assembly) -> list[Token]:
    start = asm.expressions.constant()
    asm.feed.expect(",")
    count = _count(asm)
    if not 0 <= start <= 100:  # ca65's own limit
        start = 0
    return _collect(asm.feed)[start : start + count]


_LISTS: dict[str, Callable[[Assembly], list[Token]]] = {
    ".left": _left,
    ".mid": _mid,
    ".right": _right,
}
