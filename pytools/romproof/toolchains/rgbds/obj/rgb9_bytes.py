"""The smallest pieces of RGBDS's object files: bytes, 32-bit numbers, strings."""

from __future__ import annotations

from struct import Struct

from romproof.text.errors import RomproofError

MAGIC = b"RGB9"
"""The first bytes of an object file."""
REVISION = 13
"""The revision of the format that RGBDS 1.0 writes and reads."""

QUIET = 0x80
"""Set in the type of a node that is left out of messages."""
NONE = 0xFFFF_FFFF
"""A number that denotes "none", -1 as rgbds(5) writes it."""

_LONG = Struct("<L")
_SIGNED = Struct("<l")


class MalformedObject(RomproofError):
    """A file that is no object, or one with a fault in it; the message names file and fault."""


class ByteReader:
    """Reads little-endian numbers and strings one after the other; ``name`` is for messages.

    Every method takes what it reads for, and raises MalformedObject with it at the data's end.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self._data = data
        self._at = 0

    @property
    def at_end(self) -> bool:
        """Whether everything has been read."""
        return self._at >= len(self._data)

    def rest(self) -> bytes:
        """What has not been read yet, 4 bytes of it at most."""
        return self._data[self._at : self._at + 4]

    def skip(self, count: int) -> None:
        """Leave out ``count`` bytes."""
        self._at += count

    def byte(self, what: str) -> int:
        """An unsigned byte."""
        return self.bytes(1, what)[0]

    def long(self, what: str) -> int:
        """An unsigned 32-bit number."""
        at = self._at
        self._at = at + 4
        if self._at > len(self._data):
            raise self._too_short(what)
        number: int = _LONG.unpack_from(self._data, at)[0]
        return number

    def signed_number(self, what: str) -> int:
        """A signed 32-bit number."""
        at = self._at
        self._at = at + 4
        if self._at > len(self._data):
            raise self._too_short(what)
        number: int = _SIGNED.unpack_from(self._data, at)[0]
        return number

    def unpack(self, record: Struct, what: str) -> tuple[int, ...]:
        """Several numbers at once."""
        at = self._at
        self._at = at + record.size
        if self._at > len(self._data):
            raise self._too_short(what)
        return record.unpack_from(self._data, at)

    def bytes(self, count: int, what: str) -> bytes:
        """``count`` bytes as they are."""
        at = self._at
        self._at = at + count
        if self._at > len(self._data):
            raise self._too_short(what)
        return self._data[at : self._at]

    def string(self, what: str) -> str:
        """Text up to a zero byte. What is no UTF-8 becomes lone surrogates."""
        end = self._data.find(b"\0", self._at)
        if end < 0:
            raise self._too_short(what)
        text = self._data[self._at : end].decode("utf-8", "surrogateescape")
        self._at = end + 1
        return text

    def fault(self, message: str) -> MalformedObject:
        """The exception for a fault in this file."""
        return MalformedObject(f"{self.name}: {message}")

    def _too_short(self, what: str) -> MalformedObject:
        return self.fault(f"the object file ends in the middle of {what}")


class ByteWriter:
    """Collects little-endian numbers and strings."""

    def __init__(self) -> None:
        self._data = bytearray()

    def byte(self, value: int) -> None:
        """An unsigned byte."""
        self._data.append(value)

    def pack(self, record: Struct, *values: int) -> None:
        """Several numbers at once."""
        self._data += record.pack(*values)

    def long(self, value: int) -> None:
        """A 32-bit number, signed or unsigned."""
        self._data += _LONG.pack(value & 0xFFFF_FFFF)

    def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        self._data += data

    def string(self, text: str) -> None:
        """Text and a zero byte."""
        # the format has no other end of a string
        self._data += text.partition("\0")[0].encode("utf-8", "surrogateescape")
        self._data.append(0)

    def result(self) -> bytes:
        """Everything written."""
        return bytes(self._data)
