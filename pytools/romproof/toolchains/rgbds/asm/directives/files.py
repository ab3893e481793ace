"""INCLUDE and INCBIN."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from romproof.text.reading import read_input
from romproof.toolchains.rgbds.asm.contexts import read_file

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.parser import Parser


def _include(parser: Parser) -> None:
    quiet = parser.accept("?") is not None
    name = parser.string()
    parser.end_of_line()
    path = parser.asm.files.find(name)
    if path is None:
        parser.asm.files.missing(name, "`INCLUDE`", "No such file or directory")
        return
    try:
        file = read_file(path)
    except OSError as fault:
        parser.asm.files.missing(name, "`INCLUDE`", fault.strerror or str(fault))
        return
    parser.asm.contexts.enter_file(file, quiet)


def _incbin(parser: Parser) -> None:
    name = parser.string()
    start, length = 0, None
    if parser.accept(","):
        start = parser.count()
        if parser.accept(","):
            length = parser.count()
    parser.end_of_statement()
    if not parser.asm.sections.require_code() or length == 0:
        return
    data = _contents(parser, name)
    if data is None:
        return
    report = parser.asm.report
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
        sections = parser.asm.sections
        mark = sections.mark()
        sections.write(data[start:end])
        sections.note_line(mark, is_code=False)


def _contents(parser: Parser, name: str) -> bytes | None:
    path: Path | None = parser.asm.files.find(name)
    fault = "No such file or directory"
    if path is not None:
        try:
            return read_input(path)
        except OSError as error:
            fault = error.strerror or str(error)
    parser.asm.files.missing(name, "`INCBIN`", fault)
    return None


DIRECTIVES = {"INCLUDE": _include, "INCBIN": _incbin}
