"""KickAssembler's symbols, as ``-symbolfile`` writes them: source that another program can import.

.label start=$810
.namespace vic {
  .label BORDER=$d020
}
.label Keyboard=$2217 {
  .label Buffer=$2418
}

Names in braces have the name before these in front, with a dot, as sources write them:
``vic.BORDER``, ``Keyboard.Buffer``. ``.filenamespace`` counts up to the end of the file (Kick
Assembler Reference Manual, "Namespaces").
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from romproof.formats.errors import BadSymbols
from romproof.formats.labels import Label, Space, SymbolFile
from romproof.formats.reading import printable
from romproof.text.numbers import whole
from romproof.text.span import Source, Span

KIND = "symbols of KickAssembler"
LINE = re.compile(
    r"\s*(?:\.(?:label|const|var)\s+[^\s={}]+\s*=|\.(?:namespace|filenamespace)\s+[^\s={}]+)"
)
"""A line by which such a file is known."""
_STATEMENT = re.compile(
    r"\.(?P<scope>namespace|filenamespace)\s+(?P<within>[A-Za-z_][\w.]*)"
    r"|(?:\.(?:label|const|var)\s+)?(?P<name>[^\s={};/.][^\s={};/]*)\s*=\s*(?P<minus>-?)"
    r"(?:\$(?P<hex>[0-9A-Fa-f]{1,8})|0[xX](?P<c>[0-9A-Fa-f]{1,8})|%(?P<binary>[01]{1,32})"
    r"|(?P<decimal>\d{1,10}))(?![\w.])"
    r"|(?P<brace>[{}])"
)
_SPACE = re.compile(
    rf"(?:\s|//[^\n]*|/\*.*?\*/|^\#[^\n]*|;(?=[^\S\n]*(?:{_STATEMENT.pattern}))|;[^\n]*)+",
    re.DOTALL | re.MULTILINE,
)
"""What stands between statements; a semicolon is between two, or begins a comment as elsewhere."""
_ADDRESSES = 0x10000
_MAX_DEPTH = 100
_HELP = (
    "the line of a label looks like this: .label name=$c000, and a namespace like: "
    ".namespace name { ... }"
)


@dataclass(slots=True)
class _Scope:
    """What stands before names in braces; ``is_inner``: in those of a label, or in others in these.
    ``needs_braces``: it is a namespace."""

    prefix: str
    is_inner: bool
    span: Span
    needs_braces: bool = False


@dataclass(slots=True)
class _Reader:
    source: Source
    labels: list[Label] = field(default_factory=list)
    scopes: list[_Scope] = field(default_factory=list)

    # what the braces are of that may come next
    _next: _Scope | None = None
    _file: str = ""

    def read(self) -> None:
        text, line, start = self.source.text, 1, 0
        at = 1 if text.startswith("\ufeff") else 0
        while True:
            blank = _SPACE.match(text, at)
            if blank is not None:
                lines = blank[0].count("\n")
                line += lines
                start = blank.start() + blank[0].rindex("\n") + 1 if lines else start
                at = blank.end()
            if at == len(text):
                break
            match = _STATEMENT.match(text, at)
            if match is None:
                rest = text[at:].partition("\n")[0].rstrip()
                span = Span(self.source, line, at - start + 1, max(len(rest), 1))
                raise BadSymbols(f"cannot read this symbol: {printable(rest)}", span, _HELP)
            part = "name" if match["name"] else "within" if match["within"] else "brace"
            column = match.start(part) - start + 1
            self._statement(match, Span(self.source, line, column, len(match[part])))
            lines = match[0].count("\n")
            line += lines
            start = match.start() + match[0].rindex("\n") + 1 if lines else start
            at = match.end()
        self._need_braces()
        if self.scopes:
            raise BadSymbols("this brace is not closed", self.scopes[-1].span, _HELP)

    def _statement(self, match: re.Match[str], span: Span) -> None:
        before = self.scopes[-1].prefix if self.scopes else self._file
        is_inner = bool(self.scopes) and self.scopes[-1].is_inner
        if match["brace"] == "{":
            if self._next is None:
                raise BadSymbols("no braces belong here", span, _HELP)
            if len(self.scopes) == _MAX_DEPTH:
                raise BadSymbols(f"braces are nested more than {_MAX_DEPTH} deep", span)
            self.scopes.append(replace(self._next, span=span))
            self._next = None
            return
        self._need_braces()
        if match["brace"] == "}":
            if not self.scopes:
                raise BadSymbols("no brace is open here", span, _HELP)
            self.scopes.pop()
        elif match["scope"] == "filenamespace":
            if self.scopes:
                raise BadSymbols("a .filenamespace must not be in braces", span, _HELP)
            self._file = f"{match['within']}."
        elif match["scope"] == "namespace":
            self._next = _Scope(f"{before}{match['within']}.", is_inner, span, True)
        else:
            name = f"{before}{match['name']}"
            self.labels.append(_label(name, _value(match), span, not is_inner))
            self._next = _Scope(f"{name}.", True, span)

    def _need_braces(self) -> None:
        """A namespace has braces; a label may have some."""
        if self._next is not None and self._next.needs_braces:
            raise BadSymbols("a namespace needs braces", self._next.span, _HELP)
        self._next = None


def read_kickass(source: Source) -> SymbolFile:
    """The symbols of a file. Raises BadSymbols."""
    reader = _Reader(source)
    reader.read()
    return SymbolFile(KIND, source.name, tuple(reader.labels))


def _value(match: re.Match[str]) -> int:
    if match["decimal"] is not None:
        value = whole(match["decimal"])
    elif match["binary"] is not None:
        value = whole(match["binary"], 2)
    else:
        value = whole(match["hex"] or match["c"], 16)
    return -value if match["minus"] else value


def _label(name: str, value: int, span: Span, is_public: bool) -> Label:
    """A symbol: constants are written as labels are, and those that are no addresses show it."""
    space = Space.ADDRESS if 0 <= value < _ADDRESSES else Space.CONSTANT
    return Label(name, value, space, span, is_public=is_public)
