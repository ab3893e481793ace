"""Each cause of an unknown verdict has advice, and each piece of advice a section of the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from romproof.prover.catalogue import Property, Reason
from romproof.prover.results import Finding, Verdict
from romproof.report.advice import CLASSES, advice_for, advice_json, advice_on
from romproof.text.cause import Cause

RETURNS, MANY = Property.RETURNS(), Reason.TOO_MANY_TERMS(most=9)
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "unknown.md"

WITHOUT = {
    Cause.CUT_OFF,
    Cause.UNLIMITED_CALLEE,  # the reason says itself what to add, and where
    Cause.CALLEE_MAY_NOT_END,  # such a verdict is not unknown
    Cause.NOT_EXPLORED,  # a fault in the order of calls from Python
    Cause.NO_ROOM,
    Cause.UNREACHED,
    Cause.OFF_FLOW_GRAPH,
}
"""Causes against which nothing is known to help."""


@pytest.mark.parametrize("cause", Cause)
def test_each_cause_has_advice_or_is_known_to_have_none(cause: Cause) -> None:
    classes = [each for each in CLASSES if cause in each.causes]
    assert len(classes) == (cause not in WITHOUT)
    assert advice_for(cause) == (classes[0] if classes else None)


def test_each_class_has_a_section_and_the_table_leads_there() -> None:
    page = PAGE.read_text("utf-8")
    headings = set(re.findall(r"^## (.*)$", page, re.MULTILINE))
    linked = set(re.findall(r"\]\((#[^)]*)\)", page))
    for advice in CLASSES:
        assert advice.section in headings
        assert f"#{advice.link.partition('#')[2]}" in linked
    # the rest of the loop that may not end, where the port is what it waits for
    assert headings - {advice.section for advice in CLASSES} == {"It waits for a port"}


@pytest.mark.parametrize(
    ("causes", "section"),
    [
        ((Cause.TIME, Cause.UNCUT_LOOP), "The loop is not cut"),
        ((Cause.LONG_LOOP,), "The loop is not cut"),
        ((Cause.EFFORT,), "The arithmetic is hard"),
        ((Cause.ADDRESS_ANYWHERE, Cause.WEAK_INVARIANT), "The invariant is too weak"),
        ((Cause.NOT_FILLED, Cause.WEAK_INVARIANT), "The array is not known to be filled"),
        ((Cause.NOT_FILLED, Cause.EFFORT), "The array is not known to be filled"),
        ((Cause.NO_INPUT_KNOWN, Cause.TIME), "Nothing could be executed"),
        ((Cause.END_NOT_REACHED,), "An end of the cycles is not reached"),
        ((Cause.RESTS_ON_OTHER,), "It rests on another statement"),
        ((Cause.INTERRUPT_WAIT,), "It does not return"),
        ((Cause.BANK_SWITCH,), "Another bank may be in sight"),
    ],
)
def test_the_advice_on_causes(causes: tuple[Cause, ...], section: str) -> None:
    # no words of the finding count
    finding = Finding(RETURNS, Verdict.UNKNOWN, MANY, causes=causes)
    advice = advice_on(finding)
    assert advice is not None
    assert advice.section == section
    assert advice_json(finding) == {
        "text": advice.text,
        "page": f"how-to/unknown#{section.lower().replace(' ', '-')}",
    }


def test_what_is_not_unknown_or_has_no_cause_has_none() -> None:
    assert advice_on(Finding(RETURNS, Verdict.PROVED, causes=(Cause.EFFORT,))) is None
    assert advice_on(Finding(RETURNS, Verdict.UNKNOWN, MANY)) is None
    refuted = Finding(RETURNS, Verdict.REFUTED, causes=(Cause.DECREASE_NOT_SHOWN,))
    assert advice_json(refuted) is None
