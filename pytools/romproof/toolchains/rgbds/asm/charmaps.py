"""Character maps: which numbers denote which text (rgbasm(5), "Character maps")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from romproof.toolchains.rgbds.asm.characters import show_char
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.asm.utf8 import Fault, character_at

MAIN = "main"
"""The map that is there from the beginning."""

_Entries = dict[str, tuple[int, ...]]
"""Texts with their numbers. Each beginning of a text is an entry too, without numbers unless it is
mapped itself: so the longest match is found step by step."""


class Charmaps:
    """All maps, the one in use, and those that PUSHC put aside."""

    def __init__(self, report: Reporter) -> None:
        self._report = report
        self._maps: dict[str, _Entries] = {MAIN: {}}
        self._current = MAIN
        self._stack: list[str] = []
        self._plain: dict[tuple[str, str], tuple[int, ...] | None] = {}

    # -- directives -------------------------------------------------------------------------

    def new(self, name: str, base: str | None = None) -> None:
        """Make a map, as a copy of ``base`` if that is given, and use it."""
        entries: _Entries = {}
        if base is not None:
            if base in self._maps:
                entries = dict(self._maps[base])
            else:
                self._report.error(f"Undefined base charmap `{base}`")
        if name in self._maps:
            self._report.error(f"Charmap `{name}` is already defined")
            return
        self._maps[name] = entries
        self._current = name

    def set(self, name: str) -> None:
        """Use a map."""
        if name in self._maps:
            self._current = name
        else:
            self._report.error(f"Undefined charmap `{name}`")

    def push(self) -> None:
        """Remember the map in use."""
        self._stack.append(self._current)

    def pop(self) -> None:
        """Use the map again that was remembered last."""
        if self._stack:
            self._current = self._stack.pop()
        else:
            self._report.error("No entries in the charmap stack")

    def check_stack(self) -> None:
        """Warn, at the end, when more maps were remembered than taken back."""
        if self._stack:
            self._report.warning("unmatched-directive", "`PUSHC` without corresponding `POPC`")

    def add(self, mapping: str, values: Sequence[int]) -> None:
        """Let ``mapping`` denote ``values`` (one or more) in the map in use."""
        if not mapping:
            self._report.error("Cannot map an empty string")
            return
        self._plain.clear()
        entries = self._maps[self._current]
        for end in range(1, len(mapping) + 1):
            entries.setdefault(mapping[:end], ())
        if entries[mapping]:
            self._report.warning("charmap-redef", "Overriding charmap mapping")
        entries[mapping] = tuple(values)

    # -- questions --------------------------------------------------------------------------

    def has(self, mapping: str) -> bool:
        """Whether the map in use has this very text."""
        return self.size(mapping) > 0

    def size(self, mapping: str) -> int:
        """How many numbers a text denotes; 0: it is not in the map."""
        return len(self._maps[self._current].get(mapping, ()))

    def value(self, mapping: str, index: int) -> int | None:
        """Number ``index`` (from 0) of those a text denotes, or None."""
        values = self._maps[self._current].get(mapping, ())
        return values[index] if 0 <= index < len(values) else None

    def reverse(self, values: Sequence[int]) -> tuple[str, bool]:
        """The text that denotes ``values``, and whether it is the only one ("" and False:
        there are several; "" and True: there is none).
        """
        wanted = tuple(values)
        matches = [text for text, known in self._maps[self._current].items() if known == wanted]
        if len(matches) > 1:
            return "", False
        return (matches[0] if matches else ""), True

    def all(self) -> Iterator[tuple[str, list[tuple[str, tuple[int, ...]]]]]:
        """Name and mappings of each map, in the order of their definition."""
        for name, entries in self._maps.items():
            yield name, [(text, values) for text, values in entries.items() if values]

    # -- conversion -------------------------------------------------------------------------

    def convert(self, text: str) -> list[int]:
        """The numbers that a whole text denotes."""
        units = self._units(text)
        if units is not None:
            return list(units)
        output: list[int] = []
        at = 0
        while at < len(text):
            _, at = self.convert_next(text, at, output)
        return output

    def _units(self, text: str) -> tuple[int, ...] | None:
        """The numbers that a text denotes; None where there is something to complain of."""
        key = self._current, text
        if key not in self._plain:
            entries = self._maps[self._current]
            self._plain[key] = None
            if not entries and self._current == MAIN and text.isascii():
                self._plain[key] = tuple(text.encode("ascii"))
            elif entries:
                self._plain[key] = _map(entries, text)
        return self._plain[key]

    def convert_next(self, text: str, at: int, output: list[int] | None = None) -> tuple[int, int]:
        """Convert the longest piece from ``at`` on that is mapped, or one character as it is.

        The numbers are appended to ``output``. Gives how many there are (0 only at the end of the
        text), and where the next piece begins.
        """
        if at >= len(text):
            return 0, at
        entries = self._maps[self._current]
        converted: tuple[int, ...] = ()
        converted_end = end = at
        while end < len(text) and (values := entries.get(text[at : end + 1])) is not None:
            end += 1
            if values:
                converted, converted_end = values, end
        if not converted:
            converted, converted_end = self._pass_unmapped(text, at)
        if output is not None:
            output.extend(converted)
        return len(converted), converted_end

    def _pass_unmapped(self, text: str, at: int) -> tuple[tuple[int, ...], int]:
        character = character_at(text, at)
        end = character.end
        if character.fault is Fault.INVALID:
            self._report.error("Input string is not valid UTF-8")
            end = at + 1
        name = show_char(text[at])
        if self._maps[self._current]:
            self._report.warning("unmapped-char", f"Unmapped character {name}")
        elif self._current != MAIN:
            self._report.warning(
                "unmapped-char", f"Unmapped character {name} not in `{MAIN}` charmap", strength=2
            )
        return tuple(_as_signed(byte) for byte in text[at:end].encode("latin-1")), end


def _map(entries: _Entries, text: str) -> tuple[int, ...] | None:
    """The numbers of a text all of which is mapped; None of others."""
    output: list[int] = []
    at, size = 0, len(text)
    while at < size:
        converted: tuple[int, ...] = ()
        end = at + 1
        after = at
        while end <= size and (values := entries.get(text[at:end])) is not None:
            if values:
                converted, after = values, end
            end += 1
        if not converted:
            return None
        output += converted
        at = after
    return tuple(output)


def _as_signed(byte: int) -> int:
    """A byte as rgbasm hands it on: DW makes $FFC3, not $00C3, of a byte $C3."""
    return byte - 256 if byte > 127 else byte
