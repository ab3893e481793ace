"""Both games, made by their Makefiles, deal the decks of the model."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairdeck.tarot.draw import Generator
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.shuffle import shuffles
from romproof import Rom, build

HERE = Path(__file__).parents[1]
PARTS = ("state", "next_byte", "flip", "draw", "swap", "deck_init", "shuffle")
BALANCED = 1
VARIANTS = (0, BALANCED, 2)
DECKS = 3

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@dataclass(frozen=True)
class Game:
    """One of the two: its folder, its file, its tools by the names its Makefile has for them."""

    folder: str
    image: str
    cpu: str
    tools: dict
    rest: str


GAMES = [
    Game(
        "nes",
        "game.nes",
        "6502",
        {"CA65": "ca65", "LD65": "ld65"},
        'config = "{here}/nes/game.cfg"',
    ),
    Game(
        "gb",
        "game.gb",
        "sm83",
        {"RGBASM": "rgbasm", "RGBLINK": "rgblink", "RGBFIX": "rgbfix"},
        '[rom.link]\ntiny = true\n[rom.header]\ntitle = "CARD GAME"',
    ),
]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.folder)
each_variant = pytest.mark.parametrize("variant", VARIANTS)


def made(game, variant, where, prefix):
    """The file that the game's Makefile makes with tools that are called ``prefix`` and a name."""
    tools = [f"{key}={prefix}{name}" for key, name in game.tools.items()]
    words = ["make", "-s", "-C", HERE / game.folder, *tools]
    words += [f"VARIANT={variant}", f"BUILD={where}"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return (where / game.image).read_bytes()


def called(game, variant, where):
    """The same program with its routines to be called."""
    library = HERE.parents[1] / "asm" / game.cpu / "tarot"
    suffix = {"6502": "s", "sm83": "asm"}[game.cpu]
    sources = [library / f"{part}.{suffix}" for part in PARTS]
    sources.append(HERE / game.folder / f"game.{suffix}")
    include = library if game.cpu == "6502" else library.parent
    manifest = where / "manifest.toml"
    manifest.write_text(
        f'[rom]\nname = "game"\ncpu = "{game.cpu}"\noutput = "{game.image}"\n'
        f"sources = {[str(path) for path in sources]}\ninclude = ['{include}']\n"
        + (game.rest.format(here=HERE) + "\n" if game.cpu == "6502" else "")
        + f"[rom.defines]\nTAROT_VARIANT = {variant}\n"
        + (game.rest if game.cpu == "sm83" else "")
    )
    return build(manifest).image


@each_game
@each_variant
def test_a_game_deals_the_decks_of_its_seed(game, variant, tmp_path):
    machine = Rom(called(game, variant, tmp_path)).machine()
    machine.run_from("reset", until="ready")
    dealt = [machine.call("deal", limit=200_000).a for _ in range(78 * DECKS)]
    model = shuffles(Generator(0x12345678, DEFAULT_FEEDBACK), DECKS)
    assert dealt == [card for one in model for card in one.deck]


@needs_make
@each_game
def test_the_makefile_makes_it_with_our_tools(game, tmp_path):
    image = called(game, BALANCED, tmp_path)
    prefix = f"{sys.executable} -m romproof "
    assert made(game, BALANCED, tmp_path / "build", prefix) == image.files[0].data


@needs_make
@each_game
@each_variant
def test_the_makefile_makes_the_same_bytes_with_the_original_tools(game, variant, tmp_path):
    missing = [name for name in game.tools.values() if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    image = called(game, variant, tmp_path)
    assert made(game, variant, tmp_path / "build", "") == image.files[0].data
