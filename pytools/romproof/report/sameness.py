"""Two versions of a routine beside each other, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from romproof.prover.results import Verdict
from romproof.report.advice import advice_json, advice_on
from romproof.report.json_object import JsonObject
from romproof.report.proofs import example_json
from romproof.report.tables import Column, render, table

if TYPE_CHECKING:  # provers take time to import
    from romproof.prover.same.cost import Range, VersionCost
    from romproof.prover.same.same import Sameness

_SAID = {
    Verdict.PROVED: ("equal for all inputs that both contracts allow", "green"),
    Verdict.REFUTED: ("not equal", "bold red"),
    Verdict.VACUOUS: ("nothing to compare", "bold red"),
}


def sameness_text(
    result: Sameness, test: tuple[str, ...], width: int, colour: bool, verbose: bool
) -> str:
    """The verdict, what both cost, and the input that tells them apart, with its test."""
    return render([*_parts(result, test, width, verbose)], width, colour)


def _parts(
    result: Sameness, test: tuple[str, ...], width: int, verbose: bool
) -> Iterator[RenderableType]:
    one, other = result.pairs.one, result.pairs.other
    said, style = _SAID.get(result.verdict, ("unknown", "yellow"))
    line = Text.assemble((one.title, "bold"), " and ", (other.title, "bold"), ": ", (said, style))
    if result.runs:
        line.append(f" (executed: {result.runs:,} inputs)")
    yield line
    for each in result.findings:
        if verbose or each.verdict is not Verdict.PROVED:
            detail = f": {each.detail}" if each.detail else ""
            yield Text(f"  {each.verdict.value}: {each.statement}{detail}")
            if (advice := advice_on(each)) is not None:
                yield Text(f"  to try: {advice.text} ({advice.link})")
    differs = result.differs
    if differs is not None:
        yield Text(f"  in  {differs.example}")
        for _, cell, mine, hers in differs.outputs:
            digits = "d" if cell.width == 1 else "02X"
            mark = "" if cell.width == 1 else "$"
            yield Text(
                f"  out {cell.text}: {mark}{mine:{digits}} from {one.title}, "
                f"{mark}{hers:{digits}} from {other.title}"
            )
    if result.one is not None and result.other is not None:
        yield Text(f"  {_summary(result.one, result.other, result.more_cycles, _units(result))}")
        yield Text("")
        columns = [
            Column("", "left"),
            Column(one.title, "left", cut=True),
            Column(other.title, "left", cut=True),
        ]
        yield table(columns, [*_rows(result.one, result.other, _units(result))], width)
    if test:
        yield Text("\na test that shows it:\n")
        yield Text("\n".join(test), no_wrap=True, overflow="ignore")


def _units(result: Sameness) -> tuple[str, str]:
    return (result.pairs.one.program.abi.cycles, result.pairs.other.program.abi.cycles)


def _summary(
    one: VersionCost, other: VersionCost, more: Range | None, units: tuple[str, str]
) -> str:
    """What the second costs more or less than the first."""
    parts = []
    if units[0] == units[1]:
        parts.append(f"{units[0]}: {cycles_said(more)}")
    parts.append(f"code: {_bytes(other.code - one.code)}")
    parts.append(f"stack: {_count(other.stack - one.stack)}")
    if units[0] == units[1]:
        also = [name for name in other.changes if name not in one.changes]
        no_longer = [name for name in one.changes if name not in other.changes]
        parts += [f"changes {' '.join(also)} as well"] * bool(also)
        parts += [f"no longer changes {' '.join(no_longer)}"] * bool(no_longer)
    return "; ".join(parts)


def _rows(
    one: VersionCost, other: VersionCost, units: tuple[str, str]
) -> Iterator[tuple[str, str, str]]:
    same_unit = units[0] == units[1]
    yield (
        units[0] if same_unit else "cycles",
        _range(one.cycles) + ("" if same_unit else f" {units[0]}"),
        _range(other.cycles) + ("" if same_unit else f" {units[1]}"),
    )
    yield "bytes of code", f"{one.code:,}", f"{other.code:,}"
    yield "stack", f"{one.stack}", f"{other.stack}"
    yield "changes", " ".join(one.changes) or "-", " ".join(other.changes) or "-"


def _range(cycles: Range | None) -> str:
    if cycles is None:
        return "?"
    low, high = cycles
    return f"{low:,}" if low == high else f"{low:,}..{high:,}"


def _count(more: int) -> str:
    return "same" if not more else f"{abs(more):,} {'more' if more > 0 else 'fewer'}"


def _bytes(more: int) -> str:
    return f"{_count(more)} byte{'s' * (abs(more) != 1)}" if more else "same size"


def cycles_said(more: Range | None) -> str:
    """How many cycles the second takes more or fewer than the first, on the same input."""
    if more is None:
        return "not known"
    low, high = more
    if low == high:
        return f"{_count(low)} on every input"
    if low > 0:
        return f"{low:,} to {high:,} more on every input"
    if high < 0:
        return f"{-high:,} to {-low:,} fewer on every input"
    if low == 0:
        return f"up to {high:,} more, never fewer"
    if high == 0:
        return f"up to {-low:,} fewer, never more"
    return f"from {-low:,} fewer to {high:,} more, by input"


def sameness_json(result: Sameness, test: tuple[str, ...]) -> JsonObject:
    """See docs/json.md, "romproof same"."""
    differs = result.differs
    return {
        "ok": result.verdict is Verdict.PROVED,
        "verdict": result.verdict.value,
        "one": _side(result.pairs.one.title, result.pairs.one.program.image.cpu, result.one),
        "other": _side(
            result.pairs.other.title, result.pairs.other.program.image.cpu, result.other
        ),
        "more_cycles": _range_json(result.more_cycles),
        "runs": result.runs,
        "seconds": result.seconds,
        "findings": [
            {
                "statement": str(f.statement),
                "verdict": f.verdict.value,
                "detail": f.detail or None,
                "advice": advice_json(f),
            }
            for f in result.findings
        ],
        "differs": None
        if differs is None
        else {
            "one": example_json(differs.example),
            "other": example_json(differs.other_example),
            "outputs": [
                {"place": cell.text, "one": mine, "other": hers}
                for _, cell, mine, hers in differs.outputs
            ],
            "test": list(test),
        },
    }


def _side(title: str, cpu: str, cost: VersionCost | None) -> JsonObject:
    return {
        "routine": title,
        "cpu": cpu,
        "cycles": None if cost is None else _range_json(cost.cycles),
        "code": None if cost is None else cost.code,
        "stack": None if cost is None else cost.stack,
        "changes": None if cost is None else list(cost.changes),
    }


def _range_json(cycles: Range | None) -> Mapping[str, int] | None:
    return None if cycles is None else {"least": cycles[0], "most": cycles[1]}
