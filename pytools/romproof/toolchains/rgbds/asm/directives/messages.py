"""PRINT, WARN, FAIL and assertions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from romproof.toolchains.rgbds.asm.characters import printable
from romproof.toolchains.rgbds.obj.model import AssertionKind

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.parser import Parser

_KINDS = {"WARN": AssertionKind.WARN, "FAIL": AssertionKind.ERROR, "FATAL": AssertionKind.FATAL}


def _print(parser: Parser) -> None:
    out = parser.asm.options.out
    while True:
        value = parser.values.value()
        parser.end_of_item()
        if isinstance(value, str):
            out(printable(value))
        else:
            out(f"${parser.asm.expressions.constant(value) & 0xFFFF_FFFF:X}")
        if not parser.accept(",") or parser.at_end:
            return


def _println(parser: Parser) -> None:
    if not parser.at_end:
        _print(parser)
    parser.asm.options.out("\n")


def _fail(parser: Parser) -> None:
    message = parser.string()
    parser.end_of_statement()
    parser.asm.report.fatal(message)


def _warn(parser: Parser) -> None:
    message = parser.string()
    parser.end_of_statement()
    parser.asm.report.warning("user", message)


def _kind(parser: Parser) -> AssertionKind:
    word = parser.accept(*_KINDS)
    if word is None:
        return AssertionKind.ERROR
    parser.expect(",")
    return _KINDS[word[0]]


def _assert(parser: Parser) -> None:
    kind = _kind(parser)
    condition = parser.expression()
    message = parser.string() if parser.accept(",") else ""
    parser.end_of_statement()
    if condition.value is None:
        parser.asm.assert_later(kind, condition, message)
    elif condition.value == 0:
        _failed(parser, kind, message)


def _static_assert(parser: Parser) -> None:
    kind = _kind(parser)
    condition = parser.constant()
    message = parser.string() if parser.accept(",") else ""
    parser.end_of_statement()
    if condition == 0:
        _failed(parser, kind, message)


def _failed(parser: Parser, kind: AssertionKind, message: str) -> None:
    report = parser.asm.report
    text = "Assertion failed" + (f": {message}" if message else "")
    if kind is AssertionKind.WARN:
        report.warning("assert", text)
    elif kind is AssertionKind.ERROR:
        report.error(text)
    else:
        report.fatal(text)


DIRECTIVES = {
    "PRINT": _print,
    "PRINTLN": _println,
    "FAIL": _fail,
    "WARN": _warn,
    "ASSERT": _assert,
    "STATIC_ASSERT": _static_assert,
}
