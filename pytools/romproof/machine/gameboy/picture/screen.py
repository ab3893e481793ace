"""The screen of a Game Boy, made of a drawn frame."""

from __future__ import annotations

from collections.abc import Callable

from romproof.machine.board import BoardError
from romproof.machine.gameboy import line as at
from romproof.machine.gameboy.memory import VRAM as VRAM_ADDRESS
from romproof.machine.gameboy.model import Console
from romproof.machine.gameboy.picture.canvas import HEIGHT, WIDTH
from romproof.machine.gameboy.picture.log import CAPACITY, IMAGE, OAM, REGISTERS, FrameLog
from romproof.machine.gameboy.picture.pixels import Pixels
from romproof.machine.gameboy.speed import Speed
from romproof.machine.screen import Cell, Color, Layout, Screen, ScreenObject, colored

SHADES: tuple[Color, ...] = tuple((grey, grey, grey) for grey in (0xFF, 0xAA, 0x55, 0x00))
"""What test suites and emulators show a DMG's shades as."""
_BANK, _IN_WINDOW = 0x08, 1 << 32
_LEFT, _ABOVE = 8, 16
"""How far an object's X and Y are to the right of and below its place on the screen."""
_TALL = 0x04


class Picture:
    """Draws what a log noted, when somebody looks. ``is_plain`` says whether Python draws, as it
    executes all else; otherwise compiled code does."""

    def __init__(
        self, log: FrameLog, speed: Speed, kind: Console, is_plain: Callable[[], bool]
    ) -> None:
        self._log, self._speed, self._kind, self._is_plain = log, speed, kind, is_plain
        self._pixels = Pixels(log.frames, kind)
        self._palette = () if kind.is_cgb else SHADES
        self._compiled: Callable[[int], object] | None = None

    def draw(self, cycle: int, objects: bool, window: bool) -> Screen:
        """The frame that is complete in a cycle. Raises BoardError."""
        frames, size = self._log.frames, WIDTH * HEIGHT
        self._log.catch_up(self._speed.dot(cycle))
        if not frames.is_shown:
            return Screen(WIDTH, HEIGHT, bytes(size), b"\xff" * (3 * size), self._palette)
        if frames.was_full:
            raise BoardError(
                f"no picture of this frame: the program wrote to the LCD's registers and memory "
                f"more than {CAPACITY} times while it was drawn"
            )
        half = 1 - frames.half
        pixels = self._pixels
        pixels.hides_objects, pixels.hides_window = not objects, not window
        pixels.explains = True
        self._drawer()(half)
        indices = bytes(pixels.indices)
        rgb = self._of_color() if self._kind.is_cgb else colored(indices, SHADES)
        return Screen(WIDTH, HEIGHT, indices, rgb, self._palette, self._layout(half))

    def _drawer(self) -> Callable[[int], object]:
        if self._is_plain():
            return self._pixels.draw
        if self._compiled is None:
            from romproof.engine.llvm.chips.method import CompiledMethod  # few need it

            self._compiled = CompiledMethod(self._pixels, "draw")
        return self._compiled

    def _of_color(self) -> bytes:
        """Three bytes for each pixel: five bits of a colour become eight."""
        values = memoryview(bytes(self._pixels.colors)).cast("H")
        return b"".join(map(_RGB.__getitem__, values))

    def _layout(self, half: int) -> Layout:
        frames, pixels = self._log.frames, self._pixels
        known: dict[int, Cell | None] = {-1: None}
        for value in set(pixels.cells):
            if value >= 0:
                known[value] = _cell(value)
        oam = frames.images[half * IMAGE + OAM : half * IMAGE + OAM + at.OAM_SIZE]
        tall = frames.images[half * IMAGE + REGISTERS] & _TALL
        objects = tuple(
            ScreenObject(
                number,
                oam[4 * number + 1] - _LEFT,
                oam[4 * number] - _ABOVE,
                oam[4 * number + 2],
                oam[4 * number + 3],
                16 if tall else 8,
            )
            for number in range(at.OAM_SIZE // 4)
        )
        return Layout([known[value] for value in pixels.cells], list(pixels.owners), objects)


def _cell(value: int) -> Cell:
    """See ``Pixels.cells``."""
    bank = int(bool(value >> 24 & _BANK))
    is_window = bool(value & _IN_WINDOW)
    return Cell(VRAM_ADDRESS + (value & 0x1FFF), value >> 16 & 0xFF, bank, is_window)


def _expand(value: int) -> bytes:
    """Red, green and blue of a colour of 15 bits."""
    fives = (value & 31, value >> 5 & 31, value >> 10 & 31)
    return bytes(five << 3 | five >> 2 for five in fives)


_RGB = tuple(map(_expand, range(0x8000)))
