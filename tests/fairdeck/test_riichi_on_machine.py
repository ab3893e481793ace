"""The riichi routines of both CPUs against the model, on the open vectors and on random hands."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from riichi_hands import (
    CALLS,
    HANDS,
    NO_TILES,
    VECTOR_FILE,
    costs_at,
    hand_of,
    put,
    random_hands,
    visible_beside,
    wanted_costs,
)
from slow import slow_but

from fairdeck.riichi import calls as model_calls
from fairdeck.riichi.hand import Counts, Hand, counts_of, parse_kinds
from fairdeck.riichi.on_machine import LIMIT, RIICHI_ROMS, Brain, riichi_rom
from fairdeck.riichi.shanten import chiitoi, kokushi, normal, shanten
from fairdeck.riichi.shapes import is_complete
from fairdeck.riichi.ukeire import best, discards, ukeire
from fairdeck.tiles import KINDS
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom

SHANTEN_LIMITS = MappingProxyType({"6502": (60_000, 400_000), "sm83": (40_000, 250_000)})
"""Cycles of 14 tiles, on average and at most, that each CPU may take over the vectors."""
UKEIRE_LIMITS = MappingProxyType({"6502": 2_000_000, "sm83": 1_300_000})
"""Of 13 tiles, on average."""


@pytest.fixture(scope="module", params=RIICHI_ROMS)
def cpu(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def brain(cpu: str) -> Brain:
    return Brain(cpu)


@pytest.fixture(scope="module")
def machine(cpu: str) -> Machine:
    return Rom(riichi_rom(cpu).image).machine()


@pytest.mark.slow_cases("6502")
def test_costs_of_every_suit(machine: Machine) -> None:
    for hand in random_hands(1, 200, 14):
        put(machine, hand.closed, hand.melded)
        for suit in range(4):
            machine.call("suit_costs", a=suit, limit=LIMIT)
            assert costs_at(machine, suit) == wanted_costs(hand, suit), (hand, suit)


@pytest.mark.slow_cases("6502")
def test_the_slow_way_alone(machine: Machine) -> None:
    for hand in random_hands(2, 60, 13):
        put(machine, hand.closed, hand.melded)
        for suit in range(3):
            machine.call("target", a=suit, limit=LIMIT)
            assert costs_at(machine, suit) == wanted_costs(hand, suit), (hand, suit)


def test_single_shanten(machine: Machine) -> None:
    for hand in random_hands(5, 100, 14):
        put(machine, hand.closed, hand.melded)
        machine.write("melds", bytes([len(hand.melds)]))
        assert machine.call("normal_shanten", limit=LIMIT).a == normal(hand) & 0xFF
        if not hand.melds:
            assert machine.call("chiitoi_shanten").a == chiitoi(hand.closed) & 0xFF
            assert machine.call("kokushi_shanten").a == kokushi(hand.closed) & 0xFF


@pytest.mark.slow_cases("sm83")
def test_shanten_of_the_vectors(brain: Brain, cpu: str) -> None:
    cycles = []
    for case in HANDS:
        hand = hand_of(case)
        brain.take(hand)
        found = brain.shanten()
        assert found.normal == case["normal"], case["id"]
        assert (found.chiitoi, found.kokushi) == (case["chiitoi"], case["kokushi"]), case["id"]
        assert found.best == case["shanten"], case["id"]
        if hand.size % 3 == 2:
            cycles.append(brain.cycles)
    mean, most = SHANTEN_LIMITS[cpu]
    assert sum(cycles) <= mean * len(cycles)
    assert max(cycles) <= most


def test_the_traps_of_the_published_formula(machine: Machine) -> None:
    for case in VECTOR_FILE["formula_traps"]:
        put(machine, counts_of(parse_kinds(case["tiles"])))
        machine.write("melds", bytes([case["called_melds"]]))
        assert machine.call("normal_shanten", limit=LIMIT).a == case["normal"] & 0xFF, case


@pytest.mark.slow_cases("6502-13", "sm83-14")
@pytest.mark.parametrize("tiles", [13, 14])
def test_shanten_of_random_hands(brain: Brain, tiles: int) -> None:
    for hand in random_hands(tiles, 150, tiles):
        brain.take(hand)
        assert brain.shanten() == shanten(hand), hand
        if tiles == 14:
            assert brain.complete() == is_complete(hand), hand


def test_complete_hands(brain: Brain) -> None:
    for case in (one for one in HANDS if one["shanten"] <= 0):
        hand = hand_of(case)
        if hand.size % 3 == 2:
            brain.take(hand)
            assert brain.complete() == (case["shanten"] == -1), case["id"]


@pytest.mark.slow_cases("6502-5", "sm83-5")
@pytest.mark.parametrize("step", slow_but([5], [5, 1]))
def test_ukeire_of_the_vectors(brain: Brain, cpu: str, step: int) -> None:
    cycles = []
    for case in [one for one in HANDS if "ukeire" in one][::step]:
        hand = hand_of(case)
        brain.take(hand)
        assert brain.ukeire() == ukeire(hand).tiles, case["id"]
        cycles.append(brain.cycles)
    assert step > 1 or sum(cycles) <= UKEIRE_LIMITS[cpu] * len(cycles)


def test_ukeire_with_visible_tiles(brain: Brain) -> None:
    for seed, hand in enumerate(random_hands(6, 30, 13)):
        visible = visible_beside(hand, seed)
        brain.take(hand, visible)
        assert brain.ukeire() == ukeire(hand, visible).tiles, hand


def check_discards(brain: Brain, hand: Hand, visible: Counts = NO_TILES) -> None:
    wanted = discards(hand, visible)
    brain.take(hand, visible)
    found = {one.kind: (one.shanten, one.ukeire.count) for one in wanted}
    assert brain.discards() == found, hand
    assert brain.best() == [one.kind for one in best(wanted)], hand


@pytest.mark.slow
def test_discards_of_the_vectors(brain: Brain) -> None:
    for case in [one for one in HANDS if "discards" in one][::8]:
        check_discards(brain, hand_of(case))


def test_discards_with_visible_tiles(brain: Brain) -> None:
    for seed, hand in enumerate(random_hands(8, 8, 14)):
        check_discards(brain, hand, visible_beside(hand, seed))


def test_results_in_registers(machine: Machine) -> None:
    for hand in random_hands(9, 5, 14):
        put(machine, hand.closed, hand.melded)
        machine.write("melds", bytes([len(hand.melds)]))
        machine.write("unseen", bytes(KINDS))
        lowest = min(one.shanten for one in discards(hand))
        assert machine.call("best_discard", limit=LIMIT).a == lowest & 0xFF
    for hand in random_hands(10, 10, 13):
        put(machine, hand.closed, hand.melded)
        machine.write("melds", bytes([len(hand.melds)]))
        rest = visible_beside(hand, 1)
        machine.write("unseen", bytes(rest))
        assert machine.call("ukeire", limit=LIMIT).a == sum(machine.read("useful", KINDS))


def test_calls_of_the_vectors(brain: Brain) -> None:
    for case in CALLS["discard_calls"]:
        hand = hand_of(case, "hand")
        (tile,) = parse_kinds(case["discard"])
        wanted = model_calls.calls(hand, tile, case["discarder"])
        assert wanted.completes_hand == case["completes_hand"]
        brain.take(hand)
        found = brain.calls(tile, case["discarder"] == "left")
        assert (found.can_pon, found.can_kan) == (wanted.can_pon, wanted.can_kan), case
        assert found.completes_hand == wanted.completes_hand, case
        assert found.chii == wanted.chii, case


def test_chii_of_every_kind(machine: Machine, cpu: str) -> None:
    """Also at the edges of the suits, where the neighbour is another suit's."""
    second = "x" if cpu == "6502" else "b"
    for kind in range(KINDS):
        near = range(max(0, kind - 2), min(KINDS, kind + 3))
        for absent in near:
            closed = tuple(int(k in near and (k != absent or k == kind)) for k in range(KINDS))
            for left in (0, 1):
                put(machine, closed)
                registers: dict[str, Any] = {"a": kind, second: left}
                bits = machine.call("call_options", limit=LIMIT, **registers).a & 0x1F
                runs = [(k, range(k, k + 3)) for k in (kind, kind - 1, kind - 2)]
                wanted = sum(
                    4 << at
                    for at, (first, run) in enumerate(runs)
                    if 0 <= first < 27
                    and first % 9 < 7
                    and left
                    and (absent == kind or absent not in run)
                )
                assert bits == wanted, (kind, absent, left)


def test_own_kans_of_the_vectors(brain: Brain) -> None:
    for case in CALLS["own_turn"]:
        hand = hand_of(case, "hand")
        if hand.size % 3 == 1:
            hand = hand.plus(parse_kinds(case["drawn"])[0])
        wanted = model_calls.own_kans(hand)
        brain.take(hand)
        assert brain.own_kans(hand) == (wanted.closed, wanted.added), case
