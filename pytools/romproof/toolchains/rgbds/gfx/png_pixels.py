"""The pixels of a PNG: inflated, filters undone, passes put together, as 0xRRGGBBAA.

Sixteen bits become eight as libpng rounds them: to the nearest level, not by dropping bits.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from struct import unpack

from romproof.toolchains.rgbds.gfx.png_chunks import (
    GRAY,
    GRAY_ALPHA,
    PALETTE,
    RGB,
    RGBA,
    ChunkReader,
    Chunks,
    Header,
)
from romproof.toolchains.rgbds.gfx.report import PictureReport

_CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}
_PASSES = (
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
)
"""Adam7: first column and row, and the steps between columns and rows."""
_EXTRA = 1024
"""Bytes behind the last row that libpng inflates at a time."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture; ``pixels`` by rows as 0xRRGGBBAA, ``palette`` the embedded one or ()."""

    width: int
    height: int
    pixels: Sequence[int]
    palette: tuple[int, ...]


def read_png(data: bytes, name: str, report: PictureReport) -> Picture:
    """The picture in ``data``, which messages call ``name``. Raises Aborted."""
    reader = ChunkReader(data, name, report)
    chunks = reader.head()
    header = chunks.header
    areas = list(_areas(header))
    sizes = [1 + _row_bytes(header, width) for width, height, *_ in areas for _ in range(height)]
    starts = [0, *accumulate(sizes)]
    raw = _inflate(reader, starts)
    table = _palette(chunks)
    pixels = array("I", bytes(4 * header.width * header.height))
    at = 0
    for width, height, left, top, step_x, step_y in areas:
        rows, at = _rows(header, raw, at, width, height)
        for y, row in enumerate(rows):
            start = (top + y * step_y) * header.width
            pixels[start + left : start + header.width : step_x] = array(
                "I", _colors(chunks, table, row, width)
            )
    reader.tail()
    known = tuple(table[: len(chunks.palette)])
    return Picture(header.width, header.height, pixels, known)


def _areas(header: Header) -> Iterator[tuple[int, int, int, int, int, int]]:
    """The passes: size in pixels, first column and row, steps."""
    for left, top, step_x, step_y in _PASSES if header.interlaced else ((0, 0, 1, 1),):
        width = (header.width - left + step_x - 1) // step_x
        height = (header.height - top + step_y - 1) // step_y
        if width > 0 and height > 0:
            yield width, height, left, top, step_x, step_y


def _row_bytes(header: Header, width: int) -> int:
    return (width * _CHANNELS[header.kind] * header.depth + 7) // 8


def _inflate(reader: ChunkReader, starts: Sequence[int]) -> bytes:
    """The filtered rows; ``starts`` are where each begins, and where the last ends.

    What is wrong is reported in the order in which it is when rows are read one by one.
    """
    inflate, raw, checked, size = zlib.decompressobj(), bytearray(), 0, starts[-1]
    while len(raw) < size:
        part = reader.next_part()
        if not part or inflate.eof:
            reader.fail("Not enough image data")
        before = inflate.copy()
        fault = None
        try:
            raw += inflate.decompress(part, size - len(raw))
            part = inflate.unconsumed_tail
        except zlib.error as why:
            inflate, fault = before, why
            _until_fault(inflate, part, raw)
        while checked + 1 < len(starts) and starts[checked + 1] <= len(raw):
            if raw[starts[checked]] > 4:
                reader.fail("bad adaptive filter value")
            checked += 1
        if fault is not None:
            reader.fail(f"IDAT: {_why(fault)}")
    _finish(reader, inflate, part)
    return bytes(raw)


def _until_fault(inflate: zlib._Decompress, part: bytes, raw: bytearray) -> None:
    """Inflate up to a fault: Python's module gives nothing of a part that has one."""
    with suppress(zlib.error):
        for at in range(len(part)):
            raw += inflate.decompress(part[at : at + 1])


def _finish(reader: ChunkReader, inflate: zlib._Decompress, part: bytes) -> None:
    """Look at what is behind the last row: it does no harm."""
    extra = False
    try:
        while not inflate.eof:
            part = part or reader.next_part()
            if not inflate.decompress(part, _EXTRA):
                break
            part, extra = inflate.unconsumed_tail, True
        if inflate.unused_data:
            reader.warn("IDAT: Extra compressed data")
        if extra:
            reader.warn("IDAT: Too much image data")
    except zlib.error as fault:
        reader.warn(f"IDAT: {_why(fault)}")


def _why(fault: zlib.error) -> str:
    """What zlib says, without what Python's module says before it."""
    return str(fault).rpartition("data: ")[2]


