"""What was compared in a game, line by line, each with how it came out."""

from __future__ import annotations

from enum import StrEnum

from fairdeck.tenhou.commitment import SeatsFit
from fairdeck.tenhou.game.compared import Compared
from fairdeck.tenhou.verify import Difference, Kind, Report, Unchecked, Verdict


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
    Kind.SEATS: "seats",
    Kind.NO_SEED: "seed",
    Kind.NO_RULES: "rules",
    Kind.DISCARD: "discards",
    Kind.CALL: "calls",
    Kind.RIICHI: "riichi",
    Kind.WIN: "wins",
    Kind.ROUND_END: "no_wins",
    Kind.GAME_END: "end",
}
"""The line that a contradiction belongs to; all others belong to the rules."""
_COUNTED = (
    "hands", "dice", "indicators", "draws", "discards", "calls", "riichi", "wins", "no_wins",
)  # fmt: skip
SEEDED = frozenset({"hands", "dice", "indicators", "draws"})
"""The lines that are compared with the seed's wall."""
LINES = ("seed", *_COUNTED, "points", "rules", "end", "seats", "commitment")
"""The names of the lines, in their order: ``points`` are what wins are worth, ``rules`` turns,
scores, rounds and players, ``end`` when the game ends and what is given for it, ``seats`` the
order of the players in a published hash."""
_GAME = LINES[:-2]
"""Those that are of the game itself."""


def game_checks(report: Report) -> list[dict[str, object]]:
    """A line for each kind of check: ``{"name", "mark", "count"}``; ``count`` may be None.

    With a contradiction, the counts are of what was compared up to it.
    """
    difference = report.difference
    wrong = None if difference is None else _OF_KIND.get(difference.kind, "rules")
    if report.verdict is Verdict.UNVERIFIABLE:
        return [_line(name, Mark.UNCHECKED, None) for name in _GAME]
    if difference is not None and difference.round is None and wrong == "seed":
        wrong = "commitment"  # a seed that gives walls, and not the published hash
    if report.compared == Compared():
        return [_line(n, _start(n, report, wrong), None) for n in _GAME]
    lines = [_line("seed", Mark.EQUAL, None)]
    for name in _COUNTED:
        count = getattr(report.compared, name)
        mark = Mark.EQUAL if count else Mark.NONE
        lines.append(_line(name, Mark.DIFFERS if name == wrong else mark, count))
    lines.append(_line("points", _points(report), None))
    lines += [_line(name, _to_the_end(name, report, wrong), None) for name in ("rules", "end")]
    lines.append(_line("seats", _seats(report), None))
    lines.append(_line("commitment", _commitment(report, wrong), None))
    return lines


def _in_the_game(report: Report) -> bool:
    """Whether the game itself was contradicted, so that it was not followed to its end."""
    difference = report.difference
    return difference is not None and (
        difference.round is not None or difference.kind not in (Kind.SEED, Kind.SEATS)
    )


def _points(report: Report) -> Mark:
    """Of wins: equal only where no contradiction is in the way, as the line has no count."""
    if _in_the_game(report) or Unchecked.WORTH in report.unchecked:
        return Mark.UNCHECKED
    return Mark.EQUAL if report.compared.wins else Mark.NONE


def _to_the_end(name: str, report: Report, wrong: str | None) -> Mark:
    """Of what is compared up to the last element: equal only where nothing was in the way."""
    if name == wrong:
        return Mark.DIFFERS
    open_end = name == "end" and not report.complete
    return Mark.UNCHECKED if open_end or _in_the_game(report) else Mark.EQUAL


def _seats(report: Report) -> Mark:
    """Of the players in a published hash, after a game that holds."""
    fit = None if report.commitment is None else report.commitment.fit
    if report.difference is not None and report.difference.kind is not Kind.SEATS:
        return Mark.UNCHECKED
    if fit is SeatsFit.OTHER:
        return Mark.DIFFERS
    return Mark.EQUAL if fit is SeatsFit.AS_NAMED else Mark.UNCHECKED


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
    fits = report.commitment is not None and report.commitment.match is not None
    return Mark.EQUAL if fits and not _in_the_game(report) else Mark.UNCHECKED


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
