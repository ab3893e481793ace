"""The chunks of a PNG: what libpng takes, and what it says of the rest.

The format is that of the PNG specification (ISO/IEC 15948). Messages are those that libpng 1.6
has for rgbgfx: it refuses a picture with an error, and ignores a chunk that is not needed with a
warning.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import NoReturn

from romproof.toolchains.rgbds.gfx.report import PictureReport

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
"""Colour types."""
_DEPTHS = {
    GRAY: (1, 2, 4, 8, 16),
    RGB: (8, 16),
    PALETTE: (1, 2, 4, 8),
    GRAY_ALPHA: (8, 16),
    RGBA: (8, 16),
}
_MAX_SIDE = 1_000_000
"""Pixels of a side: libpng's limit."""
MAX_PIXELS = 1 << 24
"""Pixels of a picture; the limit is ours. A Game Boy's largest map has 65536 (2 ** 16)."""
_MAX_CHUNK = 8_000_000
_MAX_NUMBER = 0x7FFFFFFF
_PART, _SKIPPED = 8192, 1024
"""Bytes of compressed data, and of what it does not need, that libpng reads at a time."""
_WHOLE = ("IHDR", "tRNS", "bKGD", "tEXt", "zTXt", "iTXt", "pHYs", "gAMA", "cHRM", "sRGB", "tIME")


@dataclass(slots=True)
class Header:
    """IHDR: size in pixels, bits of a sample, colour type."""

    width: int
    height: int
    depth: int
    kind: int
    interlaced: bool


@dataclass(slots=True)
class Chunks:
    """What is in front of the pixels: palette of RGB triples, raw ``transparency`` (tRNS)."""

    header: Header
    palette: list[tuple[int, int, int]] = field(default_factory=list)
    transparency: bytes | None = None


