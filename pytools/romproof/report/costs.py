"""What became slower or faster as a table, and budgets as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from romproof.measure.costs import CostCause, CostDifference, RecordedCost
from romproof.timing.budgets import BudgetRow

_HEADS = ("routine", "", "min", "mean", "max", "change", "cause")


def difference_lines(differences: Sequence[CostDifference], several: bool) -> Iterator[str]:
    """A table of differences, with the call that takes longest beneath each row; ``several``: there
    is more than one program, and routines are named with theirs."""
    changed = [d for d in differences if d.before is not None and d.after is not None]
    if changed:
        rows = [_row(difference, several) for difference in changed]
        widths = [max(len(row[n]) for row in (_HEADS, *rows)) for n in range(len(_HEADS))]
        yield _cells(_HEADS, widths)
        for row, difference in zip(rows, changed, strict=True):
            yield _cells(row, widths)
            if difference.after is not None and difference.after.most:
                yield f"    max: {difference.after.most}"
    for cause, text in (
        (CostCause.NEW, "not in the file; --romproof-cycles-update adds them"),
        (CostCause.GONE, "in the file, but no test called them"),
    ):
        names = [_name(d, several) for d in differences if d.cause is cause]
        if names:
            yield f"{text}: {', '.join(names)}"


def _row(difference: CostDifference, several: bool) -> tuple[str, ...]:
    before, after = difference.before, difference.after
    assert before is not None, "only changes are shown"
    assert after is not None, "the same"
    change = difference.change
    word = "slower" if change > 0 else "faster" if change < 0 else "as long"
    share = f"{change / before.maximum:+.1%}" if before.maximum and change else ""
    return (
        _name(difference, several),
        word,
        _pair(f"{before.minimum:,}", f"{after.minimum:,}"),
        _pair(mean_text(before), mean_text(after)),
        _pair(f"{before.maximum:,}", f"{after.maximum:,}"),
        share,
        difference.cause.value,
    )


def mean_text(cost: RecordedCost) -> str:
    """The mean of cycles: with two digits only where it is no whole number."""
    whole = cost.mean == int(cost.mean)
    return f"{int(cost.mean):,}" if whole else f"{cost.mean:,.2f}"


def _pair(one: str, other: str) -> str:
    return one if one == other else f"{one} -> {other}"


def _name(difference: CostDifference, several: bool) -> str:
    return f"{difference.program}:{difference.routine}" if several else difference.routine


def _cells(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (
        cell.rjust(width) if 2 <= number <= 5 else cell.ljust(width)
        for number, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join(cells).rstrip()


def budget_lines(rows: Sequence[tuple[str, BudgetRow]], several: bool) -> Iterator[str]:
    """Budgets, by program, one a line; the verdict comes first, what it rests on last."""
    width = max((len(row.verdict.value) for _, row in rows), default=0)
    names = [f"{program}:{row.routine}" if several else row.routine for program, row in rows]
    longest = max(map(len, names), default=0)
    limits = [_limit(row) for _, row in rows]
    room = max(map(len, limits), default=0)
    for name, limit, (_, row) in zip(names, limits, rows, strict=True):
        yield f"{row.verdict.value:<{width}}  {name:<{longest}}  {limit:<{room}}  {row.note}"


def _limit(row: BudgetRow) -> str:
    cycles = f"{row.limit:,} cycles"
    return f"{row.budget.text} = {cycles}" if row.budget.unit == "frames" else row.budget.text


def annotation(row: BudgetRow) -> str:
    """A budget that is not kept as GitHub's workflow command: it is shown at the line."""
    place = ""
    if row.span is not None:
        name = _property(row.span.source.name.replace("\\", "/"))
        place = f" file={name},line={row.span.line},col={row.span.col}"
    message = f"{row.routine}: budget {_limit(row)}: {row.verdict.value}: {row.note}"
    return f"::error{place}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
