"""The memory of an NES as its CPU sees it: one store for all of it, and what is in sight where."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from math import lcm

from romproof.engine.chips import Chip, fields, in_python
from romproof.engine.space import PAGE, SIZE, WRITE_CALL, AddressSpace
from romproof.formats.errors import BadImage
from romproof.formats.ines import TRAINER_ADDRESS, read_ines
from romproof.machine.nes.discrete import Action53, Camerica, GxRom, Unrom512
from romproof.machine.nes.fme7 import Fme7
from romproof.machine.nes.line_clock import LineClock
from romproof.machine.nes.mappers import NO_RAM, RAM_WRITTEN, AxRom, CnRom, Mapper, Mmc1, UxRom
from romproof.machine.nes.mmc2 import DxRom, Mmc2
from romproof.machine.nes.mmc3 import Mmc3
from romproof.machine.nes.ppu import Ppu
from romproof.machine.nes.video_memory import VideoMemory

RAM, RAM_END, PPU, IO, CARTRIDGE, SAVE, PRG = 0, 0x2000, 0x2000, 0x4000, 0x4020, 0x6000, 0x8000
"""Where the parts begin as the CPU sees them: its RAM, the registers of the PPU, those of sound,
controllers and DMA, nothing, RAM of the cartridge, its program."""
_RAM_SIZE = 0x800
_SAVE_SIZE = 0x2000
_MAX_RAM = 0x100000

MAPPERS: dict[int, type[Mapper]] = {
    0: Mapper, 1: Mmc1, 2: UxRom, 3: CnRom, 4: Mmc3, 7: AxRom, 9: Mmc2, 28: Action53, 30: Unrom512,
    66: GxRom, 69: Fme7, 71: Camerica, 206: DxRom,
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
        make = MAPPERS.get(header.mapper)
        if make is None:
            known = ", ".join(map(str, MAPPERS))
            raise BadImage(f"mapper {header.mapper} is not emulated; the emulated ones are {known}")
        self.mapper = make(header)
        self._audience = Audience()
        self.lines: LineClock | None = None
        """What counts lines for the mapper; has to be up to date when its registers change."""
        self.video: VideoMemory | None = None
        """What shows the mapper's banks to the PPU."""
        self.ppu: Ppu | None = None
        """What is told that it did."""
        store = bytearray(rom[header.prg])
        self._prg_size = header.prg_size
        self._ram = _append(store, _RAM_SIZE, fill)
        size = min(header.prg_ram + header.prg_nvram, _MAX_RAM)
        self._save = _append(store, -(-size // PAGE) * PAGE, fill)
        self._save_size = len(store) - self._save
        if header.has_trainer and self._save_size >= _SAVE_SIZE:
            place = self._save + TRAINER_ADDRESS - SAVE
            store[place : place + len(rom[header.trainer])] = rom[header.trainer]
        # where nothing is, a read brings the last byte on the bus: the address's high one
        self._open = _append(store, PRG - PPU, 0)
        for page in range(PPU // PAGE, PRG // PAGE):
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
        """Device: only writes are ours; this is what a read finds."""
        return self.space.peek(address)

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device: a write to the cartridge's registers."""
        if self.mapper.conflicts and address >= PRG:
            value &= self.space.peek(address)
        if self.lines is not None:
            self.lines.before_write(cycle)
        if self.mapper.write(address, value, cycle):
            self.switch(cycle)
        if self.lines is not None:
            self.lines.after_write(cycle)

    def switch(self, cycle: int) -> None:
        """Put in sight what the registers say."""
        switched = False
        for window in range(self._windows):
            at = self.mapper.prg(window) % self._distinct * self._pages
            if self.space.read_pages[PRG // PAGE + window * self._pages] != self._places[at]:
                self._show(window, at)
                switched = True
        if self._shown_at_save() != self._ram_shown:
            self._show_ram()
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
        self._show_ram()
        if self.video is not None:
            self.video.show()

    def _show(self, window: int, at: int) -> None:
        """Let a window show the bank whose places begin there."""
        pages, first = self.space.read_pages, PRG // PAGE + window * self._pages
        pages[first : first + self._pages] = self._places[at : at + self._pages]

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


class Audience:
    """Who is told of banks: no state of the machine."""

    def __init__(self) -> None:
        self.callbacks: list[Callable[[int, Sequence[int]], None]] = []


def _append(store: bytearray, size: int, fill: int) -> int:
    """Add a part to the store; where it begins."""
    start = len(store)
    store += bytes([fill]) * size
    return start
