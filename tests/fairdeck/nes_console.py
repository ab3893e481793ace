"""As much of an NES around our own 6502 as a ROM needs: it draws nothing, but it is strict.

It takes note of what other emulators let pass: reads of RAM that nobody has written, writes to the
picture's memory while the picture is drawn, ports used before the PPU is warm.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.engine.engines import make_engine
from romproof.engine.instruments import Instruments, MemoryEvent
from romproof.engine.protocol import Guard
from romproof.engine.registers import Registers
from romproof.engine.space import SIZE, AddressSpace, Signals
from romproof.harness.rom import Rom
from romproof.program.image import Image

DOTS = 3
"""Of the PPU in a CPU cycle (NTSC)."""
LINE = 341
FRAME_DOTS = 262 * LINE
VBLANK_DOTS = 20 * LINE
FRAME = FRAME_DOTS // DOTS
"""CPU cycles of a frame, rounded down."""
WARM = 29_658
"""CPU cycles from power-on during which the PPU ignores writes to most of its ports."""
RAM = 0x800
RENDERS = 0x18
NMI = 0x80
CTRL, MASK, STATUS, SCROLL, ADDR, DATA = 0, 1, 2, 5, 6, 7


@dataclass
class Ppu:
    """The ports at $2000..$3FFF, the vertical blank, and the memory behind them."""

    signals: Signals
    memory: bytearray = field(default_factory=lambda: bytearray(0x4000))
    faults: list[str] = field(default_factory=list)
    mask: int = 0
    frames: int = 0
    _ctrl: int = 0
    _address: int = 0
    _high: int | None = None
    _blank: bool = False

    def due(self) -> int:
        """The cycle of the next vertical blank."""
        return -(-(self.frames + 1) * FRAME_DOTS // DOTS)

    def advance(self, cycle: int) -> None:
        """Begin the vertical blanks that have come."""
        while self.due() <= cycle:
            begins = self.due()
            self.frames += 1
            self._blank = True
            if self._ctrl & NMI:
                self.signals.nmi_at = begins

    def read(self, address: int, cycle: int) -> int:
        """Only the status may be read."""
        if address & 7 != STATUS:
            self.faults.append(f"cycle {cycle}: ${address:04X} is read")
            return 0
        status = NMI if self._blank else 0
        self._blank, self._high = False, None
        return status

    def write(self, address: int, value: int, cycle: int) -> None:
        """Take a byte, and note what must not be done now."""
        port = address & 7
        if cycle < WARM and port in (CTRL, MASK, SCROLL, ADDR) and value:
            self.faults.append(f"cycle {cycle}: ${address:04X} is written before the PPU is warm")
        if port in (MASK, SCROLL, ADDR, DATA) and self._draws(cycle):
            self.faults.append(f"cycle {cycle}: ${address:04X} is written while it draws")
        if port == CTRL:
            if value & NMI and not self._ctrl & NMI and self._blank:
                self.signals.nmi_at = cycle
            self._ctrl = value
        elif port == MASK:
            self.mask = value
        elif port in (SCROLL, ADDR):
            first, self._high = self._high is None, value if self._high is None else None
            if port == ADDR and not first:
                self._address = (self._last << 8 | value) & 0x3FFF
            self._last = value
        elif port == DATA:
            self.memory[self._address] = value
            self._address = (self._address + (32 if self._ctrl & 4 else 1)) & 0x3FFF
        else:
            self.faults.append(f"cycle {cycle}: ${address:04X} is written")

    _last: int = 0

    def _draws(self, cycle: int) -> bool:
        """Whether the picture is on and the beam is not on its way back."""
        since = cycle * DOTS - self.frames * FRAME_DOTS
        return bool(self.mask & RENDERS) and not (self.frames and since < VBLANK_DOTS)


@dataclass
class Ports:
    """The sound and the controllers, $4000..$4017."""

    held: int = 0
    sound: list[tuple[int, int, int]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    _strobe: bool = False
    _shift: int = 0

    def read(self, address: int, cycle: int) -> int:
        """A bit of the controller; the upper bits are those of an open bus."""
        if address != 0x4016:
            self.faults.append(f"cycle {cycle}: ${address:04X} is read")
            return 0
        if self._strobe:
            self._shift = self.held
        bit = self._shift >> 7
        self._shift = (self._shift << 1 | 1) & 0xFF
        return 0x40 | bit

    def write(self, address: int, value: int, cycle: int) -> None:
        """The strobe, or sound, which is kept as (cycle, address, value)."""
        if address == 0x4016:
            if self._strobe or value & 1:
                self._shift = self.held
            self._strobe = bool(value & 1)
        else:
            self.sound.append((cycle, address, value))


class Console:
    """An NES with a program in it, switched on; ``fill`` is what its RAM holds at that time."""

    def __init__(self, image: Image, fill: int, engine: str = "auto") -> None:
        self.image = image
        loaded = Rom(image, fill=fill).memory_map
        space = AddressSpace()
        self.ppu = Ppu(space.use_signals())
        self.ports = Ports()
        space.store[:] = loaded.initial
        space.attach(0x2000, 0x3FFF, self.ppu)
        space.attach(0x4000, 0x4017, self.ports)
        space.attach_clock(self.ppu)
        self.engine = make_engine(engine, "mos6502", space)
        known = bytes(RAM) + b"\1" * (SIZE - RAM)
        self.engine.guard = Guard(executable=loaded.executable, protected=loaded.protected)
        self.recording = self.engine.instrument(Instruments(uninitialised=known))
        registers = self.engine.registers
        assert isinstance(registers, Registers)
        registers.pc = int.from_bytes(loaded.initial[0xFFFC:0xFFFE], "little")
        registers.s = 0xFD

    @property
    def uninitialised(self) -> list[MemoryEvent]:
        """The reads of RAM that nobody had written."""
        return list(self.recording.uninitialised)

    @property
    def faults(self) -> list[str]:
        """What the program did that a console would take amiss."""
        return self.ppu.faults + self.ports.faults

    def run(self, frames: float) -> None:
        """Run for so many frames."""
        self.engine.run((), int(frames * FRAME))

    def press(self, button: int, held: int = 3, after: float = 4) -> None:
        """Hold a button for some frames, let go of it, and wait."""
        self.ports.held = button
        self.run(held)
        self.ports.held = 0
        self.run(after)

    def read(self, symbol: str, size: int) -> bytes:
        """Memory from a symbol on."""
        address = self.image.address(symbol)
        return bytes(self.engine.memory[address : address + size])
