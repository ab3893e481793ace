"""The Game Boy ROM: its header, and what it does when buttons are pressed, in two emulators."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fairdeck.cli import fairdeck, run
from fairdeck.tarot.cards import NAMES
from fairdeck.tarot.draw import Generator, Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, FEEDBACKS, next_byte
from fairdeck.tarot.gameboy import HELD, SCALE, Player
from fairdeck.tarot.on_machine import tarot_rom
from fairdeck.tarot.shuffle import CARDS, shuffle
from fairdeck.tarot.targets import SM83
from romproof.harness.rom import Rom
from romproof.machine.gameboy.header import Chip, read_header
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import GameBoy

pytestmark = pytest.mark.xdist_group("tarot-gameboy")
needs_pyboy = pytest.mark.skipif(
    find_spec("pyboy") is None or find_spec("PIL") is None,
    reason='PyBoy is not installed: pip install "fairdeck[emulators]"',
)
LOGO_SHA256 = "daf4cabdc852baa0291849203f0b41fd0b4ecd58e0d7aff4a509f5de4d7f9a2e"
"""Of the 48 bytes that the boot ROM compares with its own."""
PRESSES = 200
MAP, MAP_COLUMNS, COLUMNS = 0x9800, 32, 20
TENS, ONES, DARK_TENS, DARK_ONES, EMBLEMS = 0x80, 0x90, 0xA0, 0xB0, 0xC0


@pytest.fixture(scope="module")
def rom() -> bytes:
    return tarot_rom(SM83, DEFAULT_FEEDBACK, Reduction.CORRECT).image.files[0].data


def test_the_header_is_valid(rom: bytes) -> None:
    header = read_header(rom)
    assert (header.title, header.equipment.chip) == ("FAIRDECK TAROT", Chip.NONE)
    assert (header.rom_size, header.ram_size, len(rom)) == (32768, 0, 32768)
    # both sums as the boot ROM and rgbfix define them
    assert rom[0x14D] == sum(-byte - 1 for byte in rom[0x134:0x14D]) & 0xFF
    assert int.from_bytes(rom[0x14E:0x150], "big") == (sum(rom[:0x14E]) + sum(rom[0x150:]) & 0xFFFF)
    assert hashlib.sha256(rom[0x104:0x134]).hexdigest() == LOGO_SHA256


def model_seed(state: int, press: bytes) -> int:
    """What seed_from_press makes of the register and of four bytes about the press."""
    for byte in press:
        state, _ = next_byte(state ^ byte << 24, DEFAULT_FEEDBACK)
    for _ in range(12):
        state, _ = next_byte(state, DEFAULT_FEEDBACK)
    return state or 1


def cancelling(state: int) -> bytes:
    """The press that brings a register to zero: its bytes meet what lfsr3 to lfsr0 are by then."""
    for _ in range(3):
        state, _ = next_byte(state, DEFAULT_FEEDBACK)
    return state.to_bytes(4, "little")


@pytest.mark.parametrize(
    ("state", "press", "seed"),
    [
        (0x5441524F, bytes.fromhex("00012345"), None),
        (0x00000001, bytes.fromhex("00000000"), None),
        (0xFFFFFFFF, bytes.fromhex("ffffffff"), None),
        (0x12345678, cancelling(0x12345678), 1),
    ],
)
def test_the_press_is_stirred_into_the_register(state: int, press: bytes, seed: int | None) -> None:
    wanted = model_seed(state, press)
    assert seed is None or wanted == seed
    machine = Rom(tarot_rom(SM83, DEFAULT_FEEDBACK, Reduction.CORRECT).image).machine()
    machine.write("lfsr", state.to_bytes(4, "big"))
    machine.write("press", press)
    machine.call("seed_from_press")
    assert machine.read("seed", 4) == machine.read("lfsr", 4) == wanted.to_bytes(4, "big")


def deck_of(seed: int) -> tuple[int, ...]:
    """The model's deck."""
    return shuffle(Generator(seed)).deck


def test_it_plays_on_our_own_game_boy(rom: bytes) -> None:
    """Where presses fall on any cycle, not only between frames."""
    image = tarot_rom(SM83, DEFAULT_FEEDBACK, Reduction.CORRECT).image
    machine = GameBoy(rom)
    seeds = []
    for number in range(3):
        machine.run(10 * FRAME + 1000 * number)
        machine.press("a")
        machine.run(FRAME)
        machine.release("a")
        machine.run(10 * FRAME)
        assert machine.peek(image.address("shuffles")) == number + 1
        seed = image.address("seed")
        seeds.append(int.from_bytes(bytes(machine.peek(seed + i) for i in range(4)), "big"))
        deck = image.address("deck")
        assert tuple(machine.peek(deck + i) for i in range(CARDS)) == deck_of(seeds[-1])
    assert len(set(seeds)) == 3
    # 21 M-cycles are one turn of the loop that times the press
    later = [GameBoy(rom) for _ in range(2)]
    for extra, machine in zip((0, 21), later, strict=True):
        machine.run(20 * FRAME + extra)
        machine.press("b")
        machine.run(5 * FRAME)
    address = image.address("seed")
    assert later[0].peek(address) != later[1].peek(address)


