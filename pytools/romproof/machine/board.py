"""What is around a CPU, as tests see it: the part that all machines have in common.

A board owns an address space, the engine that runs in it and the devices attached to it. The
harness calls routines on one, whatever machine it is: flat memory, a Game Boy, an NES, a C64.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from romproof.engine.protocol import Engine, Observer, Stop
from romproof.engine.space import AddressSpace
from romproof.formats.errors import BadImage
from romproof.machine.screen import Screen
from romproof.machine.video import VideoWrites
from romproof.text.errors import BadInput, RomproofError


class BoardError(BadInput):
    """A machine has no such bank, button, interrupt or picture."""


class BadBoard(RomproofError):
    """An image is for a board that is not emulated, or says what no board is."""


class UnknownMapper(BadBoard, BadImage):
    """A cartridge of the NES is for a mapper that is not emulated."""


@dataclass(frozen=True, slots=True)
class Window:
    """Addresses at which one of several banks is in sight.

    ``kind`` is how the areas of these banks are called: ``ROMX`` for ``ROMX[2]``. An area of just
    that name is bank ``first``.
    """

    addresses: range
    kind: str
    first: int = 0


@dataclass(frozen=True, slots=True)
class InBank:
    """A bank of one of a board's windows, by the window's number: where a place is that is not in
    sight at all times."""

    window: int
    bank: int

    def is_shown(self, board: Board) -> bool:
        """Whether the bank is in sight now."""
        return board.banks()[self.window] == self.bank


class Board(Protocol):
    """A machine with a program in it. Cycles are those of its CPU.

    ``name`` is what manifests call the machine. ``windows`` are where it shows banks, in the order
    in which ``banks`` lists them. ``interrupts`` and ``buttons`` are the names that
    ``interrupt`` and ``press`` know, none where there are none. ``executable`` and ``protected``
    have a byte for each address: nonzero where code may be, and where a write is a fault (not
    where it reaches a bank register). ``nowhere`` is an address where no code ever is: a called
    routine returns to it. ``ports`` are ranges of addresses, the end not included, where a read
    may bring something else each time. ``video`` judges writes to video memory; None where these
    may come at any time. ``program`` is what the memory in saved states begins with and files of
    states leave out, nothing where that is RAM.
    """

    name: str
    space: AddressSpace
    engine: Engine
    windows: Sequence[Window]
    interrupts: Collection[str]
    buttons: Collection[str]
    executable: bytes
    protected: bytes
    nowhere: int
    ports: Sequence[tuple[int, int]]
    left_out: Collection[str]
    program: bytes
    video: VideoWrites | None

    def start(self) -> None:
        """Let the CPU be where the machine begins: registers as after its reset or boot ROM."""

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """As Engine.run(), with what the machine does besides: cycles that its DMA takes from the
        CPU, calls of routines that it has built in."""

    def peek(self, address: int) -> int:
        """What the CPU would read there now; nothing changes by it."""

    def poke(self, address: int, value: int) -> None:
        """Change the memory in sight at an address, read-only memory too; no device notices."""

    def mirrors(self, address: int) -> Collection[int]:
        """All addresses at which the same byte or register is to be found, this one included."""

    def banks(self) -> tuple[int, ...]:
        """The bank in sight in each of ``windows``; -1 for none."""

    def select(self, window: int, bank: int) -> None:
        """Show a bank in one of ``windows``, as the program would do it by the bank registers.

        Raises BoardError when there is no such bank, or when it cannot be shown there.
        """

    def tell_banks(self, callback: Callable[[int, Sequence[int]], None]) -> None:
        """Call back with -1 and the banks in sight now, and with the cycle when that changes."""

    def interrupt(self, name: str) -> None:
        """Ask for an interrupt, as the device does that has this line. Raises BoardError for a
        name that is not among ``interrupts``."""

    def frame_end(self) -> int:
        """The cycle in which the vertical blank begins next. Raises BoardError without a
        picture."""

    def draw(self, objects: bool = True, window: bool = True) -> Screen:
        """The last complete frame, with or without its objects (sprites) and its window. Raises
        BoardError on a machine whose picture is not drawn."""

    def beam(self) -> tuple[int, int]:
        """The line of the picture, and the dot in it, in which the CPU would read now; lines are
        numbered as the machine does it. Raises BoardError without a picture."""

    def press(self, button: str, player: int = 0) -> None:
        """Hold down a button. Raises BoardError for a name that is not among ``buttons``."""

    def release(self, button: str, player: int = 0) -> None:
        """Let go of a button. Raises BoardError."""

    def save(self) -> Any:
        """All of the machine's state: memory, banks, devices, registers, cycles."""

    def restore(self, saved: Any) -> None:
        """Be again what ``save`` has seen. Devices that a test attached are not among it."""
