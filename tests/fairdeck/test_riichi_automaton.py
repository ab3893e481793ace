"""The automaton of the 8-bit routines: its tables are those of the generator, and right."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairdeck.riichi.automaton import MAX, assembly, automaton
from fairdeck.riichi.shanten import suit_costs
from fairdeck.riichi.tables import BASE, suit_table

ASM = Path(__file__).parents[2] / "asm"


@pytest.mark.parametrize("path", sorted(ASM.glob("*/riichi/automaton.*")), ids=str)
def test_the_files_are_what_is_generated(path: Path) -> None:
    assert path.read_text("utf-8") == assembly(path.parent.parent.name)


def test_there_is_one_for_each_cpu() -> None:
    assert len(list(ASM.glob("*/riichi/automaton.*"))) == 2


def test_every_suit_ends_at_its_costs() -> None:
    made, table = automaton(), suit_table(9)
    beginnings = [(0, 0, 0)]  # row, tiles, number in base 5
    seen = 0
    for level in made.levels[:-1]:
        beginnings = [
            (level[row][copies], tiles + copies, BASE * number + copies)
            for row, tiles, number in beginnings
            for copies in range(min(3, MAX - tiles) + 1)
        ]
    for row, tiles, number in beginnings:
        for copies in range(min(3, MAX - tiles) + 1):
            vector = made.vectors[made.levels[-1][row][copies]]
            assert vector == tuple(table[BASE * number + copies].tolist())
            seen += 1
    assert seen == 49_313


def test_two_suits_by_the_definition() -> None:
    for held in ((1, 1, 1, 0, 2, 0, 0, 0, 0), (0, 3, 1, 1, 0, 0, 1, 1, 1)):
        row = 0
        for level, copies in zip(automaton().levels, held, strict=True):
            row = level[row][copies]
        assert automaton().vectors[row] == suit_costs(held, (4,) * 9, True)
