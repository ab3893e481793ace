"""DB, DW, DL and DS."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from romproof.toolchains.rgbds.asm.directives.sections import alignment
from romproof.toolchains.rgbds.asm.expression import Expression

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.parser import Parser


def _ends(parser: Parser) -> bool:
    return parser.at_end or parser.kind == "::"


def _units(word: str, size: int) -> Callable[[Parser], None]:
    """The directive that writes numbers of ``size`` bytes."""

    def directive(parser: Parser) -> None:
        sections = parser.asm.sections
        if _ends(parser):
            sections.skip(size, word)
            return
        while True:
            if size == 2 and parser.kind == "[[":
                value: Expression | str = parser.fragment()
            else:
                value = parser.values.value()
            parser.end_of_item("::")
            if isinstance(value, str):
                sections.write_units(parser.asm.charmaps.convert(value), size)
            else:
                if size < 4:
                    parser.asm.expressions.check_bits(value, 8 * size)
                sections.write_value(value, size)
            if not parser.accept(",") or _ends(parser):
                return

    return directive


def _ds(parser: Parser) -> None:
    sections = parser.asm.sections
    wanted = None
    if parser.accept("ALIGN"):
        parser.expect("[")
        wanted = alignment(parser)
        parser.expect("]")
        count = sections.bytes_to_align(*wanted)
    else:
        count = parser.count()
    values: list[Expression] = []
    while parser.accept(",") and not _ends(parser):
        value = parser.expression()
        parser.end_of_item("::")
        parser.asm.expressions.check_bits(value, 8)
        values.append(value)
    parser.end_of_statement("::")
    if values:
        sections.write_repeated(count, values)
    else:
        sections.skip(count)
    if wanted is not None:
        sections.align(*wanted)


DIRECTIVES = {
    "DB": _units("DB", 1),
    "DW": _units("DW", 2),
    "DL": _units("DL", 4),
    "DS": _ds,
}
