"""Small objects made by hand, and short ways to link them."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.program.address_size import AddressSize
from romproof.program.image import Image
from romproof.text.diagnostic import BuildFailed, Diagnostics, Severity
from romproof.text.span import Source, Span
from romproof.toolchains.ca65.link import link, parse_config
from romproof.toolchains.ca65.obj.expr import Expr, Literal, SectionOffset
from romproof.toolchains.ca65.obj.link_symbols import Export, Import, Label
from romproof.toolchains.ca65.obj.object import Assertion, Fixup, Line, Object, Section

ABSOLUTE = AddressSize.ABSOLUTE

ROM = """\
MEMORY {
    ZP:  start = $0000, size = $0100, file = "";
    ROM: start = $8000, size = $0100, file = %O, define = yes;
}
SEGMENTS {
    ZEROPAGE: load = ZP,  type = zp, optional = yes;
    CODE:     load = ROM, type = ro, define = yes, optional = yes;
    RODATA:   load = ROM, type = ro, optional = yes;
}
"""


def span(line: int = 1, name: str = "main.s") -> Span:
    """A place in a source file of ten lines."""
    return Span(Source(name, "\n".join(f"line {n}" for n in range(1, 11))), line, 1, 4)


def section(
    name: str,
    data: bytes = b"",
    fixups: Sequence[tuple[int, int, Expr] | Fixup] = (),
    gaps: Sequence[tuple[int, int]] = (),
    alignment: int = 1,
    address_size: AddressSize = ABSOLUTE,
) -> Section:
    """A section; fixups may be given as (offset, size, expression)."""
    made = tuple(
        fixup if isinstance(fixup, Fixup) else Fixup(*fixup, signed=False, span=span(7))
        for fixup in fixups
    )
    return Section(name, data, made, tuple(gaps), alignment, address_size)


def module(
    *sections: Section,
    name: str = "main.s",
    exports: Sequence[Export] = (),
    imports: Sequence[Import] = (),
    labels: Sequence[Label] = (),
    lines: Sequence[Line] = (),
    assertions: Sequence[Assertion] = (),
    sources: Sequence[Source] = (),
) -> Object:
    """An object of these parts."""
    return Object(
        name,
        "mos6502",
        sections,
        tuple(imports),
        tuple(exports),
        tuple(labels),
        (),
        tuple(lines),
        tuple(assertions),
        tuple(sources),
    )


def export(
    name: str,
    value: Expr | int,
    size: AddressSize = ABSOLUTE,
    condes: tuple[tuple[int, int], ...] = (),
    line: int = 2,
) -> Export:
    """An exported symbol; numbers become literals."""
    expr = Literal(value) if isinstance(value, int) else value
    return Export(name, expr, size, span(line), condes)


def wanted(name: str, size: AddressSize = ABSOLUTE, line: int = 3) -> Import:
    """An imported symbol."""
    return Import(name, size, False, span(line))


def place(section_number: int = 0, offset: int = 0) -> SectionOffset:
    """A place in a section of the same object."""
    return SectionOffset(section_number, offset)


def linked(
    config: str,
    *objects: Object,
    warnings: list[str] | None = None,
    start_address: int | None = None,
    defines: dict[str, int] | None = None,
) -> Image:
    """Link with output name "out"; the texts of warnings go to ``warnings``."""
    diagnostics = Diagnostics()
    image = link(
        objects,
        parse_config(Source("layout.cfg", config), diagnostics),
        output="out",
        start_address=start_address,
        defines=defines,
        diagnostics=diagnostics,
    )
    found = [item.message for item in diagnostics.items if item.severity is Severity.WARNING]
    if warnings is None:
        assert found == []
    else:
        warnings += found
    return image


def failure(config: str, *objects: Object, defines: dict[str, int] | None = None) -> str:
    """The text of the error that linking these must give."""
    try:
        linked(config, *objects, warnings=[], defines=defines)
    except BuildFailed as failed:
        return str(failed)
    raise AssertionError("linking succeeded")


def file(image: Image, name: str = "out") -> bytes:
    """The contents of an output file."""
    return {file.name: file.data for file in image.files}[name]
