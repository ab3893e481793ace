"""The memory of NES cartridges: banks of PRG as their mappers cut them.

Sizes of pages are those of nesdev.org/wiki "Mapper" and of Mesen 2 (Core/NES/Mappers): PRG[n] is
the n-th page. Where a page is in sight is the program's choice on most of them: debug information
says where it was assembled for (``bases``), else it is where such boards begin or where most
programs use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from romproof.formats.ines import Ines, read_ines
from romproof.formats.layout import NES, FileBank, ImageLayout, Ram

PAGES: Mapping[int, int] = MappingProxyType(
    {
        **dict.fromkeys((1, 2, 10, 16, 30, 70, 71, 78, 89, 93, 94, 97, 152, 180, 232), 0x4000),
        **dict.fromkeys((4, 5, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 33, 48, 64, 65), 0x2000),
        **dict.fromkeys((67, 68, 72, 73), 0x4000),
        **dict.fromkeys((69, 74, 75, 76, 80, 82, 85, 88, 95, 105, 112, 118, 119), 0x2000),
        **dict.fromkeys((154, 158, 159, 189, 206, 207, 210), 0x2000),
        **dict.fromkeys((3, 7, 11, 13, 34, 38, 46, 66, 79, 87, 101, 111, 113, 140), 0x8000),
        **dict.fromkeys((28, 29, 31), 0x4000),
        **dict.fromkeys((146, 148, 184, 185, 218, 240, 241), 0x8000),
    }
)
"""Bytes of a page of PRG by the mapper's number. NROM (0) has one, all of PRG."""
UNKNOWN_PAGE = 0x4000
"""What iNES counts in, for mappers that are not listed."""

_OTHER_CONSOLES = {
    "vs": "a Vs. System",
    "playchoice": "a PlayChoice-10",
    "extended": "a console that byte 13 names",
}
_WINDOW = 0x8000
"""Where PRG is in sight."""
_TOP = 0x10000
_RAM_START, _RAM_END = 0x6000, 0x8000
_FIRST_FIXED = (180,)
"""Mappers whose first page is fixed at $8000 and that switch $C000."""
PORTS = ((0x2000, 0x4020),)
"""The registers of the picture and sound chips (nesdev.org/wiki "CPU memory map")."""
_MMC5, _MMC5_PORTS = 5, (0x5000, 0x6000)
"""The mapper that has registers and RAM of its own there."""


def page_size(ines: Ines) -> int:
    """Bytes of the pages that PRG is cut into."""
    if ines.mapper == 0 or ines.prg_size < PAGES.get(ines.mapper, UNKNOWN_PAGE):
        return min(ines.prg_size, _WINDOW)
    return PAGES.get(ines.mapper, UNKNOWN_PAGE)


def nes_layout(name: str, data: bytes, bases: Mapping[int, int] | None = None) -> ImageLayout:
    """The memory of a cartridge; ``bases`` has addresses of pages by their number.

    Raises BadImage.
    """
    ines = read_ines(data)
    size = page_size(ines)
    count = -(-ines.prg_size // size)
    banks = []
    for number in range(count):
        start = ines.prg.start + number * size
        length = min(size, ines.prg.stop - start)
        address = (bases or {}).get(number, _usual(ines, number, count, size))
        banks.append(
            FileBank(f"PRG[{number}]", number, start, min(length, _TOP - address), address)
        )
    rams = [Ram("RAM", 0x0000, 0x0800)]
    work = ines.prg_ram + ines.prg_nvram
    if work and not any(bank.address < _RAM_END for bank in banks):
        rams.append(Ram("SRAM", _RAM_START, min(work, _RAM_END - _RAM_START)))
    skipped = [(range(0, ines.trainer.start), "the header")]
    if ines.has_trainer:
        skipped.append((range(ines.trainer.start, ines.trainer.stop), "the trainer"))
    skipped.append((range(ines.chr.start, ines.chr.stop), "CHR"))
    notes = []
    if ines.excess:
        skipped.append((range(ines.chr.stop, len(data)), "after the parts that the header names"))
        notes.append(f"{name} has {ines.excess} bytes more than its header names; they are ignored")
    if ines.console in _OTHER_CONSOLES:
        notes.append(
            f"{name} is for {_OTHER_CONSOLES[ines.console]}, as bits 0 and 1 of byte 7 say: it "
            f"runs as on an NES, without what that has besides; clear them if this is wrong"
        )
    return ImageLayout(
        machine=NES,
        cpu="2a03",
        name=name,
        data=data,
        banks=tuple(banks),
        rams=tuple(rams),
        first=_first(banks),
        ports=(*PORTS, _MMC5_PORTS) if ines.mapper == _MMC5 else PORTS,
        skipped=tuple(skipped),
        header=ines,
        notes=tuple(notes),
    )


def _usual(ines: Ines, number: int, count: int, size: int) -> int:
    """Where a page is in sight when the program starts, or where most programs switch it to."""
    from_end = count - number
    if size >= _WINDOW:
        return _WINDOW
    if ines.mapper == 0:
        return _TOP - size
    if size == 0x4000:
        if ines.mapper in _FIRST_FIXED:
            return _WINDOW if number == 0 else 0xC000
        return 0xC000 if from_end == 1 else _WINDOW
    if size == 0x2000:
        if from_end <= 2:
            return _TOP - from_end * size
        return _WINDOW + (number % 2) * size
    return _TOP - size


def _first(banks: list[FileBank]) -> tuple[str, ...]:
    """Of pages at the same addresses: the last of those at the top, the first of others.

    Boards that switch all of PRG begin with the first page, as Mesen has it.
    """
    if all(bank.size >= _WINDOW for bank in banks):
        return (banks[0].area,)
    top = max(banks, key=lambda bank: (bank.end, bank.number))
    chosen = [top]
    for bank in banks:
        if not any(bank.address < other.end and other.address < bank.end for other in chosen):
            chosen.append(bank)
    return tuple(bank.area for bank in sorted(chosen, key=lambda bank: bank.address))
