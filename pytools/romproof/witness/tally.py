"""What is kept of many runs: the extremes, the places seen, and what is not as it was proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from romproof.contract.nouns.statement import Statement
from romproof.witness.chunk import Ran
from romproof.witness.columns import Array, Machines
from romproof.witness.compare import CycleLimits, Cycles, Failure, about_cycles
from romproof.witness.domains import Domains, values_of
from romproof.witness.job import End
from romproof.witness.results import Disagreement, Extreme, Snapshot
from romproof.witness.subject import Subject

MAX = 5
"""Disagreements that are reported."""


@dataclass
class Tally:
    """Grows with each chunk of runs."""

    subject: Subject
    domains: Domains
    runs: int = 0
    cycles: int = 0
    watched: int = 0
    unfinished: int = 0
    least: Extreme | None = None
    most: Extreme | None = None
    returns: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)
    labels: dict[int, int] = field(default_factory=dict)
    by_statement: dict[Statement, Disagreement] = field(default_factory=dict)

    def count(self, ran: Ran) -> None:
        """Take in what runs did."""
        reached, cycles = ran.reached, ran.done.cycles
        self.runs += len(reached)
        self.cycles += int(cycles.sum())
        self.unfinished += int((ran.done.ends == End.LIMIT).sum())
        if not reached.any():
            return
        self.returns.update(np.unique(ran.done.last[reached]).tolist())
        self.ends.update(np.unique(ran.done.places[reached]).tolist())
        low, high = int(cycles[reached].min()), int(cycles[reached].max())
        if self.least is None or low < self.least.cycles:
            self.least = self._extreme(ran, low)
        if self.most is None or high > self.most.cycles:
            self.most = self._extreme(ran, high)

    def tell(self, ran: Ran, failures: Iterable[Failure]) -> None:
        """Take in what does not hold, for the smallest input of each statement."""
        for failure in failures:
            row = smallest_row(values_of(self.subject, ran.before), failure.rows)
            self.add(
                ran.before,
                row,
                failure.statement,
                failure.detail(row),
                failure.other,
                failure.of_model,
                bool(ran.done.ends[row] == End.LIMIT),
            )

    def add(
        self,
        before: Machines,
        row: int,
        statement: Statement,
        detail: str,
        other: Machines | None = None,
        of_model: bool = False,
        is_cut_off: bool = False,
    ) -> None:
        """Take in one disagreement; of each statement that with the smallest input is kept."""
        point = self.domains.point(values_of(self.subject, before)[row])
        known = self.by_statement.get(statement)
        if known is not None and known.input.size <= point.size:
            return
        second = None if other is None else _snapshot(self.subject, other, row)
        first = _snapshot(self.subject, before, row)
        self.by_statement[statement] = Disagreement(
            statement, detail, point, first, second, of_model, is_cut_off
        )

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """At most MAX of them, those with the smallest inputs first."""
        ordered = sorted(self.by_statement.values(), key=lambda each: each.input.size)
        return tuple(ordered[:MAX])

    def _extreme(self, ran: Ran, cycles: int) -> Extreme:
        values = values_of(self.subject, ran.before)
        row = smallest_row(values, ran.reached & (ran.done.cycles == cycles))
        point = self.domains.point(values[row])
        return Extreme(cycles, point, _snapshot(self.subject, ran.before, row))


def compare_together(
    subject: Subject,
    least: Extreme | None,
    most: Extreme | None,
    claims: Sequence[CycleLimits],
    tight: bool,
) -> Iterator[Disagreement]:
    """What is said of all runs together and is wrong: the same cycles, and that limits are
    reached."""
    contract = subject.contract
    if least is None or most is None:
        return
    unit = subject.abi.cycles
    if contract.constant_cycles and least.cycles != most.cycles:
        detail = f"it takes {least.cycles:,} or {most.cycles:,} {unit}"
        statement = about_cycles("takes the same time for all inputs", Cycles.CONSTANT)
        yield Disagreement(statement, detail, least.input, least.before, most.before)
    for claim in claims[:1] if tight else ():
        for name, limit, seen in (("fewest", claim.low, least), ("most", claim.high, most)):
            if limit is not None and limit != seen.cycles:
                detail = f"the {name} in any run are {seen.cycles:,}"
                statement = about_cycles(f"{limit} {unit} are reached", limit)
                yield Disagreement(statement, detail, seen.input, seen.before)


def smallest_row(values: Array, rows: Array) -> int:
    """Of the rows that are marked the one with the smallest values."""
    marked = np.flatnonzero(rows)
    sums = values[marked].sum(axis=1, dtype=np.int64)
    least = marked[sums == sums.min()]
    return int(min(least, key=lambda row: values[row].tolist()))


def _snapshot(subject: Subject, machines: Machines, row: int) -> Snapshot:
    registers = {name: int(values[row]) for name, values in machines.registers.items()}
    registers |= {"pc": subject.entry, subject.cpu.special: 0}
    return Snapshot(registers, machines.memory.whole(row))
