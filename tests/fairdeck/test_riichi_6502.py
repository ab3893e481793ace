"""The 6502's riichi routines inside."""

from __future__ import annotations

import random

import pytest
from riichi_hands import FROM_NOTHING, costs_at, put, random_hands, wanted_costs

from fairdeck.riichi.on_machine import LIMIT, riichi_rom
from fairdeck.riichi.shanten import join_costs, suit_costs
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Rom(riichi_rom("6502").image).machine()


def test_honours(machine: Machine) -> None:
    for hand in random_hands(3, 60, 14):
        put(machine, hand.closed, hand.melded)
        machine.call("honour_costs", limit=LIMIT)
        assert costs_at(machine, 3) == wanted_costs(hand, 3), hand


@pytest.mark.parametrize("suit", range(4))
def test_joins(machine: Machine, suit: int) -> None:
    rnd = random.Random(suit)
    for _ in range(40):
        held = [tuple(rnd.randint(0, 2) for _ in range(9)) for _ in range(2)]
        one, other = (join_costs(suit_costs(h, (4,) * 9, True), FROM_NOTHING) for h in held)
        wanted = join_costs(one, other)
        for melds in range(5):
            machine.write("melds", bytes([melds]))
            machine.write("joined", bytes(one))
            machine.write("suits", bytes(10 * suit) + bytes(other) + bytes(30 - 10 * suit))
            assert machine.call("join_wanted", x=10 * suit).a == wanted[9 - melds]
        machine.call("join", x=10 * suit)
        assert tuple(machine.read("joined", 10)) == wanted


def test_memory() -> None:
    image = riichi_rom("6502").image
    size = {segment.name: segment.size for segment in image.segments}
    assert size["ZEROPAGE"] + size["BSS"] <= 512
    assert size["RODATA"] <= 16 * 1024