def _rows(header: Header, raw: bytes, at: int, width: int, height: int) -> tuple[list[bytes], int]:
    """The rows of a pass with their filters undone, and where the next pass begins."""
    size = _row_bytes(header, width)
    step = max(1, _CHANNELS[header.kind] * header.depth // 8)
    rows, above = [], bytes(size)
    for _ in range(height):
        kind, row = raw[at], bytearray(raw[at + 1 : at + 1 + size])
        at += 1 + size
        _unfilter(kind, row, above, step)
        above = bytes(row)
        rows.append(above)
    return rows, at


def _unfilter(kind: int, row: bytearray, above: bytes, step: int) -> None:
    """Undo the filter of a row: none, sub, up, average, Paeth. ``step``: bytes of a pixel."""
    if kind == 1:
        for i in range(step, len(row)):
            row[i] = (row[i] + row[i - step]) & 0xFF
    elif kind == 2:
        row[:] = bytes([(a + b) & 0xFF for a, b in zip(row, above, strict=True)])
    elif kind == 3:
        for i, up in enumerate(above):
            left = row[i - step] if i >= step else 0
            row[i] = (row[i] + (left + up) // 2) & 0xFF
    elif kind == 4:
        for i, up in enumerate(above):
            left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
            guess = left + up - corner
            by_left, by_up, by_corner = abs(guess - left), abs(guess - up), abs(guess - corner)
            if by_left <= by_up and by_left <= by_corner:
                nearest = left
            else:
                nearest = up if by_up <= by_corner else corner
            row[i] = (row[i] + nearest) & 0xFF


def _palette(chunks: Chunks) -> list[int]:
    """The embedded palette as colours; black behind its end."""
    alphas = chunks.transparency or b"" if chunks.header.kind == PALETTE else b""
    table = [
        red << 24 | green << 16 | blue << 8 | (alphas[i] if i < len(alphas) else 0xFF)
        for i, (red, green, blue) in enumerate(chunks.palette)
    ]
    return table + [0xFF] * (256 - len(table))


def _colors(chunks: Chunks, table: list[int], row: bytes, width: int) -> list[int]:
    """The colours of a row."""
    header = chunks.header
    depth, kind = header.depth, header.kind
    if kind == RGBA and depth == 8:
        return list(unpack(f">{width}I", row))
    samples = _samples(row, depth)
    if kind == PALETTE:
        return [table[sample] for sample in samples[:width]]
    clear = _clear(chunks)
    if kind == GRAY:
        top = (1 << depth) - 1
        gray = {s: _gray(_level(s, top), 0 if s == clear else 0xFF) for s in set(samples)}
        return [gray[sample] for sample in samples[:width]]
    levels = samples if depth == 8 else [_level(sample, 0xFFFF) for sample in samples]
    if kind == GRAY_ALPHA:
        pairs = zip(levels[0::2], levels[1::2], strict=True)
        return [_gray(level, alpha) for level, alpha in pairs]
    if kind == RGBA:
        fours = zip(levels[0::4], levels[1::4], levels[2::4], levels[3::4], strict=True)
        return [r << 24 | g << 16 | b << 8 | a for r, g, b, a in fours]
    threes = zip(levels[0::3], levels[1::3], levels[2::3], strict=True)
    colors = [r << 24 | g << 16 | b << 8 | 0xFF for r, g, b in threes]
    if clear is not None:
        exact = zip(samples[0::3], samples[1::3], samples[2::3], strict=True)
        for i, (r, g, b) in enumerate(exact):
            if r << 32 | g << 16 | b == clear:
                colors[i] &= ~0xFF
    return colors


def _clear(chunks: Chunks) -> int | None:
    """The gray level or colour that is transparent, samples of 16 bits each."""
    if chunks.transparency is None:
        return None
    top = (1 << chunks.header.depth) - 1
    samples = unpack(f">{len(chunks.transparency) // 2}H", chunks.transparency)
    value = 0
    for sample in samples:
        value = value << 16 | sample & top
    return value


def _samples(row: bytes, depth: int) -> Sequence[int]:
    """The samples of a row, and perhaps some more that fill its last byte."""
    if depth == 8:
        return row
    if depth == 16:
        return unpack(f">{len(row) // 2}H", row)
    mask, shifts = (1 << depth) - 1, range(8 - depth, -1, -depth)
    return [byte >> shift & mask for byte in row for shift in shifts]


def _level(sample: int, top: int) -> int:
    """A sample of 0 to ``top`` as a level of 0 to 255."""
    return (sample * 255 + 32895) >> 16 if top == 0xFFFF else sample * 255 // top


def _gray(level: int, alpha: int) -> int:
    return level * 0x01010100 | alpha
