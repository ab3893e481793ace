"""What the lines that are drawn do: to pixels, to the PPU's address and to the flags of sprites."""

from __future__ import annotations

from random import Random

import pytest
from nes_programs import image, nes_with

from romproof.engine.space import NEVER
from romproof.machine.board import BoardError
from romproof.machine.nes.colors import decoded_palette, read_palette
from romproof.machine.nes.machine import Nes
from romproof.machine.nes.picture import log as kinds
from romproof.machine.nes.picture.beam import Beam
from romproof.machine.nes.picture.evaluation import Evaluation
from romproof.machine.nes.picture.log import PictureLog
from romproof.machine.nes.picture.picture import FrameShown
from romproof.machine.nes.picture.replay import SIZE, WIDTH
from romproof.machine.nes.picture.screen import screen_of
from romproof.machine.nes.regions import DOTS, REGIONS
from romproof.machine.nes.scroll import Scroll
from romproof.text.errors import BadInput

NTSC = REGIONS["ntsc"]
BOTH = 0x1E
"""$2001: background and sprites, also at the left edge."""


class Memory:
    """What the PPU sees, where each test puts something."""

    def __init__(self) -> None:
        self.chr = bytearray(0x2000)
        self.vram = bytearray(0x800)
        self.palette = bytearray(range(0x20))
        self.oam = bytearray([0xFF]) * 0x100

    def beam(self, mask: int = BOTH, control: int = 0, v: int = 0) -> Beam:
        """A beam in front of line 0, with both nametables side by side."""
        evaluation = Evaluation()
        evaluation.oam[:] = list(self.oam)
        beam = Beam(NTSC, PictureLog(), evaluation, self.chr, self.vram, self.palette, True)
        beam.patterns[:] = range(0, 0x2000, 0x400)
        beam.nametables[:] = [0, 0x400, 0, 0x400]
        beam.mask, beam.control, beam.v, beam.t = mask, control, v, v
        beam.was_shown = beam.is_shown = bool(mask & 0x18)
        return beam

    def tile(self, number: int, rows: bytes) -> None:
        """The pattern of a tile: eight bytes of its low bits, and of its high ones."""
        self.chr[16 * number : 16 * number + 16] = rows.ljust(16, b"\0")


def line_of(beam: Beam, line: int) -> bytes:
    """The pixels of a line, when all before it and itself are drawn."""
    beam.run((line + 1) * DOTS)
    return bytes(beam.pixels[line * WIDTH : (line + 1) * WIDTH])


def test_the_background_is_tiles_with_palettes() -> None:
    memory = Memory()
    memory.tile(1, b"\x80" * 8 + b"\x01" * 8)
    memory.vram[2] = 1  # the third tile of the first row
    memory.vram[0x3C0] = 0x0C  # its palette, 3
    line = line_of(memory.beam(), 2)
    assert line[16:24] == bytes([13, 0, 0, 0, 0, 0, 0, 14])
    assert set(line[:16] + line[24:]) == {0}


def test_fine_x_moves_the_picture_to_the_left() -> None:
    memory = Memory()
    memory.tile(1, b"\x80" * 8)
    memory.vram[2] = 1
    beam = memory.beam()
    beam.fine_x = 3
    assert line_of(beam, 2)[13] == 1


def test_grey_keeps_the_column_of_greys_and_emphasis_is_kept_beside() -> None:
    memory = Memory()
    memory.palette[0] = 0x21
    beam = memory.beam(mask=BOTH | 0x41)
    assert set(line_of(beam, 1)) == {0x20}
    assert set(beam.origins[WIDTH : 2 * WIDTH]) == {2}


@pytest.mark.parametrize(
    ("attributes", "behind", "shown"),
    [(0x00, 0, 0x11), (0x01, 0, 0x15), (0x00, 1, 0x11), (0x20, 0, 0x11), (0x20, 1, 0x01)],
)
def test_a_sprite_is_before_or_behind_the_background(
    attributes: int, behind: int, shown: int
) -> None:
    memory = Memory()
    memory.tile(1, b"\xff" * 8)
    memory.tile(2, b"\x80" * 8)
    memory.vram[:0x3C0] = bytes([behind]) * 0x3C0
    memory.oam[4:8] = bytes([1, 2, attributes, 80])
    assert line_of(memory.beam(), 2)[80] == shown


def test_a_mirrored_sprite_and_one_of_sixteen_lines() -> None:
    memory = Memory()
    memory.tile(2, b"\x80" + bytes(7))
    memory.tile(3, bytes(7) + b"\x01")
    memory.oam[:4] = bytes([0, 2, 0xC0, 80])
    line = line_of(memory.beam(control=0x20), 1)
    assert [x for x, pixel in enumerate(line) if pixel] == [80]  # the last row of the second tile
    assert not any(line_of(memory.beam(), 1))  # of one tile the last row is empty


