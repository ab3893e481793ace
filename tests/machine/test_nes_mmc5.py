"""MMC5: what nesdev says of its registers, and of the lines it sees."""

from __future__ import annotations

import pytest
from nes_programs import image, nes_with, put, run_to
from test_nes_boards import FULL, patterns, shown, written

from romproof.engine.space import NEVER
from romproof.formats.errors import BadImage
from romproof.machine.board import BoardError
from romproof.machine.nes.lines import MAPPER
from romproof.machine.nes.machine import Nes

ROM = image(5, prg=8, chr=16)
OPEN_RAM = [(0x5102, 2), (0x5103, 1)]
"""What lets RAM be written."""
DOTS = 341


def nes_2(ram: int, nvram: int = 0, flags: int = 0) -> bytes:
    """With RAM of 64 << n bytes each, 0 for none."""
    rom = bytearray(image(5, prg=8, chr=1, submapper=0, flags=flags))
    rom[10] = nvram << 4 | ram
    return bytes(rom)


# ---------------------------------------------------------------- program


@pytest.mark.parametrize("engine", FULL)
def test_it_begins_with_the_last_bank_at_e000(engine: str) -> None:
    assert written(ROM, [], engine).banks() == (-1, -1, -1, 15)


@pytest.mark.parametrize(
    ("mode", "banks"),
    [
        (0, (12, 13, 14, 15)),
        (1, (4, 5, 14, 15)),
        (2, (4, 5, 7, 15)),
        (3, (3, 5, 7, 15)),
    ],
)
def test_modes_of_program(mode: int, banks: tuple[int, ...]) -> None:
    writes = [(0x5100, mode), (0x5114, 0x83), (0x5115, 0x85), (0x5116, 0x87), (0x5117, 0x0F)]
    nes = written(ROM, writes)
    assert nes.banks() == banks
    assert shown(nes) == list(banks)


@pytest.mark.parametrize("engine", FULL)
def test_ram_in_windows(engine: str) -> None:
    """Blocks 0 and 1 of 64 KiB; the same block at $6000."""
    writes = [*OPEN_RAM, (0x5114, 1), (0x5115, 0x85), (0x5113, 1), (0x8123, 0x77), (0xA000, 0x66)]
    nes = written(ROM, writes, engine)
    assert nes.banks() == (-1, 5, -1, 15)
    assert (nes.peek(0x8123), nes.peek(0x6123), nes.peek(0xA000)) == (0x77, 0x77, 5)
    assert nes.cartridge_ram[0x2123] == 0x77
    # 16 KiB of RAM, the even block first
    nes = written(ROM, [*OPEN_RAM, (0x5100, 1), (0x5115, 3), (0xA001, 0x55)], engine)
    assert nes.cartridge_ram[0x6001] == 0x55


@pytest.mark.parametrize("keys", [[], [(0x5102, 2)], [(0x5102, 1), (0x5103, 2)]])
def test_ram_is_protected(keys: list[tuple[int, int]]) -> None:
    nes = written(ROM, [*keys, (0x6000, 0x77), (0x8000, 0x77)])
    assert nes.peek(0x6000) == nes.peek(0x8000) == 0x5A
    nes = written(ROM, [*OPEN_RAM, (0x6000, 0x77), (0x5102, 0), (0x6000, 0x11)])
    assert nes.peek(0x6000) == 0x77


def test_which_writes_are_faults() -> None:
    assert list(Nes(ROM).protected[0x8000::0x2000]) == [0, 0, 0, 1]
    assert list(Nes(nes_2(0)).protected[0x8000::0x2000]) == [1, 1, 1, 1]


@pytest.mark.parametrize("engine", FULL)
def test_code_in_ram_in_a_window_may_change(engine: str) -> None:
    """lda #N; sta $10; rts at $8000, called again and again with another N."""
    nes = written(ROM, [*OPEN_RAM, (0x5114, 0)], engine)
    inner = nes.engine
    if hasattr(inner, "warm_up"):
        inner.warm_up = 0
    put(nes, 0x8000, "a9 00 85 10 60")
    put(nes, 0x300, "ee 01 80 20 00 80 a5 10 c9 40 d0 f4 4c 0f 03")
    nes.registers.pc = 0x300
    run_to(nes, 0x30F)
    assert nes.ram[0x10] == 0x40


