"""``fairdeck tenhou verify``."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path

import click

from fairdeck.cli.choices import scheduler_option
from fairdeck.cli.tenhou_result import Object, Totals, as_object, earlier_lines, game_lines
from fairdeck.cli.text import show
from fairdeck.tenhou.batch import Checked, Earlier, Task, check_tasks
from fairdeck.tenhou.journal import Journal, open_journal
from fairdeck.tenhou.links import explain_argument
from fairdeck.tenhou.logs import LogFile, find_all
from fairdeck.tenhou.published import HASH, PublishedHashes, read_list
from romproof import progress, read_input

_SCHEMA = "fairdeck.tenhou.verify/2"
_EVERY = 10_000
"""After how many games a line says how far it is, where no terminal looks on."""
_HELP = """Check logged games against their seeds and against the rules.

LOG is a game's log (mjlog XML, plain or gzip), a folder of such files, a zip archive of them, or -
for standard input; there may be several. Nothing is loaded from the net: for a link, a file of
links, or JSON of tenhou.net/6, the message says where a browser gets the log.

Every dealt hand, every die, every dora indicator and every drawn tile of every round is compared
with the wall of the seed. The rest has to obey the rules: turns and calls, that a
player holds every tile that is discarded, called or won with, yaku and points of wins, scores,
counters and sticks from round to round, the end of the game. The first contradiction is
shown, with its round and event. A log without the end of the game or of a round is called
incomplete.

With --commitment, the hash that was published before the game is compared as well: it fixes the
seed and the order of seats. All orders are tried; if the players sit in another order than the one
that fits, that is a mismatch. If the names do not determine their order, the seats are not
checked, and the reason is shown.

Many logs are checked on all cores, or by a cluster, and reported as they finish: with --json-lines,
one object per line. --resume FILE keeps each result in FILE; if the same command runs again, the
results in it are counted and not checked again, unless the log, its hash or fairdeck has changed.
Only a few logs are in memory at a time.

The facts that no log can show are listed under not_checked in JSON, and in docs/verifying.md.

\b
Exit codes: 0 if all games are verified, 1 if a game contradicts its seed, the rules or itself (or
the hash does not fit), 2 if no game does, but some cannot be checked: no seed, or one of an unknown
form or from before July 2009. A file that is not a log counts as not checkable.

\b
Examples:
  fairdeck tenhou verify game.mjlog
  fairdeck tenhou verify game.xml.gz --commitment 9d268e01...
  fairdeck tenhou verify logs/ 2016.zip --json
  fairdeck tenhou verify logs/ --commitments hashes.txt
  fairdeck tenhou verify logs/ --jobs 8 --json-lines --resume done.jsonl > results.jsonl
  fairdeck tenhou verify /net/logs --scheduler tcp://10.0.0.5:8786

\b
A list of hashes (--commitments) has a line for each game: its id, a link to it or its log's name,
and its hash; or it is a JSON object of them. A log is found in it by the id in its own name.

\b
JSON (--json): {"schema", "games": [...]}, or for a single log its object with "schema"; with
--json-lines the object of each game on a line, and the sums for people on standard error:
  log              the file
  verdict          "verified", "mismatch" or "unverifiable"
  rounds           the number of rounds in the log
  first_bad_round  from 0, or null
  event            which element of that round is wrong, its INIT being 0, or null
  kind             of the contradiction, or null: "hand", "dice", "dora", "draw", "seed", "no seed",
                   "seats", "no rules", "element", "turn", "discard", "call", "riichi", "win",
                   "round end", "score", "round", "game end", "player"
  message          the first contradiction in words, or null
  compared         {"rounds", "hands", "dice", "indicators", "draws", "discards", "calls",
                   "riichi", "wins", "no_wins"}: the numbers of comparisons without a contradiction
  complete         whether the log has the whole game, to its final scores, and all was checked
  left_out         the parts that it lacks, in words
  not_checked      the parts that were not checked, or cannot be, in words
  unchecked        parts of the log that were not checked: "points of wins", "scores at the start",
                   "end of the game", "final points", "chips", "seats"
  commitment       {"seats", "hash", "published", "match", "as_named", "seats_checked",
                   "seats_unchecked"} or null; the last is the reason: "no names", "equal names",
                   "sorting", "first dealer", or null
