"""Finding game logs in files, folders and archives, and opening them with a limit on their size.

Nothing that lies in a folder ends the search: what cannot be a log is found with its ``fault``.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fairdeck.tenhou.archives import BadArchive, Member, members, read_member
from fairdeck.tenhou.links import explain_argument
from fairdeck.tenhou.mjlog import MAX_BYTES, BadLog
from romproof import read_input

_GZIP = b"\x1f\x8b"
_ZIP = b"PK"
_ENDINGS = frozenset({".mjlog", ".xml", ".gz", ".zip", ".log", ".txt", ""})
"""What files in a folder must end with to be tried."""
_MISSING = "file not found"
_EMPTY = "the folder has no game logs"


@dataclass(frozen=True, slots=True)
class LogFile:
    """Where a log is: a file, or ``member`` of the archive ``path``.

    ``index`` is the member's place in the archive, whose names need not differ. ``fault`` says
    why it will not be opened. What is no file (standard input, a link) has ``data`` or a fault,
    and ``path`` is only its name.
    """

    path: Path | str
    member: str | None = None
    index: int | None = None
    fault: str | None = None
    data: bytes | None = None

    def __str__(self) -> str:
        text = str(self.path) if self.member is None else f"{self.path}:{self.member}"
        return _printable(text)

    @property
    def file(self) -> Path | None:
        """The file that holds the log, if one does."""
        return self.path if isinstance(self.path, Path) else None


def _printable(text: str) -> str:
    """A file may have any name: what a terminal would obey, or cannot show, is escaped."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii")
        for c in text
    )


def find_all(arguments: Iterable[str]) -> Iterator[LogFile]:
    """What arguments mean: files, folders, archives, ``-`` for standard input, links.

    One after the other, as they are asked for; what is not there, or has no log, is found with
    its fault.
    """
    for text in arguments:
        how = explain_argument(text)
        if text == "-":
            yield _standard_input()
        elif how is not None:
            yield LogFile(text, fault=how)
        else:
            yield from _at(Path(text))


def _standard_input() -> LogFile:
    name = "standard input"
    try:
        return LogFile(name, data=read_input("-"))
    except OSError as fault:
        return LogFile(name, fault=fault.strerror or str(fault))


def find_logs(path: Path) -> Iterator[LogFile]:
    """The logs at ``path``: itself, those in the folder below it, or in the zip archive.

    Found one after the other; of the names, those of one folder are held at a time.

    Raises BadLog when the path is not there, or when a folder or an archive has no log.
    """
    for log in _at(path):
        if log.fault in (_MISSING, _EMPTY) and log.path == path:
            raise BadLog(f"{path}: {log.fault}")
        yield log


def _at(path: Path) -> Iterator[LogFile]:
    """The logs at a path; where there are none, the path itself with its fault."""
    if not os.path.exists(path):
        found = iter([LogFile(path, fault=_MISSING)])
    elif os.path.isdir(path):
        found = _in_folder(path)
    else:
        found = _file(path)
    first = next(found, LogFile(path, fault=_EMPTY))
    yield first
    yield from found


def _in_folder(folder: Path) -> Iterator[LogFile]:
    """Folders may be nested deeper than calls: those that are left to read are on a stack."""
    stack: list[Iterator[Path]] = [iter([folder])]
    while stack:
        path = next(stack[-1], None)
        if path is None:
            stack.pop()
        elif not os.path.isdir(path):
            if path.suffix.lower() in _ENDINGS:
                yield from _file(path)
        elif len(stack) == 1 or not path.is_symlink():  # a link may lead back here
            try:
                stack.append(map(path.joinpath, sorted(os.listdir(path))))
            except OSError as fault:
                yield LogFile(path, fault=fault.strerror or str(fault))


def _file(path: Path) -> Iterator[LogFile]:
    try:
        with _open_file(path) as file:
            is_archive = file.read(2) == _ZIP and zipfile.is_zipfile(file)
        if not is_archive:
            yield LogFile(path)
            return
        for member in members(path):
            yield LogFile(path, member.name, member.index, member.fault)
    except BadLog as fault:
        yield LogFile(path, fault=str(fault))
    except OSError as fault:
        yield LogFile(path, fault=fault.strerror or str(fault))
    except BadArchive as fault:
        yield LogFile(path, fault=str(fault))


def _open_file(path: Path) -> io.BufferedReader:
    """The file, open for reading. Raises OSError; BadLog for what is no file, such as a pipe.

    To open a pipe would wait for its writer, so it is opened without waiting, and then looked at.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = open(path, "rb", opener=lambda name, _: os.open(name, flags))  # noqa: SIM115
    try:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise BadLog("not a regular file but a pipe or device, which is not read")
        return file
    except BaseException:
        file.close()
        raise


def read_bytes(log: LogFile) -> bytes:
    """The XML of a log, unpacked if it is compressed. Raises BadLog.

    No more than MAX_BYTES are unpacked, however big the file would become.
    """
    if log.fault is not None:
        raise BadLog(log.fault)
    if log.data is not None:
        return unpack_gzip(log.data)
    try:
        if log.member is None:
            with _open_file(Path(log.path)) as file:
                return unpack_gzip(file.read(MAX_BYTES + 1))
        member = Member(log.member, -1 if log.index is None else log.index)
        return unpack_gzip(read_member(Path(log.path), member, MAX_BYTES + 1))
    except OSError as fault:
        raise BadLog(fault.strerror or str(fault)) from None
    except BadArchive as fault:
        raise BadLog(str(fault)) from None


def unpack_gzip(data: bytes) -> bytes:
    """``data``, or what it holds if it is a gzip file; at most MAX_BYTES. Raises BadLog."""
    if data[:2] == _GZIP:
        return _gunzip(data)
    _check_size(data)
    return data


def _gunzip(data: bytes) -> bytes:
    result = bytearray()
    try:
        while data[:2] == _GZIP:  # a file may be several such streams, one after another
            stream = zlib.decompressobj(wbits=31)
            result += stream.decompress(data, MAX_BYTES + 1 - len(result))
            _check_size(result)
            if not stream.eof:
                raise BadLog("the gzip file is cut off")
            data = stream.unused_data
    except zlib.error as fault:
        raise BadLog(f"a damaged gzip file ({fault})") from None
    return bytes(result)


def _check_size(data: bytes | bytearray) -> None:
    if len(data) > MAX_BYTES:
        raise BadLog(f"the log has more than {MAX_BYTES >> 20} MiB of XML")
