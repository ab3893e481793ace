"""PNGs: read as Pillow and libpng read them, refused in the words of rgbgfx 1.0.3."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from gfx_pictures import COLORS, deep, indexed, picture

from romproof.cli.originals.rgbgfx import run
from romproof.toolchains.rgbds.gfx.png_chunks import MAX_PIXELS, RGBA, SIGNATURE
from romproof.toolchains.rgbds.gfx.png_pixels import read_png
from romproof.toolchains.rgbds.gfx.png_write import _chunk, png_of_grays
from romproof.toolchains.rgbds.gfx.report import Aborted, PictureReport

Image = pytest.importorskip("PIL.Image")


def _messages(data: bytes) -> list[str]:
    """What is said of a picture that is read."""
    report = PictureReport()
    try:
        read_png(data, "a.png", report)
    except Aborted as fault:
        return [*(text for _, text in report.lines), str(fault)]
    return [text for _, text in report.lines]


def _random(mode: str, seed: int) -> object:
    """A picture of Pillow's with random pixels in soft steps, so that all filters are used."""
    draw = random.Random(seed)
    size = draw.randint(1, 20), draw.randint(1, 20)
    channels = len(Image.new(mode, (1, 1)).tobytes()) if mode != "1" else 1
    level, levels = 128, bytearray()
    for _ in range(size[0] * size[1] * channels):
        level = (level + draw.choice((-9, 0, 0, 3, 7, 100))) & 0xFF
        levels.append(level)
    if mode == "1":
        return Image.frombytes("L", size, bytes(levels)).convert("1")
    made = Image.frombytes(mode, size, bytes(levels))
    if mode == "P":
        made.putpalette(bytes(draw.randrange(256) for _ in range(768)))
    return made


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
@pytest.mark.parametrize("seed", range(4))
def test_pixels_are_those_that_pillow_reads(mode: str, seed: int) -> None:
    made = _random(mode, seed)
    file = BytesIO()
    made.save(file, "PNG")  # type: ignore[attr-defined]
    ours = read_png(file.getvalue(), "a.png", PictureReport())
    assert (ours.width, ours.height) == made.size  # type: ignore[attr-defined]
    raw = made.convert("RGBA").tobytes()  # type: ignore[attr-defined]
    assert b"".join(color.to_bytes(4, "big") for color in ours.pixels) == raw


@pytest.mark.parametrize(
    "data",
    [picture("r.g yub/c|m w"), indexed("wb l", "wlb."), png_of_grays([[0, 3, 1, 2]], 4, 1, 2)],
)
def test_what_is_written_pillow_reads(data: bytes) -> None:
    image = Image.open(BytesIO(data))
    ours = read_png(data, "a.png", PictureReport())
    assert image.convert("RGBA").tobytes() == b"".join(c.to_bytes(4, "big") for c in ours.pixels)


def test_sixteen_bits_are_rounded() -> None:
    # $7F80 is nearer to $80 than to $7F, by which libpng and those who drop bits differ
    made = read_png(deep([[(0x7F80, 0x7F7F, 0xFFFF)]]), "a.png", PictureReport())
    assert list(made.pixels) == [0x7F7FFFFF]
    made = read_png(deep([[(0x7FC0, 0x0081, 0x0080)]]), "a.png", PictureReport())
    assert list(made.pixels) == [0x7F0100FF]


