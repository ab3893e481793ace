"""The NES ROM in cynes: header, keys, seeds, decks, and what is seen."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nes_picture import COLUMNS, LEFT, ROWS, cells, difference, tiles
from slow import slow_but
from tarot_screens import Shown

from fairdeck.cli import fairdeck, run
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, FEEDBACKS
from fairdeck.tarot.nes import SCALE, Player, nes_rom
from fairdeck.tarot.played import Press, Screen, orientations
from fairdeck.tarot.runs import Request, on_model
from fairdeck.tarot.shuffle import CARDS

pytestmark = pytest.mark.xdist_group("tarot-nes")
needs_cynes = pytest.mark.skipif(
    find_spec("cynes") is None or find_spec("PIL") is None,
    reason='cynes is not installed: pip install "fairdeck[emulators]"',
)
SHUFFLES, MANY = 16, 1000
SOME_SEED = 0xF2355679


@pytest.fixture(scope="module")
def rom() -> bytes:
    return nes_rom(DEFAULT_FEEDBACK, Reduction.CORRECT).image.files[0].data


@pytest.fixture
def player() -> Player:
    return Player(DEFAULT_FEEDBACK, Reduction.CORRECT)


def test_the_header_is_that_of_an_nrom(rom: bytes) -> None:
    assert rom[:4] == b"NES\x1a"
    program, patterns, low, high = rom[4:8]
    assert len(rom) == 16 + 0x4000 * program + 0x2000 * patterns
    assert (program, patterns) == (1, 1)
    assert low >> 4 | high & 0xF0 == 0  # the mapper
    assert low & 0b1110 == 0  # no battery, no trainer, two name tables
    assert high & 0b1111 == 0  # iNES, not NES 2.0; no arcade board
    assert rom[8:16] == bytes(8)
    image = nes_rom(DEFAULT_FEEDBACK, Reduction.CORRECT).image
    vectors = [int.from_bytes(rom[at : at + 2], "little") for at in range(0x400A, 0x4010, 2)]
    assert vectors == [image.address(name) for name in ("nmi", "reset", "interrupt")]


@needs_cynes
def test_a_typed_seed_gives_the_decks_of_the_command(player: Player) -> None:
    """The deck is set up once; flips carry over, those of the orientation are not used up."""
    player.type_seed(SOME_SEED)
    model = on_model(Request(SOME_SEED, 5))
    for number, outcome in enumerate(model, 1):
        dealt = player.shuffle()
        assert (dealt.seed, dealt.number) == (SOME_SEED, number)
        assert dealt.deck == outcome.deck
        assert dealt.reversed == orientations(outcome.generator)
    player.press("a", "select")  # shuffling on from the rest is no different
    assert player.shuffle().deck == on_model(Request(SOME_SEED, 6))[-1].deck
    player.type_seed(SOME_SEED)  # typed again: the deck begins anew
    assert player.shuffle().deck == model[0].deck


EVERY_VARIANT = [(feedback, reduction) for feedback in FEEDBACKS for reduction in Reduction]
SOME_VARIANTS = [
    (feedback, list(Reduction)[number % 2]) for number, feedback in enumerate(FEEDBACKS)
]
"""Each polynomial once, each way to reduce at least once."""


@pytest.mark.slow_cases("c5-Reduction.PRINTED", "cf-Reduction.CORRECT")
@needs_cynes
@pytest.mark.parametrize(("feedback", "reduction"), slow_but(SOME_VARIANTS, EVERY_VARIANT))
def test_every_variant(feedback: str, reduction: Reduction) -> None:
    player = Player(FEEDBACKS[feedback], reduction)
    for dealt in (player.new_deck(3), player.shuffle()):
        assert dealt.is_right(FEEDBACKS[feedback], reduction)


def are_right(player: Player, count: int) -> list[Press]:
    """New decks, each compared with the model; every second one is shuffled once more."""
    found: list[Press] = []
    while len(found) < count:
        found.append(player.new_deck(len(found) % 61))
        if len(found) % 4 < 2:
            found.append(player.shuffle())
    assert all(dealt.is_right(DEFAULT_FEEDBACK, Reduction.CORRECT) for dealt in found)
    return found


@pytest.mark.slow
@needs_cynes
def test_every_press_gives_the_deck_of_its_seed(player: Player) -> None:
    found = are_right(player, SHUFFLES)
    seeds = [dealt.seed for dealt in found if dealt.number == 1]
    assert len(set(seeds)) == len(seeds)
    assert {dealt.number for dealt in found} == {1, 2}
    assert 0 not in seeds


@needs_cynes
@pytest.mark.long
def test_a_thousand_shuffles(player: Player) -> None:
    found = are_right(player, MANY)
    seeds = {dealt.seed for dealt in found}
    assert len(seeds) == sum(dealt.number == 1 for dealt in found)
    # every bit is set in about half of the seeds: within four deviations
    for bit in range(32):
        some = sum(seed >> bit & 1 for seed in seeds)
        assert abs(some - len(seeds) / 2) < 2 * len(seeds) ** 0.5
    # and every place of the deck has had many cards, upright and reversed
    for place in range(CARDS):
        assert len({dealt.deck[place] for dealt in found}) > 70
        assert 400 < sum(dealt.reversed[place] for dealt in found) < 600


@needs_cynes
def test_a_seed_follows_from_the_frame() -> None:
    seeds = [
        Player(DEFAULT_FEEDBACK, Reduction.CORRECT).new_deck(wait).seed for wait in (20, 20, 21)
    ]
    assert seeds[0] == seeds[1] != seeds[2]


@needs_cynes
def test_after_the_last_number_there_is_a_new_seed(player: Player) -> None:
    before = player.new_deck(1)
    player.write("shuffles", b"\xfe\xff")
    assert (player.shuffle().number, player.shuffle().number) == (65535, 1)
    player.press("b")
    after = player.new_deck(1)
    assert after.number == 1
    assert after.seed != before.seed
    # the new seed of 65,536 was made by the press: from then on all is as ever
    player.write("shuffles", b"\xff\xff")
    last = player.shuffle()
    assert last.number == 1
    assert last.seed != after.seed
    assert last.is_right(DEFAULT_FEEDBACK, Reduction.CORRECT)


WALKS = {
    "title": ("", (Screen.TITLE, 0, None)),
    "other keys do nothing on the title": ("a b up down left right", (Screen.TITLE, 0, None)),
    "seed": ("select", (Screen.SEED, 0, 0)),
    "the pointer stops at the left": ("select left left", (Screen.SEED, 0, 0)),
    "the pointer stops at the right": ("select " + "right " * 9, (Screen.SEED, 0, 7)),
    "other keys do nothing on the seed": ("select a select", (Screen.SEED, 0, 0)),
    "back to the title": ("select right b", (Screen.TITLE, 0, None)),
    "spread": ("start", (Screen.SPREAD, 0, None)),
    "arrows do nothing on the spread": ("start up down left right", (Screen.SPREAD, 0, None)),
    "two cards": ("start a a", (Screen.SPREAD, 2, None)),
    "there are three cards": ("start a a a a", (Screen.SPREAD, 3, None)),
    "shuffled again": ("start a a start", (Screen.SPREAD, 0, None)),
    "from the spread to the title": ("start a b", (Screen.TITLE, 1, None)),
    "rest": ("start a select", (Screen.REST, 1, 3)),
    "the cards stay turned": ("start a select b", (Screen.SPREAD, 1, None)),
    "select goes back": ("start a select select", (Screen.SPREAD, 1, None)),
    "a does nothing on the rest": ("start select a", (Screen.REST, 0, 3)),
    "shuffled from the rest": ("start a a select start", (Screen.SPREAD, 0, None)),
    "no card to the left": ("start select left up", (Screen.REST, 0, 3)),
    "right, down": ("start select right right down", (Screen.REST, 0, 10)),
    "left, up": ("start select down right right left up", (Screen.REST, 0, 4)),
    "right goes on in the next row": ("start select" + " right" * 6, (Screen.REST, 0, 9)),
    "no card below": ("start select" + " down" * 15, (Screen.REST, 0, 73)),
    "no card to the right": ("start select" + " down" * 14 + " right" * 5, (Screen.REST, 0, 77)),
}


@pytest.mark.quick_cases(
    "title",
    "other keys do nothing on the title",
    "seed",
    "the pointer stops at the left",
    "other keys do nothing on the seed",
    "back to the title",
    "spread",
    "arrows do nothing on the spread",
    "from the spread to the title",
    "right, down",
)
@needs_cynes
@pytest.mark.parametrize("name", WALKS)
def test_keys_lead_where_the_page_says(name: str, player: Player) -> None:
    keys, (screen, turned, pointer) = WALKS[name]
    player.press(*keys.split())
    assert player.screen is screen
    assert player.read("turned", 1)[0] == turned
    if pointer is not None:
        assert player.read("pointer", 1)[0] == pointer


@pytest.mark.slow
@needs_cynes
def test_a_seed_is_typed(player: Player) -> None:
    player.press("select")
    assert player.read("seed", 4).hex() == "12345678"
    player.press("down", "down", "right", "up", "right", "right", "down")
    assert player.read("seed", 4).hex() == "f3335678"
    player.press(*["up"] * 15)
    assert player.read("seed", 4).hex() == "f3325678"
    player.press("b", "select")
    assert player.read("seed", 4).hex() == "f3325678"
    player.type_seed(0)
    player.press("start")
    assert player.screen is Screen.SEED  # refused
    player.press("left", "up", "start")
    assert player.screen is Screen.SPREAD
    assert player.read("seed", 4).hex() == "00000010"


@needs_cynes
def test_a_key_counts_once_and_the_first_of_several(player: Player) -> None:
    player.hold("start", 60)
    player.wait(3)
    assert player.read("shuffles", 2) == b"\1\0"
    for several, first in (
        ("down select a", "a"),
        ("up b start", "b"),
        ("left start up", "start"),
    ):
        player.hold(several, 20)
        player.wait(3)
        turned, screen = player.read("turned", 1)[0], player.screen
        assert (turned, screen) == {
            "a": (1, Screen.SPREAD),
            "b": (1, Screen.TITLE),
            "start": (0, Screen.SPREAD),
        }[first]


def state_of(player: Player) -> Shown:
    """What the program's variables say."""
    return Shown(
        seed=int.from_bytes(player.read("seed", 4), "big"),
        number=int.from_bytes(player.read("shuffles", 2), "little"),
        turned=player.read("turned", 1)[0],
        pointer=player.read("pointer", 1)[0],
        deck=tuple(player.read("deck", CARDS)),
        reversed=tuple(byte == 1 for byte in player.read("orientation", CARDS)),
    )


