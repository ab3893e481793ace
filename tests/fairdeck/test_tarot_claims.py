"""The claims of the contracts about cycles: what they allow is what happens, at both ends."""

from __future__ import annotations

from functools import cache

import pytest

from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import FEEDBACKS
from fairdeck.tarot.on_machine import tarot_rom
from fairdeck.tarot.targets import MOS6502, SM83, TARGETS, Target
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom

each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS.keys())
OUTGOING = (0x00, 0x01, 0xFF)
"""Bytes that leave the register: no feedback in eight steps, once, eight times."""


@cache
def rom(target: Target, feedback: str = "a3") -> Rom:
    return Rom(tarot_rom(target, FEEDBACKS[feedback], Reduction.CORRECT).image)


def claim(target: Target, routine: str, feedback: str = "a3") -> tuple[int, int | None]:
    """What the contract says: the fewest and the most cycles."""
    cycles = rom(target, feedback).contracts[routine].cycles
    assert cycles is not None
    return cycles


def ready(target: Target, feedback: str = "a3") -> Machine:
    """A machine with a seed, no flips left and the cards in order."""
    machine = rom(target, feedback).machine()
    machine.write("lfsr", bytes.fromhex("12345678"))
    machine.write("rng", 0)
    machine.write("flips_left", 0)
    machine.write("deck", bytes(range(78)))
    return machine


@each_target
@pytest.mark.parametrize("routine", ["next_byte", "next_byte_small"])
@pytest.mark.parametrize("feedback", FEEDBACKS)
def test_next_byte(target: Target, routine: str, feedback: str) -> None:
    machine = ready(target, feedback)
    found = set()
    for last in OUTGOING:
        machine.write("lfsr", bytes([0x12, 0x34, 0x56, last]))
        found.add(machine.call(routine).cycles)
    assert (min(found), max(found)) == claim(target, routine, feedback)


@each_target
def test_flip(target: Target) -> None:
    machine = ready(target)
    found = {machine.call("flip").cycles for _ in range(17)}
    assert (min(found), max(found)) == claim(target, "flip")
    assert len(found) == 2  # with a fresh byte or without


@each_target
def test_draw_has_no_most(target: Target) -> None:
    machine = ready(target)
    least, most = claim(target, "draw")
    assert most is None
    assert machine.call("draw", a=0).cycles == least
    assert all(machine.call("draw", a=n - 1).cycles > least for n in range(2, 129))


@each_target
@pytest.mark.parametrize("pair", [(0, 77), (5, 5), (77, 0)])
def test_swap(target: Target, pair: tuple[int, int]) -> None:
    result = ready(target).call("swap", **dict(zip(target.swaps, pair, strict=True)))
    assert claim(target, "swap") == (result.cycles, result.cycles)
    cards = list(range(78))
    cards[pair[0]], cards[pair[1]] = cards[pair[1]], cards[pair[0]]
    assert result.mem["deck"] == bytes(cards)


@each_target
def test_deck_init(target: Target) -> None:
    machine = ready(target)
    machine.write("deck", bytes(78))
    result = machine.call("deck_init")
    assert claim(target, "deck_init") == (result.cycles, result.cycles)
    assert result.mem["deck"] == bytes(range(78))


@pytest.mark.parametrize(("target", "mean"), [(MOS6502, 6600), (SM83, 3800)])
def test_shuffle_takes_what_its_contract_says_on_average(target: Target, mean: int) -> None:
    machine = ready(target)
    found = [machine.call("shuffle").cycles for _ in range(400)]
    least, most = claim(target, "shuffle")
    assert most is None
    assert min(found) >= least
    # the deviation of the mean of 400 shuffles is about 20
    assert sum(found) / len(found) == pytest.approx(mean, abs=100)
    place = rom(target).contracts["shuffle"].span
    assert f"({mean} on average" in place.source.text
