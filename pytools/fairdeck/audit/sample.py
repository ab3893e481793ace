"""Where cards end when the ROM's code shuffles: millions of decks from random seeds, counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.disagreement import Disagreement
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.on_machine import LIMIT, SHUFFLE, start
from fairdeck.tarot.runs import Request, on_model
from fairdeck.tarot.seed import format_state
from fairdeck.tarot.shuffle import CARDS, SORTED
from fairdeck.tarot.targets import Target
from fairdeck.tarot.variants import FAST, Variant
from romproof import MissingExtra, Rom, RomproofError

Counts = NDArray[np.int64]

DECK = "deck"
CHUNK = 1 << 17
"""Shuffles that are executed together."""
CHECKED = 16
"""Decks that are held against the model."""
_STREAM = 20_240_229
"""Where the random numbers begin that the seeds are: every sample of a size is the same one."""


class SampleFailed(RomproofError):
    """A shuffle in a sample did not come to its end."""


@dataclass(frozen=True)
class Sample:
    """``counts[i, p]`` is how often card i came to place p in ``shuffles`` shuffles.

    Each begins with the sorted deck and a seed of its own, drawn from all 2^32 - 1 with equal
    chances. ``cycles`` is the mean of a shuffle (M-cycles of the SM83), ``checked`` the number of
    decks that were held against the model, and are equal. ``engine`` executed the code:
    ``recompiled`` only if it was translated, which few shuffles are not worth.
    """

    target: Target
    counts: Counts
    shuffles: int
    cycles: float
    checked: int
    engine: str = ""


def chunks_of(shuffles: int) -> int:
    """How often ``sample`` tells of progress."""
    return -(-shuffles // CHUNK)


def sample(
    target: Target,
    reduction: Reduction,
    shuffles: int,
    tick: Callable[[], None] = lambda: None,
    workers: int | None = None,
    variant: Variant = FAST,
) -> Sample:
    """Shuffle by the library's routine ``shuffle``, translated, on all cores.

    ``tick`` is called after each of ``chunks_of`` parts. Raises Disagreement when the first decks
    are not the model's, SampleFailed, MissingExtra, BuildFailed and DataMissing.
    """
    rom = Rom(tarot_library(target, DEFAULT_FEEDBACK, reduction, variant).image)
    executed_by = ""
    chance = np.random.default_rng(_STREAM)
    counts = np.zeros(CARDS * CARDS, np.int64)
    places = np.arange(CARDS)
    cycles = checked = 0
    for size in _sizes(shuffles):
        seeds = chance.integers(1, 1 << 32, size, dtype=np.uint64)
        decks, took, executed_by = _decks(rom, target, reduction, seeds, workers)
        if not checked:
            checked = _check(target, reduction, seeds, decks)
        cells = decks.astype(np.intp) * CARDS + places
        counts += np.bincount(cells.ravel(), minlength=len(counts))
        cycles += took
        tick()
    table = counts.reshape(CARDS, CARDS)
    return Sample(target, table, shuffles, cycles / shuffles, checked, executed_by)


def _sizes(shuffles: int) -> Iterator[int]:
    for done in range(0, shuffles, CHUNK):
        yield min(CHUNK, shuffles - done)


def _decks(
    rom: Rom, target: Target, reduction: Reduction, seeds: Any, workers: int | None
) -> tuple[Any, int, str]:
    """The decks from some seeds, an array (runs, CARDS), the sum of all cycles, and who did it."""
    begun = {**start(Request(1, reduction=reduction)), DECK: bytes(SORTED)}
    each: dict[str | int, Any] = {"lfsr": seeds.astype(">u4").view(np.uint8).reshape(-1, 4)}
    try:
        done = rom.call_many(
            SHUFFLE, each, [(DECK, CARDS)], mem=begun, limit=LIMIT, workers=workers
        )
    except MissingExtra:
        raise
    except RomproofError as fault:
        raise SampleFailed(f"the {target.title}'s shuffle: {fault}") from fault
    return done.memory[DECK], int(done.cycles.sum()), done.engine


def _check(target: Target, reduction: Reduction, seeds: Any, decks: Any) -> int:
    """Hold the first decks against the model. Raises Disagreement."""
    checked = min(CHECKED, len(seeds))
    for seed, deck in zip(seeds[:checked].tolist(), decks, strict=False):
        (outcome,) = on_model(Request(seed, reduction=reduction))
        if outcome.deck != tuple(deck.tolist()):
            raise Disagreement(
                f"the {target.title} disagrees with the model: the deck from {format_state(seed)}"
            )
    return checked
