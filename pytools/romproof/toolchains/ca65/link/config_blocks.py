"""The entries of the blocks of a linker configuration, one function each."""

from __future__ import annotations

from romproof.program.address_size import AddressSize
from romproof.text.span import Span
from romproof.toolchains.ca65.link.config import (
    FileName,
    FileRule,
    Format,
    MemoryArea,
    SegmentKind,
    SegmentRule,
    SymbolKind,
    SymbolRule,
    TableRule,
)
from romproof.toolchains.ca65.link.config_lexer import ConfigKind
from romproof.toolchains.ca65.link.config_reader import ConfigAttributes, ConfigReader, SyntaxFault

MAX_TABLE_TYPE = 6
"""Types of constructor tables are numbered 0..6 (cc65's object format)."""

_FORMATS = {
    "BIN": Format.BINARY,
    "BINARY": Format.BINARY,
    "O65": Format.O65,
    "ATARI": Format.ATARI,
}
_ADDRESS_SIZES = {
    "ABS": AddressSize.ABSOLUTE,
    "ABSOLUTE": AddressSize.ABSOLUTE,
    "NEAR": AddressSize.ABSOLUTE,
    "ZP": AddressSize.ZEROPAGE,
    "ZEROPAGE": AddressSize.ZEROPAGE,
    "DIRECT": AddressSize.ZEROPAGE,
    "FAR": AddressSize.FAR,
    "LONG": AddressSize.LONG,
    "DWORD": AddressSize.LONG,
}
_TABLE_TYPES = {"CONSTRUCTOR": 0, "DESTRUCTOR": 1, "INTERRUPTOR": 2}
_OPERATING_SYSTEMS = ("LUNIX", "OSA65", "CC65", "OPENCBM")


def _require(
    reader: ConfigReader, attributes: ConfigAttributes, names: tuple[str, ...], span: Span
) -> None:
    """Report attributes that an entry cannot do without. Raises SyntaxFault."""
    absent = [name for name in names if name not in attributes.values]
    for name in absent:
        reader.diagnostics.error(f"{name} attribute is missing", span)
    if absent:
        raise SyntaxFault


def parse_area(reader: ConfigReader) -> MemoryArea:
    """``NAME: start = .., size = .. ..``. Raises SyntaxFault."""
    name = reader.name("the name of a memory area")
    reader.expect(":", "after the name of the memory area")
    attributes = reader.attributes(
        {
            "START": reader.number,
            "SIZE": reader.number,
            "TYPE": reader.one_of(("RO", "RW"), "a type of memory"),
            "FILE": reader.file,
            "FILL": reader.boolean,
            "FILLVAL": reader.number,
            "DEFINE": reader.boolean,
            "BANK": reader.number,
        }
    )
    _require(reader, attributes, ("START", "SIZE"), name.span)
    start, size = attributes.number("START"), attributes.number("SIZE")
    assert start is not None and size is not None  # noqa: PT018 - just required
    return MemoryArea(
        name=name.text,
        start=start,
        size=size,
        writable=attributes.word("TYPE") != "RO",
        file=attributes.file("FILE") or FileName((None,)),
        fill=attributes.flag("FILL"),
        fill_value=attributes.number("FILLVAL"),
        define=attributes.flag("DEFINE"),
        bank=attributes.number("BANK"),
        span=name.span,
    )


def _area_name(reader: ConfigReader) -> str:
    if reader.token.file is not None:
        return "".join(part or "" for part in reader.file().parts)
    return reader.name("the name of a memory area").text


def parse_segment(reader: ConfigReader) -> SegmentRule:
    """``NAME: load = AREA, type = ..``. Raises SyntaxFault."""
    name = reader.name("the name of a segment")
    reader.expect(":", "after the name of the segment")
    types = {kind.value.upper(): kind for kind in SegmentKind}

    def area() -> str:
        return _area_name(reader)

    attributes = reader.attributes(
        {
            "LOAD": area,
            "RUN": area,
            "TYPE": reader.one_of(tuple(types), "a type of segment"),
            "ALIGN": reader.number,
            "ALIGN_LOAD": reader.number,
            "START": reader.number,
            "OFFSET": reader.number,
            "FILLVAL": reader.number,
            "DEFINE": reader.boolean,
            "OPTIONAL": reader.boolean,
        }
    )
    _require(reader, attributes, ("LOAD",), name.span)
    placing = [word for word in ("ALIGN", "START", "OFFSET") if word in attributes.values]
    if len(placing) > 1:
        reader.diagnostics.error(
            f"segment '{name.text}' has {' and '.join(placing)}; only one of them is possible",
            attributes.places[placing[1]],
        )
    load = attributes.word("LOAD") or ""
    return SegmentRule(
        name=name.text,
        load=load,
        run=attributes.word("RUN") or load,
        kind=types[attributes.word("TYPE") or "RW"],
        align=attributes.number("ALIGN"),
        align_load=attributes.number("ALIGN_LOAD"),
        start=attributes.number("START"),
        offset=attributes.number("OFFSET"),
        fill_value=attributes.number("FILLVAL"),
        define=attributes.flag("DEFINE"),
        optional=attributes.flag("OPTIONAL"),
        span=name.span,
    )


