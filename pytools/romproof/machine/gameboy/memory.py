"""The memory of a Game Boy: one store for all of it, and which part is in sight where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from romproof.engine.chips import Chip, fields, in_python
from romproof.engine.space import PAGE, SIZE, WRITE_CALL, AddressSpace
from romproof.machine.gameboy import boot
from romproof.machine.gameboy.header import CartridgeHeader
from romproof.machine.gameboy.mappers import Banks, Mapper, mapper_for
from romproof.machine.gameboy.model import DMG, Console
from romproof.machine.gameboy.speed import Speed
from romproof.toolchains.rgbds.fix.header_fields import RAM_BANK, ROM_BANK

ROM_LOW, ROM_HIGH, VRAM, CARTRIDGE_RAM, WRAM, ECHO, OAM, HIGH = (
    0x0000, 0x4000, 0x8000, 0xA000, 0xC000, 0xE000, 0xFE00, 0xFF00,
)  # fmt: skip
"""Where the parts begin as the CPU sees them. ECHO is WRAM once more; HIGH is I/O and HRAM."""
WRAM_BANK = 0x1000
WRAM_HIGH = WRAM + WRAM_BANK
"""Where a Color shows one of several banks."""
VBK, SVBK = 0xFF4F, 0xFF70
"""The Color's registers for banks of VRAM and of work RAM."""


