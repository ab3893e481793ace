"""Zip archives from strangers: one damaged or unusual file in them spoils none of the others."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

MAX_MEMBERS = 1_000_000
"""Files an archive may have."""
_NEWEST = 63
"""The version of the format, times ten, that Python's zipfile knows."""
_MAX_PATCHED = 1 << 28
"""Bytes of an archive that is read as a whole, as one of its files is of an unknown version."""
_ENTRY = struct.Struct("<4s2sH20x3H12x")
"""Of a file in the directory: mark, maker, version needed, lengths of name, extras and comment."""
_MARK, _END = b"PK\x01\x02", b"PK\x05\x06"
_TABLE_AT = 16
"""Where the directory's own end tells its start."""


class BadArchive(Exception):
    """An archive, or a file in it, that cannot be unpacked; ``str()`` says why."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive by name and place; ``fault`` says why it is not unpacked."""

    name: str
    index: int
    fault: str | None = None


@dataclass(frozen=True)
class _Archive:
    file: zipfile.ZipFile
    versions: dict[int, int]
    """The versions of the format above _NEWEST that files need, by their places."""


def members(path: Path) -> Iterator[Member]:
    """The files of an archive. Raises BadArchive and OSError."""
    archive = _archive(path)
    entries = archive.file.infolist()
    if len(entries) > MAX_MEMBERS:
        raise BadArchive(f"more than {MAX_MEMBERS:,} files in the archive")
    for index, info in enumerate(entries):
        if not info.is_dir():
            version = archive.versions.get(index)
            fault = f"it needs version {version / 10} of the zip format" if version else None
            yield Member(info.filename, index, fault)


def read_member(path: Path, member: Member, most: int) -> bytes:
    """The first ``most`` bytes of a file in an archive. Raises BadArchive and OSError."""
    archive = _archive(path).file
    try:
        info = archive.infolist()[member.index] if member.index >= 0 else member.name
        with archive.open(info) as file:
            return file.read(most)
    except OSError:
        raise
    except Exception as fault:
        # damaged, encrypted, packed in an unusual way: zipfile has no common class for these
        raise BadArchive(f"cannot be unpacked ({fault})") from None


@lru_cache(maxsize=1)
def _archive(path: Path) -> _Archive:
    """The archive that was used last stays open: to find a file in it takes its whole list."""
    try:
        return _Archive(zipfile.ZipFile(path), {})
    except NotImplementedError as fault:
        reason = str(fault)
    except (zipfile.BadZipFile, zlib.error, ValueError, EOFError, struct.error) as fault:
        raise BadArchive(f"a damaged archive ({fault})") from None
    if path.stat().st_size > _MAX_PATCHED:
        raise BadArchive(f"an archive of an unknown form ({reason})")
    data = bytearray(path.read_bytes())
    try:
        versions = _clamp_versions(data)
        return _Archive(zipfile.ZipFile(io.BytesIO(data)), versions)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error) as fault:
        raise BadArchive(f"an archive of an unknown form ({fault})") from None


def _clamp_versions(data: bytearray) -> dict[int, int]:
    """Lower the versions that zipfile would refuse the whole archive for; gives what they were."""
    end = data.rfind(_END)
    if end < 0:
        raise ValueError("no directory")
    (at,) = struct.unpack_from("<I", data, end + _TABLE_AT)
    versions, index = {}, 0
    while data[at : at + 4] == _MARK:
        _, _, version, name, extra, comment = _ENTRY.unpack_from(data, at)
        if version > _NEWEST:
            versions[index] = version
            struct.pack_into("<H", data, at + 6, _NEWEST)
        at += _ENTRY.size + name + extra + comment
        index += 1
    return versions
