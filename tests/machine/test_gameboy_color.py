"""The Game Boy Color: what a program finds that is not there on a DMG."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gameboy_programs import LIMIT, MAIN, cartridge

from romproof.engine.engines import ENGINES
from romproof.engine.protocol import Stop
from romproof.formats.layout import GameBoyModel
from romproof.machine.board import BoardError
from romproof.machine.gameboy.board import GameBoyBoard
from romproof.machine.gameboy.lcd import FRAME, LINE
from romproof.machine.gameboy.machine import FILL, GameBoy
from romproof.machine.gameboy.speed import PAUSE

COLOR = 0x80
SWITCH = "ld a, $30\n ldh [$00], a\n ld a, 1\n ldh [$4D], a\n stop\n nop"
LCD_OFF = "ld a, 0\n ldh [$40], a"

Play = Callable[..., GameBoy]


@pytest.fixture(params=[name for name, row in ENGINES.items() if row.refusal("sm83") is None])
def play(request: pytest.FixtureRequest) -> Play:
    """Run a program on a Color to ``ld b, b``."""

    def run(main: str, parts: dict[int, str] | None = None, **header: int) -> GameBoy:
        rom = cartridge(f"{main}\n ld b, b", parts, **{"color": COLOR, **header})
        game = GameBoy(rom, request.param)
        assert game.run_to_breakpoint(LIMIT)
        return game

    return run


# ---------------------------------------------------------------- the model


@pytest.mark.parametrize(
    ("color", "asked", "model", "in_color"),
    [
        (0x00, None, GameBoyModel.DMG, False),
        (0x80, None, GameBoyModel.CGB, True),
        (0xC0, None, GameBoyModel.CGB, True),
        (0x80, "dmg", GameBoyModel.DMG, False),
        (0x00, "cgb", GameBoyModel.CGB, False),
        (0x80, GameBoyModel.CGB_E, GameBoyModel.CGB_E, True),
    ],
)
def test_the_header_chooses_unless_somebody_does(
    color: int, asked: str | None, model: GameBoyModel, in_color: bool
) -> None:
    kind = GameBoy(cartridge("nop", color=color), model=asked).kind
    assert (kind.model, kind.in_color) == (model, in_color)


def test_a_model_that_does_not_exist() -> None:
    with pytest.raises(BoardError, match="no Game Boy 'cbg'; did you mean 'cgb'"):
        GameBoy(cartridge("nop"), model="cbg")


def registers(game: GameBoy) -> tuple[int, ...]:
    r = game.registers
    return (r.a, r.f, r.b, r.c, r.d, r.e, r.h, r.l, r.sp, r.pc)


def test_the_registers_after_the_boot_rom() -> None:
    """Pan Docs, "CPU registers"."""
    game = GameBoy(cartridge("nop", color=COLOR))
    assert registers(game) == (0x11, 0x80, 0, 0, 0xFF, 0x56, 0x00, 0x0D, 0xFFFE, 0x100)
    board = GameBoyBoard(cartridge("nop", color=COLOR))
    board.machine.registers.a = 0
    board.start()
    assert registers(board.machine)[:2] == (0x11, 0x80)


@pytest.mark.parametrize(
    ("old", "new", "title", "b", "hl"),
    [
        (0x00, b"\0\0", b"TEST", 0x00, 0x007C),
        (0x01, b"\0\0", b"TEST", 0x40, 0x007C),
        (0x33, b"01", b"TEST", 0x40, 0x007C),
        (0x33, b"02", b"TEST", 0x00, 0x007C),
        (0x01, b"\0\0", b"TESW", 0x43, 0x991A),
    ],
)
def test_a_game_without_colours_finds_the_sum_of_its_title(
    old: int, new: bytes, title: bytes, b: int, hl: int
) -> None:
    """Only Nintendo's titles are summed up (Pan Docs, "CPU registers")."""
    rom = bytearray(cartridge("nop"))
    rom[0x134:0x138], rom[0x14B], rom[0x144:0x146] = title, old, new
    r = GameBoy(bytes(rom), model="cgb").registers
    assert (r.a, r.b, r.h << 8 | r.l, r.e) == (0x11, b, hl, 0x08)


