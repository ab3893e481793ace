"""INCLUDE and INCBIN."""

from __future__ import annotations

from pathlib import Path

from romproof.support.reading import read_input
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.contexts import read_file
from romproof.toolchains.rgbds.asm.values import ValueParser


def _include(parser: ValueParser, asm: Assembly) -> None:
    quiet = parser.accept("?") is not None
    name = parser.string()
    parser.end_of_line()
    path = asm.files.find(name)
    if path is None:
        asm.files.missing(name, "`INCLUDE`", "No such file or directory")
        return
    try:
        file = read_file(path)
    except OSError as fault:
        asm.files.missing(name, "`INCLUDE`", fault.strerror or str(fault))
        return
    asm.contexts.enter_file(file, quiet)


def _incbin(parser: ValueParser, asm: Assembly) -> None:
    name = parser.string()
    start, length = 0, None
    if parser.accept(","):
        start = parser.count()
        if parser.accept(","):
            length = parser.count()
    parser.end_of_statement()
    if not asm.sections.require_code() or length == 0:
        return
    data = _contents(parser, asm, name)
    if data is None:
        return
    report = asm.report
    if start > len(data):
        report.error(
            f'Specified start position ({start}) is greater than length of "{name}" ({len(data)})'
        )
    elif length is not None and start + length > len(data):
        report.error(
            f'Specified range in `INCBIN` file "{name}" is out of bounds '
            f"({start} + {length} > {len(data)})"
        )
    else:
        end = len(data) if length is None else start + length
        sections = asm.sections
        mark = sections.mark()
        sections.write(data[start:end])
        sections.note_line(mark, is_code=False)


def _contents(parser: ValueParser, asm: Assembly, name: str) -> bytes | None:
    path: Path | None = asm.files.find(name)
    fault = "No such file or directory"
    if path is not None:
        try:
            return read_input(path)
        except OSError as error:
            fault = error.strerror or str(error)
    asm.files.missing(name, "`INCBIN`", fault)
    return None


DIRECTIVES = {"INCLUDE": _include, "INCBIN": _incbin}
