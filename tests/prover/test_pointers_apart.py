"""That blocks behind pointers lie apart is proved, not assumed; what knows no blocks says so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from claims import Verdict, few_runs, rom_of, source
from slow import slow_but
from test_claims_pointers import COPY, COPY_CODE, yes

from romproof.harness.comparing import ComparedSide, compare
from romproof.harness.rom import Rom
from romproof.harness.state.values import BadValue
from romproof.isa.abi import MOS6502
from romproof.prover.models.mapping import mapping_of
from romproof.prover.routines.routine import ProofTask, prove_routine
from romproof.prover.same.sides import side_of
from romproof.prover.states.model_places import BadMapping
from romproof.prover.states.program import program_of
from romproof.text.errors import RomproofError

IMPLIED = 7
"""Conditions: both are within 64 KiB and off the stack, dst off ptr and buf, code, and src."""


@pytest.fixture(scope="module")
def rom() -> Rom:
    """A copy of eight bytes."""
    pytest.importorskip("z3", reason="what is asked of the routine needs it")
    return rom_of("6502", source("6502", yes(COPY, COPY_CODE)))


@pytest.mark.parametrize("number", slow_but((4, 6), range(7), pytest.mark.proof))
def test_each_condition_is_needed(rom: Rom, number: int) -> None:
    contract = rom.contracts["it"]
    assert len(contract.requires) == IMPLIED
    kept = (*contract.requires[:number], *contract.requires[number + 1 :])
    bare = replace(contract, requires=kept, ensures=(), cycles=None)
    with few_runs():
        address = rom.image.address("it")
        proof, _ = prove_routine(ProofTask(program_of(rom), bare, address))
    assert proof.verdict in (Verdict.UNKNOWN, Verdict.REFUTED)
    (apart,) = (
        each for each in proof.findings if str(each.statement).endswith("apart from all else")
    )
    assert apart.verdict is Verdict.UNKNOWN
    assert "allows that" in apart.detail or "it relies on" in apart.detail


def test_no_model_is_given_blocks(rom: Rom) -> None:
    with pytest.raises(BadMapping, match="has a pointer"):
        mapping_of(rom.contracts["it"], MOS6502, lambda ptr: ptr)


def test_two_versions_with_blocks_are_not_compared(rom: Rom) -> None:
    with pytest.raises(RomproofError, match="has a pointer"):
        side_of("it", rom, "it")


def test_no_inputs_are_drawn_behind_pointers(rom: Rom) -> None:
    with pytest.raises(BadValue, match="has a pointer"):
        compare([ComparedSide("one", rom), ComparedSide("other", rom)], "it", 4, 1000)
