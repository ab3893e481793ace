"""Libraries of cc65 2.19: objects one after the other, and an index of them at the end.

Source: ``src/common/libdefs.h`` and ``src/ar65`` of cc65 2.19.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from romproof.toolchains.ca65.obj.decode import globals_of
from romproof.toolchains.ca65.obj.encode import number32, variable
from romproof.toolchains.ca65.obj.reader import ByteReader, Damaged
from romproof.toolchains.ca65.obj.tables import (
    LIBRARY_MAGIC,
    LIBRARY_VERSION,
    OBJECT_MAGIC,
    BadObjectFile,
    File,
    Globals,
    bytes_of,
)

_HEADER_SIZE = 12


@dataclass(frozen=True)
class Member:
    """An object in a library: ``time`` in seconds since 1970, ``data`` the whole object file."""

    name: str
    flags: int
    time: int
    data: bytes

    @cached_property
    def _globals(self) -> Globals:
        try:
            return globals_of(self.data)
        except Damaged as fault:
            raise BadObjectFile(
                f"{self.name!a}: damaged object in a library ({fault}): make the library again"
            ) from None

    @cached_property
    def exports(self) -> tuple[str, ...]:
        """The names it exports. Raises BadObjectFile."""
        return tuple(export.name for export in self._globals.exports)

    @property
    def imports(self) -> tuple[str, ...]:
        """The names it needs. Raises BadObjectFile."""
        return tuple(wanted.name for wanted in self._globals.imports)

    @property
    def tables(self) -> tuple[int, ...]:
        """The types of the tables of constructors it has entries in. Raises BadObjectFile."""
        exports = self._globals.exports
        return tuple(entry >> 5 for export in exports for entry in export.condes)

    @property
    def strings(self) -> tuple[str, ...]:
        """All texts in it. Raises BadObjectFile."""
        return self._globals.strings

    @property
    def files(self) -> tuple[File, ...]:
        """The sources it was made of. Raises BadObjectFile."""
        return self._globals.files


@dataclass(frozen=True)
class Library:
    """A library called ``name``, and what is in it, in the order of its index."""

    name: str
    members: tuple[Member, ...]
    flags: int = 0


def read_library(data: bytes, name: str) -> Library:
    """The library in the contents of a file called ``name``.

    Raises BadObjectFile when ``data`` is something else, of another version or damaged.
    """
    if not data.startswith(LIBRARY_MAGIC):
        raise BadObjectFile(f"{name}: this is not a library of ar65")
    reader = ByteReader(data, len(LIBRARY_MAGIC))
    try:
        version, flags = reader.word(), reader.word()
        if version != LIBRARY_VERSION:
            raise BadObjectFile(
                f"{name}: library of version {version:#x}, not {LIBRARY_VERSION:#x}, which is "
                "that of cc65 2.19: make it again"
            )
        reader.at = reader.long()
        return Library(name, reader.rows(lambda: _member(reader)), flags)
    except Damaged as fault:
        raise BadObjectFile(f"{name}: damaged library ({fault}): make it again") from None


def _member(reader: ByteReader) -> Member:
    name, flags, time = reader.text(), reader.word(), reader.long()
    start, size = reader.long(), reader.long()
    if start + size > len(reader.data):
        raise Damaged(f"module {name!a} is outside of the file")
    data = reader.data[start : start + size]
    if not data.startswith(OBJECT_MAGIC):
        raise Damaged(f"module {name!a} is not an object file")
    return Member(name, flags, time, data)


def write_library(library: Library, new: Collection[str] = ()) -> bytes:
    """The contents of the file. As ar65 has it, the objects called ``new`` come first in it, in
    the order they are given, the others after them in the order of the index."""
    named = {member.name: member for member in library.members}
    first = [named[name] for name in new]
    body, offset = bytearray(), _HEADER_SIZE
    starts: dict[str, int] = {}
    for member in [*first, *(m for m in library.members if m.name not in new)]:
        starts[member.name] = offset
        body += member.data
        offset += len(member.data)
    index = variable(len(library.members))
    for member in library.members:
        raw = bytes_of(member.name)
        index += variable(len(raw)) + raw + struct.pack("<H", member.flags)
        index += b"".join(map(number32, (member.time, starts[member.name], len(member.data))))
    head = LIBRARY_MAGIC + struct.pack("<HHI", LIBRARY_VERSION, library.flags, offset)
    return head + bytes(body) + index


def duplicates(members: Sequence[Member]) -> list[tuple[str, str, str]]:
    """Names that several modules export: the name, the module that has it first, and another."""
    first: dict[str, str] = {}
    twice = []
    for member in members:
        for name in member.exports:
            if name in first:
                twice.append((name, first[name], member.name))
            else:
                first[name] = member.name
    return twice
