"""Writing results so that nothing is lost when something goes wrong."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO, TypeVar

from romproof.text.paths import Name

Written = TypeVar("Written", bound=Name)

_PATIENCE = 2.0
"""Seconds in which somebody has to open a pipe to read what is written."""


def write_atomically(path: Name, data: bytes | str, mode: int | None = None) -> None:
    """Write ``data`` to ``path`` through a temporary file and a rename.

    The old file stays until the new one is complete. A link stays, and the
    file it leads to is replaced; what is not a file, such as a device or a pipe,
    is written to directly. Text is written as UTF-8. Folders on the way are
    made. ``mode`` are the permissions of the file; None: those any new file gets. Raises OSError
    as open() would, naming ``path``.
    """
    raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
    _make_folder_of(path)
    try:
        if _is_device(path):
            _write_directly(path, raw)
        else:
            with (
                _replacing(os.path.realpath(path), mode, str(path)) as handle,
                os.fdopen(handle, "wb") as file,
            ):
                file.write(raw)
    except OSError as fault:
        # the temporary file's name would tell nobody anything
        if fault.errno is None:
            raise
        raise OSError(fault.errno, fault.strerror, str(path)) from None


@contextmanager
def writing(path: Name) -> Iterator[TextIO]:
    """A text file to write to bit by bit, which replaces ``path`` when all is written.

    As write_atomically() does it; nothing is replaced when an exception ends the writing. Raises
    OSError, naming ``path``.
    """
    _make_folder_of(path)
    if _is_device(path):
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            yield file
        return
    with (
        _replacing(os.path.realpath(path), None, str(path)) as handle,
        os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file,
    ):
        yield file


def _make_folder_of(path: Name) -> None:
    """Make the folder of a file that is to be written. Raises OSError, and makes nothing, where
    ``path`` is a folder itself, or is written as one."""
    folder, name = os.path.split(path)
    if not name or os.path.isdir(path):
        import errno  # a library of its own: here and below few come by

        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if folder:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as fault:
            import errno

            # a file where a folder should be: open() says what it is
            number = errno.ENOTDIR if fault.errno == errno.EEXIST else fault.errno
            raise OSError(number, os.strerror(number or errno.EIO), str(path)) from None


def _remove(path: Name) -> None:
    """Remove a file, if it is there."""
    if os.path.lexists(path):
        os.unlink(path)


def _write_directly(path: Name, raw: bytes) -> None:
    """Write to what is not a file. Raises OSError, also for a pipe that nobody reads."""
    flags = os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            handle = os.open(path, flags)
            break
        except OSError as fault:
            import errno

            if fault.errno != errno.ENXIO or time.monotonic() > end:
                raise
            time.sleep(0.02)  # somebody may be about to open it
    with os.fdopen(handle, "wb") as file:
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)
        file.write(raw)


@contextmanager
def _replacing(path: str, mode: int | None, called: str) -> Iterator[int]:
    """A new file beside ``path``, open for writing, which takes its place when all is written, and
    is gone after any exception: what it is called is known before it is there.

    The handle is to be closed within. Raises OSError, naming ``called`` where there can be no file.
    As tempfile.mkstemp, which is slow to import.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    # the start of the name only: a long one would leave no room for what follows
    folder, own = os.path.split(path)
    temporary = os.path.join(folder, f".{own[:40]}.{os.urandom(6).hex()}")
    try:
        try:
            # it has what any new file gets at once: to ask for the umask is to change it
            handle = os.open(temporary, flags, 0o666 if mode is None else 0o600)
        except OSError as fault:
            raise OSError(fault.errno, fault.strerror, called) from None
        yield handle
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        _remove(temporary)
        raise


def _is_device(path: Name) -> bool:
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def write_all(files: Sequence[tuple[Written, bytes | str]]) -> list[Written]:
    """Write several files that belong together; gives their paths.

    Each replaces its old version in one step. When one cannot be written,
    those written before it are restored, and the caller gets the OSError. Data
    written to a device cannot be taken back.
    """
    written: list[tuple[Written, bytes | None]] = []
    try:
        for path, data in files:
            old = _contents(path) if os.path.isfile(path) else None
            write_atomically(path, data)
            written.append((path, old))
    except OSError:
        for path, old in reversed(written):
            if old is not None:
                write_atomically(path, old)
            elif not _is_device(path):
                _remove(path)
        raise
    return [path for path, _ in written]


def _contents(path: Name) -> bytes:
    with open(path, "rb") as file:
        return file.read()
