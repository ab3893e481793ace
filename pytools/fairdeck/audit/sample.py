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
from fairdeck.tarot.on_machine import DECK_INIT, LIMIT, SHUFFLE, start, tarot_rom
from fairdeck.tarot.runs import Request, on_model
from fairdeck.tarot.seed import format_state
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import Target
from romproof.engine.engines import make_engine
from romproof.harness.rom import Rom
from romproof.program.image import Image
from romproof.text.errors import RomproofError

Counts = NDArray[np.int64]

ENGINE, INTERPRETER = "recompiled", "llvm"
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
) -> Sample:
    """Shuffle by the routine ``shuffle`` of the ROM, translated, on all cores.

    ``tick`` is called after each of ``chunks_of`` parts. Raises Disagreement when the first decks
    are not the model's, SampleFailed, MissingExtra, BuildFailed and DataMissing.
    """
    built = tarot_rom(target, DEFAULT_FEEDBACK, reduction)
    engine: Any = make_engine(ENGINE, built.image.cpu)
    run = _caller(engine, built.image, target, reduction, workers)
    chance = np.random.default_rng(_STREAM)
    counts = np.zeros(CARDS * CARDS, np.int64)
    places = np.arange(CARDS)
    cycles = checked = 0
    for size in _sizes(shuffles):
        seeds = chance.integers(1, 1 << 32, size, dtype=np.uint64)
        decks, took = run(seeds)
        if not checked:
            checked = _check(target, reduction, seeds, decks)
        cells = decks.astype(np.intp) * CARDS + places
        counts += np.bincount(cells.ravel(), minlength=len(counts))
        cycles += took
        tick()
    table = counts.reshape(CARDS, CARDS)
    executed_by = ENGINE if engine.translations else INTERPRETER
    return Sample(target, table, shuffles, cycles / shuffles, checked, executed_by)


def _sizes(shuffles: int) -> Iterator[int]:
    for done in range(0, shuffles, CHUNK):
        yield min(CHUNK, shuffles - done)


def _caller(
    engine: Any, image: Image, target: Target, reduction: Reduction, workers: int | None
) -> Any:
    """A function from seeds to the decks, an array (runs, CARDS), and the sum of all cycles."""
    from romproof.engine.batch import Outcome  # it needs llvmlite, and exact tables do not

    rom = Rom(image)
    machine = rom.machine()
    machine.call(DECK_INIT)
    for symbol, data in start(Request(1, reduction=reduction)).items():
        machine.write(symbol, data)
    machine.call(SHUFFLE, limit=LIMIT)
    assert rom.last_call is not None
    call = rom.last_call.scenario  # what is in registers and memory when shuffle is called
    engine.memory[:] = call.memory
    registers = {name: getattr(call.registers, name) for name in ("pc", engine.cpu.stack)}
    deck = (image.address("deck"), CARDS)

    def run(seeds: Any) -> tuple[Any, int]:
        patch = {image.address("lfsr"): seeds.astype(">u4").view(np.uint8).reshape(-1, 4)}
        done = engine.run_many(
            registers, call.until, LIMIT, patches=patch, outputs=[deck], workers=workers
        )
        wrong = np.flatnonzero(done.outcomes != Outcome.REACHED)
        if len(wrong):
            seed = format_state(int(seeds[wrong[0]]))
            raise SampleFailed(f"the {target.title}'s shuffle from seed {seed} did not return")
        return done.outputs[deck], int(done.cycles.sum())

    return run


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
