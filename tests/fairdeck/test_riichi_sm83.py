"""The SM83's riichi routines against the model, and the bounds that contracts claim."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from fairdeck.riichi import calls as model_calls
from fairdeck.riichi.hand import Counts, Hand, Meld, MeldKind, counts_of, parse_kinds, parse_meld
from fairdeck.riichi.on_machine import LIMIT, Brain, riichi_rom
from fairdeck.riichi.shanten import ORPHANS, chiitoi, joined, kokushi, normal, shanten, suit_costs
from fairdeck.riichi.shapes import is_complete
from fairdeck.riichi.ukeire import best, discards, ukeire
from fairdeck.tiles import COPIES, KINDS
from romproof.contract.parse import parse_contracts
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom

VECTORS = Path(__file__).parents[1] / "vectors"
VECTOR_FILE: dict[str, Any] = json.loads((VECTORS / "hands.json").read_text("utf-8"))
HANDS: list[dict[str, Any]] = VECTOR_FILE["cases"]
CALLS: dict[str, Any] = json.loads((VECTORS / "calls.json").read_text("utf-8"))
SUITS = ((0, 9), (9, 18), (18, 27), (27, 34))
FROM_NOTHING = tuple(3 * melds + 2 * pair for pair in (0, 1) for melds in range(5))
NO_TILES: Counts = (0,) * KINDS
RAM = ("riichi hand", "riichi answers", "riichi costs")


@pytest.fixture(scope="module")
def brain() -> Brain:
    return Brain("sm83")


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Rom(riichi_rom("sm83").image).machine()


def hand_of(case: dict[str, Any], key: str = "tiles") -> Hand:
    melds = tuple(parse_meld(meld["type"], meld["tiles"]) for meld in case["melds"])
    return Hand(counts_of(parse_kinds(case[key])), melds)


def random_hands(seed: int, count: int, tiles: int) -> Iterator[Hand]:
    """Hands of ``tiles`` with three for each meld, of a few kinds, so that many are held often."""
    rnd = random.Random(seed)
    for _ in range(count):
        first = rnd.choice((0, 0, 9, 18, 22))
        kinds = range(first, min(KINDS, first + rnd.choice((9, 12, KINDS))))
        wall = [kind for kind in kinds for _ in range(COPIES)]
        melds: list[Meld] = []
        wanted = rnd.choice((0, 0, 1, 2, 3, 4))
        while len(melds) < wanted:
            kind = rnd.choice(kinds)
            run = (kind, kind + 1, kind + 2)
            if rnd.random() < 0.5 and wall.count(kind) == COPIES:
                same = rnd.choice((MeldKind.PON, MeldKind.OPEN_KAN, MeldKind.CLOSED_KAN))
                melds.append(Meld(same, (kind,) * (4 if same.is_kan else 3)))
            elif kind < 27 and kind % 9 < 7 and all(one in wall for one in run):
                melds.append(Meld(MeldKind.CHI, run))
            else:
                continue
            for tile in melds[-1].tiles:
                wall.remove(tile)
        yield Hand(counts_of(rnd.sample(wall, tiles - 3 * wanted)), tuple(melds))


def put(machine: Machine, closed: Sequence[int], melded: Sequence[int] = NO_TILES) -> None:
    """A hand with so many tiles melded as ``melds`` would be: all that counts is whether any."""
    machine.write("hand", bytes(closed))
    machine.write("melded", bytes(melded))
    machine.write("melds", bytes([min(4, (sum(melded) + 2) // 3)]))


def costs_at(machine: Machine, suit: int) -> list[int]:
    return list(machine.read("suits", 40)[10 * suit :][:10])


def wanted_costs(hand: Hand, suit: int) -> list[int]:
    """The model's costs of a suit, where a block from nothing is always possible."""
    first, end = SUITS[suit]
    room = tuple(COPIES - count for count in hand.melded[first:end])
    return list(joined(suit_costs(hand.closed[first:end], room, suit < 3), FROM_NOTHING))


def visible_beside(hand: Hand, seed: int) -> Counts:
    """Some of the tiles that the hand leaves."""
    rnd = random.Random(seed)
    used = zip(hand.closed, hand.melded, strict=True)
    return tuple(rnd.randint(0, COPIES - own - melded) for own, melded in used)


def claim(routine: str) -> tuple[int, int | None]:
    """What the contract says: the fewest and the most M-cycles."""
    cycles = parse_contracts(riichi_rom("sm83").image)[routine].cycles
    assert cycles is not None
    return cycles


def assert_attained(routine: str, found: Iterable[int]) -> None:
    cycles = list(found)
    assert (min(cycles), max(cycles)) == claim(routine), routine


def test_costs_of_every_suit(machine: Machine) -> None:
    for hand in random_hands(1, 200, 14):
        put(machine, hand.closed, hand.melded)
        for suit in range(4):
            machine.call("suit_costs", a=suit)
            assert costs_at(machine, suit) == wanted_costs(hand, suit), (hand, suit)


def test_the_slow_way_alone(machine: Machine) -> None:
    for hand in random_hands(2, 60, 13):
        put(machine, hand.closed, hand.melded)
        for suit in range(3):
            machine.call("target", a=suit)
            assert costs_at(machine, suit) == wanted_costs(hand, suit), (hand, suit)


