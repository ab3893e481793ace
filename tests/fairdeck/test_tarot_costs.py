"""The comparison of the CPUs: cycles, sizes and times."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fairdeck.cli import fairdeck
from fairdeck.tarot.costs import ROUTINES, costs, sizes
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.on_machine import tarot_rom
from fairdeck.tarot.runs import Request
from fairdeck.tarot.targets import TARGETS, Target
from romproof.measure.clocks import find_clock

each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS.keys())
CLOCKS = {"6502": ("nes-ntsc", 1_789_773), "sm83": ("gb", 1_048_576)}


def called(*args: str) -> str:
    result = CliRunner().invoke(fairdeck, ["tarot", "compare", *args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


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
    assert {name: cost.tables for name, cost in by_name.items()}["next_byte"] == 512
    assert by_name["next_byte_small"].tables == 0


@each_target
def test_sizes_are_those_of_the_files_alone(target: Target) -> None:
    image = tarot_rom(target, DEFAULT_FEEDBACK, Reduction.CORRECT).image
    size = {routine.name: routine.size for routine in image.routines}
    for routine in ("next_byte", "next_byte_small", "flip", "draw", "swap"):
        code, _ = sizes(image, ROUTINES[routine])
        assert code == size[routine]
    assert sizes(image, ()) == (0, 0)
    files = {Path(part.module).stem for segment in image.segments for part in segment.parts}
    whole = sum(sizes(image, tuple(files)))
    in_rom = [segment for segment in image.segments if segment.file is not None]
    assert whole == sum(part.size for segment in in_rom for part in segment.parts)


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


def test_text_has_the_rows_below_each_other() -> None:
    text = called()
    lines = text.splitlines()
    for routine in ROUTINES:
        at = next(n for n, line in enumerate(lines) if re.match(rf"{routine} +6502 ", line))
        assert lines[at + 1].split()[0] == "SM83"
    assert "1.789773 million cycles a second" in text
    assert "1.048576 million M-cycles a second" in text
    assert all(len(line) <= 80 for line in lines)
