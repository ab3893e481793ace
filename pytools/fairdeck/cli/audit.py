"""``fairdeck audit``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from textwrap import fill

import click

from fairdeck.audit.picture import colour, scale_of, shrunk, write_png
from fairdeck.audit.placement import Placement
from fairdeck.audit.systems import SYSTEMS, System
from fairdeck.cli.text import show
from romproof.cli.output import progress, wants_colour

_CELLS = 26
_WIDTH = 79
_QUESTIONS = (
    ("chosen_by", "who could choose the seed"),
    ("committed", "fixed beforehand"),
    ("revealed", "made public"),
    ("verifiable", "a player can verify"),
    ("unverifiable", "a player cannot verify"),
)


@click.command("audit")
@click.argument("names", nargs=-1, type=click.Choice([system.name for system in SYSTEMS]))
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a PNG of each table: a row for each tile, a column for each place.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def audit_command(names: tuple[str, ...], pictures: Path | None, as_json: bool) -> None:
    """Show how fair each shuffle is, exactly, and what it lets a player verify.

    For every tile of a sorted deck and every place the probability to end there is worked out
    exactly, and given as a multiple of the fair one. Seeds are taken as evenly distributed; what
    a generator of too few states adds is told by its bits.

    \b
    Examples:
      fairdeck audit
      fairdeck audit mjarcade --pictures pictures
      fairdeck audit --json

    \b
    JSON (--json): {"systems": [...]}, each with name, title, tiles, lowest and highest
    (deviation of a cell from 1, the fair multiple), rms, total_variation {mean, worst,
    worst_place}, corner (the four corner cells as fractions), seed_bits, order_bits, cause,
    and the answers chosen_by, committed, revealed, verifiable, unverifiable.
    """
    chosen = [system for system in SYSTEMS if not names or system.name in names]
    tables: list[tuple[System, Placement]] = []
    with progress("working out", len(chosen)) as tick:
        for system in chosen:
            tables.append((system, system.placement()))
            tick()
    if pictures is not None:
        for system, table in tables:
            write_png(table, pictures / f"{system.name}.png")
    if as_json:
        click.echo(json.dumps({"systems": [_as_object(*one) for one in tables]}))
    else:
        show("\n\n".join((_overview(tables), *(_as_text(*one) for one in tables))))


def _variation(table: Placement) -> tuple[float, float, int]:
    worst = max(table.variations)
    mean = sum(table.variations) / table.size
    return mean, worst, table.variations.index(worst)


def _as_object(system: System, table: Placement) -> dict[str, object]:
    mean, worst, place = _variation(table)
    last = table.size - 1
    return {
        "name": system.name,
        "title": system.title,
        "tiles": system.tiles,
        "lowest": table.lowest,
        "highest": table.highest,
        "rms": table.rms,
        "total_variation": {"mean": mean, "worst": worst, "worst_place": place},
        "corner": {
            f"{tile},{at}": float(table.probability(tile, at))
            for tile in (0, last)
            for at in (0, last)
        },
        "seed_bits": system.seed_bits,
        "order_bits": system.order_bits,
        "cause": system.cause,
        **{key: getattr(system, key) for key, _ in _QUESTIONS},
    }


def _overview(tables: list[tuple[System, Placement]]) -> str:
    lines = [
        click.style(
            f"{'shuffle':<28} {'least':>11} {'most':>11} {'rms':>9} {'worst place':>12}", bold=True
        )
    ]
    for system, table in tables:
        _, worst, _ = _variation(table)
        lines.append(
            f"{system.title:<28} {_ratio(table.lowest):>11} {_ratio(table.highest):>11} "
            f"{_percent(table.rms):>9} {_percent(worst):>12}"
        )
    return "\n".join(
        (
            *lines,
            "least, most: how often a tile ends at a place, as a multiple of fair;",
            "worst place: share of shuffles in which another tile is there than should be",
        )
    )


def _ratio(deviation: float) -> str:
    if deviation and abs(deviation) < 1e-4:
        return f"1{deviation:+.1e}"
    return f"{1 + deviation:.4f}"


def _percent(share: float) -> str:
    if share and share < 1e-6:
        return f"{share:.0e}"
    return f"{100 * share:.2f} %"


def _as_text(system: System, table: Placement) -> str:
    lines = [click.style(system.title, bold=True), *_picture(table)]
    lines.append(
        f"  {'orders it can reach':<24} at most 2^{system.seed_bits:g} seeds, "
        f"for 2^{system.order_bits:.1f} orders"
    )
    for key, question in (("cause", "unevenness"), *_QUESTIONS):
        text = fill(
            getattr(system, key), _WIDTH, initial_indent=" " * 27, subsequent_indent=" " * 27
        )
        lines.append(f"  {question:<24} {text.strip()}")
    return "\n".join(lines)


def _picture(table: Placement) -> list[str]:
    """Two rows of cells in one line: the upper half of a block in front, the lower behind."""
    scale = scale_of(table)
    if scale == 0:
        return ["  every tile is equally likely at every place"]
    if not wants_colour(sys.stdout):
        return []  # without its colours it would show nothing
    cells = shrunk(table, _CELLS)
    full = max(abs(v) for row in cells for v in row) or scale
    lines = [f"  tiles down, places across; red too often, blue too rare (full: {full:.2g})"]
    for upper, lower in zip(cells[::2], cells[1::2], strict=True):
        line = "".join(
            click.style("▀", fg=colour(a, full), bg=colour(b, full))
            for a, b in zip(upper, lower, strict=True)
        )
        lines.append("  " + line)
    return lines
