"""Waits and frames in reports: words, JSON, the page. What waits is tested in tests/measure."""

from __future__ import annotations

import json
import re

import pytest

from romproof.measure.frame_loads import FrameLoad
from romproof.measure.model import CodeSpot, CycleProfile
from romproof.measure.recorded import RecordedProfile
from romproof.measure.waits import Wait, WaitKind
from romproof.program.clocks import CLOCKS
from romproof.report.cycles import CycleReport, CyclesHeader
from romproof.report.json import JsonReporter
from romproof.report.profiles.page import page
from romproof.report.profiles.tables import profile_json
from romproof.report.text import TextReporter
from romproof.report.waits import awaited, summary

SPOT = CodeSpot(0x8123, None, "game.s", 12)


def wait(kind: WaitKind, **changes: object) -> Wait:
    fields: dict[str, object] = {
        "spot": SPOT,
        "place": "main@wait",
        "end": 0x8128,
        "reads": 0x10,
        "symbol": "nmis",
        "value": None,
        "passes": 50,
        "cycles": 300,
        "halted": 0,
    }
    return Wait(kind, **{**fields, **changes})  # type: ignore[arg-type]


def recorded(*waits: Wait, frames: tuple[FrameLoad, ...] = ()) -> RecordedProfile:
    profile = CycleProfile(1000, 200, (), (), ())
    return RecordedProfile("game", "6502", "power-on", 3, profile, (), (), waits, frames)


def report(program: RecordedProfile) -> CycleReport:
    header = CyclesHeader("game", "6502", "llvm", CLOCKS["nes-ntsc"], "power-on", 3, "frames")
    return CycleReport(header, program, (), ())


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (wait(WaitKind.FLAG), "the flag nmis"),
        (wait(WaitKind.FLAG, symbol=None, reads=0x310), "the flag $0310"),
        (wait(WaitKind.BLANK), "vertical blank"),
        (wait(WaitKind.LINE, value=64), "line 64"),
        (wait(WaitKind.LINE), "a line"),
        (wait(WaitKind.SPRITE_0), "sprite 0"),
        (wait(WaitKind.VIDEO_MEMORY), "video memory"),
        (wait(WaitKind.PORT, symbol="rDIV"), "the port rDIV"),
        (wait(WaitKind.VALUE, reads=None, symbol=None), "a value behind a pointer"),
        (wait(WaitKind.HALT), "an interrupt, in HALT"),
        (wait(WaitKind.INTERRUPT), "interrupts"),
    ],
)
def test_words(given: Wait, words: str) -> None:
    assert awaited(given) == words


def test_all_kinds_have_words() -> None:
    for kind in WaitKind:
        assert awaited(wait(kind))


FRAMES = (FrameLoad(400, 300), FrameLoad(400, 2), FrameLoad(200, 100))


def test_a_line_says_how_full_frames_are() -> None:
    assert summary(recorded()) == ""
    assert summary(recorded(wait(WaitKind.FLAG))) == "waiting: 30.0 % of all cycles"
    assert summary(recorded(wait(WaitKind.FLAG), frames=FRAMES)) == (
        "waiting: 40.2 % of the frame on average, 0.5 % of frame 2, the fullest of 3"
    )
    busy = (FrameLoad(100, 0), FrameLoad(100, 0))
    assert summary(recorded(frames=busy)) == (
        "waiting: 0.0 % of the frame on average, 0.0 % of frame 1, the fullest of 2"
    )


def test_the_table_and_the_keys() -> None:
    program = recorded(wait(WaitKind.FLAG), wait(WaitKind.HALT, cycles=20), frames=FRAMES)
    text = TextReporter().cycles(report(program))
    assert re.search(r"waiting +% +for +line +at\n", text)
    assert re.search(r"    300  30.0%  the flag nmis +game.s:12  main@wait\n", text)
    data = json.loads(JsonReporter().cycles(report(program)))
    assert data["waiting"] == 320
    assert data["waits"][0] == {
        "kind": "flag",
        "place": "main@wait",
        "address": 0x8123,
        "bank": None,
        "file": "game.s",
        "line": 12,
        "reads": 0x10,
        "symbol": "nmis",
        "value": None,
        "passes": 50,
        "cycles": 300,
        "halted": 0,
    }
    assert data["frame_loads"][1] == {"cycles": 400, "waiting": 2}
    (shown,) = json.loads(profile_json([program]))["programs"]
    assert (shown["waits"], shown["frame_loads"]) == (data["waits"], data["frame_loads"])


def test_bars() -> None:
    text = page([recorded(wait(WaitKind.FLAG), frames=FRAMES)])
    assert text.count("<rect x=") == 3
    assert 'y="75.0" width="0.8" height="25.0"><title>frame 1: 25.0 % full' in text
    assert 'height="99.5"><title>frame 2: 99.5 % full, 398 of 400 cycles' in text
    assert text.count('class="mark" d="M1 ') == text.count('class="mark"') == 1
    assert "3 frames, 59.8 % full on average; the fullest is frame 2: 99.5 %" in text
    assert "Of these 1 is at least 99% full" in text
    assert "<h3>Waiting</h3>" in text
    plain = page([recorded()])
    assert "<h3>Waiting</h3>" not in plain
    assert "<h3>Frames</h3>" not in plain


def test_bars_of_very_many_frames_are_those_of_the_fullest() -> None:
    frames = [FrameLoad(100, 50)] * 4000
    frames[1777] = FrameLoad(100, 10)
    text = page([recorded(frames=tuple(frames))])
    assert text.count("<rect x=") == 1334
    assert "Each bar is the fullest of 3 frames" in text
    assert text.count("<title>frame 1,778: 90.0 % full") == 1
    assert "No loop of the program only waits." in text
