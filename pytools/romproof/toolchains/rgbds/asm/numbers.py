"""Numbers as sources write them: read digit by digit, since digits may come from expansions."""

from __future__ import annotations

from collections.abc import Callable

from romproof.text.numbers import whole
from romproof.toolchains.rgbds.asm.characters import DIGITS, HEX_DIGITS
from romproof.toolchains.rgbds.asm.reader import Reader
from romproof.toolchains.rgbds.asm.report import Reporter

_MAX = 0xFFFF_FFFF
_PIXELS = 8


def number(reader: Reader, base: int, first: str, prefix: str = "") -> int:
    """A whole number, 32 bits without sign, whose digit ``first`` (or "") has been read.

    ``prefix`` is what precedes it, for messages.
    """
    digit_value = _binary_digit(reader) if base == 2 else _DIGIT_VALUES[base]
    report = reader.report
    value, empty, separator = (int(first), False, False) if first else (0, True, False)
    char = reader.peek()
    while True:
        if char == "_":
            _check_separator(report, separator, "integer")
            separator = True
        else:
            digit = digit_value(char)
            if digit is None:
                break
            empty = separator = False
            if value > (_MAX - digit) // base:
                report.warning("large-constant", "Integer constant is too large")
                while char == "_" or digit_value(char) is not None:
                    char = reader.next()
                return 0
            value = value * base + digit
        char = reader.next()
    _check_end(report, empty, prefix, separator, "integer")
    return value


def _hex_digit(char: str) -> int | None:
    return int(char, 16) if char and char in HEX_DIGITS else None


def _decimal_digit(char: str) -> int | None:
    return int(char) if char and char in DIGITS else None


def _octal_digit(char: str) -> int | None:
    return int(char) if char and char in "01234567" else None


_DIGIT_VALUES: dict[int, Callable[[str], int | None]] = {
    8: _octal_digit,
    10: _decimal_digit,
    16: _hex_digit,
}


def _binary_digit(reader: Reader) -> Callable[[str], int | None]:
    zero, one = tuple(reader.settings.binary_digits)

    def value(char: str) -> int | None:
        if char in ("1", one):
            return 1
        return 0 if char in ("0", zero) else None

    return value


def is_binary_digit(reader: Reader, char: str) -> bool:
    """Whether a character is a digit of binary numbers at the moment (-b, OPT b)."""
    return _binary_digit(reader)(char) is not None


def decimal(reader: Reader, first: str) -> int:
    """A decimal number, or a fixed-point one if a point follows."""
    whole = number(reader, 10, first)
    if reader.peek() != ".":
        return whole
    reader.shift()
    return _read_fixed_point(reader, whole)


def _read_fixed_point(reader: Reader, whole: int) -> int:
    report, settings = reader.report, reader.settings
    dividend, divisor, separator = _fraction(reader)
    precision = settings.precision
    char = reader.peek()
    if char in ("q", "Q"):
        reader.shift()
        precision = _precision(reader)
    else:
        _check_end(report, False, "", separator, "fixed-point")
    if not 1 <= precision <= 31:
        report.error("Fixed-point constant precision must be between 1 and 31")
        precision = settings.precision
    if whole >= 1 << (32 - precision):
        report.warning("large-constant", "Magnitude of fixed-point constant is too large")
        return 0
    # half away from zero, in floating point: as the original rounds
    fraction = int(dividend / divisor * (1 << precision) + 0.5)
    return (whole << precision | fraction) & _MAX


def _fraction(reader: Reader) -> tuple[int, int, bool]:
    """Digits behind the point as a fraction, and whether the last was a separator."""
    report = reader.report
    dividend, divisor, separator = 0, 1, False
    char = reader.peek()
    if char == "_":
        report.error("Invalid fixed-point constant, '_' after '.'")
    while True:
        if char == "_":
            _check_separator(report, separator, "fixed-point")
            separator = True
        elif char and char in DIGITS:
            separator = False
            if dividend > (_MAX - int(char)) // 10 or divisor > _MAX // 10:
                report.warning(
                    "large-constant", "Fixed-point constant has too many fractional digits"
                )
                last = char
                while char and (char in DIGITS or char == "_"):
                    last, char = char, reader.next()
                return dividend, divisor, last == "_"
            dividend, divisor = dividend * 10 + int(char), divisor * 10
        else:
            return dividend, divisor, separator
        char = reader.next()


def _precision(reader: Reader) -> int:
    """The number behind ``q``: a point is allowed before it, separators are not."""
    if reader.peek() == ".":
        reader.shift()
    text, char = "", reader.peek()
    while char and char in DIGITS:
        text += char
        char = reader.next()
    if not text:
        reader.report.error("Invalid fixed-point constant, no digits after 'q'")
        return reader.settings.precision
    return min(whole(text), 255)


def graphics(reader: Reader) -> int:
    """Up to eight pixels of four shades as the two bytes of a tile's row."""
    report, digits = reader.report, reader.settings.gfx_digits
    low = high = width = 0
    separator = False
    char = reader.peek()
    while True:
        if char == "_":
            _check_separator(report, separator, "integer")
            separator = True
        else:
            shade = "0123".find(char) if char else -1
            if shade < 0 and char:
                shade = digits.find(char)
            if shade < 0:
                break
            separator = False
            if width < _PIXELS:
                low, high = low << 1 | shade & 1, high << 1 | shade >> 1
            width = min(width + 1, _PIXELS + 1)
        char = reader.next()
    _check_end(report, width == 0, "'`'", separator, "graphics")
    if width > _PIXELS:
        report.warning(
            "large-constant",
            "Graphics constant has too many digits; only first 8 pixels considered",
        )
    return high << 8 | low


def _check_separator(report: Reporter, before: bool, kind: str) -> None:
    if before:
        report.error(f"Invalid {kind} constant, '_' after another '_'")


def _check_end(report: Reporter, empty: bool, prefix: str, separator: bool, kind: str) -> None:
    if empty:
        report.error(f"Invalid {kind} constant, no digits after {prefix}")
    if separator:
        report.error(f"Invalid {kind} constant, trailing '_'")
