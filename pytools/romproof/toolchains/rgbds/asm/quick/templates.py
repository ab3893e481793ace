"""Lines with macro arguments or interpolations in them: their text once those are put in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.context import Context
from romproof.toolchains.rgbds.asm.format import MAX_WIDTH, FormatSpec
from romproof.toolchains.rgbds.asm.keywords import DIRECTIVES, KEYWORDS
from romproof.toolchains.rgbds.asm.model import Symbol
from romproof.toolchains.rgbds.asm.quick.plans import LinePlan
from romproof.toolchains.rgbds.asm.quick.scan import code_of, tokens
from romproof.toolchains.rgbds.asm.quick.values import NotPlain, symbol_value

_NAME = r"(?:[^{}\"\\:\r\n]*:)?[A-Za-z_][A-Za-z0-9_#$@]*"
_INNER = r"[A-Za-z0-9_#$@]"
_ESCAPE = (
    r"\\[1-9#@] | \\<[1-9][0-9]?>"
    rf"| \{{(?:[^{{}}\"\\:\r\n]*:)?{_INNER}*(?:(?:\{{{_NAME}\}}|\\[1-9]){_INNER}*)+\}}"
    rf"| \{{{_NAME}\}}"
)
"""What is put in: an argument, a unique name, a symbol, a symbol whose name has others in it."""
_TEMPLATE = re.compile(
    rf"""(?:[^"';/\\{{\r\n] | "(?:[^"\\{{\r\n] | \\" | {_ESCAPE})*+" | /(?![*]) | '[^'"\\{{\r\n]+'
      | {_ESCAPE})*+""",
    re.VERBOSE,
)
_ESCAPES = re.compile(f"({_ESCAPE})", re.VERBOSE)
_STRING = re.compile('"[^"]*"')
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_WITH_VALUES = frozenset({"DB", "DW", "DL", "DS", "ASSERT", "IF", "ELIF"})
_AS_IT_IS = FormatSpec()
_LONG = 1000
"""More characters of an inserted text are left to the plain path, which counts them."""


class TemplatePart:
    """A part of a line. ``kind`` is "" for text as it is, a backslash for an argument or the unique
    name, a brace for a symbol, whose name may have to be made of ``inner`` pieces."""

    __slots__ = ("in_string", "inner", "kind", "spec", "text")

    def __init__(
        self,
        kind: str,
        text: str,
        spec: FormatSpec | None = None,
        in_string: bool = False,
        inner: Sequence[TemplatePart] = (),
    ) -> None:
        self.kind = kind
        self.text = text
        self.spec = spec
        self.in_string = in_string
        self.inner = inner


class Template:
    """A line with places for texts. ``column`` is where the first of them is."""

    is_strings = False
    """Whether it is a line with EQUS symbols; see strings_of."""

    def __init__(self, asm: Assembly, line: str) -> None:
        """Raises NotPlain for a line that has to be read closer."""
        match = _TEMPLATE.match(line)
        assert match is not None  # it may be empty
        end = match.end()
        if end < len(line) and line[end] != ";" and line[end:] != "\r":
            raise NotPlain
        self._asm = asm
        self.constant = match[0]
        """The line without its comment."""
        self._pieces: list[TemplatePart] = []
        self.plan: LinePlan | None = None
        """What the line does as it is, if its arguments are values like others."""
        self.column = 0
        quotes = 0
        for i, piece in enumerate(_ESCAPES.split(match[0])):
            if i == 0:
                self.column = len(piece)
            if i % 2 == 0:
                quotes += piece.count('"') - piece.count('\\"')
                self._pieces.append(TemplatePart("", piece))
            elif piece[0] == "\\":
                self._pieces.append(
                    TemplatePart("\\", piece[1:].strip("<>"), None, quotes % 2 == 1)
                )
            else:
                self._pieces.append(_interpolation(piece[1:-1], quotes % 2 == 1))

    @property
    def has_arguments_only(self) -> bool:
        """Whether all that is put in are arguments, and none of them into a string."""
        pieces = [piece for piece in self._pieces if piece.kind]
        return all(
            piece.kind == "\\" and piece.text != "@" and not piece.in_string for piece in pieces
        )

    def arguments(self) -> list[str] | None:
        """What the macro arguments are that the line has; None if there are none now."""
        given = self._asm.contexts.arguments
        if given is None:
            return None
        texts = [
            given.all() if piece.text == "#" else given.get(int(piece.text))
            for piece in self._pieces
            if piece.kind
        ]
        present = [text for text in texts if text is not None]
        return present if len(present) == len(texts) else None

    def set_pieces(self, pieces: list[TemplatePart]) -> None:
        """Make it a line of these; the first is text."""
        self._pieces = pieces
        self.column = len(pieces[0].text)

    @property
    def is_constant(self) -> bool:
        """Whether nothing is put in: what looked like it was in the comment."""
        return len(self._pieces) == 1

    def column_of(self, line: str, column: int) -> int | None:
        """Where in the source that is which is at ``column`` of the line as it was filled.

        None: between places where texts were put in.
        """
        if column < self.column:
            return column
        behind = len(line) - column
        return len(self.constant) - behind if behind <= len(self._pieces[-1].text) else None

    def fill(self, context: Context) -> tuple[str, list[str]]:
        """The line's text now, and what was put in. Raises NotPlain."""
        made: list[str] = []
        inserted: list[str] = []
        for piece in self._pieces:
            text = piece.text
            if piece.kind:
                text = self._insertion(piece, inserted)
                if "\\" in text or "{" in text or "\n" in text:
                    raise NotPlain
                if text:
                    inserted.append(text)
                if piece.in_string:
                    text = text.replace('"', '\\"')
                elif ";" in text and ";" in _STRING.sub("", text):
                    raise NotPlain
            made.append(text)
        if context.unique is None:  # a text counts that is put into others only, or is long
            if any(len(text) > _LONG for text in inserted):
                raise NotPlain
            inserted.clear()
        return "".join(made), inserted

    def _insertion(self, piece: TemplatePart, inserted: list[str]) -> str:
        contexts = self._asm.contexts
        if piece.spec is not None:
            name = piece.text
            if piece.inner:
                name = self._name_of(piece.inner, inserted)
            return self._interpolate(name, piece.spec)
        if piece.text == "@":
            unique = contexts.unique_name()
            if unique is None:
                raise NotPlain
            return unique
        arguments = contexts.arguments
        if arguments is None:
            raise NotPlain
        text = arguments.all() if piece.text == "#" else arguments.get(int(piece.text))
        if text is None:
            raise NotPlain
        return text

    def _name_of(self, pieces: Sequence[TemplatePart], inserted: list[str]) -> str:
        """The name of a symbol that others are part of."""
        name = ""
        for piece in pieces:
            text = self._insertion(piece, inserted) if piece.kind else piece.text
            if piece.kind and text:
                inserted.append(text)
            name += text
        if _WORD.fullmatch(name) is None or name.upper() in KEYWORDS:
            raise NotPlain
        return name

    def _interpolate(self, name: str, spec: FormatSpec) -> str:
        symbol = self._asm.symbols.table.get(name)
        if symbol is None or len(self._asm.contexts.current.expansions):
            raise NotPlain
        if symbol.is_string:
            if symbol.computed_string is not None or spec.type not in ("", "s") or spec.zero:
                raise NotPlain
            return spec.string(symbol.string, self._asm.report)
        return self._number(symbol, spec)

    def _number(self, symbol: Symbol, spec: FormatSpec) -> str:
        if spec.type == "s" or (spec.exact and spec.type in ("d", "u")) or symbol.is_label:
            raise NotPlain
        value = symbol_value(self._asm, symbol)
        if value is None:
            raise NotPlain
        return spec.number(value, self._asm.report, self._asm.settings.precision)


def _interpolation(text: str, in_string: bool) -> TemplatePart:
    """What is between braces."""
    if "{" not in text and "\\" not in text:
        front, colon, name = text.rpartition(":")
        if name.upper() in KEYWORDS:
            raise NotPlain
        return TemplatePart("{", name, _spec_of(front, colon), in_string)
    front, colon, name = text.partition(":")
    if not colon or "{" in front or "\\" in front:
        front, colon, name = "", "", text
    inner = []
    for i, piece in enumerate(_ESCAPES.split(name)):
        if i % 2 == 0:
            inner.append(TemplatePart("", piece))
        elif piece[0] == "\\":
            inner.append(TemplatePart("\\", piece[1:]))
        else:
            inner.append(_interpolation(piece[1:-1], in_string))
    return TemplatePart("{", "", _spec_of(front, colon), in_string, inner)


def _spec_of(front: str, colon: str) -> FormatSpec:
    spec, length = FormatSpec.parse(front) if colon else (FormatSpec(), 0)
    if (
        length != len(front)
        or (colon and not spec.is_valid)
        or spec.sign
        or spec.exact
        or spec.fraction is not None
        or spec.precision is not None
        or spec.type == "f"
        or spec.width > MAX_WIDTH
    ):
        raise NotPlain
    return spec


_BEFORE_STRING = " \t(,["
"""What may be in front of an EQUS symbol: it makes no token with what the symbol denotes."""


def strings_of(asm: Assembly, line: str) -> Template:
    """A line with EQUS symbols as a template, which puts in what they denote.

    Raises NotPlain if there are none, or where some are names only.
    """
    code = code_of(line)
    scanned = tokens(code, 0)
    if scanned[0][0] == "NAME":
        if scanned[1][0] in (":", "::"):
            raise NotPlain
        del scanned[1:]  # what follows may be arguments of a macro
    elif scanned[0][0] in DIRECTIVES - _WITH_VALUES or any(kind == "DEF" for kind, _, _ in scanned):
        raise NotPlain
    find = asm.symbols.table.get
    template = Template(asm, "")
    template.constant, template.is_strings = code, True
    pieces: list[TemplatePart] = []
    at = 0
    for kind, name, column in scanned:
        symbol = find(str(name)) if kind == "NAME" else None
        if symbol is not None and symbol.is_string:
            if column and code[column - 1] not in _BEFORE_STRING:
                raise NotPlain
            pieces += TemplatePart("", code[at:column]), TemplatePart("{", symbol.name, _AS_IT_IS)
            at = column + len(symbol.name)
    if not pieces:
        raise NotPlain
    template.set_pieces([*pieces, TemplatePart("", code[at:])])
    return template
