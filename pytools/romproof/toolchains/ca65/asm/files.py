"""Files a source asks for: includes, macro packages and binaries."""

from __future__ import annotations

from pathlib import Path

from romproof.text.account import is_file, not_repeatable
from romproof.text.diagnostic import suggest
from romproof.text.reading import MOST_BYTES, MOST_TEXT, read_input
from romproof.text.span import Source, Via
from romproof.toolchains.ca65.asm.feed import MAX_INCLUDES, Feed
from romproof.toolchains.ca65.asm.options import Options
from romproof.toolchains.ca65.asm.tokens import Token

_PACKAGES = Path(__file__).parent / "macpack"


class Files:
    """Finds and reads files for one run of the assembler."""

    def __init__(self, feed: Feed, options: Options) -> None:
        self._feed = feed
        self._options = options

    def _search(self, name: str, further: tuple[Path, ...]) -> Path | None:
        """The file ``name``, beside the file being read, its includers, or in ``further``."""
        folders = [Path(frame.lexer.source.name).parent for frame in reversed(self._feed.files)]
        for folder in [*folders, *further]:
            candidate = folder / name
            if _is_file(candidate):
                return candidate
        return None

    def _read(self, path: Path, most: int = MOST_BYTES) -> bytes:
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
            self._feed.error(fault, token, help=self._searched(folders, "-I"))
            return False
        if len(self._feed.files) >= MAX_INCLUDES:
            self._feed.fatal(f"'{name}' is included {MAX_INCLUDES} levels deep: it includes itself")
        try:
            text = self._read(path, MOST_TEXT).decode("utf-8", "surrogateescape")
        except OSError as fault:
            self._feed.error(f"Cannot open include file '{name}': {fault.strerror}", token)
            return False
        self._open(str(path), text, token)
        return True

    def include_package(self, name: str, token: Token) -> bool:
        """Read a macro package: of the folders for them, else one that comes with the assembler."""
        path = self._search(f"{name}.mac", self._options.packages)
        if path is not None and self._options.packages:
            return self.include(str(path), token)
        known = sorted(p.name.removesuffix(".mac") for p in _PACKAGES.iterdir())
        if name.lower() not in known:
            self._feed.error(
                f"Cannot open include file '{name}.mac': not found",
                token,
                help=suggest(name, known) or "the packages are " + ", ".join(known),
            )
            return False
        text = (_PACKAGES / f"{name.lower()}.mac").read_text("utf-8")
        self._open(f"{name}.mac", text, token)
        return True

    def main(self, source: Source) -> None:
        """Read the file that the user named."""
        self._feed.record.file(source.name, *_state(Path(source.name), source.text))
        self._feed.open(source)

    def _open(self, name: str, text: str, token: Token) -> None:
        self._feed.record.file(name, *_state(Path(name), text))
        source = Source(name, text, Via("included", self._feed.span(token)))
        self._feed.open(source)

    def read_binary(self, name: str, token: Token) -> bytes | None:
        """The contents of a file for ``.incbin``; None after an error."""
        options = self._options
        if options.bin_include is None:
            folders, option = options.include, "-I"
        else:
            folders, option = options.bin_include, "--bin-include-dir"
        path = Path(name) if _is_file(Path(name)) else self._search(name, folders)
        if path is None:
            fault = f"Cannot open include file '{name}': not found"
            self._feed.error(fault, token, help=self._searched(folders, option))
            return None
        try:
            data = self._read(path)
            self._feed.record.file(str(path), *_state(path, ""))
            return data
        except OSError as fault:
            self._feed.error(f"Cannot open include file '{name}': {fault.strerror}", token)
            return None

    def _searched(self, further: tuple[Path, ...], option: str) -> str:
        folders = {str(Path(frame.lexer.source.name).parent) for frame in self._feed.files}
        folders |= {str(folder) for folder in further}
        return "searched in " + ", ".join(sorted(folders)) + f"; add folders with {option}"


def _state(path: Path, text: str) -> tuple[int, int]:
    """When a file was written, in seconds since 1970, and its size; 0 and that of its text where
    there is no such file."""
    try:
        state = path.stat()
    except OSError:
        return 0, len(text.encode("utf-8", "surrogateescape"))
    return int(state.st_mtime), state.st_size


def _is_file(path: Path) -> bool:
    """Whether there is such a file: a regular one, which others are passed over for."""
    if not is_file(str(path)):
        return False
    if path.is_file():
        return True
    not_repeatable()
    return False
