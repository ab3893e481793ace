"""The screen of a Game Boy, made of a drawn frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from romproof.engine.chips import read_array, write_array
from romproof.machine.board import BoardError
from romproof.machine.gameboy import line as at
from romproof.machine.gameboy.memory import VRAM as VRAM_ADDRESS
from romproof.machine.gameboy.model import Console
from romproof.machine.gameboy.picture.canvas import BANK, HEIGHT, OF_WINDOW, TALL, WIDTH
from romproof.machine.gameboy.picture.log import CAPACITY, IMAGE, OAM, REGISTERS, FrameLog, Frames
from romproof.machine.gameboy.picture.pixels import Pixels
from romproof.machine.gameboy.speed import Speed
from romproof.machine.screen import Cell, Color, PixelOrigins, Screen, ScreenObject

SHADES: tuple[Color, ...] = tuple((grey, grey, grey) for grey in (0xFF, 0xAA, 0x55, 0x00))
"""What test suites and emulators show a DMG's shades as."""
_LEFT, _ABOVE = 8, 16
"""How far an object's X and Y are to the right of and below its place on the screen."""


@dataclass(frozen=True, slots=True)
class RecordedFrame:
    """A frame as the log has it, taken out: see Frames. ``count`` is the number of entries of
    ``half``, ``entries`` are those of both."""

    half: int
    begin: int
    image: bytes
    count: int
    entries: bytes


class LcdPicture:
    """Draws what a log noted, when somebody looks. ``is_plain`` says whether Python draws, as it
    executes all else; otherwise compiled code does."""

    def __init__(
        self, log: FrameLog, speed: Speed, kind: Console, is_plain: Callable[[], bool]
    ) -> None:
        self._log, self._speed, self._kind, self._is_plain = log, speed, kind, is_plain
        self._palette = () if kind.is_cgb else SHADES
        self._drawing: _Drawing | None = None

    def draw(self, cycle: int, objects: bool, window: bool) -> Screen:
        """The frame that is complete in a cycle. Raises BoardError."""
        frames, size = self._log.frames, WIDTH * HEIGHT
        self._log.catch_up(self._speed.dot(cycle))
        if not frames.is_shown:
            colors = b"\xff\x7f" * size if self._kind.is_cgb else b""
            return Screen(WIDTH, HEIGHT, bytes(size), self._palette, colors)
        if frames.was_full:
            raise BoardError(
                f"no picture of this frame: the program wrote to the LCD's registers and memory "
                f"more than {CAPACITY:,} times while it was drawn"
            )
        half = 1 - frames.half
        count = frames.counts[half]
        frame = RecordedFrame(
            half,
            frames.begins[half],
            read_array(frames, "images", half * IMAGE, IMAGE),
            count,
            read_array(frames, "entries", 0, 2 * count),
        )
        pixels = self._drawn(frame, objects, window, explains=False)
        return Screen(
            WIDTH,
            HEIGHT,
            bytes(pixels.indices),
            self._palette,
            bytes(pixels.colors) if self._kind.is_cgb else b"",
            partial(self._explain, frame, objects, window),
        )

    def _drawn(self, frame: RecordedFrame, objects: bool, window: bool, explains: bool) -> Pixels:
        if self._drawing is None:
            self._drawing = _Drawing(self._kind, self._is_plain())
        frames, pixels = self._drawing.frames, self._drawing.pixels
        half = frame.half
        frames.begins[half], frames.counts[half] = frame.begin, frame.count
        write_array(frames, "images", half * IMAGE, frame.image)
        write_array(frames, "entries", 0, frame.entries)
        pixels.hides_objects, pixels.hides_window = not objects, not window
        pixels.explains = explains
        self._drawing.draw(half)
        return pixels

    def _explain(self, frame: RecordedFrame, objects: bool, window: bool) -> PixelOrigins:
        pixels = self._drawn(frame, objects, window, explains=True)
        known: dict[int, Cell | None] = {-1: None}
        for value in set(pixels.cells):
            if value >= 0:
                known[value] = _cell(value)
        cells = [known[value] for value in pixels.cells]
        return PixelOrigins(cells, list(pixels.owners), _objects(frame.image))


class _Drawing:
    """What a frame is drawn with: a log of its own, so that a frame can be drawn once more when
    the machine has gone on."""

    def __init__(self, kind: Console, is_plain: bool) -> None:
        self.frames = Frames()
        self.pixels = Pixels(self.frames, kind)
        self.draw: Callable[[int], object] = self.pixels.draw
        if not is_plain:
            from romproof.engine.llvm.chips.method import CompiledMethod  # few need it

            self.draw = CompiledMethod(self.pixels, "draw")


def _objects(image: bytes) -> tuple[ScreenObject, ...]:
    oam = image[OAM : OAM + at.OAM_SIZE]
    height = 16 if image[REGISTERS] & TALL else 8
    return tuple(
        ScreenObject(number, x - _LEFT, y - _ABOVE, tile, attributes, height)
        for number, (y, x, tile, attributes) in enumerate(_four(oam))
    )


def _four(oam: bytes) -> Iterator[tuple[int, int, int, int]]:
    """The four bytes of each object."""
    yield from zip(oam[::4], oam[1::4], oam[2::4], oam[3::4], strict=True)


def _cell(value: int) -> Cell:
    """See ``Pixels.cells``."""
    bank = int(bool(value >> 24 & BANK))
    is_window = bool(value & OF_WINDOW)
    return Cell(VRAM_ADDRESS + (value & 0x1FFF), value >> 16 & 0xFF, bank, is_window)
