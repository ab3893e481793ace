"""Holding machine code to the model."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeck.disagreement import Disagreement
from fairdeck.tarot.runs import Outcome
from fairdeck.tarot.seed import format_state


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
