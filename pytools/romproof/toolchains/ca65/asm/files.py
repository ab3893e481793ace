"""Files a source asks for: includes, macro packages and binaries."""

from __future__ import annotations

import os
from typing import Final

from romproof.support.account import is_file, not_repeatable
from romproof.support.reading import MAX_BYTES, MAX_TEXT, read_input, read_text
from romproof.text.diagnostic import suggest
from romproof.text.paths import Name, folder_of, join_path
from romproof.text.span import Source, Via
from romproof.toolchains.ca65.asm.feed import MAX_INCLUDES, Feed
from romproof.toolchains.ca65.asm.options import Options
from romproof.toolchains.ca65.asm.tokens import Token
from romproof.toolchains.ca65.obj.dialect import Change, Dialect

_PACKAGES: Final = join_path(folder_of(__file__), "macpack")


class Files:
    """Finds and reads files for one run of the assembler."""

    def __init__(self, feed: Feed, options: Options) -> None:
        self._feed = feed
        self._options = options

    def _search(self, name: str, further: tuple[Name, ...]) -> str | None:
        """The file ``name``, beside the file being read, its includers, or in ``further``."""
        folders = [folder_of(frame.lexer.source.name) for frame in reversed(self._feed.files)]
        for folder in [*folders, *further]:
            candidate = join_path(folder, name)
            if _is_file(candidate):
                return candidate
        return None

    def _read(self, path: str, most: int = MAX_BYTES) -> bytes:
        """The contents of a file; the callback for read files is called. Raises OSError."""
        data = read_input(path, most)
        if self._options.reading is not None:
            self._options.reading(path)
        return data

    def include(self, name: str, token: Token) -> bool:
        """Read the file ``name`` next; False after an error."""
        folders = self._options.include
        path = self._search(name, folders)
        if path is None:
            fault = f"Cannot open include file '{name}': not found"
            self._feed.error(fault, token, help=self._find(folders, "-I"))
            return False
        return self._include(path, name, token)

    def _include(self, path: str, name: str, token: Token) -> bool:
        """Read the file ``path`` next, which was asked for as ``name``; False after an error."""
        if len(self._feed.files) >= MAX_INCLUDES:
            self._feed.fatal(f"'{name}' is included {MAX_INCLUDES} levels deep: it includes itself")
        try:
            text = self._read(path, MAX_TEXT).decode("utf-8", "surrogateescape")
        except OSError as fault:
            self._feed.error(f"Cannot open include file '{name}': {fault.strerror}", token)
            return False
        self._open(path, text, token)
        return True

    def include_package(self, name: str, token: Token) -> bool:
        """Read a macro package: where an include would be found, else of those of romproof."""
        path = self._search(f"{name}.mac", self._options.include)
        if path is not None:
            return self._include(path, path, token)
        known = sorted(file.removesuffix(".mac") for file in os.listdir(_PACKAGES))
        if name.lower() not in known:
            self._feed.error(
                f"Cannot open include file '{name}.mac': not found",
                token,
                help=suggest(name, known) or "the packages are " + ", ".join(known),
            )
            return False
        text = read_text(join_path(_PACKAGES, f"{name.lower()}.mac"))
        self._open(f"{name}.mac", text, token)
        return True

    def main(self, source: Source) -> None:
        """Read the file that the user named."""
        self._feed.record.file(source.name, *_state(source.name, source.text))
        self._feed.open(source)

    def _open(self, name: str, text: str, token: Token) -> None:
        self._feed.record.file(name, *_state(name, text))
        text = with_plain_ends(text, self._options.dialect)
        source = Source(name, text, Via("included", self._feed.span(token)))
        self._feed.open(source)

    def read_binary(self, name: str, token: Token) -> bytes | None:
        """The contents of a file for ``.incbin``; None after an error."""
        options = self._options
        if options.bin_include is None:
            folders, option = options.include, "-I"
        else:
            folders, option = options.bin_include, "--bin-include-dir"
        path = name if _is_file(name) else self._search(name, folders)
        if path is None:
            fault = f"Cannot open include file '{name}': not found"
            self._feed.error(fault, token, help=self._find(folders, option))
            return None
        try:
            data = self._read(path)
            self._feed.record.file(path, *_state(path, ""))
            return data
        except OSError as fault:
            self._feed.error(f"Cannot open include file '{name}': {fault.strerror}", token)
            return None

    def _find(self, further: tuple[Name, ...], option: str) -> str:
        folders = {folder_of(frame.lexer.source.name) or "." for frame in self._feed.files}
        folders |= {str(folder) for folder in further}
        return "searched in " + ", ".join(sorted(folders)) + f"; add folders with {option}"


def with_plain_ends(text: str, dialect: Dialect) -> str:
    """A source with line feeds where its lines end."""
    if Change.RETURN_ENDS_LINES not in dialect:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _state(path: str, text: str) -> tuple[int, int]:
    """When a file was written, in seconds since 1970, and its size; 0 and that of its text where
    there is no such file."""
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return 0, len(text.encode("utf-8", "surrogateescape"))
    return int(state.st_mtime), state.st_size


def _is_file(path: str) -> bool:
    """Whether there is such a file: a regular one, which others are passed over for."""
    if not is_file(path):
        return False
    if os.path.isfile(path):
        return True
    not_repeatable()
    return False
