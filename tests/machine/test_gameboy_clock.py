"""When interrupts come, how long lines draw, and what the CPU reaches meanwhile: expectations are
what others measured on a DMG, with the test ROM that says so."""

from __future__ import annotations

import pytest
from gameboy_programs import LIMIT, cartridge

from romproof.engine.engines import ENGINES
from romproof.engine.protocol import Stop
from romproof.engine.space import Signals
from romproof.machine.gameboy.board import GameBoyBoard
from romproof.machine.gameboy.lcd import LINE, LineCounter
from romproof.machine.gameboy.line import extra_dots
from romproof.machine.gameboy.machine import GameBoy

LCDC, SCX = 0xFF40, 0xFF43
START = 1000
HALTING = [name for name, row in ENGINES.items() if row.refusal("sm83") is None]


def cycles_to_handler(prepare: str, enabled: int, wait: str, engine: str = "plain") -> int:
    """M-cycles from the start until a handler is entered, for a CPU that waits with ``wait``."""
    game = GameBoy(
        cartridge(f"""
            ld a, 0
            ldh [$40], a
            ldh [$0F], a
            ld a, {enabled}
            ldh [$FF], a
            {prepare}
            ei
        again:
            {wait}
            jr again
        """),
        engine,
    )
    assert game.run(LIMIT, until=[0x40, 0x48, 0x50]) is not Stop.LIMIT
    return game.cycles


def program(prepare: str) -> str:
    return "\n".join(line.strip() for line in prepare.split(";"))


ON = "ld a, 0; ldh [$0F], a; ld a, $91; ldh [$40], a"
TIMER = "ld a, $FE; ldh [$05], a; ld a, 5; ldh [$07], a"
HBLANK = "ld a, {scx}; ldh [$43], a; ld a, 8; ldh [$41], a; " + ON
LYC = "ld a, 1; ldh [$45], a; ld a, $40; ldh [$41], a; " + ON
SEARCH = "ld a, $20; ldh [$41], a; " + ON


@pytest.mark.parametrize("engine", HALTING)
@pytest.mark.parametrize(
    ("prepare", "enabled", "longer"),
    [
        (TIMER, 4, 1),  # int_timer_halt 15, int_timer_nops 14
        (ON, 1, 0),  # int_vblank1_halt and _nops 66
        (LYC, 2, 0),  # int_lyc_halt and _nops 153
        (SEARCH, 2, 1),  # int_oam_halt 148, int_oam_nops 147
        *(  # int_hblank_halt_scx0 to 7: 98 98 98 99 99 99 99 100; nops: 97 98 98 98 98 99 99 99
            (HBLANK.format(scx=scx), 2, longer)
            for scx, longer in enumerate((1, 0, 0, 1, 1, 0, 0, 1))
        ),
    ],
)
def test_a_halted_cpu_sees_late_interrupts_later(
    prepare: str, enabled: int, longer: int, engine: str
) -> None:
    """gbmicrotest, with what it expects of a CPU that halts and of one that executes ``nop``."""
    nops = "nop\n" * 250 if enabled != 1 else "nop\n" * 18_000
    running = cycles_to_handler(program(prepare), enabled, nops, "plain")
    assert cycles_to_handler(program(prepare), enabled, "halt", engine) - running == longer


# ---------------------------------------------------------------- OAM and VRAM


CYCLES = ((0, 17, 60, 110, 130, 174, 224, 244), (1, 18, 61, 111, 131, 175, 225, 245),
          (2, 19, 62, 112, 132, 176, 226, 246))  # fmt: skip


@pytest.mark.parametrize(
    ("method", "blocked"),
    [
        ("hides_oam", ("00101101", "01011011", "01011011")),
        ("hides_vram", ("00100100", "01001001", "01001001")),
    ],
)
def test_what_cannot_be_read_after_the_lcd_was_switched_on(
    method: str, blocked: tuple[str, ...]
) -> None:
    """mooneye-test-suite, ``lcdon_timing-GS``. Its cycle 0 is that of a read right behind the
    write: two further ones pass before it."""
    lines = LineCounter(Signals())
    lines.write(LCDC, 0, 0)
    lines.write(LCDC, 0x81, START)
    for cycles, expected in zip(CYCLES, blocked, strict=True):
        seen = [getattr(lines, method)(START + 2 + cycle) for cycle in cycles]
        assert seen == [state == "1" for state in expected]


