"""A whole Game Boy, to be run from Python."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property

from romproof.engine.devices import Clocked, Device
from romproof.engine.engines import DEFAULT_ENGINE, make_engine
from romproof.engine.protocol import Engine, Observer, Stop
from romproof.engine.registers import Sm83Registers
from romproof.engine.space import PAGE
from romproof.machine.gameboy import boot, lcd, sound
from romproof.machine.gameboy.bus import BusConflict
from romproof.machine.gameboy.interrupts import IE, IF, InterruptRegisters
from romproof.machine.gameboy.joypad import NONE_PRESSED, P1, Joypad
from romproof.machine.gameboy.memory import CARTRIDGE_RAM, HIGH, OAM, VRAM, GameBoyMemory, Unmapped
from romproof.machine.gameboy.oam import DMA, OAM_END, OamDma
from romproof.machine.gameboy.serial import SB, SC, SerialPort
from romproof.machine.gameboy.timer import DIV, TAC, TIMA, Divider, Timer
from romproof.machine.gameboy.vram import VideoRam
from romproof.toolchains.rgbds.fix.header_fields import ROM_BANK

FILL = 0x5A
"""What memory holds that nobody wrote to: on the machine it is random."""
_IO_END = 0xFF7F
_BREAKPOINT = 0x40
"""The opcode ``ld b, b``, which test programs use to call for the debugger."""


on_run: Callable[[GameBoy, Observer | None], Observer | None] | None = None
"""Who says which observer a run has that a program of the user's begins: of boards nobody does."""


