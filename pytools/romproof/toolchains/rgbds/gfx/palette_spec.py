"""Palettes and colours that stand on the command line: ``-c #...``, ``-c dmg=E4``, ``-B #...``."""

from __future__ import annotations

from romproof.toolchains.rgbds.gfx.colors import rgb
from romproof.toolchains.rgbds.gfx.options import Slots
from romproof.toolchains.rgbds.gfx.report import PictureReport

HEX_DIGITS = "0123456789ABCDEFabcdef"
EMPTY: Slots = (None, None, None, None)
DMG_DEFAULT = 0xE4
"""Darkest shade, highest number: what ``-c dmg`` says."""
_BLANKS = " \t"


def fill_palette(colors: list[int | None]) -> Slots:
    """Up to four colours as a palette; the rest are gaps."""
    first, second, third, fourth, *_ = [*colors, *EMPTY]
    return first, second, third, fourth


def hex_color(digits: str) -> int:
    """The colour of three or six hexadecimal digits."""
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return rgb(*bytes.fromhex(digits))


def _hex_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end] in HEX_DIGITS:
        end += 1
    return end


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


class _InlineError(Exception):
    """What is wrong with a specification, where in it, and over how many characters."""

    def __init__(self, what: str, at: int, length: int = 1) -> None:
        self.what, self.at, self.length = what, at, length


def inline_palettes(text: str, report: PictureReport) -> tuple[Slots, ...]:
    """The palettes of ``#rrggbb,#rgb,#none;...``; what is wrong is reported and ends them."""
    palettes: list[list[int | None]] = [[]]
    try:
        _read_inline(text, palettes)
    except _InlineError as fault:
        before = 'In inline palette spec: "'
        report.error(fault.what)
        report.note(f'{before}{text}"')
        # the original pads with at least one blank
        report.note(" " * (len(before) + fault.at) + "^" * fault.length)
    return tuple(map(fill_palette, palettes))


def _read_inline(text: str, palettes: list[list[int | None]]) -> None:
    at = 0
    while True:
        at += 1  # the '#', which is there
        if text[at : at + 4].lower() == "none":
            palettes[-1].append(None)
            at += 4
        else:
            end = _hex_end(text, at)
            if end == at:
                raise _InlineError("Missing color after '#'", at - 1)
            if end - at not in (3, 6):
                raise _InlineError("Unknown color specification", at, end - at)
            palettes[-1].append(hex_color(text[at:end]))
            at = end
        at = _skip_blanks(text, at)
        if at == len(text):
            return
        if text[at] not in ",:;":
            what = "Unexpected character, expected ',', ';', or end of argument"
            raise _InlineError(what, at)
        comma = text[at] == ","
        at = _skip_blanks(text, at + 1)
        if comma and at < len(text):
            if text[at] in ":;":
                comma = False
                at = _skip_blanks(text, at + 1)
            elif len(palettes[-1]) == 4:
                raise _InlineError("Each palette can only contain up to 4 colors", at)
        if at == len(text):
            return
        if not comma:
            palettes.append([])
        if text[at] != "#":
            raise _InlineError("Unexpected character, expected '#'", at)


def dmg_register(text: str, report: PictureReport) -> int:
    """The register value of ``-c dmg=text``."""
    if len(text) != 2 or _hex_end(text, 0) != 2:
        report.error(f'Unknown DMG palette specification "{text}"')
        return DMG_DEFAULT
    value = int(text, 16)
    if len({value >> shift & 3 for shift in (0, 2, 4, 6)}) < 4:
        report.error("DMG palette specification maps two gray shades to the same color index")
    return value


def background_color(text: str, report: PictureReport) -> int | None:
    """The colour of ``-B text``, or None if it is none."""
    if text.lower() == "transparent":
        return 0
    if not text.startswith("#"):
        report.error('Background color specification must be "#rgb", "#rrggbb", or "transparent"')
        return None
    end = _hex_end(text, 1)
    if end not in (4, 7):
        report.error(f'Unknown background color specification "{text}"')
        return None
    if end != len(text):
        report.error(f'Unexpected text "{text[end:]}" after background color specification')
    return hex_color(text[1:end])