def test_io_registers_after_the_boot_rom() -> None:
    """Of a game without colours: mooneye-test-suite, ``boot_hwio-C``; with colours: Pan Docs."""
    game = GameBoy(cartridge("nop"), model="cgb")
    found = bytes(game.peek(0xFF4C + i) for i in range(0x34))
    there = {0x4F: 0xFE, 0x68: 0xC8, 0x6A: 0xD0, 0x72: 0, 0x73: 0, 0x75: 0x8F, 0x76: 0, 0x77: 0}
    assert found == bytes(there.get(low, 0xFF) for low in range(0x4C, 0x80))
    assert (game.peek(0xFF00), game.peek(0xFF02), game.peek(0xFF46)) == (0xFF, 0x7E, 0x00)
    game = GameBoy(cartridge("nop", color=COLOR))
    there = {0x02: 0x7C, 0x4D: 0x7E, 0x4F: 0xFE, 0x55: 0xFF, 0x56: 0x3E, 0x70: 0xF8, 0x74: 0}
    assert {low: game.peek(0xFF00 + low) for low in there} == there
    assert game.palettes[:64] == b"\xff\x7f" * 32, "the background is white"


@pytest.mark.parametrize(
    ("register", "written", "read"),
    [
        (0x4C, 0x00, 0xFF),
        (0x51, 0x12, 0xFF),
        (0x56, 0xFF, 0xFF),
        (0x56, 0xC0, 0xFE),  # reading is enabled, and no light comes in
        (0x68, 0x00, 0x40),
        (0x6C, 0x01, 0xFF),
        (0x6C, 0x00, 0xFE),
        (0x70, 0x00, 0xF8),
        (0x70, 0x07, 0xFF),
        (0x72, 0x12, 0x12),
        (0x73, 0xFF, 0xFF),
        (0x74, 0x34, 0x34),
        (0x75, 0xFF, 0xFF),
        (0x75, 0x00, 0x8F),
        (0x76, 0xFF, 0x00),
        (0x77, 0xFF, 0x00),
        (0x71, 0x00, 0xFF),
    ],
)
def test_bits_that_do_not_exist(play: Play, register: int, written: int, read: int) -> None:
    game = play(f"ld a, {written}\n ldh [{register}], a\n ldh a, [{register}]")
    assert game.registers.a == read


def test_a_game_without_colours_cannot_reach_them() -> None:
    main = """
        ld a, 1
        ldh [$4F], a
        ld [$8000], a
        ld a, 5
        ldh [$70], a
        ld a, 1
        ldh [$4D], a
        ldh [$69], a
        ldh a, [$69]
        ld b, b
    """
    game = GameBoy(cartridge(main), model="cgb")
    assert game.run_to_breakpoint(LIMIT)
    assert game.registers.a == 0xFF
    assert [game.peek(0xFF00 + low) for low in (0x4D, 0x4F, 0x70)] == [0xFF, 0xFE, 0xFF]


# ---------------------------------------------------------------- banks


def test_banks_of_vram(play: Play) -> None:
    game = play(f"""
        {LCD_OFF}
        ld a, $11
        ld [$8000], a
        ld a, 1
        ldh [$4F], a
        ld a, [$8000]
        ld b, a
        ld a, $22
        ld [$8000], a
        ld a, $FE
        ldh [$4F], a
        ld a, [$8000]
        ld c, a
        ldh a, [$4F]
    """)
    assert (game.registers.b, game.registers.c, game.registers.a) == (0, 0x11, 0xFE)


def test_banks_of_work_ram_and_their_echo(play: Play) -> None:
    game = play("""
        ld b, 8
    next:
        dec b
        ld a, b
        ldh [$70], a
        ld [$D000], a
        ld [$C000], a
        and a, a
        jr nz, next
        ld hl, $C100
    again:
        ld a, b
        ldh [$70], a
        ld a, [$D000]
        ld [hl+], a
        ld a, [$F000]
        ld [hl+], a
        inc b
        ld a, b
        cp a, 8
        jr nz, again
        ld a, 3
        ldh [$70], a
        ld a, $77
        ld [$F123], a
        ld a, [$C000]
    """)
    found = bytes(game.peek(0xC100 + place) for place in range(16))
    assert found == bytes(number for bank in (0, 0, *range(2, 8)) for number in (bank, bank))
    assert game.peek(0xD123) == 0x77
    assert game.registers.a == 0, "bank 0 is at $C000 in any case"


