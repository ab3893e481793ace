"""What lies in a folder that could be a program: images, symbols, sources, layouts, makefiles."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from romproof.cli.starting.tools import MAKEFILES, SCRIPTS, BuildFile, read_build_file
from romproof.formats.images import ENDINGS

_MOST_FILES = 20_000
"""Files that are looked at; a folder with more is no project of one game."""
_MOST_TEXT = 1 << 20
"""Bytes of a source or makefile that are read."""
_DEPTH = 8
_NO_FOLDERS = {"node_modules", "__pycache__", "venv", "site-packages"}
_SOURCES = (".asm", ".s", ".z80", ".sm83", ".a65", ".inc", ".i", ".h", ".mac")
_SYMBOLS = (".dbg", ".sym", ".mlb", ".map", ".lbl")
"""Endings of files with symbols, from what says most to what says least."""
_INCLUDE = re.compile(
    r"^[ \t]*(?:[\w@.]+:+[ \t]*)?\.?(include|incbin)[ \t]+\"([^\"\n]+)\"",
    re.IGNORECASE | re.MULTILINE,
)
_RGBDS = re.compile(r"^[ \t]*SECTION[ \t]+(FRAGMENT|UNION)?[ \t]*\"", re.IGNORECASE | re.MULTILINE)
_CA65 = re.compile(
    r"^[ \t]*\.(segment|proc|export|import|importzp|exportzp|code|byte|macro|org|res|zeropage)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LAYOUT = re.compile(r"^\s*(MEMORY|SEGMENTS)\s*\{", re.MULTILINE)


@dataclass(frozen=True)
class Folder:
    """A folder and the files below it, as paths from it, the least deep ones first."""

    root: Path
    files: tuple[Path, ...]

    def text(self, path: Path) -> str:
        """What is in a file; nothing of one that cannot be read."""
        try:
            with (self.root / path).open("rb") as file:
                return file.read(_MOST_TEXT).decode("utf-8", "replace")
        except OSError:
            return ""

    @cached_property
    def images(self) -> Sequence[Path]:
        """Files that a machine runs, by their names."""
        return [path for path in self.files if path.suffix.lower() in ENDINGS]

    @cached_property
    def build_files(self) -> Sequence[BuildFile]:
        """The makefiles, else the scripts, at the top that call assemblers or linkers."""
        top = [path for path in self.files if len(path.parts) == 1]
        made = [path for path in top if path.name in MAKEFILES]
        scripts = [path for path in top if path.suffix.lower() in SCRIPTS]
        for paths in (made, scripts):
            read = [read_build_file(self.root / path, self.text(path)) for path in paths]
            if found := [build for build in read if build.calls]:
                return found
        return []

    @cached_property
    def sources(self) -> Sequence[Path]:
        """Files with assembly, also those that others include."""
        return [path for path in self.files if path.suffix.lower() in _SOURCES]

    @cached_property
    def includes(self) -> dict[Path, list[str]]:
        """The names that each source includes, as they are written."""
        return {
            path: [name for _, name in _INCLUDE.findall(self.text(path))] for path in self.sources
        }

    @cached_property
    def roots(self) -> Sequence[Path]:
        """The sources that no other one includes."""
        named = {name.rpartition("/")[2] for names in self.includes.values() for name in names}
        endings = (".asm", ".s", ".z80", ".sm83", ".a65")
        return [
            path
            for path in self.sources
            if path.suffix.lower() in endings and path.name not in named
        ]

    @cached_property
    def layouts(self) -> Sequence[Path]:
        """Configurations of ld65."""
        likely = [path for path in self.files if path.suffix.lower() in (".cfg", ".x", ".ld")]
        return [path for path in likely if _LAYOUT.search(self.text(path))]

    def is_for_rgbds(self, sources: Sequence[Path]) -> bool | None:
        """Whether sources are for rgbasm; False for ca65, None if nothing tells."""
        for path in sources:
            text = self.text(path)
            if _RGBDS.search(text):
                return True
            if _CA65.search(text):
                return False
        return None

    def find_symbols(self, image: Path) -> list[Path]:
        """Files with the symbols of an image: those with its name, beside it first."""
        named = [path for path in self.files if path.stem == image.stem]
        named.sort(key=lambda path: path.parent != image.parent)
        kinds = [e for e in _SYMBOLS if any(p.suffix.lower() == e for p in named)]
        best = {e: next(p for p in named if p.suffix.lower() == e) for e in kinds}
        if ".sym" in best and ".map" in best and ".dbg" not in best:
            return [best[".sym"], best[".map"]]
        return [best[kinds[0]]] if kinds else []

    def find_include_folders(self, sources: Sequence[Path]) -> list[Path]:
        """The folders from which the names that sources include lead to files; not the sources'
        own ones."""
        known = {path.as_posix() for path in self.files}
        folders: dict[Path, None] = {}
        todo, seen = list(sources), set(sources)
        while todo:
            source = todo.pop()
            for name in self.includes.get(source, []):
                written = name.replace("\\", "/").removeprefix("./")
                beside = os.path.normpath(source.parent / written)
                if written in known or beside in known:
                    found = Path(written if written in known else beside)
                    if written in known:
                        folders.setdefault(Path())
                else:
                    ends = f"/{written}"
                    match = next((path for path in sorted(known) if path.endswith(ends)), None)
                    if match is None:
                        continue
                    found = Path(match)
                    folders.setdefault(Path(match.removesuffix(ends)))
                if found not in seen:
                    seen.add(found)
                    todo.append(found)
        return list(folders)


def look_into(root: Path) -> Folder:
    """The files in a folder and below, without hidden ones."""
    found: list[Path] = []
    for path in _walk(root):
        found.append(path)
        if len(found) == _MOST_FILES:
            break
    return Folder(root, tuple(sorted(found, key=lambda path: (len(path.parts), path.as_posix()))))


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        here = Path(folder).relative_to(root)
        deep = len(here.parts) >= _DEPTH
        folders[:] = [
            name
            for name in sorted(folders)
            if not deep and not name.startswith(".") and name not in _NO_FOLDERS
        ]
        yield from (here / name for name in sorted(names) if not name.startswith("."))
