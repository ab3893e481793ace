"""The benchmarks measure what they say; how fast anything is, is not tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fairdeck.tarot.runs import Request, on_model
from romproof.engine.engines import make_engine

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Imports a module of the benchmarks."""
    monkeypatch.syspath_prepend(str(BENCH))
    return import_module


def run(tmp_path: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / "run.py"), *words]
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
    )


def test_a_missing_peer_makes_a_row_with_the_reason(tmp_path: Path) -> None:
    done = run(tmp_path, "shuffle", PATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    (row,) = json.loads((tmp_path / "build" / "bench.json").read_text("utf-8"))
    assert row.keys() == {"name", "ours", "peer", "ours_s", "peer_s", "ratio"}
    assert row["peer"] == "cl65: not installed"
    assert (row["peer_s"], row["ratio"]) == (None, None)
    assert row["ours_s"] > 0
    assert "measuring: shuffle" in done.stderr


def test_an_unknown_benchmark_is_refused(tmp_path: Path) -> None:
    done = run(tmp_path, "shufle")
    assert done.returncode == 2
    assert done.stderr.startswith("no benchmark shufle; there are: tarot, ")


def test_the_ratio_says_how_many_times_faster_we_are(bench: Callable[[str], Any]) -> None:
    row = bench("rows").Row
    assert row("work", "ours", "peer", 0.5, 2.0).ratio == 4
    assert row("work", "ours", "peer: not installed", 0.5).ratio is None
    assert row("work", "ours: not installed", "peer", None, 2.0).ratio is None


def test_the_loop_shuffles_as_often_as_it_is_told(bench: Callable[[str], Any]) -> None:
    loop = bench("tarot_loop")
    found = loop.on_engine(make_engine("plain"), 3)
    *_, last = on_model(Request(loop.SEED, 3))
    assert found.deck == bytes(last.deck)


def test_the_game_boy_program_steps_a_register_of_full_period(bench: Callable[[str], Any]) -> None:
    rom = bench("gameboy").rom()
    engine = make_engine("plain", "sm83")
    engine.memory[: len(rom)] = rom
    engine.registers.pc = 0x100
    engine.run((), 20_000)
    register = int.from_bytes(engine.memory[0xC000:0xC002], "little")
    steps = int.from_bytes(engine.memory[0xC002:0xC005], "little")
    states = [1]
    for _ in range(steps + 1):
        states.append(states[-1] >> 1 ^ (0xB400 if states[-1] & 1 else 0))
    assert steps > 300
    assert register in states[steps:], "at most one step may be under way"
