"""Numbers within the arguments of rgbgfx, such as ``-L 0,8:16,2``, and what is wrong with them.

Each function reports what is wrong in the words of the original and goes on, as the original does:
an argument may have several faults.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from romproof.cli.originals.arguments import whole_number

if TYPE_CHECKING:
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


def one_number(
    text: str, what: str, complaint: str, report: PictureReport, instead: int = _MAX
) -> int:
    """The number that an argument is; ``complaint`` is what to say of more than that."""
    numbers = Numbers(text, report)
    value = numbers.number(what, instead)
    if numbers.rest:
        report.error(f'{complaint}, not "{text}"')
    return value


def base_tiles(text: str, report: PictureReport) -> tuple[int, int]:
    """The numbers of the first tiles of both banks."""
    numbers = Numbers(text, report)
    values = []
    for bank in (0, 1):
        value = numbers.number(f"Bank {bank} base tile ID", 0)
        if value >= 256:
            report.error(f"Bank {bank} base tile ID must be below 256")
            value = 0
        values.append(value)
        if bank == 0 and not numbers.rest:
            return value, 0
        if (numbers.rest != "") if bank else not numbers.skip(","):
            report.error(f'Base tile IDs must be one or two comma-separated numbers, not "{text}"')
            break
    return values[0], values[-1]


def most_tiles(text: str, report: PictureReport) -> tuple[int, int]:
    """How many tiles both banks have room for."""
    numbers = Numbers(text, report)
    values = []
    for bank in (0, 1):
        value = numbers.number(f"Number of tiles in bank {bank}", 256)
        if value > 256:
            report.error(f"Bank {bank} cannot contain more than 256 tiles")
        values.append(value)
        if bank == 0 and not numbers.rest:
            return value, 0
        if (numbers.rest != "") if bank else not numbers.skip(","):
            report.error(f'Bank capacity must be one or two comma-separated numbers, not "{text}"')
            break
    return values[0], values[-1]


def picture_slice(text: str, report: PictureReport) -> Slice:
    """The part of a picture: ``left,top:width,height``."""
    from romproof.toolchains.rgbds.gfx import Slice

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
