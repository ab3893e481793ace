"""Runs of models that say nothing of the stack: it lies where no object of the contract is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from infer_programs import SOURCE_SM83, rom_sm83

from romproof.contract.nouns.items import MemoryRange
from romproof.prover.refinement.fragment import piece_of
from romproof.prover.replay.run import inputs_of
from romproof.prover.states.entry import Start, start_of
from romproof.prover.states.program import program_of
from romproof.symbolic.terms.model import Model

FREE = 64
"""Bytes of an object: more than the room below a stack pointer is not needed."""


def begun(folder: Path, *outputs: MemoryRange) -> Start:
    rom = rom_sm83(folder, SOURCE_SM83)
    program, address = program_of(rom), rom.image.address("Saved")
    contract = piece_of(program.image, ";; Saved – a test.\n; out: A", address).contract
    return start_of(program, replace(contract, outputs=outputs), address, {})


def stack_of(start: Start, values: dict[str, int]) -> int:
    entry = start.state(frozenset(), {})
    return inputs_of(start, entry, Model(values, {})).registers["sp"]


def test_the_stack_of_a_model_that_has_none_is_apart_from_objects(tmp_path: Path) -> None:
    pointer = begun(tmp_path).frame.pointer
    low, high = pointer.low, pointer.high
    assert stack_of(begun(tmp_path), {}) == low  # nothing is there
    below = begun(tmp_path, MemoryRange("m", low - FREE // 2, FREE))
    assert stack_of(below, {}) == high
    just_above = begun(tmp_path, MemoryRange("m", low + 1, 1))  # where the return address lies
    assert stack_of(just_above, {}) == high
    beside = begun(tmp_path, MemoryRange("m", low + 3, FREE))  # all of the stack ends below it
    assert stack_of(beside, {}) == low


def test_the_stack_of_a_model_stays_where_the_model_has_it(tmp_path: Path) -> None:
    start = begun(tmp_path)
    low = start.frame.pointer.low
    there = begun(tmp_path, MemoryRange("m", low - FREE // 2, FREE))
    assert stack_of(there, {start.frame.pointer.name: low}) == low
    # where there is no place at either end, none is made up
    high = start.frame.pointer.high
    both = begun(tmp_path, MemoryRange("m", low - FREE // 2, FREE), MemoryRange("m", high, 1))
    assert stack_of(both, {}) == low
