"""The Game Boy ROM: its header, and what it does when keys are pressed, in two emulators."""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import tarot_screens
from click.testing import CliRunner
from slow import slow_but
from tarot_screens import Shown

from fairdeck.cli import fairdeck, run
from fairdeck.console import HELD, SCALE
from fairdeck.tarot.draw import Generator, Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, FEEDBACKS, next_byte
from fairdeck.tarot.gameboy import Player
from fairdeck.tarot.library import tarot_rom
from fairdeck.tarot.played import Press, Screen, orientations
from fairdeck.tarot.shuffle import CARDS, shuffle, shuffles
from fairdeck.tarot.targets import SM83
from romproof.harness.rom import Rom
from romproof.machine.gameboy.header import CartridgeChip, read_header
from romproof.program.image import Image
from romproof.projects import build, load_manifest
from romproof.toolchains.rgbds.fix.check import check_header

needs_pyboy = pytest.mark.skipif(
    find_spec("pyboy") is None or find_spec("PIL") is None,
    reason='PyBoy is not installed: pip install "fairdeck[emulators]"',
)
ROOT = Path(__file__).parents[2]
LOGO_SHA256 = "daf4cabdc852baa0291849203f0b41fd0b4ecd58e0d7aff4a509f5de4d7f9a2e"
"""Of the 48 bytes that the boot ROM compares with its own."""
DECKS = 200
SHUFFLES = 1000
MAP, MAP_COLUMNS = 0x9800, 32
KEYS = {
    "a": 1,
    "b": 2,
    "select": 4,
    "start": 8,
    "right": 0x10,
    "left": 0x20,
    "up": 0x40,
    "down": 128,
}


@pytest.fixture(scope="module")
def image() -> Image:
    return tarot_rom(SM83, DEFAULT_FEEDBACK, Reduction.CORRECT).image


@pytest.fixture(scope="module")
def rom(image: Image) -> Rom:
    return Rom(image)


def test_the_header_is_valid(image: Image) -> None:
    rom = image.files[0].data
    header = read_header(rom)
    assert (header.title.rstrip("\0"), header.equipment.chip) == (
        "FAIRDECK TAROT",
        CartridgeChip.NONE,
    )
    assert (header.rom_size, header.ram_size, len(rom)) == (32768, 0, 32768)
    assert check_header(rom) == []
    # it has colours, and works without them
    assert rom[0x143] == 0x80
    # both sums as the boot ROM and rgbfix define them
    assert rom[0x14D] == sum(-byte - 1 for byte in rom[0x134:0x14D]) & 0xFF
    assert int.from_bytes(rom[0x14E:0x150], "big") == (sum(rom[:0x14E]) + sum(rom[0x150:]) & 0xFFFF)
    assert hashlib.sha256(rom[0x104:0x134]).hexdigest() == LOGO_SHA256


# ---------------------------------------------------------------- its routines


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
def test_the_press_is_stirred_into_the_register(
    rom: Rom, state: int, press: bytes, seed: int | None
) -> None:
    wanted = model_seed(state, press)
    assert seed is None or wanted == seed
    machine = rom.machine()
    machine.write("lfsr", state.to_bytes(4, "big"))
    machine.write("press", press)
    machine.call("seed_from_press")
    assert machine.read("seed", 4) == machine.read("lfsr", 4) == wanted.to_bytes(4, "big")


@pytest.mark.parametrize("left", [0, 3, 8])
def test_orientations_are_the_flips_after_the_shuffle(rom: Rom, left: int) -> None:
    generator = Generator(0xC0FFEE11, DEFAULT_FEEDBACK, 0xA5, left)
    machine = rom.machine()
    state = generator.state.to_bytes(4, "big") + bytes([0xA5, left])
    machine.write(rom.image.address("lfsr"), state)
    machine.call("orient")
    assert tuple(machine.read("orientation", CARDS)) == orientations(generator)
    assert machine.read(rom.image.address("lfsr"), 6) == state