@pytest.mark.parametrize(
    ("ram", "nvram", "size", "blocks"),
    [
        (0, 0, 0, (None,) * 8),
        (7, 0, 8, (0, 0, 0, 0, None, None, None, None)),
        (0, 7, 8, (0, 0, 0, 0, None, None, None, None)),
        (7, 7, 16, (0, 0, 0, 0, 1, 1, 1, 1)),
        (8, 0, 16, (0, 0, 0, 0, 1, 1, 1, 1)),
        (9, 0, 32, (0, 1, 2, 3, None, None, None, None)),
        (9, 7, 40, (0, 0, 0, 0, 1, 2, 3, 4)),
        (10, 0, 64, (0, 1, 2, 3, 4, 5, 6, 7)),
    ],
)
def test_chips_of_ram(ram: int, nvram: int, size: int, blocks: tuple[int | None, ...]) -> None:
    """Where no chip is there is nothing: the high byte of the address."""
    nes = Nes(nes_2(ram, nvram))
    assert len(nes.cartridge_ram) == 0x400 * size
    for block in range(size // 8):
        nes.cartridge_ram[0x2000 * block] = 0xC0 + block
    mapper = nes.memory.mapper
    for number, block in enumerate(blocks):
        mapper.write(0x5113, number, 0)
        mapper.write(0x5114, number, 0)
        nes.memory.switch(0)
        seen = (0x60, 0x80) if block is None else (0xC0 + block,) * 2
        assert (nes.peek(0x6000), nes.peek(0x8000)) == seen, number


@pytest.mark.parametrize(
    ("ram", "nvram", "words"),
    [
        (6, 0, "4 KiB of PRG RAM in one chip"),
        (10, 9, "64 KiB and 32 KiB of PRG RAM"),
        (12, 0, "256 KiB of PRG RAM in one chip"),
    ],
)
def test_ram_that_no_board_has(ram: int, nvram: int, words: str) -> None:
    with pytest.raises(BadImage, match=words):
        Nes(nes_2(ram, nvram))


def test_a_test_shows_banks() -> None:
    nes = written(ROM, [(0x5100, 3)])
    nes.select(0, 6)
    nes.select(3, 2)
    assert nes.banks() == (6, -1, -1, 2)
    state = nes.save()
    nes.select(0, 1)
    nes.restore(state)
    assert shown(nes)[0] == 6
    nes = written(ROM, [(0x5100, 0)])
    with pytest.raises(BoardError, match="cannot be shown"):
        nes.select(1, 0)


# ---------------------------------------------------------------- graphics


A_SET = [(0x5120 + place, 10 + place) for place in range(8)]
B_SET = [(0x5128 + place, 30 + place) for place in range(4)]


@pytest.mark.parametrize(
    ("mode", "sprites", "background"),
    [
        (0, [*range(8)], [*range(8)]),
        (1, [52, 53, 54, 55, 68, 69, 70, 71], [4, 5, 6, 7, 4, 5, 6, 7]),
        (2, [22, 23, 26, 27, 30, 31, 34, 35], [62, 63, 66, 67, 62, 63, 66, 67]),
        (3, [*range(10, 18)], [30, 31, 32, 33, 30, 31, 32, 33]),
    ],
)
def test_modes_of_graphics(mode: int, sprites: list[int], background: list[int]) -> None:
    """With sprites of 16 pixels $2007 sees the set that was written last."""
    if mode == 0:  # banks 17 and 33 of 8 KiB, of 16
        sprites, background = [8 + n for n in sprites], [8 + n for n in background]
    mode_set, high = (0x5101, mode), (0x2000, 0x20)
    assert patterns(written(ROM, [mode_set, high, *B_SET, *A_SET])) == sprites
    if mode == 1:  # bank 33 of 4 KiB, of 32
        background = [4, 5, 6, 7, 4, 5, 6, 7]
    assert patterns(written(ROM, [mode_set, high, *A_SET, *B_SET])) == background
    assert patterns(written(ROM, [mode_set, *A_SET, *B_SET])) == sprites, "8 pixels: one set"


def test_upper_bits_of_graphics() -> None:
    rom = bytearray(image(5, prg=2, chr=64))
    rom[16 + 0x8000 + 0x400 * 0x105] = 0xAB
    nes = written(bytes(rom), [(0x5101, 3), (0x5130, 1), (0x5120, 5), (0x5130, 0), (0x5121, 5)])
    assert patterns(nes)[:2] == [0xAB, 5]


# ---------------------------------------------------------------- nametables, RAM in the chip


def test_sources_of_nametables() -> None:
    """$2000: the second memory, $2400: the chip's RAM, $2800: filled, $2C00: the first."""
    nes = written(ROM, [(0x5105, 0x39), (0x5106, 0x42), (0x5107, 2)])
    memory = nes.ppu.memory
    for number in range(4):
        memory.write(0x2010 + 0x400 * number, 0x20 + number)
    assert (nes.ppu.vram[0x410], nes.ppu.vram[0x10]) == (0x20, 0x23)
    assert memory.read(0x2410) == 0x21
    assert (memory.read(0x2810), memory.read(0x2BBF), memory.read(0x2BC0)) == (0x42, 0x42, 0xAA)
    assert memory.nametable(2) == b"\x42" * 0x3C0 + b"\xaa" * 0x40
    nes.memory.mapper.write(0x5104, 2, 0)
    nes.memory.switch(0)
    assert nes.peek(0x5C10) == 0x21
    assert memory.read(0x2410) == 0, "the chip's RAM is the CPU's now"
    memory.write(0x2410, 0x99)
    assert nes.peek(0x5C10) == 0x21


@pytest.mark.parametrize("engine", FULL)
def test_the_chips_ram(engine: str) -> None:
    rw, ro = (0x5104, 2), (0x5104, 3)
    nes = written(ROM, [rw, (0x5C00, 0x11), (0x5FFF, 0x22), ro, (0x5C00, 0x33)], engine)
    assert (nes.peek(0x5C00), nes.peek(0x5FFF)) == (0x11, 0x22)
    nes = written(ROM, [rw, (0x5C00, 0x11), (0x5104, 0)], engine)
    assert nes.peek(0x5C00) == 0x5C, "the PPU's: nothing answers the CPU"
    nes = written(ROM, [rw, (0x5C00, 0x11), (0x5104, 1), (0x5C00, 0x33), rw], engine)
    assert nes.peek(0x5C00) == 0, "what is written when no line is drawn is 0"
    assert nes.executable[0x5C00]
    assert not Nes(image(4)).executable[0x5C00]


# ---------------------------------------------------------------- lines


def with_picture(*writes: tuple[int, int], engine: str = "plain", code: str = "") -> Nes:
    """A machine that draws lines, from the first frame's vertical blank on; IRQ returns."""
    nes = written(ROM, writes, engine)
    put(nes, 0x400, "40")
    nes.run((), nes.frame_end() - nes.cycles)
    put(nes, 0x500, "a9 18 8d 01 20 " + (code or "4c 05 05"))
    nes.registers.pc = 0x500
    run_to(nes, 0x505)
    return nes


def irq_of(nes: Nes) -> int:
    """The cycle from which the cartridge holds IRQ."""
    line = nes.memory.mapper.line
    assert line is not None
    return line.since[MAPPER]


def run_to_line(nes: Nes, line: int, dot: int) -> None:
    """Run until the CPU is at most an instruction past a position."""
    frames = nes.ppu.frames
    nes.ppu.catch_up(nes.region.read_dot(nes.cycles))
    wanted = frames.start + line * DOTS + dot
    if nes.region.read_dot(nes.cycles) >= wanted:
        wanted += frames.length
    nes.run((), nes.region.sampling(wanted) + 2 - nes.cycles)


@pytest.mark.parametrize("engine", FULL)
@pytest.mark.parametrize("line", [1, 40, 239])
def test_irq_at_a_line(engine: str, line: int) -> None:
    nes = with_picture((0x5203, line), (0x5204, 0x80), engine=engine)
    nes.registers.p |= 4
    run_to_line(nes, line, -8)
    assert irq_of(nes) == NEVER
    run_to_line(nes, line, 12)
    place = nes.region.sample_dot(irq_of(nes)) - nes.ppu.frames.start
    assert 0 <= place - (line * DOTS + 3) < 3, "dot 3: the fetch after three of the same byte"
    assert nes.peek(0x5204) == 0xC0
    put(nes, 0x505, "ad 04 52")
    nes.registers.pc = 0x505
    run_to(nes, 0x508)
    assert nes.registers.a == 0xC0
    assert nes.peek(0x5204) == 0x40
    assert irq_of(nes) == NEVER


@pytest.mark.parametrize("target", [0, 240, 255])
def test_lines_that_do_not_come(target: int) -> None:
    nes = with_picture((0x5203, target), (0x5204, 0x80))
    nes.registers.p |= 4
    nes.run((), 3 * 29781)
    assert irq_of(nes) == NEVER
    assert not nes.peek(0x5204) & 0x80


def test_a_pending_irq_comes_when_it_is_enabled() -> None:
    nes = with_picture((0x5203, 10))
    nes.registers.p |= 4
    run_to_line(nes, 20, 0)
    assert irq_of(nes) == NEVER
    assert nes.peek(0x5204) == 0xC0
    mapper = nes.memory.mapper
    nes.memory.write(0x5204, 0x80, nes.cycles)
    assert irq_of(nes) != NEVER
    nes.memory.write(0x5204, 0, nes.cycles)
    assert irq_of(nes) == NEVER
    assert mapper.peek(0x5204, 0, nes.cycles) == 0xC0, "disabled, it is still pending"


def test_when_a_frame_is_drawn() -> None:
    """From the first line's dot 9 to three cycles after the last fetch, in dot 339 of line 239."""
    nes = with_picture()
    run_to_line(nes, 0, -30)
    assert nes.peek(0x5204) == 0
    run_to_line(nes, 0, 12)
    assert nes.peek(0x5204) == 0x40
    run_to_line(nes, 239, 330)
    assert nes.peek(0x5204) == 0x40
    run_to_line(nes, 240, 20)
    assert nes.peek(0x5204) == 0


def test_without_a_picture_there_are_no_lines() -> None:
    nes = with_picture((0x5203, 100), (0x5204, 0x80))
    nes.registers.p |= 4
    run_to_line(nes, 50, 0)
    put(nes, 0x505, "a9 00 8d 01 20 ea ea ea ea 4c 0e 05")
    nes.registers.pc = 0x505
    run_to(nes, 0x50C)
    assert nes.peek(0x5204) == 0
    nes.run((), 2 * 29781)
    assert irq_of(nes) == NEVER


def test_lines_are_counted_from_where_the_picture_begins() -> None:
    nes = with_picture((0x5203, 5), (0x5204, 0x80))
    nes.registers.p |= 4
    run_to_line(nes, 3, 0)
    put(nes, 0x505, "a9 00 8d 01 20 a2 00 ca d0 fd ca d0 fd a9 18 8d 01 20 4c 17 05")
    nes.registers.pc = 0x505
    run_to(nes, 0x517)
    begun = (nes.region.read_dot(nes.cycles) - nes.ppu.frames.start) // DOTS
    run_to_line(nes, begun + 9, 0)
    place = nes.region.sample_dot(irq_of(nes)) - nes.ppu.frames.start
    assert place // DOTS == begun + 1 + 5


def test_the_vector_of_nmi_ends_the_frame() -> None:
    nes = with_picture((0x5203, 10), (0x5204, 0x80))
    nes.registers.p |= 4
    run_to_line(nes, 20, 0)
    put(nes, 0x505, "ad fa ff 4c 08 05")
    nes.registers.pc = 0x505
    run_to(nes, 0x508)
    assert nes.registers.a == 0x00
    assert nes.peek(0x5204) == 0
    assert irq_of(nes) == NEVER
    run_to_line(nes, 20 + 1 + 10 + 1, 100)
    place = nes.region.sample_dot(irq_of(nes)) - nes.ppu.frames.start
    assert place // DOTS == 20 + 1 + 10, "lines are counted anew"


def test_the_chips_ram_is_kept_while_lines_are_drawn() -> None:
    nes = with_picture((0x5104, 1))
    run_to_line(nes, 50, 0)
    put(nes, 0x505, "a9 77 8d 00 5c a9 02 8d 04 51 4c 0f 05")
    nes.registers.pc = 0x505
    run_to(nes, 0x50F)
    assert nes.peek(0x5C00) == 0x77


@pytest.mark.parametrize("engine", [name for name in FULL if name != "plain"])
def test_irqs_come_in_the_same_cycles_on_each_engine(engine: str) -> None:
    """A handler that asks for another line each time, and notes how often; NMI is on."""
    seen = []
    for name in ("plain", engine):
        nes = with_picture((0x5203, 7), (0x5204, 0x80), engine=name)
        put(nes, 0x300, "e6 12 40")
        put(nes, 0x400, "48 ad 04 52 e6 11 a5 11 8d 03 52 68 40")
        put(nes, 0x505, "a9 80 8d 00 20 58 e6 10 4c 0b 05")
        nes.registers.pc = 0x505
        states = []
        for cycles in (9_000, 13, 20_001, 29_781, 7_777):
            nes.run((), cycles)
            states.append((nes.registers.copy(), nes.cycles, bytes(nes.ram[0x10:0x13])))
        seen.append(states)
    assert seen[0] == seen[1]
    assert seen[0][-1][2][1] > 3


# ---------------------------------------------------------------- the rest


@pytest.mark.parametrize("engine", FULL)
def test_the_multiplier(engine: str) -> None:
    nes = written(ROM, [(0x5205, 0xFE), (0x5206, 0xC3)], engine)
    put(nes, nes.registers.pc, "ad 05 52 ae 06 52")
    run_to(nes, nes.registers.pc + 6)
    assert nes.registers.x << 8 | nes.registers.a == 0xFE * 0xC3


def test_the_status_of_sound() -> None:
    """A length of 10 at a 240th of a second each; halted, off."""
    tone = [(0x5015, 3), (0x5000, 0), (0x5003, 0), (0x5004, 0x20), (0x5007, 0)]
    nes = written(ROM, tone)
    assert nes.peek(0x5015) == 3
    nes.run((), 9 * 7457)
    assert nes.peek(0x5015) == 3
    nes.run((), 2 * 7457)
    assert nes.peek(0x5015) == 2
    nes.memory.write(0x5015, 0, nes.cycles)
    assert nes.peek(0x5015) == 0
    assert nes.peek(0x5010) == 0
    assert nes.peek(0x5011) == 0x50, "cannot be read"


def test_a_saved_state_has_all_of_it() -> None:
    nes = with_picture((0x5203, 30), (0x5204, 0x80), (0x5104, 2), (0x5C05, 0x44), *OPEN_RAM)
    nes.registers.p |= 4
    run_to_line(nes, 10, 0)
    state = nes.save()
    run_to_line(nes, 40, 0)
    irq = irq_of(nes)
    nes.memory.write(0x5104, 0, nes.cycles)
    nes.memory.write(0x5115, 0x84, nes.cycles)
    nes.restore(state)
    assert (nes.peek(0x5C05), nes.banks()) == (0x44, (-1, -1, -1, 15))
    run_to_line(nes, 40, 0)
    assert irq_of(nes) == irq


def test_only_what_is_emulated_is_accepted() -> None:
    with pytest.raises(BadImage, match="submapper 1 of mapper 5 is not emulated"):
        Nes(image(5, submapper=1))


def test_a_program_begins() -> None:
    nes = nes_with("4c 00 02", rom=ROM)
    assert nes.windows[0].addresses == range(0x8000, 0xA000)
    assert len(nes.windows) == 4
