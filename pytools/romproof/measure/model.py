"""What a profile is made of; all durations are in CPU clock cycles."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoutineProfile:
    """What one routine cost.

    ``exclusive`` counts its own instructions, ``inclusive`` also those of what
    it called; a recursive routine's inner calls are not counted twice.
    ``minimum``, ``mean`` and ``maximum`` are inclusive cycles of one call, inner
    recursive calls being calls like any other. The instruction that calls belongs
    to the caller, the one that returns to the routine. ``bank`` is the one that is in sight,
    None where banks do not take turns.
    """

    name: str
    address: int
    calls: int
    exclusive: int
    inclusive: int
    minimum: int
    mean: float
    maximum: int
    bank: int | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """``calls`` from one routine to another; ``cycles`` are the callee's, inclusive."""

    caller: str
    callee: str
    calls: int
    cycles: int


@dataclass(frozen=True, slots=True)
class AddressProfile:
    """The instruction at ``address`` ran ``count`` times and took ``cycles`` in all.

    ``bank`` is as in RoutineProfile. Of ``halt`` the cycles of rest are among them.
    """

    address: int
    count: int
    cycles: int
    bank: int | None = None


@dataclass(frozen=True, slots=True)
class LineProfile:
    """One source line: how often its first instruction ran, and all its cycles.

    Every place the line went to is in it, as with a macro's or a repeat's lines.
    """

    source: str
    line: int
    text: str
    count: int
    cycles: int


@dataclass(frozen=True)
class Profile:
    """The cost of an execution of ``cycles`` cycles and ``instructions`` instructions.

    ``routines`` are ordered by exclusive cycles, the costliest first; ``edges``
    by cycles; ``addresses`` by bank and address, those that were executed only. All
    numbers add up over repeated calls.
    """

    cycles: int
    instructions: int
    routines: tuple[RoutineProfile, ...]
    edges: tuple[Edge, ...]
    addresses: tuple[AddressProfile, ...]

    def routine(self, name: str) -> RoutineProfile:
        """The profile of the routine ``name``. Raises KeyError if it never ran."""
        return {routine.name: routine for routine in self.routines}[name]

    def share(self, cycles: float) -> float:
        """``cycles`` as a share of the whole execution, 0.0 to 1.0."""
        return cycles / self.cycles if self.cycles else 0.0

    def callers(self, name: str) -> tuple[Edge, ...]:
        """The edges that lead to the routine ``name``."""
        return tuple(edge for edge in self.edges if edge.callee == name)

    def callees(self, name: str) -> tuple[Edge, ...]:
        """The edges that lead away from the routine ``name``."""
        return tuple(edge for edge in self.edges if edge.caller == name)
