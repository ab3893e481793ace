"""The colours of the PPU: its composite signal, decoded; or a file that people have made.

A colour's signal is a square wave between two voltages, of one of twelve phases; bits of emphasis
lower it in the part of the wave that belongs to a primary. Source: nesdev, "NTSC video" (the
voltages, measured on a 2C02, and the phases). It is decoded as the standard says: luminance is its
mean, and U and V are what is in phase with the carrier and a quarter of a wave away from it, where
the burst has the phase of hue 8 and lies at 180 degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import cos, pi, sin

from romproof.machine.screen import Color
from romproof.text.errors import BadInput

COLORS, EMPHASES = 64, 8
"""Colours of the PPU, and ways in which its three bits of emphasis change them."""
_LOW = (0.350, 0.518, 0.962, 1.550)
_HIGH = (1.094, 1.506, 1.962, 1.962)
"""Volts of the wave, by the two upper bits of a colour."""
_BLACK, _WHITE = _LOW[1], _HIGH[3]
_ATTENUATED = 0.746
"""What emphasis leaves of the signal."""
_EMPHASISED = (0, 4, 8)
"""The hues around which bits 5, 6 and 7 of $2001 lower the signal: cyan, magenta and yellow, so
that red, green and blue stand out."""
_GREY, _DARK, _NONE = 0x0, 0xD, 0xE
"""Hues: only the upper voltage, only the lower one, and from here on black."""
_BURST = 8
"""The hue that has the phase of the burst."""
_PHASES = 12
_RGB = ((0.0, 1.140), (-0.395, -0.581), (2.032, 0.0))
"""How much U and V add to red, green and blue."""


@cache
def decoded_palette() -> Sequence[Color]:
    """The 512 colours: 64 without emphasis, then as many for each of its other 7 values."""
    return tuple(
        _decode(color, emphasis) for emphasis in range(EMPHASES) for color in range(COLORS)
    )


def read_palette(data: bytes, name: str) -> Sequence[Color]:
    """The 512 colours of a ``.pal`` file, three bytes each. Of a file of 64 emphasis lowers the
    other two primaries. Raises BadInput for a file of another length; ``name`` is told then."""
    colors = [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data) - 2, 3)]
    if len(data) == 3 * COLORS * EMPHASES:
        return tuple(colors)
    if len(data) == 3 * COLORS:
        return tuple(_emphasise(color, way) for way in range(EMPHASES) for color in colors)
    raise BadInput(
        f"{name}: {len(data):,} bytes; a palette has {3 * COLORS} (64 colours) or "
        f"{3 * COLORS * EMPHASES:,} (512, with emphasis)"
    )


def _decode(color: int, emphasis: int) -> Color:
    """A colour, from the signal of one wave."""
    luma = u = v = 0.0
    for phase in range(_PHASES):
        signal = (_signal(color, emphasis, phase) - _BLACK) / (_WHITE - _BLACK)
        angle = 2 * pi * (phase - (3 - _BURST)) / _PHASES - pi / 2
        luma += signal / _PHASES
        u += 2 * signal * sin(angle + pi / _PHASES) / _PHASES
        v += 2 * signal * cos(angle + pi / _PHASES) / _PHASES
    red, green, blue = (
        min(255, max(0, round(255 * (luma + of_u * u + of_v * v)))) for of_u, of_v in _RGB
    )
    return red, green, blue


def _signal(color: int, emphasis: int, phase: int) -> float:
    """The voltage in a twelfth of a wave."""
    hue, level = color & 0x0F, color >> 4
    if hue >= _NONE:
        return _BLACK
    is_high = hue != _DARK and (hue == _GREY or _is_in_phase(hue, phase))
    signal = _HIGH[level] if is_high else _LOW[level]
    lowered = any(
        emphasis >> bit & 1 and _is_in_phase(around, phase)
        for bit, around in enumerate(_EMPHASISED)
    )
    return signal * _ATTENUATED if lowered else signal


def _is_in_phase(hue: int, phase: int) -> bool:
    return (hue + phase) % _PHASES < _PHASES // 2


def _emphasise(color: Color, emphasis: int) -> Color:
    red, green, blue = (
        round(channel * _ATTENUATED) if emphasis & ~(1 << place) else channel
        for place, channel in enumerate(color)
    )
    return red, green, blue
