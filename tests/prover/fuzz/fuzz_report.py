"""What a run of the fuzzer found, for people."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from fuzz_judge import Tally, Violation
from fuzz_make import FuzzCase

TRUE, FALSE = "True", "False"


@dataclass
class Report:
    """All cases so far. ``broken`` counts what was broken on purpose, by kind."""

    tally: Tally = field(default_factory=Tally)
    found: list[tuple[Violation, str]] = field(default_factory=list)
    cases: int = 0
    refused: int = 0
    ways: int = 0
    broken: Counter[str] = field(default_factory=Counter)

    def add(self, violation: Violation, case: FuzzCase) -> None:
        """A disagreement, with the smallest case that shows it."""
        self.found.append((violation, case.program.source()))

    def join(self, other: Report) -> None:
        """Add what another run found."""
        self.tally.join(other.tally)
        self.found += other.found
        self.cases += other.cases
        self.refused += other.refused
        self.ways += other.ways
        self.broken += other.broken

    def share(self, verdict: str) -> float:
        """Of the statements that are true, those with this verdict."""
        whole = sum(n for (_, truth, _), n in self.tally.statements.items() if truth == TRUE)
        part = sum(
            n
            for (_, truth, said), n in self.tally.statements.items()
            if truth == TRUE and said == verdict
        )
        return part / whole if whole else 0.0

    def lines(self) -> list[str]:
        """All of it, what is worst first."""
        lines = [f"{self.cases} programs, {self.refused} of them refused by the assembler"]
        lines.append(f"{self.ways} more with a model or a port")
        lines.append("")
        lines.append("statements: kind, true or not by runs, verdict, how many")
        for (kind, truth, said), count in sorted(self.tally.statements.items()):
            lines.append(f"  {kind:<10} {truth:<6} {said:<28} {count}")
        lines.append("routines: all true by runs or not, verdict, how many")
        for (truth, said), count in sorted(self.tally.routines.items()):
            lines.append(f"  {truth:<8} {said:<20} {count}")
        lines.append("changes that should not matter: the two verdicts, how many")
        for (name, said), count in sorted(self.tally.relations.items()):
            lines.append(f"  {name:<14} {said:<32} {count}")
        whole = {"true": 0, "false": 0, "unclear": 0}
        proved: Counter[str] = Counter()
        for (truth, said), count in self.tally.routines.items():
            whole[truth] += count
            proved[truth] += count if said.startswith("proved") else 0
        lines.append(
            f"routines with true contracts: {whole['true']}, proved {proved['true']}; "
            f"with false ones: {whole['false']}"
        )
        lines.append(
            f"of the true statements {self.share('unknown'):.1%} are unknown, "
            f"{self.share('refuted under its invariant'):.1%} are not kept by their invariants"
        )
        lines.append(f"violations: {len(self.found)}")
        for violation, source in sorted(self.found, key=lambda each: each[0].kind):
            lines += [
                "",
                f"seed {violation.seed}: {violation.kind}",
                f"  {violation.routine}: {violation.statement}: {violation.detail}",
                *(f"    {line}" for line in _body(source)),
            ]
        return lines


def _body(source: str) -> list[str]:
    """The source from the first contract on."""
    lines = source.splitlines()
    first = next((n for n, line in enumerate(lines) if line.startswith(";;")), 0)
    return lines[first:]
