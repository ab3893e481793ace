"""Placements as pictures: a cell for each tile and place, and for terminals a few for many."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from pathlib import Path

from fairdeck.audit.placement import Placement
from romproof.text.errors import MissingExtra
from romproof.text.files import write_atomically

_CELL = 4
"""Pixels a cell is wide and high."""
RGB = tuple[int, int, int]


def colour(deviation: float, scale: float) -> RGB:
    """White for fair; towards red for too often, towards blue for too rare; ``scale`` is full."""
    strength = max(-1.0, min(1.0, deviation / scale)) if scale else 0.0
    faded = round(255 * (1 - abs(strength)))
    return (255, faded, faded) if strength > 0 else (faded, faded, 255)


def scale_of(placement: Placement) -> float:
    """The greatest deviation from fair: what the fullest colour stands for."""
    return max(-placement.lowest, placement.highest)


def write_png(placement: Placement, path: Path) -> None:
    """Write the picture: a row for each tile, a column for each place.

    Raises MissingExtra without Pillow, and OSError.
    """
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra(
            'pictures need Pillow: pip install "romproof[emulators]" brings it'
        ) from None
    scale, size = scale_of(placement), placement.size
    image = Image.new("RGB", (size, size))
    image.putdata([colour(ratio - 1, scale) for row in placement.ratios for ratio in row])
    whole = image.resize((size * _CELL, size * _CELL), Image.Resampling.NEAREST)
    buffer = BytesIO()
    whole.save(buffer, "PNG")
    write_atomically(path, buffer.getvalue())


def shrunk(placement: Placement, cells: int) -> list[list[float]]:
    """Mean deviations from fair of ``cells`` by ``cells`` blocks, for small pictures."""
    ratios, size = placement.ratios, placement.size
    edges = [size * i // cells for i in range(cells + 1)]
    blocks = []
    for top, bottom in pairwise(edges):
        row = []
        for left, right in pairwise(edges):
            block = [r - 1 for line in ratios[top:bottom] for r in line[left:right]]
            row.append(sum(block) / len(block))
        blocks.append(row)
    return blocks
