"""What this machine does not model, in terms of the public test ROMs that find it."""

from __future__ import annotations

_SAMPLES = "needs sample DMA that stops the CPU at the very read, and repeats it"
_CHIP = "for another chip: MMC6 or the first MMC3, which an iNES header does not tell apart"
_REASONS = (
    ("power_up_palette", "for one console: the content of its palette at power-on"),
    ("6-MMC6", _CHIP),
    ("6-MMC3_alt", _CHIP),
    ("MMC3_rev_A", _CHIP),
    ("dma_2007_read", "is judged by its numbers: consoles differ"),
    ("double_2007_read", "is judged by its numbers: consoles differ"),
    ("dma_4016_read", _SAMPLES),
    ("sprdma_and_dmc_dma", _SAMPLES),
)
"""A part of the path, and why what has it in its path may fail."""


def limit(path: str) -> str | None:
    """Why a test cannot be expected to pass; None when it should.

    ``path`` is that of a ROM with the folder of its set, ``/`` between them.
    """
    return next((reason for part, reason in _REASONS if part in path), None)