def test_a_board_shows_banks_by_number() -> None:
    board = GameBoyBoard(cartridge("nop", color=COLOR))
    assert [window.kind for window in board.windows] == ["ROM0", "ROMX", "SRAM", "VRAM", "WRAMX"]
    assert board.banks() == (0, 1, -1, 0, 1)
    told: list[tuple[int, ...]] = []
    board.tell_banks(lambda _, banks: told.append(tuple(banks)))
    board.select(4, 5)
    board.poke(0xD000, 0x55)
    board.select(3, 1)
    assert board.banks() == (0, 1, -1, 1, 5)
    assert told == [(0, 1, -1, 0, 1), (0, 1, -1, 0, 5), (0, 1, -1, 1, 5)]
    board.select(4, 2)
    assert board.peek(0xD000) == FILL
    board.select(4, 5)
    assert board.peek(0xD000) == 0x55
    for window, bank in ((4, 8), (4, 0), (3, 2)):
        with pytest.raises(BoardError):
            board.select(window, bank)
    assert len(GameBoyBoard(cartridge("nop")).windows) == 3


# ---------------------------------------------------------------- speed


def test_the_speed_is_switched_by_stop(play: Play) -> None:
    game = play(f"{SWITCH}\n ldh a, [$4D]")
    assert game.registers.a == 0xFE
    assert game.double_speed
    game = play(f"{SWITCH}\n {SWITCH}\n ldh a, [$4D]")
    assert game.registers.a == 0x7E
    assert not game.double_speed
    game = play("ld a, $FF\n ldh [$4D], a\n ldh a, [$4D]")
    assert game.registers.a == 0x7F


def test_a_frame_takes_twice_as_many_cycles_at_double_speed(play: Play) -> None:
    game = play(SWITCH)
    first = game.lines.next_vblank(game.cycles)
    assert game.lines.next_vblank(first) - first == 2 * FRAME
    game = play(f"{SWITCH}\n {SWITCH}")
    first = game.lines.next_vblank(game.cycles)
    assert game.lines.next_vblank(first) - first == FRAME


def test_the_cpu_rests_after_the_switch_and_a_run_may_end_meanwhile(play: Play) -> None:
    rom = cartridge(f"{SWITCH}\n ld b, b", color=COLOR)
    game = GameBoy(rom)
    game.run(100)
    assert game.registers.pc > MAIN
    assert game.cycles == 100
    assert game.run(PAUSE - 200) is Stop.LIMIT
    board = GameBoyBoard(rom)
    board.restore(GameBoyBoard.around(game).save())
    for machine in (game, board.machine):
        assert machine.run_to_breakpoint(LIMIT)
    assert game.cycles == board.machine.cycles == play(SWITCH).cycles


def test_div_and_timer_go_with_the_cpu_and_lines_do_not(play: Play) -> None:
    """DIV counts every 64 M-cycles at either speed; LY every 114, or 228."""
    wait = "wait:\n ldh a, [$44]\n cp a, 1\n jr nz, wait\n"
    count = "again:\n ldh a, [$44]\n cp a, 3\n jr nz, again\n ldh a, [$04]"
    slow = play(f"{wait} ldh [$04], a\n {count}").registers.a
    fast = play(f"{SWITCH}\n {wait} ldh [$04], a\n {count}").registers.a
    assert slow == 3
    assert fast in (6, 7)


def test_the_clock_in_a_cartridge_does_not_follow() -> None:
    """MBC3 with a clock: half a second of the CPU at double speed is a quarter of one."""
    main = f"""
        ld a, $0A
        ld [$0000], a
        ld a, $08
        ld [$4000], a
        {SWITCH}
    forever:
        jr forever
    """
    game = GameBoy(cartridge(main, kind=0x10, ram=3, color=COLOR))
    game.run((1 << 21) + PAUSE)
    clock = game.memory._mapper.clock
    assert clock is not None
    clock.latch(game.cycles)
    assert clock.register(8) == 1
    game.run(1 << 21)
    clock.latch(game.cycles)
    assert clock.register(8) == 2


def test_a_multicart_chooses_its_games_in_colour_too() -> None:
    """Four games share an MBC1, whose second register is wired a bit lower."""
    logo = bytes(range(1, 0x31))
    main = "ld a, 2\n ld [$4000], a\n ld a, 3\n ld [$2000], a\n ld a, [$7FFE]\n ld b, b"
    rom = bytearray(cartridge(main, kind=0x01, banks=64, color=COLOR))
    for start, bank in ((0, 0x03), (0x10 * 0x4000, 0x23)):
        rom[start + 0x104 : start + 0x134] = logo
        game = GameBoy(bytes(rom))
        assert game.run_to_breakpoint(LIMIT)
        assert game.registers.a == bank


