"""A whole C64, to be run from Python."""

from __future__ import annotations

from collections.abc import Callable, Collection, MutableMapping, Sequence
from copy import copy
from dataclasses import dataclass

from romproof.engine.engines import DEFAULT_ENGINE, NoSuchEngine, make_engine
from romproof.engine.protocol import Engine, EngineFault, FaultKind, Observer, Stop
from romproof.engine.registers import Registers
from romproof.engine.space import SIZE, AddressSpace, Signals
from romproof.machine.board import BoardError, Window
from romproof.machine.c64 import calls, petscii, rom
from romproof.machine.c64.cia import FROM_A, Cia, Nothing
from romproof.machine.c64.kernal import Kernal
from romproof.machine.c64.keyboard import BUTTONS, RESTORE, Keyboard, check_button
from romproof.machine.c64.lines import C64Lines
from romproof.machine.c64.memory import COLOUR, COLOUR_END, IO, IO_END, C64Memory, ColourRam
from romproof.machine.c64.program import blocks_of, start_of
from romproof.machine.c64.region import region_named
from romproof.machine.c64.sid import Sid
from romproof.machine.c64.vic import Vic
from romproof.machine.saved import SavedDevices, copy_state, put_back
from romproof.machine.screen import Screen
from romproof.machine.video import VideoWrites
from romproof.program.image import Block
from romproof.text.errors import BadInput

FILL = 0x5A
"""What memory holds that nobody wrote to: on the machine it is random."""
NOT_EMULATED = (
    "the picture, sprites and their collisions",
    "the cycles that bad lines and sprites take from the CPU",
    "sound",
    "the time of day, the serial registers and the pin CNT of the CIAs",
    "ROMs: only the KERNAL's documented calls are available, without those for the serial bus",
    "drives other than 8, tape, printers, RS-232, cartridges",
)
"""What a program will not find."""
_RETURN_TO = 0x0001
"""The processor port: no program has code there."""
_STACK = 0xFB
"""The stack pointer when BASIC starts (its cold start at $E394 in c64ref's disassemblies)."""
_RTS_CYCLES = 6
_REPEATED = (
    (0xD000, 0xD400, 0x40),
    (0xD400, 0xD800, 0x20),
    (0xDC00, 0xDD00, 16),
    (0xDD00, 0xDE00, 16),
)
"""Where chips repeat in the I/O area: from, to, and after how many bytes."""


@dataclass(frozen=True, slots=True)
class Saved:
    """All of a machine's state."""

    store: bytes
    devices: SavedDevices
    registers: Registers
    counts: tuple[int, int, int]
    signals: Signals