@pytest.fixture(scope="module")
def player() -> Iterator[Player]:
    made = Player(DEFAULT_FEEDBACK, Reduction.CORRECT)
    yield made
    made.close()


@needs_pyboy
def test_every_press_gives_the_deck_of_its_seed(player: Player) -> None:
    presses = [player.press(number % 61) for number in range(PRESSES)]
    assert all(press.deck == deck_of(press.seed) for press in presses)
    assert len({press.frame for press in presses}) == PRESSES
    assert int.from_bytes(player.read("shuffles", 2), "little") == PRESSES
    seeds = {press.seed for press in presses}
    assert len(seeds) == PRESSES
    assert 0 not in seeds
    # every bit is set in about half of them: within four deviations of 7
    for bit in range(32):
        assert abs(sum(seed >> bit & 1 for seed in seeds) - PRESSES / 2) < 28
    # and every place of the deck has had many cards
    assert all(len({press.deck[place] for press in presses}) > 40 for place in range(CARDS))


@needs_pyboy
def test_a_seed_follows_from_the_frame() -> None:
    seeds = []
    for wait in (20, 20, 21):
        player = Player(DEFAULT_FEEDBACK, Reduction.CORRECT)
        seeds.append(player.press(wait).seed)
        player.close()
    assert seeds[0] == seeds[1] != seeds[2]


def row_of(player: Player, row: int) -> bytes:
    """The tiles of one row of the screen."""
    return player.read_at(MAP + MAP_COLUMNS * row, COLUMNS)


def tiles_of(card: int) -> bytes:
    """The three tiles of a card."""
    suit = 0 if card < 22 else 1 + (card - 22) // 14
    tens, ones = (TENS, ONES) if suit else (DARK_TENS, DARK_ONES)
    return bytes([tens + card // 10, ones + card % 10, EMBLEMS + suit])


@needs_pyboy
def test_the_screen_shows_seed_first_card_and_deck(player: Player) -> None:
    for wait in range(25):
        press = player.press(wait)
        first = press.deck[0]
        assert row_of(player, 0) == f"TAROT  SEED {press.seed:08X}".encode()
        assert row_of(player, 1).startswith(b"FIRST CARD " + tiles_of(first))
        assert row_of(player, 2).decode().rstrip() == NAMES[first].upper()
        shown = b"".join(row_of(player, row)[1:19] for row in range(4, 17))
        assert shown == b"".join(tiles_of(card) for card in press.deck)


@needs_pyboy
def test_a_picture_is_written(player: Player, tmp_path: Path) -> None:
    from PIL import Image

    player.press(10)
    path = tmp_path / "deck.png"
    player.picture(path)
    with Image.open(path) as picture:
        assert picture.size == (160 * SCALE, 144 * SCALE)
        colours = picture.convert("L").getcolors()
    assert colours is not None
    # white paper, grey cards, black cards and ink
    assert len(colours) == 3
    assert min(count for count, _ in colours) > 160 * 144 * SCALE**2 / 20


def called(*args: str) -> str:
    result = CliRunner().invoke(fairdeck, ["tarot", "gameboy", *args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@needs_pyboy
@pytest.mark.parametrize("feedback", FEEDBACKS)
@pytest.mark.parametrize("reduction", Reduction)
def test_json_of_the_command(feedback: str, reduction: Reduction) -> None:
    args = ("--presses", "3", "--wait", "7", "--feedback", feedback)
    found: dict[str, Any] = json.loads(called(*args, "--reduction", reduction.value, "--json"))
    presses = found["presses"]
    assert [list(press) for press in presses] == [["frame", "seed", "deck", "equal"]] * 3
    assert all(press["equal"] for press in presses)
    frames = [press["frame"] for press in presses]
    assert frames[1] - frames[0] >= 8 + HELD
    for press in presses:
        generator = Generator(int(press["seed"], 16), FEEDBACKS[feedback])
        assert tuple(press["deck"]) == shuffle(generator, reduction=reduction).deck


@needs_pyboy
def test_text_of_the_command(tmp_path: Path) -> None:
    picture = tmp_path / "deck.png"
    text = called("--presses", "2", "--screenshot", str(picture))
    assert "Game Boy against model: 2 of 2 decks equal" in text
    assert text.count("first card") == 2
    assert picture.read_bytes().startswith(b"\x89PNG")


@needs_pyboy
def test_a_picture_of_no_known_format_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tarot", "gameboy", "--screenshot", str(tmp_path / "deck.doc")]) == 2
    shown = capsys.readouterr()
    assert "name it .png" in shown.err
    assert len(shown.err.splitlines()) == 1


@pytest.mark.parametrize("missing", ["pyboy", "PIL"])
def test_a_missing_package_gives_one_line(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "fairdeck.tarot.gameboy.find_spec", lambda name: None if name == missing else object()
    )
    assert run(["tarot", "gameboy"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f'needs {missing}: pip install "fairdeck[emulators]"' in shown.err
    assert len(shown.err.splitlines()) == 1


@needs_pyboy
def test_a_disagreement_is_told_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fairdeck.tarot.gameboy.Press.is_right", lambda *_: False)
    assert run(["tarot", "gameboy"]) == 1
    shown = capsys.readouterr()
    assert "0 of 1 decks equal" in shown.out
    assert "the Game Boy disagrees with the model about seed" in shown.err
