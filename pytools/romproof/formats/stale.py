"""Whether symbols and image are of one build, judged by what is in them.

A file's time says little: a checkout changes it. What counts: segments fit into the file, vectors
lead to statements, and where the source has an instruction the image has one as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from romproof.formats.dbg import DebugInfo
from romproof.formats.debug_lines import (
    CPU,
    DebugLines,
    LinePiece,
    instruction_size,
    mnemonics,
)
from romproof.formats.debug_segments import PlacedSegments, output_of
from romproof.formats.errors import BadSymbols
from romproof.formats.gameboy import ENTRY
from romproof.formats.known_parts import KnownParts, plural
from romproof.formats.layout import GAME_BOY, NES, ImageLayout
from romproof.formats.sources import parts_of
from romproof.isa.load import load
from romproof.program.image import ImageLine, Symbol
from romproof.text.span import Span

BUILD_AGAIN = "build both again; 'command' in [tool.romproof] does it before each test run"
VECTORS = ((0xFFFA, "NMI"), (0xFFFC, "reset"), (0xFFFE, "IRQ"))
_MAX_WRONG = 0.2
"""Of the spans without sources, those that may have another length than the instruction there: a
span may be data of an unknown type."""
_LEAST = 4
_ENOUGH_LABELS = 8
_JP, _JR, _NOP, _DI = 0xC3, 0x18, 0x00, 0xF3
_STEPS = 4


def check_debug_info(
    lines: DebugLines,
    pieces: Iterable[LinePiece],
    placed: PlacedSegments,
    layout: ImageLayout,
    parts: KnownParts,
) -> None:
    """Raises BadSymbols where debug information and image contradict each other, by its innermost
    ``pieces``; what is only strange becomes a note of ``parts``."""
    debug = lines.debug
    _check_lengths(lines, pieces, placed, layout)
    if layout.machine == NES or layout.header is not None:
        _check_vectors(debug, layout, parts)
    _check_words(lines, parts)


def _check_lengths(
    lines: DebugLines, pieces: Iterable[LinePiece], placed: PlacedSegments, layout: ImageLayout
) -> None:
    """Instructions of the source have to be as long in the image."""
    debug, known = lines.debug, mnemonics()
    guessed = wrong_guesses = 0
    first: tuple[Span, int] | None = None
    for piece in pieces:
        if piece.is_data or piece.size > 3:
            continue
        address = debug.segments[piece.segment].start + piece.start
        part = placed.part(piece.segment, address)
        if part is None or part.file is None:
            continue
        at = part.file_offset + address - part.run
        fits = instruction_size(layout.data[at : at + 1]) == piece.size <= len(layout.data) - at
        source, number = lines.source(piece.line), debug.lines[piece.line].line
        trusted = source.name not in lines.finder.changed and 0 < number <= len(source.lines)
        word = lines.word(piece.line) if trusted else ""
        if word in known and not fits:
            first = first or (Span(source, number, 1, max(len(source.line(number)), 1)), at)
        elif not word:
            guessed += 1
            wrong_guesses += not fits
    if first is not None:
        span, at = first
        raise BadSymbols(
            f"{debug.name} is not of this image{_find_linked_name(debug, layout)}: for this line "
            f"there is no instruction of its length at byte {at} of {layout.name}",
            span,
            BUILD_AGAIN,
        )
    if wrong_guesses >= _LEAST and wrong_guesses > guessed * _MAX_WRONG:
        raise BadSymbols(
            f"{debug.name} is not of this image: {wrong_guesses} of {guessed} statements have "
            f"another length in {layout.name}",
            help=BUILD_AGAIN,
        )


def _find_linked_name(debug: DebugInfo, layout: ImageLayout) -> str:
    """The name of the file that was linked, where it is another one."""
    output = output_of(debug, layout.name)
    name = parts_of(output or "")[-1:]
    same = not name or name[0].casefold() == PurePath(layout.name).name.casefold()
    return "" if same else f" but of {name[0]}"


def _check_vectors(debug: DebugInfo, layout: ImageLayout, parts: KnownParts) -> None:
    """The reset vector leads to a statement, where debug information has any around it."""
    reset = dict(vectors_of(layout)).get("reset")
    if reset is None:
        return
    starts = {line.address for line in parts.lines}
    starts |= {symbol.value for symbol in parts.symbols if symbol.is_label}
    inside = any(line.address <= reset < line.address + line.size for line in parts.lines)
    covered = any(s.run <= reset < s.run + s.size for s in parts.segments if s.file is not None)
    if reset not in starts and (inside or not covered) and parts.lines:
        raise BadSymbols(
            f"{debug.name} is not of this image: its reset vector is ${reset:04X}, where the "
            "debug information has no statement",
            help=BUILD_AGAIN,
        )


def vectors_of(layout: ImageLayout) -> list[tuple[str, int]]:
    """What the vectors of the 6502 hold at power-on, by their names."""
    vectors: list[tuple[str, int]] = []
    for address, name in VECTORS:
        places = [p for p in layout.at_address(address) if p.in_file]
        chosen = [p for p in places if p.area in layout.first] or places
        if len(chosen) == 1:
            data = layout.byte(chosen[0], 2)
            if len(data) == 2:
                vectors.append((name, int.from_bytes(data, "little")))
    return vectors


def _check_words(lines: DebugLines, parts: KnownParts) -> None:
    """Where the source of the same size has another instruction, it was changed after the build."""
    known, opcodes = mnemonics(), load(CPU)
    wrong: list[ImageLine] = []
    for line in parts.lines:
        if not line.is_code or line.span.source.name in lines.finder.changed:
            continue
        word = lines.word_in(line.span.text)
        if word in known and opcodes[line.data[0]].mnemonic != word:
            wrong.append(line)
    if wrong:
        parts.warn(
            f"the image has other instructions than {plural(len(wrong), 'line')} of the sources: "
            "they were changed after it was built",
            wrong[0].span,
            BUILD_AGAIN,
        )


def check_labels(
    name: str, symbols: Sequence[Symbol], layout: ImageLayout, parts: KnownParts
) -> None:
    """A note where a symbol file with many labels has none where the program begins."""
    labels = [s for s in symbols if s.is_label]
    in_rom = {s.value for s in labels if any(p.in_file for p in layout.at_address(s.value))}
    if len(in_rom) < _ENOUGH_LABELS:
        return
    if layout.machine == GAME_BOY:
        begins = entry_of(layout.data)
        if begins is not None and begins not in in_rom:
            parts.warn(
                f"{name} has no label at ${begins:04X}, where the program begins: check that it "
                f"belongs to this image",
                help=BUILD_AGAIN,
            )
    elif layout.header is not None:
        vectors = [target for _, target in vectors_of(layout)]
        if vectors and not in_rom.intersection(vectors):
            shown = ", ".join(f"${target:04X}" for target in vectors)
            parts.warn(
                f"{name} has no label where the vectors lead ({shown}): check that it belongs "
                f"to this image",
                help=BUILD_AGAIN,
            )


def entry_of(data: bytes) -> int | None:
    """Where the jump at the entry of a Game Boy cartridge leads; None where there is none."""
    at = ENTRY
    for _ in range(_STEPS):
        if data[at] == _JP:
            return int.from_bytes(data[at + 1 : at + 3], "little")
        if data[at] == _JR:
            return (at + 2 + (data[at + 1] ^ 0x80) - 0x80) & 0xFFFF
        if data[at] not in (_NOP, _DI):
            return None
        at += 1
    return None
