"""The Game Boy's picture: drawn afterwards, line by line or dot by dot, and where it comes from."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import groupby, pairwise
from random import Random
from typing import Any
from warnings import catch_warnings, simplefilter

import pytest
from gameboy_programs import cartridge
from slow import slow_but

from romproof.engine.chips import write_array
from romproof.engine.llvm.chips.method import CompiledMethod
from romproof.machine.board import BoardError
from romproof.machine.gameboy.board import GameBoyBoard
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.gameboy.model import Console, GameBoyModel
from romproof.machine.gameboy.picture.canvas import HEIGHT, WIDTH
from romproof.machine.gameboy.picture.log import IMAGE, OAM, REGISTERS, Frames
from romproof.machine.gameboy.picture.pixels import Pixels
from romproof.machine.screen import Cell, Screen

ENGINES = ["plain", "recompiled"]
OFF = "wait:\n ldh a, [$44]\n cp a, 145\n jr nz, wait\n xor a, a\n ldh [$40], a\n"
FILL = """
 xor a, a
 ld [$9910], a
 ld hl, $fe00
objects:
 xor a, a
 ld [hl+], a
 ld a, l
 cp a, $a0
 jr nz, objects
"""
"""Away with the sign behind the logo, and with all objects."""
TILES = """
 ld hl, $8410
tile:
 ld a, $ff
 ld [hl+], a
 xor a, a
 ld [hl+], a
 ld a, l
 cp a, $20
 jr nz, tile
 ld a, $41
 ld [$9822], a
 ld [$9843], a
 ld a, $e4
 ldh [$47], a
 ldh [$48], a
"""
"""Tile $41 is of colour 1; it is at column 2 of row 1, and at column 3 of row 2."""
ON = " ld a, ${lcdc:02x}\n ldh [$40], a\nrest:\n jr rest\n"


def shown(main: str, engine: str = "plain", frames: int = 4, **options: Any) -> GameBoy:
    """A DMG that has run a program for some frames."""
    machine = GameBoy(cartridge(main), engine, model="dmg", **options)
    machine.run(frames * FRAME)
    return machine


def scene(lcdc: int, more: str = "") -> str:
    return OFF + FILL + TILES + more + ON.format(lcdc=lcdc)


def inked(screen: Screen) -> set[tuple[int, int]]:
    """The pixels that are not white."""
    return {divmod(place, WIDTH)[::-1] for place, index in enumerate(screen.indices) if index}


def square(x: int, y: int) -> set[tuple[int, int]]:
    return {(x + column, y + row) for column in range(8) for row in range(8)}


@pytest.mark.parametrize("engine", ENGINES)
def test_tiles_are_where_the_map_has_them(engine: str) -> None:
    screen = shown(scene(0x91), engine).screen
    assert (screen.width, screen.height, len(screen.indices)) == (160, 144, 160 * 144)
    assert inked(screen) == square(16, 8) | square(24, 16)
    assert screen.pixel(16, 8) == (0xAA, 0xAA, 0xAA)
    assert screen.pixel(0, 0) == (0xFF, 0xFF, 0xFF)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_background_is_scrolled(engine: str) -> None:
    more = " ld a, 5\n ldh [$43], a\n ld a, 3\n ldh [$42], a\n"
    assert inked(shown(scene(0x91, more), engine).screen) == square(11, 5) | square(19, 13)


def test_a_screen_is_read_as_text_and_tiles() -> None:
    screen = shown(scene(0x91)).screen
    rows = screen.text.splitlines()
    assert (rows[1], rows[2], rows[0]) == ("  A", "   A", "")
    assert screen.tiles[1][2] == 0x41
    assert (len(screen.tiles), len(screen.tiles[0])) == (18, 20)
    assert screen.text_by({"#": 0x41, ".": 0}).splitlines()[2] == "..." + "#" + "." * 16
    assert screen.describe(16, 8) == "tile $41 at $9822 of the background"
    with pytest.raises(IndexError, match=r"160 x 144"):
        screen.pixel(160, 0)


OBJECT = """
 ld a, 36
 ld [$fe04], a
 ld a, 48
 ld [$fe05], a
 ld a, $41
 ld [$fe06], a
