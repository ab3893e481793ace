"""Many machines at once, each with a seed of its own, one shuffle each. Times are those people
wait, for one machine."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import tarot_loop
from rows import WALL, Row, best, without_llvm

from fairdeck.tarot.shuffle import CARDS
from romproof.engine.engines import make_engine

MACHINES = (100, 1_000, 10_000, 100_000)
TURNS = 3
_NO_LIMIT = 1 << 40
_STEP = 0x9E3779B1
"""From one seed to the next; odd, so that none comes twice."""


def batches() -> list[Row]:
    """Two workers against one, and the growth with the number of machines."""
    absent = without_llvm()
    if absent is None and find_spec("numpy") is None:
        absent = "the package numpy is not installed"
    if absent is not None:
        return [Row("run_many()", absent, "1 worker", None)]
    return [_scaling(), *_growth()]


def _scaling() -> Row:
    machines = MACHINES[-1]
    decks = {workers: _decks(machines, workers) for workers in (1, 2)}
    assert (decks[1] == decks[2]).all()
    for run in (0, machines - 1):
        assert bytes(decks[1][run]) == _deck(_seeds(machines)[run])
    two, one = best(
        lambda: _decks(machines, 2), lambda: _decks(machines, 1), clock=WALL, turns=TURNS
    )
    return Row(
        f"a shuffle on each of {machines:,} machines",
        "run_many(), 2 workers",
        "1 worker",
        two / machines,
        one / machines,
    )


def _growth() -> list[Row]:
    taken = best(*(lambda n=n: _decks(n, None) for n in MACHINES), clock=WALL, turns=TURNS)  # type: ignore[misc]
    seconds = [time / machines for time, machines in zip(taken, MACHINES, strict=True)]
    return [
        Row(
            "a shuffle on each of many machines",
            f"{machines:,} machines, all cores",
            f"{MACHINES[0]:,} machines",
            each,
            seconds[0],
        )
        for machines, each in zip(MACHINES[1:], seconds[1:], strict=True)
    ]


def _decks(machines: int, workers: int | None) -> Any:
    """The decks, an array (machines, CARDS) of uint8."""
    from romproof.engine.batch import run_many

    image = tarot_loop.image()
    place = (image.address("deck"), CARDS)
    done = run_many(
        tarot_loop.memory(1),
        {"pc": image.address("reset")},
        (image.address("finished"),),
        _NO_LIMIT,
        patches={image.address("seed"): _seeds(machines)},
        outputs=(place,),
        workers=workers,
    )
    return done.outputs[place]


def _seeds(machines: int) -> Any:
    """An array (machines, 4) of uint8, most significant byte first; none is zero."""
    import numpy as np

    numbers = np.arange(1, machines + 1, dtype=np.uint64) * np.uint64(_STEP)
    return numbers.astype(">u4").view(np.uint8).reshape(machines, 4)


def _deck(seed: Any) -> bytes:
    """One machine's deck, by an engine of its own."""
    engine, image = make_engine("llvm"), tarot_loop.image()
    engine.memory[:] = tarot_loop.memory(1)
    place, deck = image.address("seed"), image.address("deck")
    engine.memory[place : place + 4] = bytes(seed)
    engine.registers.pc = image.address("reset")
    engine.run((image.address("finished"),), _NO_LIMIT)
    return bytes(engine.memory[deck : deck + CARDS])