def test_without_preparation_stop_stops() -> None:
    game = GameBoy(cartridge("ld a, $30\n ldh [$00], a\n stop\n nop\n ld b, b", color=COLOR))
    assert game.run(LIMIT) is Stop.STOPPED
    assert not game.double_speed


@pytest.mark.parametrize(("fast", "cycles"), [(0x81, 8 * 128), (0x83, 8 * 4)])
def test_the_serial_ports_fast_clock(fast: int, cycles: int, play: Play) -> None:
    """8192 or 262144 bits a second (Pan Docs, "Serial Data Transfer")."""
    game = play(f"""
        ld a, {fast}
        ldh [$02], a
    wait:
        ldh a, [$02]
        bit 7, a
        jr nz, wait
    """)
    begin = play(f"ld a, {fast}\n ldh [$02], a").cycles
    assert abs(game.cycles - begin - cycles) <= 150 * (fast == 0x81) + 12
    assert GameBoy(cartridge("nop", color=COLOR)).peek(0xFF02) == 0x7C


# ---------------------------------------------------------------- VRAM DMA

COPY = """
    ld a, $40
    ldh [$51], a
    ld a, $0F
    ldh [$52], a
    ld a, $E1
    ldh [$53], a
    ld a, $23
    ldh [$54], a
"""
"""From $4000 to $8120: some bits do not count."""


def source(rom: bytes) -> bytes:
    return bytes((place * 7 + 1) & 0xFF for place in range(0x800))


def copying(main: str, engine: str) -> GameBoy:
    rom = bytearray(cartridge(f"{COPY}\n {main}\n ld b, b", color=COLOR))
    rom[0x4000:0x4800] = source(rom)
    game = GameBoy(bytes(rom), engine)
    assert game.run_to_breakpoint(LIMIT)
    return game


ENGINE_NAMES = [name for name, row in ENGINES.items() if row.refusal("sm83") is None]


@pytest.mark.parametrize("engine", ENGINE_NAMES)
@pytest.mark.parametrize(("blocks", "speed"), [(1, 1), (5, 1), (5, 2)])
def test_general_dma_copies_while_the_cpu_stands_still(
    blocks: int, speed: int, engine: str
) -> None:
    """8 M-cycles of the normal speed for a block (Pan Docs), and one more to begin."""
    first = SWITCH if speed == 2 else "nop"
    start = f"{first}\n {LCD_OFF}\n ld a, {blocks - 1}\n "
    game = copying(f"{start} ldh [$55], a\n ldh a, [$55]", engine)
    assert bytes(game.peek(0x8120 + i) for i in range(16 * blocks + 1)) == (
        source(b"")[: 16 * blocks] + b"\0"
    )
    assert game.registers.a == 0xFF
    without = copying(f"{start} ldh [$54], a\n ldh a, [$55]", engine)
    assert game.cycles - without.cycles == 8 * speed * blocks + 1


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_hblank_dma_copies_a_block_in_each_line(engine: str) -> None:
    wait = "ldh a, [$44]\n cp a, {line}\n jr nz, -6"
    main = f"""
        {wait.format(line=10)}
        ld a, $82
        ldh [$55], a
        ldh a, [$55]
        ld b, a
        {wait.format(line=11)}
        ldh a, [$55]
        ld c, a
        {wait.format(line=13)}
        ldh a, [$55]
    """
    game = copying(main, engine)
    r = game.registers
    assert (r.b, r.c, r.a) == (0x02, 0x01, 0xFF)
    assert bytes(game.peek(0x8120 + i) for i in range(49)) == source(b"")[:48] + b"\0"


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_hblank_dma_can_be_given_up(engine: str) -> None:
    """SameSuite, ``hdma_lcd_off``: with the LCD off one block is copied at once."""
    game = copying(
        f"{LCD_OFF}\n ld a, $83\n ldh [$55], a\n ldh a, [$55]\n ld b, a\n"
        "ld a, 0\n ldh [$55], a\n ldh a, [$55]",
        engine,
    )
    assert (game.registers.b, game.registers.a) == (0x02, 0x80)
    assert bytes(game.peek(0x8120 + i) for i in range(17)) == source(b"")[:16] + b"\0"


