"""Mahjong tiles and dice as SVG symbols, drawn by this code alone.

A tile is 60 by 80; its symbol is called ``t-5p``, a red five ``t-0p``, the back ``t-back``. A die
is 40 by 40, ``d-1`` to ``d-6``; the marks of verdicts, 20 by 20, are in ``MARKS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fairdeck.tiles import KINDS, NAMES
from fairdeck.viewer.strokes import GREEN, NUMERALS, RED, TEN_THOUSAND, WINDS, Line

_INK, _BLUE, _GREEN, _RED = "#22304a", "#1c4f9c", "#1c7440", "#c1272d"
_IVORY, _EDGE, _SHADE = "#fdfaf0", "#a99b7c", "#e6dcc2"
_LETTERS = "ESWNPFC"


@cache
def sprite() -> str:
    """All symbols as one hidden SVG, to stand in a page; shown by ``<use href="#t-5p"/>``."""
    symbols = [_symbol(f"t-{NAMES[kind]}", 60, 80, _tile(kind, False)) for kind in range(KINDS)]
    symbols += [_symbol(f"t-0{NAMES[k][1]}", 60, 80, _tile(k, True)) for k in (4, 13, 22)]
    symbols.append(_symbol("t-back", 60, 80, _back()))
    symbols += [_symbol(f"d-{face}", 40, 40, _die(face)) for face in range(1, 7)]
    symbols += [_symbol(f"v-{name}", 20, 20, art) for name, art in MARKS.items()]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" '
        f'focusable="false" class="sprite">{"".join(symbols)}</svg>'
    )


def _symbol(name: str, width: int, height: int, art: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 {width} {height}">{art}</symbol>'


def _tile(kind: int, red: bool) -> str:
    number = kind % 9 + 1
    art = (_characters, _circles, _bamboos)[kind // 9](number, red) if kind < 27 else _honour(kind)
    corner = NAMES[kind][0] if kind < 27 else _LETTERS[kind - 27]
    return _face() + art + _corner(corner, _RED if red else "#6b6250")


def _face() -> str:
    return (
        f'<rect x="1" y="1" width="58" height="78" rx="7" fill="{_SHADE}" stroke="{_EDGE}"/>'
        f'<rect x="2" y="2" width="56" height="73" rx="6" fill="{_IVORY}"/>'
    )


def _corner(text: str, colour: str) -> str:
    """A small letter, for who does not know the characters."""
    return (
        f'<text x="4" y="11.5" font-size="9.5" font-weight="700" font-family="sans-serif" '
        f'fill="{colour}">{text}</text>'
    )


def _lines(
    lines: Sequence[Line], colour: str, x: float, y: float, size: float, width: float
) -> str:
    """A character with its upper left corner at x, y."""
    scale = size / 100
    path = " ".join(
        "M" + "L".join(f"{x + px * scale:.1f} {y + py * scale:.1f}" for px, py in line)
        for line in lines
    )
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _characters(number: int, red: bool) -> str:
    upper = _lines(NUMERALS[number - 1], _RED if red else _INK, 17, 8, 26, 3.4)
    return upper + _lines(TEN_THOUSAND, _RED, 15, 38, 32, 2.8)


_DOTS: dict[int, tuple[tuple[int, int, str], ...]] = {
    2: ((30, 22, _GREEN), (30, 56, _BLUE)),
    3: ((18, 23, _BLUE), (30, 40, _RED), (43, 58, _GREEN)),
    4: ((18, 23, _BLUE), (42, 23, _GREEN), (18, 56, _GREEN), (42, 56, _BLUE)),
    5: ((17, 21, _BLUE), (43, 21, _GREEN), (30, 39, _RED), (17, 58, _GREEN), (43, 58, _BLUE)),
    6: tuple(
        (x, y, _GREEN if y < 20 else _RED) for y in (19, 40, 59) for x in (19, 41)
    ),
    7: (
        (17, 19, _GREEN), (31, 24, _GREEN), (45, 29, _GREEN),
        (20, 45, _RED), (40, 45, _RED), (20, 63, _RED), (40, 63, _RED),
    ),
    8: tuple((x, y, _BLUE) for y in (15, 31, 47, 63) for x in (20, 40)),
    9: tuple(
        (x, y, colour)
        for y, colour in ((21, _BLUE), (41, _RED), (61, _GREEN))
        for x in (15, 31, 47)
    ),
}  # fmt: skip


def _circles(number: int, red: bool) -> str:
    if number == 1:
        return _great_circle()
    radius = {2: 12.5, 3: 9.5, 4: 10.5, 5: 9.5, 6: 9, 7: 7.6, 8: 7.6, 9: 7.4}[number]
    return "".join(_dot(x, y, radius, _RED if red else c) for x, y, c in _DOTS[number])


def _dot(x: float, y: float, radius: float, colour: str) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius * 0.72:.1f}" fill="none" stroke="{_IVORY}" '
        f'stroke-width="{radius * 0.16:.1f}"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius * 0.28:.1f}" fill="{_IVORY}"/>'
    )


def _great_circle() -> str:
    petals = "".join(
        f'<ellipse cx="30" cy="27" rx="3.4" ry="7" fill="{_GREEN}" '
        f'transform="rotate({angle} 30 40)"/>'
        for angle in range(0, 360, 45)
    )
    return (
        f'<circle cx="30" cy="40" r="24" fill="{_BLUE}"/>'
        f'<circle cx="30" cy="40" r="21" fill="{_IVORY}"/>{petals}'
        f'<circle cx="30" cy="40" r="8" fill="{_RED}"/>'
        f'<circle cx="30" cy="40" r="3" fill="{_IVORY}"/>'
    )


def _stick(x: float, y: float, length: float, colour: str, turn: float = 0) -> str:
    """A piece of bamboo, its middle at x, y."""
    half = length / 2
    turned = f' transform="rotate({turn} {x} {y})"' if turn else ""
    return (
        f"<g{turned}>"
        f'<rect x="{x - 3.2}" y="{y - half}" width="6.4" height="{length}" rx="3" '
        f'fill="{colour}"/>'
        f'<rect x="{x - 4.2}" y="{y - 1.5}" width="8.4" height="3" rx="1.4" fill="{colour}"/>'
        f'<line x1="{x}" y1="{y - half + 3}" x2="{x}" y2="{y - 3}" stroke="{_IVORY}" '
        'stroke-width="1.4" stroke-linecap="round"/>'
        f'<line x1="{x}" y1="{y + 3}" x2="{x}" y2="{y + half - 3}" stroke="{_IVORY}" '
        'stroke-width="1.4" stroke-linecap="round"/></g>'
    )


_G, _B, _R = _GREEN, _BLUE, _RED
_STICKS: dict[int, tuple[tuple[float, float, str], ...]] = {
    2: ((30, 22, _G), (30, 56, _B)),
    3: ((30, 22, _G), (18, 56, _B), (42, 56, _B)),
    4: ((18, 22, _G), (42, 22, _B), (18, 56, _B), (42, 56, _G)),
    5: ((16, 22, _G), (44, 22, _B), (30, 39, _R), (16, 57, _B), (44, 57, _G)),
    6: ((15, 22, _G), (30, 22, _G), (45, 22, _G), (15, 56, _B), (30, 56, _B), (45, 56, _B)),
    7: (
        (30, 15, _R), (15, 39, _G), (30, 39, _B), (45, 39, _G),
        (15, 62, _G), (30, 62, _B), (45, 62, _G),
    ),
    9: tuple((x, y, c) for y in (16, 39, 62) for x, c in ((15, _G), (30, _R), (45, _B))),
}  # fmt: skip


def _bamboos(number: int, red: bool) -> str:
    if number == 1:
        return _bird()
    if number == 8:
        upper = [_stick(x, 23, 27, _GREEN, t) for x, t in ((13, 0), (25, 28), (35, -28), (47, 0))]
        lower = [_stick(x, 56, 27, _BLUE, t) for x, t in ((13, 0), (25, -28), (35, 28), (47, 0))]
        return "".join((*upper, *lower))
    length = 21 if number in (7, 9) else 28
    return "".join(_stick(x, y, length, _RED if red else c) for x, y, c in _STICKS[number])


def _bird() -> str:
    """A peacock, as on the first bamboo of most sets."""
    tail = "".join(
        f'<path d="M30 46 L{x} 70" stroke="{colour}" stroke-width="4" stroke-linecap="round"/>'
        for x, colour in ((16, _BLUE), (25, _GREEN), (35, _GREEN), (44, _BLUE))
    )
    return (
        f'{tail}<ellipse cx="30" cy="39" rx="11" ry="14" fill="{_GREEN}"/>'
        f'<path d="M23 40 q7 -9 14 0 q-7 9 -14 0" fill="{_RED}"/>'
        f'<circle cx="34" cy="22" r="7.5" fill="{_BLUE}"/>'
        f'<circle cx="36" cy="20.5" r="1.8" fill="{_IVORY}"/>'
        f'<path d="M41 21 l8 2.5 l-8 3 z" fill="{_RED}"/>'
        f'<path d="M31 15 l-4 -8 M34 14.5 l0 -8.5 M37 15 l4 -7" stroke="{_RED}" '
        'stroke-width="2" stroke-linecap="round"/>'
    )


def _honour(kind: int) -> str:
    if kind < 31:
        return _lines(WINDS[kind - 27], _INK, 11, 20, 39, 4)
    if kind == 31:
        return (
            f'<rect x="12" y="17" width="36" height="46" rx="3" fill="none" stroke="{_BLUE}" '
            'stroke-width="3.4"/>'
            f'<rect x="17.5" y="22.5" width="25" height="35" fill="none" stroke="{_BLUE}" '
            'stroke-width="1.4"/>'
        )
    if kind == 32:
        return _lines(GREEN, _GREEN, 11, 20, 39, 3.6)
    return _lines(RED, _RED, 11, 19, 39, 5)


def _back() -> str:
    return (
        '<rect x="1" y="1" width="58" height="78" rx="7" fill="#b9772a" stroke="#6f4516"/>'
        '<rect x="5" y="5" width="50" height="70" rx="4" fill="none" stroke="#f0c98d"/>'
        '<path d="M30 20 L46 40 L30 60 L14 40 Z" fill="none" stroke="#f0c98d" '
        'stroke-width="2"/>'
    )


_PIPS = {
    1: ((20, 20),),
    2: ((12, 12), (28, 28)),
    3: ((11, 11), (20, 20), (29, 29)),
    4: ((12, 12), (28, 12), (12, 28), (28, 28)),
    5: ((11, 11), (29, 11), (20, 20), (11, 29), (29, 29)),
    6: ((12, 10), (28, 10), (12, 20), (28, 20), (12, 30), (28, 30)),
}


def _die(face: int) -> str:
    colour, radius = (_RED, 6) if face == 1 else (_INK, 3.6)
    pips = "".join(
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>' for x, y in _PIPS[face]
    )
    return (
        f'<rect x="2" y="2" width="36" height="36" rx="7" fill="{_IVORY}" stroke="{_EDGE}" '
        f'stroke-width="1.5"/>{pips}'
    )


def _mark(path: str) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="2.6" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


MARKS = {
    "equal": _mark("M4 10.5 L8.5 15 L16 5.5"),
    "differs": _mark("M5 5 L15 15 M15 5 L5 15"),
    "unchecked": _mark("M6.5 7 a3.5 3.5 0 1 1 5 3.2 q-1.5 .8 -1.5 2.3 M10 16 v.2"),
    "none": _mark("M5 10 H15"),
}
"""Beside the word of each verdict, so that none is shown by its colour alone."""