def test_the_left_edge_is_hidden_when_wanted() -> None:
    memory = Memory()
    memory.tile(1, b"\xff" * 8)
    memory.vram[:0x3C0] = bytes([1]) * 0x3C0
    memory.oam[:4] = bytes([1, 1, 0, 4])
    assert line_of(memory.beam(mask=0x1C), 2)[:10] == bytes([0, 0, 0, 0] + 4 * [0x11] + [17, 17])
    assert line_of(memory.beam(mask=0x1A), 2)[:10] == bytes(8 * [1] + [0x11] * 2)


def test_while_lines_are_not_drawn_v_shows_a_colour_of_the_palette() -> None:
    memory = Memory()
    assert set(line_of(memory.beam(mask=0), 1)) == {0}
    assert set(line_of(memory.beam(mask=0, v=0x3F07), 1)) == {7}


def test_a_write_in_a_line_shows_from_its_dot_on() -> None:
    memory = Memory()
    beam = memory.beam(mask=0, v=0)
    beam.log.note(kinds.MASK, 0, 0x80, DOTS + 100)
    line_of(beam, 1)
    assert bytes(beam.origins[WIDTH : 2 * WIDTH]) == bytes(100) + bytes([4]) * 156


def scene(seed: int) -> tuple[Memory, Random]:
    """Memory in which much meets in the first lines."""
    random = Random(seed)
    memory = Memory()
    memory.chr[:] = random.randbytes(0x2000)
    memory.vram[:] = random.randbytes(0x800)
    memory.palette[:] = bytes(random.randrange(0x40) for _ in range(0x20))
    for sprite in range(64):
        y = random.randrange(16) if sprite < 14 else 0xFF
        memory.oam[4 * sprite : 4 * sprite + 4] = bytes([y]) + random.randbytes(3)
    return memory, random


def state_of(beam: Beam) -> dict[str, object]:
    """All that must be the same."""
    names = ("v", "t", "hit", "line", "column", "reached", "_bus", "_low_bits", "_high_bits")
    search = beam.evaluation
    return {name: getattr(beam, name) for name in names} | {
        "pixels": bytes(beam.pixels[:SIZE]),
        "origins": bytes(beam.origins[:SIZE]),
        "units": bytes(beam.units),
        "found": bytes(search.found),
        "search": (search.place, search.address, search.overflow, search.zero),
    }


@pytest.mark.parametrize("seed", range(4))
def test_whole_lines_are_what_dots_are(seed: int) -> None:
    states = []
    for by_dots in (False, True):
        memory, random = scene(seed)
        control, mask = random.choice((0x00, 0x08, 0x10, 0x20)), random.choice((0x1E, 0x18, 0x1F))
        beam = memory.beam(mask, control, random.randrange(0x8000))
        beam.fine_x, beam.by_dots = random.randrange(8), by_dots
        for dot in sorted(random.randrange(12 * DOTS) for _ in range(3)):
            kind = random.choice((kinds.CONTROL, kinds.SCROLL, kinds.MASK, kinds.ADDRESS))
            beam.log.note(kind, 0x20, random.choice((control, 0x1E, 0, 0xFF)), dot)
        beam.run(12 * DOTS)
        states.append(state_of(beam))
    assert states[0] == states[1]


def test_v_moves_as_dot_by_dot() -> None:
    random = Random(1)
    for _ in range(20):
        beam = Memory().beam(v=random.randrange(0x8000))
        beam.t, beam.by_dots = random.randrange(0x8000), True
        scroll = Scroll(NTSC)
        first, last = sorted(random.randrange(4 * DOTS) for _ in range(2))
        beam.run(first)
        scroll.v, scroll.t, scroll.at = beam.v, beam.t, first
        beam.run(last)
        scroll.follow(last, 0, True)
        assert scroll.v == beam.v, (first, last)


@pytest.mark.slow
def test_v_goes_through_a_frame_as_dot_by_dot() -> None:
    for t in (0x0000, 0x2FBE, 0x73C5, 0x7FFF):
        beam, scroll = Memory().beam(v=t), Scroll(NTSC)
        scroll.v = scroll.t = t
        for dot in (241 * DOTS, 261 * DOTS + 290, 262 * DOTS + 5000, 500 * DOTS):
            beam.run(dot)
            begin = 0 if dot < 240 * DOTS else 262 * DOTS
            if dot > 240 * DOTS and scroll.at < 240 * DOTS:
                scroll.follow(240 * DOTS, 0, True)
            scroll.follow(dot, begin, True)
            assert scroll.v == beam.v, (hex(t), dot)


