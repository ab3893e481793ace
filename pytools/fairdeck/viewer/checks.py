"""What was compared in a game, line by line, each with how it came out."""

from __future__ import annotations

from enum import StrEnum

from fairdeck.tenhou.game.compared import Compared
from fairdeck.tenhou.verify import Difference, Kind, Report, Verdict


class Mark(StrEnum):
    """How a check came out. None of it is shown by colour alone: see ``tile_art.MARKS``."""

    EQUAL = "equal"
    DIFFERS = "differs"
    UNCHECKED = "unchecked"
    NONE = "none"
    """There was nothing of the kind in the game."""


_OF_KIND = {
    Kind.HAND: "hands",
    Kind.DICE: "dice",
    Kind.DORA: "indicators",
    Kind.DRAW: "draws",
    Kind.SEED: "seed",
    Kind.NO_SEED: "seed",
    Kind.NO_RULES: "rules",
    Kind.DISCARD: "discards",
    Kind.CALL: "calls",
    Kind.RIICHI: "riichi",
    Kind.WIN: "wins",
    Kind.ROUND_END: "no_wins",
}
"""The line that a contradiction belongs to; all others belong to the rules."""
_COUNTED = (
    "hands", "dice", "indicators", "draws", "discards", "calls", "riichi", "wins", "no_wins",
)  # fmt: skip
SEEDED = frozenset({"hands", "dice", "indicators", "draws"})
"""The lines that are compared with the seed's wall."""
LINES = ("seed", *_COUNTED, "rules", "commitment")
"""The names of the lines, in their order; ``rules`` are turns, scores, rounds and players."""


def game_checks(report: Report) -> list[dict[str, object]]:
    """A line for each kind of check: ``{"name", "mark", "count"}``; ``count`` may be None.

    With a contradiction, the counts are of what was compared up to it.
    """
    difference = report.difference
    wrong = None if difference is None else _OF_KIND.get(difference.kind, "rules")
    if report.verdict is Verdict.UNVERIFIABLE:
        return [_line(name, Mark.UNCHECKED, None) for name in LINES[:-1]]
    if difference is not None and difference.round is None and wrong == "seed":
        wrong = "commitment"  # a seed that gives walls, and not the published hash
    if report.compared == Compared():
        return [_line(n, _start(n, report, wrong), None) for n in LINES[:-1]]
    lines = [_line("seed", Mark.EQUAL, None)]
    for name in _COUNTED:
        count = getattr(report.compared, name)
        mark = Mark.EQUAL if count else Mark.NONE
        lines.append(_line(name, Mark.DIFFERS if name == wrong else mark, count))
    lines.append(_line("rules", Mark.DIFFERS if wrong == "rules" else Mark.EQUAL, None))
    lines.append(_line("commitment", _commitment(report, wrong), None))
    return lines


def _start(name: str, report: Report, wrong: str | None) -> Mark:
    """Of a game in which nothing could be counted before the contradiction."""
    if name == wrong:
        return Mark.DIFFERS
    difference = report.difference
    in_a_round = difference is not None and difference.round is not None
    return Mark.EQUAL if name == "seed" and in_a_round else Mark.UNCHECKED


def _commitment(report: Report, wrong: str | None) -> Mark:
    if wrong == "commitment":
        return Mark.DIFFERS
    given = report.commitment is not None and report.commitment.published is not None
    return Mark.EQUAL if given and report.difference is None else Mark.UNCHECKED


def _line(name: str, mark: Mark, count: int | None) -> dict[str, object]:
    return {"name": name, "mark": mark.value, "count": count}


def event_mark(difference: Difference | None, checked: bool, number: int, event: int) -> Mark:
    """How an event of a round came out; ``number`` counts rounds, ``event`` elements (0: INIT)."""
    if not checked:
        return Mark.UNCHECKED
    if difference is None or difference.round is None:
        return Mark.EQUAL
    place, wrong = (number, event), (difference.round, difference.event or 0)
    if place == wrong:
        return Mark.DIFFERS
    return Mark.EQUAL if place < wrong else Mark.UNCHECKED