def _parts(data: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a PNG."""
    chunks, at = [], len(SIGNATURE)
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + size]))
        at += 12 + size
    return chunks


def _rebuilt(change: Callable[[list[tuple[bytes, bytes]]], list[tuple[bytes, bytes]]]) -> bytes:
    chunks = change(_parts(picture("rg")))
    return SIGNATURE + b"".join(_chunk(*chunk) for chunk in chunks)


def _header(width: int, height: int, *rest: int) -> bytes:
    return width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes(rest)


_LIBPNG = 'libpng error while reading PNG image ("a.png"): '
_FOUND = 'libpng found while reading PNG image ("a.png"): '
_END = "Conversion aborted after 1 error"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", ['File "a.png" is not a valid PNG image', _END]),
        (
            picture("rg")[:20],
            [
                'Error reading PNG image ("a.png"): file too short (expected at least 9 more bytes '
                "after reading 20)",
                _END,
            ],
        ),
        (
            picture("rg")[:-4],
            [
                'Error reading PNG image ("a.png"): file too short (expected at least 4 more bytes '
                f"after reading {len(picture('rg')) - 4})",
                _END,
            ],
        ),
        (picture("rg")[:29] + b"abcd", [f"{_LIBPNG}IHDR: CRC error", _END]),
        (_rebuilt(lambda c: c[1:]), [f"{_LIBPNG}sBIT: missing IHDR", _END]),
        (_rebuilt(lambda c: [c[0], *c]), [f"{_LIBPNG}IHDR: out of place", _END]),
        (
            _rebuilt(lambda c: [(b"IHDR", _header(8, 0, 8, 6, 0, 0, 2)), *c[1:]]),
            [
                f"{_FOUND}Image height is zero in IHDR",
                f"{_FOUND}Unknown interlace method in IHDR",
                f"{_LIBPNG}Invalid IHDR data",
                _END,
            ],
        ),
        (
            _rebuilt(lambda c: [(b"IHDR", _header(8, 8, 8, 3, 0, 0, 0)), *c[1:]]),
            [f"{_LIBPNG}IDAT: Missing PLTE before IDAT", _END],
        ),
        (
            _rebuilt(lambda c: [*c[:-2], (b"IDAT", zlib.compress(b"\0" * 9)), c[-1]]),
            [f"{_LIBPNG}Not enough image data", _END],
        ),
        (
            _rebuilt(lambda c: [*c[:-2], (b"IDAT", zlib.compress(b"\5" * 999)), c[-1]]),
            [f"{_LIBPNG}bad adaptive filter value", _END],
        ),
        (
            _rebuilt(lambda c: [*c[:-2], (b"IDAT", b"x" * 50), c[-1]]),
            [f"{_LIBPNG}IDAT: incorrect header check", _END],
        ),
        (_rebuilt(lambda c: [c[0], (b"bKGD", b"1"), *c[1:]]), [f"{_FOUND}bKGD: invalid"]),
        (
            _rebuilt(lambda c: [c[0], (b"tRNS", b"1"), *c[1:]]),
            [f"{_FOUND}tRNS: invalid with alpha channel"],
        ),
        (
            _rebuilt(lambda c: [c[0], (b"ABCD", b"1"), *c[1:]]),
            [f"{_LIBPNG}ABCD: unhandled critical chunk", _END],
        ),
    ],
)
def test_a_damaged_picture(data: bytes, lines: list[str]) -> None:
    assert _messages(data) == lines


def test_a_huge_picture_is_refused_before_it_is_inflated() -> None:
    side = 5000
    assert side * side > MAX_PIXELS
    bomb = zlib.compress(bytes(side * side))
    data = _rebuilt(
        lambda c: [(b"IHDR", _header(side, side, 8, RGBA, 0, 0, 0)), (b"IDAT", bomb), c[-1]]
    )
    (line, end) = _messages(data)
    assert line == f'PNG image ("a.png") has {side}x{side} pixels; there can only be {MAX_PIXELS}'
    assert end == _END


def test_every_truncation_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = indexed("rg .u", "rgu.")
    for size in range(0, len(whole), 3):
        Path("a.png").write_bytes(whole[:size])
        assert run(("-o", "o", "-p", "p", "a.png")) == 1
        first, end = capsys.readouterr().err.splitlines()
        assert (first[:7], end) == ("FATAL: ", _END)
        assert not Path("o").exists()
        assert not Path("p").exists()


def test_colours_beside_alpha() -> None:
    made = read_png(picture("r."), "a.png", PictureReport())
    assert list(made.pixels[:2]) == [COLORS["r"], COLORS["."]]
