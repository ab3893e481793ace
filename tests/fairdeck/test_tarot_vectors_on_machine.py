"""The register, the draw and the bit streams of the vectors, on the machine code."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case

from fairdeck.data import rom_folder
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import FEEDBACKS
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.targets import MOS6502, SM83, TARGETS, Target
from fairdeck.tarot.variants import BALANCED, DEFAULT_VARIANT, FAST, SMALL, Variant
from romproof.harness.rom import Rom
from romproof.projects import Manifest, load_manifest
from romproof.projects.program_cache import build_cached

HERE = Path(__file__).parent
VECTORS = json.loads((HERE.parent / "vectors" / "tarot.json").read_text())
REDUCTIONS = {"correct": 0, "printed": 1}
STEPS_CHECKED = 64  # calls of the register; the vectors go on to 1,000

SUFFIX = {MOS6502: ".s", SM83: ".asm"}
each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS.keys())


def manifest_of(target: Target) -> Manifest:
    """The library of a CPU."""
    return load_manifest(rom_folder() / target.library / "manifest.toml")


def defines(feedback: str, reduction: str) -> dict[str, int]:
    """The symbols that choose a variant; the vectors have more feedback bytes than the model."""
    return {"TAROT_FEEDBACK": int(feedback, 16), "TAROT_REDUCTION": REDUCTIONS[reduction]}


@cache
def rom(
    target: Target,
    feedback: str = "A3",
    reduction: str = "correct",
    variant: Variant = DEFAULT_VARIANT,
) -> Rom:
    """All routines, with these parameters."""
    known = FEEDBACKS.get(feedback.lower())
    if known is not None:  # built once for all tests
        return Rom(tarot_library(target, known, Reduction(reduction), variant).image)
    chosen = {**defines(feedback, reduction), "TAROT_VARIANT": variant.define}
    return Rom(build_cached(manifest_of(target), defines=chosen).image)


def library_rom(target: Target, names: Iterable[str], first: Path, **chosen: str) -> Rom:
    """Some files of the library, and ``first`` before them."""
    manifest = manifest_of(target)
    library = manifest.include[0] / "tarot"
    sources = [library / f"{name}{SUFFIX[target]}" for name in names]
    part = replace(manifest, name="part", sources=(first, *sources), entry=None, header=None)
    return Rom(build_cached(part, defines=defines(**chosen)).image)


@cache
def tape_rom(target: Target, reduction: str) -> Rom:
    """The draw alone, on top of a next_byte that plays back given bytes."""
    tape, names = HERE / f"tape{SUFFIX[target]}", ("state", "flip", "draw")
    return library_rom(target, names, tape, feedback="A3", reduction=reduction)


@pytest.mark.slow_cases(
    "some-next_byte-balanced-64-6502",
    "some-next_byte-balanced-64-sm83",
    "some-next_byte-small-8-6502",
    "some-next_byte-fast-8-6502",
    "some-next_byte-fast-8-sm83",
    "some-next_byte_small-balanced-64-6502",
    "some-next_byte_small-balanced-64-sm83",
)
@each_target
@pytest.mark.parametrize(
    ("routine", "variant", "calls"),
    [
        ("next_byte", BALANCED, STEPS_CHECKED),
        ("next_byte", SMALL, 8),  # a few for the others: they are proved for all states
        ("next_byte", FAST, 8),
        ("next_byte_small", BALANCED, STEPS_CHECKED),
    ],
    ids=lambda each: getattr(each, "name", str(each)),
)
@every_case("case", VECTORS["lfsr"], lambda case: f"{case['feedback']}-{case['state']}", some=5)
def test_register(
    target: Target, case: dict[str, Any], routine: str, variant: Variant, calls: int
) -> None:
    machine = rom(target, case["feedback"], variant=variant).machine()
    machine.write("lfsr", bytes.fromhex(case["state"]))
    states = {int(count): state for count, state in case["state_after_calls"].items()}
    wanted = bytes.fromhex(case["bytes_64"])
    for call in range(1, calls + 1):
        result = machine.call(routine)
        if call <= len(wanted):
            assert result.a == wanted[call - 1]
        if call in states:
            assert machine.read("lfsr").hex().upper() == states[call]


@pytest.mark.slow_cases("some-6502", "some-sm83")
@each_target
@every_case(
    "case",
    VECTORS["draws"],
    ids=lambda case: f"{case['feedback']}-{case['state']}-{case['reduction']}",
    some=4,
)
def test_draws(target: Target, case: dict[str, Any]) -> None:
    machine = rom(target, case["feedback"], case["reduction"]).machine()
    machine.write("lfsr", bytes.fromhex(case["state"]))
    machine.write("rng", 0)
    machine.write("flips_left", 0)
    for n, value, _ in case["draws_n_value_flips"]:
        assert machine.call("draw", a=n - 1).a == value
    assert machine.read("flips_left")[0] == case["flips_left"]


@pytest.mark.slow
@each_target
@every_case("case", VECTORS["streams"], ids=lambda case: f"{case['n']}-{case['reduction']}")
def test_streams(target: Target, case: dict[str, Any]) -> None:
    bits = case["bits"]
    # flips are taken from bit 0 upward
    tape = bytes(int(bits[at : at + 8][::-1], 2) for at in range(0, len(bits), 8))
    machine = tape_rom(target, case["reduction"]).machine()
    machine.write("tape", tape.ljust(64, b"\0"))
    for name in ("tape_at", "rng", "flips_left"):
        machine.write(name, 0)
    used = 0
    for value, flips in case["value_flips"]:
        # the tape moves on, which is not in the contract of draw
        assert machine.call("draw", a=case["n"] - 1, check=False).a == value
        used += flips
        assert 8 * machine.read("tape_at")[0] - machine.read("flips_left")[0] == used


STATUS_DONE, STATUS_ZERO_SEED = 1, 2
PROGRAM_LIMIT = 2_000_000


@every_case("case", VECTORS["decks"][:20], ids=lambda case: case["state"])
def test_the_program_from_reset(case: dict[str, Any]) -> None:
    machine = rom(MOS6502, case["feedback"], case["reduction"]).machine()
    decks = case["deck_hex_after_each_shuffle"]
    machine.write("lfsr", bytes.fromhex(case["state"]))
    machine.write("shuffle_count", len(decks))
    machine.run_from("reset", until="done", limit=PROGRAM_LIMIT)
    assert machine.read("status")[0] == STATUS_DONE
    assert machine.read("deck", 78).hex().upper() == decks[-1]
    after = case["generator_after_each_shuffle"][-1]
    assert machine.read("lfsr").hex().upper() == after["lfsr"]
    assert (machine.read("rng")[0], machine.read("flips_left")[0]) == (
        after["rng"],
        after["flips_left"],
    )


def test_the_program_refuses_the_zero_seed() -> None:
    machine = rom(MOS6502).machine()
    machine.write("lfsr", bytes(4))
    machine.write("shuffle_count", 1)
    before = machine.read("deck", 78)
    result = machine.run_from("reset", until="done", limit=PROGRAM_LIMIT)
    assert machine.read("status")[0] == STATUS_ZERO_SEED
    assert machine.read("deck", 78) == before
    assert result.cycles < 100


@pytest.mark.slow_cases("correct-sm83", "printed-6502")
@each_target
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_the_feedback_byte_with_the_most_ones(target: Target, reduction: str) -> None:
    """Its code is the longest there is. All variants do the same."""
    decks = []
    for variant in (SMALL, BALANCED):
        machine = rom(target, "FF", reduction, variant).machine()
        machine.write("lfsr", bytes.fromhex("12345678"))
        machine.write("rng", 0)
        machine.write("flips_left", 0)
        machine.call("deck_init")
        for _ in range(4):
            machine.call("shuffle")
        decks.append((machine.read("deck"), machine.read("lfsr")))
    assert decks[0] == decks[1]
    assert sorted(decks[0][0]) == list(range(78)) != list(decks[0][0])
