"""The memory of a C64: RAM everywhere, and what the processor port shows instead of it.

Of the ROMs there is only what stands for the KERNAL's calls (``rom.py``). Source of what is in
sight: Commodore 64 Programmer's Reference Guide, "Memory map"; unusedino.de, memcfg.
"""

from __future__ import annotations

from typing import Protocol

from romproof.engine.space import PAGE, SIZE, AddressSpace
from romproof.machine.c64 import rom

BASIC, IO, COLOUR, KERNAL = 0xA000, 0xD000, 0xD800, 0xE000
"""Where the parts begin that hide RAM; BASIC has 8 KiB, the I/O area 4 KiB of which colour RAM
is 1 KiB, the KERNAL 8 KiB."""
BASIC_END, IO_END, COLOUR_END = 0xC000, 0xE000, 0xDC00
_LORAM, _HIRAM, _CHAREN = 1, 2, 4
"""The lines of the processor port that choose what is in sight."""


class C64Chip(Protocol):
    """Something in the I/O area."""

    def read(self, address: int, cycle: int) -> int:
        """See Device."""

    def peek(self, address: int, cycle: int) -> int:
        """What a read would give, without its effects."""

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Device."""


class C64Memory:
    """64 KiB of RAM at the start of the store, then the ROMs; ``fill`` is what RAM holds."""

    def __init__(self, fill: int) -> None:
        store = bytearray([fill]) * SIZE
        self._kernal = len(store)
        store += rom.kernal()
        self._filler = len(store)
        store += bytes([rom.FILLER]) * PAGE
        self.space = AddressSpace(store)
        self.port = ProcessorPort(self)
        self.chips: dict[int, C64Chip] = {}
        """By page, what is in the I/O area."""
        self.space.attach(0, 1, self.port)
        self.space.attach(IO, IO_END - 1, self)
        self.switch()

    @property
    def kernal_in_sight(self) -> bool:
        """Whether the KERNAL's ROM is at $E000 to $FFFF."""
        return bool(self.port.lines & _HIRAM)

    @property
    def io_in_sight(self) -> bool:
        """Whether the chips are at $D000 to $DFFF."""
        lines = self.port.lines
        return bool(lines & (_LORAM | _HIRAM)) and bool(lines & _CHAREN)

    def rom_at(self, address: int) -> str | None:
        """The name of the ROM that is in sight at an address; None for anything else."""
        lines = self.port.lines
        if BASIC <= address < BASIC_END and lines & 3 == 3:
            return "BASIC"
        if IO <= address < IO_END and lines & 3 and not lines & _CHAREN:
            return "character"
        return "KERNAL" if address >= KERNAL and lines & _HIRAM else None

    def switch(self) -> None:
        """Show what the processor port says."""
        pages = self.space.read_pages
        for page in range(BASIC // PAGE, SIZE // PAGE):
            address = page * PAGE
            shown = self.rom_at(address)
            if shown == "KERNAL":
                pages[page] = self._kernal + address - KERNAL
            else:
                pages[page] = address if shown is None else self._filler

    def read(self, address: int, cycle: int) -> int:
        """Device: the I/O area, or what is in sight there."""
        if not self.io_in_sight:
            return self.space.peek(address)
        chip = self.chips.get(address // PAGE)
        return 0xFF if chip is None else chip.read(address, cycle)

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device: the I/O area, or the RAM beneath."""
        if not self.io_in_sight:
            self.space.store[address] = value
        elif (chip := self.chips.get(address // PAGE)) is not None:
            chip.write(address, value, cycle)

    def peek(self, address: int, cycle: int) -> int:
        """What the CPU would read, without the effects of reading."""
        if address < 2:
            return self.port.read(address, cycle)
        if IO <= address < IO_END and self.io_in_sight:
            chip = self.chips.get(address // PAGE)
            return 0xFF if chip is None else chip.peek(address, cycle)
        return self.space.peek(address)

    def store_byte(self, address: int, value: int, cycle: int) -> None:
        """Write as the CPU does."""
        if address < 2:
            self.port.write(address, value, cycle)
        elif IO <= address < IO_END:
            self.write(address, value, cycle)
        else:
            self.space.store[address] = value


class ProcessorPort:
    """The 6510's port at $00 and $01.

    Pins that are inputs: pull-ups make the three that choose memory 1, as well as the one of the
    tape's switch (bit 4); bit 5 reads 0; bits 3, 6 and 7 keep what was put there last, on the
    chip only for a while. Source: VICE (``c64pla``).
    """

    def __init__(self, memory: C64Memory) -> None:
        self._memory = memory
        self.direction, self.data = 0x2F, 0x37
        self._driven = self.data

    @property
    def lines(self) -> int:
        """LORAM, HIRAM and CHAREN in bits 0 to 2."""
        return (self.data | ~self.direction) & 7

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        if address == 0:
            return self.direction
        value = (self.data | ~self.direction) & (self._driven | 0x17)
        return value & 0xFF if self.direction & 0x20 else value & 0xDF

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        if address == 0:
            self.direction = value
        else:
            self.data = value
        self._driven = self._driven & ~self.direction | self.data & self.direction
        self._memory.switch()


class ColourRam:
    """1024 times 4 bits. The upper bits of a byte are not connected; here they read 1, so that
    code which forgets to mask them is found."""

    def __init__(self, fill: int) -> None:
        self.cells = bytearray([fill & 15]) * (COLOUR_END - COLOUR)

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        return self.cells[address - COLOUR] | 0xF0

    def peek(self, address: int, cycle: int) -> int:
        """See Chip."""
        return self.read(address, cycle)

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self.cells[address - COLOUR] = value & 15
