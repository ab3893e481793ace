"""Proofs as tables for a terminal and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from romproof.isa.abi import Abi
from romproof.prover.results import Attained, CycleProof, Example, Finding, Proof, Verdict
from romproof.report.advice import advice_json, advice_on
from romproof.report.json_object import JsonObject
from romproof.report.tables import GAP, Column, render, table, width_of
from romproof.text.cause import Cause

if TYPE_CHECKING:  # provers take time to import
    from romproof.prover.routines.survey import Survey, SurveyRow

SHOWN = 0.1
"""Seconds that a statement has to take for -v to tell it."""

_STYLES = {
    Verdict.PROVED: "green",
    Verdict.PARTIAL: "cyan",
    Verdict.UNKNOWN: "yellow",
    Verdict.VACUOUS: "bold red",
    Verdict.REFUTED: "bold red",
}
_OPEN = (Attained.NO, Attained.UNKNOWN)
"""What is told besides the verdict."""
_LEAST_NAME = 12
_LABEL = 8


def proofs_text(surveys: Sequence[Survey], width: int, colour: bool, verbose: bool) -> str:
    """A table for each program, what is not proved beneath it, and what it all comes to.

    Tests are lines to be pasted: they are as long as they are, whatever the ``width``. With
    ``verbose`` all statements are shown, and the inputs that reach the limits of cycles.
    """
    sections: list[str] = []
    for survey in surveys:
        sections.append(render([*_head(survey, width)], width, colour))
        for row in survey.rows:
            if verbose or row.proof.verdict is not Verdict.PROVED or row.proof.attained in _OPEN:
                sections += _details(row, survey.abi, width, colour, verbose)
    parts: list[RenderableType] = [_sum(surveys)]
    left = [name for survey in surveys for name in survey.left]
    if left:
        parts.append(Text(f"not tried: {', '.join(left)}", "yellow"))
    malformed = [name for survey in surveys for name in survey.malformed]
    if malformed:
        parts.append(
            Text(
                f"not tried, because the contract cannot be read: {', '.join(malformed)}",
                "bold red",
            )
        )
    return "\n".join([*sections, render(parts, width, colour)])


def _head(survey: Survey, width: int) -> Iterator[RenderableType]:
    title = Text(survey.rom, style="bold")
    title.append(f"  {survey.cpu}, {survey.abi.cycles} of any call", style="not bold")
    yield title
    if not survey.rows:
        yield "no routines with a contract" if not survey.left else "none yet"
        return
    names = [Text(row.proof.routine, style="bold") for row in survey.rows]
    columns = [
        Column("verdict", "left"),
        Column("cycles"),
        Column("executed"),
        Column("seconds"),
    ]
    cells: list[list[str | Text]] = [
        [
            _verdict(row.proof.verdict, row.proof.assuming, row.proof.attained),
            cycles_text(row.proof.cycles),
            execution_text(row.proof),
            f"{row.proof.seconds:,.1f}",
        ]
        for row in survey.rows
    ]
    if any(row.proof.lemmas for row in survey.rows):
        columns.append(Column("with", "left", True))
        for cell, row in zip(cells, survey.rows, strict=True):
            cell.append(" ".join(row.proof.lemmas))
    least = min(width_of("routine", names), max(_LEAST_NAME, width // 3))
    while len(columns) > 1 and least + _room(columns, cells, least) > width:
        columns.pop()
    rows = [[name, *cell[: len(columns)]] for name, cell in zip(names, cells, strict=True)]
    yield table([Column("routine", "left", True), *columns], rows, width)


def _room(columns: Sequence[Column], cells: Sequence[Sequence[str | Text]], least: int) -> int:
    """The characters that columns take; those that can be cut at least so many."""
    return sum(
        GAP + (least if column.cut else width_of(column.title, [row[n] for row in cells]))
        for n, column in enumerate(columns)
    )


def cycles_text(proof: CycleProof | None) -> str:
    """The limits of cycles, thousands parted: ``19..70``, ``38``, ``39..``; "" if unknown."""
    if proof is None or proof.least is None:
        return ""
    if proof.most is None:
        return f"{proof.least:,}.."
    one = proof.least == proof.most
    return f"{proof.least:,}" if one else f"{proof.least:,}..{proof.most:,}"


def execution_text(proof: Proof) -> str:
    """How many runs stand behind a proof: ``1,024``, ``131,072 all``, ``9,000, 12 open`` where some
    did not end; "" without any."""
    if not proof.runs:
        return ""
    open_ = f", {proof.unfinished:,} open" if proof.unfinished else ""
    return f"{proof.runs:,}{' all' * proof.all_inputs}{open_}"


def _verdict(verdict: Verdict, assuming: str = "", attained: Attained | None = None) -> Text:
    text = Text(f"{verdict.value} ({assuming})" if assuming else verdict.value, _STYLES[verdict])
    return text.append(f", {attained.value}", "yellow") if attained in _OPEN and attained else text


def _details(row: SurveyRow, abi: Abi, width: int, colour: bool, verbose: bool) -> Iterator[str]:
    """What there is to be said of a routine: texts, and tests as they are pasted."""
    title: list[RenderableType] = [Text(row.proof.routine, style="bold")]
    lines = _assumptions(row.proof) if verbose else []
    resting = [] if verbose else list(filter(_rests, row.proof.findings))
    for finding, test in zip(row.proof.findings, row.tests, strict=True):
        is_told = verbose or finding.verdict is not Verdict.PROVED or finding.attained in _OPEN
        if is_told and finding not in resting:
            lines += _finding(finding)
        if test:
            yield render([*title, _grid(lines)], width, colour)
            yield "".join(f"{line}\n" for line in test)
            title, lines = [], []
    if verbose and row.proof.cycles is not None:
        lines += _limits(row.proof.cycles, abi)
    if resting:
        lines += _resting(resting)
    if lines:
        yield render([*title, _grid(lines)], width, colour)


_Line = tuple[Text, Text]
"""A label, and what it is about."""


def _assumptions(proof: Proof) -> list[_Line]:
    assumed = [(Text("assumed", "cyan"), Text(text)) for text in proof.assumed]
    clobbers = " ".join(proof.clobbers)
    destroyed = [(Text("clobbers", "cyan"), Text(clobbers))] if clobbers else []
    lemmas = [(Text("with", "cyan"), Text(", ".join(proof.lemmas)))] if proof.lemmas else []
    rests = [(Text("rests on", "cyan"), Text(str(each))) for each in proof.rests_on]
    inferred = [(Text("inferred", "cyan"), Text(text)) for text in proof.inferred]
    notes = [(Text("note", "cyan"), Text(str(each))) for each in proof.notes]
    runs: list[_Line] = []
    if proof.runs:
        which = "all inputs" if proof.all_inputs else "drawn from all"
        text = f"{proof.runs:,} runs on {proof.engine} ({which})"
        if proof.verdict in (Verdict.PROVED, Verdict.PARTIAL):
            text += ": as proved"  # else what was otherwise stands among the findings
        if proof.unfinished:
            text += f"; {proof.unfinished:,} did not end within their limit of cycles"
        runs = [(Text("executed", "cyan"), Text(text))]
    return assumed + destroyed + lemmas + inferred + rests + notes + runs


def _finding(finding: Finding) -> Iterator[_Line]:
    if finding.verdict is Verdict.PROVED:
        said = [finding.detail] if finding.detail else []
        said += [f"{finding.seconds:.1f} s"] if finding.seconds >= SHOWN else []
        said += [f"work {finding.work:,}"] if finding.work else []
        detail = f" ({', '.join(said)})" if said else ""
        verdict = _verdict(finding.verdict, attained=finding.attained)
        yield verdict, Text(f"{finding.statement}{detail}")
        return
    yield _verdict(finding.verdict), Text(str(finding.statement))
    if finding.detail:
        yield Text(""), Text(finding.detail)
    yield from _advice(finding)
    if finding.example is None:
        return
    lines = [("input", str(finding.example))]
    if finding.other is not None:
        lines.append(("other", str(finding.other)))
    if finding.state is not None:
        lines.append(("there", str(finding.state)))
    if finding.replayed:
        label, text = lines[-1]
        seen = (
            "confirmed by execution"
            if finding.other is None
            else "confirmed by execution: they differ"
        )
        lines[-1] = label, f"{text} ({seen})"
    yield from ((Text(label, "cyan"), Text(text)) for label, text in lines)
    if finding.replayed is False:
        wrong = (
            "the machine behaves differently for that input: the proof is wrong, please report it"
        )
        yield Text("fault", "bold red"), Text(wrong)


def _advice(finding: Finding) -> Iterator[_Line]:
    if (advice := advice_on(finding)) is not None:
        yield Text("to try", "cyan"), Text(f"{advice.text} ({advice.link})")


def _rests(finding: Finding) -> bool:
    """Whether it is unknown for the sake of another statement, which is told by itself."""
    return Cause.RESTS_ON_OTHER in finding.causes


def _resting(findings: Sequence[Finding]) -> Iterator[_Line]:
    """Statements of which one line is enough: what they rely on is shown already."""
    first, *others = findings
    why = first.detail
    if others:
        why = f"each relies on {first.basis}; -v shows them"
    said = f"{len(findings)} more statements" if others else str(first.statement)
    yield _verdict(Verdict.UNKNOWN), Text(said)
    yield Text(""), Text(why)
    yield from _advice(first)


def _limits(cycles: CycleProof, abi: Abi) -> Iterator[_Line]:
    for label, count, example in (
        ("fewest", cycles.least, cycles.fastest),
        ("most", cycles.most, cycles.slowest),
    ):
        if count is not None and example is not None:
            yield Text(label, "cyan"), Text(f"{count:,} {abi.cycles} for {example}")


def _grid(lines: Sequence[_Line]) -> Table:
    """Labels and texts below each other; texts go on beneath themselves."""
    widest = max((len(label.plain) for label, _ in lines), default=0)
    grid = Table.grid(padding=(0, GAP, 0, 0))
    grid.add_column(width=max(_LABEL, widest) + GAP, no_wrap=True)
    grid.add_column()
    for label, text in lines:
        grid.add_row(Text("  ") + label, text)
    return grid


def _sum(surveys: Sequence[Survey]) -> Text:
    """How many routines have which verdict."""
    counts = Counter(row.proof.verdict for survey in surveys for row in survey.rows)
    loose = sum(row.proof.attained is Attained.NO for survey in surveys for row in survey.rows)
    total = counts.total()
    text = Text(f"{total} {'routine' if total == 1 else 'routines'}: ", style="bold")
    parts = [
        Text(f"{counts[verdict]} {verdict.value}", _STYLES[verdict])
        for verdict in reversed(Verdict)
        if counts[verdict]
    ]
    kept = sum(row.kept for survey in surveys for row in survey.rows)
    earlier = (
        f" ({'all' if kept == total else f'{kept} of them'} in an earlier run)" if kept else ""
    )
    told = Text(", ").join(parts or [Text("none proved yet")])
    return text + told + Text(f" ({loose} loose)" if loose else "", "yellow") + Text(earlier)


def proofs_json(surveys: Sequence[Survey]) -> JsonObject:
    """See docs/json.md, "romproof prove"."""
    return {
        "ok": all(survey.ok for survey in surveys),
        "roms": [
            {
                "name": survey.rom,
                "cpu": survey.cpu,
                "routines": [_routine(row) for row in survey.rows],
                "left": list(survey.left),
            }
            for survey in surveys
        ],
    }


def _routine(row: SurveyRow) -> JsonObject:
    proof, cycles, claim = row.proof, row.proof.cycles, None
    if row.claim is not None:
        claim = {"minimum": row.claim[0], "maximum": row.claim[1]}
    return {
        "name": proof.routine,
        "verdict": proof.verdict.value,
        "attained": None if proof.attained is None else proof.attained.value,
        "seconds": proof.seconds,
        "kept": row.kept,
        "claim": claim,
        "cycles": None
        if cycles is None
        else {
            "least": cycles.least,
            "most": cycles.most,
            "fastest": example_json(cycles.fastest),
            "slowest": example_json(cycles.slowest),
        },
        "assumed": list(proof.assumed),
        "clobbers": list(proof.clobbers),
        "lemmas": list(proof.lemmas),
        "inferred": list(proof.inferred),
        "rests_on": list(map(str, proof.rests_on)),
        "notes": list(map(str, proof.notes)),
        "runs": proof.runs,
        "all_inputs": proof.all_inputs,
        "engine": proof.engine or None,
        "unfinished": proof.unfinished,
        "findings": [
            {
                "statement": str(finding.statement),
                "verdict": finding.verdict.value,
                "attained": None if finding.attained is None else finding.attained.value,
                "detail": finding.detail or None,
                "advice": advice_json(finding),
                "assuming": finding.assuming or None,
                "seconds": round(finding.seconds, 3),
                "work": finding.work,
                "example": example_json(finding.example),
                "other": example_json(finding.other),
                "place": finding.place or None,
                "state": example_json(finding.state),
                "replayed": finding.replayed,
                "test": "".join(f"{line}\n" for line in test) if test else None,
            }
            for finding, test in zip(proof.findings, row.tests, strict=True)
        ],
    }


def example_json(example: Example | None) -> JsonObject | None:
    """An input, for JSON; null where there is none."""
    if example is None:
        return None
    return {
        "registers": dict(example.registers),
        "flags": dict(example.flags),
        "memory": [
            {"address": address, "name": example.names.get(address), "bytes": data.hex()}
            for address, data in example.memory.items()
        ],
        "stack": example.stack,
        "returns_to": example.returns_to,
    }
