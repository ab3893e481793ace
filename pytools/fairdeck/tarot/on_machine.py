"""The same run in machine code: the library on an emulated CPU, called shuffle by shuffle."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairdeck.data import DEFAULT_ENGINE
from fairdeck.tarot.distribution import expected_shuffle_flips
from fairdeck.tarot.draw import FLIPS_A_BYTE, Generator, Reduction
from fairdeck.tarot.feedback import Feedback, next_byte
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.runs import Outcome, Request
from fairdeck.tarot.seed import format_state
from fairdeck.tarot.shuffle import SORTED
from fairdeck.tarot.targets import Target
from fairdeck.tarot.variants import DEFAULT_VARIANT, Variant
from romproof import Machine, Rom, RomproofError

DECK_INIT = "deck_init"
SHUFFLE = "shuffle"
LIMIT = 2_000_000
"""Cycles one shuffle may take; the small variant's takes some 44,000."""

MAX_BYTES = 512
"""Bytes one shuffle may take; the mean is 58, and 419 flips the least."""


class RegisterLost(RomproofError):
    """A machine's shift register came to a state that a shuffle does not lead to."""


def start(request: Request) -> Mapping[str | int, bytes]:
    """The generator's memory before the first shuffle: the seed, and no flips left over."""
    return {"lfsr": request.seed.to_bytes(4, "big"), "rng": b"\0", "flips_left": b"\0"}


def on_machine(
    target: Target,
    request: Request,
    engine: str = DEFAULT_ENGINE,
    tick: Callable[[], None] = lambda: None,
    variant: Variant = DEFAULT_VARIANT,
) -> tuple[Outcome, ...]:
    """The run as the machine code has it, one outcome a shuffle; ``tick`` is called after each.

    ``cycles`` go from the first instruction of ``shuffle`` to its last inclusive; on the SM83
    they are M-cycles. ``flips`` come from the machine's own register (see flips_between). Raises
    what building the library and calling it raise, NoSuchEngine and RegisterLost.
    """
    built = tarot_library(target, request.feedback, request.reduction, variant)
    machine = Rom(built.image, engine).machine()
    for symbol, data in start(request).items():
        machine.write(symbol, data)
    machine.call(DECK_INIT)
    generator = _generator(machine, request.feedback)
    outcomes: list[Outcome] = []
    for _ in range(request.count):
        before = generator
        result = machine.call(SHUFFLE, limit=LIMIT)
        generator = _generator(machine, request.feedback)
        flips = flips_between(before, generator, request.reduction)
        deck = tuple(machine.read("deck", len(SORTED)))
        outcomes.append(Outcome(deck, generator, flips, result.cycles))
        tick()
    return tuple(outcomes)


def _generator(machine: Machine, feedback: Feedback) -> Generator:
    """What the machine's memory says."""
    state = int.from_bytes(machine.read("lfsr", 4), "big")
    return Generator(state, feedback, machine.read("rng", 1)[0], machine.read("flips_left", 1)[0])


def flips_between(before: Generator, after: Generator, reduction: Reduction) -> int:
    """How many flips one shuffle took, from the generator before it and after it.

    The shift register tells how many bytes were taken: the calls of next_byte
    that lead from the old state to the new one. On a cycle that is shorter than
    a shuffle there are several such numbers (only $C5 and $CF have those, of 31
    and of 7 states); of these the one nearest to the mean of a shuffle is meant.
    Raises RegisterLost if no number of calls leads there.
    """
    state = before.state
    candidates: list[int] = []
    for taken in range(MAX_BYTES + 1):
        if state == after.state:
            candidates.append(taken * FLIPS_A_BYTE + before.flips_left - after.flips_left)
        state, _ = next_byte(state, before.feedback)
    if not candidates:
        raise RegisterLost(
            f"the shift register went from {format_state(before.state)} to "
            f"{format_state(after.state)}, which is not among the next {MAX_BYTES} states"
        )
    mean = expected_shuffle_flips(len(SORTED), reduction)
    return min(candidates, key=lambda flips: abs(flips - mean))
