"""The nouns: what is known of a routine's cycles, and why not more."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.contract.nouns.model import LoopBound
from romproof.timing.footprint import UNKNOWN, Footprint


@dataclass(frozen=True, slots=True)
class Bounds:
    """The cycles of a routine, from its first instruction to its return inclusive.

    No call takes fewer than ``best`` or more than ``worst``, which is None where no bound is
    known; then ``reasons`` says why, and what to write to have one. ``best`` is 0 where no way
    leads to a return.
    """

    best: int
    worst: int | None
    reasons: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """All reasons in one line; "" where ``worst`` is known."""
        return "; ".join(self.reasons)

    def __str__(self) -> str:
        if self.worst is None:
            return f"{self.best}.."
        return str(self.best) if self.best == self.worst else f"{self.best}..{self.worst}"


@dataclass(frozen=True, slots=True)
class KnownLoop:
    """A loop of a routine: its head, the label there ("" for none) and its place in the source.

    ``most`` is how often the head is executed each time the loop is entered, None where no bound
    is known. ``stated`` says that a contract gives a bound.
    """

    head: int
    label: str
    place: str
    most: int | None
    stated: bool


@dataclass(frozen=True)
class Routine:
    """What is known of the routine at ``address``.

    ``conflicts`` are bounds in contracts that cannot be. ``stated`` are those without which
    ``bounds`` would be wider, the routine's own and those of what it calls: they are taken as they
    stand. ``calls`` are the routines it calls.
    ``footprint`` is what it may change, ``code`` has the addresses of its instructions; both
    with all that it calls. ``strays`` says that it may go on elsewhere than behind the call.
    """

    address: int
    bounds: Bounds
    conflicts: tuple[str, ...] = ()
    stated: tuple[LoopBound, ...] = ()
    loops: tuple[KnownLoop, ...] = ()
    calls: frozenset[int] = frozenset()
    footprint: Footprint = UNKNOWN
    code: frozenset[int] = frozenset()
    strays: bool = True
