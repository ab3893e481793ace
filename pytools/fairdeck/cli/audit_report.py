"""What ``fairdeck audit`` shows: the exact figures, and those of samples beside their noise."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from textwrap import fill

import click

from fairdeck.audit.picture import MAX, colour, shrunk
from fairdeck.audit.placement import Placement
from fairdeck.audit.statistics import Cell, ChiSquare, Figures
from fairdeck.audit.systems import System
from romproof import wants_colour

_CELLS = 26
_WIDTH = 79
QUESTIONS = (
    ("chosen_by", "chosen by"),
    ("committed", "fixed in advance"),
    ("revealed", "made public"),
    ("verifiable", "a player can verify"),
    ("unverifiable", "a player cannot verify"),
)
"""What is answered of every system: the field, and the question in a few words."""


@dataclass(frozen=True)
class Audited:
    """A system, its exact table if its shuffle is known, and what samples by machine code show."""

    system: System
    table: Placement | None
    figures: tuple[Figures, ...] = ()


def as_object(audited: Audited) -> dict[str, object]:
    """See ``fairdeck audit --help``."""
    system, table = audited.system, audited.table
    return {
        "name": system.name,
        "title": system.title,
        "tiles": system.tiles,
        **(dict.fromkeys(_FIGURES) if table is None else _figures(table)),
        "sampled": [_describe_samples(figures) for figures in audited.figures],
        "seed_bits": system.seed_bits,
        "order_bits": system.order_bits,
        "cause": system.cause,
        **{key: getattr(system, key) for key, _ in QUESTIONS},
    }


_FIGURES = ("lowest", "highest", "rms", "total_variation", "exact")


def _figures(table: Placement) -> dict[str, object]:
    """The values of _FIGURES."""
    mean, worst, place = _variation(table)
    last = table.size - 1
    corner = {(tile, at): table.probability(tile, at) for tile in (0, last) for at in (0, last)}
    return {
        "lowest": float(table.lowest),
        "highest": float(table.highest),
        "rms": table.rms,
        "total_variation": {"mean": float(mean), "worst": float(worst), "worst_place": place},
        "exact": {
            "lowest": str(table.lowest),
            "highest": str(table.highest),
            "mean_square": str(table.mean_square),
            "total_variation": {"mean": str(mean), "worst": str(worst)},
            "corner": {f"{tile},{at}": str(p) for (tile, at), p in corner.items()},
        },
    }


def _describe_samples(figures: Figures) -> dict[str, object]:
    sample, worst = figures.sample, figures.worst_place
    return {
        "on": sample.target.name,
        "engine": sample.engine,
        "shuffles": sample.shuffles,
        "cycles": sample.cycles,
        "checked": sample.checked,
        "lowest": _cell(figures, figures.lowest),
        "highest": _cell(figures, figures.highest),
        "rms": {
            "value": figures.rms,
            "noise": figures.noise,
            "beyond_noise": figures.beyond_noise,
        },
        "worst_place": {
            "place": worst.place,
            "value": worst.value,
            "noise": worst.noise,
            "z": worst.z,
            "p": worst.p,
        },
        "chi_square": {"fair": _chi_square(figures.fair), "exact": _chi_square(figures.model)},
    }


def _cell(figures: Figures, cell: Cell) -> dict[str, object]:
    return {
        "ratio": cell.ratio,
        "tile": cell.tile,
        "place": cell.place,
        "noise": figures.noise,
        "z": cell.z,
        "p": cell.p,
    }


def _chi_square(test: ChiSquare) -> dict[str, object]:
    return {"statistic": test.statistic, "degrees": test.degrees, "z": test.z, "p": test.p}


def _variation(table: Placement) -> tuple[Fraction, Fraction, int]:
    worst = max(table.variations)
    return sum(table.variations, Fraction()) / table.size, worst, table.variations.index(worst)


def overview(audited: Sequence[Audited]) -> str:
    """The exact figures of all systems."""
    lines = [
        click.style(
            f"{'shuffle':<28} {'least':>11} {'most':>11} {'rms':>9} {'worst place':>12}", bold=True
        )
    ]
    for one in audited:
        table = one.table
        if table is None:
            lines.append(f"{one.system.title:<28} {'not published':>11}")
            continue
        _, worst, _ = _variation(table)
        lines.append(
            f"{one.system.title:<28} {_ratio(table.lowest):>11} {_ratio(table.highest):>11} "
            f"{_percent(table.rms):>9} {_percent(float(worst)):>12}"
        )
    return "\n".join(
        (
            *lines,
            "all figures are exact, without noise",
            "least, most: how often a tile ends at a place, as a multiple of fair;",
            "worst place: share of shuffles with a wrong tile at this place",
        )
    )


def _ratio(deviation: Fraction) -> str:
    if deviation and abs(deviation) < 1e-4:
        return f"1{float(deviation):+.1e}"
    return f"{1 + float(deviation):.4f}"


def _percent(share: float) -> str:
    if share and share < 1e-6:
        return f"{share:.0e}"
    return f"{100 * share:.2f} %"


def as_text(audited: Audited) -> str:
    """One system: its picture, what was sampled, and what is said of it."""
    system = audited.system
    lines = [click.style(system.title, bold=True), *_picture(audited.table)]
    for figures in audited.figures:
        lines += _sample_text(figures)
    if system.seed_bits is not None:
        lines.append(
            f"  {'orders it can reach':<24} at most 2^{system.seed_bits:g} seeds, "
            f"for 2^{system.order_bits:.1f} orders"
        )
    for key, question in (("cause", "unevenness"), *QUESTIONS):
        text = fill(
            getattr(system, key), _WIDTH, initial_indent=" " * 27, subsequent_indent=" " * 27
        )
        lines.append(f"  {question:<24} {text.strip()}")
    return "\n".join(lines)


def _sample_text(figures: Figures) -> Iterator[str]:
    """The figures of a sample, each beside the noise of a fair shuffle and a test."""
    sample, table = figures.sample, figures.exact
    yield (
        f"  {sample.shuffles:,} shuffles by the {sample.target.title}'s code, "
        f"each from a random seed; {sample.checked} held"
    )
    yield f"  against the model: equal. {sample.cycles:,.0f} {sample.target.cycles} each"
    yield "  " + click.style(_row("", "sampled", "exact", "noise", "test"), bold=True)
    for name, cell, exact in (
        ("least", figures.lowest, table.lowest),
        ("most", figures.highest, table.highest),
    ):
        test = f"{_test(cell.z, cell.p)}, tile {cell.tile} at {cell.place}"
        noise = f"± {figures.noise:.4f}"
        yield "  " + _row(name, f"{cell.ratio:.4f}", _ratio(exact), noise, test)
    fair, model, worst = figures.fair, figures.model, figures.worst_place
    rms, beyond = _percent(table.rms), _percent(figures.beyond_noise)
    noise = _percent(figures.noise)
    yield "  " + _row("rms", _percent(figures.rms), rms, noise, _test(fair.z, fair.p))
    yield "  " + _row("less noise", beyond, rms, "", "")
    _, exact_worst, _ = _variation(table)
    cells = (_percent(worst.value), _percent(float(exact_worst)), _percent(worst.noise))
    yield "  " + _row("worst place", *cells, f"{_test(worst.z, worst.p)}, place {worst.place}")
    yield f"  chi-square with {fair.degrees:,} degrees of freedom, against"
    for name, result in (("a fair shuffle", fair), ("the exact table", model)):
        yield f"    {name + ':':<17} {result.statistic:>11,.0f}  {_test(result.z, result.p)}"
    yield "  noise: the value for so many fair shuffles; z: how far beyond, in its standard"
    yield "  deviations; p: how probable that is by chance. Exact figures take coin flips"
    yield "  as independent: only the sample shows the effect of the 32-bit register"


def _row(name: str, sampled: str, exact: str, noise: str, test: str) -> str:
    return f"{name:<11} {sampled:>8} {exact:>8} {noise:>8}  {test}".rstrip()


def _test(z: float, p: float) -> str:
    return f"z {z:+.1f}, {_chance(p)}"


def _chance(p: float) -> str:
    return f"p {p:.2g}" if p > 1e-15 else "p < 1e-15"


def _picture(table: Placement | None) -> list[str]:
    """Two rows of cells in one line: the upper half of a block in front, the lower behind."""
    if table is None:
        return []
    if not table.mean_square:
        return ["  every tile is equally likely at every place"]
    if not wants_colour(sys.stdout):
        return []  # without its colours it would show nothing
    cells = shrunk(table.ratios, _CELLS)
    lines = [
        "  tiles down, places across; white fair, red too often, blue too rare "
        f"(full: {MAX:g} times, 1/{MAX:g})"
    ]
    for upper, lower in zip(cells[::2], cells[1::2], strict=True):
        line = "".join(
            click.style("▀", fg=colour(a), bg=colour(b)) for a, b in zip(upper, lower, strict=True)
        )
        lines.append("  " + line)
    return lines
