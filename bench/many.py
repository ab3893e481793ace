"""Many machines at once, each with a seed of its own, one shuffle each. Times are those people
wait, for one machine."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import Any

import amount
import tarot_loop
from rows import WALL, Row, best, without_llvm

from fairdeck.tarot.shuffle import CARDS
from romproof.engine.engines import make_engine

MACHINES = tuple(amount.of(count) for count in (100, 1_000, 10_000, 100_000))
TURNS = 5
_NO_LIMIT = 1 << 40
_STEP = 0x9E3779B1
"""From one seed to the next; odd, so that none comes twice."""


def batches() -> list[Row]:
    """Two workers against one, and the growth with the number of machines."""
    absent = without_llvm()
    if absent is None and find_spec("numpy") is None:
        absent = "the package numpy is not installed"
    if absent is not None:
        return [Row("a shuffle on each of many machines", absent, "1 worker", None)]
    return [_scaling(), *_growth()]


def _scaling() -> Row:
    machines = MACHINES[-1]
    alone, shared = (_decks(machines, workers) for workers in (1, 2))
    assert (alone == shared).all()
    for run in (0, machines - 1):
        assert bytes(alone[run]) == _deck(bytes(_seeds(machines)[run]))
    works = (partial(_decks, machines, workers) for workers in (2, 1))
    times = best(*works, clock=WALL, turns=TURNS)
    return Row(
        f"shuffle {machines:,} machines",
        "run_many(), 2 workers",
        "1 worker",
        *(time / machines for time in times),
    )


def _growth() -> list[Row]:
    works = (partial(_decks, machines, None) for machines in MACHINES)
    times = best(*works, clock=WALL, turns=TURNS)
    each = [time / machines for time, machines in zip(times, MACHINES, strict=True)]
    return [
        Row(
            f"shuffle {machines:,} machines",
            "run_many(), all cores",
            f"{MACHINES[0]:,} machines",
            one,
            each[0],
        )
        for machines, one in zip(MACHINES[1:], each[1:], strict=True)
    ]


def _decks(machines: int, workers: int | None) -> Any:
    """The decks, an array (machines, CARDS) of uint8."""
    from romproof.engine.batch import run_many

    image = tarot_loop.image()
    deck = (image.address("deck"), CARDS)
    done = run_many(
        tarot_loop.memory(1),
        {"pc": image.address("reset")},
        (image.address("finished"),),
        _NO_LIMIT,
        patches={image.address("seed"): _seeds(machines)},
        outputs=(deck,),
        workers=workers,
    )
    return done.outputs[deck]


def _seeds(machines: int) -> Any:
    """An array (machines, 4) of uint8, most significant byte first; none is zero."""
    import numpy as np

    numbers = np.arange(1, machines + 1, dtype=np.uint64) * np.uint64(_STEP)
    return numbers.astype(">u4").view(np.uint8).reshape(machines, 4)


def _deck(seed: bytes) -> bytes:
    """One machine's deck, by an engine of its own."""
    engine, image = make_engine("llvm"), tarot_loop.image()
    engine.memory[:] = tarot_loop.memory(1)
    place, deck = image.address("seed"), image.address("deck")
    engine.memory[place : place + len(seed)] = seed
    engine.registers.pc = image.address("reset")
    engine.run((image.address("finished"),), _NO_LIMIT)
    return bytes(engine.memory[deck : deck + CARDS])
