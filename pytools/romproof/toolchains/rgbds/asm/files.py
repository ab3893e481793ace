"""The files that a source names: where they are looked for, and what happens when they are missing.

What -M writes down, and -MG and -MC change, is described in rgbasm(1).
"""

from __future__ import annotations

import os
from pathlib import Path

from romproof.support.account import is_file
from romproof.support.reading import read_input
from romproof.toolchains.rgbds.asm.characters import readable
from romproof.toolchains.rgbds.asm.options import MissingInclude, RgbdsOptions
from romproof.toolchains.rgbds.asm.report import Reporter

"""Bytes that are read of a file: a device has no end, and a Game Boy no room for more."""


class StopQuietly(Exception):
    """A file is missing that is still to be made (-MG): the source is read no further."""


class Files:
    """Finds and reads files.

    ``dependencies`` are the paths that were found, each time they were, and with -MG and -MC the
    names of those that were not. ``failed`` says whether one of the latter kind is among them.
    """

    def __init__(self, options: RgbdsOptions, report: Reporter) -> None:
        self._options = options
        self._report = report
        self.dependencies: list[str] = []
        self.failed = False

    def find(self, name: str) -> Path | None:
        """The path of a file: ``name`` itself, or behind one of the folders of -I.

        ``name`` has a character for each byte. The callback for dependencies is called.
        """
        plain = name.encode("latin-1", "surrogateescape").decode("utf-8", "surrogateescape")
        if "\0" not in plain:
            for folder in ("", *map(str, self._options.include)):
                path = os.path.join(folder, plain.lstrip("/")) if folder else plain
                if is_file(path):
                    self._tell(path)
                    return Path(path)
        if self._options.missing_include is not MissingInclude.ERROR:
            self._tell(plain)
        return None

    def _tell(self, path: str) -> None:
        self.dependencies.append(path)
        if self._options.reading is not None:
            self._options.reading(path)

    def read(self, name: str, what: str) -> tuple[Path, bytes] | None:
        """Path and contents of a file; None, after an error, if it cannot be read.

        ``what`` names the kind of file in messages. Raises StopQuietly.
        """
        path, reason = self.find(name), "No such file or directory"
        if path is not None:
            try:
                return path, read_input(path)
            except OSError as fault:
                reason = fault.strerror or str(fault)
        self.missing(name, what, reason)
        return None

    def missing(self, name: str, what: str, reason: str) -> None:
        """A file cannot be read: an error, unless it is still to be made. Raises StopQuietly."""
        if self._options.missing_include is MissingInclude.ERROR:
            self._report.error(f'Error opening {what} file "{name}": {reason}')
            return
        self.failed = True
        if self._options.missing_include is MissingInclude.EXIT:
            raise StopQuietly(readable(name))

    def slice(self, name: str, start: int = 0, length: int | None = None) -> bytes:
        """INCBIN: ``length`` bytes from ``start`` on, or all; b"" after an error."""
        if length == 0:
            return b""
        file = self.read(name, "`INCBIN`")
        if file is None:
            return b""
        _, data = file
        if start > len(data):
            self._report.error(
                f"Specified start position ({start}) is greater than length of "
                f'"{name}" ({len(data)})'
            )
            return b""
        if length is not None and start + length > len(data):
            self._report.error(
                f'Specified range in `INCBIN` file "{name}" is out of bounds '
                f"({start} + {length} > {len(data)})"
            )
            return b""
        return data[start:] if length is None else data[start : start + length]

    def text(self, name: str, most: int | None = None) -> str:
        """READFILE: the file as a string, at most ``most`` bytes; "" after an error."""
        file = self.read(name, "`READFILE`")
        return "" if file is None else file[1][:most].decode("latin-1")
