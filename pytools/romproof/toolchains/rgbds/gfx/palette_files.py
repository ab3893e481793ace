"""Palettes in files (``-c format:path``): PSP, GPL, HEX, ACT, ACO, GBC and PNG.

The formats are those that rgbgfx(1) names under "External palettes": PaintShop Pro's, GIMP's, one
colour in hexadecimal a line, Adobe's colour table and colour swatches, what rgbgfx -p writes, and
a picture of swatches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from romproof.toolchains.rgbds.gfx.colors import picture_color, rgb
from romproof.toolchains.rgbds.gfx.options import Slots
from romproof.toolchains.rgbds.gfx.palette_spec import HEX_DIGITS, fill_palette, hex_color
from romproof.toolchains.rgbds.gfx.png_pixels import Picture, read_png
from romproof.toolchains.rgbds.gfx.report import PictureReport


@dataclass(slots=True)
class _Collected:
    """The palettes so far; ``per`` colours each, ``most`` of them altogether."""

    name: str
    per: int
    most: int
    report: PictureReport
    palettes: list[list[int | None]] = field(default_factory=list)

    def add(self, color: int) -> None:
        if not self.palettes or len(self.palettes[-1]) >= self.per:
            self.palettes.append([])
        self.palettes[-1].append(color)

    def cut(self, kind: str, count: int) -> int:
        """How many of ``count`` colours there is room for; it warns of the rest."""
        if count > self.most:
            self.report.warn(
                f'{kind} file "{self.name}" contains {count} colors, but there can only be '
                f"{self.most}; ignoring extra"
            )
        return min(count, self.most)


class _Stop(Exception):
    """What is wrong with a file."""


def read_palettes(
    format_name: str, data: bytes, name: str, per: int, most_palettes: int, report: PictureReport
) -> tuple[Slots, ...]:
    """The palettes in a file of a format of FORMATS; what is wrong is reported and ends them.

    ``per``: how many colours a palette has. Raises Aborted for a PNG that cannot be read.
    """
    collected = _Collected(name, per, per * most_palettes, report)
    try:
        FORMATS[format_name.upper()](data, collected)
    except _Stop as fault:
        report.error(str(fault))
    return tuple(map(fill_palette, collected.palettes))


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    lines = [line.removesuffix("\r") for line in lines[:-1]] + lines[-1:]
    return lines[:-1] if not lines[-1] else lines


def _color(line: str, at: int, number: int) -> tuple[int, int]:
    """The colour of three decimal numbers at ``at`` in a line, and where they end."""
    levels: list[int] = []
    start = f'Failed to parse color #{number} ("{line}")'
    for component in ("red", "green", "blue"):
        if levels:
            at = _after_blanks(line, at)
            if at == len(line):
                raise _Stop(f"{start}: missing {component} component")
        digits = re.compile("[0-9]+").match(line, at)
        if digits is None or len(digits[0].lstrip("0")) > 3 or int(digits[0]) > 0xFF:
            raise _Stop(f"{start}: invalid {component} component")
        levels.append(int(digits[0]))
        at = digits.end()
    return rgb(*levels), at


def _after_blanks(line: str, at: int) -> int:
    while at < len(line) and line[at] in " \t":
        at += 1
    return at


def _psp(data: bytes, out: _Collected) -> None:
    lines = _lines(data)
    if not lines or lines[0] != "JASC-PAL":
        raise _Stop(f'File "{out.name}" is not a valid PSP palette file')
    short = f'PSP palette file "{out.name}" is shorter than expected'
    if len(lines) < 2:
        raise _Stop(short)
    if lines[1] != "0100":
        raise _Stop(f'Unsupported PSP palette file version "{lines[1]}"')
    if len(lines) < 3:
        raise _Stop(short)
    if not re.fullmatch("0*[0-9]{1,5}", lines[2]) or int(lines[2]) > 0xFFFF:
        raise _Stop(f'Invalid "number of colors" line in PSP file ("{lines[2]}")')
    for index in range(out.cut("PSP", int(lines[2]))):
        if 3 + index >= len(lines):
            raise _Stop(short)
        line = lines[3 + index]
        color, end = _color(line, 0, index + 2)
        if end != len(line):
            raise _Stop(
                f'Failed to parse color #{index + 1} ("{line}"): trailing characters after blue '
                "component"
            )
        out.add(color)


def _gpl(data: bytes, out: _Collected) -> None:
    lines = _lines(data)
    if not lines or not lines[0].startswith("GIMP Palette"):
        raise _Stop(f'File "{out.name}" is not a valid GPL palette file')
    count = 0
    for line in lines[1:]:
        at = _after_blanks(line, 0)
        if line.startswith(("Name:", "Columns:")) or at == len(line) or line[at] == "#":
            continue
        color, _ = _color(line, at, count + 2)
        if count < out.most:
            out.add(color)
        count += 1
    out.cut("GPL", count)


def _hex(data: bytes, out: _Collected) -> None:
    count = 0
    for line in filter(None, _lines(data)):
        if len(line) != 6 or any(c not in HEX_DIGITS for c in line):
            raise _Stop(f'Failed to parse color #{count + 1} ("{line}"): invalid "rrggbb" line')
        if count < out.most:
            out.add(hex_color(line))
        count += 1
    out.cut("HEX", count)


def _act(data: bytes, out: _Collected) -> None:
    data = data[:772]
    count = 256
    if len(data) == 772:
        count = int.from_bytes(data[768:770], "big")
        if not 0 < count <= 256:
            raise _Stop(f'Invalid number of colors in ACT file "{out.name}" ({count})')
    elif len(data) != 768:
        raise _Stop(
            f'Invalid file size for ACT file "{out.name}" (expected 768 or 772 bytes, got '
            f"{len(data)})"
        )
    for index in range(out.cut("ACT", count)):
        out.add(rgb(*data[3 * index : 3 * index + 3]))


_ACO_TYPES = {1: "HSB", 2: "CMYK", 7: "Lab", 8: "grayscale"}


def _aco(data: bytes, out: _Collected) -> None:
    if len(data) < 2:
        raise _Stop("Failed to read ACO file version")
    if data[:2] != b"\0\1":
        raise _Stop(f'File "{out.name}" is not a valid ACO v1 file')
    if len(data) < 4:
        raise _Stop("Failed to read number of colors in palette file")
    for index in range(out.cut("ACO", int.from_bytes(data[2:4], "big"))):
        entry = data[4 + 10 * index : 14 + 10 * index]
        if len(entry) < 10:
            raise _Stop(f"Failed to read color #{index + 1} from palette file")
        kind = int.from_bytes(entry[:2], "big")
        if kind in _ACO_TYPES:
            raise _Stop(f"Unsupported color type ({_ACO_TYPES[kind]}) for ACO file")
        if kind:
            raise _Stop(f"Unknown color type ({kind}) for ACO file")
        out.add(rgb(entry[2], entry[4], entry[6]))


def _gbc(data: bytes, out: _Collected) -> None:
    whole = len(data) // 8
    for at in range(0, 8 * whole, 8):
        words = (data[i] | data[i + 1] << 8 for i in range(at, at + 8, 2))
        out.palettes.append([picture_color(word) for word in words])
    rest = len(data) % 8
    if rest:
        raise _Stop(
            f'GBC palette file "{out.name}" contains {whole} 8-byte palette{"s"[: whole != 1]}, '
            f"plus {rest} byte{'s'[: rest != 1]}"
        )


def _png(data: bytes, out: _Collected) -> None:
    picture = read_png(data, out.name, out.report)
    size = f"PNG palette file is {picture.width}x{picture.height}, which is not a multiple of"
    if picture.width % out.per:
        raise _Stop(f"{size} {out.per} color swatches wide")
    swatch = picture.width // out.per
    if picture.height % swatch:
        raise _Stop(f"{size} {swatch} pixels high")
    rows = picture.height // swatch
    count = out.cut("PNG palette", rows * out.per) // out.per
    for y in range(0, count * swatch, swatch):
        out.palettes.append([])
        for x in range(0, picture.width, swatch):
            out.palettes[-1].append(picture.pixels[y * picture.width + x])
            if not _even(picture, x, y, swatch):
                raise _Stop("PNG palette file uses multiple colors in one color swatch")


def _even(picture: Picture, x: int, y: int, size: int) -> bool:
    """Whether a swatch has one colour."""
    first = picture.pixels[y * picture.width + x]
    rows = (row * picture.width + x for row in range(y, y + size))
    parts: Sequence[Sequence[int]] = [picture.pixels[at : at + size] for at in rows]
    return all(color == first for part in parts for color in part)


FORMATS: Mapping[str, Callable[[bytes, _Collected], None]] = {
    "PSP": _psp,
    "GPL": _gpl,
    "HEX": _hex,
    "ACT": _act,
    "ACO": _aco,
    "GBC": _gbc,
    "PNG": _png,
}
"""By name, in capitals."""
