"""Budgets of routines beside their static bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from romproof.contract.nouns.model import Contract
from romproof.isa.abi import abi_of
from romproof.machine.memory import view_showing
from romproof.program.budget import BadBudget, Budget, parse_budget
from romproof.program.image import Image, UnknownSymbol
from romproof.text.span import Span
from romproof.timing.graph import NoCode
from romproof.timing.model import Bounds
from romproof.timing.survey import survey


class BudgetVerdict(Enum):
    """Whether calls keep a budget."""

    PROVED = "ok"
    """No call can exceed it: the upper static bound is within it."""
    SETTLED = "ok, proved"
    """The static bound is beyond it or not known; that no call exceeds it was proved."""
    OBSERVED = "ok as observed"
    """The static bound says nothing; every call that was observed kept it, and there were some."""
    OPEN = "may exceed"
    """The upper static bound is beyond it."""
    UNKNOWN = "not known"
    """There is no upper static bound, and no call was observed."""
    EXCEEDED = "exceeded"
    """A call took more, or every call takes more."""


KEPT = (BudgetVerdict.PROVED, BudgetVerdict.SETTLED, BudgetVerdict.OBSERVED)


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """A routine with a budget of at most ``limit`` cycles (SM83: M-cycles) a call.

    ``note`` says what the verdict rests on, or what is wrong. ``span`` is where the budget is said,
    else where the routine is; None where neither is known.
    """

    routine: str
    budget: Budget
    limit: int
    bounds: Bounds | None
    verdict: BudgetVerdict
    note: str
    span: Span | None

    @property
    def ok(self) -> bool:
        """Whether it is kept, as far as that was looked at."""
        return self.verdict in KEPT


def budget_rows(
    image: Image,
    contracts: Mapping[str, Contract],
    said: Iterable[tuple[str, str]],
    per_frame: float | None,
    banks: Iterable[str] = (),
) -> list[BudgetRow]:
    """The budgets that contracts and a project have ``said``, against static bounds.

    ``per_frame`` are the cycles of a frame. Raises BadBudget for a routine that the program has
    not, and for frames of a clock without any; OverlappingAreas and NoAbi.
    """
    wanted: list[tuple[str, Budget, Span | None]] = [
        (name, contract.budget, contract.place("budget"))
        for name, contract in contracts.items()
        if contract.budget is not None
    ]
    for name, text in said:
        try:
            symbol = image.symbol(name)
        except UnknownSymbol as fault:
            raise BadBudget(f"budget of '{name}': {fault}", "see 'budgets'") from None
        wanted.append((name, parse_budget(text, image.cpu), symbol.span))
    rows = []
    for name, budget, span in wanted:
        limit = budget.cycles(per_frame)
        try:
            shown = view_showing(image, name, tuple(banks), abi_of(image.cpu).first_areas)
            (row,) = survey("", image, contracts, banks=shown, routine=name).rows
            rows.append(_judge(name, budget, limit, row.bounds, bool(row.stated), span))
        except (NoCode, UnknownSymbol) as fault:
            note = f"no static bound: {fault}"
            rows.append(BudgetRow(name, budget, limit, None, BudgetVerdict.UNKNOWN, note, span))
    return sorted(rows, key=lambda row: (row.routine, row.limit))


def _judge(
    name: str, budget: Budget, limit: int, bounds: Bounds, stated: bool, span: Span | None
) -> BudgetRow:
    best, worst = bounds.best, bounds.worst
    if best and best > limit:
        verdict, note = BudgetVerdict.EXCEEDED, f"no call takes fewer than {best:,} cycles"
    elif worst is None:
        reasons = "; ".join(dict.fromkeys(bounds.reasons))
        verdict, note = (
            BudgetVerdict.UNKNOWN,
            f"no upper static bound: {reasons or 'none was found'}",
        )
    elif worst > limit:
        verdict, note = BudgetVerdict.OPEN, f"the upper static bound is {worst:,} cycles"
    else:
        rest = ", which relies on 'loops:' of contracts" if stated else ""
        verdict, note = BudgetVerdict.PROVED, f"the upper static bound is {worst:,} cycles{rest}"
    return BudgetRow(name, budget, limit, bounds, verdict, note, span)


def with_calls(row: BudgetRow, calls: int, most: int, call: str) -> BudgetRow:
    """A row after ``calls`` were observed, the longest with ``most`` cycles: ``call`` is that."""
    if calls and most > row.limit:
        note = f"a call took {most:,} cycles: {call}"
        return replace(row, verdict=BudgetVerdict.EXCEEDED, note=note)
    if row.verdict in (BudgetVerdict.OPEN, BudgetVerdict.UNKNOWN):
        if calls:
            many = f"{calls:,} calls were observed, the longest"
            few = "1 call was observed"
            note = f"{few if calls == 1 else many} with {most:,} cycles; {row.note}"
            return replace(row, verdict=BudgetVerdict.OBSERVED, note=note)
        note = f"no call was observed; {row.note}"
        return replace(row, verdict=BudgetVerdict.UNKNOWN, note=note)
    return row
