"""The costs of every suit there can be, worked out once and kept on disk.

``suit_costs`` by the definition takes a millisecond or so; here the same recurrence runs over all
suits at once, as arrays.
"""

from __future__ import annotations

import functools
import io

import numpy as np
import numpy.typing as npt

from fairdeck.riichi.shanten import MELDS
from fairdeck.tiles import COPIES
from romproof import keep, recall

CostTable = npt.NDArray[np.uint8]

NUMBERS, HONOURS = 9, 7
BASE = COPIES + 1
"""A suit is a number of that base, the digit of its first tile the highest."""
COSTS = 10
_FAR = 99
_VERSION = 1
"""Of the files; to be raised when what they hold changes."""

_ALONE = ((0, 0), (0, 1), (1, 0))


@functools.cache
def suit_table(places: int) -> CostTable:
    """Costs of every suit of ``places`` numbers (9) or honours (7): shape (5^places, 10), uint8.

    Row by the suit's number in base 5; columns as in fairdeck.riichi.shanten.Costs.
    """
    name = f"riichi-{places}-v{_VERSION}.npy"
    stored = _load_table(name, places)
    if stored is not None:
        return stored
    made = _compute_table(places)
    data = io.BytesIO()
    np.save(data, made)
    keep(name, data.getvalue())
    return made


def _load_table(name: str, places: int) -> CostTable | None:
    """The table as it was kept; None when there is none, or it is of another version of numpy."""
    data = recall(name)
    if data is None:
        return None
    try:
        table: CostTable = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    except ValueError:
        return None
    fits = table.shape == (BASE**places, COSTS) and table.dtype == np.uint8
    return table if fits else None


def _compute_table(places: int) -> CostTable:
    """The table by the recurrence of ``suit_costs``, place by place over all beginnings."""
    runs = places == NUMBERS
    held = np.arange(BASE, dtype=np.uint8)
    states: dict[tuple[int, int, int, int], CostTable] = {(0, 0, 0, 0): np.zeros(1, dtype=np.uint8)}
    for place in range(places):
        longest = MELDS if runs and place + 2 < places else 0
        last_place = place == places - 1
        after: dict[tuple[int, int, int, int], CostTable] = {}
        for (last, before, melds, pair), cost in states.items():
            carried = last + before
            for run in range(min(longest, COPIES - carried, MELDS - melds) + 1):
                for triplet, twin in _ALONE:
                    target = run + carried + 3 * triplet + 2 * twin
                    state = (run, last, melds + run + triplet, pair + twin)
                    if target > COPIES or state[2] > MELDS or state[3] > 1:
                        continue
                    if last_place and last:
                        continue
                    missing = np.where(held < target, target - held, 0).astype(np.uint8)
                    total = (cost[:, None] + missing[None, :]).reshape(-1)
                    known = after.get(state)
                    if known is None:
                        after[state] = total
                    else:
                        np.minimum(known, total, out=known)
        states = after
    table = np.full((BASE**places, COSTS), _FAR, dtype=np.uint8)
    for (last, before, melds, pair), cost in states.items():
        if last == before == 0:
            column = table[:, 5 * pair + melds]
            np.minimum(column, cost, out=column)
    return table
