"""``fairdeck tenhou verify``."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from fairdeck.cli.text import show
from fairdeck.tenhou.batch import Checked, check_logs
from fairdeck.tenhou.commitment import SeatsFit
from fairdeck.tenhou.game.compared import Compared
from fairdeck.tenhou.logs import find_logs
from fairdeck.tenhou.verify import SEATS_WHY, Committed, Report, Verdict
from romproof import progress

_COLOURS = {Verdict.VERIFIED: "green", Verdict.MISMATCH: "red", Verdict.UNVERIFIABLE: "yellow"}
_SCHEMA = "fairdeck.tenhou.verify/2"
_HELP = """Check that logged games are what their seeds say, and games by the rules.

LOG is a game's log (mjlog XML, plain or gzip), a folder of such files, or a zip archive of them.
Every dealt hand, every die, every dora indicator and every drawn tile of every round is compared
with the wall that the seed gives. The rest has to follow: turns and calls, that every tile is
held that is discarded, called or won with, yaku and points of wins, scores, counters and sticks
from round to round, the end of the game. The first contradiction is shown, with its round and
event. A log that leaves something out (the game's end, a round's) is called incomplete.

With --commitment, the hash that was published before the game is compared as well: it fixes the
seed and the order of seats. All orders are tried; players who sit otherwise than the one that fits
says are a mismatch. Where their names do not tell their order beyond doubt, the seats are not
checked, and why is told.

What no log can show is listed under not_checked in JSON, and in docs/verifying.md.

\b
Exit codes: 0 all games are verified, 1 a game contradicts its seed, the rules or itself (or the
hash does not fit), 2 no game does, but some cannot be checked: no seed, or one of an unknown form
or from before July 2009. A file that is no log counts as not checkable.

\b
Examples:
  fairdeck tenhou verify game.mjlog
  fairdeck tenhou verify game.xml.gz --commitment 9d268e01...
  fairdeck tenhou verify logs/ --json

\b
JSON (--json): {"schema", "games": [...]}, or for a single log its object with "schema":
  log              the file
  verdict          "verified", "mismatch" or "unverifiable"
  rounds           how many the log has
  first_bad_round  from 0, or null
  event            which element of that round is wrong, its INIT being 0, or null
  kind             what contradicts, or null: "hand", "dice", "dora", "draw", "seed", "no seed",
                   "seats", "no rules", "element", "turn", "discard", "call", "riichi", "win",
                   "round end", "score", "round", "game end", "player"
  message          the first contradiction in words, or null
  compared         {"rounds", "hands", "dice", "indicators", "draws", "discards", "calls",
                   "riichi", "wins", "no_wins"}: how many were, without a contradiction
  complete         whether the log has the whole game, to its final scores, and all was checked
  left_out         what it leaves out, in words
  not_checked      what was not checked, or cannot be, in words
  unchecked        what the log shows and was not checked: "points of wins", "scores at the start",
                   "end of the game", "final points", "chips", "seats"
  commitment       {"seats", "hash", "published", "match", "as_named", "seats_checked",
                   "seats_unchecked"} or null; the last is why: "no names", "equal names",
                   "sorting", "first dealer", or null
