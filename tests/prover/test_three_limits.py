"""What calls take lies within what is proved, and that within the static bounds."""

from __future__ import annotations

import random
from functools import cache

import pytest
from slow import slow_but

from fairdeck.proofs.statement import program
from fairdeck.tarot.variants import FAST
from romproof.contract.names.bounds import bounds_of
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.harness.rom import Rom
from romproof.isa.abi import Flag, Register
from romproof.prover.results import CycleProof, Verdict
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.program import program_of
from romproof.timing.program import TimedProgram as StaticProgram

CALLS = 40
ROUTINES = {
    "tarot": ("next_byte", "next_byte_small", "flip", "swap", "deck_init"),
    "../asm/sm83/tarot": ("next_byte", "next_byte_small", "flip", "swap", "deck_init"),
    "walls": ("modulo", "sha512_start", "sha512_finish"),
    "walls-gb": ("modulo", "sha512_start", "sha512_finish"),
}
LONG = [("walls", "modulo"), ("walls-gb", "modulo"), ("tarot", "swap")]
CASES = slow_but(
    [(rom, name) for rom in ROUTINES for name in ROUTINES[rom] if (rom, name) not in LONG],
    [(rom, name) for rom in ROUTINES for name in ROUTINES[rom]],
    pytest.mark.proof,
)


def program_of_folder(folder: str) -> Rom:
    """The program; of the tarot the fast variant, whose claims are exact."""
    fast = (("TAROT_VARIANT", FAST.define),)
    return program(folder, fast if folder.endswith("tarot") else ())


@cache
def bank(folder: str) -> LemmaStore:
    return LemmaStore(program_of(program_of_folder(folder)), ProofOptions(60.0))


@cache
def static(folder: str) -> StaticProgram:
    rom = program_of_folder(folder)
    return StaticProgram(rom.image, rom.contracts)


@cache
def proved(folder: str, routine: str) -> CycleProof:
    own = bank(folder)
    contracts = program_of_folder(folder).contracts
    if routine == "flip":
        own.prove(contracts["next_byte"])
    proof, _ = own.prove(contracts[routine])
    assert proof.verdict is Verdict.PROVED, proof.findings
    assert proof.cycles is not None
    return proof.cycles


def observed(rom: Rom, contract: Contract, chance: random.Random) -> int:
    """The cycles of a call with random inputs that the contract allows."""
    bounds = bounds_of(contract)
    registers: dict[str, int] = {}
    flags: dict[str, int] = {}
    memory: dict[str | int, bytes] = {}
    for item in contract.inputs:
        match item:
            case Register():
                low, high = bounds.get(item, (0, 0xFF))
                registers[item.attribute] = chance.randint(low, high)
            case Flag():
                flags[item.letter] = chance.randint(0, 1)
            case MemoryRange():
                limits = (bounds.get(address, (0, 0xFF)) for address in item.addresses())
                memory[item.address] = bytes(chance.randint(*each) for each in limits)
    return rom.call(contract.name, flags=flags, mem=memory, **registers).cycles


@pytest.mark.quick_cases("tarot-swap", "walls-modulo", "walls-gb-modulo")
@pytest.mark.parametrize(("folder", "routine"), CASES)
def test_observed_within_proved_within_static(folder: str, routine: str) -> None:
    rom = program_of_folder(folder)
    limits, bounds = proved(folder, routine), static(folder).bounds(routine)
    assert limits.least is not None
    assert limits.most is not None
    assert bounds.best <= limits.least <= limits.most
    assert bounds.worst is not None
    assert limits.most <= bounds.worst
    chance = random.Random(f"{folder} {routine}")
    for _ in range(CALLS):
        assert limits.least <= observed(rom, rom.contracts[routine], chance) <= limits.most


@pytest.mark.quick_cases("tarot-swap", "tarot-deck_init", "walls-modulo", "walls-gb-modulo")
@pytest.mark.parametrize(("folder", "routine"), CASES)
def test_both_limits_are_reached(folder: str, routine: str) -> None:
    rom = program_of_folder(folder)
    limits = proved(folder, routine)
    for count, example in ((limits.least, limits.fastest), (limits.most, limits.slowest)):
        assert example is not None
        memory: dict[str | int, bytes] = dict(example.memory)
        done = rom.call(routine, flags=example.flags, mem=memory, **example.registers)
        assert done.cycles == count
