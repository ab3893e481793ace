"""Numbers within the arguments of rgbgfx, such as ``-L 0,8:16,2``, and what is wrong with them.

Each function reports what is wrong in the words of the original and goes on, as the original does:
an argument may have several faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from romproof.cli.originals.rgbds_arguments import whole_number
from romproof.toolchains.rgbds.gfx import PictureReport, Slice

_NUMBER = re.compile(
    r"[ \t]*(?:%[01]*|&[0-7]*|\$[0-9a-f]*|0b[01]*|0o[0-7]*|0x[0-9a-f]*|[0-9]*)", re.IGNORECASE
)
_MAX = 0xFFFF
_MAX_SLICE = 0x7FFF


@dataclass(slots=True)
class Numbers:
    """An argument that is read from left to right."""

    text: str
    report: PictureReport
    at: int = 0

    @property
    def rest(self) -> str:
        """What was not read yet."""
        return self.text[self.at :]

    def number(self, what: str, instead: int = _MAX) -> int:
        """The next number; ``instead`` after an error."""
        match = _NUMBER.match(self.text, self.at)
        assert match is not None  # it matches nothing at all, too
        value = whole_number(match[0])
        self.at = match.end()
        if value is None:
            self.report.error(f"{what}: expected number, but found nothing")
            return instead
        if value > _MAX:
            self.report.error(f"{what}: the number is too large")
            return instead
        return value

    def skip(self, sign: str) -> bool:
        """Go behind ``sign``; False if it is not next."""
        self.at = len(self.text) - len(self.rest.lstrip(" \t"))
        if not self.rest.startswith(sign):
            return False
        self.at = len(self.text) - len(self.rest[1:].lstrip(" \t"))
        return True


def _one_number(text: str, what: str, complaint: str, report: PictureReport, instead: int) -> int:
    """The number that an argument is; ``complaint`` is what to say of more than that."""
    numbers = Numbers(text, report)
    value = numbers.number(what, instead)
    if numbers.rest:
        report.error(f'{complaint}, not "{text}"')
    return value


def bit_depth(text: str, report: PictureReport) -> int:
    """Bits for each pixel, 1 or 2."""
    errors = report.errors
    complaint = "Bit depth ('-d') argument must be a valid number"
    depth = _one_number(text, "Bit depth", complaint, report, 2)
    if depth not in (1, 2) and report.errors == errors:
        report.error(f"Bit depth must be 1 or 2, not {depth & 0xFF}")
    return depth if depth == 1 else 2


def base_palette(text: str, report: PictureReport) -> int:
    """The number of the first palette."""
    errors = report.errors
    what = "Base palette ID"
    number = _one_number(text, what, f"{what} must be a valid number", report, 0)
    if number >= 256 and report.errors == errors:
        report.error(f"{what} must be below 256")
    return number


def most_palettes(text: str, report: PictureReport) -> int:
    """How many palettes there may be."""
    return _limited(text, "Number of palettes", "Number of palettes ('-n')", 256, report)


def palette_size(text: str, report: PictureReport) -> int:
    """How many colours a palette has."""
    return _limited(text, "Number of colors per palette", "Palette size ('-s')", 4, report)


def _limited(text: str, what: str, option: str, highest: int, report: PictureReport) -> int:
    """A number from 1 to ``highest``."""
    number = _one_number(text, what, f"{option} must be a valid number", report, highest)
    if number > highest:
        report.error(f"{option} must not exceed {highest}")
    elif number == 0:
        report.error(f"{option} may not be 0")
    return number


def stride(text: str, report: PictureReport) -> int:
    """The width of a reversed picture in tiles."""
    what = "Reversed image stride"
    return _one_number(text, what, f"{what} ('-r') must be a valid number", report, _MAX)


def trim(text: str, report: PictureReport) -> int:
    """How many tiles are left out at the end."""
    complaint = "Tile trim ('-x') argument must be a valid number"
    return _one_number(text, "Number of tiles to trim", complaint, report, 0)


def base_tiles(text: str, report: PictureReport) -> tuple[int, int]:
    """The numbers of the first tiles of both banks."""

    def read(numbers: Numbers, bank: int) -> int:
        value = numbers.number(f"Bank {bank} base tile ID", 0)
        if value >= 256:
            report.error(f"Bank {bank} base tile ID must be below 256")
            return 0
        return value

    return _for_banks(text, "Base tile IDs", read, report)


def most_tiles(text: str, report: PictureReport) -> tuple[int, int]:
    """How many tiles both banks have room for."""

    def read(numbers: Numbers, bank: int) -> int:
        value = numbers.number(f"Number of tiles in bank {bank}", 256)
        if value > 256:
            report.error(f"Bank {bank} cannot contain more than 256 tiles")
        return value

    return _for_banks(text, "Bank capacity", read, report)


def _for_banks(
    text: str, what: str, read: Callable[[Numbers, int], int], report: PictureReport
) -> tuple[int, int]:
    """Two numbers, or one for bank 0."""
    numbers = Numbers(text, report)
    first = second = read(numbers, 0)
    if not numbers.rest:
        return first, 0
    comma = numbers.skip(",")
    if comma:
        second = read(numbers, 1)
    if not comma or numbers.rest:
        report.error(f'{what} must be one or two comma-separated numbers, not "{text}"')
    return first, second


def picture_slice(text: str, report: PictureReport) -> Slice:
    """The part of a picture: ``left,top:width,height``."""
    numbers = Numbers(text, report)
    left = numbers.number("Input slice left coordinate")
    if left > _MAX_SLICE:
        report.error("Input slice left coordinate is out of range")
        return Slice()
    if not numbers.skip(","):
        report.error(f'Missing comma after left coordinate in "{text}"')
        return Slice()
    top = numbers.number("Input slice upper coordinate")
    if not numbers.skip(":"):
        report.error(f'Missing colon after upper coordinate in "{text}"')
        return Slice()
    width = numbers.number("Input slice width")
    if width == 0:
        report.error("Input slice width may not be 0")
    if not numbers.skip(","):
        report.error(f'Missing comma after width in "{text}"')
        return Slice()
    height = numbers.number("Input slice height")
    if height == 0:
        report.error("Input slice height may not be 0")
    if numbers.rest:
        report.error(f'Unexpected extra characters after slice spec in "{text}"')
    return Slice(left, top, width, height)