@pytest.mark.parametrize("seed", range(4))
def test_flags_are_worked_out_as_the_beam_sets_them(seed: int) -> None:
    memory, random = scene(seed)
    memory.oam[0] = random.randrange(4)
    control, mask = random.choice((0x00, 0x18, 0x20)), random.choice((0x1E, 0x18))
    nes = Nes(image(chr=1), "plain")
    nes.ppu.chr[:], nes.ppu.vram[:], nes.ppu.oam[:] = memory.chr, memory.vram, memory.oam
    flags, scroll = nes.ppu.sprites.flags, nes.ppu.scroll
    scroll.t, scroll.fine_x = random.randrange(0x1000) & ~0x0800, random.randrange(8)
    flags.find_hit(mask, control, flags.at, 0)
    flags.find_overflow(mask, control)

    beam = memory.beam(mask, control, scroll.t)
    beam.nametables[:] = list(nes.ppu.memory.nametables)
    beam.fine_x, beam.line, beam.reached = scroll.fine_x, -2, -DOTS - 1
    if flags.overflow != NEVER:
        beam.run(flags.overflow - 1)
        assert not beam.evaluation.overflow
        beam.run(flags.overflow)
        assert beam.evaluation.overflow
    beam.run(24 * DOTS)
    assert beam.hit == (flags.hit != NEVER)
    assert not beam.hit or beam.hit_at == flags.hit
    assert beam.evaluation.overflow == (flags.overflow != NEVER)


def frame(origins: bytes = bytes(SIZE), pixels: bytes = bytes([0x21]) * SIZE) -> FrameShown:
    """A frame with tile 7 everywhere, and sprite 5 where ``origins`` says so."""
    oam = bytes([0xFF]) * 20 + bytes([9, 3, 0, 8]) + bytes([0xFF]) * 232
    tables = (bytes([7]) * 0x400, bytes([8]) * 0x400) * 2
    begins = tuple(y // 8 << 5 | (y & 7) << 12 | 2 for y in range(240))
    return FrameShown(pixels, bytes([0x0F]) * SIZE, origins, begins, tables, oam)


def test_a_screen_says_what_its_pixels_are_of() -> None:
    origins = bytearray(SIZE)
    origins[10 * WIDTH + 8] = 1 << 3
    screen = screen_of(frame(bytes(origins)), swaps_emphasis=False)
    assert (screen.width, screen.height, screen.pixel(0, 0)) == (256, 240, decoded_palette()[0x21])
    assert screen.describe(8, 10) == "object 5 with tile $03 at (8, 10)"
    assert screen.describe(8, 9) == "tile $07 at $2021 of the background"
    assert screen.describe(255, 239) == "tile $07 at $23BF of the background"
    assert set(screen_of(frame(), swaps_emphasis=False, objects=False).indices) == {0x0F}


def test_emphasis_has_colours_of_its_own() -> None:
    origins = bytes([0] * WIDTH + [1] * (SIZE - WIDTH))
    screen = screen_of(frame(origins), swaps_emphasis=False)
    assert (screen.indices[0], screen.indices[WIDTH]) == (0x21, 0x61)
    assert screen.pixel(0, 1) == decoded_palette()[64 + 0x21]
    swapped = screen_of(frame(origins), swaps_emphasis=True)
    assert swapped.pixel(0, 1) == decoded_palette()[128 + 0x21]
    with pytest.raises(BoardError, match="8 values of emphasis"):
        screen_of(frame(bytes(range(8)) * (SIZE // 8)), swaps_emphasis=False)


def test_colours_are_those_of_the_signal() -> None:
    colors = decoded_palette()
    assert len(colors) == 512
    assert colors[0x0F] == colors[0x1D] == (0, 0, 0)
    assert colors[0x20] == colors[0x30] == (255, 255, 255)
    red, green, blue = colors[0x16], colors[0x1A], colors[0x12]
    assert max(red) == red[0]
    assert max(green) == green[1]
    assert max(blue) == blue[2]
    assert colors[64 + 0x10][0] > colors[64 + 0x10][2]  # red is emphasised


def test_a_palette_file_has_64_or_512_colours() -> None:
    assert read_palette(bytes(range(192)), "a.pal")[1] == (3, 4, 5)
    assert len(read_palette(bytes(192), "a.pal")) == len(read_palette(bytes(1536), "a.pal")) == 512
    emphasised = read_palette(bytes([200]) * 192, "a.pal")[64]
    assert emphasised == (200, 149, 149)
    for length in (0, 191, 193, 768, 1537):
        with pytest.raises(BadInput, match=f"a.pal: {length:,} bytes; a palette has 192"):
            read_palette(bytes(length), "a.pal")


@pytest.mark.slow
@pytest.mark.parametrize("looks", [False, True])
def test_the_picture_goes_on_on_another_machine(looks: bool) -> None:
    """Before and after somebody has looked, in the middle of a frame."""
    memory, _ = scene(5)
    first = nes_with("a9 1e 8d 01 20 ee 05 20 4c 05 02", engine="plain")
    second = nes_with("ea", engine="plain")
    first.ppu.vram[:], first.ppu.oam[:] = memory.vram, memory.oam
    first.ppu.palette[:] = bytes(range(0x20))
    first.run((), 45_000)
    if looks:
        first.draw()
    second.restore(first.save())
    for nes in (first, second):
        nes.run((), 1_000)
    assert first.draw() == second.draw()
    assert len(set(first.draw().indices)) > 3
    assert first.save()[1].attributes[-1] == second.save()[1].attributes[-1]
