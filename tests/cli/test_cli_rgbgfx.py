"""``romproof rgbgfx``: the command line; conversions are tested in tests/toolchains/rgbds."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_programs import Run

from romproof.toolchains.rgbds.gfx.png_write import png_of_grays

CHECKERED = [[3 * ((x ^ y) & 1) for x in range(16)] for y in range(8)]
TILES = bytes((0xAA, 0xAA, 0x55, 0x55) * 4)


@pytest.fixture
def png(tmp_path: Path) -> Path:
    """Two equal tiles, a.png."""
    path = tmp_path / "a.png"
    path.write_bytes(png_of_grays(CHECKERED, 16, 8, 2))
    return path


def test_files_beside_the_picture(romproof: Run, png: Path, tmp_path: Path) -> None:
    done = romproof("rgbgfx", "-uAPQT", "-o", "b.2bpp", "a.png")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "b.2bpp").read_bytes() == TILES
    made = {path.suffix: path.read_bytes() for path in tmp_path.glob("a.*") if path != png}
    assert made == {
        ".attrmap": b"\0\0",
        ".pal": bytes.fromhex("ff7f 0080 0080 0000"),
        ".palmap": b"\0\0",
        ".tilemap": b"\0\0",
    }


def test_files_beside_the_tiles(romproof: Run, png: Path, tmp_path: Path) -> None:
    assert romproof("rgbgfx", "-uTO", "-o", "sub.d/.tiles", "a.png").returncode == 0
    assert (tmp_path / "sub.d/.tiles.tilemap").read_bytes() == b"\0\0"


def test_words_in_a_file(romproof: Run, png: Path, tmp_path: Path) -> None:
    (tmp_path / "a.flags").write_text("# black is 0\n-c #000,#fff\n  -o a.2bpp\n")
    assert romproof("rgbgfx", "@a.flags", "-p", "a.pal", "a.png").returncode == 0
    assert (tmp_path / "a.pal").read_bytes() == bytes.fromhex("0000 ff7f ffff ffff")


def test_palettes_alone(romproof: Run, tmp_path: Path) -> None:
    assert romproof("rgbgfx", "-c", "#f00,#0f0;#00f", "-p", "a.pal").returncode == 0
    assert (tmp_path / "a.pal").read_bytes().hex() == "1f00e003ffffffff007cffffffffffff"


def test_what_is_said_of_it(romproof: Run, png: Path) -> None:
    done = romproof("rgbgfx", "-v", "-o", "a.2bpp", "a.png")
    assert done.stderr == "rgbgfx: a.2bpp: 32 bytes\n"
    assert romproof("rgbgfx", "-V").stdout.startswith("rgbgfx v1.0.3 (romproof ")
    assert "romproof rgbgfx -o tiles.2bpp tiles.png" in romproof("rgbgfx", "--help").stdout


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((), 'error: no picture was given (pass "-" to read from standard input)'),
        (("a.png", "b.png"), "error: two pictures were given: 'a.png' and 'b.png'"),
        (("-T",), "error: no picture was given"),
        (("-U", "3", "a.png"), "error: '-U' is an option of older RGBDS: "),
        (("--none", "a.png"), "error: unknown option '--none'"),
    ],
)
def test_a_wrong_command_line(romproof: Run, png: Path, words: tuple[str, ...], line: str) -> None:
    done = romproof("rgbgfx", *words)
    assert done.returncode == 2
    assert done.stderr.startswith(line)


def test_nothing_is_written_after_an_error(romproof: Run, png: Path, tmp_path: Path) -> None:
    done = romproof("rgbgfx", "-Werror=trim-nonempty", "-x", "1", "-o", "o", "-P", "a.png")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: Trimming a nonempty tile (configure with '-x/--trim-end') [-Werror=trim-nonempty]",
        "Conversion aborted after 1 error",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]
