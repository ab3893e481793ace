"""The memory of an NES as its CPU sees it: one store for all of it, and what is in sight where."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from math import lcm

from romproof.engine.chips import Chip, fields, in_python
from romproof.engine.space import PAGE, READ_CALL, SIZE, WRITE_CALL, AddressSpace
from romproof.formats.ines import TRAINER_ADDRESS, Ines, format_kib, read_ines
from romproof.machine.board import UnknownMapper
from romproof.machine.nes.discrete import Action53, Camerica, GxRom, Unrom512
from romproof.machine.nes.fme7 import Fme7
from romproof.machine.nes.line_clock import LineClock
from romproof.machine.nes.mappers import (
    IN_ROM,
    KIB,
    NO_BLOCK,
    NO_RAM,
    RAM_WRITTEN,
    AxRom,
    CnRom,
    Mapper,
    Mmc1,
    UxRom,
)
from romproof.machine.nes.mmc2 import DxRom, Mmc2
from romproof.machine.nes.mmc3 import Mmc3
from romproof.machine.nes.mmc5 import Mmc5
from romproof.machine.nes.mmc5_lines import Mmc5Lines
from romproof.machine.nes.ppu import Ppu
from romproof.machine.nes.video_memory import VideoMemory

RAM, RAM_END, PPU, IO, CARTRIDGE, SAVE, PRG = 0, 0x2000, 0x2000, 0x4000, 0x4020, 0x6000, 0x8000
"""Where the parts begin as the CPU sees them: its RAM, the registers of the PPU, those of sound,
controllers and DMA, nothing, RAM of the cartridge, its program."""
EXPANSION, EXPANSION_END = 0x5C00, 0x6000
"""Where an MMC5's own RAM is."""
_MMC5 = 5
_RAM_SIZE = 0x800
_SAVE_SIZE = 0x2000
_MAX_RAM = 0x100000

MAPPERS: dict[int, type[Mapper]] = {
    0: Mapper, 1: Mmc1, 2: UxRom, 3: CnRom, 4: Mmc3, 5: Mmc5, 7: AxRom, 9: Mmc2, 28: Action53,
    30: Unrom512, 66: GxRom, 69: Fme7, 71: Camerica, 206: DxRom,
}  # fmt: skip
"""The boards there are, by the number in the header."""


