"""The claims of the contracts about cycles: what they allow is what happens, at both ends."""

from __future__ import annotations

from functools import cache

import pytest
from slow import slow_but

from fairdeck.tarot.costs import size_of
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, FEEDBACKS
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.on_machine import LIMIT
from fairdeck.tarot.targets import MOS6502, SM83, TARGETS, Target
from fairdeck.tarot.variants import BALANCED, FAST, SMALL, VARIANTS, Variant
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom

each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS.keys())
OUTGOING = (0x00, 0x01, 0xFF)
"""Bytes that leave the register: no feedback in eight steps, once, eight times."""


each_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
FRESH = {MOS6502: 32, SM83: 43}
"""What a flip takes for a fresh byte, without what next_byte takes."""


@cache
def rom(target: Target, variant: Variant, feedback: str = "a3") -> Rom:
    return Rom(tarot_library(target, FEEDBACKS[feedback], Reduction.CORRECT, variant).image)


def claim(
    target: Target, variant: Variant, routine: str, feedback: str = "a3"
) -> tuple[int, int | None]:
    """What the contract says: the fewest and the most cycles."""
    cycles = rom(target, variant, feedback).contracts[routine].cycles
    assert cycles is not None
    return cycles


def ready(target: Target, variant: Variant, feedback: str = "a3") -> Machine:
    """A machine with a seed, no flips left and the cards in order."""
    machine = rom(target, variant, feedback).machine()
    machine.write("lfsr", bytes.fromhex("12345678"))
    machine.write("rng", 0)
    machine.write("flips_left", 0)
    machine.write("deck", bytes(range(78)))
    return machine


def next_bytes(machine: Machine, routine: str = "next_byte") -> set[int]:
    """The cycles of calls after which the extremes are known."""
    found = set()
    for last in OUTGOING:
        machine.write("lfsr", bytes([0x12, 0x34, 0x56, last]))
        found.add(machine.call(routine).cycles)
    return found


@pytest.mark.slow_cases("a3-fast-sm83")
@each_target
@each_variant
@pytest.mark.parametrize("feedback", slow_but(["a3"], FEEDBACKS))
def test_next_byte(target: Target, variant: Variant, feedback: str) -> None:
    found = next_bytes(ready(target, variant, feedback))
    assert (min(found), max(found)) == claim(target, variant, "next_byte", feedback)
    if target is SM83 and variant is BALANCED:  # how many shifts it takes is up to the feedback
        assert found == {{"a3": 45, "c5": 46, "cf": 48}[feedback]}


@each_target
@pytest.mark.parametrize("feedback", FEEDBACKS)
def test_next_byte_without_tables(target: Target, feedback: str) -> None:
    found = next_bytes(ready(target, SMALL, feedback), "next_byte_small")
    assert (min(found), max(found)) == claim(target, SMALL, "next_byte_small", feedback)


@each_target
@each_variant
def test_flip(target: Target, variant: Variant) -> None:
    machine = ready(target, variant)
    least, most = claim(target, variant, "flip")
    assert [machine.call("flip").cycles for _ in range(8)][1:] == [least] * 7
    fresh = set()
    for last in OUTGOING:
        machine.write("lfsr", bytes([0x12, 0x34, 0x56, last]))
        machine.write("flips_left", 0)
        fresh.add(machine.call("flip").cycles)
    assert fresh == {FRESH[target] + cycles for cycles in next_bytes(machine)}
    assert most is None  # it follows from next_byte


@pytest.mark.slow_cases("small-sm83", "balanced-sm83", "fast-6502")
@each_target
@each_variant
def test_draw_has_no_most(target: Target, variant: Variant) -> None:
    machine = ready(target, variant)
    least, most = claim(target, variant, "draw")
    assert most is None
    assert machine.call("draw", a=0).cycles == least
    assert all(machine.call("draw", a=n - 1).cycles > least for n in range(2, 129))


@each_target
@pytest.mark.parametrize("pair", [(0, 77), (5, 5), (77, 0)])
def test_swap(target: Target, pair: tuple[int, int]) -> None:
    result = ready(target, SMALL).call("swap", **dict(zip(target.swaps, pair, strict=True)))
    assert claim(target, SMALL, "swap") == (result.cycles, result.cycles)
    cards = list(range(78))
    cards[pair[0]], cards[pair[1]] = cards[pair[1]], cards[pair[0]]
    assert result.mem["deck"] == bytes(cards)


@each_target
def test_deck_init(target: Target) -> None:
    machine = ready(target, SMALL)
    machine.write("deck", bytes(78))
    result = machine.call("deck_init")
    assert claim(target, SMALL, "deck_init") == (result.cycles, result.cycles)
    assert result.mem["deck"] == bytes(range(78))


MEANS = [
    *((MOS6502, SMALL, 44150), (MOS6502, BALANCED, 12530), (MOS6502, FAST, 6600)),
    *((SM83, SMALL, 38750), (SM83, BALANCED, 7280), (SM83, FAST, 3800)),
]


@pytest.mark.parametrize(
    ("target", "variant", "mean"),
    slow_but([row for row in MEANS if row[1] is not SMALL], MEANS),  # these are quicker to run
    ids=lambda each: getattr(each, "name", None),
)
def test_shuffle_takes_what_its_contract_says_on_average(
    target: Target, variant: Variant, mean: int
) -> None:
    machine = ready(target, variant)
    found = [machine.call("shuffle", limit=LIMIT).cycles for _ in range(400)]
    least, most = claim(target, variant, "shuffle")
    assert most is None
    assert min(found) >= least
    # the deviation of the mean of 400 shuffles is about 20, of the small one 60
    assert sum(found) / len(found) == pytest.approx(mean, abs=300 if variant is SMALL else 100)
    place = rom(target, variant).contracts["shuffle"].span
    assert f"({mean} on average" in place.source.text


CODE = {SMALL: 160, BALANCED: 900}
"""Bytes of code and tables that a variant may have."""
CYCLES = {MOS6502: 13_000, SM83: 7_500}
"""Cycles that the balanced shuffle may take on average."""


@each_target
@pytest.mark.parametrize("variant", CODE, ids=lambda variant: variant.name)
def test_a_variant_keeps_to_its_size(target: Target, variant: Variant) -> None:
    size = size_of(target, DEFAULT_FEEDBACK, Reduction.CORRECT, variant)
    assert size.code + size.tables <= CODE[variant]
    if variant is SMALL:
        assert size.tables == 0
        assert size.memory <= 90
    else:
        assert size.memory - 78 - 6 <= 16  # beside the deck and the generator


@pytest.mark.parametrize("target", CYCLES, ids=lambda target: target.name)
def test_the_balanced_shuffle_is_quick_enough(target: Target) -> None:
    (mean,) = (mean for of, variant, mean in MEANS if (of, variant) == (target, BALANCED))
    assert mean + 200 < CYCLES[target]  # ten times what a mean of 400 shuffles strays
