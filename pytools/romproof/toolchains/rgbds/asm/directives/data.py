"""DB, DW, DL and DS."""

from __future__ import annotations

from collections.abc import Callable

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.directives.sections import alignment
from romproof.toolchains.rgbds.asm.model import Expression
from romproof.toolchains.rgbds.asm.values import ValueParser


def _ends(parser: ValueParser) -> bool:
    return parser.at_end or parser.kind == "::"


def _units(word: str, size: int) -> Callable[[ValueParser, Assembly], None]:
    """The directive that writes numbers of ``size`` bytes."""

    def directive(parser: ValueParser, asm: Assembly) -> None:
        sections = asm.sections
        if _ends(parser):
            sections.skip(size, word)
            return
        while True:
            if size == 2 and parser.kind == "[[":
                value: Expression | str = parser.fragment()
            else:
                value = parser.value()
            behind = parser.kind
            if behind != ",":
                parser.end_of_item("::")
            if isinstance(value, str):
                sections.write_units(asm.charmaps.convert(value), size)
            else:
                if size < 4:
                    asm.expressions.check_bits(value, 8 * size)
                sections.write_value(value, size)
            if behind != ",":
                return
            parser.next()
            if _ends(parser):
                return

    return directive


def _ds(parser: ValueParser, asm: Assembly) -> None:
    sections = asm.sections
    wanted = None
    if parser.accept("ALIGN"):
        parser.expect("[")
        wanted = alignment(parser, asm.report)
        parser.expect("]")
        count = sections.bytes_to_align(*wanted)
    else:
        count = parser.count()
    values: list[Expression] = []
    while parser.accept(",") and not _ends(parser):
        value = parser.expression()
        parser.end_of_item("::")
        asm.expressions.check_bits(value, 8)
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
