"""What the KERNAL's calls act on: its variables in RAM, files, the keyboard, what was written."""

from __future__ import annotations

from collections import deque

from romproof.engine.registers import Registers
from romproof.machine.c64 import files as disk
from romproof.machine.c64 import petscii, rom, scan
from romproof.machine.c64.cia import ICR
from romproof.machine.c64.files import DiskFiles
from romproof.machine.c64.keyboard import Keyboard
from romproof.machine.c64.memory import C64Memory
from romproof.machine.c64.region import Region

STATUS, STOP_KEY, FILES, INPUT, OUTPUT = 0x90, 0x91, 0x98, 0x99, 0x9A
CLOCK, END_ADDRESS, MESSAGES, START_ADDRESS, LOAD_ADDRESS = 0xA0, 0xAE, 0x9D, 0xC1, 0xC3
NAME_LENGTH, FILE, SECONDARY, DEVICE, NAME = 0xB7, 0xB8, 0xB9, 0xBA, 0xBB
MEMORY_BOTTOM, MEMORY_TOP, TIMEOUT = 0x0281, 0x0283, 0x0285
"""Where the KERNAL keeps what its calls are about (Programmer's Reference Guide, memory map)."""
CARRY, ZERO, NEGATIVE, OVERFLOW = 0x01, 0x02, 0x80, 0x40
"""Flags, as bits of P."""
_CHIPS = (
    (0xDC0D, 0x7F), (0xDD0D, 0x7F), (0xDC00, 0x7F), (0xDC0E, 0x08), (0xDD0E, 0x08), (0xDC0F, 0x08),
    (0xDD0F, 0x08), (0xDC03, 0x00), (0xDD03, 0x00), (0xD418, 0x00), (0xDC02, 0xFF), (0xDD00, 0x07),
    (0xDD02, 0x3F), (0x01, 0xE7), (0x00, 0x2F),
)  # fmt: skip
"""What IOINIT writes (the original at $FDA3)."""


class Kernal:
    """What the calls act on. ``screen`` is what CHROUT wrote there, in PETSCII."""

    def __init__(self, memory: C64Memory, keyboard: Keyboard, region: Region) -> None:
        self._memory, self._region = memory, region
        self.store = memory.space.store
        self.keyboard = keyboard
        self.typed: deque[int] = deque()
        self.files = DiskFiles({})
        self.screen = bytearray()
        self.editor = Editor(self.store)
        self.scanner = scan.Scanner(self.store)
        self.cycle = 0
        self.input_file = self.output_file = 0
        """The files that CHKIN and CHKOUT have chosen last."""

    def prepare(self) -> None:
        """Set in RAM what the KERNAL's initialisation leaves."""
        ram = self.store
        ram[rom.VECTORS : rom.VECTORS + 0x20] = rom.vectors()
        for address in (STATUS, FILES, INPUT, MESSAGES, *range(CLOCK, CLOCK + 3)):
            ram[address] = 0
        ram[STOP_KEY], ram[OUTPUT] = 0xFF, disk.SCREEN
        ram[MEMORY_BOTTOM : MEMORY_TOP + 2] = b"\x00\x08\x00\xa0"
        ram[0x0288], ram[0x02A6] = 4, self._region.is_pal
        self.editor.prepare()
        self.scanner.prepare()

    def reset_chips(self) -> None:
        """What IOINIT does: stop the timers, forget interrupts, ports and the processor port as
        they are used; then let CIA 1's timer A interrupt."""
        for address, value in _CHIPS:
            self.write(address, value)
        self.start_clock()

    def start_clock(self) -> None:
        """Let CIA 1's timer A interrupt about 60 times a second."""
        jiffy = self._region.jiffy
        for register, value in ((4, jiffy & 0xFF), (5, jiffy >> 8), (ICR, 0x81), (14, 0x11)):
            self.write(0xDC00 + register, value)

    def peek(self, address: int) -> int:
        """What is in sight at an address."""
        return self._memory.peek(address, self.cycle)

    def write(self, address: int, value: int) -> None:
        """Write a byte as the CPU does."""
        self._memory.store_byte(address & 0xFFFF, value, self.cycle)

    def word(self, address: int) -> int:
        """Two bytes of RAM."""
        return self.store[address] | self.store[address + 1] << 8

    def name(self) -> bytes:
        """The name that SETNAM has set."""
        start = self.word(NAME)
        return bytes(self.peek(start + i & 0xFFFF) for i in range(self.store[NAME_LENGTH]))

    def type(self, keys: bytes) -> None:
        """Put keys into the queue from which the KERNAL's buffer of ten is filled."""
        self.typed += keys
        self.fill_buffer()

    def fill_buffer(self) -> None:
        """Let what was typed go into the KERNAL's buffer, as much as it holds."""
        while self.typed and self.scanner.append(self.typed[0]):
            self.typed.popleft()


def lose(registers: Registers, names: str) -> None:
    """Change registers, and the flags that nobody may rely on."""
    for name in names:
        setattr(registers, name, getattr(registers, name) ^ 0xFF)
    registers.p ^= NEGATIVE | OVERFLOW | ZERO


def set_carry(registers: Registers, value: bool) -> None:
    registers.p = registers.p & ~CARRY | value


def result(registers: Registers, value: int) -> None:
    """A value in A, and N and Z as after loading it."""
    registers.a = value
    registers.p = registers.p & ~(NEGATIVE | ZERO) | value & NEGATIVE | (0 if value else ZERO)


def fail(registers: Registers, error: int) -> None:
    """Carry set and the error's number in A; clear when there is none."""
    if error:
        registers.a = error
    set_carry(registers, bool(error))


COLUMN, ROW = 0xD3, 0xD6
COLUMNS, ROWS = 40, 25
_RETURNS = (petscii.RETURN, petscii.SHIFTED_RETURN)
_MOVES = {petscii.RIGHT: 1, petscii.LEFT: -1, petscii.DELETE: -1}
_LINES = {petscii.DOWN: COLUMNS, petscii.UP: -COLUMNS}


class Editor:
    """The cursor's row and column, in the KERNAL's variables: nothing is written to the screen's
    memory."""

    def __init__(self, ram: bytearray) -> None:
        self._ram = ram

    def prepare(self) -> None:
        """The cursor is at the top left."""
        self.move(0, 0)

    @property
    def position(self) -> tuple[int, int]:
        """Row and column."""
        return self._ram[ROW], self._ram[COLUMN]

    def move(self, row: int, column: int) -> None:
        """Put the cursor somewhere."""
        self._ram[ROW], self._ram[COLUMN] = row, column

    def write(self, code: int) -> None:
        """What a character does to the cursor. At the last line the screen scrolls."""
        row, column = self.position
        if code in (petscii.HOME, petscii.CLEAR):
            self.move(0, 0)
        elif code in _RETURNS:
            self.move(min(row + 1, ROWS - 1), 0)
        elif code in _MOVES or code in _LINES or code & 0x60:
            step = _MOVES.get(code) or _LINES.get(code, 1)
            place = max(row * COLUMNS + column + step, 0)
            row, column = divmod(place, COLUMNS)
            self.move(min(row, ROWS - 1), column)
