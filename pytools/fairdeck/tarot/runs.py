"""A run of shuffles as it is asked for, and what comes out, wherever it is executed."""

from __future__ import annotations

from dataclasses import dataclass

from fairdeck.tarot.draw import Generator, Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, Feedback
from fairdeck.tarot.seed import usable
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
