"""What od65 2.19 says of an object file, in its words and columns (its dump.c)."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterable, Iterator

from romproof.toolchains.ca65.obj import tables as raw

_ADDRESS_SIZES = ("default", "zeropage", "absolute", "far", "long")
_OPTIONS = {
    raw.OPTION_COMMENT: "OPT_COMMENT",
    raw.OPTION_AUTHOR: "OPT_AUTHOR",
    raw.OPTION_TRANSLATOR: "OPT_TRANSLATOR",
    raw.OPTION_COMPILER: "OPT_COMPILER",
    raw.OPTION_SYSTEM: "OPT_OS",
    raw.OPTION_TIME: "OPT_DATETIME",
}
_SCOPES = ("Global scope", "File scope", ".SCOPE or .PROC", ".STRUCT", ".ENUM")
_HEADER = (
    "Options",
    "Files",
    "Segments",
    "Imports",
    "Exports",
    "Debug symbols",
    "Line infos",
    "String pool",
    "Assertions",
    "Scopes",
)
"""What the header has, but for spans, of which od65 does not know."""


def _quote(label: str, text: str) -> str:
    """A name in a column of 24, in quotes; a longer one is followed by as many blanks."""
    cut = text.partition("\0")[0]
    room = 24 - len(raw.bytes_of(cut))
    return f'      {label}:{" " * abs(room)}"{cut}"\n'


def _address_size(size: int) -> str:
    name = _ADDRESS_SIZES[size] if size < len(_ADDRESS_SIZES) else "unknown"
    return f"      Address size:{' ' * 14}0x{size:02X}  ({name})\n"


def _time(seconds: int) -> str:
    return time.asctime(time.localtime(seconds))


def _rows(title: str, rows: Iterable[str]) -> str:
    shown = [f"    Index:{number:>27}\n{row}" for number, row in enumerate(rows)]
    return f"  {title}:\n    Count:{len(shown):>27}\n{''.join(shown)}"


def dump_header(data: bytes, tables: raw.ObjectFile) -> str:
    """Offsets and sizes, in bytes, of the tables in the file's ``data``."""
    numbers = struct.unpack("<IHH20I", data[: 8 + 8 * len(_HEADER)])
    magic, version, flags = numbers[:3]
    shown = "OBJ_FLAGS_DBGINFO" if flags & raw.DEBUG_FLAG else ""
    text = f"  Header:\n    Magic:{' ' * 17}0x{magic:08X}\n    Version:{version:>25}\n"
    text += f"    Flags:{' ' * 21}0x{flags:04X}  ({shown})\n"
    for name, offset, size in zip(_HEADER, numbers[3::2], numbers[4::2], strict=True):
        text += f"    {name}:\n      Offset:{offset:>24}\n      Size:  {size:>24}\n"
    return text


def dump_options(data: bytes, tables: raw.ObjectFile) -> str:
    """What is said of the module."""

    def rows() -> Iterator[str]:
        for option in tables.options:
            name = _OPTIONS.get(option.type, "OPT_UNKNOWN")
            row = f"      Type:{' ' * 22}0x{option.type:02X}  ({name})\n"
            if isinstance(option.value, str):
                yield row + _quote("Data", option.value)
            else:
                when = f"  ({_time(option.value)})" if option.type == raw.OPTION_TIME else ""
                yield f"{row}      Data:{option.value:>26}{when}\n"

    return _rows("Options", rows())


def dump_files(data: bytes, tables: raw.ObjectFile) -> str:
    """The sources."""
    return _rows(
        "Files",
        (
            _quote("Name", file.name)
            + f"      Size:{file.size:>26}\n"
            + f"      Modification time:{file.time:>13}  ({_time(file.time)})\n"
            for file in tables.files
        ),
    )


def dump_segments(data: bytes, tables: raw.ObjectFile) -> str:
    """The segments, without what is in them."""
    return _rows(
        "Segments",
        (
            _quote("Name", segment.name)
            + f"      Flags:{segment.flags:>25}\n      Size:{segment.size:>26}\n"
            + f"      Alignment:{segment.alignment:>21}\n"
            + _address_size(segment.address_size)
            + f"      Fragment count:{len(segment.fragments):>16}\n"
            for segment in tables.segments
        ),
    )


def dump_imports(data: bytes, tables: raw.ObjectFile) -> str:
    """The symbols of other modules."""
    return _rows(
        "Imports",
        (_address_size(row.address_size) + _quote("Name", row.name) for row in tables.imports),
    )