class ChunkReader:
    """Reads a PNG from its start to its end. Every method raises Aborted for what is refused."""

    def __init__(self, data: bytes, name: str, report: PictureReport) -> None:
        self._data = data
        self._name = name
        self._report = report
        self._at = len(SIGNATURE)
        self._idat = self._sum = 0
        self._in_tail = False
        if not data.startswith(SIGNATURE):
            report.fatal(f'File "{name}" is not a valid PNG image')

    def fail(self, why: str) -> NoReturn:
        """Refuse the picture, in libpng's words."""
        self._report.fatal(f'libpng error while reading PNG image ("{self._name}"): {why}')

    def warn(self, what: str) -> None:
        """Ignore something, in libpng's words."""
        self._report.warn(f'libpng found while reading PNG image ("{self._name}"): {what}')

    def head(self) -> Chunks:
        """Everything in front of the pixels."""
        chunks: Chunks | None = None
        while True:
            kind, length = self._next()
            if kind == "IDAT":
                if chunks is None:
                    self.fail("IDAT: Missing IHDR before IDAT")
                if chunks.header.kind == PALETTE and not chunks.palette:
                    self.fail("IDAT: Missing PLTE before IDAT")
                self._begin_idat(length)
                return chunks
            if kind == "IEND":
                self.fail("IEND: out of place")
            if kind == "IHDR":
                if chunks is not None:
                    self.fail("IHDR: out of place")
                chunks = Chunks(self._header(length))
                continue
            data = self._chunk(kind, length)
            if chunks is None:
                self.fail(f"{kind}: missing IHDR")
            if data is not None:
                self._read_chunk(chunks, kind, data)

    def next_part(self) -> bytes:
        """The next part of the compressed pixels; nothing behind the last."""
        while self._idat == 0:
            if self._in_tail:
                return b""
            self._check("IDAT", self._sum)
            kind, length = self._next()
            if kind != "IDAT":
                self._at -= 8
                self._in_tail = True
                return b""
            self._begin_idat(length)
        part = self._read(min(self._idat, _PART))
        self._idat -= len(part)
        self._sum = zlib.crc32(part, self._sum)
        return part

    def tail(self) -> None:
        """Read on to the end of the picture; nothing there matters but that it is there."""
        while self.next_part():
            pass
        while True:
            kind, length = self._next()
            self._chunk(kind, length)
            if kind == "IEND":
                return

    def _begin_idat(self, length: int) -> None:
        self._idat, self._sum = length, zlib.crc32(b"IDAT")

    def _next(self) -> tuple[str, int]:
        """Kind and length of the next chunk."""
        head = self._read(8)
        length = int.from_bytes(head[:4], "big")
        if length > _MAX_NUMBER:
            self.fail("PNG unsigned integer out of range")
        if not (head[4:].isalpha() and head[4:].isascii()):
            shown = "".join(
                chr(c) if chr(c).isascii() and chr(c).isalpha() else f"[{c:02X}]" for c in head[4:]
            )
            self.fail(f"{shown}: invalid chunk type")
        kind = head[4:].decode()
        if kind != "IDAT" and length > _MAX_CHUNK:
            self.warn(f"{kind}: chunk data is too large")
        return kind, length

    def _read(self, count: int) -> bytes:
        part = self._data[self._at : self._at + count]
        self._at += len(part)
        if len(part) < count:
            self._report.fatal(
                f'Error reading PNG image ("{self._name}"): file too short (expected at least '
                f"{count - len(part)} more bytes after reading {self._at})"
            )
        return part

    def _check(self, kind: str, computed: int) -> bool:
        """Whether the sum behind a chunk is right; without those that are needed nothing goes."""
        if int.from_bytes(self._read(4), "big") == computed:
            return True
        if kind[0].isupper():
            self.fail(f"{kind}: CRC error")
        self.warn(f"{kind}: CRC error")
        return False

    def _chunk(self, kind: str, length: int) -> bytes | None:
        """The data of a chunk; None if they are damaged and not needed."""
        # libpng reads in such parts; what it says of a file that ends counts them
        size = 3 if kind == "PLTE" and length <= 3 * 256 and length % 3 == 0 else _SKIPPED
        size = length if kind in _WHOLE else size
        parts = []
        for at in range(0, length, max(size, 1)):
            parts.append(self._read(min(size, length - at)))
        data = b"".join(parts)
        right = self._check(kind, zlib.crc32(data, zlib.crc32(kind.encode())))
        if kind[0].isupper() and kind not in ("IHDR", "PLTE", "IDAT", "IEND"):
            self.fail(f"{kind}: unhandled critical chunk")
        return data if right else None

    def _header(self, length: int) -> Header:
        if length != 13:
            self.fail("IHDR: invalid")
        data = self._chunk("IHDR", length) or b""
        width, height = int.from_bytes(data[:4], "big"), int.from_bytes(data[4:8], "big")
        depth, kind, compression, filtering, interlacing = data[8:]
        if max(width, height) > _MAX_NUMBER:
            self.fail("PNG unsigned integer out of range")
        faults = [f"Image {s} is zero" for s, n in (("width", width), ("height", height)) if not n]
        for side, pixels in (("width", width), ("height", height)):
            if pixels > _MAX_SIDE:
                faults.append(f"Image {side} exceeds user limit")
        if depth not in _DEPTHS[GRAY]:
            faults.append("Invalid bit depth")
        if kind not in _DEPTHS:
            faults.append("Invalid color type")
        elif depth not in _DEPTHS[kind] and depth in _DEPTHS[GRAY]:
            faults.append("Invalid color type/bit depth combination")
        if interlacing > 1:
            faults.append("Unknown interlace method")
        if compression:
            faults.append("Unknown compression method")
        if filtering:
            faults.append("Unknown filter method")
        for fault in faults:
            self.warn(f"{fault} in IHDR")
        if faults:
            self.fail("Invalid IHDR data")
        if width * height > MAX_PIXELS:
            self._report.fatal(
                f'PNG image ("{self._name}") has {width}x{height} pixels; there can only be '
                f"{MAX_PIXELS}"
            )
        return Header(width, height, depth, kind, bool(interlacing))

    def _read_chunk(self, chunks: Chunks, kind: str, data: bytes) -> None:
        """Take PLTE and tRNS, check bKGD."""
        header, palette = chunks.header, chunks.palette
        if kind == "PLTE":
            if palette:
                self.fail("PLTE: duplicate")
            if header.kind in (GRAY, GRAY_ALPHA):
                self.warn("PLTE: ignored in grayscale PNG")
            elif not data or len(data) % 3 or len(data) > 3 * 256:
                if header.kind == PALETTE:
                    self.fail("PLTE: invalid")
                self.warn("PLTE: invalid")
            else:
                count = len(data) // 3
                if header.kind == PALETTE:
                    count = min(count, 1 << header.depth)
                palette += zip(data[0::3], data[1::3], data[2::3], strict=True)
                del palette[count:]
        elif kind == "tRNS":
            complaint = self._transparency(chunks, data)
            if complaint is not None:
                self.warn(f"tRNS: {complaint}")
        elif kind == "bKGD":
            size = {PALETTE: 1, GRAY: 2, GRAY_ALPHA: 2}.get(header.kind, 6)
            if header.kind == PALETTE and not palette:
                self.warn("bKGD: out of place")
            elif len(data) != size:
                self.warn("bKGD: invalid")
            elif header.kind == PALETTE and data[0] >= len(palette):
                self.warn("bKGD: invalid index")

    def _transparency(self, chunks: Chunks, data: bytes) -> str | None:
        """Take tRNS; gives what is wrong with it."""
        if chunks.transparency is not None:
            return "duplicate"
        kind = chunks.header.kind
        if kind in (GRAY_ALPHA, RGBA):
            return "invalid with alpha channel"
        if kind == PALETTE:
            if not chunks.palette:
                return "out of place"
            if not 0 < len(data) <= len(chunks.palette):
                return "invalid"
        elif len(data) != (2 if kind == GRAY else 6):
            return "invalid"
        chunks.transparency = data
        return None
