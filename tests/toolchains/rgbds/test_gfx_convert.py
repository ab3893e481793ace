"""rgbgfx: what pictures become, and what is said of wrong ones.

All bytes and messages are those of rgbgfx 1.0.3.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from gfx_pictures import picture

from romproof.cli.originals.rgbgfx import run

pytestmark = pytest.mark.usefixtures("folder")
OUTPUTS = ("-o", "o", "-p", "p", "-t", "t", "-a", "a", "-q", "q")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


CONVERTED = [
    (
        "wb wlb/b l/d",
        "",
        "555555555555555555555555555555556d24ffff6d24ffff6d24ffff6d24ffffff0000ffff0000ffff0000ffff0000ff",
        "ff7fb5564a290000",
        "000102",
        "000000",
    ),
    (
        "wl/b lw/b wl/b b/wl",
        "-m",
        "5500ffff5500ffff5500ffff5500ffff",
        "ff7fb55600800000",
        "00000000",
        "00200040",
    ),
    (
        "wl/b lw/b wl/b b/wl",
        "-X -b 254",
        "5500ffff5500ffff5500ffff5500ffffffff5500ffff5500ffff5500ffff5500",
        "ff7fb55600800000",
        "fefefeff",
        "00200000",
    ),
    (
        "wl/b lw/b wl/b b/wl",
        "-Y -N 1,4 -b 5,9",
        "5500ffff5500ffff5500ffff5500ffffaa00ffffaa00ffffaa00ffffaa00ffff",
        "ff7fb55600800000",
        "05090505",
        "00080040",
    ),
    (
        "rg ub yc|mr gu by",
        "-Z -u -l 3",
        "00aa00aa00aa00aa00aa00aa00aa00aaaa55aa55aa55aa55aa55aa55aa55aa5555ff55ff55ff55ff55ff55ff55ff55ff5555555555555555555555555555555555005500550055005500550055005500aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "ff03e07f007c0000e0031f7c1f00007c",
        "000102030405",
        "040403040303",
    ),
    (
        "rg gub rb y",
        "-s 3",
        "aa00aa00aa00aa00aa00aa00aa00aa0049244924492449244924492449244924aa55aa55aa55aa55aa55aa55aa55aa5500000000000000000000000000000000",
        "e0031f000000ff03ffffffffe003007c0000",
        "00010203",
        "00020001",
    ),
    (
        "rg gub rb y c mw wl ld dy",
        "-n 20",
        "aa00aa00aa00aa00aa00aa00aa00aa00246d246d246d246d246d246d246d246dff55ff55ff55ff55ff55ff55ff55ff55ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff0000aa00aa00aa00aa00aa00aa00aa00aa0055005500550055005500550055005555ff55ff55ff55ff55ff55ff55ff55ffffaaffaaffaaffaaffaaffaaffaaffaa",
        "e0031f00007c0000ff7fff03b5564a29ff7fe07f1f7cffff",
        "000102030405060708",
        "000000010202010101",
    ),
    (
        "r.g ..  gb.",
        "",
        "2492249224922492249224922492249200000000000000000000000000000000db49db49db49db49db49db49db49db49",
        "0080e0031f000000",
        "000102",
        "000000",
    ),
    (
        "rg w g",
        "-B #fff -u",
        "aa00aa00aa00aa00aa00aa00aa00aa0000000000000000000000000000000000",
        "e0031f00ffffffff",
        "000001",
        "000000",
    ),
    (
        "rg . g",
        "-B transparent",
        "aa00aa00aa00aa00aa00aa00aa00aa0000000000000000000000000000000000",
        "e0031f00ffffffff",
        "000001",
        "000000",
    ),
    (
        "w b l d",
        "-d 1 -c #fff,#000;#aaa,#555",
        "0000000000000000ffffffffffffffff0000000000000000ffffffffffffffff",
        "ff7f0000b5564a29",
        "00010203",
        "00000101",
    ),
    (
        "w/l/d/b bd",
        "-c dmg=1B",
        "ffff00ffff000000ffff00ffff00000055005500550055005500550055005500",
        "00004a29b556ff7f",
        "0001",
        "0000",
    ),
    (
        "wl b d",
        "-x 1 -Wtrim-nonempty",
        "55005500550055005500550055005500ffffffffffffffffffffffffffffffff",
        "ff7fb5564a290000",
        "000102",
        "000000",
    ),
    (
        "wl/b ld/b dw lw/b wl/b",
        "-L 8,0:2,1 -m",
        "aa55ffffaa55ffffaa55ffffaa55ffff00aa00aa00aa00aa00aa00aa00aa00aa",
        "ff7fb5564a290000",
        "0001",
        "0000",
    ),
]
"""Tiles of a picture, options; tiles, palettes, tile map, attribute map."""


@pytest.mark.parametrize(("tiles", "words", "data", "palettes", "tilemap", "attributes"), CONVERTED)
def test_a_picture(
    tiles: str, words: str, data: str, palettes: str, tilemap: str, attributes: str
) -> None:
    Path("a.png").write_bytes(picture(tiles))
    assert run((*words.split(), *OUTPUTS, "a.png")) == 0
    made = [Path(name).read_bytes().hex() for name in "opta"]
    assert made == [data, palettes, tilemap, attributes]


REVERSIBLE = [
    case[:2] for case in CONVERTED if not {"-B", "-L", "-d", "-s", "-x"} & {*case[1].split()}
]
"""Not those where something was left out."""


@pytest.mark.parametrize(("tiles", "words"), REVERSIBLE)
def test_there_and_back(tiles: str, words: str) -> None:
    Path("a.png").write_bytes(picture(tiles))
    assert run((*words.split(), *OUTPUTS, "a.png")) == 0
    first = [Path(name).read_bytes() for name in "otaq"]
    stride = str(len(tiles.split("|")[0].split()))
    assert run((*words.split(), *OUTPUTS, "-r", stride, "b.png")) == 0
    again = words.replace("-c dmg=1B", "").split()
    assert run((*again, "-c", "gbc:p", *OUTPUTS[:2], *OUTPUTS[4:], "b.png")) == 0
    assert [Path(name).read_bytes() for name in "otaq"] == first


FAULTS: list[tuple[str, str, list[str]]] = [
    ("rgbuc", "", ["FATAL: Tile at (0, 0) has 5 colors, more than 4"]),
    ("rg", "-n 0", ["error: Number of palettes ('-n') may not be 0"]),
    ("r", "-b 256", ["error: Bank 0 base tile ID must be below 256"]),
    (
        "r",
        "-b 1,2,3",
        ['error: Base tile IDs must be one or two comma-separated numbers, not "1,2,3"'],
    ),
    ("r", "-N 1,", ["error: Number of tiles in bank 1: expected number, but found nothing"]),
    ("r", "-d 3", ["error: Bit depth must be 1 or 2, not 3"]),
    (
        "r",
        "-s 5",
        [
            "error: Palette size ('-s') must not exceed 4",
            "error: 2bpp palettes can only contain 4 colors, not 5",
        ],
    ),
    ("r", "-d 1 -s 3", ["error: 1bpp palettes can only contain 2 colors, not 3"]),
    ("r", "-l 256", ["error: Base palette ID must be below 256"]),
    ("r", "-L 0,0", ['error: Missing colon after upper coordinate in "0,0"']),
    ("r", "-L 0,0:0,1", ["error: Input slice width may not be 0"]),
    (
        "r",
        "-c #ff",
        [
            "error: Unknown color specification",
            'In inline palette spec: "#ff"',
            "                          ^^",
        ],
    ),
    (
        "r",
        "-c #f00,x",
        [
            "error: Unexpected character, expected '#'",
            'In inline palette spec: "#f00,x"',
            "                              ^",
        ],
    ),
    (
        "r",
        "-c #1,#2",
        [
            "error: Unknown color specification",
            'In inline palette spec: "#1,#2"',
            "                          ^",
        ],
    ),
    (
        "r",
        "-c dmg=11",
        ["error: DMG palette specification maps two gray shades to the same color index"],
    ),
    ("r", "-c dmg=1", ['error: Unknown DMG palette specification "1"']),
    ("r", "-c gbc", ['error: External palette spec must have format "fmt:path" (missing colon)']),
    ("r", "-c xyz:a", ['error: Unknown external palette format "xyz"']),
    ("r", "-c gbc:none", ['FATAL: Failed to open palette file "none": No such file or directory']),
    (
        "r",
        "-B f",
        ['error: Background color specification must be "#rgb", "#rrggbb", or "transparent"'],
    ),
    ("r", "-B #12", ['error: Unknown background color specification "#12"']),
    (
        "r",
        "-c embedded",
        ['FATAL: "-c embedded" was given, but the PNG does not have an embedded palette'],
    ),
    ("r b", "-N 1", ["FATAL: Image contains 2 tiles, exceeding the limit of 1 + 0"]),
    ("r", "-i none -u", ['FATAL: Failed to open "none": No such file or directory']),
    ("r", "-i a", ["FATAL: Input tilesets are not supported without '-u'"]),
    ("r g", "-n 1 -s 1", ["FATAL: Generated 2 palettes, over the maximum of 1"]),
    (
        "r",
        "-x a",
        [
            "error: Number of tiles to trim: expected number, but found nothing",
            "error: Tile trim ('-x') argument must be a valid number, not \"a\"",
        ],
    ),
]


@pytest.mark.parametrize(("tiles", "words", "lines"), FAULTS)
def test_a_fault(
    tiles: str, words: str, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.png").write_bytes(picture(tiles))
    outputs = () if "-i" in words else ("-o", "o")
    assert run((*words.split(), *outputs, "a.png")) == 1
    faults = sum(line.startswith(("error", "FATAL")) for line in lines)
    end = f"Conversion aborted after {faults} error{'s'[: faults != 1]}"
    assert capsys.readouterr().err.splitlines() == [*lines, end]
    assert not Path("o").exists()


FORMATS = {
    "psp": b"JASC-PAL\r\n0100\r\n2\r\n255 0 0\r\n0 255 0\r\n",
    "gpl": b"GIMP Palette\nName: x\n#\n255 0 0 red\n0\t255 0\n",
    "hex": b"ff0000\n\n00FF00\n",
    "act": b"\xff\0\0\0\xff\0" + bytes(762) + b"\0\2\0\0",
    "aco": b"\0\1\0\2\0\0\xff\0\0\0\0\0\0\0\0\0\0\0\xff\0\0\0\0\0",
    "gbc": bytes.fromhex("1f00e003ffffffff"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_palettes_in_a_file(name: str) -> None:
    Path("a.png").write_bytes(picture("rg"))
    Path("pal").write_bytes(FORMATS[name])
    assert run(("-c", f"{name}:pal", "-p", "p", "-o", "o", "a.png")) == 0
    assert Path("p").read_bytes().hex() == "1f00e003ffffffff"
    assert Path("o").read_bytes().hex() == "5500" * 8


BAD_FILES: list[tuple[str, bytes, list[str]]] = [
    ("psp", b"x", ['error: File "pal" is not a valid PSP palette file']),
    ("psp", b"JASC-PAL\n0101\n", ['error: Unsupported PSP palette file version "0101"']),
    ("psp", b"JASC-PAL\n0100\n2x\n", ['error: Invalid "number of colors" line in PSP file ("2x")']),
    ("psp", b"JASC-PAL\n0100\n1\n", ['error: PSP palette file "pal" is shorter than expected']),
    (
        "psp",
        b"JASC-PAL\n0100\n1\n1 2\n",
        ['error: Failed to parse color #2 ("1 2"): missing blue component'],
    ),
    (
        "psp",
        b"JASC-PAL\n0100\n1\n1 2 3 4\n",
        ['error: Failed to parse color #1 ("1 2 3 4"): trailing characters after blue component'],
    ),
    (
        "psp",
        b"JASC-PAL\n0100\n1\n256 2 3\n",
        ['error: Failed to parse color #2 ("256 2 3"): invalid red component'],
    ),
    ("gpl", b"x", ['error: File "pal" is not a valid GPL palette file']),
    (
        "gpl",
        b"GIMP Palette\n1 x\n",
        ['error: Failed to parse color #2 ("1 x"): invalid green component'],
    ),
    ("hex", b"12345\n", ['error: Failed to parse color #1 ("12345"): invalid "rrggbb" line']),
    (
        "act",
        b"1",
        ['error: Invalid file size for ACT file "pal" (expected 768 or 772 bytes, got 1)'],
    ),
    ("aco", b"", ["error: Failed to read ACO file version"]),
    ("aco", b"\x00\x02", ['error: File "pal" is not a valid ACO v1 file']),
    ("aco", b"\x00\x01", ["error: Failed to read number of colors in palette file"]),
    ("aco", b"\x00\x01\x00\x01", ["error: Failed to read color #1 from palette file"]),
    (
        "aco",
        b"\x00\x01\x00\x01\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00",
        ["error: Unsupported color type (CMYK) for ACO file"],
    ),
    (
        "aco",
        b"\x00\x01\x00\x01\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00",
        ["error: Unknown color type (3) for ACO file"],
    ),
    (
        "gbc",
        b"\x00\x00\x00\x00\x00\x00\x00\x00\x00",
        ['error: GBC palette file "pal" contains 1 8-byte palette, plus 1 byte'],
    ),
    ("png", b"x", ['FATAL: File "pal" is not a valid PNG image']),
    ("act", bytes(772), ['error: Invalid number of colors in ACT file "pal" (0)']),
    (
        "png",
        picture("r/g"),
        ["error: PNG palette file uses multiple colors in one color swatch"],
    ),
    (
        "png",
        picture("r r r"),
        ["error: PNG palette file is 24x8, which is not a multiple of 6 pixels high"],
    ),
]


@pytest.mark.parametrize(("name", "data", "lines"), BAD_FILES)
def test_a_wrong_file_of_palettes(
    name: str, data: bytes, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.png").write_bytes(picture("rg"))
    Path("pal").write_bytes(data)
    assert run(("-c", f"{name}:pal", "-p", "p", "a.png")) == 1
    assert capsys.readouterr().err.splitlines() == [*lines, "Conversion aborted after 1 error"]
    assert not Path("p").exists()


@pytest.mark.parametrize("words", ["-t m", "-q m", "-a m", "", "-t m -q m -a m"])
def test_back_with_a_file_that_has_no_palette(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("o").write_bytes(bytes(32))
    Path("m").write_bytes(bytes(2))
    Path("p").write_bytes(b"")
    assert run(("-r", "2", "-o", "o", "-p", "p", *words.split(), "out.png")) == 1
    told = capsys.readouterr().err
    assert 'FATAL: There are no palettes in "p"; the image needs one at least\n' in told
    assert not Path("out.png").exists()
