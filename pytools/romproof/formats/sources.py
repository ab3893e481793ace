"""Finding the sources that debug information names, whatever machine it was made on."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from romproof.support.reading import read_text
from romproof.text.span import Source

MAX_FILES = 20_000
"""Files that are looked at below the project's folder."""
_SKIPPED = {"node_modules", "__pycache__", "build", "dist", "venv"}
"""Folders without sources, besides hidden ones; not skipped where they are named."""


@dataclass(slots=True)
class SourceFinder:
    """Finds sources below ``folders``, the first that fits counts.

    A path is tried as it stands below each folder, and below those ``above``: of several files the
    one of the right size; then a file is taken that shares the longest tail with it, if there is
    only one such file. ``missing`` and ``ambiguous`` are what was not
    found; ``changed`` are files of another size than ``size`` said.
    """

    folders: Sequence[Path]
    above: Sequence[Path] = ()
    missing: list[str] = field(default_factory=list)
    ambiguous: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    _sources: dict[str, Source] = field(default_factory=dict)
    _by_name: dict[str, list[Path]] | None = None

    def find(self, name: str, size: int | None = None) -> Source:
        """The source called ``name``, without text where it is not found; ``size`` in bytes."""
        if name not in self._sources:
            self._sources[name] = self._read(name, size)
        return self._sources[name]

    def _read(self, name: str, size: int | None) -> Source:
        path = self._path(name, size)
        if path is None:
            return Source(name, "")
        try:
            text = read_text(path)
        except OSError:
            self.missing.append(name)
            return Source(name, "")
        if size is not None and len(text.encode("utf-8", "surrogateescape")) != size:
            self.changed.append(name)
        return Source(show_path(path), text)

    def _path(self, name: str, size: int | None) -> Path | None:
        parts = parts_of(name)
        if not parts:
            self.missing.append(name)
            return None
        exact = [folder.joinpath(*parts) for folder in (*self.folders, *self.above)]
        exact = [path for path in exact if ".." not in parts and _is_file(path)]
        direct = Path(name)
        if direct.is_absolute() and _is_file(direct):
            exact.insert(0, direct)
        if exact:
            return next((path for path in exact if _size(path) == size), exact[0])
        best = self._longest(parts, size)
        if len(best) == 1:
            return best[0]
        (self.ambiguous if best else self.missing).append(name)
        return None

    def _longest(self, parts: Sequence[str], size: int | None) -> list[Path]:
        """The files that share the longest tail with a path; of several those of its size."""
        if self._by_name is None:
            self._by_name = _files_by_name(self.folders)
        wanted = [part.casefold() for part in parts if part != ".."]
        best: list[Path] = []
        most = 0
        for path in self._by_name.get(wanted[-1], []) if wanted else []:
            own = [part.casefold() for part in path.parts]
            shared = _count_shared_tail(own, wanted)
            if shared > most:
                best, most = [path], shared
            elif shared == most:
                best.append(path)
        if len(best) > 1 and size is not None:
            same = [path for path in best if _size(path) == size]
            return same if len(same) == 1 else best
        return best


def parts_of(name: str) -> tuple[str, ...]:
    """The folders and the name of a path of Windows or of others, without drive and root."""
    if re.match(r"[A-Za-z]:|\\\\", name) or ("\\" in name and "/" not in name):
        name = re.sub(r"^[A-Za-z]:", "", name).replace("\\", "/")
    elif "\\" in name:
        name = name.replace("\\", "/")
    return tuple(
        p for p in PurePosixPath(name).parts if p not in ("/", "//", ".") and "\0" not in p
    )


def show_path(path: Path) -> str:
    """A path as messages have it: from the current folder where it is below."""
    full = Path(os.path.normpath(Path.cwd() / path))
    return str(full.relative_to(Path.cwd()) if full.is_relative_to(Path.cwd()) else full)


def files_below(folder: Path) -> Iterator[Path]:
    """The files of a folder and of those below it, hidden and generated folders aside."""
    for count, (at, folders, files) in enumerate(os.walk(folder)):
        if count > MAX_FILES:
            return
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED)
        for file in sorted(files):
            yield Path(at, file)


def _files_by_name(folders: Sequence[Path]) -> dict[str, list[Path]]:
    """All files below some folders by their name, without case."""
    by_name: dict[str, list[Path]] = {}
    seen: set[str] = set()
    for folder in folders:
        for path in files_below(folder):
            real = os.path.realpath(path)
            if real in seen:
                continue
            seen.add(real)
            if len(seen) > MAX_FILES:
                return by_name
            by_name.setdefault(path.name.casefold(), []).append(path)
    return by_name


def _count_shared_tail(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        count += 1
    return count


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
