"""What was inferred of programs, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from romproof.report.tables import render

if TYPE_CHECKING:  # provers take time to import
    from romproof.prover.infer.infer import Inferred
    from romproof.prover.infer.survey import InferenceSurvey


def inference_text(
    surveys: Sequence[InferenceSurvey], width: int, colour: bool, verbose: bool
) -> str:
    """The contracts, then why others have none, and counts."""
    parts = [part for survey in surveys for part in _parts(survey, verbose)]
    return render(parts, width, colour)


def _parts(survey: InferenceSurvey, verbose: bool) -> Iterator[RenderableType]:
    for row in survey.rows:
        if row.fields:
            # to be pasted: a line that is too long for the screen is one line nevertheless
            yield Text(row.block.rstrip("\n"), no_wrap=True, overflow="ignore")
            if row.loose and verbose:
                loose = ", ".join(map(str, row.loose))
                yield Text(f"; not shown to be tight: {loose}", style="yellow")
            yield Text("")
    for row in survey.rows:
        if row.reason is not None:
            yield Text.assemble((row.name, "bold"), f": {_why(row, verbose)}")
            yield Text("")
    for row in survey.faults:
        if row.proof is not None:
            worst = [f for f in row.proof.findings if f.verdict is row.proof.verdict]
            first = [worst[0].statement, *filter(None, [worst[0].detail])] if worst else []
            detail = "".join(f": {part}" for part in first)
            yield Text(
                f"{row.name}: its contract is {row.proof.verdict.value}{detail}", style="red"
            )
    yield _counts(survey)


def _why(row: Inferred, verbose: bool) -> str:
    from romproof.prover.infer.infer import Grade

    assert row.reason is not None
    if row.grade is Grade.WRITTEN:
        return f"the contract cannot be read: {row.reason.detail}"
    detail = row.reason.detail if verbose else row.reason.what
    return f"no contract: {row.reason.kind.value}: {detail}"


def _counts(survey: InferenceSurvey) -> Text:
    counts = {grade.value: count for grade, count in survey.counts.items()}
    asked = survey.without_contract
    share = f" ({100 * survey.sound / asked:.0f} % sound)" if asked else ""
    text = Text(f"{survey.rom}: ")
    text.append(
        f"{counts['tight']} tight, {counts['sound']} sound but not tight, {counts['none']} without"
    )
    text.append(share)
    if counts["waits"]:
        text.append(f"; {counts['waits']} proved if a port or a variable changes")
    if counts["written"]:
        text.append(f"; {counts['written']} with a contract of their own")
    if survey.left:
        text.append(f"; {len(survey.left)} not tried")
    return text


def inference_json(surveys: Sequence[InferenceSurvey]) -> Mapping[str, Any]:
    """See docs/json.md, "romproof infer"."""
    return {"ok": all(survey.ok for survey in surveys), "roms": [_rom(each) for each in surveys]}


def _rom(survey: InferenceSurvey) -> Mapping[str, Any]:
    return {
        "rom": survey.rom,
        "cpu": survey.cpu,
        "ok": survey.ok,
        "counts": {grade.value: count for grade, count in survey.counts.items()},
        "reasons": {kind.name.lower(): count for kind, count in survey.reasons.items()},
        "seconds": round(survey.seconds, 3),
        "left": list(survey.left),
        "routines": [_routine(row) for row in survey.rows],
    }


def _routine(row: Inferred) -> Mapping[str, Any]:
    reason = None
    if row.reason is not None:
        reason = {"class": row.reason.kind.name.lower(), "detail": row.reason.detail}
    limits = None
    if row.proof is not None and row.proof.cycles is not None:
        limits = {"least": row.proof.cycles.least, "most": row.proof.cycles.most}
    return {
        "routine": row.name,
        "address": row.address,
        "grade": row.grade.value,
        "contract": row.block or None,
        "loose": list(map(str, row.loose)),
        "reason": reason,
        "verdict": None if row.proof is None else row.proof.verdict.value,
        "cycles": limits,
        "runs": 0 if row.proof is None else row.proof.runs,
        "seconds": round(row.seconds, 3),
    }