@pytest.mark.parametrize("engine", HALTING)
def test_vram_is_written_in_vblank_and_not_while_a_line_draws(engine: str) -> None:
    """In VBlank nobody is asked; from the first line on somebody is again, to the cycle."""
    game = GameBoy(
        cartridge("""
            ld hl, $8000
        wait:
            ldh a, [$44]
            cp a, 144
            jr nz, wait
            ld [hl], $11
        poll:
            ld a, [hl]
            cp a, $FF
            jr nz, poll
            ld [hl], $22
            ld b, b
        """),
        engine,
    )
    assert game.run_to_breakpoint(LIMIT)
    assert game.peek(0x8000) == 0x11
    seen = game.cycles - 8  # the read that found $FF: before cp, jr and the write
    lines = game.lines
    assert lines.hides_vram(seen)
    assert not lines.hides_vram(seen - 7)
    assert lines.read(0xFF44, seen) == 0


def test_a_state_from_a_line_that_draws_is_taken_up_in_vblank() -> None:
    """There VRAM is open, and must not stay so."""
    board = GameBoyBoard(
        cartridge("""
            ld hl, $8000
        again:
            ld a, [hl]
            jr again
        """)
    )
    game = board.machine
    while not game.lines.hides_vram(game.cycles + 3):
        board.run((), 1)
    saved = board.save()
    board.run((), 146 * LINE)
    assert game.lines.read(0xFF44, game.cycles) in range(145, 153)
    space = board.space
    assert not space.actions[0x8000]
    assert (0x8000, 0x9FFF) in space.varying  # what is translated looks each time
    board.restore(saved)
    board.run((), 6)
    assert game.registers.a == 0xFF


def test_peek_shows_memory_whatever_is_drawn() -> None:
    game = GameBoy(cartridge("nop"))
    game.memory.space.store[game.memory.space.write_pages[0x80]] = 0x42
    while not game.lines.hides_vram(game.cycles):
        game.run(1)
    assert game.peek(0x8000) == 0x42
    assert game.peek(0xFE00) == 0x5A


# ---------------------------------------------------------------- the length of a line


def sprites(*places: int) -> bytes:
    return b"".join(bytes((82, x, 0, 0)) for x in places).ljust(160, b"\0")


@pytest.mark.parametrize(
    ("places", "longer"),
    [
        ((0,), 2), ((0,) * 2, 4), ((0,) * 3, 5), ((0,) * 6, 10), ((0,) * 10, 16),
        ((1,) * 10, 16), ((2,) * 10, 15), ((7,) * 10, 15), ((160,) * 10, 16), ((162,) * 10, 15),
        ((167,) * 10, 15), ((168,) * 10, 0),
        ((0,) * 5 + (160,) * 5, 17), ((3,) * 5 + (163,) * 5, 16), ((4,) * 5 + (164,) * 5, 15),
        ((3,), 2), ((4,), 1), ((8,), 2), ((15,), 1), ((163,), 2), ((164,), 1),
        ((0, 8), 5), ((2, 10), 4), ((7, 15), 3),
        (tuple(range(0, 80, 8)), 27), (tuple(range(3, 80, 8)), 20), (tuple(range(7, 80, 8)), 15),
        (tuple(range(73, 0, -8)), 25),
    ],
)  # fmt: skip
def test_sprites_lengthen_mode_3(places: tuple[int, ...], longer: int) -> None:
    """In M-cycles: mooneye-test-suite, ``intr_2_mode0_timing_sprites``."""
    oam = sprites(*places)
    for line, in_line in ((65, False), (66, True), (73, True), (74, False)):
        dots = extra_dots(line, 0x83, 0, 0, 0, oam, 0)
        assert dots // 4 == (longer if in_line else 0)
    assert extra_dots(66, 0x81, 0, 0, 0, oam, 0) == 0
    assert (extra_dots(81, 0x87, 0, 0, 0, oam, 0) > 0) == bool(longer)


@pytest.mark.parametrize(
    ("x", "dots"),
    [  # from the cycles at which stat-mode-sprites-dmgC-cgbBCE finds HBlank, by SCX
        (0, (11, 12, 13, 14, 15, 16, 17, 18)),
        (1, (10, 10, 10, 10, 10, 11, 12, 18)),
        (5, (6, 7, 8, 14, 14, 14, 14, 14)),
    ],
)
def test_sprites_meet_scrolling(x: int, dots: tuple[int, ...]) -> None:
    assert [extra_dots(66, 0x83, scx, 0, 0, sprites(x), 0) for scx in range(8)] == list(dots)


@pytest.mark.parametrize(
    ("wx", "nops"), [(0, "12222333"), (1, "11222233"), (165, "11222233"), (166, "00001111")]
)
def test_the_window_lengthens_mode_3(wx: int, nops: str) -> None:
    """age-test-roms, ``stat-mode-window-dmgC``: with how many more ``nop`` before it a read of STAT
    finds HBlank, by SCX. Without one it finds it when mode 3 is up to 3 dots longer."""
    longer = [extra_dots(8, 0xA1, scx, 8, wx, b"", 0) for scx in range(8)]
    assert "".join(str(dots // 4) for dots in longer) == nops
    assert extra_dots(7, 0xA1, 3, 8, wx, b"", 0) == 3
