"""The nouns of a cycle report, and how a profile becomes one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from romproof.contract.nouns.items import name_of
from romproof.contract.nouns.model import Contract, CycleClaim
from romproof.isa.abi import Abi, abi_of
from romproof.measure.model import CycleProfile, LineProfile, RoutineProfile
from romproof.measure.recorded import RecordedProfile
from romproof.program.clocks import Clock


@dataclass(frozen=True, slots=True)
class CyclesHeader:
    """What was measured: ``entry`` was called ``runs`` times on ``engine``, or ran for so many of
    ``unit``."""

    rom: str
    cpu: str
    engine: str
    clock: Clock
    entry: str
    runs: int
    unit: str = "calls"

    @property
    def abi(self) -> Abi:
        """What is particular to the CPU."""
        return abi_of(self.cpu)


@dataclass(frozen=True, slots=True)
class RoutineRow:
    """One routine of a report.

    ``share`` is that of its exclusive cycles in all cycles (0.0 to 1.0);
    ``frames`` is its longest call in video frames, None without a frame;
    ``claim`` is what its contract promises, None without a promise; ``clobbers`` what the contract
    lists as destroyed, written out, None without a contract.
    """

    routine: RoutineProfile
    share: float
    frames: float | None
    claim: CycleClaim | None
    clobbers: tuple[str, ...] | None = None

    @property
    def holds(self) -> bool | None:
        """Whether every measured call was within the claim; None without one."""
        if self.claim is None:
            return None
        low, high = self.claim
        measured = self.routine
        return low <= measured.minimum and (high is None or measured.maximum <= high)


@dataclass(frozen=True, slots=True)
class CycleReport:
    """A profile, ready to be shown; ``lines`` are the costliest source lines, those of
    ``recorded`` all."""

    header: CyclesHeader
    recorded: RecordedProfile
    rows: tuple[RoutineRow, ...]
    lines: tuple[LineProfile, ...]

    @property
    def cycles(self) -> int:
        """The cycles of all that was executed."""
        return self.recorded.profile.cycles

    @property
    def instructions(self) -> int:
        """The instructions that were executed."""
        return self.recorded.profile.instructions

    @property
    def broken(self) -> tuple[RoutineRow, ...]:
        """The routines that did not keep their contract's cycles."""
        return tuple(row for row in self.rows if row.holds is False)


def cycle_report(
    header: CyclesHeader,
    recorded: RecordedProfile,
    contracts: Mapping[str, Contract],
    lines: tuple[LineProfile, ...] = (),
) -> CycleReport:
    """The report on a profile; ``contracts`` by routine name."""
    profile = recorded.profile
    rows = tuple(
        _row(each, header, profile, _contract(each, contracts)) for each in profile.routines
    )
    return CycleReport(header, recorded, rows, lines)


def _contract(routine: RoutineProfile, contracts: Mapping[str, Contract]) -> Contract | None:
    """The contract of a routine, which may be that of any of its labels."""
    names = (routine.name, *routine.also)
    return next((contracts[name] for name in names if name in contracts), None)


def _row(
    routine: RoutineProfile, header: CyclesHeader, profile: CycleProfile, contract: Contract | None
) -> RoutineRow:
    claim, clobbers = None, None
    if contract is not None:
        claim, clobbers = contract.cycles, tuple(name_of(item) for item in contract.clobbers)
    share, frames = profile.share(routine.exclusive), header.clock.frames(routine.maximum)
    return RoutineRow(routine, share, frames, claim, clobbers)