"""
"""Object 1, with its upper left pixel at (40, 20)."""


@pytest.mark.parametrize("engine", ENGINES)
def test_objects_are_drawn_and_told(engine: str) -> None:
    machine = shown(scene(0x93, OBJECT), engine)
    screen = machine.screen
    assert inked(screen) == square(16, 8) | square(24, 16) | square(40, 20)
    (one,) = screen.objects
    assert (one.number, one.x, one.y, one.tile, one.height) == (1, 40, 20, 0x41, 8)
    assert screen.describe(41, 21) == "object 1 with tile $41 at (40, 20)"
    assert inked(machine.draw(objects=False)) == square(16, 8) | square(24, 16)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_window_lies_over_the_background(engine: str) -> None:
    more = " ld a, $41\n ld [$9c00], a\n ld a, 50\n ldh [$4a], a\n ld a, 87\n ldh [$4b], a\n"
    machine = shown(scene(0xF1, more), engine)
    assert inked(machine.screen) == square(16, 8) | square(24, 16) | square(80, 50)
    assert machine.screen.describe(80, 50) == "tile $41 at $9C00 of the window"
    assert inked(machine.draw(window=False)) == square(16, 8) | square(24, 16)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_colour_that_is_changed_in_a_line_shows_from_there_on(engine: str) -> None:
    """A loop writes BGP: each time all pixels from some dot on have the other shade, and one has
    the bits of both, as on a DMG (mealybug-tearoom-tests, ``m3_bgp_change``)."""
    main = OFF + FILL + " ld a, $91\n ldh [$40], a\nloop:\n"
    main += " ld a, 1\n ldh [$47], a\n ld a, 2\n ldh [$47], a\n jr loop\n"
    row = shown(main, engine).screen.indices[:WIDTH]
    runs = [(value, len(list(run))) for value, run in groupby(row)]
    assert len(runs) > 8
    for (value, length), (following, _) in pairwise(runs[1:]):
        assert length == {1: 19, 2: 31, 3: 1}[value], runs
        assert (value == 3) != (following == 3)


def test_nothing_is_shown_while_the_lcd_is_off_and_in_the_frame_after_that() -> None:
    machine = shown(OFF + " ld a, $ff\n ldh [$47], a\nrest:\n jr rest\n")
    assert not inked(machine.screen)
    on = OFF + " ld a, $ff\n ldh [$47], a\n ld a, $91\n ldh [$40], a\nrest:\n jr rest\n"
    machine = GameBoy(cartridge(on), "plain", model="dmg")
    looks = [len(inked(machine.screen))]
    for _ in range(30):
        machine.run(FRAME // 10)
        looks.append(len(inked(machine.screen)))
    sign, *later = [count for count, _ in groupby(looks)]
    assert (0 < sign < 64, later) == (True, [0, WIDTH * HEIGHT])
    blank = looks.count(0)
    assert 17 <= blank <= 21  # until line 145, and a frame from there on


def test_the_boot_rom_leaves_its_logo() -> None:
    rom = bytearray(cartridge("rest:\n jr rest\n"))
    rom[0x104:0x134] = bytes([0xF0]) * 48
    machine = GameBoy(bytes(rom), "plain", model="dmg")
    screen = machine.screen
    assert screen.tiles[8][4:17] == (*range(1, 13), 25)
    assert screen.tiles[9][4:16] == tuple(range(13, 25))
    assert screen.pixel(32, 64) == (0, 0, 0)


def test_a_restored_machine_shows_what_it_showed() -> None:
    board = GameBoyBoard(cartridge(scene(0x91)), "plain", model="dmg")
    board.run((), 4 * FRAME)
    saved, before = board.save(), board.draw()
    board.poke(0x9822, 0)
    board.run((), 2 * FRAME)
    assert inked(board.draw()) == square(24, 16)  # what a test has changed is seen, too
    board.restore(saved)
    assert board.draw() == before
    assert inked(before)


def test_a_screen_stays_what_it_is() -> None:
    machine = shown(scene(0x91))
    screen, hashed = machine.screen, hash(machine.screen)
    machine.run(10 * FRAME)
    assert screen.describe(16, 8).startswith("tile $41")
    assert screen == machine.screen
    assert hash(machine.screen) == hashed
    assert screen != "a screen"


def test_pictures_can_be_left_out() -> None:
    machine = shown(scene(0x91), pictures=False)
    with pytest.raises(BoardError, match="pictures=False"):
        machine.draw()


def test_a_program_that_writes_all_the_time_is_drawn() -> None:
    main = (
        OFF
        + FILL
        + " ld a, $91\n ldh [$40], a\n ld hl, $ff43\n xor a, a\nloop:\n"
        + (" ld [hl], a\n" * 40 + " jr loop\n")
    )
    machine = shown(main)
    assert machine.lines.log is not None
    assert max(machine.lines.log.frames.counts) > 7000
    assert not inked(machine.screen)


# Two ways to draw a line, and two engines

KINDS = {
    "dmg": Console(GameBoyModel.DMG, in_color=False),
    "cgb": Console(GameBoyModel.CGB, in_color=True),
    "compatible": Console(GameBoyModel.CGB, in_color=False),
}


def random_frame(chance: Random, frames: Frames) -> None:
    """A frame in which nothing is written, of random memory and registers."""
    image = bytearray(chance.randbytes(IMAGE))
    for place in range(OAM, OAM + 160, 4):
        image[place], image[place + 1] = chance.randrange(170), chance.randrange(180)
    image[REGISTERS] |= 0x80
    image[REGISTERS + 10] = chance.choice([0, 20, 100, 200])
    image[REGISTERS + 11] = chance.choice([0, 5, 7, 8, 50, 158, 164, 165, 166, 167, 200])
    write_array(frames, "images", 0, bytes(image))
    frames.counts[0], frames.begins[0] = 0, 1_000_000


def outcome(pixels: Pixels) -> tuple[bytes, bytes, list[int], list[int]]:
    return bytes(pixels.indices), bytes(pixels.colors), list(pixels.cells), list(pixels.owners)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", slow_but([12], [12, 400]))
def test_a_line_at_once_is_the_line_dot_by_dot(kind: str, count: int) -> None:
    frames = Frames()
    pixels = Pixels(frames, KINDS[kind])
    draw = CompiledMethod(pixels, "draw")
    pixels.explains = True
    chance = Random(1)
    for _ in range(count):
        random_frame(chance, frames)
        drawn = []
        for pixels.by_dots in (False, True):
            draw(0)
            drawn.append(outcome(pixels))
        assert drawn[0] == drawn[1]


@pytest.mark.parametrize("kind", KINDS)
def test_compiled_code_draws_what_python_draws(kind: str) -> None:
    frames = Frames()
    pixels = Pixels(frames, KINDS[kind])
    pixels.explains = pixels.by_dots = True
    random_frame(Random(2), frames)
    chance = Random(3)
    for number in range(300):  # and writes to registers at any time
        dot = 1_000_000 + 144 * 456 * number // 300
        place = REGISTERS + chance.choice([0, 2, 3, 7, 8, 9, 10, 11])
        value = chance.randrange(256) | (0x80 if place == REGISTERS else 0)
        frames.entries[2 * number] = dot << 24 | place << 8 | value
    frames.counts[0] = 300
    pixels.draw(0)
    wanted = outcome(pixels)
    CompiledMethod(pixels, "draw")(0)
    assert outcome(pixels) == wanted


# What another emulator shows


@pytest.mark.skipif(find_spec("pyboy") is None, reason="PyBoy is not installed")
def test_pyboy_shows_the_same(tmp_path: Any) -> None:
    with catch_warnings():
        simplefilter("ignore")  # of SDL, which it brings
        from pyboy import PyBoy

    chance = Random(5)
    more = " ld hl, $9800\nlogo:\n xor a, a\n ld [hl+], a\n ld a, h\n cp a, $9c\n jr nz, logo\n"
    more += OBJECT.replace("fe0", "fe1") + OBJECT
    for address in range(0x9800, 0x9A40, 7):
        more += f" ld a, ${chance.choice([0, 0x41]):02x}\n ld [${address:04x}], a\n"
    rom = bytearray(cartridge(scene(0x93, more + " ld a, 3\n ldh [$43], a\n")))
    rom[0x14D] = -sum(byte + 1 for byte in rom[0x134:0x14D]) & 0xFF
    path = tmp_path / "scene.gb"
    path.write_bytes(rom)
    other = PyBoy(str(path), window="null", cgb=False, sound_emulated=False)
    for _ in range(120):
        other.tick(1, True)
    seen = other.screen.ndarray[:, :, 0]
    shades = sorted(set(seen.ravel().tolist()), reverse=True)
    ours = GameBoy(bytes(rom), "plain", model="dmg")
    ours.run(20 * FRAME)
    assert bytes(map(shades.index, seen.ravel().tolist())) == ours.screen.indices


def test_a_cell_says_where_it_is() -> None:
    assert str(Cell(0x9C21, 7, 1, True)) == "tile $07 of bank 1 at $9C21 of the window"
