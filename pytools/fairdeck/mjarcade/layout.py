"""The wall as it stands on the table: four sides of stacks, and where the dice open it.

Which place on the table a number of the wall has is not published; what is assumed instead is in
``ASSUMED_PLACES``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SEATS = ("east", "south", "west", "north")
"""Whose side it is: the first dealer's, then counter-clockwise."""
_LEVELS = 2

ASSUMED_PLACES = (
    "where the wall's numbers lie on the table is not published; assumed: side by side from the "
    "first dealer's, counter-clockwise, each from its player's right, two to a stack, the upper "
    "one first"
)
ASSUMED_OPENING = (
    "where the dice open the wall is not published; assumed as usual: their sum counts sides from "
    "the dealer's, and stacks from the right of the side it ends at"
)


@dataclass(frozen=True, slots=True)
class Stack:
    """Two numbers of the wall, one on the other."""

    upper: int
    lower: int


@dataclass(frozen=True, slots=True)
class Laid:
    """A wall on the table.

    ``sides`` are in the order of SEATS, the stacks of each from its player's right. The tiles
    are taken from behind stack ``opened[1]`` (from 0) of side ``opened[0]`` on, going on to the
    player's left and from there to the next side clockwise; ``dice`` are faces 1..6.
    """

    sides: tuple[tuple[Stack, ...], ...]
    dice: tuple[int, int]
    opened: tuple[int, int]


def laid_out(wall: Sequence[int], dice: tuple[int, int]) -> Laid:
    """A wall of 136 numbers on four sides of 17 stacks, or of 108 on three of 18.

    Raises ValueError for another number of tiles.
    """
    players = {136: 4, 108: 3}.get(len(wall))
    if players is None:
        raise ValueError(f"a wall has 136 tiles, or 108; this one has {len(wall)}")
    side = len(wall) // players
    sides = tuple(
        tuple(Stack(wall[i], wall[i + 1]) for i in range(at, at + side, _LEVELS))
        for at in range(0, len(wall), side)
    )
    total = sum(dice)
    return Laid(sides, dice, ((total - 1) % players, total - 1))


def as_object(laid: Laid) -> dict[str, object]:
    """For JSON: ``{"sides": [{"seat", "stacks": [[upper, lower], ...]}], "opened": {...}}``."""
    return {
        "sides": [
            {"seat": seat, "stacks": [[stack.upper, stack.lower] for stack in side]}
            for seat, side in zip(SEATS, laid.sides, strict=False)
        ],
        "opened": {"seat": SEATS[laid.opened[0]], "stack": laid.opened[1]},
    }
