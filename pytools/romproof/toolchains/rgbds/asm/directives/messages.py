"""PRINT, WARN, FAIL and assertions."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.characters import printable
from romproof.toolchains.rgbds.asm.values import ValueParser
from romproof.toolchains.rgbds.obj.model import AssertionKind

_KINDS = {"WARN": AssertionKind.WARN, "FAIL": AssertionKind.ERROR, "FATAL": AssertionKind.FATAL}


def _print(parser: ValueParser, asm: Assembly) -> None:
    out = asm.options.out
    while True:
        value = parser.value()
        parser.end_of_item()
        if isinstance(value, str):
            out(printable(value))
        else:
            out(f"${asm.expressions.constant(value) & 0xFFFF_FFFF:X}")
        if not parser.accept(",") or parser.at_end:
            return


def _println(parser: ValueParser, asm: Assembly) -> None:
    if not parser.at_end:
        _print(parser, asm)
    asm.options.out("\n")


def _fail(parser: ValueParser, asm: Assembly) -> None:
    message = parser.string()
    parser.end_of_statement()
    asm.report.fatal(message)


def _warn(parser: ValueParser, asm: Assembly) -> None:
    message = parser.string()
    parser.end_of_statement()
    asm.report.warning("user", message)


def _kind(parser: ValueParser) -> AssertionKind:
    word = parser.accept(*_KINDS)
    if word is None:
        return AssertionKind.ERROR
    parser.expect(",")
    return _KINDS[word[0]]


def _assert(parser: ValueParser, asm: Assembly) -> None:
    kind = _kind(parser)
    condition = parser.expression()
    message = parser.string() if parser.accept(",") else ""
    parser.end_of_statement()
    if condition.value is None:
        asm.assertions.add(kind, condition, message)
    elif condition.value == 0:
        _report_failure(parser, asm, kind, message)


def _static_assert(parser: ValueParser, asm: Assembly) -> None:
    kind = _kind(parser)
    condition = parser.constant()
    message = parser.string() if parser.accept(",") else ""
    parser.end_of_statement()
    if condition == 0:
        _report_failure(parser, asm, kind, message)


def _report_failure(parser: ValueParser, asm: Assembly, kind: AssertionKind, message: str) -> None:
    report = asm.report
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