"""


def _commitment(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> str | None:
    if text is not None and not HASH.fullmatch(text.strip()):
        raise click.BadParameter("a commitment has 128 hexadecimal digits (SHA-512)")
    return text


@click.command("verify", help=_HELP)
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option(
    "--commitment", callback=_commitment, metavar="HEX", help="The hash published before the game."
)
@click.option("--commitments", metavar="FILE", help="A list of the hashes of games by their ids.")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Number of processes; default: one per core.",
)
@scheduler_option
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep results in FILE, and use the results in it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--json-lines", is_flag=True, help="Print the JSON of each game on one line.")
@click.pass_context
def verify_command(
    context: click.Context,
    logs: tuple[str, ...],
    commitment: str | None,
    commitments: str | None,
    jobs: int | None,
    scheduler: str | None,
    resume: Path | None,
    as_json: bool,
    json_lines: bool,
) -> None:
    """Verify logs; see the help text above."""
    if as_json and json_lines:
        raise click.UsageError("give --json or --json-lines, not both")
    if commitment is not None and commitments is not None:
        raise click.UsageError("give --commitment or --commitments, not both")
    hashes = None if commitments is None else _read_hashes(commitments)
    found = _find_logs(logs, tuple(Path(one) for one in (resume, commitments) if one is not None))
    first = list(islice(found, 2))
    alone = len(first) == 1
    if as_json:
        output: _Output = _Json(alone and len(logs) == 1 and not os.path.isdir(logs[0]))
    else:
        output = _JsonLines() if json_lines else _Text(alone)
    totals = Totals()
    try:
        with ExitStack() as stack:
            journal = None if resume is None else stack.enter_context(open_journal(resume))
            tick = stack.enter_context(progress("verifying", None, _EVERY))
            tasks = (
                _task(log, commitment if hashes is None else hashes.find(log), journal)
                for log in chain(first, found)
            )
            for one in check_tasks(tasks, jobs, scheduler):
                result = as_object(one) if isinstance(one, Checked) else one.result
                if journal is not None and isinstance(one, Checked):
                    journal.add(one.log, one.published, result)
                totals.add(result, isinstance(one, Earlier))
                output.add(one, result)
                tick()
    except KeyboardInterrupt:
        click.echo("\n".join(totals.lines()), err=True)
        raise
    output.end(totals)
    if hashes is not None:
        click.echo(_compare_counts(hashes, totals), err=as_json or json_lines)
    context.exit(totals.exit_code)


def _read_hashes(file: str) -> PublishedHashes:
    try:
        return read_list(read_input(file).decode("utf-8-sig", "replace"), file)
    except OSError as fault:
        raise click.BadParameter(f"{file}: {fault.strerror or fault}") from None


def _find_logs(arguments: tuple[str, ...], ours: tuple[Path, ...]) -> Iterator[LogFile]:
    """What arguments mean, without the command's own files where these lie among the logs."""
    for text in arguments if len(arguments) == 1 else ():
        if text != "-" and not os.path.exists(text) and explain_argument(text) is None:
            raise click.BadParameter(f"'{text}' does not exist.")
    names = {path.name for path in ours}
    for log in find_all(arguments):
        file = log.file
        if file is None or file.name not in names or not any(map(file.samefile, ours)):
            yield log


def _task(log: LogFile, published: str | None, journal: Journal | None) -> Task | Earlier:
    result = None if journal is None else journal.find(log, published)
    return Task(log, published) if result is None else Earlier(result)


class _Output(ABC):
    """How results are told: each as it comes, and at the end."""

    @abstractmethod
    def add(self, one: Checked | Earlier, result: Object) -> None:
        """Tell a result."""

    @abstractmethod
    def end(self, totals: Totals) -> None:
        """Tell what all of them were."""


class _Text(_Output):
    """Text, in which games among others are told if something is to be told of them."""

    def __init__(self, alone: bool) -> None:
        self._alone = alone

    def add(self, one: Checked | Earlier, result: Object) -> None:
        alone = self._alone
        lines = game_lines(one, alone) if isinstance(one, Checked) else earlier_lines(result, alone)
        if lines:
            show("\n".join(lines))

    def end(self, totals: Totals) -> None:
        if not self._alone:
            show("\n".join(totals.lines()))


class _JsonLines(_Output):
    """An object a line."""

    def add(self, one: Checked | Earlier, result: Object) -> None:
        click.echo(json.dumps({"schema": _SCHEMA} | result, ensure_ascii=False))

    def end(self, totals: Totals) -> None:
        click.echo("\n".join(totals.lines()), err=True)


class _Json(_Output):
    """One object: of a ``single`` log, or with all of them, which are not held until the end."""

    def __init__(self, single: bool) -> None:
        self._single = single
        self._before = f'{{"schema": "{_SCHEMA}", "games": ['

    def add(self, one: Checked | Earlier, result: Object) -> None:
        if self._single:
            click.echo(json.dumps({"schema": _SCHEMA} | result, ensure_ascii=False))
        else:
            click.echo(self._before + json.dumps(result, ensure_ascii=False), nl=False)
            self._before = ", "

    def end(self, totals: Totals) -> None:
        if not self._single:
            click.echo(("" if totals.games else self._before) + "]}")


def _compare_counts(hashes: PublishedHashes, totals: Totals) -> str:
    """How many published hashes were compared, and which are of no game, or missing."""
    rest = len(hashes.by_name) - len(hashes.used)
    return (
        f"published hashes: {totals.hashes:,} compared, {totals.games - totals.hashes:,} games "
        f"without one, {rest:,} of no log here"
    )
