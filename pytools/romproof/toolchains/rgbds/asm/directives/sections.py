"""Sections: declaring, saving, aligning, LOAD blocks and unions."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.keywords import SECTION_TYPES
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.asm.section import Attributes
from romproof.toolchains.rgbds.asm.values import ValueParser
from romproof.toolchains.rgbds.obj.model import Modifier
from romproof.toolchains.rgbds.obj.types import SectionType

_Declared = tuple[str, SectionType, Attributes, Modifier]


def alignment(parser: ValueParser, report: Reporter) -> tuple[int, int]:
    """Bits, and their value; (0, 0) after an error."""
    bits = parser.count()
    offset = parser.constant() if parser.accept(",") else 0
    if bits > 16:
        report.error(f"Alignment must be between 0 and 16, not {bits}")
        return 0, 0
    size = 1 << bits
    if not -size < offset < size:
        report.error(
            f"The absolute alignment offset ({abs(offset)}) must be less than "
            f"alignment size ({size})"
        )
        return 0, 0
    return bits, offset % size


def _declaration(parser: ValueParser, asm: Assembly) -> _Declared:
    modifier = Modifier.NORMAL
    if parser.kind in ("UNION", "FRAGMENT"):
        modifier = Modifier[parser.next()[0]]
    name = parser.string()
    parser.expect(",")
    kind = SectionType[parser.expect(*sorted(SECTION_TYPES))[0]]
    address = None
    if parser.accept("["):
        address = parser.count()
        parser.expect("]")
        if address > 0xFFFF:
            asm.report.error(f"Address ${address:x} is not 16-bit")
            address = None
    bank, aligned = None, (0, 0)
    while parser.accept(","):
        word = parser.expect("ALIGN", "BANK")[0]
        parser.expect("[")
        if word == "ALIGN":
            aligned = alignment(parser, asm.report)
        else:
            bank = parser.count()
        parser.expect("]")
    parser.end_of_statement()
    return name, kind, Attributes(address, bank, *aligned), modifier


def _section(parser: ValueParser, asm: Assembly) -> None:
    asm.sections.declare(*_declaration(parser, asm))


def _load(parser: ValueParser, asm: Assembly) -> None:
    asm.sections.begin_load(*_declaration(parser, asm))


def _endl(parser: ValueParser, asm: Assembly) -> None:
    asm.sections.end_load()


def _endsection(parser: ValueParser, asm: Assembly) -> None:
    asm.sections.end_section()


def _pushs(parser: ValueParser, asm: Assembly) -> None:
    declared = None if parser.at_end else _declaration(parser, asm)
    asm.sections.push()
    if declared is not None:
        asm.sections.declare(*declared)


def _pops(parser: ValueParser, asm: Assembly) -> None:
    asm.sections.pop()


def _align(parser: ValueParser, asm: Assembly) -> None:
    wanted = alignment(parser, asm.report)
    parser.end_of_statement()
    asm.sections.align(*wanted)


def _union(parser: ValueParser, asm: Assembly) -> None:
    asm.sections.begin_union()


def _nextu(parser: ValueParser, asm: Assembly) -> None:
    asm.sections.next_member()


def _endu(parser: ValueParser, asm: Assembly) -> None:
    asm.sections.end_union()


DIRECTIVES = {
    "SECTION": _section,
    "LOAD": _load,
    "ENDL": _endl,
    "ENDSECTION": _endsection,
    "PUSHS": _pushs,
    "POPS": _pops,
    "ALIGN": _align,
    "UNION": _union,
    "NEXTU": _nextu,
    "ENDU": _endu,
}
