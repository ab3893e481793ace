"""An image with banks as source for ca65: a segment for each, so that all its bytes come again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from romproof.formats.ines import MAGIC, read_ines
from romproof.program.image import Image
from romproof.report.disassembly import Disassembly, disassemble, format_rows

_IN_A_ROW = 16


@dataclass(frozen=True, slots=True)
class FilePiece:
    """A part of an image's file: ``code`` of an area, or ``data`` that the CPU does not see.

    ``bank`` is the number in the area's name, None where it has none.
    """

    name: str
    start: int
    data: bytes
    bank: int | None = None
    code: Disassembly | None = None


def disassemble_image(image: Image, part: tuple[int, int] | None = None) -> tuple[FilePiece, ...]:
    """The pieces of an image's file in their order; with a ``part`` only what is at its
    addresses, the last included."""
    data = image.files[0].data
    pieces: list[FilePiece] = []
    at = 0
    for block, offset in zip(image.blocks, _offsets(image), strict=True):
        if offset > at and part is None:
            pieces.append(_rest(f"FILE{at:06X}", data[at:offset]))
        at = offset + len(block.data)
        first, code = block.address, block.data
        if part is not None:
            low = max(part[0] - block.address, 0)
            first, code = block.address + low, code[low : max(part[1] + 1 - block.address, 0)]
            if not code:
                continue
        bank = _bank_of(block.area)
        labels = _labels(image, block.area)
        prefix = "L" if bank is None else f"L{bank:02X}_"
        piece = disassemble(code, first, labels, prefix=prefix)
        name = block.area.replace("[", "").replace("]", "")
        pieces.append(FilePiece(name, first, code, bank, piece))
    if at < len(data) and part is None:
        pieces.append(_rest(f"FILE{at:06X}", data[at:]))
    return tuple(pieces)


def _rest(name: str, data: bytes) -> FilePiece:
    return FilePiece(name, 0, data)


def _offsets(image: Image) -> Iterator[int]:
    """Where in the file the blocks are: one after the other, after the header or before the end."""
    data = image.files[0].data
    at = len(data) - sum(len(block.data) for block in image.blocks)
    if data.startswith(MAGIC):
        at = read_ines(data).prg.start
    for block in image.blocks:
        yield at
        at += len(block.data)


def _bank_of(area: str) -> int | None:
    number = area.partition("[")[2].rstrip("]")
    return int(number) if number.isdecimal() else None


def _labels(image: Image, area: str) -> Mapping[int, str]:
    """The names that code of an area may use: its own, and those in RAM."""
    blocks = {block.area for block in image.blocks}
    areas = {segment.name: segment.area for segment in image.segments}
    labels: dict[int, str] = {}
    for symbol in image.symbols:
        where = areas.get(symbol.segment or "")
        if symbol.is_label and (where == area or where not in blocks):
            labels.setdefault(symbol.value, symbol.name)
    return labels


def format_image(pieces: Sequence[FilePiece], title: str) -> str:
    """The pieces as a source file; ``title`` is its first comment. Names are local to a bank."""
    lines = [f"; {title}", "; assembles to the same bytes with this linker configuration:"]
    lines.append("; MEMORY {")
    for piece in pieces:
        size = f"size = ${max(len(piece.data), 1):04X}"
        lines.append(f";   {piece.name}: start = ${piece.start:04X}, {size}, file = %O;")
    lines += ["; }", "; SEGMENTS {"]
    lines += [f";   {piece.name}: load = {piece.name}, type = ro;" for piece in pieces]
    lines += ["; }", "", '.setcpu "6502"']
    for piece in pieces:
        lines += ["", f'.segment "{piece.name}"']
        if piece.code is None:
            lines += _bytes(piece.data)
            continue
        lines += [f".scope {piece.name}"]
        lines += [f"{name} := ${value:04x}" for name, value in piece.code.equates]
        lines += [f".org ${piece.start:04x}", "", *format_rows(piece.code.rows), ".endscope"]
    return "\n".join(lines) + "\n"


def _bytes(data: bytes) -> Iterator[str]:
    for at in range(0, len(data), _IN_A_ROW):
        row = ", ".join(f"${byte:02x}" for byte in data[at : at + _IN_A_ROW])
        yield f"        .byte {row}"
