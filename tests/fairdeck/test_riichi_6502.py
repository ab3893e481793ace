"""The 6502's riichi routines against the model, on the open vectors and on random hands."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairdeck.riichi import calls as model_calls
from fairdeck.riichi.hand import Counts, Hand, Meld, MeldKind, counts_of, parse_kinds, parse_meld
from fairdeck.riichi.on_machine import LIMIT, Brain, riichi_rom
from fairdeck.riichi.shanten import chiitoi, joined, kokushi, normal, shanten, suit_costs
from fairdeck.riichi.ukeire import best, discards, ukeire
from fairdeck.tiles import COPIES, KINDS
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom

VECTORS = Path(__file__).parents[1] / "vectors"
HANDS: list[dict[str, Any]] = json.loads((VECTORS / "hands.json").read_text("utf-8"))["cases"]
CALLS: dict[str, Any] = json.loads((VECTORS / "calls.json").read_text("utf-8"))
SUITS = ((0, 9), (9, 18), (18, 27), (27, 34))
FROM_NOTHING = tuple(3 * melds + 2 * pair for pair in (0, 1) for melds in range(5))
NO_TILES: Counts = (0,) * KINDS


@pytest.fixture(scope="module")
def brain() -> Brain:
    return Brain("6502")


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Rom(riichi_rom("6502").image).machine()


def hand_of(case: dict[str, Any], key: str = "tiles") -> Hand:
    melds = tuple(parse_meld(meld["type"], meld["tiles"]) for meld in case["melds"])
    return Hand(counts_of(parse_kinds(case[key])), melds)


def random_hands(seed: int, count: int, tiles: int) -> Iterator[Hand]:
    """Hands of ``tiles`` with those of their melds, often of few suits, so with fours."""
    rnd = random.Random(seed)
    for _ in range(count):
        lowest, highest = rnd.choice([(0, 33), (0, 17), (0, 8), (18, 33), (9, 26)])
        wall = [kind for kind in range(lowest, highest + 1) for _ in range(COPIES)]
        rnd.shuffle(wall)
        melds = []
        for _ in range(rnd.choice([0, 0, 0, 1, 2, 3, 4])):
            kind = rnd.randint(lowest, highest)
            of_four = wall.count(kind)
            if of_four >= 3:
                size = rnd.choice([3, of_four])
                melds.append(Meld(MeldKind.PON if size == 3 else MeldKind.OPEN_KAN, (kind,) * size))
            elif kind < 27 and kind % 9 < 7 and all(k in wall for k in range(kind, kind + 3)):
                melds.append(Meld(MeldKind.CHI, (kind, kind + 1, kind + 2)))
            else:
                continue
            for tile in melds[-1].tiles:
                wall.remove(tile)
        if len(wall) >= tiles - 3 * len(melds):
            yield Hand(counts_of(wall[: tiles - 3 * len(melds)]), tuple(melds))


def closed_costs(hand: Hand, suit: int) -> list[int]:
    """The model's costs of a suit, any block from nothing being possible."""
    first, end = SUITS[suit]
    room = tuple(COPIES - count for count in hand.melded[first:end])
    costs = suit_costs(hand.closed[first:end], room, suit < 3)
    return list(joined(costs, FROM_NOTHING))


def put(machine: Machine, hand: Hand) -> None:
    machine.write("hand", bytes(hand.closed))
    machine.write("melded", bytes(hand.melded))
    machine.write("melds", bytes([len(hand.melds)]))


def test_costs_of_every_suit(machine: Machine) -> None:
    for hand in random_hands(1, 150, 14):
        put(machine, hand)
        for suit in range(4):
            wanted = closed_costs(hand, suit)
            machine.call("suit_costs", a=suit, limit=LIMIT)
            assert list(machine.read("suits", 40)[10 * suit :][:10]) == wanted, (hand, suit)


def test_targets_agree_with_the_automaton(machine: Machine) -> None:
    for hand in random_hands(2, 60, 13):
        put(machine, hand)
        for suit in range(3):
            wanted = closed_costs(hand, suit)
            machine.call("target", a=suit, limit=LIMIT)
            assert list(machine.read("suits", 40)[10 * suit :][:10]) == wanted, (hand, suit)


def test_honours(machine: Machine) -> None:
    for hand in random_hands(3, 60, 14):
        put(machine, hand)
        machine.call("honour_costs", limit=LIMIT)
        assert list(machine.read("suits", 40)[30:]) == closed_costs(hand, 3), hand


