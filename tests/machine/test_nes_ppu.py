"""The PPU's registers, its frames and NMI; times after nesdev and the tables of ppu_vbl_nmi."""

from __future__ import annotations

from itertools import pairwise

import pytest
from nes_programs import after, image, nes_with, put, run_to

from romproof.engine.engines import ENGINES
from romproof.machine.board import BoardError
from romproof.machine.nes.machine import Nes

ENGINES_HERE = [n for n, row in ENGINES.items() if row.missing() is None and row.cpus is None]
NMI = 0x0300
ENABLE_AND_WAIT = "a9 80 8d 00 20 4c 05 02"  # lda #$80; sta $2000; jmp *


def nmis(nes: Nes, count: int) -> list[int]:
    """The cycles in which the handler of NMI begins."""
    cycles = []
    for _ in range(count):
        run_to(nes, NMI)
        cycles.append(nes.cycles)
        nes.run((), 1)
    return cycles


@pytest.mark.quick_cases("dendy-212784")
@pytest.mark.parametrize(("region", "six"), [("ntsc", 178684), ("pal", 199485), ("dendy", 212784)])
def test_six_frames_without_a_picture(region: str, six: int) -> None:
    """29,780 2/3, 33,247 1/2 and 35,464 cycles each (nesdev, "Cycle reference chart")."""
    nes = nes_with(ENABLE_AND_WAIT, region=region)
    times = nmis(nes, 8)
    assert abs(times[7] - times[1] - six) <= 2  # jmp takes three cycles


