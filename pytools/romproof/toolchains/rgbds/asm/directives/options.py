"""OPT, PUSHO and POPO: options of the command line, changed by the source."""

from __future__ import annotations

import re

from romproof.text.numbers import whole
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.values import ValueParser


def _opt(parser: ValueParser, asm: Assembly) -> None:
    arguments = parser.raw_arguments()
    if not arguments:
        parser.refuse_token()
    for text in arguments:
        apply(parser, asm, text)


def apply(parser: ValueParser, asm: Assembly, text: str) -> None:
    """One option, its dash left out or not."""
    report = asm.report
    text = text.removeprefix("-")
    option, value = text[:1], text[1:].lstrip(" \t")
    if option in ("b", "g"):
        count = 2 if option == "b" else 4
        if len(value) != count:
            report.error(f"Must specify exactly {count} characters for option '{option}'")
        else:
            asm.settings.set_digits(option, value, report)
    elif option == "W":
        if not value:
            report.error("Must specify an argument for option 'W'")
            return
        complaint = report.warnings.set(value)
        if complaint is not None:
            report.remark(complaint)
    elif option in _NUMBERS:
        _number(parser, asm, option, value)
    else:
        report.error(f"Unknown option '{option}'")


_NUMBERS = {"p": (0, 0xFF, "0 and 0xFF"), "Q": (1, 31, "1 and 31"), "r": (0, None, "")}


def _number(parser: ValueParser, asm: Assembly, option: str, text: str) -> None:
    report = asm.report
    value = parse_number(text.removeprefix(".") if option == "Q" else text)
    least, most, bounds = _NUMBERS[option]
    if value is None:
        report.error(f"Invalid argument for option '{option}'")
    elif value < least or (most is not None and value > most):
        report.error(f"Argument for option '{option}' must be between {bounds}")
    elif option == "p":
        asm.settings.pad = value
    elif option == "Q":
        asm.settings.precision = value
    elif value > _MAX_DEPTH:
        report.error(f"Argument for option '{option}' is out of range")
    else:
        asm.contexts.set_depth(value)


_MAX_DEPTH = (1 << 64) - 1
_BASES = {"0x": 16, "$": 16, "0o": 8, "&": 8, "0b": 2, "%": 2}


def parse_number(text: str) -> int | None:
    """A whole number as options are given: decimal, ``$FF``, ``0xFF``, ``%11``, ``&77``."""
    match = re.fullmatch(r"[ \t]*(0[xX]|0[oO]|0[bB]|[$&%])?([0-9A-Fa-f]+)", text)
    if match is None:
        return None
    try:
        return whole(match[2], _BASES.get((match[1] or "").lower(), 10))
    except ValueError:
        return None


def _pusho(parser: ValueParser, asm: Assembly) -> None:
    asm.option_stack.push()
    for text in parser.raw_arguments():
        apply(parser, asm, text)


def _popo(parser: ValueParser, asm: Assembly) -> None:
    asm.option_stack.pop()


DIRECTIVES = {"OPT": _opt, "PUSHO": _pusho, "POPO": _popo}