def test_cycles_of_the_ways_to_suit_costs(machine: Machine) -> None:
    """The most: the worst of all 405,350 ways to hold up to 14 tiles of a suit."""
    found: dict[str, list[int]] = {"target": [], "suit_costs": []}
    by_address = []
    for tiles in ("33444555666777m", "19m"):
        put(machine, counts_of(parse_kinds(tiles)))
        for routine, cycles in found.items():
            cycles += [machine.call(routine, a=suit).cycles for suit in range(2)]
        place, costs = (machine.image.address(name) & 0xFF for name in ("hand", "suits"))
        for suit in range(2):
            called = machine.call("target_from", e=place + 9 * suit, c=costs + 10 * suit)
            by_address.append(called.cycles)
    assert_attained("target_from", by_address)
    for routine, cycles in found.items():
        assert_attained(routine, cycles)


def test_all_honours(machine: Machine) -> None:
    cycles = []
    none_left, one_left = -1, -2  # melded, and held besides
    for kinds in combinations_with_replacement((*range(COPIES + 1), none_left, one_left), 7):
        melded = [3 * (kind < 0) for kind in kinds]
        closed = [int(kind == one_left) if kind < 0 else kind for kind in kinds]
        if sum(closed) + sum(melded) > 14:
            continue
        room = tuple(COPIES - count for count in melded)
        put(machine, [0] * 27 + closed, [0] * 27 + melded)
        cycles.append(machine.call("honour_costs").cycles)
        wanted = joined(suit_costs(tuple(closed), room, False), FROM_NOTHING)
        assert costs_at(machine, 3) == list(wanted), kinds
    assert_attained("honour_costs", cycles)


def test_joins(machine: Machine) -> None:
    rnd = random.Random(4)
    one_at, other_at, to = (machine.image.address(n) for n in ("suits", "join_01", "join_rest"))
    cycles: dict[str, list[int]] = {"join": [], "join_wanted": []}
    for _ in range(60):
        held = [tuple(rnd.randint(0, 2) for _ in range(9)) for _ in range(2)]
        one, other = (joined(suit_costs(h, (4,) * 9, True), FROM_NOTHING) for h in held)
        wanted = joined(one, other)
        machine.write(one_at, bytes(one))
        machine.write(other_at, bytes(other))
        for melds in range(5):
            machine.write("melds", bytes([melds]))
            called = machine.call("join_wanted", hl=one_at, de=other_at)
            assert called.a == wanted[9 - melds]
            cycles["join_wanted"].append(called.cycles)
        cycles["join"].append(machine.call("join", hl=one_at, de=other_at, c=to & 0xFF).cycles)
        assert tuple(machine.read("join_rest", 10)) == wanted
    for routine, found in cycles.items():
        assert_attained(routine, found)


def test_single_shanten(machine: Machine) -> None:
    orphans = counts_of((*ORPHANS, 0))
    singles = counts_of(range(14))
    rest = [hand.closed for hand in random_hands(5, 100, 14) if not hand.melds]
    cycles: dict[str, list[int]] = {"chiitoi_shanten": [], "kokushi_shanten": []}
    for closed in (orphans, singles, counts_of([1]), counts_of([1] * 2), *rest):
        put(machine, closed)
        found = {name: machine.call(name) for name in cycles}
        assert found["chiitoi_shanten"].a == chiitoi(closed) & 0xFF
        assert found["kokushi_shanten"].a == kokushi(closed) & 0xFF
        for name, result in found.items():
            cycles[name].append(result.cycles)
        assert machine.call("normal_shanten").a == normal(Hand(closed)) & 0xFF
    for routine, all_of_it in cycles.items():
        assert_attained(routine, all_of_it)


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
    assert sum(cycles) <= 40_000 * len(cycles)
    assert max(cycles) <= 250_000


def test_the_traps_of_the_published_formula(machine: Machine) -> None:
    for case in VECTOR_FILE["formula_traps"]:
        put(machine, counts_of(parse_kinds(case["tiles"])))
        machine.write("melds", bytes([case["called_melds"]]))
        assert machine.call("normal_shanten").a == case["normal"] & 0xFF, case


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


def test_ukeire_of_the_vectors(brain: Brain) -> None:
    cycles = []
    for case in [one for one in HANDS if "ukeire" in one]:
        hand = hand_of(case)
        brain.take(hand)
        assert brain.ukeire() == ukeire(hand).tiles, case["id"]
        cycles.append(brain.cycles)
    assert sum(cycles) <= 1_300_000 * len(cycles)


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


def test_chii_of_every_kind(machine: Machine) -> None:
    """Also at the edges of the suits, where the neighbour is another suit's."""
    every = (1,) * KINDS
    for kind in range(KINDS):
        for absent in range(max(0, kind - 2), min(KINDS, kind + 3)):
            closed = tuple(int(k != absent) for k in range(KINDS))
            for left in (0, 1):
                put(machine, closed if absent != kind else every)
                bits = machine.call("call_options", a=kind, b=left).a & 0x1F
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


def test_own_kans(brain: Brain, machine: Machine) -> None:
    for case in CALLS["own_turn"]:
        hand = hand_of(case, "hand")
        if hand.size % 3 == 1:
            hand = hand.plus(parse_kinds(case["drawn"])[0])
        wanted = model_calls.own_kans(hand)
        brain.take(hand)
        assert brain.own_kans(hand) == (wanted.closed, wanted.added), case
    machine.write("pons", bytes(KINDS))
    cycles = []
    for tiles in ("11m", "1111m11p", "123456789m12345p"):
        put(machine, counts_of(parse_kinds(tiles)))
        cycles.append(machine.call("own_kans").cycles)
    assert_attained("own_kans", cycles)


def test_memory() -> None:
    image = riichi_rom("sm83").image
    size = {segment.name: segment.size for segment in image.segments}
    assert sum(size[name] for name in RAM) <= 512
    tables = ("riichi automaton", "riichi automaton costs", "riichi ukeire joins")
    assert sum(size[name] for name in tables) <= 16 * 1024
