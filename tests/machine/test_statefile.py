"""States as bytes: what is damaged, of another version or no state at all is told in one line."""

from __future__ import annotations

import json
import struct
import zlib
from hashlib import sha256

import pytest

from romproof.machine.statefile import MAGIC, digest_of, pack, unpack
from romproof.machine.statevalues import BadState
from romproof.program.image import Block, Image, OutputFile

CONTENT = {"machine": "nes", "rom": "00ff", "romproof": "1.0", "board": [1, 2]}


def _made(version: int, body: bytes) -> bytes:
    head = struct.pack("<HI", version, len(body))
    return MAGIC + head + sha256(head + body).digest() + body


def test_what_is_packed_comes_back() -> None:
    assert unpack(pack(CONTENT)) == CONTENT
    assert pack(CONTENT) == pack(CONTENT)


def test_the_layout_is_the_documented_one() -> None:
    data = pack(CONTENT)
    assert data[:16] == b"romproof state\r\n"
    assert data[16:18] == b"\1\0"
    assert int.from_bytes(data[18:22], "little") == len(data) - 54
    assert data[22:54] == sha256(data[16:22] + data[54:]).digest()
    assert json.loads(zlib.decompress(data[54:])) == CONTENT


def test_no_byte_can_be_flipped_and_none_can_be_missing() -> None:
    data = pack(CONTENT)
    for place in range(len(data)):
        for bit in (0x01, 0x80):
            spoiled = bytearray(data)
            spoiled[place] ^= bit
            with pytest.raises(BadState, match=r"damaged|no state of romproof"):
                unpack(bytes(spoiled))
        if place:
            with pytest.raises(BadState, match="damaged: it ends"):
                unpack(data[:place])
    with pytest.raises(BadState, match="damaged: it does not have the checksum"):
        unpack(data + b"\0")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no state of romproof: romproof run NAME --frames N --state FILE writes one"),
        (b"NES\x1a" + bytes(100), "no state of romproof"),
        (_made(2, b"anything"), "format 2, and this romproof reads format 1: save it again"),
        (_made(1, b"anything"), "not what romproof writes"),
        (_made(1, zlib.compress(b"[" * 200_000)), "not what romproof writes"),
        (_made(1, zlib.compress(b"{}")), "does not say what it is a state of"),
        (_made(1, zlib.compress(b"[]")), "does not say what it is a state of"),
        (_made(1, zlib.compress(b"{}")[:-1]), "larger than any state"),
        (_made(1, zlib.compress(bytes((1 << 26) + 1))), "larger than any state"),
    ],
)
def test_what_is_no_state(data: bytes, says: str) -> None:
    with pytest.raises(BadState) as caught:
        unpack(data)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def _image(files: tuple[OutputFile, ...], *blocks: Block) -> Image:
    return Image("mos6502", files, blocks, (), (), (), (), (), ())


def test_a_program_is_known_by_its_bytes_and_their_places() -> None:
    one, two, three = (
        Block("ram", at, bytes([at & 0xFF]) * 2, True) for at in (0x200, 0x202, 0x205)
    )
    image = _image((OutputFile("a.nes", b"abc"),), one)
    assert digest_of(image, "nes") == sha256(b"abc").hexdigest()
    assert digest_of(image, "flat") == digest_of(_image((), one), "nes")
    whole = Block("all", 0x200, one.data + two.data, writable=False)
    same = [_image((), one, two), _image((), two, one), _image((), whole)]
    assert len({digest_of(image, "flat") for image in same}) == 1
    others = [_image((), one), _image((), two), _image((), one, three), same[0]]
    assert len({digest_of(image, "flat") for image in others}) == 4
