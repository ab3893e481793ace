"""The disassembly of Game Boy code as RGBDS source: a section for each bank or kind of memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from romproof.report.disassembly import (
    AssemblerSyntax,
    Disassembly,
    DoesNotFit,
    disassemble,
    format_rows,
    readable_names,
)
from romproof.toolchains.rgbds.asm.keywords import KEYWORDS
from romproof.toolchains.rgbds.obj.types import MEMORIES, SectionType

BANK = 0x4000
"""Bytes in a bank of ROM."""

RGBDS = AssemblerSyntax(
    "sm83",
    "db",
    frozenset(word.lower() for word in KEYWORDS),
    frozenset(("stop",)),  # it puts a $00 behind
)

BankedLabels = Mapping[tuple[int | None, int], str]
"""Names by bank (None: any) and address."""


@dataclass(frozen=True, slots=True)
class SectionCode:
    """The code in one section of a kind of memory, in ``bank`` of it."""

    type: SectionType
    bank: int
    code: Disassembly


def disassemble_gameboy(data: bytes, start: int, labels: BankedLabels) -> tuple[SectionCode, ...]:
    """The instructions of ``data``, bank by bank.

    From ``start`` on the bytes are those of a ROM's file when they begin below $8000, and
    else of one kind of memory. Raises DoesNotFit.
    """
    labels = _unique(labels)
    if start < MEMORIES[SectionType.VRAM].start:
        return _rom(data, start, labels)
    for type, memory in MEMORIES.items():
        if memory.start <= start and start + len(data) <= memory.end and not type.has_data:
            return (SectionCode(type, memory.first_bank, _part(data, start, None, labels)),)
    raise DoesNotFit(
        f"{len(data):,} bytes from ${start:04X} do not lie in one kind of memory; "
        "choose a part with --range, or another --start"
    )


def _rom(data: bytes, start: int, labels: BankedLabels) -> tuple[SectionCode, ...]:
    parts: list[SectionCode] = []
    offset = 0
    while offset < len(data) or not parts:
        bank, within = divmod(start + offset, BANK)
        chunk = data[offset : offset + BANK - within]
        type = SectionType.ROMX if bank else SectionType.ROM0
        address = within + (BANK if bank else 0)
        parts.append(SectionCode(type, bank, _part(chunk, address, bank, labels)))
        offset += len(chunk) or 1
    return tuple(parts)


def _part(data: bytes, start: int, bank: int | None, labels: BankedLabels) -> Disassembly:
    """The code of one bank: it knows the names of its own and those below $4000 and in RAM."""
    own = {
        address: name
        for (where, address), name in labels.items()
        if bank is None or where == bank or not BANK <= address < 2 * BANK
    }
    return disassemble(data, start, own, RGBDS, f"L{bank:02X}_" if bank else "L")


def _unique(labels: BankedLabels) -> BankedLabels:
    """Names that rgbasm accepts, each of them once. Where the bank is not known, it is 1."""
    unique: dict[tuple[int | None, int], str] = {}
    taken: set[str] = set()
    for (bank, address), label in sorted(labels.items(), key=lambda item: (item[0][1], item[1])):
        place = (1 if bank is None else bank, address)
        name = readable_names({address: label}, RGBDS)[address]
        if name in taken:
            name = f"{name}_{place[0]:02X}_{address:04X}"
        taken.add(name)
        unique.setdefault(place, name)
    return unique


def format_gameboy(parts: Sequence[SectionCode], title: str) -> str:
    """The parts as a source file; ``title`` is its first comment."""
    # -x leaves out the padding, but allows no banks
    linker = "rgblink" if any(part.type is SectionType.ROMX for part in parts) else "rgblink -x"
    lines = [f"; {title}", f"; rgbasm and {linker} build the same bytes from this source"]
    for name, value in sorted(_equates(parts).items(), key=lambda item: item[1]):
        lines.append(f"def {name} equ ${value:04x}")
    for part in parts:
        lines += ["", *_section(part), "", *format_rows(part.code.rows)]
        if not part.type.has_data:
            lines.append("ENDL")
    return "\n".join(lines) + "\n"


def _equates(parts: Sequence[SectionCode]) -> Mapping[str, int]:
    """The named addresses that no row of any part begins at."""
    labels = {row.label for part in parts for row in part.code.rows}
    return {n: value for part in parts for n, value in part.code.equates if n not in labels}


def _section(part: SectionCode) -> list[str]:
    """The lines before the code of a part. Code in RAM is in ROM first, and moved."""
    start, type = part.code.start, part.type
    place = f"{type.name}[${start:04x}]"
    if type is SectionType.ROMX:
        place += f", BANK[{part.bank}]"
    if type.has_data:
        return [f'SECTION "{type.name} {part.bank}", {place}']
    return ['SECTION "bytes", ROM0[$0000]', f'LOAD "{type.name}", {place}']
