"""A whole Game Boy, to be run from Python."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property

from romproof.engine.chips import Chip
from romproof.engine.devices import Clocked, Device
from romproof.engine.engines import DEFAULT_ENGINE, make_engine
from romproof.engine.protocol import Engine, Observer, Stop
from romproof.engine.registers import Sm83Registers
from romproof.engine.space import NEVER, PAGE
from romproof.formats.layout import GameBoyModel
from romproof.machine.board import BoardError
from romproof.machine.gameboy import boot, extras, lcd, palettes, sound, vramdma
from romproof.machine.gameboy.bus import BusConflict
from romproof.machine.gameboy.header import read_header
from romproof.machine.gameboy.interrupts import IE, IF, InterruptRegisters
from romproof.machine.gameboy.joypad import NONE_PRESSED, P1, Joypad
from romproof.machine.gameboy.lines import FIRST, LAST
from romproof.machine.gameboy.memory import (
    CARTRIDGE_RAM,
    HIGH,
    OAM,
    SVBK,
    VBK,
    VRAM,
    ColorBanks,
    GameBoyMemory,
    Unmapped,
)
from romproof.machine.gameboy.model import find_console
from romproof.machine.gameboy.oam import DMA, OAM_END, OamDma
from romproof.machine.gameboy.palettes import Palettes
from romproof.machine.gameboy.picture.log import FrameLog
from romproof.machine.gameboy.picture.screen import LcdPicture
from romproof.machine.gameboy.serial import SB, SC, SerialPort
from romproof.machine.gameboy.sgb import PacketReader, SgbPacket
from romproof.machine.gameboy.speed import KEY1, PAUSE
from romproof.machine.gameboy.timer import DIV, TAC, TIMA, Divider, Timer
from romproof.machine.gameboy.vram import VideoRam
from romproof.machine.screen import Screen
from romproof.toolchains.rgbds.fix.header_fields import ROM_BANK

FILL = 0x5A
"""What memory holds that nobody wrote to: on the machine it is random."""
_IO_END = 0xFF7F
_BREAKPOINT = 0x40
"""The opcode ``ld b, b``, which test programs use to call for the debugger."""


on_run: Callable[[GameBoy, Observer | None], Observer | None] | None = None
"""Who says which observer a run has that a program of the user's begins: of boards nobody does."""