def test_every_card_is_composed_as_it_lies(rom: Rom) -> None:
    machine = rom.machine()
    machine.write("deck", bytes(reversed(range(CARDS))))
    for is_reversed in (False, True):
        machine.write("orientation", bytes([is_reversed]) * CARDS)
        for place in range(CARDS):
            card = CARDS - 1 - place
            machine.call("compose_card", a=place)
            assert machine.read("cells", 48) == tarot_screens.face(card, is_reversed)
            assert machine.read("palette", 1)[0] == 1 + tarot_screens.rank(card)[0]
    for routine, wanted in (
        ("compose_back", tarot_screens.back()),
        ("compose_edge", tarot_screens.edge()),
    ):
        machine.call(routine)
        assert machine.read("cells", 48) == wanted


@pytest.mark.parametrize("digit", range(8))
@pytest.mark.parametrize("key", ["up", "down", "left", "right", "a", "select"])
def test_keys_change_one_digit_or_the_pointer(rom: Rom, digit: int, key: str) -> None:
    machine = rom.machine()
    for seed in (0x12345678, 0xFFFFFFFF, 0):
        machine.write("seed", seed.to_bytes(4, "big"))
        machine.write("pointer", bytes([digit]))
        machine.call("edit_seed", a=KEYS[key])
        shift = 4 * (7 - digit)
        step = {"up": 1, "down": -1}.get(key, 0)
        wanted = seed & ~(15 << shift) | ((seed >> shift) + step & 15) << shift
        assert int.from_bytes(machine.read("seed", 4), "big") == wanted
        moved = digit + {"left": -1, "right": 1}.get(key, 0)
        assert machine.read("pointer", 1)[0] == min(max(moved, 0), 7)


def test_every_card_of_the_rest_has_its_place(rom: Rom) -> None:
    machine = rom.machine()
    for place in range(3, CARDS):
        row, column = divmod(place - 3, 5)
        assert machine.call("rest_place", a=place).hl == MAP + MAP_COLUMNS * (1 + row) + 4 * column


# ---------------------------------------------------------------- in PyBoy


@pytest.fixture(scope="module")
def player() -> Iterator[Player]:
    made = Player(DEFAULT_FEEDBACK, Reduction.CORRECT)
    yield made
    made.close()


@pytest.mark.slow
@needs_pyboy
def test_every_deck_from_the_title_is_that_of_its_seed(player: Player) -> None:
    presses = [player.new_deck(number % 61) for number in range(DECKS)]
    assert all(press.number == 1 for press in presses)
    assert all(press.is_right(DEFAULT_FEEDBACK, Reduction.CORRECT) for press in presses)
    assert len({press.frame for press in presses}) == DECKS
    seeds = {press.seed for press in presses}
    assert len(seeds) == DECKS
    assert 0 not in seeds
    # every bit is set in about half of them: within four deviations of 7
    for bit in range(32):
        assert abs(sum(seed >> bit & 1 for seed in seeds) - DECKS / 2) < 28
    # and every place of the deck has had many cards
    assert all(len({press.deck[place] for press in presses}) > 40 for place in range(CARDS))
    # 15,600 cards, of which half lie reversed: within four deviations of 62
    assert abs(sum(sum(press.reversed) for press in presses) - DECKS * CARDS / 2) < 250


@pytest.mark.slow
@needs_pyboy
def test_a_thousand_shuffles_of_one_seed(player: Player) -> None:
    """Deck and flips carry over: each is the next one of ``fairdeck tarot shuffle``."""
    player.type_seed(0x12345678)
    found = [player.shuffle() for _ in range(SHUFFLES)]
    model = shuffles(Generator(0x12345678), SHUFFLES)
    assert [press.number for press in found] == list(range(1, SHUFFLES + 1))
    assert {press.seed for press in found} == {0x12345678}
    for press, wanted in zip(found, model, strict=True):
        assert press.deck == wanted.deck, press.number
        assert press.reversed == orientations(wanted.generator), press.number


@needs_pyboy
def test_a_typed_seed_begins_anew(player: Player) -> None:
    player.new_deck(3)
    player.shuffle()
    for seed in (0xDEADBEEF, 0x00000001):
        player.type_seed(seed)
        press = player.shuffle()
        assert (press.seed, press.number) == (seed, 1)
        assert press.deck == shuffle(Generator(seed)).deck


