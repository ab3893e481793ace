"""Character maps."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.values import ValueParser


def _charmap(parser: ValueParser, asm: Assembly) -> None:
    mapping = parser.name("CHARACTER") if parser.kind == "CHARACTER" else parser.string()
    parser.expect(",")
    values = [parser.constant()]
    while parser.accept(",") and not parser.at_end:
        values.append(parser.constant())
    parser.end_of_statement()
    asm.charmaps.add(mapping, values)


def _newcharmap(parser: ValueParser, asm: Assembly) -> None:
    name = parser.name("SYMBOL")
    base = parser.name("SYMBOL") if parser.accept(",") else None
    parser.end_of_statement()
    asm.charmaps.new(name, base)


def _setcharmap(parser: ValueParser, asm: Assembly) -> None:
    asm.charmaps.set(parser.name("SYMBOL"))


def _pushc(parser: ValueParser, asm: Assembly) -> None:
    name = None if parser.at_end else parser.name("SYMBOL")
    parser.end_of_statement()
    asm.charmaps.push()
    if name is not None:
        asm.charmaps.set(name)


def _popc(parser: ValueParser, asm: Assembly) -> None:
    asm.charmaps.pop()


DIRECTIVES = {
    "CHARMAP": _charmap,
    "NEWCHARMAP": _newcharmap,
    "SETCHARMAP": _setcharmap,
    "PUSHC": _pushc,
    "POPC": _popc,
}
