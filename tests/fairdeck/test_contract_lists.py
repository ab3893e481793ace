"""Lists that contracts of the library take over from callees are still those once written by hand.

``tests/golden/clobbers.json`` has them as they stood in the sources. A leaf that begins to destroy
more makes the claims of all its callers weaker, without a word of theirs changing: here it shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from slow import slow_but

from fairdeck.riichi.on_machine import RIICHI_ROMS, riichi_rom
from fairdeck.wall_roms import WALL_ROMS, wall_rom
from romproof.contract.nouns.items import name_of
from romproof.contract.nouns.model import Contract
from romproof.contract.reading.parse import parse_contracts

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "clobbers.json").read_text("utf-8"))


def _contracts(rom: str) -> Mapping[str, Contract]:
    for roms, built in ((WALL_ROMS, wall_rom), (RIICHI_ROMS, riichi_rom)):
        for cpu, name in roms.items():
            if name == rom:
                return parse_contracts(built(cpu).image)
    raise AssertionError(f"no program '{rom}'")


@pytest.mark.slow_cases("riichi-gb")
@pytest.mark.parametrize("rom", slow_but(["riichi", "riichi-gb"], sorted(GOLDEN)))  # both CPUs
def test_written_out_they_are_what_they_were(rom: str) -> None:
    contracts = _contracts(rom)
    for routine, listed in GOLDEN[rom].items():
        found = _joined({name_of(item) for item in contracts[routine].clobbers})
        assert found == set(listed.split()), routine


def _joined(names: set[str]) -> set[str]:
    """The names of a list, with parts of a variable that are neighbours as one: `a[8]` and `a+8[4]`
    are the twelve bytes of `a[12]`."""
    for part in sorted(names):
        if found := re.fullmatch(r"(\w+)\+(\d+)\[(\d+)\]", part):
            name, offset, size = found[1], int(found[2]), int(found[3])
            before = f"{name}[{offset}]"
            if before in names:
                return _joined(names - {part, before} | {f"{name}[{offset + size}]"})
    return names


@pytest.mark.slow
def test_each_list_that_is_taken_over_is_held() -> None:
    held = {rom: set(lists) for rom, lists in GOLDEN.items()}
    for rom in GOLDEN:
        contracts = _contracts(rom)
        words = {
            name: contract.place("clobbers").text.partition(":")[2].split()
            for name, contract in contracts.items()
        }
        taken = {name for name, found in words.items() if {"as", "callees", "callees,"} & {*found}}
        assert taken == held[rom]


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_what_hands_are_required_to_be_is_said_once(cpu: str) -> None:
    contracts = parse_contracts(riichi_rom(cpu).image)
    texts = {condition.text for condition in contracts["shanten"].requires}
    assert texts == {
        "melds <= MELDS (sound_hand)",
        "all j in 0..33: hand[j] + melded[j] <= COPIES (sound_hand)",
        "sum j in 0..33: hand[j] <= 14 (sound_hand)",
    }
    sound = [c.expression for c in contracts["shanten"].requires]
    for name in ("complete", "ukeire", "best_discard", "call_options"):
        assert {*map(repr, sound)} <= {repr(c.expression) for c in contracts[name].requires}


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_the_generator_is_left_as_it_was_found(cpu: str) -> None:
    contracts = parse_contracts(wall_rom(cpu).image)
    ready = [condition.expression for condition in contracts["mt_next"].requires]
    assert len(ready) == 4
    for name in ("mt_next", "mt_init_by_array", "tenhou_round"):
        ensured = [condition.expression for condition in contracts[name].ensures]
        assert ensured[-4:] == ready