@needs_pyboy
def test_shuffle_65535_is_the_last_of_its_seed(player: Player) -> None:
    player.type_seed(0x12345678)
    player.shuffle()
    player.write("shuffles", (65534).to_bytes(2, "little"))
    press = player.shuffle()
    assert (press.seed, press.number) == (0x12345678, 65535)
    shown = Shown(seed=press.seed, number=65535)
    check(player, shown.spread())
    after = player.shuffle()
    assert after.seed != press.seed
    assert after.number == 1
    assert after.is_right(DEFAULT_FEEDBACK, Reduction.CORRECT)


@needs_pyboy
def test_a_seed_follows_from_the_frame() -> None:
    seeds = []
    for wait in (20, 20, 21):
        player = Player(DEFAULT_FEEDBACK, Reduction.CORRECT)
        seeds.append(player.new_deck(wait).seed)
        player.close()
    assert seeds[0] == seeds[1] != seeds[2]


@needs_pyboy
def test_the_symbol_file_leads_to_what_the_page_names(image: Image, tmp_path: Path) -> None:
    """PyBoy reads the file that is written beside the ROM."""
    with warnings.catch_warnings(action="ignore"):  # it tells where its SDL2 comes from
        from pyboy import PyBoy

    built = build(load_manifest(ROOT / "rom" / "tarot-gb" / "manifest.toml"), tmp_path)
    rom, symbols = (
        next(str(file) for file in built.files if file.suffix == suffix)
        for suffix in (".gb", ".sym")
    )
    pyboy = PyBoy(rom, window="null", sound_emulated=False, log_level="ERROR", symbols=symbols)
    page = (ROOT / "docs" / "roms.md").read_text("utf-8").split("### Variables for tests")[1]
    names = re.findall(r"^\| `(\w+)` \|", page.split("## ")[0], re.M)
    assert {"screen", "seed", "deck", "orientation"} <= set(names)
    for name in names:
        assert pyboy.symbol_lookup(name) == (0, image.address(name))
    pyboy.stop(save=False)


def check(player: Player, wanted: list[bytearray]) -> None:
    """That the screen is so, tile by tile."""
    found = [player.read_at(MAP + MAP_COLUMNS * row, 20) for row in range(18)]
    assert tarot_screens.difference(found, wanted) == ""


@needs_pyboy
@pytest.mark.parametrize("colour", [False, True])
def test_every_screen_tile_by_tile(colour: bool) -> None:
    player = Player(DEFAULT_FEEDBACK, Reduction.CORRECT, colour)
    try:
        assert player.screen is Screen.TITLE
        check(player, Shown().title())
        player.press("a", "b", "left")
        check(player, Shown().title())
        player.press("select")
        assert player.screen is Screen.SEED
        check(player, Shown().typing())
        player.press("right", "up", "right", "right", "down")
        check(player, Shown(seed=0x13335678, pointer=3).typing())
        player.type_seed(0)
        player.press("start")
        assert player.screen is Screen.SEED
        check(player, Shown(seed=0, pointer=7, refused=True).typing())
        player.press("select")
        check(player, Shown(seed=0, pointer=7).typing())
        player.press("b")
        assert player.screen is Screen.TITLE
        player.type_seed(0x0BADCAFE)
        first = player.shuffle()
        assert player.screen is Screen.SPREAD
        for turned in range(4):
            shown = state_of(first, turned=turned)
            check(player, shown.spread())
            player.press("a")
        check(player, state_of(first, turned=3).spread())
        player.press("select")
        assert player.screen is Screen.REST
        check(player, state_of(first, pointer=3).rest())
        player.press("left", "up", "right", "down", "down", "left", "left")
        check(player, state_of(first, pointer=12).rest())
        player.press(*["down"] * 15, *["right"] * 5)
        check(player, state_of(first, pointer=77).rest())
        player.press("right", "down", "up")
        check(player, state_of(first, pointer=72).rest())
        player.press("b")
        check(player, state_of(first, turned=3).spread())
        player.press("select")
        second = player.shuffle()
        assert (second.seed, second.number) == (0x0BADCAFE, 2)
        check(player, state_of(second).spread())
    finally:
        player.close()


