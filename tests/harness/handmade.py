"""Small programs for the tests: enough of an assembler to need no other stage.

It knows instructions with numbers and labels, ``label:``, ``.proc``,
``.endproc``, ``.res n`` (bytes that the program starts without), ``.byte``,
``.export`` and ``.segment "CODE"`` or ``"ZEROPAGE"``. Labels in ZEROPAGE must stand before
their use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from romproof.isa.codec import encode, encodings
from romproof.isa.model import Opcode
from romproof.program.address_size import AddressSize
from romproof.program.image import Area, Block, Image, ImageLine, Routine, Segment, Symbol
from romproof.text.span import Source, Span

ZEROPAGE = 0x10
CODE = 0xC000


@dataclass
class _Statement:
    address: int
    segment: str
    span: Span
    opcode: Opcode | None = None
    operand: str = ""
    data: bytes = b""
    size: int = 0


def assemble(text: str, name: str = "prog.s", vectors: bytes = b"") -> Image:
    """The image of a program; ``vectors`` stand at the very end of memory."""
    source = Source(name, text)
    counters = {"CODE": CODE, "ZEROPAGE": ZEROPAGE}
    segment, procs, statements = "CODE", [], []
    labels: dict[str, tuple[int, Span]] = {}
    exported: set[str] = set()
    routines: list[Routine] = []
    for number, line in enumerate(source.lines, 1):
        rest = line.partition(";")[0].strip()
        span = Span(source, number, len(line) - len(line.lstrip()) + 1, max(len(rest), 1))
        if match := re.match(r"(\w+):\s*", rest):
            labels[match[1]] = (counters[segment], span)
            rest = rest[match.end() :]
        word, _, operand = rest.partition(" ")
        operand = operand.strip()
        here = counters[segment]
        if word == ".segment":
            segment = operand.strip('"')
        elif word in (".export", ".exportzp"):
            exported.update(re.findall(r"\w+", operand))
        elif word == ".proc":
            labels[operand] = (here, span)
            procs.append((operand, here, span))
        elif word == ".endproc":
            routine, start, place = procs.pop()
            routines.append(Routine(routine, start, here - start, name, place))
        elif word == ".res":
            statements.append(_Statement(here, segment, span, size=int(operand)))
        elif word == ".byte":
            data = bytes(_number(v.strip(), {}) for v in operand.split(","))
            statements.append(_Statement(here, segment, span, data=data, size=len(data)))
        elif word:
            opcode = _opcode(word, operand, labels)
            statements.append(_Statement(here, segment, span, opcode, operand, size=opcode.size))
        if word and not word.startswith((".seg", ".exp", ".proc", ".end")):
            counters[segment] += statements[-1].size
    values = {label: value for label, (value, _) in labels.items()}
    lines = tuple(_line(s, values) for s in statements)
    code = b"".join(s.data for s in lines if s.segment == "CODE")
    blocks = [Block("ROM", CODE, code, False)]
    if vectors:
        blocks.append(Block("VECTORS", 0x10000 - len(vectors), vectors, False))
    sizes = {s.address: s.size for s in statements if s.opcode is None}
    ends = {r.name: r.size for r in routines}
    return Image(
        cpu="6502",
        files=(),
        blocks=tuple(blocks),
        areas=(
            Area("ZP", 0, 0x100, counters["ZEROPAGE"], True, None),
            Area("ROM", CODE, 0x2000, len(code), False, None),
        ),
        segments=(
            Segment(
                "ZEROPAGE",
                ZEROPAGE,
                ZEROPAGE,
                counters["ZEROPAGE"] - ZEROPAGE,
                1,
                "zp",
                "ZP",
                None,
                0,
                (),
            ),
            Segment("CODE", CODE, CODE, len(code), 1, "ro", "ROM", None, 0, ()),
        ),
        symbols=tuple(
            Symbol(
                label,
                value,
                AddressSize.ZEROPAGE if value < 256 else AddressSize.ABSOLUTE,
                True,
                label in exported,
                ends.get(label, sizes.get(value)),
                name,
                span,
            )
            for label, (value, span) in labels.items()
        ),
        lines=lines,
        routines=tuple(routines),
        sources=(source,),
    )


def with_symbol_size(image: Image, name: str, size: int | None) -> Image:
    """The same image with another size of one symbol."""
    symbols = tuple(replace(s, size=size) if s.name == name else s for s in image.symbols)
    return replace(image, symbols=symbols)


def _opcode(mnemonic: str, operand: str, labels: dict[str, tuple[int, Span]]) -> Opcode:
    forms = encodings()[mnemonic]
    value = re.search(r"\$[0-9a-fA-F]+|\b\d+\b|\b(?![axy]\b)[A-Za-z_]\w*", operand)
    if value is None:
        return forms[operand]
    shape = operand[: value.start()] + "{}" + operand[value.end() :]
    short = value[0] in labels and labels[value[0]][0] < 256
    short = short or re.fullmatch(r"\$[0-9a-fA-F]{1,2}|\d+", value[0]) is not None
    for size in ("n8", "e8", *(["a8"] if short else []), "a16"):
        if shape.format(size) in forms:
            return forms[shape.format(size)]
    raise AssertionError(f"no form of {mnemonic} for {operand}")


def _line(statement: _Statement, values: dict[str, int]) -> ImageLine:
    data = statement.data
    if statement.opcode is not None:
        word = re.search(r"\$[0-9a-fA-F]+|\b\d+\b|\b(?![axy]\b)[A-Za-z_]\w*", statement.operand)
        value = _number(word[0], values) if word else 0
        if statement.opcode.is_branch:
            value = (value - statement.address - 2) & 0xFF
        data = encode(statement.opcode, value)
    return ImageLine(
        statement.address,
        statement.size,
        data,
        statement.opcode is not None,
        statement.segment,
        statement.span,
    )


def _number(text: str, values: dict[str, int]) -> int:
    if text.startswith("$"):
        return int(text[1:], 16)
    return int(text) if text.isdigit() else values[text]
