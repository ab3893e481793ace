"""A whole NES, to be run from Python."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from romproof.engine.chips import Chip, fields
from romproof.engine.engines import DEFAULT_ENGINE, make_engine
from romproof.engine.protocol import Engine, Observer, Stop
from romproof.engine.registers import Registers
from romproof.engine.space import SIZE, AddressSpace
from romproof.machine.board import BoardError, Window
from romproof.machine.nes.apu import Apu
from romproof.machine.nes.controllers import BUTTONS, Controllers
from romproof.machine.nes.fme7 import Fme7
from romproof.machine.nes.lines import FRAME, MAPPER, IrqLine
from romproof.machine.nes.mappers import show
from romproof.machine.nes.memory import CARTRIDGE, EXPANSION, IO, PPU, PRG, SAVE, NesMemory
from romproof.machine.nes.mmc5 import Mmc5
from romproof.machine.nes.picture.packed import PackedPicture
from romproof.machine.nes.picture.screen import screen_of
from romproof.machine.nes.ppu import Ppu
from romproof.machine.nes.regions import REGIONS, Region
from romproof.machine.nes.video_memory import Mmc5VideoMemory, VideoMemory
from romproof.machine.nes.video_writes import NesVideoWrites
from romproof.machine.saved import copy_state, put_back
from romproof.machine.screen import Screen
from romproof.machine.video import VideoWrites
from romproof.text.diagnostic import suggest

CPU = "ricoh2a03"
FILL = 0x5A
"""What memory holds that nobody wrote to: on the machine it is random."""
RESET_CYCLES = 7
"""Cycles of the reset, before the first instruction."""
_RESET_VECTOR = 0xFFFC
_REGIONS = {"multi": "ntsc"}
"""What a cartridge for several television systems runs on when nobody says."""


class Nes:
    """An NES with a cartridge in it, after power-on. Times are in cycles of the CPU.

    There is no sound. ``rom`` is a file with an iNES or NES 2.0 header, ``engine``
    the name of an engine (see romproof.engine.engines), ``fill`` (0..255) what memory holds at
    the start. ``region`` is "ntsc", "pal" or "dendy", what the header says when not given.
    ``warm``: the PPU obeys from the first cycle on, for tests that begin at a label. ``ppu`` has
    the PPU's memory and registers. Raises BadImage, BoardError, NoSuchEngine and MissingExtra.
    """

    name = "nes"
    interrupts: Collection[str] = ("nmi", "irq")
    buttons: Collection[str] = BUTTONS
    nowhere = 0x4FFF
    left_out: Collection[str] = ()

    def __init__(
        self,
        rom: bytes,
        engine: str = DEFAULT_ENGINE,
        fill: int = FILL,
        *,
        region: str | None = None,
        warm: bool = False,
    ) -> None:
        self.memory = NesMemory(rom, fill)
        self.program = rom[self.memory.header.prg]
        """The program in the cartridge, all banks: what the store begins with."""
        self.space: AddressSpace = self.memory.space
        header, mapper = self.memory.header, self.memory.mapper
        self.region = _region(region or _REGIONS.get(header.timing, header.timing))
        signals = self.space.use_signals()
        self.space.steals, self.space.fixed = True, mapper.fixed
        self._line = IrqLine(signals)
        if mapper.has_irq:
            mapper.line = self._line
        self._video = self._make_video(rom[header.chr], fill)
        self.ppu = Ppu(self.region, signals, self._video, mapper, fill)
        self.memory.video, self.memory.lines = self._video, self.ppu.lines
        self.memory.ppu = self.ppu
        if warm:
            self.ppu.warm_at = 0
        self.apu = Apu(self.region, self.space, self._line)
        self.controllers = Controllers()
        self._attach()
        self.video: VideoWrites | None = NesVideoWrites(self.ppu)
        windows = len(mapper.in_sight()) if mapper.banks > 1 and not mapper.fixed else 0
        size = mapper.window
        self.windows: Sequence[Window] = tuple(
            Window(range(PRG + n * size, PRG + (n + 1) * size), "PRG") for n in range(windows)
        )
        parts = ((PPU, CARTRIDGE), mapper.selector)
        self.ports: Sequence[tuple[int, int]] = tuple(part for part in parts if part[1])
        self.executable = _executable(mapper.shows_ram)
        self.protected = _protect(mapper.unprotected)
        self.engine: Engine = make_engine(engine, CPU, self.space)
        self.ppu.picture.drawer.choose(self.engine.name)
        self.engine.cycles = RESET_CYCLES
        self._seen = self.ppu.picture.remember()
        self.start()

    @property
    def registers(self) -> Registers:
        """The CPU's registers; change them only between runs."""
        registers = self.engine.registers
        assert isinstance(registers, Registers)
        return registers

    @property
    def cycles(self) -> int:
        """Cycles since power-on, those of the reset and of DMA included."""
        return self.engine.cycles

    @property
    def ram(self) -> memoryview:
        """The 2 KiB of RAM in the console, to read and to change between runs."""
        return self.memory.ram

    @property
    def cartridge_ram(self) -> memoryview:
        """All of the cartridge's RAM, to read and to change between runs; may be empty."""
        return self.memory.cartridge_ram

    @property
    def sprite0(self) -> tuple[int, int] | None:
        """The line (1..239) and dot (1..255) in which sprite 0 hits in this frame, if nothing more
        is written before; None when it does not. In vertical blank it is that of the frame before.
        """
        return self.ppu.hit(self.cycles)

    def start(self) -> None:
        """See Board: registers as after power-on."""
        vector = self.peek(_RESET_VECTOR) | self.peek(_RESET_VECTOR + 1) << 8
        self.registers.set(Registers(s=0xFD, pc=vector))

    def reset(self) -> None:
        """The reset button: RAM, A, X, Y and the PPU's memory stay, S goes down by 3."""
        self.ppu.catch_up(self.region.read_dot(self.cycles))
        self.ppu.reset()
        self.ppu.warm_at = self.cycles + self.region.warm_up if self.ppu.warm_at else 0
        self.apu.reset(self.cycles)
        self.space.advance(self.cycles)
        registers = self.registers
        vector = self.peek(_RESET_VECTOR) | self.peek(_RESET_VECTOR + 1) << 8
        registers.s = registers.s - 3 & 0xFF
        registers.p |= 0x04
        registers.pc, registers.interrupt = vector, 0
        self.engine.cycles += RESET_CYCLES

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """See Board."""
        self._note_changes()
        try:
            return self.engine.run(until, limit, observer)
        finally:
            self._seen = self.ppu.picture.remember()

    def peek(self, address: int) -> int:
        """See Board."""
        if PPU <= address < IO:
            return self.ppu.peek(address, self.cycles)
        if address == STATUS:
            return self.apu.peek(self.cycles)
        if address in (FIRST_PORT, SECOND_PORT):
            return self.controllers.peek(address)
        return self.memory.peek(address, self.cycles)

    def poke(self, address: int, value: int) -> None:
        """See Board."""
        self.space.store[self.space.read_pages[address >> 8] + (address & 0xFF)] = value

    def mirrors(self, address: int) -> Collection[int]:
        """See Board: RAM repeats every $800 bytes, the PPU's registers every 8."""
        if address < PPU:
            return range(address & 0x7FF, PPU, 0x800)
        if address < IO:
            return range(PPU + (address & 7), IO, 8)
        return (address,)

    def banks(self) -> tuple[int, ...]:
        """See Board."""
        return self.memory.banks()[: len(self.windows)]

    def select(self, window: int, bank: int) -> None:
        """See Board."""
        if not self.windows:
            raise BoardError("this cartridge has no program banks")
        show(self.memory.mapper, window, bank)
        self.memory.switch(self.cycles)

    def tell_banks(self, callback: Callable[[int, Sequence[int]], None]) -> None:
        """See Board."""
        self.memory.tell_banks(callback)

    def interrupt(self, name: str) -> None:
        """See Board: ``nmi`` falls; ``irq`` is held as by the frame counter of the sound, until
        $4015 is read, or, by a cartridge that can, until its chip is acknowledged."""
        if name == "nmi":
            self.space.signals.nmi_at = self.cycles
        elif name == "irq":
            source = MAPPER if self.memory.mapper.has_irq else FRAME
            self._line.hold(source, self.cycles)
        else:
            hint = suggest(name, self.interrupts)
            raise BoardError(
                f"no interrupt '{name}'" + (f"; {hint}" if hint else "") + "; there are: nmi, irq"
            )

    def frame_end(self) -> int:
        """See Board: the cycle of the next read that sees vertical blank begin."""
        self.ppu.catch_up(self.region.read_dot(self.cycles))
        return self.ppu.frames.next_blank(self.cycles)

    def draw(self, objects: bool = True, window: bool = True) -> Screen:
        """See Board. ``indices`` are colours of the PPU (0..63); where emphasis was used, 64 more
        for each of its values in order, the least first. There is no window to leave out.

        Raises BoardError for more than four values of emphasis in a frame.
        """
        self.ppu.catch_up(self.region.read_dot(self.cycles))
        return screen_of(self.ppu.picture.shown(), self.region.swaps_emphasis, objects)

    def beam(self) -> tuple[int, int]:
        """See Board: line 0 is the first of the picture, the one before it is the last."""
        dot = self.region.read_dot(self.cycles)
        self.ppu.catch_up(dot)
        return self.ppu.frames.place(dot)

    def press(self, button: str, player: int = 0) -> None:
        """See Board: ``a``, ``b``, ``select``, ``start``, ``up``, ``down``, ``left``, ``right``."""
        self.controllers.press(button, player)

    def release(self, button: str, player: int = 0) -> None:
        """See Board."""
        self.controllers.release(button, player)

    def save(self) -> Any:
        """See Board."""
        engine, space = self.engine, self.space
        self._note_changes()
        self._packed.pack()
        return (
            bytes(space.store),
            copy_state(self._devices, self._shared),
            copy_state([space.signals]),
            self.registers.copy(),
            (engine.cycles, engine.instructions, engine.lowest_s),
        )

    def restore(self, saved: Any) -> None:
        """See Board."""
        store, devices, signals, registers, counters = saved
        engine, space = self.engine, self.space
        space.store[:] = store
        put_back(self._devices, devices, self._shared)
        put_back([space.signals], signals)
        self._packed.unpack()
        self.memory.again()
        space.horizon = min(clocked.due() for clocked in space.clocked)
        self.registers.set(registers)
        engine.cycles, engine.instructions, engine.lowest_s = counters
        self._seen = self.ppu.picture.remember()

    def _note_changes(self) -> None:
        """Let the picture know of memory that somebody has changed since the last run."""
        self.ppu.note_changes(self._seen, self.cycles)
        self._seen = self.ppu.picture.remember()

    def _make_video(self, chr: bytes, fill: int) -> VideoMemory:
        mapper, memory = self.memory.mapper, self.memory
        if isinstance(mapper, Mmc5):
            return Mmc5VideoMemory(mapper, chr, fill, self.space.store, memory.expansion)
        return VideoMemory(mapper, chr, fill)

    def _attach(self) -> None:
        ports = NesPorts(self.space, self.ppu, self.apu, self.controllers)
        self.space.attach(PPU, IO - 1, self.ppu)
        self.space.attach(IO, CARTRIDGE - 1, ports)
        self.space.steady = dict.fromkeys(range(PPU + 2, IO, 8), self.ppu)
        self.space.attach_clock(self.ppu)
        if isinstance(self.memory.mapper, Fme7):
            self.space.attach_clock(self.memory.mapper)
        self.space.attach_clock(self.apu)
        ppu = self.ppu
        self._packed = PackedPicture(ppu.picture)
        beam = ppu.picture.beam
        self._devices = (
            ppu, ppu.frames, *ppu.picture.parts, self._packed, *ppu.sprites.parts, self._video,
            self.apu, self.apu.dmc, self.controllers, self._line, self.memory.mapper,
            *([] if ppu.lines is None else [ppu.lines]),
        )  # fmt: skip
        self._shared: tuple[object, ...] = (
            self.space, self.space.signals, self.region, self.memory, self.memory.header,
            self.space.store, *self._video.rom,
            ppu.picture, beam.pixels, beam.under, beam.origins,
        )  # fmt: skip


