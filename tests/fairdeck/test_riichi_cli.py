"""``fairdeck riichi`` with ``--on``: the machines answer, and are held against the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairdeck.cli import riichi as commands
from fairdeck.cli import run
from fairdeck.riichi.on_machine import RIICHI_ROMS

CALLS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "calls.json").read_text("utf-8")
)
both = pytest.mark.parametrize("cpu", RIICHI_ROMS)


@both
def test_a_hand(capsys: pytest.CaptureFixture[str], cpu: str) -> None:
    words = ["riichi", "analyze", "123m456p23478s11z", "--on", cpu]
    assert run([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["shanten"], found["ukeire_count"]) == (0, 8)
    assert set(found["cycles"]) == {"shanten", "ukeire"}
    assert all(cycles > 100 for cycles in found["cycles"].values())
    assert run(words) == 0
    assert f"the {cpu} agrees: shanten in" in capsys.readouterr().out


@both
def test_a_drawn_tile(capsys: pytest.CaptureFixture[str], cpu: str) -> None:
    words = ["riichi", "analyze", "59m3p11z", "--meld", "pon:111p", "--meld", "pon:222z"]
    assert run([*words, "--meld", "ankan:7777p", "--visible", "1z", "--on", cpu, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["discards"]["3p"][0] == found["shanten"] == found["normal"]
    assert set(found["cycles"]) == {"shanten", "best_discard"}


@both
def test_a_win(capsys: pytest.CaptureFixture[str], cpu: str) -> None:
    for tile, complete in (("5s", True), ("9m", False)):
        assert run(["riichi", "win", "234m456p23467s88s", tile, "--on", cpu, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["complete"] is complete


@both
def test_calls_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, cpu: str) -> None:
    cases = [*CALLS["discard_calls"][:40], *CALLS["own_turn"][:10]]
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(json.dumps(case) for case in cases), "utf-8")
    assert run(["riichi", "calls", "--batch", str(file), "--on", cpu]) == 0
    out, err = capsys.readouterr()
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == len(cases)
    worst = max(answer["cycles"].get("call_options", 0) for answer in answers)
    assert "own_kans: " in err
    assert f"cycles, at most {worst:,} (line " in err
    for case, answer in zip(cases, answers, strict=True):
        assert answer.pop("cycles")
        assert answer == {key: case[key] for key in answer}


def test_a_machine_that_disagrees(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {"win": lambda case, brain: {"complete": False, "cycles": {"complete": 1}}}
    monkeypatch.setattr(commands, "MACHINE_QUESTIONS", wrong)
    assert run(["riichi", "win", "234m456p23467s88s", "5s", "--on", "sm83"]) == 1
    assert 'the sm83 says "complete" is False, the model True' in capsys.readouterr().err


def test_too_many_tiles_seen(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["riichi", "analyze", "123m456p23478s11z", "--visible", "111z", "--on", "sm83"]
    assert run(words) == 2
    assert "5 of 1z are seen; a set has four" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"tiles": ' + "9" * 5000 + "}", "a number has too many digits"),
        ('{"tiles": ' + "[" * 50_000, "a case is nested too deeply"),
        ('{"tiles": "11799m"', "Expecting ',' delimiter: line 1 column 19 (char 18)"),
        ('["11799m"]', "a case has to be a JSON object"),
    ],
)
def test_a_line_that_cannot_be_read_does_not_spoil_the_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str, fault: str
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(f'{line}\n{{"tiles": "11799m1128p577s66z"}}\n', "utf-8")
    assert run(["riichi", "analyze", "--batch", str(file)]) == 1
    out, err = capsys.readouterr()
    bad, good = map(json.loads, out.splitlines())
    assert (bad, good["shanten"]) == ({"error": fault}, 1)
    assert f"{file}:1: {fault}" in err
