"""Contracts put into sources, above their routines: what somebody wrote there stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from romproof.contract.text.blocks import may_stand_between
from romproof.program.image import Image, Symbol
from romproof.program.listing import find_outermost
from romproof.prover.catalogue import Reason
from romproof.prover.infer.infer import Inferred
from romproof.text.messages import Message
from romproof.text.span import Source, Span

_COMMENT = re.compile(r"\s*(;+)(.*)$")
_TITLE = re.compile(r"\s*(?P<name>[\w:@.#$]+)\s*(?:[-–—:]|$)")


@dataclass(frozen=True, slots=True)
class Edit:
    """A file with contracts put in: ``old`` and ``new`` are its whole text."""

    path: Path
    old: str
    new: str
    routines: tuple[str, ...]

    def diff(self) -> str:
        """What changes, as ``diff -u`` shows it."""
        name = str(self.path)
        old, new = self.old.splitlines(keepends=True), self.new.splitlines(keepends=True)
        return "".join(_end(line) for line in unified_diff(old, new, name, name))


@dataclass(frozen=True, slots=True)
class UnwrittenContract:
    """A routine whose contract was not put in, and why."""

    routine: str
    why: Message


def edits_of(
    image: Image, rows: Iterable[Inferred], folders: Sequence[Path]
) -> tuple[list[Edit], list[UnwrittenContract]]:
    """The files in which contracts are put above the routines, and what could not be.

    ``folders`` are where the names of sources begin. Files are read and nothing is written. Raises
    OSError.
    """
    by_source: dict[str, list[tuple[int, Inferred]]] = {}
    sources: dict[str, Source] = {}
    left: list[UnwrittenContract] = []
    symbols = {symbol.value: symbol for symbol in image.symbols if symbol.exported}
    for row in rows:
        if not row.fields:
            continue
        place = _place(symbols, row)
        if row.address not in symbols:
            left.append(UnwrittenContract(row.name, Reason.NOT_EXPORTED()))
            continue
        if place is None:
            left.append(UnwrittenContract(row.name, Reason.SOURCE_UNKNOWN()))
            continue
        if place.via is not None:
            why = Reason.DEFINED_BY_MACRO(place=str(find_outermost(place)))
            left.append(UnwrittenContract(row.name, why))
            continue
        sources[place.source.name] = place.source
        by_source.setdefault(place.source.name, []).append((place.line, row))
    edits: list[Edit] = []
    for name, wanted in by_source.items():
        names = [row.name for _, row in wanted]
        path = _file_of(sources[name], folders)
        if isinstance(path, Message):
            left += [UnwrittenContract(routine, path) for routine in names]
            continue
        old = path.read_bytes().decode("utf-8", "surrogateescape")
        edits.append(Edit(path, old, with_blocks(old, wanted), tuple(names)))
    return edits, left


def _place(symbols: Mapping[int, Symbol], row: Inferred) -> Span | None:
    symbol = symbols.get(row.address)
    return None if symbol is None else symbol.span


def _file_of(source: Source, folders: Sequence[Path]) -> Path | Message:
    """The file of a source, if it still is what was read; else why not."""
    for folder in folders:
        path = folder / source.name
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "surrogateescape")
            if text.replace("\r\n", "\n") != source.text.replace("\r\n", "\n"):
                return Reason.SOURCE_CHANGED(path=str(path))
            return path
    return Reason.NO_SOURCE(path=source.name)


def with_blocks(text: str, wanted: Iterable[tuple[int, Inferred]]) -> str:
    """A source with contracts above the labels at some lines (from 1)."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(end)
    for number, row in sorted(wanted, key=lambda each: -each[0]):
        above = lines[: number - 1]
        titled = _below_title(above, row.name)
        if titled is None:
            lines[number - 1 : number - 1] = _insert(above, row)
        else:
            lines[titled:titled] = row.fields
    return end.join(lines)


def _below_title(above: Sequence[str], name: str) -> int | None:
    """Where the fields of a contract go of which the title is there already: so many lines are
    before them. None without a title."""
    at = len(above)
    while at and may_stand_between(above[at - 1]):
        at -= 1
    return at if _is_titled(above[:at], name) else None


def _insert(above: Sequence[str], row: Inferred) -> list[str]:
    """The lines to put right above a label, below the lines ``above``."""
    block = row.block.splitlines()
    # next to another line of that kind it would be read as part of that one
    return ["", *block] if above and _marks(above[-1]) == 2 else block


def _is_titled(above: Sequence[str], name: str) -> bool:
    """Whether the comment right above ends with a block that says ``;; name``: then the fields
    are all that is missing."""
    at = len(above)
    while at and _marks(above[at - 1]):
        at -= 1
    comment = list(above[at:])
    starts = [n for n, line in enumerate(comment) if _marks(line) == 2]
    starts = [n for n in starts if n == 0 or _marks(comment[n - 1]) != 2]
    if not starts:
        return False
    match = _COMMENT.match(comment[starts[-1]])
    title = None if match is None else _TITLE.match(match[2])
    return title is not None and title["name"] in (name, name.rpartition("::")[2])


def _marks(line: str) -> int:
    match = _COMMENT.match(line)
    return len(match[1]) if match else 0


def _end(line: str) -> str:
    line = line.rstrip("\r\n")
    return f"{line}\n"


def append_contracts(path: Path, rows: Iterable[Inferred]) -> Edit:
    """A file of contracts with those of ``rows`` at its end. Raises OSError."""
    old = path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else ""
    known = {
        match["name"]
        for line in old.splitlines()
        if _marks(line) == 2 and (match := _TITLE.match(line.lstrip().lstrip(";")))
    }
    kept = [row for row in rows if row.fields and row.name not in known]
    joint = "" if not old or old.endswith("\n\n") else "\n" if old.endswith("\n") else "\n\n"
    new = old + (joint if kept else "") + "\n".join(row.block for row in kept)
    return Edit(path, old, new, tuple(row.name for row in kept))