class C64:
    """A C64 with a program in its RAM, as the KERNAL's initialisation leaves it; see ``Board``.

    ``program`` is a .prg with its load address, or blocks. ``fill`` (0..255) is what other RAM
    holds. ``region`` is ``pal``, ``ntsc`` or ``ntsc-old``. Times are in cycles of the CPU.

    CIA 1's timer does not run before ``start`` or the program lets it. ``interrupt("irq")`` is
    the event of this timer, ``interrupt("raster")`` that of the raster line: what comes of it is
    a matter of $DC0D and $D01A, as on the machine. ``interrupt("nmi")`` is the RESTORE key.
    ``poke`` reaches the RAM beneath ROMs and I/O, which is where the program's writes go, the
    processor port and colour RAM.

    Raises BadProgram, BoardError, NoSuchEngine and MissingExtra.
    """

    name = "c64"
    windows: Sequence[Window] = ()
    interrupts: Collection[str] = ("irq", "raster", "nmi")
    buttons: Collection[str] = BUTTONS
    nowhere = _RETURN_TO
    ports: Sequence[tuple[int, int]] = ((IO, COLOUR), (COLOUR_END, IO_END))
    left_out: Collection[str] = ()
    program = b""
    video: VideoWrites | None = None  # the VIC and the CPU take turns

    def __init__(
        self,
        program: bytes | Sequence[Block],
        engine: str = DEFAULT_ENGINE,
        fill: int = FILL,
        region: str = "pal",
    ) -> None:
        if engine == "py65":
            raise NoSuchEngine(
                "the engine 'py65' cannot run a C64: it supports no interrupts and does not "
                "know the cycle of a read within an instruction; use 'llvm' or 'plain'"
            )
        if not 0 <= fill <= 0xFF:
            raise BadInput(f"the fill byte {fill} is not within 0..255")
        blocks = blocks_of(program)
        self.memory = C64Memory(fill)
        self.space: AddressSpace = self.memory.space
        self._region = region_named(region)
        self._start = start_of(blocks)
        self._attach(fill)
        self.kernal.prepare()
        protected = bytearray(SIZE)
        for block in blocks:
            end = block.address + len(block.data)
            self.space.store[block.address : end] = block.data
            if not block.writable:
                protected[block.address : end] = b"\1" * len(block.data)
        self.executable = bytes(2) + b"\1" * (SIZE - 2)
        self.protected = bytes(protected)
        self.engine: Engine = make_engine(engine, "mos6502", self.space)

    @property
    def registers(self) -> Registers:
        """The CPU's registers; change them only between runs."""
        registers = self.engine.registers
        assert isinstance(registers, Registers)
        return registers

    @property
    def cycles(self) -> int:
        """Cycles since the machine was made."""
        return self.engine.cycles

    @property
    def screen(self) -> bytes:
        """What CHROUT wrote to the screen so far, in PETSCII."""
        return bytes(self.kernal.screen)

    @property
    def text(self) -> str:
        """The same as text: see ``romproof.machine.c64.petscii.to_text``."""
        return petscii.to_text(self.screen)

    @property
    def files(self) -> MutableMapping[str, bytes]:
        """The files of drive 8 by name, a program with its load address; to be changed between
        runs."""
        return self.kernal.files.disk

    @property
    def sid(self) -> bytes:
        """What was written to the SID's 25 registers last."""
        return bytes(self._sid.registers)

    def type(self, text: str | bytes) -> None:
        """Type something: text (a line's end is RETURN) or PETSCII. The KERNAL's buffer takes ten
        characters, what does not fit comes when there is room. Raises BoardError."""
        if isinstance(text, str):
            try:
                text = petscii.from_text(text)
            except ValueError as error:
                raise BoardError(f"{error}: this text cannot be typed on a C64") from None
        self.kernal.type(text)

    def start(self) -> None:
        """As after RUN: CIA 1's timer interrupts, and ``rts`` leads to ``nowhere``."""
        self.kernal.cycle = self.cycles
        self.kernal.start_clock()
        self.space.advance(self.cycles)
        return_to = (self.nowhere - 1).to_bytes(2, "little")
        self.space.store[0x100 + _STACK - 1 : 0x100 + _STACK + 1] = return_to
        self.registers.set(Registers(s=_STACK - 2, p=0x20, pc=self._start))

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """See Board. The KERNAL's calls are performed when the CPU comes to them; ``observer`` is
        told of their cycles as of a CPU that waits. Raises EngineFault, also for code in ROMs."""
        end = self.cycles + limit
        wanted = set(until)
        stops = wanted | calls.HANDLERS.keys() | {self.nowhere}
        while True:
            self._call(observer)
            try:
                stop = self.engine.run(stops, max(end - self.cycles, 1), observer)
            except EngineFault as fault:
                raise self._explain(fault) from None
            pc = self.registers.pc
            if stop is not Stop.REACHED or pc in wanted:
                return stop
            if pc == self.nowhere:
                raise self._fault(pc, "the program returned to BASIC, which is not available")
            if self.cycles >= end:
                return Stop.LIMIT

    def peek(self, address: int) -> int:
        """See Board."""
        return self.memory.peek(address, self.cycles)

    def poke(self, address: int, value: int) -> None:
        """See Board, and the class."""
        if address < 2:
            self.memory.port.write(address, value, self.cycles)
        elif COLOUR <= address < COLOUR_END and self.memory.io_in_sight:
            self._colours.write(address, value, self.cycles)
        else:
            self.space.store[address] = value

    def mirrors(self, address: int) -> Collection[int]:
        """See Board: registers are to be found again in the 1 KiB of the VIC and of the SID, and in
        the page of a CIA."""
        for first, end, size in _REPEATED:
            if first <= address < end:
                return range(first + (address - first) % size, end, size)
        return (address,)

    def banks(self) -> tuple[int, ...]:
        """See Board: nothing that programs have is in banks."""
        return ()

    def select(self, window: int, bank: int) -> None:
        """Raises BoardError: what is in sight is a matter of ``poke(1, ...)``."""
        raise BoardError("a C64 has no program banks; poke(1, value) sets the processor port")

    def tell_banks(self, callback: Callable[[int, Sequence[int]], None]) -> None:
        """See Board: there are none to tell of."""
        callback(-1, ())

    def interrupt(self, name: str) -> None:
        """See Board, and the class."""
        if name not in self.interrupts:
            raise BoardError(
                f"no interrupt '{name}' of a C64; there are: {', '.join(self.interrupts)}"
            )
        if name == "nmi":
            self._lines.pulse_nmi(self.cycles)
        elif name == "irq":
            self._cia1.request(FROM_A, self.cycles)
        else:
            self._vic.request(self.cycles)
        self.space.advance(self.cycles)

    def frame_end(self) -> int:
        """See Board."""
        return self._vic.frame_end(self.cycles)

    def draw(self, objects: bool = True, window: bool = True) -> Screen:
        """See Board."""
        raise BoardError("pictures of the C64 are not drawn")

    def beam(self) -> tuple[int, int]:
        """See Board. A cycle of the CPU has eight dots."""
        return self._vic.beam(self.cycles)

    def press(self, button: str, player: int = 0) -> None:
        """Hold down a key or a direction of a joystick: player 0 has control port 2, player 1
        port 1. ``restore`` is NMI. Raises BoardError."""
        check_button(button, player)
        if button == RESTORE:
            self.interrupt("nmi")
        else:
            self.kernal.keyboard.press(button, player)

    def release(self, button: str, player: int = 0) -> None:
        """See Board."""
        self.kernal.keyboard.release(button, player)

    def save(self) -> Saved:
        """See Board."""
        engine = self.engine
        return Saved(
            bytes(self.space.store),
            copy_state(self._devices, self._shared),
            self.registers.copy(),
            (engine.cycles, engine.instructions, engine.lowest_s),
            copy(self.space.signals),
        )

    def restore(self, saved: Saved) -> None:
        """See Board."""
        engine, signals = self.engine, self.space.signals
        self.space.store[:] = saved.store
        put_back(self._devices, saved.devices, self._shared)
        self.memory.switch()
        self.registers.set(saved.registers)
        engine.cycles, engine.instructions, engine.lowest_s = saved.counts
        signals.irq_from, signals.nmi_at = saved.signals.irq_from, saved.signals.nmi_at
        self.space.advance(engine.cycles)

    def _attach(self, fill: int) -> None:
        """Make the chips and connect them."""
        memory, space = self.memory, self.space
        self._lines = C64Lines(space.use_signals())
        keyboard = Keyboard()
        self._vic = Vic(self._lines, self._region)
        self._sid = Sid()
        self._colours = ColourRam(fill)
        self._cia1 = Cia("cia1", self._lines, keyboard, nmi=False)
        self._cia2 = Cia("cia2", self._lines, Nothing(), nmi=True)
        chips = ((0xD0, 4, self._vic), (0xD4, 4, self._sid), (0xD8, 4, self._colours),
                 (0xDC, 1, self._cia1), (0xDD, 1, self._cia2))  # fmt: skip
        for first, pages, chip in chips:
            memory.chips.update(dict.fromkeys(range(first, first + pages), chip))
        for clocked in (self._vic, self._cia1, self._cia2):
            space.attach_clock(clocked)
        self.kernal = Kernal(memory, keyboard, self._region)
        self.kernal.reset_chips()
        memory.store_byte(0xDC0E, 0, 0)  # the timer starts with the program
        cias = (self._cia1, self._cia2)
        self._devices = (memory.port, self._lines, self._vic, self._sid, self._colours, keyboard,
                         self.kernal, *cias, *(t for cia in cias for t in cia.timers))  # fmt: skip
        self._shared = (memory, space, space.store, space.signals, self._region)

    def _call(self, observer: Observer | None) -> None:
        """Perform the KERNAL's call at which the CPU is; unless an interrupt comes first."""
        registers = self.registers
        pc = registers.pc
        in_sight = pc in calls.HANDLERS and self.memory.kernal_in_sight
        if not in_sight or registers.interrupt:
            return
        cycles = calls.act(self.kernal, pc, registers, self.cycles) - _RTS_CYCLES
        if cycles > 0:
            self.engine.cycles += cycles
            self.space.advance(self.cycles)
            if observer is not None:
                observer.instruction(pc, -1, cycles, registers.s, pc)

    def _explain(self, fault: EngineFault) -> EngineFault:
        """A fault in ROM, as what it is: there is none."""
        shown = self.memory.rom_at(fault.address)
        if shown is None or fault.kind is not FaultKind.JAM:
            return fault
        name = rom.name_of(fault.address)
        called = f" ({name})" if name else ""
        return self._fault(
            fault.address,
            f"{{at}}{called} is in the {shown} ROM, where only the KERNAL's documented calls "
            f"are available, without those for the serial bus; switch the ROM off, or use the "
            f"jump table at $FF81",
        )

    def _fault(self, address: int, sentence: str) -> EngineFault:
        byte = self.space.peek(address)
        return EngineFault(FaultKind.OUTSIDE, self.engine.name, address, byte, sentence)
