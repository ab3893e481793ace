"""The same shuffles by py65 and by the fastest engine: equal decks and cycles, unequal time."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from fairdeck.data import DEFAULT_ENGINE
from fairdeck.disagreement import Disagreement
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.runs import Request, on_model
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import MOS6502
from fairdeck.tarot.variants import Variant
from romproof import Rom

PY65 = "py65"
"""The engine that is somebody else's emulator; it knows the 6502 alone."""
SHUFFLES = 50
"""So many are timed, by the program that shuffles without being called from Python in between."""
_LIMIT = 100_000 * SHUFFLES


@dataclass(frozen=True, slots=True)
class Speed:
    """``SHUFFLES`` shuffles by ``engine``: the clock cycles of the 6502, the seconds of ours."""

    engine: str
    cycles: int
    seconds: float


def speeds(request: Request, variant: Variant) -> tuple[Speed, Speed]:
    """By py65, and by the fastest engine there is; ``request`` says the seed and the draw.

    The time is that of a second run: the first one compiles. Raises Disagreement unless both end
    with the model's deck after the same number of cycles, and what building and running raise.
    """
    wanted = Request(request.seed, SHUFFLES, request.feedback, request.reduction)
    deck = on_model(wanted)[-1].deck
    slow, fast = (_time_shuffle(wanted, variant, deck, engine) for engine in (PY65, DEFAULT_ENGINE))
    if slow.cycles != fast.cycles:
        raise Disagreement(
            f"{slow.engine} and {fast.engine} disagree: {slow.cycles:,} and {fast.cycles:,} cycles"
        )
    return slow, fast


def _time_shuffle(request: Request, variant: Variant, deck: tuple[int, ...], engine: str) -> Speed:
    built = tarot_library(MOS6502, request.feedback, request.reduction, variant)
    rom = Rom(built.image, engine)
    machine = rom.machine()
    seconds, cycles = 0.0, 0
    for _ in range(1 if engine == PY65 else 2):
        machine.write("lfsr", request.seed.to_bytes(4, "big"))
        machine.write("shuffle_count", request.count)
        begin = perf_counter()
        cycles = machine.run_from("reset", until="done", limit=_LIMIT, check=False).cycles
        seconds = perf_counter() - begin
    if machine.read("deck", CARDS) != bytes(deck):
        raise Disagreement(f"{rom.engine} disagrees with the model about {request.count} shuffles")
    return Speed(rom.engine, cycles, seconds)
