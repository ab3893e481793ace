"""The comparison of the CPUs: cycles, sizes and times."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fairdeck.cli import fairdeck, run
from fairdeck.cli.text import variant_table
from fairdeck.tarot import costs as tarot_costs
from fairdeck.tarot.costs import ROUTINES, Size, costs, sizes
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.picture import write_front
from fairdeck.tarot.runs import Request
from fairdeck.tarot.targets import MOS6502, TARGETS, Target
from fairdeck.tarot.variants import BALANCED, VARIANTS
from romproof.program.clocks import find_clock

each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS.keys())
CLOCKS = {"6502": ("nes-ntsc", 1_789_773), "sm83": ("gb", 1_048_576)}


def called(*args: str) -> str:
    result = CliRunner().invoke(fairdeck, ["tarot", "compare", *args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer calls are measured, where it does not matter how many."""
    monkeypatch.setattr(tarot_costs, "_SHUFFLES", 20)
    monkeypatch.setattr(tarot_costs, "_BYTES", 20)


@pytest.mark.slow_cases("sm83")
@each_target
def test_every_routine_has_its_cost(target: Target) -> None:
    found = costs(target, Request(0x12345678))
    assert [cost.routine for cost in found] == list(ROUTINES)
    name, hz = CLOCKS[target.name]
    for cost in found:
        assert cost.least <= cost.mean <= cost.most
        assert (cost.clock, cost.clock.hz) == (find_clock(name), hz)
        assert cost.microseconds == pytest.approx(float(cost.mean) * 1e6 / hz)
        assert cost.code > 0
    by_name = {cost.routine: cost for cost in found}
    # one fresh byte in eight flips
    flips = by_name["flip"]
    assert flips.mean == flips.least + (flips.most - flips.least) / 8
    # 7.59 flips for the largest draw, and n = 2 needs a single one
    assert by_name["draw"].least < 2 * flips.most < by_name["draw"].most
    tables = {"6502": 512, "sm83": 256}  # the SM83 shifts where the 6502 looks up
    assert by_name["next_byte"].tables == tables[target.name]
    assert by_name["next_byte_small"].tables == 0


@each_target
def test_sizes_are_those_of_the_files_alone(target: Target) -> None:
    image = tarot_library(target, DEFAULT_FEEDBACK, Reduction.CORRECT).image
    size = {routine.name: routine.size for routine in image.routines}
    for routine in ("next_byte", "next_byte_small", "flip", "draw", "swap"):
        code, _ = sizes(image, ROUTINES[routine])
        assert code == size[routine]
    assert sizes(image, ()) == (0, 0)
    files = {Path(part.module).stem for segment in image.segments for part in segment.parts}
    whole = sum(sizes(image, tuple(files)))
    in_rom = [segment for segment in image.segments if segment.file is not None]
    assert whole == sum(part.size for segment in in_rom for part in segment.parts)


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_json_has_a_row_for_each_routine_and_cpu() -> None:
    found: dict[str, Any] = json.loads(called("--json", "--seed", "deadbeef"))
    rows = found["costs"]
    assert {(row["routine"], row["cpu"]) for row in rows} == {
        (routine, cpu) for routine in ROUTINES for cpu in TARGETS
    }
    keys = [
        "routine",
        "cpu",
        "calls",
        "min",
        "mean",
        "max",
        "microseconds",
        "clock",
        "code",
        "tables",
    ]
    assert all(list(row) == keys for row in rows)
    assert found == json.loads(called("--json", "--seed", "deadbeef", "--engine", "auto"))


@pytest.mark.usefixtures("few")
def test_text_has_the_rows_below_each_other() -> None:
    text = called()
    lines = text.splitlines()
    for routine in ROUTINES:
        at = next(n for n, line in enumerate(lines) if re.match(rf"{routine} +6502 ", line))
        assert lines[at + 1].split()[0] == "SM83"
    assert "1.789773 million cycles a second" in text
    assert "1.048576 million M-cycles a second" in text
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.slow
def test_the_variants_form_a_front() -> None:
    found = json.loads(called("--json", "--variant", "small"))
    small = [row for row in found["costs"] if row["routine"] == "next_byte"]
    assert [row["tables"] for row in small] == [0, 0]
    for cpu in TARGETS:
        rows = [row for row in found["variants"] if row["cpu"] == cpu]
        assert [row["variant"] for row in rows] == list(VARIANTS)
        assert all(row["on_front"] for row in rows)
        # quicker, and bigger for it
        for one, other in pairwise(rows):
            assert one["code"] + one["tables"] < other["code"] + other["tables"]
            assert one["memory"] <= other["memory"]
            assert one["mean"] > other["mean"]
        for row in rows:
            assert row["min"] <= row["mean"] <= row["max"]
            assert row["microseconds"] == pytest.approx(row["mean"] * 1e6 / CLOCKS[cpu][1])


@pytest.mark.usefixtures("few")
def test_what_another_beats_is_not_on_the_front(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = tarot_costs.size_of

    def wasteful(*args: Any) -> Size:
        size = honest(*args)
        return replace(size, tables=20_000) if args[3] is BALANCED else size

    monkeypatch.setattr(tarot_costs, "size_of", wasteful)
    found = tarot_costs.variants_of(MOS6502, Request(1))
    # the fast one is smaller then and quicker, but takes more RAM
    assert [one.on_front for one in found] == [True, True, True]
    monkeypatch.setattr(tarot_costs, "size_of", lambda *args: replace(wasteful(*args), memory=90))
    found = tarot_costs.variants_of(MOS6502, Request(1))
    assert [one.on_front for one in found] == [True, False, True]
    assert "balanced (beaten)" in variant_table(found)


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_the_front_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib import image

    path = tmp_path / "front.png"
    write_front(path, tarot_costs.variants_of(MOS6502, Request(1)))
    pixels = image.imread(path)
    assert pixels.shape[:2] == (672, 960)
    # as many colours as lines, marks and letters need; a blank sheet has one
    assert len({tuple(pixel) for row in pixels[::4, ::4] for pixel in row}) > 20


def test_without_matplotlib_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert run(["tarot", "compare", "--picture", str(tmp_path / "front.png")]) == 2
    assert 'pip install "fairdeck[pictures]"' in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