def _flags(flags: int, condes: Iterable[int] = ()) -> str:
    words = ["SYM_CHEAP_LOCAL" if flags & raw.IS_CHEAP_LOCAL else "SYM_STD"]
    words.append("SYM_LABEL" if flags & raw.IS_LABEL else "SYM_EQUATE")
    words.append("SYM_EXPR" if flags & raw.IS_EXPRESSION else "SYM_CONST")
    if flags & raw.HAS_SIZE:
        words.append("SYM_SIZE")
    tables = ",".join(f"[{entry >> 5},{(entry & 0x1F) + 1}]" for entry in condes)
    if tables:
        words.append(f"SYM_CONDES={tables}")
    return f"      Type:{' ' * 22}0x{flags:02X}  ({','.join(words)})\n"


def _value(value: bytes | int, size: int | None, blanks: int) -> str:
    text = ""
    if isinstance(value, int):
        value &= 0xFFFFFFFF
        text += f"      Value:{' ' * 15}0x{value:08X}  ({value})\n"
    if size is not None:
        text += f"      Size:{' ' * blanks}0x{size:04X}  ({size})\n"
    return text


def dump_exports(data: bytes, tables: raw.ObjectFile) -> str:
    """The symbols for other modules."""
    return _rows(
        "Exports",
        (
            _flags(row.flags, row.condes)
            + _address_size(row.address_size)
            + _quote("Name", row.name)
            + _value(row.value, row.size, 16)
            for row in tables.exports
        ),
    )


def dump_symbols(data: bytes, tables: raw.ObjectFile) -> str:
    """The symbols for debuggers."""

    def rows() -> Iterator[str]:
        for row in tables.symbols if tables.debug else ():
            text = _flags(row.flags) + _address_size(row.address_size)
            text += f"      Owner:{row.owner:>25}\n" + _quote("Name", row.name)
            text += _value(row.value, row.size, 20)
            if row.imported is not None:
                text += f"      Import:{row.imported:>24}\n"
            if row.exported is not None:
                text += f"      Export:{row.exported:>24}\n"
            yield text

    return _rows("Debug symbols", rows())


def dump_lines(data: bytes, tables: raw.ObjectFile) -> str:
    """The lines of the sources."""
    return _rows(
        "Line info",
        (
            f"      Type:{row.type & 3:>26}\n      Count:{row.type >> 2:>25}\n"
            f"      Line:{row.line:>26}\n      Col:{row.column:>27}\n      Name:{row.file:>26}\n"
            for row in (tables.lines if tables.debug else ())
        ),
    )


def dump_scopes(data: bytes, tables: raw.ObjectFile) -> str:
    """The scopes."""

    def rows() -> Iterator[str]:
        for row in tables.scopes if tables.debug else ():
            flags = raw.SCOPE_HAS_SIZE * (row.size is not None)
            flags |= raw.SCOPE_HAS_LABEL * (row.label is not None)
            text = f"      Parent id:{row.parent:>21}\n      Lexical level:{row.level:>17}\n"
            text += f"      Flags:{' ' * 21}0x{flags:02X}\n      Type:{_SCOPES[row.type]:>26}\n"
            text += _quote("Name", row.name)
            if row.size is not None:
                text += f"      Size:{' ' * 20}0x{row.size:04X}  ({row.size})\n"
            if row.label is not None:
                text += f"      Label id:{row.label:>22}\n"
            yield text

    return _rows("Scopes", rows())


def dump_sizes(data: bytes, tables: raw.ObjectFile) -> str:
    """The sizes of the segments, in bytes."""
    text = "  Segment sizes:\n"
    for segment in tables.segments:
        blanks = " " * abs(24 - len(raw.bytes_of(segment.name)))
        text += f"    {segment.name}:{blanks}{segment.size:>6}\n"
    return text


DUMPS: dict[str, Callable[[bytes, raw.ObjectFile], str]] = {
    "header": dump_header,
    "options": dump_options,
    "files": dump_files,
    "segments": dump_segments,
    "imports": dump_imports,
    "exports": dump_exports,
    "dbgsyms": dump_symbols,
    "lineinfo": dump_lines,
    "scopes": dump_scopes,
    "segsize": dump_sizes,
}
"""The words of ``--dump-``, in the order in which od65 has them."""
