"""What was inferred of a program: counts, and the reasons by class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from romproof.prover.infer.infer import Grade, Inferred
from romproof.prover.infer.obstacles import ObstacleKind
from romproof.prover.results import Verdict


@dataclass(frozen=True)
class InferenceSurvey:
    """The routines of the program ``rom``, callees first; ``left`` are those nobody got to."""

    rom: str
    cpu: str
    rows: tuple[Inferred, ...]
    left: tuple[str, ...] = ()

    @cached_property
    def counts(self) -> Mapping[Grade, int]:
        """How many routines have each grade."""
        grades = Counter(row.grade for row in self.rows)
        return {grade: grades.get(grade, 0) for grade in Grade}

    @cached_property
    def reasons(self) -> Mapping[ObstacleKind, int]:
        """How many routines have no contract for each class of reason, the most frequent first."""
        reasons = Counter(
            row.reason.kind
            for row in self.rows
            if row.reason is not None and row.grade is Grade.NONE
        )
        return dict(reasons.most_common())

    @property
    def without_contract(self) -> int:
        """The routines without a contract that somebody wrote."""
        return len(self.rows) - self.counts[Grade.WRITTEN]

    @property
    def sound(self) -> int:
        """The routines with a proved contract that was inferred."""
        return self.counts[Grade.TIGHT] + self.counts[Grade.SOUND]

    @property
    def faults(self) -> tuple[Inferred, ...]:
        """The routines whose written contract is not proved."""
        return tuple(
            row
            for row in self.rows
            if row.grade is Grade.WRITTEN
            and (row.proof is None or row.proof.verdict is not Verdict.PROVED)
        )

    @property
    def seconds(self) -> float:
        """What it all took."""
        return sum(row.seconds for row in self.rows)

    @property
    def ok(self) -> bool:
        """Whether every routine that was asked for has a contract, and no written one is at
        fault."""
        return not self.left and not self.faults and self.sound == self.without_contract
