"""What was pasted, and what the page shows of it: one JSON object for a game.

Whatever is pasted, reading ends with a document or with BadInput; limits are those of the readers
it is handed to (fairdeck.tenhou.mjlog) and MAX_ROUNDS here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from fairdeck.mjarcade.layout import as_object, laid_out
from fairdeck.mjarcade.seed import LENGTH
from fairdeck.mjarcade.wall import deal, tile_of
from fairdeck.tenhou.game.compared import Compared
from fairdeck.tenhou.game.events import GameLog
from fairdeck.tenhou.links import explain_contents
from fairdeck.tenhou.logs import unpack_gzip
from fairdeck.tenhou.mjlog import MAX_BYTES, read_log
from fairdeck.tenhou.seed import Seed, SeedError, parse_seed
from fairdeck.tenhou.table import TABLES
from fairdeck.tenhou.verify import NOT_SHOWN, OWN_RULES, SEATS_WHY, Report, Verdict, verify
from fairdeck.tenhou.wall import rounds
from fairdeck.viewer.checks import game_checks
from fairdeck.viewer.rounds import round_from_log, round_from_seed
from fairdeck.viewer.strings import translations
from romproof import BadInput

SCHEMA = "fairdeck.viewer/2"
MAX_ROUNDS = 64
"""Rounds that are shown; long games have some 25."""
MAX_INPUT = MAX_BYTES
"""Bytes that may be pasted or dropped."""
_LONGEST_NAME = 60
_TENHOU = "mt19937ar"
_MAX_SEEDS = 4 * (LENGTH + 1) + 200
_COUNT = re.compile("[0-9]{1,10}")


class BadDocument(BadInput):
    """What was pasted is none of what the page can show; the text says what it can."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked besides the pasted text.

    ``players`` and ``rounds`` are for a Tenhou seed, ``uncertain`` for MJ Arcade's seeds (a number
    behind the seeds stands for it too), ``commitment`` is the hash published before a logged game.
    """

    players: int = 4
    rounds: int = 8
    uncertain: int | None = None
    commitment: str | None = None


Document = dict[str, object]


def read_document(data: bytes, wanted: Wanted) -> Document:
    """A log, plain or gzip, a Tenhou seed, or the seeds of MJ Arcade. Raises BadInput."""
    if len(data) > MAX_INPUT:
        raise BadDocument(f"this is more than {MAX_INPUT >> 20} MiB")
    text = unpack_gzip(data)
    if text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return log_document(read_log(text), wanted)
    words = text[:_MAX_SEEDS].decode("utf-8", "replace").split()
    if text.lstrip()[: len(_TENHOU)] == _TENHOU.encode():
        return seed_document(text.decode("utf-8", "replace"), wanted)
    if len(text) <= _MAX_SEEDS and any(len(word) == LENGTH for word in words):
        return arcade_document(words, wanted)
    how = explain_contents(text)
    if how is not None:
        raise BadDocument(how)
    raise BadDocument(
        "this is neither a log of a game (XML, plain or gzip), nor a Tenhou seed (which begins "
        "with mt19937ar-), nor three or four seeds of MJ Arcade ({LENGTH} characters each)"
    )


def seed_document(text: str, wanted: Wanted) -> Document:
    """The rounds that a Tenhou seed gives. Raises SeedError."""
    seed = parse_seed(text)
    if wanted.players not in TABLES:
        raise BadDocument("a game has four players, or three")
    count = max(1, min(wanted.rounds, MAX_ROUNDS))
    made = islice(rounds(seed, TABLES[wanted.players]), count)
    return _document(
        kind="tenhou-seed",
        players=wanted.players,
        seed="".join(text.split()),
        rounds=[round_from_seed(number, one) for number, one in enumerate(made)],
    )


def log_document(game: GameLog, wanted: Wanted) -> Document:
    """A logged game with the verdict on it, and on each of its events."""
    commitment = (wanted.commitment or "").strip() or None
    if commitment is not None and not re.fullmatch("[0-9A-Fa-f]{128}", commitment):
        raise BadDocument("a commitment has 128 hexadecimal digits (SHA-512)")
    report = verify(game, commitment)
    players = game.players
    seed = _seed(game)
    made = [] if seed is None else list(islice(rounds(seed, TABLES[players]), _game_section(game)))
    checked = report.verdict is not Verdict.UNVERIFIABLE and not _is_early_failure(report)
    return _document(
        kind="tenhou-log",
        players=players,
        reds=game.rules is None or game.rules.red_fives,
        names=[name[:_LONGEST_NAME] for name in game.names],
        seed="".join(game.seed.split()) if game.seed and seed is not None else None,
        report=report,
        rounds=[
            round_from_log(n, log, made[n] if made else None, report.difference, checked)
            for n, log in enumerate(game.rounds[:MAX_ROUNDS])
        ],
        rounds_in_all=len(game.rounds),
    )


def arcade_document(words: list[str], wanted: Wanted) -> Document:
    """The wall of MJ Arcade's seeds; a number behind them is the uncertain element.

    Raises SeedError, BadDocument.
    """
    uncertain = wanted.uncertain
    if words and len(words) in (4, 5) and _COUNT.fullmatch(words[-1]):
        uncertain = int(words.pop())
    if uncertain is None:
        raise BadDocument("MJ Arcade's wall needs the uncertain element: a number from 0")
    if not 0 <= uncertain < 10**10:
        raise BadDocument("the uncertain element is a number from 0, of ten digits at most")
    dealt = deal(words, uncertain)
    players = len(words)
    three = ("three",) if players == 3 else ()
    return _document(
        kind="mjarcade",
        players=players,
        reds=False,
        seeds=words,
        uncertain=uncertain,
        assumptions=[*three, "tiles", "places", "opening"],
        rounds=[
            {
                "number": 0,
                "dice": list(dealt.dice),
                "numbers": list(dealt.wall),
                "wall": [tile_of(number, players) for number in dealt.wall],
                "table": as_object(laid_out([tile_of(n, players) for n in dealt.wall], dealt.dice)),
                "mark": "none",
                "events": [],
            }
        ],
    )


def _is_early_failure(report: Report) -> bool:
    """Whether there was a contradiction before the first round, so that nothing was compared."""
    difference = report.difference
    return difference is not None and difference.round is None and report.compared == Compared()


def _game_section(game: GameLog) -> int:
    return min(len(game.rounds), MAX_ROUNDS)


def _seed(game: GameLog) -> Seed | None:
    try:
        return None if game.seed is None or game.rules is None else parse_seed(game.seed)
    except SeedError:
        return None  # the report says so


def _document(*, kind: str, players: int, report: Report | None = None, **more: object) -> Document:
    base: Document = {
        "schema": SCHEMA,
        "kind": kind,
        "players": players,
        "reds": True,
        "names": [],
        "verdict": "made",
        "difference": None,
        "checks": [],
        "commitment": None,
        "complete": False,
        "left_out": [],
        "not_checked": [],
        "unchecked": [],
        "assumptions": [],
    }
    return base | ({} if report is None else _report_section(report)) | more


def _report_section(report: Report) -> Document:
    difference, committed = report.difference, report.commitment
    notes = (*NOT_SHOWN, OWN_RULES)
    return {
        "verdict": report.verdict.value,
        "difference": None
        if difference is None
        else {
            "kind": difference.kind.value,
            "round": difference.round,
            "event": difference.event,
            "message": translations(difference.sentence),
        },
        "checks": game_checks(report),
        "commitment": None
        if committed is None
        else {
            "seats": committed.seats,
            "hash": committed.hash,
            "published": committed.published,
            "match": None if committed.published is None else committed.match is not None,
            "fit": None if committed.fit is None else committed.fit.value,
            "seats_unchecked": None
            if committed.unchecked is None
            else translations(SEATS_WHY[committed.unchecked]),
        },
        "complete": report.complete,
        "unchecked": [one.value for one in report.unchecked],
        "left_out": [translations(sentence) for sentence in report.left_out[:MAX_ROUNDS]],
        "not_checked": [f"not_shown.{notes.index(sentence)}" for sentence in report.not_checked],
    }
