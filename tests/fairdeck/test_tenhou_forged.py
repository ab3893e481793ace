"""Forged copies of whole games: each is found, or told, or is what the rules leave open."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from forgeries import Element, Forgery, elements, forge, of_event, of_log, outcome, table, xml
from slow import slow_but
from tenhou_play import GAMES, made_log

from fairdeck.tenhou.logs import LogFile
from fairdeck.tenhou.mjlog import BadLog, read_log
from fairdeck.tenhou.verify import Verdict, verify


def _logs(name: str) -> dict[str, str]:
    path = Path(__file__).parents[1] / "vectors" / f"{name}.json"
    return {log["name"]: log["xml"] for log in json.loads(path.read_text("utf-8"))["logs"]}


GAMES_MADE, MADE_UP = _logs("tenhou_games"), _logs("tenhou_logs")
_TOLD = {
    ("deleted", "UN"), ("deleted", "TAIKYOKU"), ("deleted", "RYUUKYOKU"), ("deleted", "AGARI"),
    ("the last round removed", "log"), ("cut off in the middle", "log"),
    ("a round removed", "round"),
}  # fmt: skip
"""What no rule forbids, as a log may break off: these copies are told to be incomplete."""
_OPEN = {
    ("another tile", "discard"), ("deleted", "REACH 1"),
    ("deleted", "BYE"), ("moved", "BYE"), ("moved", "UN, coming back"), ("another seat", "BYE"),
    ("swapped with the next", "BYE"), ("swapped with the next", "UN, coming back"),
}  # fmt: skip
"""What the rules leave open, some of the copies: see docs/verifying.md."""


def is_open(forgery: Forgery) -> bool:
    """Whether a copy may pass."""
    reported = forgery.how.startswith("reported: ") or forgery.what == "GO"
    return reported or (forgery.how, forgery.what) in _OPEN


@pytest.mark.parametrize("name", GAMES_MADE)
def test_whole_games_verify(name: str) -> None:
    report = verify(read_log(GAMES_MADE[name].encode()))
    assert report.difference is None
    assert report.complete
    assert xml(elements(GAMES_MADE[name])) == GAMES_MADE[name].replace(" />", "/>").encode()


@pytest.mark.slow
def test_the_games_are_what_their_program_makes() -> None:
    name, number, kind = GAMES[0]
    assert made_log(name, number, kind) == GAMES_MADE[name]


@pytest.mark.slow_cases("three")
@pytest.mark.parametrize("name", slow_but(["three"], ["east", "three"]))
def test_every_kind_of_event_forged(name: str) -> None:
    """Some events of each kind; the program forges every one (docs/verifying.md has the counts)."""
    log, rng = elements(GAMES_MADE[name]), random.Random(3)
    kinds: dict[str, list[int]] = {}
    for at, element in enumerate(log):
        kinds.setdefault(element.kind, []).append(at)
    found = dict.fromkeys(("mismatch", "unverifiable", "incomplete", "open"), 0)
    for places in kinds.values():
        for at in rng.sample(places, min(2, len(places))):
            for forgery in of_event(log, at, rng):
                said = outcome(forgery)
                found[said] += 1
                told = f"{forgery.how} {forgery.what} at {at}: {said}"
                assert said != "open" or is_open(forgery), told
                assert said != "incomplete" or (forgery.how, forgery.what) in _TOLD, told
    assert found["mismatch"] > 80


@pytest.mark.parametrize("name", slow_but(["plain"], ["south", "plain"]))
def test_whole_logs_forged(name: str) -> None:
    for forgery in of_log(elements(GAMES_MADE[name])):
        said = outcome(forgery)
        if (forgery.how, forgery.what) in _TOLD:
            assert said in ("incomplete", "mismatch"), forgery.how
        else:
            assert said in ("mismatch", "unverifiable"), forgery.how


@pytest.mark.parametrize("name", ["a", "b", "c", "d", "e"])
def test_logs_that_tell_no_results_forged(name: str) -> None:
    """Such logs verify as far as they go; what they do tell has to fit all the same."""
    log = elements(MADE_UP[name])
    report = verify(read_log(xml(log)))
    assert (report.verdict, report.complete) == (Verdict.VERIFIED, False)
    for forgery in of_log(log):
        if (forgery.how, forgery.what) not in _TOLD and "last draw" not in forgery.how:
            assert outcome(forgery) in ("mismatch", "unverifiable"), forgery.how


def _changed(log: list[Element], at: int, key: str, place: int, by: int) -> list[Element]:
    numbers = [int(n) for n in dict(log[at].attributes)[key].split(",")]
    numbers[place] += by
    changed = log[at].with_value(key, ",".join(map(str, numbers)))
    return [*log[:at], changed, *log[at + 1 :]]


@pytest.mark.slow_cases(
    "seed-0-round-three", "seed-1-round-three", "seed-2-round-three", "ten-1-score-three"
)
@pytest.mark.parametrize("name", slow_but(["three", "a"], ["east", "three", "a", "c"]))
@pytest.mark.parametrize(
    ("key", "place", "kind"),
    [("seed", 0, "round"), ("seed", 1, "round"), ("seed", 2, "round"), ("ten", 1, "score")],
)
def test_numbers_of_a_rounds_start(name: str, key: str, place: int, kind: str) -> None:
    """Round, counters, sticks and scores follow from the round before; by no small step is else."""
    log = elements((GAMES_MADE | MADE_UP)[name])
    starts = [at for at, element in enumerate(log) if element.name == "INIT"]
    for at in starts:
        for by in (3, 10):
            report = verify(read_log(xml(_changed(log, at, key, place, by))))
            assert report.difference is not None
            assert report.difference.kind.value == kind
            assert report.difference.round == starts.index(at)
            assert report.difference.event == 0


@pytest.mark.slow
def test_the_program(tmp_path: Path) -> None:
    path = tmp_path / "game.xml"
    path.write_text(GAMES_MADE["plain"], "utf-8")
    tally, left = forge(LogFile(path), every=False, sample=1, seed=1)
    assert sum(tally.values()) > 100
    assert tally["all draws removed", "log", "mismatch"] == 1
    assert len(left) == sum(n for (_, _, found), n in tally.items() if found == "open")
    assert "| all draws removed | log | 1 | 1 | 0 | 0 (0.0 %) |" in table(tally)


def test_whatever_a_log_holds_the_fault_is_its_own() -> None:
    """Values put at random into a log end in a verdict or in BadLog, and in nothing else."""
    text, rng = GAMES_MADE["three"], random.Random(11)
    start = text.index("<GO")
    values = list(re.finditer(r'"[^"]*"', text[start:]))
    outcomes = set()
    for _ in range(60):
        match = rng.choice(values)
        value = rng.choice(("", "0", "-1", "999999999", "1,2", "1.5", "a", "0,0,0,0,0,0,0,0", "²"))
        at, end = start + match.start(), start + match.end()
        try:
            report = verify(read_log(f'{text[:at]}"{value}"{text[end:]}'.encode()))
        except BadLog:
            outcomes.add("no log")
        else:
            outcomes.add(report.verdict.value)
    assert {"no log", "mismatch"} <= outcomes
