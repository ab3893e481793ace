"""The tool that makes tile data out of drawn pictures, and that its output is up to date."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("drawn_tiles", ROOT / "tools" / "tiles.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


tiles = _load()

PICTURE = """\
picture $41 2x1 pair ; two of them
#.......xxxxxxxx
.X......xxxxxxxx
..x.....xxxxxxxx
................
................
................
................
.......#........
"""


def test_the_files_are_up_to_date() -> None:
    for path, text in tiles.files().items():
        assert (ROOT / "rom" / "art" / path).read_text("utf-8") == text, f"{path}: run: make tiles"


def test_a_picture_is_cut_into_tiles() -> None:
    sheet = tiles.read_sheet({"one": PICTURE})
    assert sheet.names == {"pair": 0x41}
    # Pan Docs: bit 7 is the leftmost pixel, the low plane of a line comes before the high one
    left = bytes.fromhex("8080 0040 2000 0000 0000 0000 0000 0101")
    assert tiles.for_game_boy(sheet.tiles[0x41]) == left
    assert tiles.for_nes(sheet.tiles[0x41]) == left[::2] + left[1::2]
    assert tiles.for_nes(sheet.tiles[0x42]) == b"\xff\xff\xff" + bytes(13)
    assert tiles.for_nes(sheet.tiles[0x40]) == bytes(16)


def test_tiles_are_copied_and_turned() -> None:
    sheet = tiles.read_sheet({"one": PICTURE + "like $90 A other\nturned $90 $91 $D0\n"})
    assert sheet.tiles[0x90] == sheet.tiles[0x41]
    assert sheet.names["other"] == 0x90
    turned = bytes.fromhex("8080 0000 0000 0000 0000 0400 0002 0101")
    assert tiles.for_game_boy(sheet.tiles[0xD0]) == turned
    assert tiles.turned(sheet.tiles[0xD0]) == sheet.tiles[0x90]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("picture 41 1x1\n", "one:1: 'picture 41 1x1' is not understood: '41' is no tile's number"),
        ("picture $41 1x1\n" + "#\n" * 8, "'#' is not 8 of the pixels"),
        ("picture $41 1x1\n" + "........\n" * 7, "one:1: 'picture $41 1x1' is not understood"),
        ("\npaint $41\n", "one:2: 'paint $41' is not understood"),
        ("like $41 ?\n", "one:1: 'like $41 ?' is not understood"),
        (PICTURE + "like $41 A\n", "one:10: tile $41 is drawn twice"),
        (PICTURE + "like $50 A pair\n", "one:10: the name pair is taken"),
        (PICTURE + "like $100 A\n", "one:10: there is no tile $100"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, told: str) -> None:
    with pytest.raises(tiles.BadArt) as caught:
        tiles.read_sheet({"one": text})
    assert str(caught.value).startswith("one:")
    assert told in str(caught.value)


def test_every_picture_of_the_cards_fits_its_turned_place() -> None:
    sheet = tiles.read_sheet(tiles._texts(tiles.SHEETS["tarot"]))
    assert all(0x80 <= n < 0xC0 for name, n in sheet.names.items() if name.startswith("emblem"))
    for number in range(0x80, 0xC0):
        assert sheet.tiles[number ^ 0x40] == tiles.turned(sheet.tiles[number])
