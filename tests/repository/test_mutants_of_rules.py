"""The tool that changes one condition of a rule: which changes there are, and what they make."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = '''\
def rule(a, b, t):
    """Words – with a dash: columns are counted in bytes."""
    if a < 3 and not b:
        return t.and_(a, t.ult(a, b))
    return [x for x in a if x]
'''
CHANGES = {
    "a < 3 and not b -> True",
    "a < 3 and not b -> False",
    "a < 3 and not b -> ((a < 3))",
    "a < 3 and not b -> ((not b))",
    "a < 3 -> (a <= 3)",
    "t.and_(a, t.ult(a, b)) -> a",
    "t.and_(a, t.ult(a, b)) -> t.ult(a, b)",
    "t.ult(a, b) -> t.not_(t.ult(b, a))",
    "x -> True",
    "x -> False",
}


@pytest.fixture
def mutants(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    monkeypatch.delitem(sys.modules, "mutants", raising=False)
    return __import__("mutants")


def test_each_condition_is_changed(mutants) -> None:  # type: ignore[no-untyped-def]
    found = list(mutants.mutants_of("rule.py", SOURCE))
    assert {each.shown(SOURCE) for each in found} == CHANGES
    for each in found:
        changed = each.apply(SOURCE)
        assert changed != SOURCE
        ast.parse(changed)


def test_all_rules_can_be_changed(mutants) -> None:  # type: ignore[no-untyped-def]
    found = mutants.every(["timing"])
    assert len(found) > 500
    for each in found[::50]:
        ast.parse(each.apply((ROOT / each.file).read_text("utf-8")))
