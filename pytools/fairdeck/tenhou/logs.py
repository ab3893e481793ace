"""Finding game logs in files, folders and archives, and opening them with a limit on their size."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fairdeck.tenhou.mjlog import MOST_BYTES, BadLog

_GZIP = b"\x1f\x8b"
_ZIP = b"PK"
_ENDINGS = frozenset({".mjlog", ".xml", ".gz", ".zip", ".log", ".txt", ""})
"""What files in a folder must end with to be tried."""
MOST_MEMBERS = 1_000_000
"""Logs an archive may have."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """Where a log is: a file, or ``member`` of the archive ``path``."""

    path: Path
    member: str | None = None

    def __str__(self) -> str:
        return str(self.path) if self.member is None else f"{self.path}:{self.member}"


def find_logs(path: Path) -> Iterator[LogFile]:
    """The logs at ``path``: itself, those in the folder below it, or in the zip archive.

    Raises BadLog when the path is not there, when an archive is damaged, or when a folder or an
    archive has no log.
    """
    found = False
    for log in _below(path):
        found = True
        yield log
    if not found:
        raise BadLog(f"{path}: no game logs in there")


def _below(path: Path) -> Iterator[LogFile]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file() and file.suffix.lower() in _ENDINGS:
                yield from _file(file)
    elif path.exists():
        yield from _file(path)
    else:
        raise BadLog(f"{path}: there is no such file")


def _file(path: Path) -> Iterator[LogFile]:
    try:
        with path.open("rb") as file:
            is_archive = file.read(2) == _ZIP and zipfile.is_zipfile(path)
    except OSError as fault:
        raise BadLog(f"{path}: {fault.strerror}") from None
    if not is_archive:
        yield LogFile(path)
        return
    try:
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if not m.is_dir()]
    except zipfile.BadZipFile as fault:
        raise BadLog(f"{path}: a damaged archive ({fault})") from None
    if len(members) > MOST_MEMBERS:
        raise BadLog(f"{path}: more than {MOST_MEMBERS:,} files in the archive")
    for member in members:
        yield LogFile(path, member.filename)


def read_bytes(log: LogFile) -> bytes:
    """The XML of a log, unpacked if it is compressed. Raises BadLog.

    No more than MOST_BYTES are unpacked, however big the file would become.
    """
    try:
        if log.member is None:
            with log.path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        else:
            with _archive(log.path).open(log.member) as member:
                data = member.read(MOST_BYTES + 1)
    except OSError as fault:
        raise BadLog(fault.strerror or str(fault)) from None
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError) as fault:
        # RuntimeError: the member is encrypted; NotImplementedError: packed in an unusual way
        raise BadLog(f"cannot be unpacked ({fault})") from None
    return unpacked(data)


@lru_cache(maxsize=1)
def _archive(path: Path) -> zipfile.ZipFile:
    """The archive that was used last stays open: to find a file in it takes its whole list."""
    return zipfile.ZipFile(path)


def unpacked(data: bytes) -> bytes:
    """``data``, or what it holds if it is a gzip file; at most MOST_BYTES. Raises BadLog."""
    return _gunzip(data) if data[:2] == _GZIP else _limited(data)


def _gunzip(data: bytes) -> bytes:
    result = io.BytesIO()
    try:
        while data[:2] == _GZIP:  # a file may be several such streams, one after another
            stream = zlib.decompressobj(wbits=31)
            result.write(stream.decompress(data, MOST_BYTES + 1 - result.tell()))
            _limited(result.getbuffer())
            if not stream.eof:
                raise BadLog("the gzip file is cut off")
            data = stream.unused_data
    except zlib.error as fault:
        raise BadLog(f"a damaged gzip file ({fault})") from None
    return result.getvalue()


def _limited(data: bytes | memoryview) -> bytes:
    if len(data) > MOST_BYTES:
        raise BadLog(f"the log has more than {MOST_BYTES >> 20} MiB of XML")
    return bytes(data)