def parse_file(reader: ConfigReader) -> FileRule:
    """``"name": format = bin``. Raises SyntaxFault."""
    span = reader.token.span
    name = reader.file()
    reader.expect(":", "after the file name")
    formats = reader.one_of(tuple(_FORMATS), "a file format")
    attributes = reader.attributes({"FORMAT": formats})
    return FileRule(name, _FORMATS[attributes.word("FORMAT") or "BIN"], span)


def parse_symbol(reader: ConfigReader) -> SymbolRule:
    """``name: type = export, value = ..``. Raises SyntaxFault."""
    name = reader.name("the name of a symbol")
    reader.expect(":", "after the name of the symbol")
    kinds = [kind.value.upper() for kind in SymbolKind]
    attributes = reader.attributes(
        {
            "ADDRSIZE": reader.one_of(tuple(_ADDRESS_SIZES), "an address size"),
            "TYPE": reader.one_of(kinds, "a type of symbol"),
            "VALUE": reader.number,
        }
    )
    _require(reader, attributes, ("TYPE",), name.span)
    kind = SymbolKind((attributes.word("TYPE") or "").lower())
    if kind is not SymbolKind.IMPORT:
        _require(reader, attributes, ("VALUE",), name.span)
    elif "VALUE" in attributes.values:
        reader.diagnostics.error("an imported symbol has no value of its own", name.span)
    size = _ADDRESS_SIZES[attributes.word("ADDRSIZE") or "ABS"]
    return SymbolRule(name.text, kind, attributes.number("VALUE"), size, name.span)


def parse_feature(reader: ConfigReader) -> TableRule | None:
    """``CONDES: ..``, or ``STARTADDRESS: ..``, which is stored for the ``%S`` that follow."""
    span = reader.token.span
    feature = reader.keyword(("CONDES", "STARTADDRESS"), "a feature")
    reader.expect(":", "after the feature")
    if feature == "STARTADDRESS":
        attributes = reader.attributes({"DEFAULT": reader.number})
        _require(reader, attributes, ("DEFAULT",), span)
        reader.start_address = attributes.number("DEFAULT")
        return None
    return _table(reader, span)


def _table(reader: ConfigReader, span: Span) -> TableRule:
    def symbol() -> str:
        return reader.name("a name").text

    def table_type() -> int:
        if not reader.at(ConfigKind.NUMBER):
            return _TABLE_TYPES[reader.keyword(_TABLE_TYPES, "a type of table")]
        if reader.token.number > MAX_TABLE_TYPE:
            raise reader.fault(f"types of tables are numbered 0 to {MAX_TABLE_TYPE}")
        return reader.advance().number

    attributes = reader.attributes(
        {
            "TYPE": table_type,
            "LABEL": symbol,
            "SEGMENT": symbol,
            "COUNT": symbol,
            "IMPORT": symbol,
            "ORDER": reader.one_of(("INCREASING", "DECREASING"), "an order"),
        }
    )
    _require(reader, attributes, ("SEGMENT", "LABEL", "TYPE"), span)
    number = attributes.values["TYPE"]
    assert isinstance(number, int)
    return TableRule(
        type=int(number),
        label=attributes.word("LABEL") or "",
        segment=attributes.word("SEGMENT") or "",
        count=attributes.word("COUNT"),
        decreasing=attributes.word("ORDER") == "DECREASING",
        forced=attributes.word("IMPORT"),
        span=span,
    )


def parse_format(reader: ConfigReader) -> None:
    """``O65: os = ..``: understood and without effect, as only plain files are written."""
    span = reader.token.span
    name = reader.keyword(_FORMATS, "a file format")
    reader.expect(":", "after the format")
    if name == "O65":
        _o65(reader, span)
    elif name == "ATARI":
        _atari(reader)


def _o65(reader: ConfigReader, span: Span) -> None:
    """o65 options; EXPORT and IMPORT may occur several times."""
    once: set[str] = set()
    while reader.at(ConfigKind.NAME):
        place = reader.token.span
        word = reader.keyword(
            ("EXPORT", "IMPORT", "TYPE", "OS", "ID", "VERSION"), "an attribute of o65"
        )
        reader.accept("=")
        if word in once:
            reader.diagnostics.error(f"{word} is already defined", place)
        if word in ("EXPORT", "IMPORT"):
            reader.name("the name of a symbol")
        else:
            once.add(word)
            if word == "TYPE":
                reader.keyword(("SMALL", "LARGE"), "an o65 model")
            elif word == "OS" and not reader.at(ConfigKind.NUMBER):
                reader.keyword(_OPERATING_SYSTEMS, "an operating system")
            else:
                reader.number()
        reader.accept(",")
    if "OS" not in once:
        reader.diagnostics.error("OS attribute is missing", span)


def _atari(reader: ConfigReader) -> None:
    """Atari executables: RUNAD = symbol, INITAD = area : symbol."""
    while reader.at(ConfigKind.NAME):
        word = reader.keyword(("RUNAD", "INITAD"), "an attribute of atari")
        reader.accept("=")
        reader.name("a name")
        if word == "INITAD":
            reader.expect(":", "after the memory area")
            reader.name("the name of a symbol")
        reader.accept(",")
