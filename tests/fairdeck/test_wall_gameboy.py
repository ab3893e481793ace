"""The Game Boy ROM with a Tenhou seed in it: its walls, dice and pictures, in two emulators."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import wall_screens
from gameboy_watch import Watch
from slow import slow_but
from tarot_screens import difference

from fairdeck.cli import run
from fairdeck.console import Console
from fairdeck.tenhou.rom import WORDS, rom_for, wall_image
from fairdeck.tenhou.seed import Seed, parse_seed
from fairdeck.tenhou.table import FLIPPED_PAIRS, FOUR, Pairs
from fairdeck.tenhou.wall import Round, rounds
from romproof.harness.rom import Rom
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import GameBoy
from romproof.program.image import Image
from romproof.toolchains.rgbds.fix.check import check_header

pytestmark = pytest.mark.xdist_group("wall-gameboy")
needs_pyboy = pytest.mark.skipif(
    find_spec("pyboy") is None or find_spec("PIL") is None,
    reason='PyBoy is not installed: pip install "fairdeck[emulators]"',
)
VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "tenhou_synthetic.json").read_text("utf-8")
)
GAMES = {game["label"]: game for game in VECTORS["shuffle"]}
MAP, MAP_COLUMNS = 0x9800, 32
CHOOSE, WORK, HANDS, WALL = range(4)
BUILT_IN = Seed(tuple(i * 0x9E3779B9 & 0xFFFFFFFF for i in range(WORDS)), Pairs(), "")
KEYS = {"a": 1, "b": 2, "right": 0x10, "left": 0x20, "up": 0x40, "down": 0x80}


@pytest.fixture(scope="module")
def image() -> Image:
    return wall_image()


def made_of(seed: Seed, count: int) -> list[Round]:
    """The model's rounds."""
    return list(islice(rounds(seed, FOUR), count))


def seed_of(random: Random) -> Seed:
    """Any seed of today's form."""
    return Seed(tuple(random.randrange(1 << 32) for _ in range(WORDS)), Pairs(), "")


