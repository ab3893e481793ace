"""The Game Boy as a board: what tests need of it besides running."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from romproof.engine.engines import DEFAULT_ENGINE
from romproof.engine.protocol import Observer, Stop
from romproof.formats.layout import GameBoyModel
from romproof.machine.board import BoardError, Window
from romproof.machine.flat import check_name
from romproof.machine.gameboy import boot
from romproof.machine.gameboy.interrupts import Interrupt
from romproof.machine.gameboy.joypad import BUTTONS
from romproof.machine.gameboy.machine import FILL, GameBoy
from romproof.machine.gameboy.memory import (
    CARTRIDGE_RAM,
    ECHO,
    OAM,
    ROM_HIGH,
    ROM_LOW,
    VRAM,
    WRAM,
    WRAM_HIGH,
)
from romproof.machine.gameboy.video_writes import GameBoyVideoWrites
from romproof.machine.gameboy.vramdma import LAST as START
from romproof.machine.saved import copy_state, put_back
from romproof.machine.screen import Screen
from romproof.machine.video import VideoWrites

WINDOWS = (
    Window(range(ROM_LOW, ROM_HIGH), "ROM0"),
    Window(range(ROM_HIGH, VRAM), "ROMX", first=1),
    Window(range(CARTRIDGE_RAM, WRAM), "SRAM"),
)
"""Where cartridges show their banks, in the order of Memory's ``banks``."""
_COLOR_WINDOWS = (
    Window(range(VRAM, CARTRIDGE_RAM), "VRAM"),
    Window(range(WRAM_HIGH, ECHO), "WRAMX", first=1),
)
_SIZE = 0x10000
_UNUSABLE, _HRAM = 0xFEA0, 0xFF80
"""Between them is no memory: nothing, and the I/O registers."""
_INTERRUPTS = {line.name.lower(): line for line in Interrupt if line.name is not None}


def windows_of(machine: GameBoy) -> tuple[Window, ...]:
    """Where a Game Boy shows banks: the cartridge's, and those of a Color that uses colours."""
    return (*WINDOWS, *_COLOR_WINDOWS) if machine.kind.in_color else WINDOWS


