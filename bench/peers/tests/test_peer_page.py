"""The page of peers: what is missing is told, and what is wrong is listed."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import peers_path  # noqa: F401
import pytest
from peers import asking
from peers.amount import SMALL
from peers.asking import Answer
from peers.cases import documented
from peers.claims import CLAIMS
from peers.compare import main
from peers.models import DESCRIBED, OURS, SILICON, Missing, Score, ask
from peers.page import INSTALL, page
from peers.scoreboard import Board, Opcode

PROVED = Answer("proved", 0.25, 0.5, by="romproof 1, z3 2")
ANSWERS = {claim.name: (replace(PROVED, by="angr 3", paths=4), PROVED) for claim in CLAIMS}
ADC = 0x69


def all_right(cpu: str = "mos6502") -> Board:
    return {opcode.index: Opcode(12) for opcode in documented(cpu)}


def shown(*scores: Score) -> str:
    return page(ANSWERS, scores, [])


def test_everything_is_filled_in() -> None:
    text = shown(Score(OURS, "this description", {SILICON: all_right()}))
    assert not re.search(r"\$\{|\{\w+\}", text)
    assert "angr 3; romproof 1, z3 2." in text
    assert (
        "| `maximum` | the larger of two bytes | true | proved | 0.25 + 0.5 | 4 | proved |" in text
    )
    assert "angr 8 right, 2 wrong, 2.5 s; romproof 8 right, 2 wrong, 2.5 s" in text
    assert "| romproof | this description | 151 of 151 | – | 0 | 0 |" in text
    assert "of romproof** in these opcodes: none in this run." in text


def test_errors_of_ours_are_told() -> None:
    board = all_right() | {ADC: Opcode(12, 1, 1, {"V"})}
    text = shown(Score(OURS, "this description", {SILICON: board}))
    assert "in these opcodes: silicon: 1 of 151 opcodes." in text


def test_wrong_opcodes_are_listed_with_what_differs() -> None:
    board = all_right() | {
        ADC: Opcode(12, 3, 0, {"V", "a"}),
        0x00: Opcode(12, open_="brk: no more than a name"),
    }
    text = shown(Score("emu", "emu 1", {SILICON: all_right(), DESCRIBED: board}))
    assert "| emu | emu 1 | 151 of 151 | 149 of 151 | 1 | 1 |" in text
    assert "*emu*: 149 of 151 are right by all of these; wrong are" in text
    assert "- `adc` $69: a, flag V in 3 of 24 cases, in decimal mode only\n" in text
    assert "- `brk` $00: open (brk: no more than a name)\n" in text
    assert "- `sbc`" not in text


def test_a_peer_that_is_missing_is_told_with_the_line_that_installs_it() -> None:
    text = shown(Score("emu", "", {}, missing="not installed"))
    assert f"| emu | not compared: not installed; `{INSTALL}` |" in text


def test_angr_too() -> None:
    missing = Answer("unknown", 0.0, detail="not installed")
    text = page({claim.name: (missing, PROVED) for claim in CLAIMS}, [], [])
    assert f"Versions: angr is not installed: `{INSTALL}`; romproof 1, z3 2." in text
    assert "angr 0 right, 0 wrong, 10 unknown, 0.0 s; romproof 8 right" in text
    assert "| unknown: not installed | – |  | proved" in text


def test_what_is_not_installed_is_missing() -> None:
    with pytest.raises(Missing, match="not installed"):
        ask(Path("/nonexistent/python"), ("sleigh", "6502"), "{}")


@pytest.mark.skipif(find_spec("jennings") is not None, reason="jennings is installed")
def test_what_a_peer_says_last_is_the_reason() -> None:
    asked = '{"base": "' + 0x10000 * "00" + '", "cases": [{"ram": [], "before": {}}]}'
    with pytest.raises(Missing, match="No module named 'jennings'"):
        ask(Path(sys.executable), ("emulators", "jennings"), asked)


@pytest.mark.slow
def test_without_angr_romproof_is_asked_alone() -> None:
    amount = replace(SMALL, claims=CLAIMS[2:3])
    answers = asking.ask_all(Path("/nonexistent/python"), lambda name: None, amount)
    assert answers.keys() == {"average_lsr"}
    theirs, ours = answers["average_lsr"]
    assert (theirs.verdict, theirs.detail, theirs.by) == ("unknown", "not installed", "")
    assert (ours.verdict, ours.real, ours.right(False)) == ("refuted", True, True)


@pytest.mark.parametrize(
    "arguments", [["--steps", "nowhere"], ["--sm83", "X"], ["--sm83", "X=nowhere"], ["--sm83", "="]]
)
def test_what_is_not_there_is_refused_before_anything_is_asked(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert f"{arguments[0]}: " in capsys.readouterr().err
