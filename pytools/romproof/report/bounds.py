"""Static bounds as a table for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from romproof.contract.nouns.model import LoopBound, claim_text
from romproof.report.costs import budget_lines
from romproof.report.json_object import JsonObject
from romproof.report.tables import GAP, Column, table, width_of
from romproof.timing.budgets import BudgetRow
from romproof.timing.model import KnownLoop
from romproof.timing.survey import BoundsRow, BoundsVerdict, Survey

_STYLES = {
    BoundsVerdict.OK: "green",
    BoundsVerdict.LOOSE: "yellow",
    BoundsVerdict.PROVED: "green",
    BoundsVerdict.EXCEEDS: "bold red",
    BoundsVerdict.WRONG: "bold red",
}
_MARKS = {verdict: verdict.value for verdict in BoundsVerdict} | {BoundsVerdict.WRONG: "!!"}
_MAY_EXCEED = (
    "may exceed (bounds may be wider than the cycles of real calls: --prove asks the prover)"
)
_LEAST_NAME = 12


def bounds_parts(surveys: Sequence[Survey], width: int, loops: bool) -> list[RenderableType]:
    """A table for each program; beneath, what is not known and what is wrong.

    With ``loops`` the iterations of all loops follow.
    """
    parts: list[RenderableType] = []
    for survey in surveys:
        parts += ["", *_survey(survey, width)] if parts else _survey(survey, width)
        if loops:
            parts += _loops(survey, width)
    return parts


def budget_parts(budgets: Mapping[str, Sequence[BudgetRow]] | None) -> list[RenderableType]:
    """The budgets of programs, one a line."""
    if budgets is None:
        return []
    rows = [(program, row) for program, of_rom in budgets.items() for row in of_rom]
    lines = list(budget_lines(rows, len(budgets) > 1)) or ["no machine given"]
    styles = ["green" if row.ok else "bold red" for _, row in rows] or ["dim"]
    texts = [Text(f"  {line}", style=style) for line, style in zip(lines, styles, strict=True)]
    return ["", Text("budgets:", style="bold"), *texts]


def bounds_json(
    surveys: Sequence[Survey], budgets: Mapping[str, Sequence[BudgetRow]] | None = None
) -> JsonObject:
    """See docs/json.md, "romproof bounds"."""
    kept = all(row.ok for rows in (budgets or {}).values() for row in rows)
    return {
        "ok": all(survey.ok for survey in surveys) and kept,
        "roms": [
            {
                "name": survey.rom,
                "cpu": survey.cpu,
                "routines": [_routine(row) for row in survey.rows],
            }
            | ({} if budgets is None else {"budgets": _budgets(budgets.get(survey.rom, ()))})
            for survey in surveys
        ],
    }


def _budgets(rows: Sequence[BudgetRow]) -> list[JsonObject]:
    return [
        {
            "routine": row.routine,
            "budget": row.budget.text,
            "limit": row.limit,
            "verdict": row.verdict.value,
            "note": row.note,
        }
        for row in rows
    ]


def _survey(survey: Survey, width: int) -> list[RenderableType]:
    title = Text(survey.rom, style="bold")
    title.append(f"  {survey.cpu}, {survey.abi.cycles} of any call", style="not bold")
    if not survey.rows:
        return [title, "no routines"]
    names = [Text(row.name, style="bold") for row in survey.rows]
    cells = [[_best(row), _worst(row), _claim(row)] for row in survey.rows]
    columns = [Column("best"), Column("worst"), Column("claim", "left")]
    name = min(width_of("routine", names), max(_LEAST_NAME, width // 3))
    while columns and name + sum(_room(columns, cells)) > width:
        columns.pop()  # what is wrong with a claim is shown below, too
    rows = [[n, *c[: len(columns)]] for n, c in zip(names, cells, strict=True)]
    parts: list[RenderableType] = [title]
    parts.append(table([Column("routine", "left", True), *columns], rows, width))
    for heading, style, lines in (
        ("wrong", "bold red", _notes(survey, BoundsVerdict.WRONG)),
        (_MAY_EXCEED, "bold red", _notes(survey, BoundsVerdict.EXCEEDS)),
        (
            "proved for this code, although these bounds are wider",
            "green",
            _notes(survey, BoundsVerdict.PROVED),
        ),
        ("claims that are wider than the bounds", "yellow", _notes(survey, BoundsVerdict.LOOSE)),
        (
            "* relies on 'loops:' of contracts, which are not checked here",
            "bold",
            [f"{row.name}: stated: {loop_claims_text(row)}" for row in survey.rows if row.stated],
        ),
        (
            "worst not known",
            "bold",
            dict.fromkeys(r for x in survey.rows for r in x.bounds.reasons),
        ),
    ):
        if lines:
            parts += ["", Text(f"{heading}:", style=style), *(Text(f"  {line}") for line in lines)]
    return parts


def _room(columns: Sequence[Column], cells: Sequence[Sequence[Text]]) -> Iterator[int]:
    for number, column in enumerate(columns):
        yield GAP + width_of(column.title, [row[number] for row in cells])


def _best(row: BoundsRow) -> Text:
    best = row.bounds.best
    return Text(f"{best:,}") if best else Text("-", "dim")  # nothing that returns takes none


def _worst(row: BoundsRow) -> Text:
    worst = row.bounds.worst
    # of an unknown worst the best may rest on it, and that is shown below
    mark = "*" if row.stated else ""
    return Text("?", "dim") if worst is None else Text(f"{worst:,}{mark}")


def loop_claims_text(row: BoundsRow) -> str:
    """What contracts say of loops that the bounds of a routine rest on, the same said once."""
    return ", ".join(dict.fromkeys(map(str, row.stated)))


def _claim(row: BoundsRow) -> Text:
    if row.verdict is None:
        return Text("")
    text = "" if row.claim is None else f"{claim_text(row.claim, ',')} "
    return Text(f"{text}{_MARKS[row.verdict]}", _STYLES[row.verdict])


def _notes(survey: Survey, verdict: BoundsVerdict) -> list[str]:
    return [f"{row.name}: {row.note}" for row in survey.rows if row.verdict is verdict]


def _loops(survey: Survey, width: int) -> list[RenderableType]:
    """The turns of all loops, each once."""
    by_head = {loop.head: loop for row in survey.rows for loop in row.loops}
    if not by_head:
        return []
    rows = [
        [
            Text(loop.label or "-", style="bold"),
            Text("?", "dim") if loop.most is None else Text(f"{loop.most:,}"),
            "contract" if loop.stated else "",
            Text(loop.place, style="cyan"),
        ]
        for _, loop in sorted(by_head.items())
    ]
    columns = [Column("loop", "left", True), Column("iterations"), Column("", "left")]
    return ["", table([*columns, Column("place", "left", True)], rows, width)]


def _routine(row: BoundsRow) -> JsonObject:
    claim = None
    if row.claim is not None:
        claim = {"minimum": row.claim[0], "maximum": row.claim[1]}
    return {
        "name": row.name,
        "address": row.address,
        "best": row.bounds.best,
        "worst": row.bounds.worst,
        "reasons": list(row.bounds.reasons),
        "claim": claim,
        "verdict": None if row.verdict is None else row.verdict.value,
        "note": row.note,
        "loops": [_loop(loop) for loop in row.loops],
        "stated": [_clause(bound) for bound in row.stated],
    }


def _clause(bound: LoopBound) -> JsonObject:
    return {
        "label": bound.label,
        "least": bound.least,
        "most": bound.most,
        "place": f"{bound.span.source.name}:{bound.span.line}",
    }


def _loop(loop: KnownLoop) -> JsonObject:
    return {
        "label": loop.label or None,
        "address": loop.head,
        "place": loop.place,
        "turns": loop.most,
        "stated": loop.stated,
    }
