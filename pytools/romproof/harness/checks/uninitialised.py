"""Uninitialised memory: what reads it, and whether what comes out depends on it.

That a routine reads such memory need be no fault: it may keep what a caller has there, or skip two
bytes with BIT. That its outputs or its cycles depend on it is one, where the contract lists all
inputs and that memory is none of them. So a call is made again with other values there, and what
then is different was no false alarm.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from romproof.contract.checks.check import Violation, neighbours
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.engine.protocol import EngineFault, Stop
from romproof.engine.space import PAGE
from romproof.harness.errors import CallRecord
from romproof.harness.replay.run import Scenario
from romproof.harness.state.result import Result
from romproof.harness.state.stubbed_board import StubbedBoard
from romproof.machine.memory import SIZE
from romproof.program.image import Image

_RESERVED = {"bss", "zp", "rw"}
"""The kinds of segments that may reserve memory."""


def find_variables(image: Image) -> frozenset[int]:
    """The addresses that a program reserves without saying what is there: its variables."""
    addresses: set[int] = set()
    for segment in image.segments:
        if segment.kind in _RESERVED:
            addresses.update(range(segment.run, min(segment.run + segment.size, SIZE)))
    for block in image.blocks:
        addresses.difference_update(range(block.address, block.address + len(block.data)))
    return frozenset(addresses)


def dependence(
    second: Callable[[], StubbedBoard],
    record: CallRecord,
    contract: Contract,
    result: Result,
    unknown: Collection[int],
) -> Violation | None:
    """What of a call's ``result`` depends on some of the ``unknown`` bytes; None if nothing does.

    Inputs of the contract, ports among them, may have any values and are left as they are; a
    contract without ``in:`` does not say which these are.
    """
    if not contract.says("in"):
        return None
    free = free_of(frozenset(unknown), contract.input_addresses)
    if not free:
        return None
    stage, scenario = second(), record.scenario
    whole = _difference(stage, scenario, contract, result, free)
    if whole is None:
        return None
    variables: dict[str, list[int]] = {}
    for address in free:
        variables.setdefault(record.image.variables_at(address), []).append(address)
    for variable, addresses in variables.items():
        one = _difference(stage, scenario, contract, result, tuple(addresses))
        if one is not None:
            return _violation(contract, one, f"'{variable}'")
    return _violation(contract, whole, "several variables")


def _violation(contract: Contract, what: str, on: str) -> Violation:
    return Violation(
        f"{what} on {on}, which has not been written and is not an input; let the routine set "
        f"it first, or list it under 'in:' (uninitialised=False disables this check)",
        contract.place("in"),
    )


def _difference(
    stage: StubbedBoard,
    scenario: Scenario,
    contract: Contract,
    result: Result,
    changed: tuple[int, ...],
) -> str | None:
    """What comes out otherwise when some bytes have other values: ``A depends``; None: nothing."""
    for masks in _masks(changed):
        outcome = _find_difference(stage, scenario, contract, result, masks)
        if outcome is not None:
            return outcome
    return None


# A test calls the same routine many times, and sets the same variables for it: the answers are
# the same objects each time, whose hash is known.


@lru_cache(maxsize=256)
def subtract(addresses: frozenset[int], gone: range) -> frozenset[int]:
    """The addresses that are not among those ``gone``."""
    return addresses.difference(gone)


@lru_cache(maxsize=256)
def subtract_all(addresses: frozenset[int], gone: tuple[tuple[int, int], ...]) -> frozenset[int]:
    """The same for several ranges: the first address of each, and the one after its last."""
    return addresses.difference(*(range(start, end) for start, end in gone))


@lru_cache(maxsize=256)
def free_of(unknown: frozenset[int], inputs: frozenset[int]) -> tuple[int, ...]:
    """What is unknown and no input."""
    return tuple(sorted(unknown - inputs))


@lru_cache(maxsize=64)
def marks_of(unknown: frozenset[int], inputs: frozenset[int]) -> bytes:
    """The same as a byte for each address, 1 for those that are meant."""
    marks = bytearray(SIZE)
    for address in free_of(unknown, inputs):
        marks[address] = 1
    return bytes(marks)


@dataclass(frozen=True, slots=True)
class _Masks:
    """The bits to invert, by address; and as numbers, those of neighbours together, and those of
    neighbours within a page: the first address, the one after the last, and the bits."""

    by_address: Mapping[int, int]
    runs: tuple[tuple[int, int, int], ...]
    in_pages: tuple[tuple[int, int, int], ...]


@lru_cache(maxsize=256)
def _masks(changed: tuple[int, ...]) -> tuple[_Masks, ...]:
    """The two ways in which bytes are inverted."""
    reads: list[_Masks] = []
    for mask in (_all_bits, _scatter):
        masks = {address: mask(address) for address in changed}
        runs = list(neighbours(changed))
        parts = [list(part) for run in runs for _, part in groupby(run, key=_page_of)]
        reads.append(_Masks(masks, _join_bits(masks, runs), _join_bits(masks, parts)))
    return tuple(reads)


def _join_bits(
    masks: Mapping[int, int], runs: Iterable[Sequence[int]]
) -> tuple[tuple[int, int, int], ...]:
    """See _Masks; each run has addresses one after another."""
    return tuple(
        (run[0], run[-1] + 1, int.from_bytes(bytes(masks[a] for a in run), "little"))
        for run in runs
    )


def _page_of(address: int) -> int:
    return address // PAGE


def _all_bits(address: int) -> int:
    return 0xFF


def _scatter(address: int) -> int:
    """Other bits at other addresses: what changes everywhere alike may cancel out."""
    return 1 + address * 167 % 255


def _find_difference(
    stage: StubbedBoard,
    scenario: Scenario,
    contract: Contract,
    result: Result,
    masks: _Masks,
) -> str | None:
    """What comes out otherwise when the call begins with the bits ``masks`` of memory inverted."""
    engine, space = stage.engine, stage.board.space
    scenario.set_up(stage)
    if space.flat:  # a byte at a time takes longer than the call
        for start, end, bits in masks.runs:
            inverted = int.from_bytes(scenario.memory[start:end], "little") ^ bits
            space.store[start:end] = inverted.to_bytes(end - start, "little")
    else:
        # variables are in RAM: no device need be told
        for start, end, bits in masks.in_pages:
            place = space.read_pages[start // PAGE] + start % PAGE
            inverted = int.from_bytes(scenario.memory[start:end], "little") ^ bits
            space.store[place : place + end - start] = inverted.to_bytes(end - start, "little")
    before = engine.cycles
    try:
        if stage.run(scenario.until, scenario.limit) is not Stop.REACHED:
            return "whether it returns depends"
    except EngineFault:
        return "whether it returns depends"
    abi, registers = scenario.abi, engine.registers
    for register in abi.registers:
        if register.name not in contract.coming_out:
            continue
        if abi.get(registers, register.attribute) != getattr(result, register.attribute):
            return f"{register.name} depends"
    flags = abi.flags_of(registers) ^ abi.flags_of(result.registers)
    for flag in abi.flags:
        if flag.name in contract.coming_out and flags & flag.mask:
            return f"flag {flag.name} depends"
    after = stage.memory
    for item in contract.outputs:
        if isinstance(item, MemoryRange):
            start, end = item.address, item.address + item.size
            if after[start:end] == result.after[start:end]:
                continue
            for address in item.addresses():
                one, two = result.after[address], after[address]
                # what was not touched is as different as it was
                old = scenario.memory[address]
                untouched = (one, two) == (old, old ^ masks.by_address.get(address, 0))
                if one != two and not untouched:
                    return f"{item.name} depends"
    if engine.cycles - before != result.cycles:
        return "the number of its cycles depends"
    return None
