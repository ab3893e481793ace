"""The SM83's riichi routines inside, and the bounds that their contracts claim."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations_with_replacement

import pytest
from riichi_hands import FROM_NOTHING, costs_at, put, random_hands

from fairdeck.riichi.hand import counts_of, parse_kinds
from fairdeck.riichi.on_machine import riichi_rom
from fairdeck.riichi.shanten import ORPHANS, join_costs, suit_costs
from fairdeck.tiles import COPIES, KINDS
from romproof.contract.reading.parse import parse_contracts
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom

RAM = ("riichi hand", "riichi answers", "riichi costs")


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Rom(riichi_rom("sm83").image).machine()


def claim(routine: str) -> tuple[int, int | None]:
    """What the contract says: the fewest and the most M-cycles."""
    cycles = parse_contracts(riichi_rom("sm83").image)[routine].cycles
    assert cycles is not None
    return cycles


def assert_attained(routine: str, found: Iterable[int]) -> None:
    cycles = list(found)
    assert (min(cycles), max(cycles)) == claim(routine), routine


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
        wanted = join_costs(suit_costs(tuple(closed), room, False), FROM_NOTHING)
        assert costs_at(machine, 3) == list(wanted), kinds
    assert_attained("honour_costs", cycles)


def test_joins(machine: Machine) -> None:
    rnd = random.Random(4)
    one_at, other_at, to = (machine.image.address(n) for n in ("suits", "join_01", "join_rest"))
    cycles: dict[str, list[int]] = {"join": [], "join_wanted": []}
    for _ in range(60):
        held = [tuple(rnd.randint(0, 2) for _ in range(9)) for _ in range(2)]
        one, other = (join_costs(suit_costs(h, (4,) * 9, True), FROM_NOTHING) for h in held)
        wanted = join_costs(one, other)
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


def test_cycles_of_pairs_and_orphans(machine: Machine) -> None:
    orphans = counts_of((*ORPHANS, 0))
    singles = counts_of(range(14))
    rest = [hand.closed for hand in random_hands(5, 100, 14) if not hand.melds]
    cycles: dict[str, list[int]] = {"chiitoi_shanten": [], "kokushi_shanten": []}
    for closed in (orphans, singles, counts_of([]), counts_of([1]), counts_of([1] * 2), *rest):
        put(machine, closed)
        for name, found in cycles.items():
            found.append(machine.call(name).cycles)
    for routine, all_of_it in cycles.items():
        assert_attained(routine, all_of_it)


def test_cycles_of_own_kans(machine: Machine) -> None:
    machine.write("pons", bytes(KINDS))
    cycles = []
    for tiles in ("", "11m", "1111m11p", "123456789m12345p"):
        put(machine, counts_of(parse_kinds(tiles)))
        cycles.append(machine.call("own_kans").cycles)
    assert_attained("own_kans", cycles)


def test_memory() -> None:
    image = riichi_rom("sm83").image
    size = {segment.name: segment.size for segment in image.segments}
    assert sum(size[name] for name in RAM) <= 512
    tables = ("riichi automaton", "riichi automaton costs", "riichi ukeire joins")
    assert sum(size[name] for name in tables) <= 16 * 1024