class GameBoy:
    """A DMG with a cartridge in it, as the boot ROM leaves it. Times are in M-cycles.

    There is no picture and no sound. ``engine`` is the name of an engine (see
    romproof.engine.engines). Raises BadCartridge, NoSuchEngine and MissingExtra.
    """

    on_board = False
    """Whether a board runs it."""

    def __init__(self, rom: bytes, engine: str = DEFAULT_ENGINE, fill: int = FILL) -> None:
        self.rom = rom
        self.memory = GameBoyMemory(rom, fill)
        self._devices: list[tuple[int, int, Device]] = []
        self.stopped = False
        """Whether the CPU has stopped its clock (``stop``) and no button was pressed since."""
        self._attach(fill)
        self.engine: Engine = make_engine(engine, "sm83", self.memory.space)
        self.registers.set(boot.registers(self.memory.header))

    @property
    def registers(self) -> Sm83Registers:
        """The CPU's registers; change them only between runs."""
        registers = self.engine.registers
        assert isinstance(registers, Sm83Registers)
        return registers

    @property
    def cycles(self) -> int:
        """M-cycles since the boot ROM ended."""
        return self.engine.cycles

    @property
    def serial(self) -> bytes:
        """All bytes sent over the serial port so far."""
        return bytes(self._serial.cable.sent)

    @property
    def cartridge_ram(self) -> memoryview:
        """The cartridge's RAM, to read and to change between runs; may be empty."""
        return self.memory.cartridge_ram

    def press(self, button: str) -> None:
        """Hold down ``right``, ``left``, ``up``, ``down``, ``a``, ``b``, ``select`` or
        ``start``. Raises NoSuchButton."""
        self._joypad.press(button)
        if self._joypad.lines != NONE_PRESSED:
            self.stopped = False

    def release(self, button: str) -> None:
        """Let go of a button. Raises NoSuchButton."""
        self._joypad.release(button)

    def peek(self, address: int) -> int:
        """The byte in memory, in OAM and VRAM too while the CPU cannot reach them; for a register
        the value that the CPU would read now."""
        if address < OAM_END:
            return self.memory.space.peek(address)
        for first, last, device in self._devices:
            if first <= address <= last:
                return device.read(address, self.cycles)
        return self.memory.space.peek(address)

    def run(
        self, cycles: int, until: Collection[int] = (), observer: Observer | None = None
    ) -> Stop:
        """Run for a number of M-cycles, or until the program counter is at an address.

        ``observer`` is notified of every instruction. At least one instruction is executed, unless
        the CPU was stopped (``stop``) and no button was pressed since. Raises EngineFault on an
        opcode that locks up the CPU.
        """
        end = self.cycles + cycles
        if on_run is not None and not self.on_board:
            observer = on_run(self, observer)
        while not self.stopped:
            stop = self.engine.run(until, end - self.cycles, observer)
            if stop is not Stop.STOPPED:
                return stop
            self._divider.reset(self.cycles)
            self.memory.space.advance(self.cycles)
            self.stopped = self._joypad.lines == NONE_PRESSED
            if self.cycles >= end:
                return Stop.LIMIT
        return Stop.STOPPED

    def run_until(
        self, condition: Callable[[GameBoy], bool], limit: int, every: int = lcd.FRAME
    ) -> bool:
        """Run until a condition holds, which is checked every so many M-cycles.

        False when it does not hold after ``limit`` M-cycles, or when the CPU stopped.
        """
        end = self.cycles + limit
        while not condition(self):
            if self.cycles >= end or self.run(min(every, end - self.cycles)) is Stop.STOPPED:
                return condition(self)
        return True

    def run_to_breakpoint(self, limit: int) -> bool:
        """Run until the next instruction is ``ld b, b``; False when it does not come within
        ``limit`` M-cycles. One in RAM is noticed when it has been there for a frame."""
        end = self.cycles + limit
        while self.cycles < end:
            stop = self.run(min(lcd.FRAME, end - self.cycles), self._breakpoints())
            if stop is Stop.STOPPED:
                return False
            if self.memory.space.peek(self.registers.pc) == _BREAKPOINT:
                return True
        return False

    def _breakpoints(self) -> set[int]:
        """Where ``ld b, b`` may be: in any bank of ROM, in RAM as it is now."""
        space = self.memory.space
        addresses = set(self._rom_breakpoints)
        for page in (*range(VRAM // PAGE, OAM // PAGE), HIGH // PAGE):
            start = space.read_pages[page]
            data = space.store[start : start + PAGE]
            if _BREAKPOINT in data:
                addresses |= {page * PAGE + i for i in range(PAGE) if data[i] == _BREAKPOINT}
        return addresses

    @cached_property
    def _rom_breakpoints(self) -> frozenset[int]:
        rom = self.memory.space.store[: self.memory.header.rom_size]
        places = [place for place, byte in enumerate(rom) if byte == _BREAKPOINT]
        low = {place % ROM_BANK for place in places}
        return frozenset(low | {ROM_BANK + offset for offset in low})

    def _attach(self, fill: int) -> None:
        """Put the devices at their addresses; later ones hide earlier ones."""
        signals = self.memory.space.use_signals()
        signals.requested = int(boot.REQUESTED)
        self.memory.space.steals = True  # loops that wait are passed over
        self._divider = Divider(boot.DIVIDER)
        self._serial = SerialPort(self._divider, signals)
        self._joypad = Joypad(signals)
        timer = Timer(self._divider, signals)
        lines = self.lines = lcd.LineCounter(signals, self.memory)
        interrupts = InterruptRegisters(self.memory.space)
        dma = OamDma(self.memory, lines)
        self._put(HIGH, _IO_END, Unmapped())
        self._put(P1, P1, self._joypad)
        self._put(SB, SC, self._serial)
        self._put(DIV, DIV, self._divider)
        self._put(TIMA, TAC, timer)
        self._put(IF, IF, interrupts)
        sounds = sound.Sound(fill)
        self._put(sound.FIRST, sound.LAST, sounds)
        self._put(lcd.FIRST, lcd.LAST, lines)
        vram = self.vram = VideoRam(self.memory, lines)
        self._put(VRAM, CARTRIDGE_RAM - 1, vram)
        self._put(OAM, HIGH - 1, dma)
        self._put(DMA, DMA, dma)
        self.bus = BusConflict(self.memory, dma, self)
        self._put(IE, IE, interrupts)
        clocks: tuple[Clocked, ...] = (timer, self._serial, lines, dma, vram, self.bus)
        for clocked in clocks:
            self.memory.space.attach_clock(clocked)
        self.stateful = (
            self._divider,
            self._serial,
            self._serial.cable,
            self._joypad,
            timer,
            lines,
            sounds,
            dma,
            vram,
            self.bus,
        )
        """The devices that have a state, for saving it."""

    def _put(self, first: int, last: int, device: Device) -> None:
        self.memory.space.attach(first, last, device)
        self._devices.insert(0, (first, last, device))
