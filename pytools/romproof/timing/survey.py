"""The routines of a program beside what their contracts claim."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from romproof.contract.nouns.model import Contract, CycleClaim, LoopBound
from romproof.isa.abi import Abi, abi_of
from romproof.program.image import Image
from romproof.timing.model import Bounds, KnownLoop
from romproof.timing.program import TimedProgram
from romproof.timing.routines import routines_of


class BoundsVerdict(Enum):
    """What the code says of a claim."""

    OK = "ok"
    """Both of its ends are the bounds: no call breaks it."""
    LOOSE = "loose"
    """It allows more than any call can take."""
    PROVED = "proved"
    """The bounds lie outside of it; that no call does was proved for this very code."""
    EXCEEDS = "may exceed"
    """The bounds lie outside of it, or are not known: a call may break it."""
    WRONG = "wrong"
    """A call breaks it: all do, or the prover knows one."""


KEPT = (None, BoundsVerdict.OK, BoundsVerdict.LOOSE, BoundsVerdict.PROVED)
"""The verdicts on claims that no call breaks; None: there is no claim."""


@dataclass(frozen=True, slots=True)
class BoundsRow:
    """A routine: its bounds, and the ``claim`` of its contract, None without one.

    ``verdict`` is None without a claim; ``note`` says what is wrong with it, "" where it is ok.
    The bounds rest on what contracts say of loops (``stated``), which nothing here checks.
    """

    name: str
    address: int
    bounds: Bounds
    claim: CycleClaim | None
    verdict: BoundsVerdict | None
    note: str
    loops: tuple[KnownLoop, ...]
    stated: tuple[LoopBound, ...] = ()


@dataclass(frozen=True, slots=True)
class Survey:
    """The routines of the program ``rom``, by address."""

    rom: str
    cpu: str
    rows: tuple[BoundsRow, ...]

    @property
    def abi(self) -> Abi:
        """What is particular to the CPU."""
        return abi_of(self.cpu)

    @property
    def ok(self) -> bool:
        """Whether no call can break a claim, as far as bounds and proofs tell."""
        return all(row.verdict in KEPT for row in self.rows)


def survey(
    rom: str,
    image: Image,
    contracts: Mapping[str, Contract],
    *,
    banks: Collection[str] = (),
    routine: str | int | None = None,
    private: bool = False,
) -> Survey:
    """The routines of a program, or only ``routine``; with what they call when ``private``.

    Without a name they are those of ``routines_of`` (romproof.timing.routines). Raises
    UnknownSymbol, NoCode, NoAbi and OverlappingAreas.
    """
    program = TimedProgram(image, contracts, banks)
    here = {symbol.name: symbol.value for symbol in program.image.symbols}
    if routine is not None:
        wanted = {program.find(routine)}
    else:
        wanted = set(routines_of(program.image, program.memory, contracts).labels)
    if private:
        wanted = _with_called(program, wanted)
    by_address: dict[int, Contract] = {}
    for name, contract in contracts.items():
        if name in here:
            by_address.setdefault(here[name], contract)
    rows = tuple(_row(program, at, by_address.get(at)) for at in sorted(wanted))
    return Survey(rom, image.cpu, rows)


def judge(bounds: Bounds, claim: CycleClaim) -> tuple[BoundsVerdict, str]:
    """What the bounds say of a claim, and why. An end that is open claims nothing."""
    (best, worst), (low, high) = (bounds.best, bounds.worst), claim
    if high is not None and high < best:
        return BoundsVerdict.WRONG, f"claims at most {high:,}; no call takes fewer than {best:,}"
    if worst is not None and low > worst:
        return BoundsVerdict.WRONG, f"claims at least {low:,}; no call takes more than {worst:,}"
    beyond = []
    if low > best:
        beyond.append(f"claims at least {low:,}; {_bound_text('fewest', best or None)}")
    if high is not None and (worst is None or worst > high):
        beyond.append(f"claims at most {high:,}; {_bound_text('most', worst)}")
    if beyond:
        return BoundsVerdict.EXCEEDS, "; ".join(beyond)
    notes = []
    if 0 < low < best:
        notes.append(f"at least {best:,}")
    if worst is not None and high is not None and high > worst:
        notes.append(f"at most {worst:,}")
    return (BoundsVerdict.LOOSE, ", ".join(notes)) if notes else (BoundsVerdict.OK, "")


def _bound_text(end: str, cycles: int | None) -> str:
    """What was found of one end of the bounds."""
    return f"the {end} are not known" if cycles is None else f"the {end} found are {cycles:,}"


def _row(program: TimedProgram, address: int, contract: Contract | None) -> BoundsRow:
    routine = program.routine(address)
    label = program.image.label_at(address)
    name = label.name if label is not None else f"${address:04X}"
    claim = contract.cycles if contract is not None else None
    verdict, note = (None, "") if claim is None else judge(routine.bounds, claim)
    if routine.conflicts:
        verdict, note = BoundsVerdict.WRONG, "; ".join(routine.conflicts)
    return BoundsRow(
        name, address, routine.bounds, claim, verdict, note, routine.loops, routine.stated
    )


def _with_called(program: TimedProgram, entries: set[int]) -> set[int]:
    reached = set(entries)
    work = list(entries)
    while work:
        for called in program.routine(work.pop()).calls - reached:
            reached.add(called)
            work.append(called)
    return reached
