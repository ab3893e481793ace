"""Character maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.parser import Parser


def _charmap(parser: Parser) -> None:
    mapping = parser.name("CHARACTER") if parser.kind == "CHARACTER" else parser.string()
    parser.expect(",")
    values = [parser.constant()]
    while parser.accept(",") and not parser.at_end:
        values.append(parser.constant())
    parser.end_of_statement()
    parser.asm.charmaps.add(mapping, values)


def _newcharmap(parser: Parser) -> None:
    name = parser.name("SYMBOL")
    base = parser.name("SYMBOL") if parser.accept(",") else None
    parser.end_of_statement()
    parser.asm.charmaps.new(name, base)


def _setcharmap(parser: Parser) -> None:
    parser.asm.charmaps.set(parser.name("SYMBOL"))


def _pushc(parser: Parser) -> None:
    name = None if parser.at_end else parser.name("SYMBOL")
    parser.end_of_statement()
    parser.asm.charmaps.push()
    if name is not None:
        parser.asm.charmaps.set(name)


def _popc(parser: Parser) -> None:
    parser.asm.charmaps.pop()


DIRECTIVES = {
    "CHARMAP": _charmap,
    "NEWCHARMAP": _newcharmap,
    "SETCHARMAP": _setcharmap,
    "PUSHC": _pushc,
    "POPC": _popc,
}