@fields()
class GameBoyMemory(Chip):
    """The address space of a Game Boy with a cartridge in it, without the devices in pages
    OAM and HIGH.

    ``fill`` (0..255) is what WRAM, OAM and HRAM hold at the start. A Color has two banks of VRAM
    and eight of work RAM; ``in_color`` of ``kind`` says whether a program can choose them. Raises
    BadCartridge.
    """

    _high_bank: int
    """The number of the bank at ROM_HIGH, as the controller gives it."""
    _others: int
    """What the controller said of all other banks; see Mapper."""

    def __init__(self, header: CartridgeHeader, rom: bytes, fill: int, kind: Console = DMG) -> None:
        self.header = header
        self.speed = Speed()
        self._kind = kind
        self._rom_size = self.header.rom_size
        self._mapper: Mapper = mapper_for(self.header, self.speed)
        self._shown = Shown()
        self._audience = Audience()
        self._on_banks: list[Callable[[int, Sequence[int]], None]] = []
        rom = rom[: self.header.rom_size]
        # One after the other, each at a page of the store:
        store = bytearray(rom)
        self.vram_size = RAM_BANK * (2 if kind.in_color else 1)
        self.vram_at = _append(store, self.vram_size, 0)
        """Where VRAM is in the store, and how many bytes of it."""
        self._wram = _append(store, WRAM_BANK * (8 if kind.in_color else 2), fill)
        self.oam_at = _append(store, PAGE, fill)
        """Where OAM is in the store."""
        self._high = _append(store, PAGE, fill)
        self._ram = _append(store, self.header.ram_size, 0xFF)
        self._instead = _append(store, PAGE, 0xFF)
        self._sink = _append(store, PAGE, 0)
        boot.draw_logo(rom, store, self.vram_at, with_map=boot.shows_logo(header, kind))
        self.space = AddressSpace(store)
        self.space.windows = (_pages(ROM_LOW, ROM_HIGH), _pages(ROM_HIGH, VRAM))
        self._lay_out()
        self._switch(0)

    @property
    def cartridge_ram(self) -> memoryview:
        """All of the cartridge's RAM, to read and to change between runs; may be empty."""
        return memoryview(self.space.store)[self._ram : self._ram + self.header.ram_size]

    @property
    def oam(self) -> memoryview:
        """The 160 bytes that describe the sprites."""
        return memoryview(self.space.store)[self.oam_at : self.oam_at + 0xA0]

    def tell_banks(self, callback: Callable[[int, Sequence[int]], None]) -> None:
        """Let somebody know of the banks in sight: of ROM at ROM_LOW and at ROM_HIGH, and of the
        cartridge's RAM (-1 for none), now and, with the cycle, when that changes."""
        self._on_banks.append(callback)
        self._audience.is_there = True
        callback(-1, self.banks_in_sight())

    @property
    def rumble(self) -> Sequence[tuple[int, bool]]:
        """When the cartridge's motor was switched; empty when it has none."""
        motor = self._mapper.motor
        return () if motor is None else motor.switched

    def vram_in_sight(self) -> int:
        """Where the bank of VRAM that is in sight begins in the store."""
        return self.space.read_pages[VRAM // PAGE]

    def show_vram(self, bank: int, cycle: int) -> None:
        """Put a bank of VRAM in sight; only a Color with a cartridge for it has two."""
        self._show_ram(VRAM // PAGE, RAM_BANK // PAGE, self.vram_at + bank * RAM_BANK)
        self._tell_if_heard(cycle)

    def show_wram(self, bank: int, cycle: int) -> None:
        """Put a bank of work RAM in sight at $D000, and so at $F000."""
        start = self._wram + bank * WRAM_BANK
        self._show_ram(WRAM_HIGH // PAGE, WRAM_BANK // PAGE, start)
        self._show_ram((WRAM_HIGH - WRAM + ECHO) // PAGE, (OAM - ECHO - WRAM_BANK) // PAGE, start)
        self._tell_if_heard(cycle)

    @property
    def stateful(self) -> tuple[object, ...]:
        """What has a state besides the store and the pages, for saving it."""
        clock = self._mapper.clock
        log = (self._mapper.motor,) if self._mapper.motor is not None else ()
        return (
            (self, self.speed, self._mapper, self._shown)
            + (() if clock is None else (clock,))
            + log
        )

    def bank_counts(self) -> tuple[int, ...]:
        """How many banks there are for each place of ``banks_in_sight``."""
        roms = self.header.rom_size // ROM_BANK
        cartridge = roms, roms, -(-self.header.ram_size // RAM_BANK)
        return (*cartridge, 2, 8) if self._kind.in_color else cartridge

    def choose(self, window: int, bank: int, cycle: int) -> None:
        """Have the controller show a bank, if it can: of ROM at ROM_LOW (0) or ROM_HIGH (1), of
        the cartridge's RAM (2); or a Color one of VRAM (3) or work RAM (4)."""
        if window > 2:
            self.space.write_call(VBK if window == 3 else SVBK, bank, cycle)
            return
        if window == 1:
            self._mapper.choose_rom(bank)
        elif window == 2:
            self._mapper.choose_ram(bank)
        self._switch(cycle)

    def banks_in_sight(self) -> tuple[int, ...]:
        """The numbers of the banks of ROM at ROM_LOW and at ROM_HIGH, and of the cartridge's RAM;
        -1 for none; where colours are used, of VRAM and of work RAM at WRAM_HIGH as well."""
        banks, roms = self._shown.banks, self.header.rom_size // ROM_BANK
        assert banks is not None, "there are from the start"
        banks = replace(banks, high=self._high_bank)
        rams = -(-self.header.ram_size // RAM_BANK)
        ram = -1 if banks.ram is None or not rams else banks.ram % rams
        cartridge = banks.low % roms, banks.high % roms, ram
        if not self._kind.in_color:
            return cartridge
        pages = self.space.read_pages
        vram = (pages[VRAM // PAGE] - self.vram_at) // RAM_BANK
        return (*cartridge, vram, (pages[WRAM_HIGH // PAGE] - self._wram) // WRAM_BANK)

    def read(self, address: int, cycle: int) -> int:
        """Device: only writes are ours; this is what a read finds."""
        return self.space.peek(address)

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device: a write to the cartridge."""
        if address < VRAM:
            self._mapper.write(address, value, cycle)
            others = self._mapper.others()
            if others < 0 or others != self._others or self._audience.is_there:
                self._switch(cycle)
                return
            bank = self._mapper.high_bank()
            if bank != self._high_bank:
                self._high_bank = bank
                self._show_rom(ROM_HIGH // PAGE, bank)
            return
        stored = self._mapper.store(address, value, cycle)
        if stored >= 0:
            place = self.space.write_pages[address >> 8] + (address & 0xFF)
            self.space.store[place] = stored

    def _lay_out(self) -> None:
        """What stays where it is, and the callbacks for writes."""
        space = self.space
        self._show(VRAM, CARTRIDGE_RAM, self.vram_at)
        self._show(WRAM, ECHO, self._wram)
        self._show(ECHO, OAM, self._wram)
        self._show(OAM, HIGH, self.oam_at)
        self._show(HIGH, SIZE, self._high)
        self._hide_from_writes(ROM_LOW, VRAM)
        _tell_of_writes(space, ROM_LOW, VRAM - 1, self)
        if self._mapper.sees_ram_writes:
            _tell_of_writes(space, CARTRIDGE_RAM, WRAM - 1, self)

    def _show_ram(self, page: int, count: int, start: int) -> None:
        """Let pages show what begins in the store at ``start``."""
        space = self.space
        for place in range(count):
            space.read_pages[page + place] = start + place * PAGE
            space.write_pages[page + place] = start + place * PAGE

    def _tell_if_heard(self, cycle: int) -> None:
        if self._audience.is_there:
            self._tell(cycle)

    @in_python
    def _tell(self, cycle: int) -> None:
        for callback in self._on_banks:
            callback(cycle, self.banks_in_sight())

    @in_python
    def _switch(self, cycle: int) -> None:
        """Put in sight what the controller says."""
        banks, before = self._mapper.banks(cycle), self._shown.banks
        self._others = self._mapper.others()
        if before is not None and banks == replace(before, high=self._high_bank):
            return
        self._shown.banks, self._high_bank = banks, banks.high
        self._tell(cycle)
        self._show_rom(ROM_LOW // PAGE, banks.low)
        self._show_rom(ROM_HIGH // PAGE, banks.high)
        ram_size = self.header.ram_size
        if before is not None and (before.ram, before.instead) == (banks.ram, banks.instead):
            return
        if banks.ram is not None and ram_size:
            self._show(CARTRIDGE_RAM, WRAM, self._ram, banks.ram * RAM_BANK, ram_size)
            return
        store = self.space.store
        store[self._instead : self._instead + PAGE] = bytes([banks.instead]) * PAGE
        self._show(CARTRIDGE_RAM, WRAM, self._instead, 0, PAGE)
        self._hide_from_writes(CARTRIDGE_RAM, WRAM)

    def _show_rom(self, page: int, bank: int) -> None:
        """Let a bank of ROM begin at a page."""
        start = bank * ROM_BANK % self._rom_size
        pages = self.space.read_pages
        if pages[page] != start:
            for place in range(ROM_BANK // PAGE):
                pages[page + place] = start + place * PAGE

    def _show(
        self, first: int, end: int, part: int, offset: int = 0, size: int | None = None
    ) -> None:
        """Let addresses from ``first`` to ``end`` be those from ``offset`` of a part of the
        store; it repeats after ``size`` bytes."""
        space = self.space
        for page in range(first // PAGE, end // PAGE):
            place = offset + page * PAGE - first
            place = part + (place if size is None else place % size)
            space.read_pages[page] = space.write_pages[page] = place

    def _hide_from_writes(self, first: int, end: int) -> None:
        for page in range(first // PAGE, end // PAGE):
            self.space.write_pages[page] = self._sink


def _append(store: bytearray, size: int, fill: int) -> int:
    """Add a part to the store; where it begins."""
    start = len(store)
    store += bytes([fill]) * size
    return start


def _pages(first: int, end: int) -> range:
    return range(first // PAGE, end // PAGE)


def _tell_of_writes(space: AddressSpace, first: int, last: int, device: GameBoyMemory) -> None:
    """Attach a device whose reads are plain memory: they need no call."""
    space.attach(first, last, device, WRITE_CALL)


class Shown:
    """What is in sight; None only while memory is being made. The bank at ROM_HIGH is that of
    Memory's field."""

    banks: Banks | None = None


@fields()
class Audience(Chip):
    """Whether somebody is told of banks: no state of the machine."""

    is_there: bool


@fields()
class Unmapped(Chip):
    """Addresses at which nothing is: they read as $FF and ignore writes."""

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        return 0xFF

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""


_VBK_UNUSED, _SVBK_UNUSED = 0xFE, 0xF8


@fields()
class ColorBanks(Chip):
    """VBK and SVBK: two banks of VRAM at $8000, and seven of work RAM at $D000 beside the one at
    $C000.

    Bank 0 of work RAM cannot be chosen at $D000: SVBK keeps the 0, and bank 1 is in sight (Pan
    Docs, "SVBK").
    """

    _vbk: int
    _svbk: int

    def __init__(self, memory: GameBoyMemory) -> None:
        self._memory = memory

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        return self._vbk | _VBK_UNUSED if address == VBK else self._svbk | _SVBK_UNUSED

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        if address == VBK:
            self._vbk = value & ~_VBK_UNUSED
            self._memory.show_vram(self._vbk, cycle)
        else:
            self._svbk = value & ~_SVBK_UNUSED
            self._memory.show_wram(self._svbk or 1, cycle)