@fields()
class NesMemory(Chip):
    """The address space of an NES with a cartridge in it, without the devices.

    ``rom`` is the whole file; ``fill`` (0..255) is what RAM holds at the start. Raises BadImage.
    """

    _ram: int
    _save: int
    _save_size: int
    expansion: int
    _open: int
    _sink: int
    """Where parts are in the store, and how much RAM the cartridge has."""
    _ram_shown: int
    """What the mapper said of $6000."""
    _is_heard: bool
    """Whether somebody is told of banks."""
    _prg_size: int
    _distinct: int
    """How many banks of PRG differ as a window shows them."""

    def __init__(self, rom: bytes, fill: int) -> None:
        self.header = header = read_ines(rom)
        self.mapper = _find_mapper(header)(header)
        self._audience = Audience()
        self.lines: LineClock | Mmc5Lines | None = None
        """What counts lines for the mapper; has to be up to date when its registers change."""
        self.video: VideoMemory | None = None
        """What shows the mapper's banks to the PPU."""
        self.ppu: Ppu | None = None
        """What is told that it did."""
        store = bytearray(rom[header.prg])
        self._prg_size = header.prg_size
        self._ram = _append(store, _RAM_SIZE, fill)
        size = min(header.prg_ram + header.prg_nvram, _MAX_RAM)
        if header.version != 2:
            size = self.mapper.silent_prg_ram or size
        self._save = _append(store, -(-size // PAGE) * PAGE, fill)
        self._save_size = len(store) - self._save
        if header.has_trainer and self._save_size >= _SAVE_SIZE:
            place = self._save + TRAINER_ADDRESS - SAVE
            store[place : place + len(rom[header.trainer])] = rom[header.trainer]
        # where nothing is, a read brings the last byte on the bus: the address's high one
        self.expansion = _append(store, KIB if self.mapper.shows_ram else 0, fill)
        end = SIZE if self.mapper.shows_ram else PRG
        self._open = _append(store, end - PPU, 0)
        for page in range(PPU // PAGE, end // PAGE):
            place = self._open + page * PAGE - PPU
            store[place : place + PAGE] = bytes([page]) * PAGE
        self._sink = _append(store, PAGE, 0)
        self.space = AddressSpace(store)
        window = self.mapper.window
        self._pages = window // PAGE
        self._windows = (SIZE - PRG) // window
        if not self.mapper.fixed:
            self.space.windows = [
                range(p, p + self._pages) for p in range(PRG // PAGE, SIZE // PAGE, self._pages)
            ]
            self.space.rom_end = header.prg_size
        every = lcm(header.prg_size, window)
        self._distinct = every // window
        self._places = array("I", (at % header.prg_size for at in range(0, every, PAGE)))
        """The places of each bank's pages, one bank after the other."""
        self._lay_out()
        self.again()

    @property
    def ram(self) -> memoryview:
        """The 2 KiB of RAM in the console."""
        return memoryview(self.space.store)[self._ram : self._ram + _RAM_SIZE]

    @property
    def cartridge_ram(self) -> memoryview:
        """All of the cartridge's RAM, to read and to change between runs; may be empty."""
        return memoryview(self.space.store)[self._save : self._save + self._save_size]

    def tell_banks(self, callback: Callable[[int, Sequence[int]], None]) -> None:
        """Call back with the banks in the windows now, and with the cycle when that changes."""
        self._audience.callbacks.append(callback)
        self._is_heard = True
        callback(-1, self.banks())

    def banks(self) -> tuple[int, ...]:
        """The bank in each window."""
        return self.mapper.in_sight()

    def read(self, address: int, cycle: int) -> int:
        """Device: what a read of the mapper's registers finds, or of memory, as only writes are
        ours elsewhere."""
        value = self.space.peek(address)
        if not self.mapper.readable:
            return value
        if self.lines is not None:
            self.lines.before_read(cycle)
        value = self.mapper.read(address, value, cycle)
        if self.lines is not None:
            self.lines.after_read(cycle)
        return value

    def peek(self, address: int, cycle: int) -> int:
        """What a read would bring in a cycle; nothing but the time changes."""
        value = self.space.peek(address)
        if not any(first <= address < end for first, end in self.mapper.readable):
            return value
        if self.lines is not None:
            self.lines.before_read(cycle)
        return self.mapper.peek(address, value, cycle)

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device: a write to the cartridge's registers."""
        if self.mapper.conflicts and address >= PRG:
            value &= self.space.peek(address)
        if self.lines is not None:
            self.lines.before_write(cycle)
        if self.mapper.shows_ram and EXPANSION <= address < EXPANSION_END:
            self._write_expansion(address - EXPANSION, value)
        elif self.mapper.write(address, value, cycle):
            self.switch(cycle)
        if self.lines is not None:
            self.lines.after_write(cycle)

    def switch(self, cycle: int) -> None:
        """Put in sight what the registers say."""
        switched = False
        for window in range(self._windows):
            at = self.mapper.prg(window) % self._distinct * self._pages
            block = self.mapper.block(window)
            place = self._places[at] if block == IN_ROM else self._block_place(window, block)
            if self.space.read_pages[PRG // PAGE + window * self._pages] != place:
                switched = True
                if block == IN_ROM:
                    self._show(window, at)
            if self.mapper.shows_ram:
                self._show_block(window, block)
        if self._shown_at_save() != self._ram_shown:
            self._show_ram()
        if self.mapper.shows_ram:
            self._show_expansion()
        if self.mapper.switches_graphics and self.video is not None:
            if self.ppu is not None:
                self.ppu.before_banks(cycle)
            self.video.show()
            if self.ppu is not None:
                self.ppu.after_banks(cycle)
        if switched and self._is_heard:
            self._tell(cycle)

    def again(self) -> None:
        """The registers are others than what was put in sight: after a restored state."""
        for window in range(self._windows):
            self._show(window, self.mapper.prg(window) % self._distinct * self._pages)
            if self.mapper.shows_ram:
                self._show_block(window, self.mapper.block(window))
        self._show_ram()
        if self.mapper.shows_ram:
            self._show_expansion()
        if self.video is not None:
            self.video.show()

    def _show(self, window: int, at: int) -> None:
        """Let a window show the bank whose places begin there."""
        pages, first = self.space.read_pages, PRG // PAGE + window * self._pages
        pages[first : first + self._pages] = self._places[at : at + self._pages]

    def _block_place(self, window: int, block: int) -> int:
        """Where a block of cartridge RAM begins in the store, or what a window shows without."""
        if block == NO_BLOCK:
            return self._open + PRG - PPU + window * self._pages * PAGE
        return self._save + block * _SAVE_SIZE

    def _show_block(self, window: int, block: int) -> None:
        """Let a window show a block of cartridge RAM if it is to; only that can be written."""
        reads, writes = self.space.read_pages, self.space.write_pages
        first = PRG // PAGE + window * self._pages
        takes_writes = block >= 0 and self.mapper.takes_writes()
        for page in range(first, first + self._pages):
            if block != IN_ROM:
                reads[page] = self._block_place(window, block) + (page - first) * PAGE
            writes[page] = reads[page] if takes_writes else self._sink

    def _show_expansion(self) -> None:
        """Let an MMC5's own RAM be at $5C00, if it is the CPU's."""
        is_shown = self.mapper.expansion_mode >= 2
        for page in range(EXPANSION // PAGE, EXPANSION_END // PAGE):
            place = self._open + page * PAGE - PPU
            if is_shown:
                place = self.expansion + page * PAGE - EXPANSION
            self.space.read_pages[page] = place

    def _write_expansion(self, offset: int, value: int) -> None:
        """While it is the PPU's, what is written when no line is drawn is 0."""
        mapper = self.mapper
        if mapper.expansion_mode == 3:
            return
        is_kept = mapper.expansion_mode == 2 or mapper.in_frame
        self.space.store[self.expansion + offset] = value if is_kept else 0

    @in_python
    def _tell(self, cycle: int) -> None:
        for callback in self._audience.callbacks:
            callback(cycle, self.banks())

    def _lay_out(self) -> None:
        """What stays where it is, and who is told of writes."""
        self._map(RAM, RAM_END, self._ram, _RAM_SIZE)
        self._map(PPU, PRG, self._open, PRG - PPU)
        self._to_sink(PPU, SIZE)
        for first, end in (self.mapper.registers, self.mapper.selector):
            if end:
                self.space.attach(first, end - 1, self, WRITE_CALL)
        for first, end in self.mapper.readable:
            written = first < PRG  # registers that are written, too, or vectors in ROM
            self.space.attach(first, end - 1, self, READ_CALL | (WRITE_CALL if written else 0))

    def _shown_at_save(self) -> int:
        """A number that stays the same as long as what is at $6000 does."""
        mapper = self.mapper
        return (mapper.low() + 1) << 16 | mapper.ram_bank() << 8 | mapper.ram()

    def _show_ram(self) -> None:
        """Let RAM be at $6000, if there is any, and take writes, or not; or a bank of ROM."""
        mapper = self.mapper
        self._ram_shown = self._shown_at_save()
        shown, low, bank = mapper.ram(), mapper.low(), mapper.ram_bank()
        size, offset = min(self._save_size, _SAVE_SIZE), 0
        if self._save_size > _SAVE_SIZE:
            offset = bank * _SAVE_SIZE % self._save_size
        reads, writes = self.space.read_pages, self.space.write_pages
        for page in range(SAVE // PAGE, PRG // PAGE):
            behind = page * PAGE - SAVE
            place = self._open + page * PAGE - PPU
            if low >= 0:
                place = (low * _SAVE_SIZE + behind) % self._prg_size
            elif size and shown != NO_RAM:
                place = self._save + offset + behind % size
            reads[page] = place
            is_written = low < 0 and size and shown == RAM_WRITTEN
            writes[page] = place if is_written else self._sink

    def _map(self, first: int, end: int, part: int, size: int) -> None:
        """Let addresses from ``first`` to ``end`` be a part of the store, again and again."""
        for page in range(first // PAGE, end // PAGE):
            place = part + (page * PAGE - first) % size
            self.space.read_pages[page] = self.space.write_pages[page] = place

    def _to_sink(self, first: int, end: int) -> None:
        for page in range(first // PAGE, end // PAGE):
            self.space.write_pages[page] = self._sink


def _find_mapper(header: Ines) -> type[Mapper]:
    """The board that a header means. Raises UnknownMapper when there is none that would do what it
    says."""
    number = header.mapper
    if number not in MAPPERS:
        known = ", ".join(map(str, MAPPERS))
        raise UnknownMapper(
            f"mapper {number} is not emulated; the emulated ones are {known}" + _advise(header)
        )
    board = MAPPERS[number]
    if header.submapper not in board.submappers:
        known = ", ".join(map(str, board.submappers))
        raise UnknownMapper(
            f"submapper {header.submapper} of mapper {number} is not emulated; the emulated ones "
            f"are {known}; the header has it in the upper half of byte 8"
        )
    for what, size, most, byte in (
        ("PRG", header.prg_size, board.most_prg, 4),
        ("CHR", header.chr_size, board.most_chr, 5),
    ):
        if size > most:
            raise UnknownMapper(
                f"the header says {format_kib(size)} of {what}, and mapper {number} reaches "
                f"{format_kib(most)}: the size (byte {byte}) or the mapper (bytes 6 and 7) is "
                "wrong" + _advise(header)
            )
    if number == _MMC5:
        _check_mmc5(header)
    return board


def _advise(header: Ines) -> str:
    """What to do when bytes of the header that were not used may be what is missing."""
    if header.version:
        return ""
    return (
        "; bytes 7 to 15 of the header were not used, as they hold other things than a header "
        "has there: clear them, and set byte 7 if the mapper is above 15"
    )


def _check_mmc5(header: Ines) -> None:
    """RAM that an MMC5 has no lines for."""
    if header.version != 2:
        return
    for size in (header.prg_ram, header.prg_nvram):
        if size and size not in Mmc5.ram_sizes:
            sizes = ", ".join(str(size // KIB) for size in Mmc5.ram_sizes)
            raise UnknownMapper(
                f"the header says {format_kib(size)} of PRG RAM in one chip (byte 10), and mapper "
                f"5 has chips of {sizes} KiB"
            )
    if header.prg_ram and header.prg_nvram and header.prg_ram + header.prg_nvram > 64 * KIB:
        raise UnknownMapper(
            f"the header says {format_kib(header.prg_ram)} and {format_kib(header.prg_nvram)} of "
            "PRG RAM (byte 10), and of two chips mapper 5 reaches 32 KiB each"
        )


class Audience:
    """Who is told of banks: no state of the machine."""

    def __init__(self) -> None:
        self.callbacks: list[Callable[[int, Sequence[int]], None]] = []


def _append(store: bytearray, size: int, fill: int) -> int:
    """Add a part to the store; where it begins."""
    start = len(store)
    store += bytes([fill]) * size
    return start