@pytest.mark.parametrize("suit", range(4))
def test_joins(machine: Machine, suit: int) -> None:
    rnd = random.Random(suit)
    for _ in range(40):
        held = [tuple(rnd.randint(0, 2) for _ in range(9)) for _ in range(2)]
        one, other = (joined(suit_costs(h, (4,) * 9, True), FROM_NOTHING) for h in held)
        wanted = joined(one, other)
        for melds in range(5):
            machine.write("melds", bytes([melds]))
            machine.write("joined", bytes(one))
            machine.write("suits", bytes(10 * suit) + bytes(other) + bytes(30 - 10 * suit))
            assert machine.call("join_wanted", x=10 * suit).a == wanted[9 - melds]
        machine.call("join", x=10 * suit)
        assert tuple(machine.read("joined", 10)) == wanted


def test_single_shanten(machine: Machine) -> None:
    for hand in random_hands(5, 100, 14):
        put(machine, hand)
        assert machine.call("normal_shanten", limit=LIMIT).a == normal(hand) & 0xFF
        assert machine.call("chiitoi_shanten").a == chiitoi(hand.closed) & 0xFF
        assert machine.call("kokushi_shanten").a == kokushi(hand.closed) & 0xFF


def test_shanten_of_the_vectors(brain: Brain) -> None:
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
    assert sum(cycles) <= 60_000 * len(cycles)
    assert max(cycles) <= 400_000


@pytest.mark.parametrize("tiles", [13, 14])
def test_shanten_of_random_hands(brain: Brain, tiles: int) -> None:
    for hand in random_hands(tiles, 150, tiles):
        brain.take(hand)
        assert brain.shanten() == shanten(hand), hand


def test_ukeire_of_the_vectors(brain: Brain) -> None:
    cycles = []
    for case in (one for one in HANDS if "ukeire" in one):
        hand = hand_of(case)
        brain.take(hand)
        assert brain.ukeire() == ukeire(hand).tiles, case["id"]
        cycles.append(brain.cycles)
    assert sum(cycles) <= 2_000_000 * len(cycles)


def visible_beside(hand: Hand, seed: int) -> Counts:
    """Some of the tiles that the hand leaves."""
    rnd = random.Random(seed)
    used = zip(hand.closed, hand.melded, strict=True)
    return tuple(rnd.randint(0, COPIES - own - melded) for own, melded in used)


def test_ukeire_with_visible_tiles(brain: Brain) -> None:
    for seed, hand in enumerate(random_hands(6, 25, 13)):
        visible = visible_beside(hand, seed)
        brain.take(hand, visible)
        assert brain.ukeire() == ukeire(hand, visible).tiles, hand


def check_discards(brain: Brain, hand: Hand, visible: Counts = NO_TILES) -> None:
    wanted = discards(hand, visible)
    brain.take(hand, visible)
    found = {one.kind: (one.shanten, one.ukeire.count) for one in wanted}
    assert brain.discards() == found, hand
    assert brain.best() == [one.kind for one in best(wanted)], hand


def test_discards_of_the_vectors(brain: Brain) -> None:
    for case in [one for one in HANDS if "discards" in one][::12]:
        check_discards(brain, hand_of(case))


def test_discards_with_visible_tiles(brain: Brain) -> None:
    for seed, hand in enumerate(random_hands(8, 6, 14)):
        check_discards(brain, hand, visible_beside(hand, seed))


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


def test_own_kans_of_the_vectors(brain: Brain) -> None:
    for case in CALLS["own_turn"]:
        hand = hand_of(case, "hand")
        if hand.size % 3 == 1:
            hand = hand.plus(parse_kinds(case["drawn"])[0])
        wanted = model_calls.own_kans(hand)
        brain.take(hand)
        assert brain.own_kans(hand) == (wanted.closed, wanted.added), case


def test_complete_hands(brain: Brain) -> None:
    for case in (one for one in HANDS if one["shanten"] <= 0):
        hand = hand_of(case)
        if hand.size % 3 == 2:
            brain.take(hand)
            assert brain.complete() == (case["shanten"] == -1), case["id"]


def test_memory() -> None:
    image = riichi_rom("6502").image
    size = {segment.name: segment.size for segment in image.segments}
    assert size["ZEROPAGE"] + size["BSS"] <= 512
    assert size["RODATA"] <= 16 * 1024
