"""Decks and runs as text for people."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

import click

from fairdeck.tarot.cards import NAMES, suit_of
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.runs import Outcome, Request, equal_places
from fairdeck.tarot.seed import format_state
from fairdeck.tarot.shuffle import CARDS
from romproof import wants_colour

if TYPE_CHECKING:
    from fairdeck.tarot.costs import Cost, Whole

_WIDTH = 79
_COLUMNS = 3
_NAME_WIDTH = 19
_COLOURS = {"Wands": "red", "Cups": "blue", "Swords": "cyan", "Pentacles": "green"}
_DRAWS = {
    Reduction.CORRECT: "every number is equally likely",
    Reduction.PRINTED: "as published; biased: low numbers are too rare",
}


def show(text: str) -> None:
    """``text`` on stdout, its colours only where they can be seen and are wanted."""
    click.echo(text, color=wants_colour(sys.stdout))


def deck_table(deck: Sequence[int]) -> str:
    """Place, number and name of each card, down three columns, 80 characters wide."""
    rows = -(-len(deck) // _COLUMNS)
    last_column = rows * (_COLUMNS - 1)
    cells = [
        _cell(place, card, 0 if place >= last_column else _NAME_WIDTH)
        for place, card in enumerate(deck)
    ]
    return "\n".join(" ".join(cells[row::rows]) for row in range(rows))


def _cell(place: int, card: int, width: int) -> str:
    name = f"{card:2} {NAMES[card]:<{width}}"
    return f"{place:2}: " + click.style(name, fg=_COLOURS.get(suit_of(card), "yellow"))


def heading(request: Request, where: str) -> str:
    """What was asked for, the truth about its variant included."""
    feedback, reduction = request.feedback, request.reduction
    return "\n".join(
        (
            click.style(
                f"tarot deck, seed {format_state(request.seed)}, "
                f"shuffled {times(request.count)} on the {where}",
                bold=True,
            ),
            fill(f"feedback ${feedback.mask:02X}: {feedback.description}", _WIDTH),
            f"draw {reduction.value}: {_DRAWS[reduction]}",
        )
    )


def times(count: int) -> str:
    """``once``, ``twice``, ``3 times``."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def costs(outcomes: Sequence[Outcome], cycles_name: str = "cycles") -> str:
    """Flips, and cycles where there are any, of each shuffle, and the final state."""
    lines = []
    for number, one in enumerate(outcomes, 1):
        cycles = "" if one.cycles is None else f", {one.cycles:,} {cycles_name}"
        lines.append(f"shuffle {number}: {one.flips} flips{cycles}")
    return "\n".join([*lines, f"state {format_state(outcomes[-1].generator.state)}"])


def comparison(title: str, machine: Outcome, model: Outcome) -> str:
    """How far the last deck of a machine, called ``title``, and that of the model agree."""
    return f"{title} against model: {equal_places(machine, model)} of {CARDS} equal"


def cost_table(costs: Sequence[Cost]) -> str:
    """What each routine costs, the CPUs below each other."""
    lines = [
        click.style(
            f"{'routine':<17}{'CPU':<6}{'min':>7}{'mean':>9}{'max':>7}"
            f"{'mean time':>14}{'code':>8}{'tables':>8}",
            bold=True,
        )
    ]
    for routine in dict.fromkeys(cost.routine for cost in costs):
        rows = [cost for cost in costs if cost.routine == routine]
        for cost in rows:
            name = routine if cost is rows[0] else ""
            mean = f"{float(cost.mean):,.1f}".removesuffix(".0")
            lines.append(
                f"{name:<17}{cost.target.title:<6}{cost.least:>7,}{mean:>9}{cost.most:>7,}"
                f"{cost.microseconds:>11,.1f} µs{cost.code:>8,}{cost.tables:>8,}"
            )
    clocks = {cost.target: cost.clock for cost in costs}
    for target, clock in clocks.items():
        rate = f"{clock.hz / 1e6:.6f} million {target.cycles} a second"
        lines.append(f"{target.title}: {target.cycles}; times: {clock.title}, {rate}")
    return "\n".join(lines)


def variant_table(shuffles: Sequence[Whole]) -> str:
    """ROM, RAM and a shuffle's cycles of all variants, those of a CPU below each other."""
    lines = [
        click.style(
            f"{'variant':<17}{'CPU':<6}{'code':>7}{'tables':>8}{'RAM':>5}"
            f"{'min':>8}{'mean':>10}{'max':>8}{'mean time':>11}",
            bold=True,
        )
    ]
    for one in sorted(shuffles, key=lambda each: each.shuffle.target.name):
        cost, size = one.shuffle, one.size
        name = cost.variant.name + ("" if one.on_front else " (beaten)")
        lines.append(
            f"{name:<17}{cost.target.title:<6}{size.code:>7,}{size.tables:>8,}{size.memory:>5,}"
            f"{cost.least:>8,}{float(cost.mean):>10,.1f}{cost.most:>8,}"
            f"{cost.microseconds / 1000:>8.2f} ms"
        )
    return "\n".join(lines)
