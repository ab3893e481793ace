"""The pictures of docs/pictures are what PyBoy and cynes draw, pixel by pixel."""

from __future__ import annotations

import importlib.util
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from slow import slow_but

pytestmark = [
    pytest.mark.xdist_group("tarot-gameboy"),
    pytest.mark.skipif(
        not all(find_spec(package) for package in ("PIL", "cynes", "pyboy")),
        reason='PyBoy and cynes are not installed: pip install "fairdeck[emulators]"',
    ),
]
ROOT = Path(__file__).parents[2]
SIDE = 8
SHADES = "#X:."
"""From dark to light."""
CASES = ("tarot-gb", "tarot-gbc", "tarot-nes", "wall-gb", "wall-gbc")


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("taken_shots", ROOT / "tools" / "shots.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def stored(path: Path, scale: int) -> Any:
    """A picture as the emulator drew it."""
    from PIL import Image

    with Image.open(path) as file:
        large = file.convert("RGB")
    return large.resize((large.width // scale, large.height // scale), resample=0)


def difference(found: Any, wanted: Any) -> str:
    """Which cells of 8 by 8 differ, and how the first of them look; empty if none does."""
    if found.size != wanted.size:
        return f"{found.size} pixels, not {wanted.size}"
    cells = [
        (row, column)
        for row in range(found.height // SIDE)
        for column in range(found.width // SIDE)
        if cell(found, row, column) != cell(wanted, row, column)
    ]
    lines = [f"{len(cells)} cells differ"] if cells else []
    for row, column in cells[:3]:
        lines.append(f"row {row}, column {column}: found, wanted")
        one, other = cell(found, row, column), cell(wanted, row, column)
        for start in range(0, SIDE * SIDE, SIDE):
            line = slice(start, start + SIDE)
            lines.append(f"  {shades(one[line])}  {shades(other[line])}")
        if shades(one) == shades(other):
            lines.append(f"  of other colours: {sorted(set(one))}, not {sorted(set(other))}")
    return "\n".join(lines)


def cell(picture: Any, row: int, column: int) -> list[tuple[int, int, int]]:
    """The pixels of a cell, line by line."""
    return [
        picture.getpixel((SIDE * column + x, SIDE * row + y))
        for y in range(SIDE)
        for x in range(SIDE)
    ]


def shades(pixels: list[tuple[int, int, int]]) -> str:
    """How light they are."""
    return "".join(SHADES[min(sum(pixel) * 4 // 766, 3)] for pixel in pixels)


# what the others show test_tarot_nes.py and test_wall_gameboy.py look at, tile by tile
@pytest.mark.parametrize("scene", slow_but(["tarot-gb"], CASES))
def test_the_pictures_are_up_to_date(scene: str) -> None:
    shots = _load()
    folder = ROOT / "docs" / "pictures"
    taken = []
    for name, picture in shots.SCENES[scene]():
        wanted = stored(folder / f"{name}.png", shots.SCALE)
        told = difference(picture, wanted)
        assert told == "", f"docs/pictures/{name}.png: {told}\nIf that is meant: make shots"
        taken.append(name)
    assert sorted(taken) == sorted(path.stem for path in folder.glob(f"{scene}-*.png"))


def test_every_scene_is_compared() -> None:
    assert set(CASES) == set(_load().SCENES)


def test_a_game_boy_without_colours_has_four_shades() -> None:
    for path in (ROOT / "docs" / "pictures").glob("*-gb-*.png"):
        colours = stored(path, 2).getcolors()
        assert len(colours) <= 4
        assert {colour for _, colour in colours} >= {(255, 255, 255), (0, 0, 0)}


def test_a_difference_can_be_read() -> None:
    from PIL import Image

    one = Image.new("RGB", (160, 144), (255, 255, 255))
    other = one.copy()
    assert difference(one, other) == ""
    other.putpixel((17, 10), (0, 0, 0))
    other.putpixel((18, 11), (85, 85, 85))
    assert difference(other, one).splitlines()[:6] == [
        "1 cells differ",
        "row 1, column 2: found, wanted",
        "  ........  ........",
        "  ........  ........",
        "  .#......  ........",
        "  ..X.....  ........",
    ]
    other = one.copy()
    other.putpixel((0, 0), (255, 255, 254))
    assert "of other colours" in difference(one, other)
