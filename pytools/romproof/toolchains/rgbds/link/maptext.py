"""The map file (-m): how full the banks are, and which section and label is where."""

from __future__ import annotations

from collections.abc import Iterator

from romproof.toolchains.rgbds.link.linked import OUTPUT_ORDER, BankSections, Linked
from romproof.toolchains.rgbds.link.state import ProgramSection
from romproof.toolchains.rgbds.link.symbols import escape_name, is_visible
from romproof.toolchains.rgbds.obj.model import Modifier
from romproof.toolchains.rgbds.obj.types import MemoryRegion, SectionType

_NOT_SUMMED = (SectionType.VRAM, SectionType.OAM)
_ESCAPES = str.maketrans({"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", '"': '\\"'})
_NEXT = {Modifier.UNION: "union", Modifier.FRAGMENT: "fragment"}


def map_text(linked: Linked, with_symbols: bool = True) -> str:
    """The text of the map file, letter by letter as rgblink's; without symbols for -M."""
    lines = ["SUMMARY:", *_summary(linked)]
    for type_ in OUTPUT_ORDER:
        memory = linked.memories[type_]
        for number, bank in enumerate(linked.banks[type_], memory.first_bank):
            lines += ["", f"{type_.name} bank #{number}:"]
            lines += _bank(memory, bank, with_symbols)
    return "\n".join(lines) + "\n"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _bytes(size: int) -> str:
    return f"${size:04x} byte{'' if size == 1 else 's'}"


def _used_bytes(bank: BankSections) -> int:
    return sum(section.size for section in bank.sections)


def _summary(linked: Linked) -> Iterator[str]:
    for type_ in OUTPUT_ORDER:
        memory, banks = linked.memories[type_], linked.banks[type_]
        if type_ in _NOT_SUMMED or not banks:
            continue
        used = sum(map(_used_bytes, banks))
        line = f"\t{type_.name}: {_count(used, 'byte')} used / {len(banks) * memory.size - used}"
        line += " free"
        if memory.has_banks or len(banks) > 1:
            line += f" in {_count(len(banks), 'bank')}"
        yield line


def _bank(memory: MemoryRegion, bank: BankSections, with_symbols: bool) -> Iterator[str]:
    end = memory.start
    for section in bank.by_address():
        yield from _gap(end, section.at)
        end = section.end
        reach = f"${section.at:04x}" + (f"-${end - 1:04x}" if section.size else "")
        name = section.name.translate(_ESCAPES)
        yield f'\tSECTION: {reach} ({_bytes(section.size)}) ["{name}"]'
        if with_symbols:
            yield from _symbols(section)
    if not _used_bytes(bank):
        yield "\tEMPTY"
        return
    yield from _gap(end, memory.end)
    yield f"\tTOTAL EMPTY: {_bytes(memory.size - _used_bytes(bank))}"


def _gap(start: int, end: int) -> Iterator[str]:
    if start < end:
        yield f"\tEMPTY: ${start:04x}-${end - 1:04x} ({_bytes(end - start)})"


def _symbols(section: ProgramSection) -> Iterator[str]:
    for index, piece in enumerate(section.pieces):
        labels = [label for label in piece.labels_in_order if is_visible(label)]
        if index and labels:
            yield f"\t         ; Next {_NEXT[section.modifier]}"
        for label in labels:
            yield f"\t         ${label.value & 0xFFFF:04x} = {escape_name(label.symbol.name)}"