def state_of(press: Press, turned: int = 0, pointer: int = 0) -> Shown:
    """The variables after a shuffle, and some keys."""
    return Shown(press.seed, press.number, turned, pointer, press.deck, press.reversed)


@needs_pyboy
def test_every_name_fits_the_spread(player: Player) -> None:
    """All 78, in each of the three places."""
    player.type_seed(0x2B)
    press = player.shuffle()
    for card in range(CARDS):
        deck = tuple((card + 26 * i) % CARDS for i in range(3)) + press.deck[3:]
        player.write("deck", bytes(deck))
        player.write("turned", b"\0")
        player.press("a", "a", "a")
        found = [player.read_at(MAP + MAP_COLUMNS * row, 20) for row in range(11, 17)]
        shown = Shown(press.seed, 1, 3, 0, deck, press.reversed)
        assert found == shown.spread()[11:17]


@needs_pyboy
def test_every_name_is_shown(player: Player) -> None:
    """All 78, either way up, on the screen of the rest."""
    player.type_seed(0x2A)
    press = player.shuffle()
    player.press("select", "right")
    for is_reversed in (False, True):
        for card in range(CARDS):
            deck = tuple((card + i - 3) % CARDS for i in range(CARDS))
            player.write("deck", bytes(deck))
            player.write("orientation", bytes([is_reversed]) * CARDS)
            player.press("right" if card % 2 else "left")
            pointer = 3 + card % 2
            shown = Shown(press.seed, 1, 0, pointer, deck, (is_reversed,) * CARDS).rest()
            found = [player.read_at(MAP + MAP_COLUMNS * row, 20) for row in (16, 17)]
            assert found == shown[16:]


@needs_pyboy
def test_a_picture_is_written(player: Player, tmp_path: Path) -> None:
    from PIL import Image as Pictures

    player.new_deck(10)
    path = tmp_path / "deck.png"
    player.picture(path)
    with Pictures.open(path) as picture:
        assert picture.size == (160 * SCALE, 144 * SCALE)
        colours = picture.convert("L").getcolors()
    assert colours is not None
    # white paper, light and dark grey backs, black ink
    assert len(colours) == 4
    assert min(count for count, _ in colours) > 160 * 144 * SCALE**2 / 100


# ---------------------------------------------------------------- the command


def called(*args: str) -> str:
    result = CliRunner().invoke(fairdeck, ["tarot", "gameboy", *args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


EVERY_VARIANT = [(feedback, reduction) for feedback in FEEDBACKS for reduction in Reduction]
SOME_VARIANTS = [
    (feedback, list(Reduction)[number % 2]) for number, feedback in enumerate(FEEDBACKS)
]
"""Each polynomial once, each way to reduce at least once."""


@pytest.mark.slow_cases("c5-Reduction.PRINTED", "cf-Reduction.CORRECT")
@needs_pyboy
@pytest.mark.parametrize(("feedback", "reduction"), slow_but(SOME_VARIANTS, EVERY_VARIANT))
def test_json_of_the_command(feedback: str, reduction: Reduction) -> None:
    args = ("--presses", "3", "--wait", "7", "--feedback", feedback)
    found: dict[str, Any] = json.loads(called(*args, "--reduction", reduction.value, "--json"))
    presses = found["presses"]
    keys = ["frame", "seed", "number", "deck", "reversed", "equal"]
    assert [list(press) for press in presses] == [keys] * 3
    assert all(press["equal"] for press in presses)
    frames = [press["frame"] for press in presses]
    assert frames[1] - frames[0] >= 8 + HELD
    for press in presses:
        generator = Generator(int(press["seed"], 16), FEEDBACKS[feedback])
        made = shuffle(generator, reduction=reduction)
        assert tuple(press["deck"]) == made.deck
        assert tuple(press["reversed"]) == orientations(made.generator)


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
        "fairdeck.console.find_spec", lambda name: None if name == missing else object()
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
    monkeypatch.setattr("fairdeck.tarot.played.Press.is_right", lambda *_: False)
    assert run(["tarot", "gameboy"]) == 1
    shown = capsys.readouterr()
    assert "0 of 1 decks equal" in shown.out
    assert "the Game Boy disagrees with the model about seed" in shown.err