"""


_WHOLE = "every hand, die, dora indicator and draw is as the seed says, the rest by the rules"
_OWN = "hands, dice, indicators, draws are as the seed says, the rest by the rules that are known"
_PART = "what the log has is as the seed and the rules say; it does not have the whole game"


def _commitment(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> str | None:
    if text is not None and not re.fullmatch(r"\s*[0-9A-Fa-f]{128}\s*", text):
        raise click.BadParameter("a commitment has 128 hexadecimal digits (SHA-512)")
    return text


@click.command("verify", help=_HELP)
@click.argument("log", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--commitment", callback=_commitment, metavar="HEX", help="The hash published before the game."
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.pass_context
def verify_command(
    context: click.Context, log: Path, commitment: str | None, as_json: bool
) -> None:
    """Verify logs; see the help text above."""
    logs = list(find_logs(log))
    checked: list[Checked] = []
    with progress("verifying", len(logs)) as tick:
        for one in check_logs(logs, commitment):
            checked.append(one)
            tick()
    if as_json:
        games = [_as_object(one) for one in checked]
        single = len(games) == 1 and not log.is_dir()
        answer = games[0] if single else {"games": games}
        click.echo(json.dumps({"schema": _SCHEMA} | answer, ensure_ascii=False))
    else:
        show("\n".join(_lines(checked)))
    context.exit(exit_code(checked))


def verdict(one: Checked) -> Verdict:
    """How a log stands; one that cannot be read cannot be verified."""
    return one.report.verdict if one.report is not None else Verdict.UNVERIFIABLE


def exit_code(checked: Iterable[Checked]) -> int:
    """1 if any game differs, else 2 if any cannot be checked, else 0."""
    verdicts = {verdict(one) for one in checked}
    for worst in (Verdict.MISMATCH, Verdict.UNVERIFIABLE):
        if worst in verdicts:
            return worst.exit_code
    return 0


def _as_object(one: Checked) -> dict[str, object]:
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


def _commitment_object(committed: Committed | None) -> dict[str, object] | None:
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


def _lines(checked: list[Checked]) -> list[str]:
    lines = []
    alone = len(checked) == 1
    for one in checked:
        lines += _game(one, alone)
    if not alone:
        counts = Counter(verdict(one) for one in checked)
        parts = ", ".join(f"{counts[v]:,} {v.value}" for v in Verdict if counts[v])
        lines.append(f"{len(checked):,} games: {parts}")
        reports = [one.report for one in checked if one.report is not None]
        lines.append(f"  compared: {_compared([report.compared for report in reports])}")
        complete = sum(report.complete for report in reports)
        lines.append(f"  {complete:,} of {counts[Verdict.VERIFIED]:,} verified games are complete")
    return lines


def _game(one: Checked, alone: bool) -> list[str]:
    word, report = verdict(one), one.report
    plain = report is not None and report.complete and not report.unchecked
    if word is Verdict.VERIFIED and not alone and plain:
        return []
    rounds = f" {_count(report.rounds, 'round')}" if report else ""
    if report is not None and word is Verdict.VERIFIED and report.unchecked:
        rounds += f", not checked: {', '.join(one.value for one in report.unchecked)}"
    lines = [f"{one.log}: {click.style(word.value, fg=_COLOURS[word], bold=True)}{rounds}"]
    if report is None:
        return [*lines, f"  {one.fault}"]
    if report.difference is not None:
        lines.append(f"  {report.difference.sentence}")
    lines += _left_out([str(sentence) for sentence in report.left_out], alone)
    if alone and word is not Verdict.UNVERIFIABLE:
        lines += _details(report)
    committed = report.commitment
    if committed is not None and (alone or committed.published is not None):
        lines += _commitment_lines(committed)
    return lines


def _left_out(sentences: Sequence[str], alone: bool) -> list[str]:
    """All of a single game, the first of one among many."""
    shown = list(sentences if alone else sentences[:1])
    if len(shown) < len(sentences):
        shown[-1] += f" (and {len(sentences) - len(shown)} more)"
    return [f"  left out: {sentence}" for sentence in shown]


def _details(report: Report) -> list[str]:
    """What was compared in a single game, and what was not."""
    complete = "yes" if report.complete else "no"
    lines = [f"  compared: {_compared([report.compared])}; game complete: {complete}"]
    if report.difference is None:
        whole = _WHOLE if report.complete else _PART if report.left_out else _OWN
        lines.append(f"  {whole}")
        lines += [f"  not checked: {sentence}" for sentence in report.not_checked]
    return lines


def _compared(each: list[Compared]) -> str:
    """``8 rounds, 412 draws, 409 discards, 3 calls, 7 wins``."""
    parts = ("rounds", "draws", "discards", "calls", "wins")
    totals = {part: sum(getattr(one, part) for one in each) for part in parts}
    return ", ".join(_count(total, part.removesuffix("s")) for part, total in totals.items())


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
    return [f"  the published hash is that of this seed and the seats {committed.seats}, {how}"]
