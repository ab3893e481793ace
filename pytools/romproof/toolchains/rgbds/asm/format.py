"""How values are printed: the specs of ``{spec:symbol}`` and STRFMT (rgbasm(5), "Symbol
interpolation").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from romproof.text.numbers import whole
from romproof.toolchains.rgbds.asm.characters import escape
from romproof.toolchains.rgbds.asm.growth import MAX_TEXT
from romproof.toolchains.rgbds.asm.report import Reporter

MAX_FRACTION = 255
"""Digits behind the point, at most."""
MAX_WIDTH = 0xFFFF
"""Characters a value is filled up to, at most; our own limit, against mistyped widths."""
_USUAL_FRACTION = 5

_SPEC = re.compile(
    r"(?P<sign>[ +]?)(?P<exact>\#?)(?P<left>-?)(?P<zero>0?)(?P<width>\d*)"
    r"(?P<fraction>\.\d*)?(?P<precision>q\d*)?(?P<type>[duXxbofs]?)"
)
_PREFIXES = {"X": "$", "x": "$", "b": "%", "o": "&"}


@dataclass(frozen=True, slots=True)
class FormatSpec:
    """One spec; without a ``type`` it is none, and the default for the kind of value is taken.

    ``fraction`` is a number of digits, ``precision`` a number of bits, both of fixed-point
    numbers; None where the spec does not say.
    """

    sign: str = ""
    exact: bool = False
    left: bool = False
    zero: bool = False
    width: int = 0
    fraction: int | None = None
    precision: int | None = None
    type: str = ""

    @staticmethod
    def parse(text: str) -> tuple[FormatSpec, int]:
        """The spec that ``text`` begins with, and how many characters of it belong to it."""
        match = _SPEC.match(text)
        assert match is not None  # all of its parts are optional
        fraction, precision = match["fraction"], match["precision"]
        spec = FormatSpec(
            sign=match["sign"],
            exact=bool(match["exact"]),
            left=bool(match["left"]),
            zero=bool(match["zero"]),
            width=whole(match["width"] or "0"),
            fraction=None if fraction is None else whole(fraction[1:] or "0"),
            precision=None if precision is None else whole(precision[1:] or "0"),
            type=match["type"],
        )
        return spec, match.end()

    @property
    def is_valid(self) -> bool:
        """Whether there is a type, which a spec must have."""
        return bool(self.type)

    def string(self, value: str, report: Reporter) -> str:
        """``value`` as the spec says; what is only for numbers is reported."""
        if self.sign:
            report.error(f"Formatting string with sign flag '{self.sign}'")
        if self.zero:
            report.error("Formatting string with padding flag '0'")
        if self.fraction is not None:
            report.error("Formatting string with fractional width")
        if self.precision is not None:
            report.error("Formatting string with fractional precision")
        if self.type not in ("", "s"):
            report.error(f"Formatting string as type '{self.type}'")
        text = escape(value) if self.exact else value
        width = self._check_width(report)
        return text.ljust(width) if self.left else text.rjust(width)

    def number(self, value: int, report: Reporter, precision: int) -> str:
        """``value``, taken modulo 2^32, as the spec says; without a spec as ``$2A``.

        ``precision`` is that of fixed-point numbers where the spec does not say.
        """
        kind, exact = self.type or "X", self.exact or not self.type
        if exact and kind not in "Xxbof":
            report.error(f"Formatting type '{kind}' with exact flag '#'")
        if kind != "f" and self.fraction is not None:
            report.error(f"Formatting type '{kind}' with fractional width")
        if kind != "f" and self.precision is not None:
            report.error(f"Formatting type '{kind}' with fractional precision")
        if kind == "s":
            report.error("Formatting number as type 's'")
        value &= 0xFFFF_FFFF
        sign = self.sign
        if kind in "df" and value & 0x8000_0000:
            sign, value = "-", 0x1_0000_0000 - value
        if kind == "f":
            digits = self._format_fixed_point(value, exact, report, precision)
        else:
            digits = format(value, kind if kind in "Xxbo" else "d")
        front = sign + (_PREFIXES.get(kind, "") if exact else "")
        width = self._check_width(report)
        if self.left:
            return (front + digits).ljust(width)
        if self.zero:
            return front + digits.rjust(width - len(front), "0")
        return (front + digits).rjust(width)

    def _format_fixed_point(self, value: int, exact: bool, report: Reporter, usual: int) -> str:
        fraction = _USUAL_FRACTION if self.fraction is None else self.fraction
        if fraction > MAX_FRACTION:
            report.error(f"Fractional width {fraction} too long, limiting to {MAX_FRACTION}")
            fraction = MAX_FRACTION
        precision = usual if self.precision is None else self.precision
        if not 1 <= precision <= 31:
            report.error(
                f"Fixed-point constant precision {precision} invalid, defaulting to {usual}"
            )
            precision = usual
        return f"{value / (1 << precision):.{fraction}f}" + (f"q{precision}" if exact else "")

    def _check_width(self, report: Reporter) -> int:
        if self.width > MAX_WIDTH:
            report.error(f"Format width {self.width} too long, limiting to {MAX_WIDTH}")
        return min(self.width, MAX_WIDTH)


def format_string(text: str, values: Sequence[int | str], report: Reporter, precision: int) -> str:
    """``text`` with each ``%spec`` replaced by the next of ``values``: STRFMT.

    ``precision`` is that of fixed-point numbers where a spec does not say.
    """
    pieces: list[str] = []
    used = at = 0
    size = 0
    while at < len(text) and text[at] != "\0":
        size += sum(map(len, pieces[-2:]))
        if size > 2 * MAX_TEXT:
            report.fatal(f"STRFMT: the result is longer than {MAX_TEXT} characters")
        percent = text.find("%", at)
        if percent < 0:
            percent = len(text)
        pieces.append(text[at:percent].partition("\0")[0])
        if percent == len(text) or "\0" in text[at:percent]:
            break
        follows = text[percent + 1 : percent + 2]
        if follows == "%":
            pieces.append("%")
            at = percent + 2
            continue
        if follows in ("", "\0"):
            report.error("STRFMT: Illegal '%' at end of format string")
            pieces.append("%")
            break
        spec, length = FormatSpec.parse(text[percent + 1 :])
        at = percent + 1 + length
        if not spec.is_valid:
            report.error(f"STRFMT: Invalid format spec for argument {used + 1}")
            pieces.append(text[percent:at])
        elif used >= len(values):
            pieces.append("%")
        else:
            value = values[used]
            pieces.append(
                spec.string(value, report)
                if isinstance(value, str)
                else spec.number(value, report, precision)
            )
        used += 1
    if used < len(values):
        extra = len(values) - used
        report.error(f"STRFMT: {extra} unformatted argument{'s' * (extra > 1)}")
    elif used > len(values):
        report.error(
            f"STRFMT: Not enough arguments for format spec (expected {used}, got {len(values)})"
        )
    return "".join(pieces)
