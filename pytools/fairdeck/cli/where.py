"""Options that say who makes a wall, and the check that machine and model agree."""

from __future__ import annotations

from collections.abc import Sequence

import click

from fairdeck.cli.choices import Command
from fairdeck.data import DEFAULT_ENGINE
from fairdeck.disagreement import Disagreement
from fairdeck.wall_roms import WALL_ROMS
from romproof import engines

MODEL = "model"


def where_options(command: Command) -> Command:
    """Add ``--on`` and ``--engine``; the command gets ``where`` and ``engine``."""
    command = click.option(
        "--engine",
        type=click.Choice(engines()),
        default=DEFAULT_ENGINE,
        show_default=True,
        help="The emulator for a machine; the model needs none.",
    )(command)
    return click.option(
        "--on",
        "where",
        type=click.Choice([MODEL, *WALL_ROMS]),
        default=MODEL,
        show_default=True,
        help="The model or the machine that computes it; a machine is compared with the model.",
    )(command)


def require_equal(where: str, made: Sequence[object], model: Sequence[object], what: str) -> None:
    """Raise Disagreement, naming the first that differs, unless all are equal."""
    for number, (one, other) in enumerate(zip(made, model, strict=True)):
        if one != other:
            raise Disagreement(f"the {where} disagrees with the model in {what} {number}")
