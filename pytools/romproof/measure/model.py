"""What a profile is made of; all durations are in CPU clock cycles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class CodeSpot:
    """A place in code: its address, the bank in sight there (None where banks do not take turns),
    and the source line it came from, None where that is not known."""

    address: int
    bank: int | None = None
    source: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class RoutineProfile:
    """What one routine cost.

    ``exclusive`` counts its own instructions, ``inclusive`` also those of what
    it called; a recursive routine's inner calls are not counted twice.
    ``minimum``, ``mean`` and ``maximum`` are inclusive cycles of one call, inner
    recursive calls being calls like any other. The instruction that calls belongs
    to the caller, the one that returns to the routine. ``bank`` is the one that is in sight,
    None where banks do not take turns. What handlers of interrupts take is not among the cycles of
    what they interrupt.

    ``kind`` is "routine", "interrupt" for one that an interrupt has entered, and "machine" for what
    is no code: DMA that stops the CPU, and the time of a halted one, which has no address (-1).
    ``also`` are other labels at its address.
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
    kind: str = "routine"
    source: str | None = None
    line: int | None = None
    also: tuple[str, ...] = ()

    @property
    def all_names(self) -> str:
        """The name, with the other labels of the same place: ``first, also second``."""
        return ", also ".join([self.name, ", ".join(self.also)][: 1 + bool(self.also)])

    @property
    def total(self) -> int:
        """The sum of the inclusive cycles of all calls."""
        return round(self.mean * self.calls)


@dataclass(frozen=True, slots=True)
class CallEdge:
    """``calls`` from one routine to another; ``cycles`` are the callee's, inclusive."""

    caller: str
    callee: str
    calls: int
    cycles: int


@dataclass(frozen=True, slots=True)
class AddressProfile:
    """The instruction at ``address`` ran ``count`` times and took ``cycles`` in all.

    ``bank`` is as in RoutineProfile. What the machine takes meanwhile is not among them.
    """

    address: int
    count: int
    cycles: int
    bank: int | None = None


@dataclass(frozen=True, slots=True)
class SpotCost:
    """What the instruction at a spot did as part of a routine, which is an index: it ran ``count``
    times and took ``cycles`` of its own."""

    routine: int
    spot: CodeSpot
    count: int
    cycles: int


@dataclass(frozen=True, slots=True)
class PathProfile:
    """A routine (an index), called ``calls`` times from ``site`` along a path of calls.

    ``parent`` is the index of that path, -1 where nobody called: execution began there, or an
    interrupt came. ``cycles`` are the routine's own on this path. ``routine`` is -1 for all that
    was called behind so many paths that they are not told apart.
    """

    parent: int
    routine: int
    site: CodeSpot | None
    calls: int
    cycles: int


@dataclass(frozen=True, slots=True)
class PageAccess:
    """How often a routine (an index) read and wrote a page of 256 addresses, ``page`` 0 to 255.
    Instructions are not reads."""

    routine: int
    page: int
    reads: int
    writes: int


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
class CycleProfile:
    """The cost of an execution of ``cycles`` cycles and ``instructions`` instructions.

    ``routines`` are ordered by exclusive cycles, the costliest first: these add up to ``cycles``.
    ``edges`` are ordered by cycles; ``costs`` by routine, bank and address; of ``paths`` each one
    comes behind its parent. ``accesses`` are empty unless they were asked for. All numbers add up
    over repeated calls.
    """

    cycles: int
    instructions: int
    routines: tuple[RoutineProfile, ...]
    edges: tuple[CallEdge, ...]
    costs: tuple[SpotCost, ...]
    paths: tuple[PathProfile, ...] = ()
    accesses: tuple[PageAccess, ...] = ()

    @cached_property
    def addresses(self) -> tuple[AddressProfile, ...]:
        """By bank and address, those that were executed only."""
        sums: dict[tuple[int, int], list[int]] = {}
        banks: dict[tuple[int, int], int | None] = {}
        for cost in self.costs:
            spot = cost.spot
            key = (spot.bank or 0, spot.address)
            banks[key] = spot.bank
            at = sums.setdefault(key, [0, 0])
            at[0] += cost.count
            at[1] += cost.cycles
        return tuple(
            AddressProfile(address, count, cycles, banks[bank, address])
            for (bank, address), (count, cycles) in sorted(sums.items())
            if count
        )

    def routine(self, name: str) -> RoutineProfile:
        """The profile of the routine ``name``, by any of its labels. Raises KeyError if it never
        ran."""
        named = {other: routine for routine in self.routines for other in routine.also}
        return (named | {routine.name: routine for routine in self.routines})[name]

    def share(self, cycles: float) -> float:
        """``cycles`` as a share of the whole execution, 0.0 to 1.0."""
        return cycles / self.cycles if self.cycles else 0.0

    def callers(self, name: str) -> tuple[CallEdge, ...]:
        """The edges that lead to the routine ``name``."""
        return tuple(edge for edge in self.edges if edge.callee == name)

    def callees(self, name: str) -> tuple[CallEdge, ...]:
        """The edges that lead away from the routine ``name``."""
        return tuple(edge for edge in self.edges if edge.caller == name)