def test_a_profile_is_told_of_what_dma_takes() -> None:
    rom = cartridge(f"{COPY}\n {LCD_OFF}\n ld a, 3\n ldh [$55], a\n ld b, b", color=COLOR)
    game = GameBoy(rom, "plain")
    told: list[tuple[int, str]] = []
    game.memory.space.on_steal = lambda _, cycles, what: told.append((cycles, what))
    assert game.run_to_breakpoint(LIMIT)
    assert told == [(33, "VRAM DMA")]


# ---------------------------------------------------------------- palettes


def test_palettes_behind_an_index_that_moves_on(play: Play) -> None:
    game = play(f"""
        {LCD_OFF}
        ld a, $BE
        ldh [$68], a
        ld a, $11
        ldh [$69], a
        ld a, $22
        ldh [$69], a
        ld a, $33
        ldh [$69], a
        ld a, $05
        ldh [$6A], a
        ld a, $44
        ldh [$6B], a
        ld a, $55
        ldh [$6B], a
        ldh a, [$68]
        ld b, a
        ldh a, [$6B]
    """)
    assert game.palettes[62:64] == b"\x11\x22"
    assert game.palettes[0] == 0x33
    assert game.palettes[64 + 5] == 0x55
    assert (game.registers.b, game.registers.a) == (0xC1, 0x55)


def test_palettes_are_out_of_reach_while_pixels_are_drawn(play: Play) -> None:
    """A write then is lost, and moves the index on (SameSuite, ``blocking_bgpi_increase``)."""
    game = play("""
        ld a, $80
        ldh [$68], a
    wait:
        ldh a, [$41]
        and a, 3
        cp a, 3
        jr nz, wait
        ld a, $12
        ldh [$69], a
        ldh a, [$69]
        ld b, a
        ldh a, [$68]
    """)
    assert game.palettes[:2] == b"\xff\x7f"
    assert (game.registers.b, game.registers.a) == (0xFF, 0xC1)


# ---------------------------------------------------------------- all of it


@pytest.mark.parametrize("engine", [name for name in ENGINE_NAMES if name != "plain"])
def test_engines_agree_on_a_program_that_uses_it_all(engine: str) -> None:
    rom = bytearray(
        cartridge(
            f"""
        {SWITCH}
        {COPY}
        ld a, $FF
        ldh [$55], a
        ld a, $80
        ldh [$68], a
        ld a, 1
        ldh [$FF], a
        ei
    again:
        halt
        nop
        ld hl, $D000
        ld b, 7
    banks:
        ld a, b
        ldh [$70], a
        inc [hl]
        ldh a, [$55]
        ld [$D001], a
        ldh a, [$41]
        ldh [$69], a
        dec b
        jr nz, banks
        ldh a, [$4F]
        xor a, 1
        ldh [$4F], a
        jr again
    """,
            {0x40: "reti"},
            color=COLOR,
        )
    )
    machines = [GameBoy(bytes(rom), name) for name in ("plain", engine)]
    for _ in range(12):
        for game in machines:
            game.run(FRAME + 7 * LINE + 3)
        first, other = machines
        assert bytes(first.memory.space.store) == bytes(other.memory.space.store)
        assert first.registers == other.registers
        assert (first.cycles, first.palettes) == (other.cycles, other.palettes)


def test_a_state_is_put_back_with_all_of_it() -> None:
    rom = cartridge(
        f"{SWITCH}\n {COPY}\n ld a, $9F\n ldh [$55], a\n ld a, 3\n ldh [$70], a\n"
        "forever:\n ldh a, [$55]\n ld [$D000], a\n ldh [$69], a\n jr forever",
        color=COLOR,
    )
    board, other = GameBoyBoard(rom), GameBoyBoard(rom)
    board.machine.run(PAUSE + 5 * LINE)
    saved = board.save()
    other.restore(saved)
    for each in (board, other):
        each.machine.run(20 * LINE)
    assert other.machine.double_speed
    assert board.banks() == other.banks() == (0, 1, -1, 0, 3)
    assert board.machine.palettes == other.machine.palettes
    assert bytes(board.space.store) == bytes(other.space.store)
    assert board.machine.peek(0xFF55) == other.machine.peek(0xFF55)