def group_of(card: int) -> str:
    """What the colours of a card are called."""
    return "major" if card < 22 else ("wands", "cups", "swords", "pentacles")[(card - 22) // 14]


@pytest.mark.slow
@needs_cynes
def test_every_pixel_is_that_of_the_page(player: Player) -> None:
    """The tiles that docs/roms.md has, where it has them, as rom/art draws them; else paper."""
    patterns = tiles(player.rom)

    def compared(wanted: list[bytearray]) -> list[set[str]]:
        """The groups of colours in each column of the screen."""
        found = cells(player.pixels())
        told = difference(found, wanted, patterns)
        assert not told, told
        return [{line[LEFT + i][1] for line in found} - {""} for i in range(20)]

    compared(state_of(player).title())
    player.press("select", "right", "up")
    compared(state_of(player).typing())
    for _ in range(2):
        player.press("start")
        assert set().union(*compared(state_of(player).spread())) == {"text"}
        player.press("a", "a", "a")
        shown = state_of(player)
        columns = compared(shown.spread())
        for place in range(3):
            card = columns[7 * place : 7 * place + 6]
            assert set().union(*card) == {group_of(shown.deck[place])}
        player.press("select", "down", "right", "down")
        assert set().union(*compared(state_of(player).rest())) == {"text"}
    player.press("b", "b", "select")
    player.write("seed", bytes.fromhex("10000000"))
    player.press("down", "start")
    refused = state_of(player)
    refused.refused = True
    compared(refused.typing())


def test_a_wrong_pixel_is_told(rom: bytes) -> None:
    patterns = tiles(rom)
    blank = [[(patterns[ord(" ")], "")] * COLUMNS for _ in range(ROWS)]
    screen = [bytearray(b" " * 20) for _ in range(18)]
    assert difference(blank, screen, patterns) == ""
    screen[2][3] = ord("-")
    assert difference(blank, screen, patterns).splitlines() == [
        "row 2, column 3: found, and tile $2D",
        *["........  ........"] * 4,
        "........  .#####..",
        *["........  ........"] * 3,
    ]


@needs_cynes
def test_a_picture_is_written(player: Player, tmp_path: Path) -> None:
    from PIL import Image

    path = tmp_path / "title.png"
    player.picture(path)
    with Image.open(path) as picture:
        assert picture.size == (256 * SCALE, 240 * SCALE)
        colours = picture.convert("RGB").getcolors()
    assert colours is not None
    assert len(colours) == 4  # paper, two blues, ink


def called(*args: str) -> str:
    result = CliRunner().invoke(fairdeck, ["tarot", "nes", *args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.slow
@needs_cynes
def test_json_of_the_command() -> None:
    args = ("--seed", "12345678", "--presses", "2", "--wait", "7", "--feedback", "cf")
    found: dict[str, Any] = json.loads(called(*args, "--reduction", "printed", "--json"))
    one, two = found["presses"]
    assert list(one) == ["frame", "seed", "number", "deck", "reversed", "equal"]
    assert one["frame"] < two["frame"]
    model = on_model(Request(0x12345678, 2, FEEDBACKS["cf"], Reduction.PRINTED))
    for number, row, outcome in zip((1, 2), (one, two), model, strict=True):
        assert (row["seed"], row["number"], row["equal"]) == ("12345678", number, True)
        assert tuple(row["deck"]) == outcome.deck
        assert tuple(row["reversed"]) == orientations(outcome.generator)


@needs_cynes
def test_text_of_the_command(tmp_path: Path) -> None:
    picture = tmp_path / "spread.png"
    text = called("--seed", "12345678", "--presses", "2", "--screenshot", str(picture))
    assert "NES against model: 2 of 2 decks equal" in text
    assert "#1" in text
    assert "#2" in text
    assert picture.read_bytes().startswith(b"\x89PNG")


@needs_cynes
def test_a_picture_of_no_known_format_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tarot", "nes", "--screenshot", str(tmp_path / "deck.doc")]) == 2
    shown = capsys.readouterr()
    assert "name it .png" in shown.err
    assert len(shown.err.splitlines()) == 1


def test_a_missing_package_gives_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fairdeck.tarot.nes.find_spec", lambda name: None)
    assert run(["tarot", "nes"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "cynes is not installed" in shown.err
    assert 'pip install "fairdeck[emulators]"' in shown.err
    assert len(shown.err.splitlines()) == 1


@needs_cynes
def test_a_disagreement_is_told_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fairdeck.tarot.played.Press.is_right", lambda *_: False)
    assert run(["tarot", "nes"]) == 1
    shown = capsys.readouterr()
    assert "0 of 1 decks equal" in shown.out
    assert "the NES disagrees with the model about seed" in shown.err
