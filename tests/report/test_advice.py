"""Each reason for an unknown verdict has advice, and each piece of advice a section of the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import romproof
from romproof.prover.results import Finding, Verdict
from romproof.report.advice import CLASSES, advice_for, advice_json, advice_on

PACKAGE = Path(romproof.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "unknown.md"
RAISED = {"Unfinished", "LongLoop", "Undecided"}


def _reasons() -> Iterator[str]:
    """What symbolic execution and the prover give as reasons; numbers and names left out."""
    for part in ("symbolic", "prover"):
        for file in sorted((PACKAGE / part).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                if called and node.func.id in RAISED and node.args:  # type: ignore[attr-defined]
                    text = _text(node.args[0])  # type: ignore[attr-defined]
                    if text:
                        yield text


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_each_reason_has_advice() -> None:
    reasons = {*_reasons()}
    assert len(reasons) > 15
    assert [reason for reason in reasons if advice_for(reason) is None] == []


def test_each_class_has_a_section_and_the_table_leads_there() -> None:
    page = PAGE.read_text("utf-8")
    headings = set(re.findall(r"^## (.*)$", page, re.MULTILINE))
    linked = set(re.findall(r"\]\((#[^)]*)\)", page))
    for _, advice in CLASSES:
        assert advice.section in headings
        assert f"#{advice.link.partition('#')[2]}" in linked
    # the rest of the loop that may not end, where the port is what it waits for
    assert headings - {advice.section for _, advice in CLASSES} == {"It waits for a port"}


@pytest.mark.parametrize(
    ("detail", "section"),
    [
        (
            "the time limit of 60 seconds was reached; the loop around $0150 (f) is not cut: no "
            "invariant was found for it",
            "The loop is not cut",
        ),
        (
            "$1010 (f): it is in a loop that can have more than 1024 iterations",
            "The loop is not cut",
        ),
        ("it does not hold? z3 has no answer within 9 units", "The arithmetic is hard"),
        ("it takes more than 9 terms", "The arithmetic is hard"),
        ("X changes, from a state at f that its invariant allows", "The invariant is too weak"),
        ("an upper bound is 90; no input is known", "An end of the cycles is not reached"),
        ("it rests on 'returns', which is unknown", "It rests on another statement"),
        ("$1000 (steps): it waits for an interrupt", "It does not return"),
        (
            "$4000 (f): it is in a bank, and what is written to $2000 may bring another one in "
            "sight",
            "Another bank may be in sight",
        ),
        ("$1000 (terms): it uses an address that may be anywhere", "An access may be anywhere"),
    ],
)
def test_the_class_of_a_reason(detail: str, section: str) -> None:
    advice = advice_on(Finding("returns", Verdict.UNKNOWN, detail))
    assert advice is not None
    assert advice.section == section
    assert advice_json(Finding("returns", Verdict.UNKNOWN, detail)) == {
        "text": advice.text,
        "page": f"how-to/unknown#{section.lower().replace(' ', '-')}",
    }


def test_what_is_not_unknown_or_of_no_class_has_none() -> None:
    assert advice_on(Finding("returns", Verdict.PROVED, "it takes more than 9 terms")) is None
    assert advice_on(Finding("returns", Verdict.UNKNOWN, "")) is None
    assert advice_json(Finding("returns", Verdict.REFUTED, "it may not end")) is None
