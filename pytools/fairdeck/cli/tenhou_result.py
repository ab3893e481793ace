"""What ``fairdeck tenhou verify`` tells of games: as JSON objects, and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import click

from fairdeck.tenhou.batch import Checked
from fairdeck.tenhou.commitment import SeatsFit
from fairdeck.tenhou.game.compared import Compared
from fairdeck.tenhou.verify import SEATS_WHY, Committed, Report, Verdict

_COLOURS = {Verdict.VERIFIED: "green", Verdict.MISMATCH: "red", Verdict.UNVERIFIABLE: "yellow"}
_WHOLE = (
    "every hand, die, dora indicator and draw agrees with the seed, and the rest with the rules"
)
_OWN = "hands, dice, indicators and draws agree with the seed, and the rest with the known rules"
_PART = (
    "the content of the log agrees with the seed and the rules, but the log does not have "
    "the whole game"
)

Object = dict[str, Any]


@dataclass(slots=True)
class Totals:
    """How many games of each verdict there are, how many are whole, and what was compared."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    complete: int = 0
    earlier: int = 0
    hashes: int = 0
    compared: Compared = field(default_factory=Compared)

    @property
    def games(self) -> int:
        """All of them."""
        return self.verdicts.total()

    def add(self, result: Object, earlier: bool = False) -> None:
        """Count a game's result, which may be of an earlier run."""
        self.verdicts[Verdict(result["verdict"])] += 1
        self.complete += result["complete"]
        self.earlier += earlier
        committed = result["commitment"]
        self.hashes += committed is not None and committed["published"] is not None
        for one in fields(Compared):
            more = result["compared"][one.name]
            setattr(self.compared, one.name, getattr(self.compared, one.name) + more)

    @property
    def exit_code(self) -> int:
        """1 if any game differs, else 2 if any cannot be checked, else 0."""
        for worst in (Verdict.MISMATCH, Verdict.UNVERIFIABLE):
            if self.verdicts[worst]:
                return worst.exit_code
        return 0

    def lines(self) -> Iterator[str]:
        """For people."""
        parts = (f"{self.verdicts[v]:,} {v.value}" for v in Verdict if self.verdicts[v])
        yield f"{_count(self.games, 'game')}: {', '.join(parts)}"
        yield f"  compared: {_count_comparisons(self.compared)}"
        verified = self.verdicts[Verdict.VERIFIED]
        yield f"  {self.complete:,} of {verified:,} verified games are complete"
        if self.earlier:
            yield f"  {_count(self.earlier, 'result')} of earlier runs counted, not checked again"


def verdict(one: Checked) -> Verdict:
    """How a log stands; one that cannot be read cannot be verified."""
    return one.report.verdict if one.report is not None else Verdict.UNVERIFIABLE


def as_object(one: Checked) -> Object:
    """A game's result for JSON; the command's help says what its keys are."""
    report = one.report
    difference = report.difference if report else None
    compared = report.compared if report else Compared()
    return {
        "log": str(one.log),
        "verdict": verdict(one).value,
        "rounds": report.rounds if report else 0,
        "first_bad_round": difference.round if difference else None,
        "event": difference.event if difference else None,
        "kind": difference.kind.value if difference else None,
        "message": str(difference.sentence) if difference else one.fault,
        "compared": compared.as_object(),
        "complete": report.complete if report else False,
        "left_out": list(map(str, report.left_out)) if report else [],
        "not_checked": report.not_checked if report else [],
        "unchecked": [one.value for one in report.unchecked] if report else [],
        "commitment": _commitment_object(report.commitment) if report else None,
    }


def _commitment_object(committed: Committed | None) -> Object | None:
    if committed is None:
        return None
    match = committed.match
    return {
        "seats": committed.seats,
        "hash": committed.hash,
        "published": committed.published,
        "match": None if committed.published is None else match is not None,
        "as_named": match.as_named if match else None,
        "seats_checked": None if committed.fit is None else committed.fit is not SeatsFit.UNCHECKED,
        "seats_unchecked": None if committed.unchecked is None else committed.unchecked.value,
    }


