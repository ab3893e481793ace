"""Placements as pictures, all on one scale: a cell for each tile and place; for terminals, few."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

from romproof import MissingExtra, write_all

MAX = 2.5
"""The scale reaches from 1 / MAX to MAX, with 1, the fair ratio, in the middle: logarithmic."""
MAX_Z = 6
"""Standard deviations of noise that the scale of a sample's noise reaches to."""
_TICKS = (0.4, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 2.5)
RGB = tuple[int, int, int]
Rows = Sequence[Sequence[float]]


def colour(ratio: float) -> RGB:
    """White for fair, 1; towards red for too often, towards blue for too rare."""
    strength = max(-1.0, min(1.0, log(ratio) / log(MAX))) if ratio > 0 else -1.0
    faded = round(255 * (1 - abs(strength)))
    return (255, faded, faded) if strength > 0 else (faded, faded, 255)


def write_png(path: Path, title: str, ratios: Rows, deviations: Rows | None = None) -> None:
    """Write a picture of ratios to the fair probability: tiles down, places across.

    ``deviations`` of a sample, in standard deviations of its noise, are drawn beside them. Raises
    MissingExtra without matplotlib, and OSError.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.colors import LogNorm, Normalize
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra('pictures need matplotlib: pip install "fairdeck[pictures]"') from None
    panels = 1 if deviations is None else 2
    figure = Figure(figsize=(7.5 * panels, 6.4), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title)
    axes = figure.subplots(1, panels, squeeze=False)[0]
    bar = _panel(
        axes[0], ratios, LogNorm(1 / MAX, MAX), "how often, as a multiple of fair (1 = fair)"
    )
    bar.set_ticks(list(_TICKS), labels=[f"{tick:g}" for tick in _TICKS])
    bar.minorticks_off()
    if deviations is not None:
        _panel(
            axes[1],
            deviations,
            Normalize(-MAX_Z, MAX_Z),
            "distance from fair, in standard deviations of the sample's noise (0 = fair)",
        )
    buffer = BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    write_all([(path, buffer.getvalue())])


def _panel(axes: Any, rows: Rows, norm: Any, legend: str) -> Any:
    """Draw a table, with its legend; gives the legend."""
    image = axes.imshow(rows, cmap="RdBu_r", norm=norm, interpolation="nearest")
    axes.set_xlabel("place in the shuffled deck")
    axes.set_ylabel("place in the sorted deck")
    return axes.figure.colorbar(image, ax=axes, extend="both", label=legend)


def shrunk(ratios: Rows, cells: int) -> list[list[float]]:
    """Mean ratios of ``cells`` by ``cells`` blocks, for small pictures."""
    size = len(ratios)
    edges = [size * i // cells for i in range(cells + 1)]
    blocks = []
    for top, bottom in pairwise(edges):
        row = []
        for left, right in pairwise(edges):
            block = [r for line in ratios[top:bottom] for r in line[left:right]]
            row.append(sum(block) / len(block))
        blocks.append(row)
    return blocks
