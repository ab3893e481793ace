"""Budgets: what no call of a routine may exceed, in cycles or frames."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from romproof.program.clocks import CLOCKS
from romproof.text.errors import BadInput

FRAMES, CYCLES, M_CYCLES = "frames", "cycles", "M-cycles"
_MAX = 10**9
_TEXT = re.compile(
    r"(?P<number>\d{1,12}(?:\.\d{1,6})?)\s*(?P<unit>frames?|cycles?|M-cycles?)",
    re.IGNORECASE | re.ASCII,
)
_HELP = (
    'write a number and its unit: "0.5 frames" or "1200 cycles"; for the SM83 also "300 M-cycles"'
)


class BadBudget(BadInput):
    """What is said to be a budget is none; ``help`` says what to write."""

    def __init__(self, message: str, help: str = _HELP) -> None:
        super().__init__(message)
        self.help = help


@dataclass(frozen=True, slots=True)
class Budget:
    """``amount`` frames or cycles (of the SM83 M-cycles, whichever of the two it says)."""

    amount: Fraction
    unit: str
    text: str

    def cycles(self, per_frame: float | None) -> int:
        """The most cycles of a call; ``per_frame`` are those of a frame. Raises BadBudget for a
        clock without frames."""
        if self.unit != FRAMES:
            return int(self.amount)
        if per_frame is None:
            raise BadBudget(
                f"'{self.text}': the clock of the program has no frames",
                'choose another clock with clock = "…", or write cycles',
            )
        return int(self.amount * Fraction(per_frame))


def parse_budget(text: str, cpu: str) -> Budget:
    """A budget as contracts and projects write it, for a program of a CPU. Raises BadBudget."""
    text = text.strip()
    match = _TEXT.fullmatch(text)
    if match is None:
        shown = "".join(c if c.isprintable() else "?" for c in text[:80])
        raise BadBudget(f"'{shown}' is not a budget")
    unit = match["unit"].lower().rstrip("s")
    amount = Fraction(match["number"])
    if unit == "m-cycle" and cpu != "sm83":
        raise BadBudget(f"'{text}': only the SM83 has M-cycles", "write cycles")
    if unit != "frame" and amount.denominator != 1:
        raise BadBudget(f"'{text}': a call takes a whole number of cycles")
    if not 0 < amount <= _MAX:
        raise BadBudget(f"'{text}': it must be more than 0, and at most {_MAX:,}")
    named = {"frame": FRAMES, "cycle": CYCLES, "m-cycle": M_CYCLES}[unit]
    return Budget(amount, named, text)


def budget_faults(table: Mapping[str, object], cpu: str, clock: object = "") -> list[str]:
    """What is wrong with a table of budgets by routine, a sentence each; ``clock`` is the name that
    is given, for which a budget in frames may have no meaning."""
    known = CLOCKS.get(clock.lower()) if isinstance(clock, str) else None
    faults = []
    for routine, text in table.items():
        if not isinstance(text, str):
            faults.append(f"the budget of '{routine}' must be a string; {_HELP}")
            continue
        try:
            budget = parse_budget(text, cpu)
            if known is not None:
                budget.cycles(known.cycles_per_frame)
        except BadBudget as fault:
            faults.append(f"the budget of '{routine}': {fault}; {fault.help}")
    return faults