def earlier_lines(result: Object, alone: bool) -> list[str]:
    """A game's result of an earlier run as text, without the details."""
    word = Verdict(result["verdict"])
    plain = result["complete"] and not result["unchecked"]
    if word is Verdict.VERIFIED and not alone and plain:
        return []
    rounds = f" {_count(result['rounds'], 'round')}" if result["rounds"] else ""
    if word is Verdict.VERIFIED and result["unchecked"]:
        rounds += f", not checked: {', '.join(result['unchecked'])}"
    lines = [f"{result['log']}: {_style_verdict(word)}{rounds} (of an earlier run)"]
    if result["message"] is not None:
        lines.append(f"  {result['message']}")
    return lines + _write_omissions(result["left_out"], alone)


def game_lines(one: Checked, alone: bool) -> list[str]:
    """A game's result as text; of one among many that is in order, nothing."""
    word, report = verdict(one), one.report
    plain = report is not None and report.complete and not report.unchecked
    if word is Verdict.VERIFIED and not alone and plain:
        return []
    rounds = f" {_count(report.rounds, 'round')}" if report else ""
    if report is not None and word is Verdict.VERIFIED and report.unchecked:
        rounds += f", not checked: {', '.join(one.value for one in report.unchecked)}"
    lines = [f"{one.log}: {_style_verdict(word)}{rounds}"]
    if report is None:
        return [*lines, f"  {one.fault}"]
    if report.difference is not None:
        lines.append(f"  {report.difference.sentence}")
    lines += _write_omissions([str(sentence) for sentence in report.left_out], alone)
    if alone and word is not Verdict.UNVERIFIABLE:
        lines += _details(report)
    committed = report.commitment
    if committed is not None and (alone or committed.published is not None):
        lines += _commitment_lines(committed)
    return lines


def _style_verdict(word: Verdict) -> str:
    return click.style(word.value, fg=_COLOURS[word], bold=True)


def _write_omissions(sentences: Sequence[str], alone: bool) -> list[str]:
    """All of a single game, the first of one among many."""
    shown = list(sentences if alone else sentences[:1])
    if len(shown) < len(sentences):
        shown[-1] += f" (and {len(sentences) - len(shown)} more)"
    return [f"  left out: {sentence}" for sentence in shown]


def _details(report: Report) -> list[str]:
    """What was compared in a single game, and what was not."""
    complete = "yes" if report.complete else "no"
    lines = [f"  compared: {_count_comparisons(report.compared)}; game complete: {complete}"]
    if report.difference is None:
        whole = _WHOLE if report.complete else _PART if report.left_out else _OWN
        lines.append(f"  {whole}")
        lines += [f"  not checked: {sentence}" for sentence in report.not_checked]
    return lines


def _count_comparisons(all_of_it: Compared) -> str:
    """``8 rounds, 412 draws, 409 discards, 3 calls, 7 wins``."""
    parts = ("rounds", "draws", "discards", "calls", "wins")
    return ", ".join(_count(getattr(all_of_it, part), part.removesuffix("s")) for part in parts)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _commitment_lines(committed: Committed) -> list[str]:
    why = None if committed.unchecked is None else SEATS_WHY[committed.unchecked]
    if committed.published is None:
        doubt = "" if why is None else f" (by code points: {why})"
        return [f"  commitment for seats {committed.seats}{doubt}: {committed.hash}"]
    if committed.match is None:
        return ["  the published hash fits this seed with no order of seats"]
    how = {
        SeatsFit.AS_NAMED: "which the names give",
        SeatsFit.OTHER: "which the names do not give",
    }.get(committed.fit or SeatsFit.UNCHECKED, f"which are not checked, because {why}")
    return [f"  the published hash matches this seed and the seats {committed.seats}, {how}"]
