"""Lines with macro arguments or interpolations in them: their text once those are put in."""

from __future__ import annotations

import re

from romproof.text.records import Protocol
from romproof.toolchains.rgbds.asm.context import Context
from romproof.toolchains.rgbds.asm.contexts import Contexts
from romproof.toolchains.rgbds.asm.format import MAX_WIDTH, FormatSpec
from romproof.toolchains.rgbds.asm.growth import Growth
from romproof.toolchains.rgbds.asm.keywords import KEYWORDS
from romproof.toolchains.rgbds.asm.model import Symbol
from romproof.toolchains.rgbds.asm.quick import values
from romproof.toolchains.rgbds.asm.quick.values import NotPlain, symbol_value
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.asm.settings import Settings

_ESCAPE = r"\\[1-9#@] | \{(?:[^{}\"\\:\r\n]*:)?[A-Za-z_][A-Za-z0-9_#$@]*\}"
_TEMPLATE = re.compile(
    rf"""(?:[^"';/\\{{\r\n] | "(?:[^"\\{{\r\n] | {_ESCAPE})*+" | /(?![*]) | '[^'"\\{{\r\n]+'
      | {_ESCAPE})*+""",
    re.VERBOSE,
)
_ESCAPES = re.compile(f"({_ESCAPE})", re.VERBOSE)
_STRING = re.compile('"[^"]*"')
_LONG = 1000
"""More characters of an inserted text are left to the plain path, which counts them."""


class Parts(values.Parts, Protocol):
    """What texts are made of."""

    contexts: Contexts
    growth: Growth
    report: Reporter
    settings: Settings


class Template:
    """A line with places for texts. ``column`` is where the first of them is."""

    def __init__(self, asm: Parts, line: str) -> None:
        """Raises NotPlain for a line that has to be read closer."""
        match = _TEMPLATE.match(line)
        assert match is not None  # it may be empty
        end = match.end()
        if end < len(line) and line[end] != ";" and line[end:] != "\r":
            raise NotPlain
        self._asm = asm
        self.constant = match[0]
        """The line without its comment."""
        self._pieces: list[tuple[str, str, FormatSpec | None, bool]] = []
        self.column = 0
        quotes = 0
        for i, piece in enumerate(_ESCAPES.split(match[0])):
            if i == 0:
                self.column = len(piece)
            if i % 2 == 0:
                quotes += piece.count('"')
                self._pieces.append(("", piece, None, False))
            elif piece[0] == "\\":
                self._pieces.append((piece[1], "", None, quotes % 2 == 1))
            else:
                self._pieces.append(_interpolation(piece[1:-1], quotes % 2 == 1))

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
        return len(self.constant) - behind if behind <= len(self._pieces[-1][1]) else None

    def filled(self, context: Context) -> tuple[str, list[str]]:
        """The line's text now, and what was put in. Raises NotPlain."""
        made: list[str] = []
        inserted: list[str] = []
        for kind, text, spec, in_string in self._pieces:
            if kind:
                text = self._inserted(kind, text, spec)
                if "\\" in text or "{" in text or "\n" in text or (in_string and '"' in text):
                    raise NotPlain
                if ";" in text and not in_string and ";" in _STRING.sub("", text):
                    raise NotPlain
                if context.unique is None:
                    if len(text) > _LONG:
                        raise NotPlain
                elif text:
                    inserted.append(text)
            made.append(text)
        return "".join(made), inserted

    def _inserted(self, kind: str, name: str, spec: FormatSpec | None) -> str:
        contexts = self._asm.contexts
        if spec is not None:
            return self._interpolated(name, spec)
        if kind == "@":
            unique = contexts.unique_name()
            if unique is None:
                raise NotPlain
            return unique
        arguments = contexts.arguments
        if arguments is None:
            raise NotPlain
        text = arguments.all() if kind == "#" else arguments.get(int(kind))
        if text is None:
            raise NotPlain
        return text

    def _interpolated(self, name: str, spec: FormatSpec) -> str:
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


def _interpolation(text: str, in_string: bool) -> tuple[str, str, FormatSpec | None, bool]:
    front, colon, name = text.rpartition(":")
    spec, length = FormatSpec.parse(front) if colon else (FormatSpec(), 0)
    if (
        length != len(front)
        or (colon and not spec.is_valid)
        or name.upper() in KEYWORDS
        or spec.sign
        or spec.exact
        or spec.fraction is not None
        or spec.precision is not None
        or spec.type == "f"
        or spec.width > MAX_WIDTH
    ):
        raise NotPlain
    return "{", name, spec, in_string