class GameBoy:
    """A Game Boy with a cartridge in it, as the boot ROM leaves it. Times are in M-cycles of the
    CPU, which are half as long at double speed.

    Its picture is drawn when somebody asks for it; there is no sound. ``engine`` is the name of
    an engine (see romproof.engine.engines). ``model`` is ``"dmg"``, ``"cgb"`` or ``"cgb-e"``, see
    Model; None is a Color (``"cgb"``) for cartridges whose header says that they use colours, and
    a DMG for others. Without ``pictures`` none can be had; programs that write to VRAM in each
    line run up to three times as fast then. Raises BadCartridge, BoardError, NoSuchEngine and
    MissingExtra.
    """

    on_board = False
    """Whether a board runs it."""

    def __init__(
        self,
        rom: bytes,
        engine: str = DEFAULT_ENGINE,
        fill: int = FILL,
        model: GameBoyModel | str | None = None,
        pictures: bool = True,
    ) -> None:
        self.rom = rom
        self._picture: LcdPicture | None = None
        header = read_header(rom)
        self.kind = find_console(header, model)
        """The model, and whether it is in colour mode."""
        self.memory = GameBoyMemory(header, rom, fill, self.kind)
        self._devices: list[tuple[int, int, Device]] = []
        self.stopped = False
        """Whether the CPU has stopped its clock (``stop``) and no button was pressed since."""
        self._attach(fill, pictures)
        self.engine: Engine = make_engine(engine, "sm83", self.memory.space)
        self.registers.set(boot.registers(header, self.kind))

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

    @property
    def rumble(self) -> tuple[tuple[int, bool], ...]:
        """When the cartridge's motor was switched: the M-cycle, and whether on."""
        return tuple(self.memory.rumble)

    @property
    def sgb_packets(self) -> tuple[SgbPacket, ...]:
        """What was sent to a Super Game Boy that is not there."""
        return tuple(self._packets.log.packets)

    @property
    def palettes(self) -> bytes:
        """The Color's palettes: 64 bytes of the background's, then 64 of those of sprites; no bytes
        on a DMG."""
        return b"" if self._palettes is None else self._palettes.colors

    @property
    def double_speed(self) -> bool:
        """Whether the CPU is at double speed."""
        return self._speed.is_double

    @property
    def screen(self) -> Screen:
        """The last complete frame, see ``draw``."""
        return self.draw()

    def draw(self, objects: bool = True, window: bool = True) -> Screen:
        """The last complete frame; white while the LCD is off, and in the frame after that.

        ``objects`` and ``window`` say whether these are drawn. Raises BoardError where a frame was
        written to so often that it cannot be drawn afterwards.
        """
        if self._picture is None:
            raise BoardError("no picture: the Game Boy was made with pictures=False")
        return self._picture.draw(self.cycles, objects=objects, window=window)

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
        if on_run is not None and not self.on_board:
            observer = on_run(self, observer)
        return self.go_on(cycles, until, observer)

    def go_on(
        self, cycles: int, until: Collection[int] = (), observer: Observer | None = None
    ) -> Stop:
        """The same as a part of a run that has begun."""
        end = self.cycles + cycles
        while not self.stopped:
            if self.cycles < self._speed.awake_at:
                self._rest(end)
                if self.cycles >= end:
                    return Stop.LIMIT
                if self.registers.pc in until:
                    return Stop.REACHED
            stop = self.engine.run(until, end - self.cycles, observer)
            if stop is not Stop.STOPPED:
                return stop
            self._stop()
            if self.cycles >= end:
                return Stop.LIMIT
        return Stop.STOPPED

    def _stop(self) -> None:
        """What ``stop`` does: the clock stops until a button is pressed, or the Color has its other
        speed after a while."""
        if self._joypad.lines == NONE_PRESSED and self._speed.is_armed:
            self._switch_speed()
            return
        self._divider.reset(self.cycles)
        self.memory.space.advance(self.cycles)
        self.stopped = self._joypad.lines == NONE_PRESSED

    def _switch_speed(self) -> None:
        """The byte behind ``stop`` is passed over and the CPU rests, unless an interrupt is
        pending."""
        space, cycle = self.memory.space, self.cycles + 1
        is_pending = bool(space.signals.find_wake_cause(NEVER))
        self._divider.reset_to_switch(self.cycles if is_pending and self.kind.is_e else cycle)
        self._speed.switch(cycle)
        self.lines.speed_changes()
        if not is_pending:
            self.registers.pc = self.registers.pc + 1 & 0xFFFF
            self.engine.cycles = cycle
            self._speed.awake_at = cycle + PAUSE
        space.advance(self.cycles)

    def _rest(self, end: int) -> None:
        """Let the time pass after a switch of the speed, unless an interrupt ends it."""
        space = self.memory.space
        while True:
            if space.signals.find_wake_cause(NEVER):
                self._speed.awake_at = min(self._speed.awake_at, self.cycles + 1)
            limit = min(end, self._speed.awake_at)
            if self.cycles >= limit:
                return
            self.engine.cycles = max(self.cycles, min(limit, space.horizon))
            space.advance(self.cycles)

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
            is_there = self.memory.space.peek(self.registers.pc) == _BREAKPOINT
            if is_there and self.cycles >= self._speed.awake_at:
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

    def _attach(self, fill: int, pictures: bool) -> None:
        """Put the devices at their addresses; later ones hide earlier ones."""
        signals = self.memory.space.use_signals()
        signals.requested = int(boot.REQUESTED)
        self.memory.space.steals = True  # loops that wait are passed over
        kind, begin = self.kind, boot.begin_of(self.kind)
        self._speed = self.memory.speed
        self._divider = Divider(begin.divider)
        self._serial = SerialPort(self._divider, signals, kind.in_color)
        self._packets = PacketReader()
        self._joypad = Joypad(signals, self._packets, begin.chosen)
        timer = Timer(self._divider, signals, kind.is_e)
        lines = lcd.LineCounter(signals, self.memory, self._speed, kind)
        self.lines = lines
        interrupts = InterruptRegisters(self.memory.space)
        dma = OamDma(self.memory, lines, begin.dma, kind.is_cgb)
        self._put(HIGH, _IO_END, Unmapped())
        self._put(P1, P1, self._joypad)
        self._put(SB, SC, self._serial)
        self._put(DIV, DIV, self._divider)
        self._put(TIMA, TAC, timer)
        self._put(IF, IF, interrupts)
        sounds = sound.Sound(fill, begin.wave)
        self._put(sound.FIRST, sound.LAST, sounds)
        self._put(FIRST, LAST, lines)
        vram = self.vram = VideoRam(self.memory, lines)
        self._put(VRAM, CARTRIDGE_RAM - 1, vram)
        self._put(OAM, HIGH - 1, dma)
        self._put(DMA, DMA, dma)
        self.bus = BusConflict(self.memory, dma, self, kind.is_cgb)
        self._put(IE, IE, interrupts)
        color = self._attach_color(fill)
        log: tuple[Chip, ...] = self._attach_log(begin) if pictures else ()
        clocks: tuple[Clocked, ...] = (timer, self._serial, lines, dma, vram, self.bus)
        for clocked in clocks:
            self.memory.space.attach_clock(clocked)
        for part in color:
            if isinstance(part, vramdma.VramDma):
                self.memory.space.attach_clock(part)
        self.stateful = (
            self._divider,
            self._serial,
            self._serial.cable,
            self._joypad,
            self._packets,
            self._packets.log,
            timer,
            lines,
            sounds,
            dma,
            vram,
            self.bus,
            *log,
            *color,
        )
        """The devices that have a state, for saving it."""

    def _attach_log(self, begin: boot.PowerOnState) -> tuple[Chip, ...]:
        """What notes what pictures are drawn from; the chips of it."""
        palettes = self._palettes.colors if self._palettes is not None else b""
        log = self.lines.log = FrameLog(self.memory, begin.lcd, palettes, begin.dot)
        self._picture = LcdPicture(log, self._speed, self.kind, self._is_plain)
        return log, log.frames

    def _is_plain(self) -> bool:
        return self.engine.name == "plain"

    def _attach_color(self, fill: int) -> tuple[Device, ...]:
        """What only a Color has; most of it only for cartridges that use colours."""
        self._palettes: Palettes | None = None
        if not self.kind.is_cgb:
            return ()
        registers = extras.ColorRegisters(self.kind)
        self._palettes = Palettes(self.kind, self.lines, fill)
        self._put(extras.FIRST, extras.LAST, registers)
        self._put(palettes.FIRST, palettes.LAST, self._palettes)
        if not self.kind.in_color:
            return registers, self._palettes
        banks = ColorBanks(self.memory)
        dma = vramdma.VramDma(self.memory, self.lines, self._speed)
        self._put(VBK, VBK, banks)
        self._put(SVBK, SVBK, banks)
        self._put(KEY1, KEY1, self._speed)
        self._put(vramdma.FIRST, vramdma.LAST, dma)
        return registers, self._palettes, banks, dma

    def _put(self, first: int, last: int, device: Device) -> None:
        self.memory.space.attach(first, last, device)
        self._devices.insert(0, (first, last, device))
