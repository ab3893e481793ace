"""The options that a source may change, and those that PUSHO puts aside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from romproof.toolchains.rgbds.asm.characters import show_char
from romproof.toolchains.rgbds.asm.options import RgbdsOptions
from romproof.toolchains.rgbds.asm.report import Reporter


@dataclass(slots=True)
class Settings:
    """The options that a source may change."""

    binary_digits: str
    gfx_digits: str
    pad: int
    precision: int
    recursion_depth: int

    @classmethod
    def of(cls, options: RgbdsOptions) -> Self:
        """What the command line says."""
        return cls(
            options.binary_digits,
            options.gfx_digits,
            options.pad,
            options.precision,
            options.recursion_depth,
        )

    def copy(self) -> Settings:
        """The same settings, to be changed on their own."""
        return Settings(
            self.binary_digits, self.gfx_digits, self.pad, self.precision, self.recursion_depth
        )

    def take_over(self, other: Settings) -> None:
        """Have the values of others."""
        self.binary_digits, self.gfx_digits = other.binary_digits, other.gfx_digits
        self.pad, self.precision = other.pad, other.precision
        self.recursion_depth = other.recursion_depth

    def set_digits(self, option: str, digits: str, report: Reporter) -> None:
        """Other digits for binary (``b``) or graphics (``g``) constants."""
        fault = digits_fault(digits, "binary" if option == "b" else "graphics")
        if fault is not None:
            report.error(fault)
        elif option == "b":
            self.binary_digits = digits
        else:
            self.gfx_digits = digits


def digits_fault(digits: str, kind: str) -> str | None:
    """What is wrong with the characters that denote digits (-b, -g), or None."""
    for place, char in enumerate(digits):
        if not (char.isascii() and char.isalnum()) and char not in ".#@":
            return f"Invalid digit for {kind} constant {show_char(char)}"
        if "0" <= char < chr(ord("0") + len(digits)) and char != str(place):
            return f"Changed digit for {kind} constant {show_char(char)}"
        if char in digits[place + 1 :]:
            return f"Repeated digit for {kind} constant {show_char(char)}"
    return None