class GameBoyBoard:
    """A Game Boy with a cartridge in it; see Board and GameBoy.

    A write to ROM reaches the cartridge's controller and is no fault, unless there is none.
    ``machine`` is the Game Boy itself. Raises BadCartridge, NoSuchEngine, MissingExtra.
    """

    name = "gameboy"
    interrupts: Collection[str] = tuple(_INTERRUPTS)
    buttons: Collection[str] = tuple(BUTTONS)
    nowhere = 0xFEFF  # nothing is at $FEA0..$FEFF on any Game Boy
    ports: Sequence[tuple[int, int]] = ((0xFF00, 0xFF80), (0xFFFF, 0x10000))
    left_out: Collection[str] = ()
    program = b""

    def __init__(
        self,
        rom: bytes,
        engine: str = DEFAULT_ENGINE,
        fill: int = FILL,
        model: GameBoyModel | str | None = None,
    ) -> None:
        self._use(GameBoy(rom, engine, fill, model))
        self.machine.on_board = True

    @classmethod
    def around(cls, machine: GameBoy) -> GameBoyBoard:
        """A Game Boy that is there already as a board, to be asked; it is run by whoever made
        it."""
        board = cls.__new__(cls)
        board._use(machine)
        return board

    def _use(self, machine: GameBoy) -> None:
        self.machine = machine
        self.engine = self.machine.engine
        self.windows: Sequence[Window] = windows_of(machine)
        self.space = self.machine.memory.space
        self.executable = b"\1" * _UNUSABLE + bytes(_HRAM - _UNUSABLE) + b"\1" * (_SIZE - _HRAM)
        has_controller = self.machine.memory.header.equipment.chip is not None
        self.protected = bytes(_SIZE) if has_controller else b"\1" * VRAM + bytes(_SIZE - VRAM)
        self.video: VideoWrites | None = GameBoyVideoWrites(
            machine.lines, machine.kind, lambda: machine.peek(START)
        )
        self._changed_rom: dict[int, int] = {}
        """Places in the store that ``poke`` has changed in ROM, with the bytes of the cartridge."""

    def start(self) -> None:
        """See Board."""
        self.machine.registers.set(boot.registers(self.machine.memory.header, self.machine.kind))

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """See Board."""
        return self.machine.run(limit, until, observer)

    def peek(self, address: int) -> int:
        """See Board."""
        return self.machine.peek(address)

    def poke(self, address: int, value: int) -> None:
        """See Board. What is written to an I/O register goes to it, as there is no memory."""
        space = self.space
        if any(first <= address < end for first, end in self.ports):
            space.write_call(address, value, self.engine.cycles)
            return
        place = space.read_pages[address >> 8] + (address & 0xFF)
        if place < self._rom_size:
            self._changed_rom.setdefault(place, space.store[place])
        space.store[place] = value
        if VRAM <= address < CARTRIDGE_RAM:
            self.machine.lines.note_vram(address, value, self.engine.cycles)
        elif OAM <= address < _UNUSABLE:
            self.machine.lines.note_oam(address - OAM, value, self.engine.cycles)

    def mirrors(self, address: int) -> Collection[int]:
        """See Board: work RAM can be seen twice."""
        if WRAM <= address < WRAM + OAM - ECHO:
            return (address, address - WRAM + ECHO)
        if ECHO <= address < OAM:
            return (address - ECHO + WRAM, address)
        return (address,)

    def banks(self) -> tuple[int, ...]:
        """See Board."""
        return self.machine.memory.banks_in_sight()

    def select(self, window: int, bank: int) -> None:
        """See Board."""
        if self.banks()[window] == bank:
            return
        memory, kind = self.machine.memory, self.windows[window].kind
        count = memory.bank_counts()[window]
        if not 0 <= bank < count:
            raise BoardError(f"the cartridge has no bank {bank} of {kind}; it has {count}")
        memory.choose(window, bank, self.engine.cycles)
        if self.banks()[window] != bank:
            raise BoardError(
                f"the cartridge's controller cannot select bank {bank} at "
                f"${self.windows[window].addresses[0]:04X}"
            )

    def tell_banks(self, callback: Callable[[int, Sequence[int]], None]) -> None:
        """See Board."""
        self.machine.memory.tell_banks(callback)

    def interrupt(self, name: str) -> None:
        """See Board. Whether it is served is up to IE and IME."""
        check_name("interrupt", name, self.interrupts, self.name)
        self.space.signals.requested |= _INTERRUPTS[name]

    def frame_end(self) -> int:
        """See Board. While the screen is off, when it would begin."""
        return self.machine.lines.next_vblank(self.engine.cycles)

    def draw(self, objects: bool = True, window: bool = True) -> Screen:
        """See Board."""
        return self.machine.draw(objects, window)

    def beam(self) -> tuple[int, int]:
        """See Board. While the screen is off it stays at the begin of the picture."""
        lines = self.machine.lines
        return lines.place(self.engine.cycles) if lines.is_on else (0, 0)

    def press(self, button: str, player: int = 0) -> None:
        """See Board."""
        check_name("button", button, self.buttons, self.name)
        self.machine.press(button)

    def release(self, button: str, player: int = 0) -> None:
        """See Board."""
        check_name("button", button, self.buttons, self.name)
        self.machine.release(button)

    def save(self) -> Any:
        """See Board."""
        space, engine = self.space, self.engine
        return (
            bytes(memoryview(space.store)[self._rom_size :]),
            {place: space.store[place] for place in self._changed_rom},
            space.read_pages[:],
            space.write_pages[:],
            copy_state(self._stateful, self._shared),
            space.horizon,
            engine.registers.copy(),
            engine.cycles,
            self.machine.stopped,
        )

    def restore(self, saved: Any) -> None:
        """See Board."""
        space, engine = self.space, self.engine
        ram, rom, read_pages, write_pages, devices, horizon, registers, cycles, off = saved
        memoryview(space.store)[self._rom_size :] = ram
        for place in rom:  # may have been changed on another machine
            self._changed_rom.setdefault(place, space.store[place])
        for place, original in self._changed_rom.items():
            space.store[place] = rom.get(place, original)
        space.read_pages[:], space.write_pages[:] = read_pages, write_pages
        put_back(self._stateful, devices, self._shared)
        self.machine.vram.close()
        self.machine.bus.settle()
        space.horizon = horizon
        engine.registers.set(registers)
        engine.cycles = cycles
        self.machine.stopped = off

    @property
    def _rom_size(self) -> int:
        return self.machine.memory.header.rom_size

    @property
    def _stateful(self) -> tuple[object, ...]:
        return (*self.machine.stateful, *self.machine.memory.stateful, self.space.signals)

    @property
    def _shared(self) -> tuple[object, ...]:
        return (self.space, self.space.store, self.machine, self.engine)
