"""Where cards end when the ROM's code shuffles: millions of decks from random seeds, counted.

What was counted so far is kept between runs: one that was broken off goes on there.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.data import digest_of_sources
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
from romproof import MissingExtra, ProofOptions, Rom, RomproofError, keep, recall

_ENDING = ".sample"
_MAX = 256
"""Samples that are kept: of more, those that were not asked for longest go."""


@dataclass(frozen=True)
class Totals:
    """The sums over the first ``shuffles`` of a sample: ``counts`` as in Sample but flat, all
    ``cycles``; ``checked`` decks are the model's; ``engine`` executed them."""

    shuffles: int
    counts: NDArray[np.int64]
    cycles: int
    checked: int
    engine: str


def name_of(*what: object) -> str:
    """What the totals of a sample are kept under: ``what`` it is of, the machine programs, the code
    of romproof and fairdeck, and numpy, whose random numbers the seeds are."""
    whole = repr((what, digest_of_sources(), ProofOptions().stamp("fairdeck")))
    return hashlib.sha256(whole.encode()).hexdigest() + _ENDING


def recall_totals(name: str, cells: int) -> Totals | None:
    """The totals under a name, of so many ``cells``; None where none are kept."""
    data = recall(name)
    if data is None:
        return None
    try:
        head, _, body = data.partition(b"\n")
        fields: dict[str, Any] = json.loads(head)
        counts = np.frombuffer(body, "<i8").astype(np.int64)
        totals = Totals(counts=counts, **fields)
    except (ValueError, TypeError):
        return None
    return totals if len(counts) == cells else None


def keep_totals(name: str, totals: Totals) -> None:
    """Keep totals, in the place of earlier ones."""
    head = {
        "shuffles": totals.shuffles,
        "cycles": totals.cycles,
        "checked": totals.checked,
        "engine": totals.engine,
    }
    keep(name, json.dumps(head).encode() + b"\n" + totals.counts.astype("<i8").tobytes(), _MAX)


Counts = NDArray[np.int64]

DECK = "deck"
CHUNK = 1 << 17
"""Shuffles that are executed together."""
CHECKED = 16
"""Decks that are held against the model."""
_AHEAD = 64
"""Parts that are counted at once, at most."""
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
    pool: Executor | None = None,
    fresh: bool = False,
) -> Sample:
    """Shuffle by the library's routine ``shuffle``, translated, on all cores.

    ``tick`` is called after each of ``chunks_of`` parts. ``workers`` is the number of threads;
    whoever does the tasks of ``pool`` shuffles in their place. What was counted of the same sample
    in earlier runs is kept, and not counted again unless ``fresh``: the sum is the same in any
    case, since every part has its seeds. Raises Disagreement when the first decks are not the
    model's, SampleFailed, MissingExtra, BuildFailed and DataMissing, and what tasks raise.
    """
    name = name_of(target.name, reduction.value, variant.name, _STREAM, CHUNK)
    kept = None if fresh else recall_totals(name, CARDS * CARDS)
    known = 0 if kept is None else kept.shuffles
    if kept is None or known > shuffles:
        totals = Totals(0, np.zeros(CARDS * CARDS, np.int64), 0, 0, "")
    else:
        totals = kept
    for _ in range(chunks_of(totals.shuffles)):
        tick()
    parts = _parts(target, reduction, variant, shuffles, totals.shuffles)
    for counted in _count_parts(parts, workers, pool):
        totals = Totals(
            totals.shuffles + counted.shuffles,
            totals.counts + counted.counts,
            totals.cycles + counted.cycles,
            totals.checked + counted.checked,
            counted.engine,
        )
        if counted.shuffles == CHUNK and totals.shuffles > known:
            keep_totals(name, totals)
        tick()
    table = totals.counts.reshape(CARDS, CARDS)
    mean = totals.cycles / shuffles
    return Sample(target, table, shuffles, mean, totals.checked, totals.engine)


@dataclass(frozen=True)
class Part:
    """Shuffles that are executed together, one from each of ``seeds``; ``check``: hold the first
    ones against the model."""

    target: Target
    reduction: Reduction
    variant: Variant
    seeds: NDArray[np.uint64]
    check: bool


def _parts(
    target: Target, reduction: Reduction, variant: Variant, shuffles: int, done: int
) -> Iterator[Part]:
    """The parts of a sample but for those with the first ``done`` shuffles, whole parts."""
    chance = np.random.default_rng(_STREAM)
    for first in range(0, shuffles, CHUNK):
        seeds = chance.integers(1, 1 << 32, min(CHUNK, shuffles - first), dtype=np.uint64)
        if first >= done:
            yield Part(target, reduction, variant, seeds, not first)


def _count_parts(
    parts: Iterator[Part], workers: int | None, pool: Executor | None
) -> Iterator[Totals]:
    """What is counted in each part, in their order; by a pool some are counted ahead."""
    if pool is None:
        for part in parts:
            yield count(part, workers)
        return
    waiting: deque[Future[Totals]] = deque()
    for part in parts:
        waiting.append(pool.submit(count, part))
        if len(waiting) == _AHEAD:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def count(part: Part, workers: int | None = None) -> Totals:
    """Shuffle, and count where the cards end. Raises what ``sample`` raises."""
    rom = _rom(part.target, part.reduction, part.variant)
    decks, cycles, engine = _decks(rom, part, workers)
    checked = _check(part.target, part.reduction, part.seeds, decks) if part.check else 0
    cells = decks.astype(np.intp) * CARDS + np.arange(CARDS)
    counts = np.bincount(cells.ravel(), minlength=CARDS * CARDS).astype(np.int64)
    return Totals(len(part.seeds), counts, cycles, checked, engine)


@cache
def _rom(target: Target, reduction: Reduction, variant: Variant) -> Rom:
    return Rom(tarot_library(target, DEFAULT_FEEDBACK, reduction, variant).image)


def _decks(rom: Rom, part: Part, workers: int | None) -> tuple[Any, int, str]:
    """The decks from some seeds, an array (runs, CARDS), the sum of all cycles, and who did it."""
    begun = {**start(Request(1, reduction=part.reduction)), DECK: bytes(SORTED)}
    seeds = part.seeds.astype(">u4").view(np.uint8).reshape(-1, 4)
    each: dict[str | int, Any] = {"lfsr": seeds}
    try:
        done = rom.call_many(
            SHUFFLE, each, [(DECK, CARDS)], mem=begun, limit=LIMIT, workers=workers
        )
    except MissingExtra:
        raise
    except RomproofError as fault:
        raise SampleFailed(f"the {part.target.title}'s shuffle: {fault}") from fault
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
