"""Screens as PNG files, and what differs between a screen and a file.

A file has one index for each pixel and the colours that occur, so that it is small and shows what
it is in any viewer. Emulated pixels are exact: nothing is tolerated.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from romproof.machine.screen import Color, Screen
from romproof.support.extras import need
from romproof.support.files import write_all
from romproof.text.errors import BadInput

if TYPE_CHECKING:
    from PIL.Image import Image

_MOST_COLORS = 256
_WRONG, _DIMMED = (0xFF, 0x00, 0x40), 4
"""The colour of pixels that differ, and how much darker all others are, in a picture of them."""


class BadPicture(BadInput):
    """A file is no picture, or none of such a screen."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of pixels; (``x``, ``y``) is its upper left one."""

    x: int
    y: int
    width: int
    height: int

    def __contains__(self, place: tuple[int, int]) -> bool:
        x, y = place
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class Difference:
    """``count`` pixels differ, all within ``box``; (``x``, ``y``) is the first of them, row by row.
    ``wrong`` has a byte for each pixel, 1 where it differs."""

    count: int
    x: int
    y: int
    box: Box
    expected: Color
    actual: Color
    wrong: bytes


def to_image(screen: Screen) -> Image:
    """A picture of Pillow. Raises MissingExtra."""
    need("pictures need {}", "romproof[pictures]", "PIL")
    from PIL import Image

    image = Image.frombytes("RGB", (screen.width, screen.height), screen.rgb)
    colors = image.getcolors(_MOST_COLORS)
    if colors is None:
        return image
    palette = sorted(_as_color(color) for _, color in colors)
    numbers = {color: number for number, color in enumerate(palette)}
    rgb = screen.rgb
    pixels = bytes(map(numbers.__getitem__, zip(rgb[::3], rgb[1::3], rgb[2::3], strict=True)))
    indexed = Image.frombytes("P", image.size, pixels)
    indexed.putpalette([channel for color in palette for channel in color])
    return indexed


def png_of(image: Image) -> bytes:
    """The bytes of a PNG file."""
    data = io.BytesIO()
    image.save(data, "PNG", optimize=True)
    return data.getvalue()


def write_png(screen: Screen, path: Path) -> None:
    """Write a screen to a file. Raises MissingExtra and BadInput."""
    write_all([(path, png_of(to_image(screen)))])


def read_png(path: Path, like: Screen) -> bytes:
    """Three bytes for each pixel of a file. Raises MissingExtra; and BadPicture for a file that is
    no picture, has another size than the screen, or a colour that the machine does not have."""
    need("pictures need {}", "romproof[pictures]", "PIL")
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            size, rgb = image.size, image.convert("RGB").tobytes()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise BadPicture(f"{path}: is no picture that can be read: {error}") from None
    if size != (like.width, like.height):
        raise BadPicture(
            f"{path}: has {size[0]} x {size[1]} pixels, the screen {like.width} x {like.height}: "
            f"delete the file to have a new one written"
        )
    for number, color in enumerate(zip(rgb[::3], rgb[1::3], rgb[2::3], strict=True)):
        if not like.has_color(color):
            y, x = divmod(number, like.width)
            raise BadPicture(
                f"{path}: the pixel at ({x}, {y}) has the colour #{bytes(color).hex()}, which the "
                f"machine does not have: was the picture made with another palette?"
            )
    return rgb


def find_difference(
    screen: Screen, expected: bytes, masks: Sequence[Box] = ()
) -> Difference | None:
    """What differs between a screen and three bytes for each pixel, outside of ``masks``."""
    if screen.rgb == expected:
        return None
    width, actual = screen.width, screen.rgb
    wrong = bytearray(width * screen.height)
    for place in range(len(wrong)):
        if actual[3 * place : 3 * place + 3] != expected[3 * place : 3 * place + 3]:
            y, x = divmod(place, width)
            wrong[place] = not any((x, y) in mask for mask in masks)
    count = sum(wrong)
    if not count:
        return None
    first = wrong.index(1)
    places = [divmod(place, width) for place, is_wrong in enumerate(wrong) if is_wrong]
    left, right = min(x for _, x in places), max(x for _, x in places)
    top, bottom = places[0][0], places[-1][0]
    return Difference(
        count,
        first % width,
        first // width,
        Box(left, top, right - left + 1, bottom - top + 1),
        _as_color(expected[3 * first : 3 * first + 3]),
        _as_color(actual[3 * first : 3 * first + 3]),
        bytes(wrong),
    )


def draw_difference(screen: Screen, difference: Difference) -> Image:
    """The screen in the dark, with the pixels that differ in red. Raises MissingExtra."""
    need("pictures need {}", "romproof[pictures]", "PIL")
    from PIL import Image

    rgb = bytearray(value // _DIMMED for value in screen.rgb)
    for place, is_wrong in enumerate(difference.wrong):
        if is_wrong:
            rgb[3 * place : 3 * place + 3] = bytes(_WRONG)
    return Image.frombytes("RGB", (screen.width, screen.height), bytes(rgb))


def explain_difference(screen: Screen, difference: Difference) -> list[str]:
    """The lines that a failed comparison shows."""
    box, x, y = difference.box, difference.x, difference.y
    pixels = "1 pixel differs" if difference.count == 1 else f"{difference.count:,} pixels differ"
    return [
        f"{pixels}, within {box.width} x {box.height} from ({box.x}, {box.y})",
        f"first: ({x}, {y}) is {_hex(difference.actual)}, expected {_hex(difference.expected)}",
        f"there: {screen.describe(x, y)}",
    ]


def _hex(color: Color) -> str:
    return f"#{bytes(color).hex()}"


def _as_color(values: Any) -> Color:
    red, green, blue = values
    return red, green, blue
