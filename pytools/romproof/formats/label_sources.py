"""Where sources define the labels of a symbol file that does not say it.

Labels are looked for as RGBDS and ca65 write them: ``Name:`` or ``Name::`` at the start of a line,
``.local`` and ``@local`` below it, ``.proc name``. A name that is defined in several places is left
without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from romproof.formats.known_parts import KnownParts
from romproof.formats.sources import files_below, show_path
from romproof.support.reading import read_text
from romproof.text.span import Source, Span

ENDINGS = (".asm", ".s", ".inc", ".z80", ".a65", ".asm65", ".a", ".sm83", ".src")
MAX_FILES = 20_000
_GLOBAL = re.compile(r"(?P<name>[A-Za-z_][\w#$@]*)(?P<local>\.[\w#$@]+)?:")
_INDENTED = re.compile(r"\s*(?P<name>[A-Za-z_][\w#$@]*)::?(?:\s|;|$)")
_LOCAL = re.compile(r"\s*(?P<name>\.[A-Za-z_][\w#$@]*)(?::|\s|;|$)")
_CHEAP = re.compile(r"\s*(?P<name>@\w+):")
_PROC = re.compile(r"\s*\.proc\s+(?P<name>\w+)", re.IGNORECASE)


def add_label_sources(parts: KnownParts, folders: Sequence[Path], asked: bool = True) -> None:
    """Give the symbols without a place in a source those that the sources below define; ``asked``
    where somebody named the folders, who then hears that there are none."""
    wanted = {s.name for s in parts.symbols if s.is_label and s.span is None}
    if not wanted or not folders:
        return
    places: dict[str, Span | None] = {}
    used: dict[int, Source] = {}
    for path in _files(folders):
        try:
            text = read_text(path)
        except OSError:
            continue
        source = Source(show_path(path), text)
        for name, span in labels_in(source):
            if name in wanted:
                places[name] = None if name in places else span
    known = {name: span for name, span in places.items() if span is not None}
    for span in known.values():
        used.setdefault(id(span.source), span.source)
    if not known and asked:
        names = ", ".join(map(show_path, folders))
        parts.warn(f"no source in {names} defines a label of the program", help=_WHERE)
    parts.symbols[:] = [
        replace(s, span=known[s.name]) if s.span is None and s.name in known else s
        for s in parts.symbols
    ]
    there = {source.name for source in parts.sources}
    parts.sources += [source for source in used.values() if source.name not in there]


_WHERE = "'sources' lists the folders, or files, in which the labels of symbol files are looked up"


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    count = 0
    for folder in folders:
        if folder.is_file():
            yield folder
            continue
        for path in files_below(folder):
            if path.suffix.lower() in ENDINGS:
                count += 1
                if count > MAX_FILES:
                    return
                yield path


def labels_in(source: Source) -> Iterator[tuple[str, Span]]:
    """The labels that a source defines, with their places."""
    scope = ""
    for number, line in enumerate(source.lines, 1):
        if ":" not in line and "." not in line:
            continue
        match = _GLOBAL.match(line) or _INDENTED.match(line) or _PROC.match(line)
        if match is not None:
            local = match.groupdict().get("local") or ""
            name = match["name"] + local
            scope = match["name"]
        else:
            match = _LOCAL.match(line) or _CHEAP.match(line)
            if match is None or not scope:
                continue
            name = scope + match["name"]
        yield name, Span(source, number, match.start("name") + 1, len(match["name"]))
