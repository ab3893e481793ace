"""Writes the pictures of the ROMs' screens to docs/pictures; ``make shots`` runs it.

README shows them, and tests compare each with what the emulator draws, pixel by pixel; so look at
them after running this: aligned, nothing cut off, readable in four shades? Seeds are typed, not
made of timing: the same pictures come out each time. PyBoy and cynes come with
pip install "fairdeck[emulators]".

    python tools/shots.py [--into FOLDER] [SCENE...]    only those of SCENES that are named
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import click

from fairdeck.console import Console
from fairdeck.tarot import gameboy, nes
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.played import Played
from fairdeck.tenhou.rom import wall_image
from romproof.support.files import write_atomically
from romproof.text.errors import RomproofError

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SCALE = 2
"""Pixels of a file for each of the screen's."""
SEED, NUMBER = 0x12345678, 3
"""Of the deck that is shown."""
USUAL = (DEFAULT_FEEDBACK, Reduction.CORRECT)
"""The variant of the shuffle that it is made by."""

Shot = tuple[str, Any]
"""Name of the file without ``.png``, and the picture, as Pillow has it."""


def tarot(name: str, player: Played) -> Iterator[Shot]:
    """The screens of the tarot on a console that was just switched on; it is closed."""
    try:
        yield f"{name}-title", player.pixels()
        player.type_seed(0)
        player.press("start")
        yield f"{name}-refused", player.pixels()
        player.type_seed(SEED)
        yield f"{name}-seed", player.pixels()
        for _ in range(NUMBER):
            player.shuffle()
        player.press("a", "a")
        yield f"{name}-turning", turning(player)
        yield f"{name}-spread", player.pixels()
        player.press("select", "right", "down", "down")
        yield f"{name}-rest", player.pixels()
    finally:
        player.close()


def turning(player: Played) -> Any:
    """The third card while it turns; afterwards it lies face up."""
    player.tap("a")
    picture = player.pixels()
    player.wait(20)
    return picture


def wall(colour: bool) -> Iterator[Shot]:
    """The screens of the wall."""
    name = "wall-gbc" if colour else "wall-gb"
    console = Console(wall_image(), colour)
    try:
        console.press("up")
        yield f"{name}-choose", console.pixels()
        console.tap("start")
        console.wait(100)
        yield f"{name}-work", console.pixels()
        console.wait(200)
        yield f"{name}-hands", console.pixels()
        console.press("a")
        yield f"{name}-wall", console.pixels()
    finally:
        console.close()


SCENES: dict[str, Callable[[], Iterator[Shot]]] = {
    "tarot-gb": lambda: tarot("tarot-gb", gameboy.Player(*USUAL)),
    "tarot-gbc": lambda: tarot("tarot-gbc", gameboy.Player(*USUAL, colour=True)),
    "tarot-nes": lambda: tarot("tarot-nes", nes.Player(*USUAL)),
    "wall-gb": lambda: wall(colour=False),
    "wall-gbc": lambda: wall(colour=True),
}
"""By the beginning of their files' names."""


def as_png(picture: Any) -> bytes:
    """The file: few colours, each pixel SCALE times SCALE."""
    large = picture.resize((SCALE * picture.width, SCALE * picture.height), resample=0)
    out = BytesIO()
    large.quantize(64, dither=0).save(out, "PNG", optimize=True)
    return out.getvalue()


@click.command(help=(__doc__ or "").partition("\n")[0])
@click.argument("scenes", nargs=-1, type=click.Choice(list(SCENES)))
@click.option("--into", type=click.Path(file_okay=False, path_type=Path), default=FOLDER)
def main(scenes: tuple[str, ...], into: Path) -> None:
    """Write the files."""
    into.mkdir(parents=True, exist_ok=True)
    try:
        for scene in scenes or SCENES:
            for name, picture in SCENES[scene]():
                write_atomically(into / f"{name}.png", as_png(picture))
    except RomproofError as fault:
        print(f"shots: {fault}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