def _region(name: str) -> Region:
    region = REGIONS.get(name)
    if region is None:
        hint = suggest(name, REGIONS)
        raise BoardError(
            f"no region '{name}'"
            + (f"; {hint}" if hint else "")
            + f"; there are: {', '.join(REGIONS)}"
        )
    return region


def _executable(has_expansion: bool) -> bytes:
    """Where code may be: RAM, cartridge, with the RAM in an MMC5."""
    first = EXPANSION if has_expansion else SAVE
    return b"\1" * PPU + bytes(first - PPU) + b"\1" * (SIZE - first)


def _protect(registers: tuple[int, int]) -> bytes:
    """Where writes are faults: ROM without registers."""
    first, end = registers
    rom = bytearray(PRG) + b"\1" * (SIZE - PRG)
    rom[first:end] = bytes(end - first)
    return bytes(rom)


DMA, STATUS, FIRST_PORT, SECOND_PORT = 0x4014, 0x4015, 0x4016, 0x4017
_DMA_CYCLES = 513


@fields()
class NesPorts(Chip):
    """The registers in the CPU's chip, at $4000 to $401F: sound, OAM DMA, controllers.

    OAM DMA is here: it stops the CPU for 513 cycles or 514.
    """

    def __init__(self, space: AddressSpace, ppu: Ppu, apu: Apu, controllers: Controllers) -> None:
        self._space, self._ppu, self._apu, self._controllers = space, ppu, apu, controllers

    def read(self, address: int, cycle: int) -> int:
        """Device: $4015, $4016 and $4017; the other registers cannot be read."""
        if address == STATUS:
            return self._apu.read(cycle)
        if address in (FIRST_PORT, SECOND_PORT):
            return self._controllers.read(address, cycle)
        return address >> 8  # the byte that was on the bus last

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        if address == DMA:
            self._ppu.dma(self._space, value, cycle)
            self._space.steal(_DMA_CYCLES + (cycle & 1), cycle, "OAM DMA")
        elif address == FIRST_PORT:
            self._controllers.write(value)
        elif address < 0x4018:
            self._apu.write(address, value, cycle)
