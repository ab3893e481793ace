"""What of a program is traced: addresses, banks, routines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from romproof.machine.board import Board, InBank


@dataclass(frozen=True, slots=True)
class TracedPlace:
    """Addresses from ``first`` to ``last``, in a bank, or in whichever is there."""

    first: int
    last: int
    home: InBank | None = None


@dataclass(frozen=True, slots=True)
class TracedPlaces:
    """Some places; none stand for all there is."""

    places: Sequence[TracedPlace] = ()

    def has(self, pc: int, board: Board) -> bool:
        """Whether the instruction at ``pc`` is traced, with the banks that are in sight."""
        return not self.places or any(
            place.first <= pc <= place.last and (place.home is None or place.home.is_shown(board))
            for place in self.places
        )
