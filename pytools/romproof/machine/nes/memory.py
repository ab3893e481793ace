"""The memory of an NES as its CPU sees it: one store for all of it, and what is in sight where."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from romproof.engine.space import PAGE, READ_CALL, SIZE, AddressSpace
from romproof.formats.errors import BadImage
from romproof.formats.ines import TRAINER_ADDRESS, read_ines
from romproof.machine.nes.mappers import AxRom, CnRom, Mapper, Mmc1, Sight, UxRom
from romproof.machine.nes.mmc3 import Mmc3

RAM, RAM_END, PPU, IO, CARTRIDGE, SAVE, PRG = 0, 0x2000, 0x2000, 0x4000, 0x4020, 0x6000, 0x8000
"""Where the parts begin as the CPU sees them: its RAM, the registers of the PPU, those of sound,
controllers and DMA, nothing, RAM of the cartridge, its program."""
_RAM_SIZE = 0x800
_SAVE_SIZE = 0x2000
_MOST_RAM = 0x100000

MAPPERS: dict[int, type[Mapper]] = {0: Mapper, 1: Mmc1, 2: UxRom, 3: CnRom, 4: Mmc3, 7: AxRom}
"""The boards there are, by the number in the header."""


class Memory:
    """The address space of an NES with a cartridge in it, without the devices.

    ``rom`` is the whole file; ``fill`` (0..255) is what RAM holds at the start. Raises BadImage.
    """

    def __init__(self, rom: bytes, fill: int) -> None:
        self.header = header = read_ines(rom)
        make = MAPPERS.get(header.mapper)
        if make is None:
            known = ", ".join(map(str, MAPPERS))
            raise BadImage(f"mapper {header.mapper} is not emulated; those are {known}")
        self.mapper = make(header)
        self._shown: Sight | None = None
        self._on_banks: list[Callable[[int, Sequence[int]], None]] = []
        self.before_write: Callable[[int], None] | None = None
        """Told of the cycle of each write to a register of the mapper; ``after_write`` likewise."""
        self.after_write: Callable[[int], None] | None = None
        self.on_sight: Callable[[Sight], None] | None = None
        """Told of what comes into sight."""
        store = bytearray(rom[header.prg])
        self._ram = _append(store, _RAM_SIZE, fill)
        size = min(header.prg_ram + header.prg_nvram, _MOST_RAM)
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
        if not self.mapper.fixed:
            size = self.mapper.window // PAGE
            self.space.windows = [
                range(p, p + size) for p in range(PRG // PAGE, SIZE // PAGE, size)
            ]
        self._places: dict[int, array[int]] = {}
        self._lay_out()
        self.switch(-1)

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
        self._on_banks.append(callback)
        callback(-1, self.banks())

    def banks(self) -> tuple[int, ...]:
        """The bank in each window."""
        return self.mapper.shown(self.mapper.sight())

    def read(self, address: int, cycle: int) -> int:
        """Device: only writes are ours; this is what a read finds."""
        return self.space.peek(address)

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device: a write to the cartridge's registers."""
        if self.mapper.conflicts:
            value &= self.space.peek(address)
        if self.before_write is not None:
            self.before_write(cycle)
        self.mapper.write(address, value, cycle)
        self.switch(cycle)
        if self.after_write is not None:
            self.after_write(cycle)

    def switch(self, cycle: int) -> None:
        """Put in sight what the registers say."""
        sight = self.mapper.sight()
        before = self._shown
        if sight == before:
            return
        self._shown = sight
        if before is None or (sight.ram, sight.ram_writes) != (before.ram, before.ram_writes):
            self._show_ram(sight)
        graphics = (sight.chr, sight.nametables)
        if self.on_sight is not None and (
            before is None or graphics != (before.chr, before.nametables)
        ):
            self.on_sight(sight)
        if before is not None and sight.prg == before.prg:
            return
        pages, size = self.space.read_pages, self.mapper.window // PAGE
        for number, bank in enumerate(sight.prg):
            if before is None or bank != before.prg[number]:
                first = PRG // PAGE + number * size
                pages[first : first + size] = self._pages_of(bank)
        for callback in self._on_banks:
            callback(cycle, self.banks())

    def _pages_of(self, bank: int) -> array[int]:
        """The places of a bank's pages, as a window shows it; games switch all the time."""
        known = self._places.get(bank)
        if known is None:
            window, size = self.mapper.window, self.header.prg_size
            places = ((bank * window + start) % size for start in range(0, window, PAGE))
            known = self._places[bank] = array("I", places)
        return known

    def again(self) -> None:
        """The registers are others than what was put in sight: after a restored state."""
        self._shown = None
        callbacks, self._on_banks = self._on_banks, []
        self.switch(-1)
        self._on_banks = callbacks

    def _lay_out(self) -> None:
        """What stays where it is, and who is told of writes."""
        self._map(RAM, RAM_END, self._ram, _RAM_SIZE)
        self._map(PPU, PRG, self._open, PRG - PPU)
        self._to_sink(PPU, SIZE)
        first, end = self.mapper.registers
        if end:
            self.space.attach(first, end - 1, self)
            for address in range(first, end):  # reads are plain memory: they need no call
                self.space.actions[address] &= ~READ_CALL

    def _show_ram(self, sight: Sight) -> None:
        size = min(self._save_size, _SAVE_SIZE)
        if size and sight.ram:
            self._map(SAVE, PRG, self._save, size)
        else:
            self._map(SAVE, PRG, self._open + SAVE - PPU, PRG - SAVE)
        if not (size and sight.ram_writes):
            self._to_sink(SAVE, PRG)

    def _map(self, first: int, end: int, part: int, size: int) -> None:
        """Let addresses from ``first`` to ``end`` be a part of the store, again and again."""
        for page in range(first // PAGE, end // PAGE):
            place = part + (page * PAGE - first) % size
            self.space.read_pages[page] = self.space.write_pages[page] = place

    def _to_sink(self, first: int, end: int) -> None:
        for page in range(first // PAGE, end // PAGE):
            self.space.write_pages[page] = self._sink


def _append(store: bytearray, size: int, fill: int) -> int:
    """Add a part to the store; where it begins."""
    start = len(store)
    store += bytes([fill]) * size
    return start
