"""Copies of whole games that are wrong by how they were forged: none is verified and complete."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from certain_forgeries import FORGERS, Copy, Must, copies
from slow import slow_but

from fairdeck.tenhou.mjlog import BadLog, read_log
from fairdeck.tenhou.verify import Report, Verdict, verify
from fairdeck.viewer.checks import Mark, game_checks

GAMES: dict[str, str] = {
    log["name"]: log["xml"]
    for log in json.loads(
        (Path(__file__).parents[1] / "vectors" / "tenhou_games.json").read_text("utf-8")
    )["logs"]
}
BEFORE = "seed"
"""The line of a page without a count that may be equal though the game is contradicted: walls."""


def _told(copy: Copy) -> Report | None:
    """What is said of a copy; None: it is no log."""
    try:
        return verify(read_log(copy.data), copy.published)
    except BadLog:
        return None


def _passes(copy: Copy, report: Report) -> bool:
    if report.verdict is not Verdict.VERIFIED:
        return False
    return report.complete or copy.must is Must.MISMATCH


def _without_ground(report: Report) -> Iterator[str]:
    """Lines of a page that are called equal, though a contradiction is in the way."""
    for line in game_checks(report):
        if line["mark"] == Mark.EQUAL and line["count"] is None and line["name"] != BEFORE:
            yield str(line["name"])


@pytest.mark.parametrize(
    ("name", "seed"),
    slow_but([("east", 0), ("three", 1)], [(name, seed) for name in GAMES for seed in range(12)]),
)
def test_no_forged_copy_passes(name: str, seed: int) -> None:
    tried: Counter[str] = Counter()
    for copy in copies(GAMES[name], seed):
        tried[copy.how] += 1
        report = _told(copy)
        if report is None:
            continue
        assert not _passes(copy, report), f"{copy.how}: {report}"
        if report.difference is not None and copy.published is None:  # of the game, not the hash
            assert list(_without_ground(report)) == [], f"{copy.how}: {report.difference}"
    assert sum(tried.values()) > 30
    assert len(tried) >= len(FORGERS)
