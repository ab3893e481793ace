"""What a sample has counted so far, kept between runs: one that was broken off goes on there."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.data import digest_of_sources
from romproof import ProofOptions, keep, recall

_ENDING = ".sample"
_MAX = 256
"""Samples that are kept: of more, those that were not asked for longest go."""


@dataclass(frozen=True)
class Totals:
    """The sums over the first ``shuffles`` of a sample: ``counts`` as in Sample but flat, all
    ``cycles``; ``checked`` decks are the model's; ``engine`` executed them."""

    shuffles: int
    counts: NDArray[np.int64]
    cycles: int
    checked: int
    engine: str


def name_of(*what: object) -> str:
    """What the totals of a sample are kept under: ``what`` it is of, the machine programs, the code
    of romproof and fairdeck, and numpy, whose random numbers the seeds are."""
    whole = repr((what, digest_of_sources(), ProofOptions().stamp("fairdeck")))
    return hashlib.sha256(whole.encode()).hexdigest() + _ENDING


def recall_totals(name: str, cells: int) -> Totals | None:
    """The totals under a name, of so many ``cells``; None where none are kept."""
    data = recall(name)
    if data is None:
        return None
    try:
        head, _, body = data.partition(b"\n")
        fields: dict[str, Any] = json.loads(head)
        counts = np.frombuffer(body, "<i8").astype(np.int64)
        totals = Totals(counts=counts, **fields)
    except (ValueError, TypeError):
        return None
    return totals if len(counts) == cells else None


def keep_totals(name: str, totals: Totals) -> None:
    """Keep totals, in the place of earlier ones."""
    head = {
        "shuffles": totals.shuffles,
        "cycles": totals.cycles,
        "checked": totals.checked,
        "engine": totals.engine,
    }
    keep(name, json.dumps(head).encode() + b"\n" + totals.counts.astype("<i8").tobytes(), _MAX)
