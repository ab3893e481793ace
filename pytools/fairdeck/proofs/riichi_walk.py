"""The rows of the automaton, followed in the ROM for every suit that it knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fairdeck.proofs.facts import Evidence, ProofFact
from fairdeck.riichi.automaton import COPIES_READ, MAX
from fairdeck.riichi.tables import BASE, COSTS, NUMBERS, suit_table
from romproof import Finding, Prover, Verdict

MAX_TILES = MAX
MAX_HELD = COPIES_READ - 1
"""What the automaton knows: so many tiles of a suit, and so many of a number."""

Addresses = npt.NDArray[np.int64]
TileCounts = npt.NDArray[np.int64]
"""Counts of each number, of each suit: shape (9, suits)."""


@dataclass(frozen=True)
class Walk:
    """Where the steps of all suits lead: addresses, each with the places it is one of.

    ``rows`` are those of the first eight numbers, ``last`` what is read for the ninth,
    ``costs`` (shape (suits, 10)) what comes out.
    """

    suits: int
    rows: range
    last: range
    costs: npt.NDArray[np.uint8] = field(repr=False)


def suits_known() -> TileCounts:
    """The counts of every suit that the automaton knows."""
    counts = np.indices((COPIES_READ,) * NUMBERS).reshape(NUMBERS, -1)
    return counts[:, counts.sum(axis=0) <= MAX_TILES]


def costs_by_definition(counts: TileCounts) -> npt.NDArray[np.uint8]:
    """The costs of suits: shape (suits, 10)."""
    weights = BASE ** np.arange(NUMBERS - 1, -1, -1)
    costs: npt.NDArray[np.uint8] = suit_table(NUMBERS)[(counts * weights[:, None]).sum(axis=0)]
    return costs


def walk(own: Prover, levels: int, out: Callable[[Addresses, TileCounts], Addresses]) -> Walk:
    """Follow the words that ``levels`` numbers select from the root on.

    ``out`` gives the addresses of the ten costs, shape (10, suits), for what the walk came to.
    """
    rom = np.frombuffer(own.fixed, np.uint8).astype(np.int64)
    counts = suits_known()
    root = own.image.address("automaton_root")
    rows = np.full(counts.shape[1], root)
    seen = [rows]
    for number in range(levels):
        place = rows + 2 * counts[number]
        rows = rom[place] | rom[place + 1] << 8
        seen.append(rows)
    *before, last = seen
    return Walk(
        counts.shape[1],
        range(min(int(r.min()) for r in before), max(int(r.max()) for r in before) + 1),
        range(int(last.min()), int(last.max()) + 1),
        rom[out(last, counts)].T.astype(np.uint8),
    )


def judge_walk(walk: Walk, rows: range) -> Finding:
    """Whether a walk gives the costs by definition and stays among ``rows``."""
    statement = ProofFact.WALK(suits=walk.suits)
    expected = costs_by_definition(suits_known())
    wrong = np.flatnonzero((walk.costs != expected).any(axis=1))
    if len(wrong):
        suit = suits_known()[:, wrong[0]].tolist()
        return Finding(statement, Verdict.REFUTED, Evidence.NOT_FOR_COUNTS(counts=str(suit)))
    if walk.rows.start < rows.start or walk.rows.stop > rows.stop:
        return Finding(statement, Verdict.REFUTED, Evidence.STRANGE_ROW())
    return Finding(statement, Verdict.PROVED, Evidence.COSTS(count=COSTS))
