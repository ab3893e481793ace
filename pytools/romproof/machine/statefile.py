"""A state of a machine as a file: what it is a state of, and a checksum, around JSON.

The layout, numbers with the low byte first::

    0   16 bytes  "romproof state", CR, LF
    16   2 bytes  the version of what follows the checksum, here 1
    18   4 bytes  how many bytes follow the checksum
    22  32 bytes  SHA-256 of the six bytes before it and of all that follows it
    54            JSON in UTF-8, compressed as by zlib (RFC 1950)

All versions have the first 54 bytes in common. The JSON object of version 1 has the keys
``machine`` (as manifests call it), ``rom`` (SHA-256 of the program in hexadecimal, see digest_of),
``romproof`` (the version that wrote it), ``board`` (see statevalues) and ``run`` (what the harness
knows of the program that runs).

A state can come from anywhere: reading one executes nothing. The checksum tells of damage, not of
who wrote it.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from romproof.machine.statevalues import BadState
from romproof.program.image import Image

CARTRIDGES = ("gameboy", "nes")
"""The machines whose programs are files."""
MAGIC = b"romproof state\r\n"
VERSION = 1
_HEAD = struct.Struct("<HI")
_CONTENT = len(MAGIC) + _HEAD.size + 32
_MAX_CONTENT = 1 << 26
"""Bytes of JSON that are read: several times what the largest machine has."""


def pack(content: Mapping[str, Any]) -> bytes:
    """The bytes of a state with this JSON object."""
    body = zlib.compress(json.dumps(content, separators=(",", ":")).encode("ascii"), 6)
    head = _HEAD.pack(VERSION, len(body))
    return MAGIC + head + sha256(head + body).digest() + body


def unpack(data: bytes) -> dict[str, Any]:
    """The JSON object of a state. Raises BadState, which says what to do."""
    if not data.startswith(MAGIC):
        if data and MAGIC.startswith(data[: len(MAGIC)]):
            raise _damaged("ends within its first line")
        raise BadState(
            "this is no state of romproof: romproof run NAME --frames N --state FILE writes one"
        )
    if len(data) < _CONTENT:
        raise _damaged("ends within its head")
    head = data[len(MAGIC) : len(MAGIC) + _HEAD.size]
    version, size = _HEAD.unpack(head)
    body = data[_CONTENT:]
    if len(body) < size:
        raise _damaged(f"ends after {len(data):,} of {_CONTENT + size:,} bytes")
    if len(body) > size or sha256(head + body).digest() != data[_CONTENT - 32 : _CONTENT]:
        raise _damaged("does not have the checksum that it was written with")
    if version != VERSION:
        raise BadState(
            f"the state has format {version}, and this romproof reads format {VERSION}: "
            "save it again with this romproof, or use the one that saved it"
        )
    return _content(body)


def _content(body: bytes) -> dict[str, Any]:
    try:
        stream = zlib.decompressobj()
        text = stream.decompress(body, _MAX_CONTENT)
        if not stream.eof:
            raise _damaged("is larger than any state")
        content = json.loads(text)
    except (zlib.error, ValueError, RecursionError):
        raise _damaged("is not what romproof writes") from None
    if not isinstance(content, dict) or not all(
        isinstance(content.get(name), str) for name in ("machine", "rom", "romproof")
    ):
        raise _damaged("does not say what it is a state of")
    return content


def digest_of(image: Image, machine: str) -> str:
    """SHA-256 of a program in hexadecimal: of the file of a cartridge; of other programs that of
    their runs of bytes in the order of their addresses, each with its address and its length before
    it, in four bytes, the low one first.
    """
    if machine in CARTRIDGES and image.files:
        return sha256(image.files[0].data).hexdigest()
    found = sha256()
    for address, data in _runs(image):
        found.update(struct.pack("<II", address, len(data)) + data)
    return found.hexdigest()


def _runs(image: Image) -> list[tuple[int, bytes]]:
    """The bytes of a program, those that follow each other together: how a linker has cut them into
    blocks says nothing of the program."""
    runs: list[tuple[int, bytearray]] = []
    for block in sorted(image.blocks, key=lambda block: block.address):
        if not block.data:
            continue
        if runs and runs[-1][0] + len(runs[-1][1]) == block.address:
            runs[-1][1].extend(block.data)
        else:
            runs.append((block.address, bytearray(block.data)))
    return [(address, bytes(data)) for address, data in runs]


def _damaged(what: str) -> BadState:
    return BadState(f"the state is damaged: it {what}; copy it again, or save it again")
