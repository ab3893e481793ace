"""MJ Arcade's wall on the table."""

from __future__ import annotations

import json

import pytest

from fairdeck.cli import run
from fairdeck.mjarcade.layout import as_object, laid_out

SEEDS = ["0" * 26 + last for last in "048c"]


@pytest.mark.parametrize(("tiles", "sides", "stacks"), [(136, 4, 17), (108, 3, 18)])
def test_every_tile_has_one_place(tiles: int, sides: int, stacks: int) -> None:
    laid = laid_out(range(tiles), (1, 1))
    assert [len(side) for side in laid.sides] == [stacks] * sides
    flat = [n for side in laid.sides for stack in side for n in (stack.upper, stack.lower)]
    assert flat == list(range(tiles))
    for first in range(1, 7):
        for second in range(1, 7):
            side, stack = laid_out(range(tiles), (first, second)).opened
            assert side == (first + second - 1) % sides
            assert stack + 1 == first + second


def test_usual_openings() -> None:
    """What every table learns: 5 and 9 are one's own, 7 is opposite, 2, 6 and 10 to the right."""
    for total, side in ((5, 0), (9, 0), (7, 2), (2, 1), (6, 1), (10, 1), (4, 3), (8, 3), (12, 3)):
        assert laid_out(range(136), (total - total // 2, total // 2)).opened[0] == side


def test_other_walls_are_refused() -> None:
    with pytest.raises(ValueError, match="136 tiles, or 108"):
        laid_out(range(12), (1, 1))


@pytest.mark.parametrize("players", [3, 4])
def test_the_command_lays_the_wall_out(capsys: pytest.CaptureFixture[str], players: int) -> None:
    line = ["mjarcade", "wall", "--uncertain", "1"]
    assert run([*line, "--json", *SEEDS[:players]]) == 0
    found = json.loads(capsys.readouterr().out)
    laid = laid_out(found["wall"], tuple(found["dice"]))
    assert {key: found[key] for key in ("sides", "opened")} == as_object(laid)
    assert any("on the table is not published" in text for text in found["assumptions"])
    assert run([*line, "--letters", *SEEDS[:players]]) == 0
    text = capsys.readouterr().out
    rows = [line.split() for line in text.splitlines()]
    assert [row[0] for row in rows if row[0] in ("upper", "lower")] == ["upper", "lower"] * players
    assert text.count("opened behind stack") == 1
    assert all(len(line) <= 79 for line in text.splitlines() if "assumption" not in line)
