"""Writing the PNG of a reversed conversion."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

from romproof.toolchains.rgbds.gfx.png_chunks import GRAY, PALETTE, RGBA, SIGNATURE


def png_of_grays(rows: Iterable[Sequence[int]], width: int, height: int, depth: int) -> bytes:
    """A picture of gray samples of ``depth`` bits, 1 or 2."""
    per_byte = 8 // depth
    packed = []
    for row in rows:
        line = bytearray()
        for at in range(0, width, per_byte):
            byte = 0
            for sample in row[at : at + per_byte]:
                byte = byte << depth | sample
            line.append(byte)
        packed.append(bytes(line))
    return _png(width, height, depth, GRAY, packed, [])


def png_of_indices(
    rows: Iterable[Sequence[int]], width: int, height: int, palette: Sequence[int]
) -> bytes:
    """A picture of numbers of colours in ``palette``, at most 256 as 0xRRGGBBAA."""
    extra = [(b"sBIT", b"\5\5\5"), (b"PLTE", b"".join(_rgb(color) for color in palette))]
    alphas = bytes(color & 0xFF for color in palette).rstrip(b"\xff")
    if alphas:
        extra.append((b"tRNS", alphas))
    return _png(width, height, 8, PALETTE, map(bytes, rows), extra)


def png_of_colors(rows: Iterable[Sequence[int]], width: int, height: int) -> bytes:
    """A picture of colours as 0xRRGGBBAA."""
    packed = (b"".join(color.to_bytes(4, "big") for color in row) for row in rows)
    return _png(width, height, 8, RGBA, packed, [(b"sBIT", b"\5\5\5\1")])


def _rgb(color: int) -> bytes:
    return (color >> 8).to_bytes(3, "big")


def _png(
    width: int,
    height: int,
    depth: int,
    kind: int,
    rows: Iterable[bytes],
    extra: Sequence[tuple[bytes, bytes]],
) -> bytes:
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((depth, kind, 0, 0, 0))
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
    chunks = [(b"IHDR", head), *extra, (b"IDAT", pixels), (b"IEND", b"")]
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")
