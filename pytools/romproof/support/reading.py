"""Reading what a user names: never more than there is place for, and never for ever."""

from __future__ import annotations

import errno
import io
import os
import select
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TextIO

from romproof.text.paths import Name

MAX_TEXT = 16 << 20
"""Bytes of a text, such as a source or a configuration: its lines take many times as much."""
MAX_BYTES = 64 << 20
"""Bytes of any other file: the largest image has 16 MiB."""
MAX_LINE = 1 << 20
"""Characters of a line where each is read for itself."""
_PART = 1 << 20
_PATIENCE = 2.0
"""Seconds in which somebody has to open the other end of a pipe."""


_OnRead = Callable[[str, bytes | None], None]
_made: list[ContextVar[_OnRead | None]] = []
"""Who watches, once somebody has: few starts need the library that it takes."""


def _watcher() -> ContextVar[_OnRead | None]:
    if not _made:
        from contextvars import ContextVar

        _made.append(ContextVar("watcher", default=None))
    return _made[0]


@contextmanager
def watching(seen: _OnRead) -> Iterator[None]:
    """Tell ``seen`` of all that read_input reads: path and contents, None for what is no file."""
    token = _watcher().set(seen)
    try:
        yield
    finally:
        _watcher().reset(token)


def read_input(path: Name, most: int = MAX_BYTES) -> bytes:
    """The contents of a file, a pipe or a device that a user names.

    Raises OSError, also for what no file can be called, for more than ``most`` bytes, without an
    end perhaps, and for a pipe that nobody writes to.
    """
    data, regular = _read_named(str(path), most)
    seen = _made[0].get() if _made else None
    if seen is not None:
        seen(str(path), data if regular else None)
    return data


def _read_named(name: str, most: int) -> tuple[bytes, bool]:
    """The contents, and whether they are those of a regular file."""
    with _open(name) as (file, status):
        if stat.S_ISREG(status.st_mode) and status.st_size > most:
            raise _too_large(name, most)
        return _read(file, name, most), stat.S_ISREG(status.st_mode)


@contextmanager
def _open(name: str) -> Iterator[tuple[io.RawIOBase, os.stat_result]]:
    """What is called so, open to be read, and what it is. To open a pipe would wait for somebody
    to write: it is opened without waiting. Raises OSError."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(name, flags)
    except ValueError:  # a zero byte, or half a character
        raise _fault("EINVAL", "Not a valid file name", name) from None
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise _fault("EISDIR", "Is a directory", name)
        if stat.S_ISFIFO(status.st_mode) and flags & getattr(os, "O_NONBLOCK", 0):
            yield Pipe(handle, name, _PATIENCE), status
            return
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)
        with io.FileIO(handle, closefd=False) as file:
            yield file, status
    finally:
        os.close(handle)


def read_text(path: Name) -> str:
    """The text of a file in UTF-8; bytes that are none come as lone surrogates. Raises OSError."""
    return read_input(path, MAX_TEXT).decode("utf-8", "surrogateescape")


def read_standard_input(most: int = MAX_BYTES) -> bytes:
    """All of standard input. Raises OSError for more than ``most`` bytes."""
    return _read(sys.stdin.buffer, "standard input", most)


def input_lines(name: str) -> Iterator[str]:
    """The lines of a text in UTF-8 that a user names, as they come; what is none is replaced.

    Raises OSError as read_input does, and for a line that does not end.
    """
    with _open(name) as (file, _):
        text = io.TextIOWrapper(io.BufferedReader(file), encoding="utf-8", errors="replace")
        yield from read_bounded_lines(text, name)


def read_bounded_lines(file: TextIO, name: str) -> Iterator[str]:
    """The lines of an open text, as they come. Raises OSError for one that does not end."""
    while line := file.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            raise _too_large(name, MAX_LINE)
        yield line


def _read(file: Any, name: str, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := file.read(min(_PART, most + 1 - size)):
        parts.append(part)
        size += len(part)
        if size > most:
            raise _too_large(name, most)
    return b"".join(parts)


def _too_large(name: str, most: int) -> OSError:
    why = f"File is endless or larger than {most >> 20} MiB"
    return _fault("EFBIG", why, name)


def _fault(code: str, why: str, name: str) -> OSError:
    import errno  # a library of its own, which most starts do not need

    return OSError(getattr(errno, code), why, name)


_LOOK = 0.02
"""Seconds between two looks whether somebody writes."""


class Pipe(io.RawIOBase):
    """A pipe as a file that is read to its end, which until somebody writes may not be its end."""

    def __init__(self, handle: int, name: str, patience: float) -> None:
        """``patience``: seconds in which somebody has to open the other end."""
        self._handle = handle
        self._name = name
        self._until = time.monotonic() + patience
        self._begun = False

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next part, of no bytes at the end. Raises OSError where nobody writes at all."""
        while True:
            try:
                part = os.read(self._handle, len(buffer))
            except BlockingIOError:
                self._begun = True
                select.select([self._handle], [], [])
                continue
            if part or self._begun:
                self._begun = True
                buffer[: len(part)] = part
                return len(part)
            if time.monotonic() > self._until:
                # not EPIPE, which says that nobody reads what we write
                raise OSError(errno.ENXIO, "No process writes to this pipe", self._name)
            time.sleep(_LOOK)