@pytest.mark.slow
def test_every_other_frame_is_a_dot_shorter_with_a_picture() -> None:
    rendering = nes_with("a9 08 8d 01 20 a9 80 8d 00 20 4c 0a 02")
    times = nmis(rendering, 62)
    assert abs(times[61] - times[1] - (60 * 89342 - 30) // 3) <= 3


def test_the_region_is_what_the_header_says_or_who_asks() -> None:
    assert Nes(image()).region.name == "ntsc"
    assert Nes(image(submapper=0, timing=1)).region.name == "pal"
    assert Nes(image(submapper=0, timing=3)).region.name == "dendy"
    assert Nes(image(submapper=0, timing=2)).region.name == "ntsc"
    with pytest.raises(BoardError, match="no region 'dendi'; did you mean 'dendy'"):
        Nes(image(), region="dendi")


def at_dot(engine: str, dots: int, control: str) -> tuple[bool, bool]:
    """Read $2002 so many dots after the one before vertical blank; whether it was set, and
    whether NMI came. Only every third dot is a cycle's: the frame is moved, not the read."""
    nes = nes_with(f"a9 {control} 8d 00 20 ad 02 20 ea ea ea", engine=engine)
    put(nes, NMI, "a2 99 40")
    cycle = nes.cycles + 2 + 4 + 3  # that in which $2002 is read
    frames = nes.ppu.frames
    frames.start = nes.region.read_dot(cycle) - (nes.region.blank - 1 + dots)
    frames._plan(frames._reached)  # what happens in the frame is listed anew
    run_to(nes, 0x20B)
    return bool(nes.registers.a & 0x80), nes.registers.x == 0x99


@pytest.mark.parametrize("engine", ["plain", "llvm"])
def test_a_read_near_the_beginning_of_vertical_blank(engine: str) -> None:
    """As 06-suppression of ppu_vbl_nmi prints it, a dot later from row to row."""
    rows = [at_dot(engine, dots, "80") for dots in range(-2, 4)]
    assert rows == [
        (False, True),
        (False, True),
        (False, False),
        (True, False),
        (True, False),
        (True, True),
    ]


def test_nmi_comes_again_when_it_is_enabled_again() -> None:
    # wait for vertical blank without reading it: then enable, disable, enable
    nes = nes_with("a9 80 a2 00 8d 00 20 ea ea 8e 00 20 8d 00 20 ea ea 4c 11 02")
    put(nes, NMI, "c8 40")  # iny
    nes.ppu.frames.blank = True
    nes.run((), 100)
    assert nes.registers.y == 2


def test_a_late_nmi_is_served_after_the_next_instruction() -> None:
    nes = nes_with("a9 80 8d 00 20 e8 e8 e8")
    nes.ppu.frames.blank = True
    run_to(nes, NMI)
    assert nes.registers.x == 1


def test_status_clears_the_flag_and_the_latch() -> None:
    nes = after("a9 21 8d 06 20 ad 02 20 a9 3f 8d 06 20 a9 05 8d 06 20")
    assert nes.ppu.v == 0x3F05
    nes.ppu.frames.blank = True
    assert nes.peek(0x2002) & nes.peek(0x3FFA) & 0x80  # looking is not reading
    put(nes, 0x200, "ad 02 20 ae 02 20")
    nes.registers.pc = 0x200
    run_to(nes, 0x206)
    assert nes.registers.a & 0x80
    assert not nes.registers.x & 0x80


def test_data_goes_through_a_buffer_but_for_the_palette() -> None:
    nes = nes_with("a9 20 8d 06 20 a9 00 8d 06 20 ad 07 20 ae 07 20 ac 07 20")
    for address, value in ((0x2000, 0x11), (0x2001, 0x22), (0x2F10, 0x77), (0x3F10, 0x2A)):
        nes.ppu.memory.write(address, value)
    run_to(nes, 0x213)
    assert (nes.registers.x, nes.registers.y) == (0x11, 0x22)
    put(
        nes,
        0x200,
        "a9 3f 8d 06 20 a9 00 8d 06 20 ad 07 20 29 3f aa a9 00 8d 06 20 8d 06 20 ad 07 20",
    )
    nes.registers.pc = 0x200
    run_to(nes, 0x21B)
    assert nes.registers.x == 0x2A  # $3F00 is $3F10
    assert nes.registers.a == nes.ppu.memory.read(0x2F00)  # what is beneath the palette


def test_data_steps_by_32_when_asked() -> None:
    nes = after("a9 04 8d 00 20 a9 20 8d 06 20 a9 00 8d 06 20 a9 55 8d 07 20 8d 07 20")
    assert [nes.ppu.vram[place] for place in (0x00, 0x20)] == [0x55, 0x55]
    assert nes.ppu.v == 0x2040


def test_oam_is_written_in_a_row_and_read_in_place() -> None:
    nes = after("a9 10 8d 03 20 a9 ff 8d 04 20 8d 04 20 8d 04 20 ad 04 20 ad 04 20")
    assert bytes(nes.ppu.oam[0x10:0x13]) == b"\xff\xff\xe3"
    assert nes.ppu.oam_address == 0x13
    assert nes.registers.a == nes.ppu.oam[0x13]


def test_the_bus_of_the_ppu_keeps_what_was_written_for_a_while() -> None:
    nes = after("a9 c7 8d 00 20 ad 05 20")
    assert nes.registers.a == 0xC7
    nes.run((), 1_200_000)
    assert nes.peek(0x2005) == 0


@pytest.mark.parametrize(("warm", "control"), [(True, 0x84), (False, 0)])
def test_registers_ignore_writes_until_the_ppu_is_warm(warm: bool, control: int) -> None:
    nes = nes_with("a9 84 8d 00 20 8d 01 20 8d 05 20 8d 06 20 8d 03 20", warm=warm)
    run_to(nes, 0x211)
    assert nes.ppu.frames.control == control
    assert nes.ppu.frames.mask == control
    assert nes.ppu.oam_address == 0x84
    if not warm:
        nes.run((), 29_658)
        nes.registers.pc = 0x200
        run_to(nes, 0x205)
        assert nes.ppu.frames.control == 0x84


def show_sprite_0(nes: Nes, x: int = 99, y: int = 29, tile: int = 1) -> None:
    """A background of opaque pixels everywhere, and one in the top left corner of sprite 0."""
    nes.ppu.vram[:] = bytes([2]) * len(nes.ppu.vram)
    nes.ppu.chr[0x10:0x18] = b"\x80" + bytes(7)
    nes.ppu.chr[0x20:0x28] = b"\xff" * 8
    nes.ppu.oam[:] = bytes([0xFF]) * 0x100
    nes.ppu.oam[:4] = bytes([y, tile, 0, x])


WAIT = "a9 18 8d 01 20 2c 02 20 50 fb"  # lda #$18; sta $2001; bit $2002; bvc


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_sprite_0_hits_where_pixels_meet(engine: str) -> None:
    nes = nes_with("a2 00 " + WAIT, engine=engine)
    nes.run((0x207,), 10_000_000)
    nes.run((), 241 * 341 // 3)  # lines are drawn from the next frame on
    show_sprite_0(nes)
    nes.run((), 25 * 341 // 3)
    assert nes.sprite0 == (30, 100)
    run_to(nes, 0x20C)
    frame = 262 * 341
    dot = nes.region.read_dot(nes.cycles - 4) - frame  # bit and bvc are behind the read
    assert 30 * 341 + 100 <= dot <= 30 * 341 + 100 + 3 * 9
    run_to(nes_with("2c 02 20 70 fb", rom=image()), 0x205)  # cleared at the end of the frame


@pytest.mark.parametrize("why", ["background off", "sprites off", "no pixel", "at the right edge"])
def test_sprite_0_does_not_hit(why: str) -> None:
    mask = {"background off": "10", "sprites off": "08"}.get(why, "1e")
    nes = nes_with(WAIT.replace("a9 18", f"a9 {mask}"))
    show_sprite_0(
        nes, 255 if why == "at the right edge" else 99, tile=0 if why == "no pixel" else 1
    )
    assert nes.run((0x20A,), 100_000).value == "limit"
    assert nes.sprite0 is None


def test_a_test_may_run_to_the_end_of_the_frame() -> None:
    nes = nes_with("4c 00 02")
    assert nes.frame_end() == 241 * 341 // 3 + 1
    first = nes.frame_end()
    nes.run((), first - nes.cycles + 1)
    assert nes.peek(0x2002) & 0x80
    assert 29_780 <= nes.frame_end() - first <= 29_781


def test_an_nmi_may_be_asked_for() -> None:
    nes = nes_with("ea ea 4c 02 02")
    nes.interrupt("nmi")
    run_to(nes, NMI, 20)
    with pytest.raises(BoardError, match="no interrupt 'firq'; did you mean 'irq'"):
        nes.interrupt("firq")


def test_a_frame_in_which_the_picture_is_turned_off_is_counted_once() -> None:
    """Turned off in vertical blank of an odd frame, whose last dot is not left out then: what
    comes next is a dot later than it was when its end was asked for."""
    nes = nes_with("4c 00 02")
    region, frames = nes.region, nes.ppu.frames
    cycle, ends = 0, []
    for frame in range(100):
        end = frames.next_blank(cycle)
        if frame % 7 in (3, 6):
            frames.catch_up(region.write_dot(cycle + 1_000))
            frames.write_mask(0x18 if frame % 7 == 3 else 0, cycle + 1_000)
        cycle = end
        frames.catch_up(region.read_dot(cycle))
        ends.append(cycle)
    assert min(after - before for before, after in pairwise(ends)) >= 29_780
    assert len({(end - ends[0]) // 29_780 for end in ends}) == 100