class Wall(Console):
    """The ROM with a seed in PyBoy."""

    def __init__(self, seed: Seed | None = None, colour: bool = False) -> None:
        super().__init__(wall_image(), colour, None if seed is None else rom_for(seed))

    def make(self, number: int) -> None:
        """From any screen, have a round made."""
        while self.read("screen", 1)[0] != CHOOSE:
            self.press("b")
        there = self.read("chosen", 1)[0]
        tens, ones = number // 10 - there // 10, number % 10 - there % 10
        for amount, more, less in ((tens, "right", "left"), (ones, "up", "down")):
            self.press(*[more if amount > 0 else less] * abs(amount))
        assert self.read("chosen", 1)[0] == number
        self.press("start")

    def round(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Wall and dice in memory."""
        return tuple(self.read("tenhou_wall", 136)), tuple(self.read("tenhou_dice", 2))

    def check(self, wanted: list[bytearray]) -> None:
        """That the screen is so, tile by tile."""
        found = [self.read_at(MAP + MAP_COLUMNS * row, 20) for row in range(18)]
        assert difference(found, wanted) == ""


def test_the_header_is_valid(image: Image) -> None:
    for rom in (image.files[0].data, rom_for(seed_of(Random(1)))):
        assert check_header(rom) == []
        assert rom[0x134:0x144] == b"FAIRDECK WALL\0\0\x80"
        # both sums as the boot ROM and rgbfix define them
        assert rom[0x14D] == sum(-byte - 1 for byte in rom[0x134:0x14D]) & 0xFF
        total = sum(rom[:0x14E]) + sum(rom[0x150:])
        assert int.from_bytes(rom[0x14E:0x150], "big") == total & 0xFFFF


def test_a_seed_changes_its_bytes_and_the_sum_alone(image: Image) -> None:
    seed = seed_of(Random(2))
    before, after = image.files[0].data, rom_for(seed)
    first = image.address("built_in_key")
    allowed = {*range(first, first + 4 * WORDS), 0x14E, 0x14F}
    assert {i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b} <= allowed
    key = after[first : first + 4 * WORDS]
    assert key == b"".join(word.to_bytes(4, "little") for word in seed.words)


# ---------------------------------------------------------------- its routines


def test_every_tile_has_its_picture(image: Image) -> None:
    machine = Rom(image).machine()
    for tile in range(136):
        found = machine.call("tile_picture", a=tile)
        assert (found.b, found.c) == wall_screens.picture(tile)
        honour = {5: 3, 6: 5}.get(tile // 4 - 27, 4)
        red = wall_screens.picture(tile)[0] == wall_screens.TILE["red_number"]
        assert found.a == (honour if tile >= 108 else 5 if red else 1 + tile // 36)


def test_hands_are_dealt_and_put_in_order(image: Image) -> None:
    machine = Rom(image).machine()
    random = Random(3)
    for _ in range(5):
        wall = random.sample(range(136), 136)
        machine.write("tenhou_wall", bytes(wall))
        for seat in range(4):
            machine.call("deal_hand", a=seat)
            assert list(machine.read("hand", 13)) == sorted(FOUR.hands(wall)[seat])


@pytest.mark.parametrize("key", KEYS)
def test_keys_choose_a_round(image: Image, key: str) -> None:
    machine = Rom(image).machine()
    by = {"up": 1, "down": -1, "right": 10, "left": -10}.get(key, 0)
    for chosen in range(100):
        machine.write("chosen", bytes([chosen]))
        machine.call("choose_by", a=KEYS[key])
        wanted = chosen + by if 0 <= chosen + by < 100 else chosen
        assert machine.read("chosen", 1)[0] == wanted


# ---------------------------------------------------------------- in PyBoy


@pytest.fixture(scope="module")
def built_in() -> Iterator[Wall]:
    made = Wall()
    yield made
    made.close()


@pytest.mark.slow_cases("tn-open-a", "tn-open-c")
@needs_pyboy
@pytest.mark.parametrize("label", GAMES)
def test_the_walls_are_those_of_the_vectors(label: str) -> None:
    """Made by implementations that are not ours."""
    game = GAMES[label]
    player = Wall(parse_seed(game["seed"]))
    try:
        for number, wanted in list(enumerate(game["rounds"]))[:2]:
            player.make(number)
            wall, dice = player.round()
            assert list(wall) == wanted["wall136"]
            assert [face - 1 for face in dice] == wanted["dice"]
    finally:
        player.close()


@needs_pyboy
def test_rounds_forward_and_back(built_in: Wall) -> None:
    model = made_of(BUILT_IN, 7)
    for number in (0, 1, 1, 4, 2, 6, 0):
        before = built_in.frame
        built_in.make(number)
        assert built_in.round() == (model[number].wall, model[number].dice)
        assert built_in.read("made", 1)[0] == number + 1
        last = built_in.frame - before
    # 0 after 6: seeded anew, and one round made
    assert last < 250


@pytest.mark.slow
@needs_pyboy
def test_many_seeds() -> None:
    random = Random(20261122)
    for _ in range(12):
        seed = seed_of(random)
        player = Wall(seed)
        player.make(0)
        (model,) = made_of(seed, 1)
        found = player.round()
        player.close()
        assert found == (model.wall, model.dice)


@needs_pyboy
@pytest.mark.parametrize("colour", [False, True])
def test_every_screen_tile_by_tile(colour: bool) -> None:
    seed = seed_of(Random(7))
    key = b"".join(word.to_bytes(4, "little") for word in seed.words)
    player = Wall(seed, colour)
    try:
        player.check(wall_screens.choose(key, 0))
        player.press("right", "right", "down", "left", "a", "b")
        player.check(wall_screens.choose(key, 9))
        player.press("left", "right")
        player.check(wall_screens.choose(key, 19))
        for number, made in enumerate(made_of(seed, 2)):
            player.make(number)
            assert player.read("screen", 1)[0] == HANDS
            player.check(wall_screens.hands(number, made))
            player.press("left", "a")
            assert player.read("screen", 1)[0] == WALL
            player.check(wall_screens.wall(number, made))
            player.press("select")
            player.check(wall_screens.hands(number, made))
    finally:
        player.close()


@needs_pyboy
def test_an_older_seed_stacks_its_pairs_the_other_way_up() -> None:
    seed = parse_seed("mt19937ar-sha512-n288," + ",".join(f"{n * n:x}" for n in range(1, 33)))
    assert seed.pairs is FLIPPED_PAIRS
    player = Wall(seed)
    try:
        player.make(0)
        (made,) = made_of(seed, 1)
        player.check(wall_screens.hands(0, made))
        player.press("a")
        player.check(wall_screens.wall(0, made))
    finally:
        player.close()


# ---------------------------------------------------------------- on our own Game Boy


@pytest.mark.slow_cases("True")
@pytest.mark.parametrize("colour", slow_but([True], [False, True]))
def test_nothing_is_done_that_the_machine_does_not_forgive(image: Image, colour: bool) -> None:
    """Among it: everything is kept in the 8 KiB of work RAM; the bar grows and never shrinks."""
    machine = GameBoy(image.files[0].data)
    if colour:
        machine.registers.a = 0x11
    watch = Watch(machine, image)
    screen = image.address("screen")
    machine.run(20 * FRAME)
    bars: list[int] = []
    first = wall_screens.TILE["bar"]

    def is_made(_: GameBoy) -> bool:
        tiles = [machine.peek(MAP + 16 * MAP_COLUMNS + column) - first for column in range(1, 19)]
        if all(0 <= tile <= 8 for tile in tiles):
            bars.append(sum(tiles))
        return machine.peek(screen) == HANDS

    machine.press("start")
    machine.run(2 * FRAME)
    machine.release("start")
    assert machine.run_until(is_made, 400 * FRAME)
    machine.run(10 * FRAME)
    assert watch.faults == []
    # one bar while the generator is seeded, one while the round is made
    shrinks = [(one, other) for one, other in pairwise(bars) if other < one]
    assert len(shrinks) == 1
    assert max(shrinks[0]) < 16
    assert bars[-1] > 130
    assert len(set(bars)) > 60
    wall = image.address("tenhou_wall")
    (model,) = made_of(BUILT_IN, 1)
    assert tuple(machine.peek(wall + i) for i in range(136)) == model.wall
    for key in ("a", "a", "b", "up"):
        machine.press(key)
        machine.run(3 * FRAME)
        machine.release(key)
        machine.run(20 * FRAME)
    assert watch.faults == []


def test_nothing_is_kept_outside_of_the_work_ram(image: Image) -> None:
    places = [s.value for s in image.symbols if s.is_label and 0xA000 <= s.value < 0xFF00]
    assert places
    assert all(0xC000 <= place <= 0xE000 for place in places)


# ---------------------------------------------------------------- the command


def test_the_command_writes_the_rom(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label = next(iter(GAMES))
    seed, rom = tmp_path / "seed.txt", tmp_path / "game.gb"
    seed.write_text(GAMES[label]["seed"])
    assert run(["tenhou", "rom", str(seed), "-o", str(rom)]) == 0
    key = parse_seed(GAMES[label]["seed"])
    assert rom.read_bytes() == rom_for(key)
    assert "32,768 bytes" in capsys.readouterr().out


@pytest.mark.parametrize("label", [min(GAMES), max(GAMES)])
def test_the_command_reports_as_json(
    label: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], image: Image
) -> None:
    rom = tmp_path / "game.gb"
    assert run(["tenhou", "rom", GAMES[label]["seed"], "-o", str(rom), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert next(iter(report)) == "schema"
    assert report["schema"] == "fairdeck.tenhou.rom/1"
    assert report["ok"] is True
    assert report["files"] == [{"path": str(rom), "size": rom.stat().st_size}]
    key = bytes.fromhex(report["key"])
    assert len(key) == 4 * report["words"]
    assert rom.read_bytes()[image.address("built_in_key") :][: len(key)] == key


def test_no_json_is_printed_for_a_wrong_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rom = tmp_path / "game.gb"
    assert run(["tenhou", "rom", "mt19937ar,1", "-o", str(rom), "--json"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("seed", "told"),
    [("mt19937ar,1", "is not enough"), ("nowhere.txt", "nowhere.txt")],
)
def test_what_is_no_seed_is_told(
    seed: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rom = tmp_path / "game.gb"
    assert run(["tenhou", "rom", seed, "-o", str(rom)]) == 2
    shown = capsys.readouterr()
    assert told in shown.err
    assert not rom.exists()


def test_a_game_of_three_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = json.loads((Path(__file__).parents[1] / "vectors" / "tenhou_logs.json").read_text())
    path, rom = tmp_path / "game.mjlog", tmp_path / "game.gb"
    path.write_text(next(log["xml"] for log in logs["logs"] if log["players"] == 3))
    assert run(["tenhou", "rom", str(path), "-o", str(rom)]) == 2
    assert "the log is of a game for 3; the ROM shows games for 4" in capsys.readouterr().err
    assert not rom.exists()
