"""Symbol files of the Game Boy: ``01:4ABC name`` (rgbds.gbdev.io/sym), and those of WLA.

A symbol without a bank is an address in every bank, by the format; rgblink (since 0.9) writes its
exported constants so. They are constants in a file where others have banks. WLA has sections; a
section other than ``[labels]`` has other things.
"""

from __future__ import annotations

import re
from dataclasses import replace

from romproof.formats.labels import Label, Space, SymbolFile
from romproof.formats.reading import number_lines, printable, span_of, unreadable
from romproof.text.numbers import whole
from romproof.text.span import Source

KIND = "RGBDS symbols"
_BANKED = re.compile(r"(?P<bank>[0-9A-Fa-f]{1,8}|[Bb][Oo][Oo][Tt]):(?P<address>[0-9A-Fa-f]{1,4})$")
_UNBANKED = re.compile(r"[0-9A-Fa-f]{1,8}$")
_NAME = re.compile(r"(?:[A-Za-z_.@#$!]|\\u|\\U)\S*$")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_SECTION = re.compile(r"\[(?P<name>[^\]]*)\]$")
_HELP = "the line of a symbol looks like this: 01:4ABC name"


def read_rgbds_sym(source: Source) -> SymbolFile:
    """The symbols of a file. Raises BadSymbols at the first line that is none."""
    labels: list[Label] = []
    in_labels = True
    for number, text in number_lines(source):
        words = text.partition(";")[0].split()
        if not words:
            continue
        section = _SECTION.match(" ".join(words))
        if section is not None:
            in_labels = section["name"].strip().lower() == "labels"
            continue
        if not in_labels or len(words) == 1:
            continue  # a single word is reserved for what may come
        label = _label(source, number, words[0], words[1])
        if label is not None:
            labels.append(label)
    if all(label.space is Space.CONSTANT for label in labels):
        labels = [replace(label, space=Space.ADDRESS) for label in labels]
    return SymbolFile(KIND, source.name, tuple(labels))


def _label(source: Source, number: int, place: str, name: str) -> Label | None:
    if _NAME.match(name) is None:
        raise unreadable(
            source, number, f"'{printable(name)}' is not a name of a symbol", _HELP, name
        )
    span = span_of(source, number, name)
    called = _ESCAPE.sub(_character, name)
    banked = _BANKED.match(place)
    if banked is not None:
        if banked["bank"].upper() == "BOOT":
            return None  # the boot ROM is no part of the image
        bank, address = whole(banked["bank"], 16), whole(banked["address"], 16)
        return Label(called, address, Space.ADDRESS, span, bank)
    if _UNBANKED.match(place) is None:
        raise unreadable(source, number, f"'{printable(place)}' is not an address", _HELP, place)
    return Label(called, whole(place, 16), Space.CONSTANT, span)


def _character(match: re.Match[str]) -> str:
    code = int(match[1] or match[2], 16)
    return chr(code) if code < 0x110000 else match[0]
