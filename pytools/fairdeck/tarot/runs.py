"""A run of shuffles as it is asked for, and what comes out, wherever it is executed; and the check
that machine and model agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairdeck.disagreement import Disagreement
from fairdeck.tarot.draw import Generator, Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, Feedback
from fairdeck.tarot.seed import format_state, usable
from fairdeck.tarot.shuffle import SORTED, shuffles


@dataclass(frozen=True, slots=True)
class Request:
    """``count`` shuffles in a row, from the sorted deck and the shift register at ``seed``.

    Raises SeedError for a seed that is no 32-bit state, or 0.
    """

    seed: int
    count: int = 1
    feedback: Feedback = DEFAULT_FEEDBACK
    reduction: Reduction = Reduction.CORRECT

    def __post_init__(self) -> None:
        usable(self.seed)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One shuffle of a run: the deck and the generator after it, and what it cost.

    ``cycles`` are those of the CPU (M-cycles of the SM83), None on the model.
    """

    deck: tuple[int, ...]
    generator: Generator
    flips: int
    cycles: int | None


def on_model(request: Request) -> tuple[Outcome, ...]:
    """The run as the model has it, one outcome a shuffle."""
    start = Generator(request.seed, request.feedback)
    done = shuffles(start, request.count, SORTED, request.reduction)
    return tuple(Outcome(one.deck, one.generator, one.flips, None) for one in done)


def equal_places(outcome: Outcome, other: Outcome) -> int:
    """How many places of the two decks hold the same card."""
    return sum(a == b for a, b in zip(outcome.deck, other.deck, strict=True))


def require_equal(title: str, machine: Sequence[Outcome], model: Sequence[Outcome]) -> None:
    """Raise Disagreement, telling the first difference, unless all but the cycles is equal.

    ``title`` is what to call the machine.
    """
    for number, (one, other) in enumerate(zip(machine, model, strict=True), 1):
        difference = _difference(one, other)
        if difference is not None:
            raise Disagreement(
                f"the {title} disagrees with the model in shuffle {number}: {difference}"
            )


def _difference(machine: Outcome, model: Outcome) -> str | None:
    for place, (card, wanted) in enumerate(zip(machine.deck, model.deck, strict=True)):
        if card != wanted:
            return f"place {place} of the deck holds {card}, not {wanted}"
    if machine.flips != model.flips:
        return f"{machine.flips} flips, not {model.flips}"
    here, there = machine.generator, model.generator
    if here.state != there.state:
        return f"the register is {format_state(here.state)}, not {format_state(there.state)}"
    if here.flips_left != there.flips_left:
        return f"{here.flips_left} flips are left, not {there.flips_left}"
    if here.remainder != there.remainder:
        return f"the flips left are {here.remainder:08b}, not {there.remainder:08b}"
    return None
