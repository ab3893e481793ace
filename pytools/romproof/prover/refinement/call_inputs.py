"""Inputs as calls take them: registers, flags and memory of a contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from romproof.contract.nouns.items import MemoryRange
from romproof.isa.abi import Flag, Register
from romproof.prover.models.inputs import WANTED, Batch, select_from_all
from romproof.prover.results import Example
from romproof.prover.routines.routine import Explored
from romproof.prover.states.entry import input_bounds, register_name
from romproof.symbolic.execute.memory import Memory
from romproof.symbolic.terms.term import Term


def input_terms(explored: Explored) -> list[Term]:
    """A term for each register, flag and byte that the contract lists as an input."""
    return [term for _, terms in _inputs(explored) for term in terms]


def examples_of(explored: Explored, batches: Iterable[Batch]) -> Iterator[Example]:
    """Inputs as calls take them: about ``WANTED`` if there are more."""
    inputs = _inputs(explored)
    terms = [term for _, each in inputs for term in each]
    for batch in select_from_all(batches, WANTED):
        for part in batch.parts(terms):
            values = part.evaluate(terms)
            columns = {term: values[term].tolist() for term in values}
            for number in range(part.count):
                yield _example(
                    [(item, [columns[term][number] for term in each]) for item, each in inputs],
                    explored.exploration.start.program.abi.flag_names,
                )


def _inputs(explored: Explored) -> list[tuple[Register | Flag | MemoryRange, list[Term]]]:
    """What the contract lists, with its terms."""
    exploration = explored.exploration
    start = exploration.start
    program, contract = start.program, start.contract
    memory = Memory(start.layout, exploration.indexed, input_bounds(program, contract))
    inputs: list[tuple[Register | Flag | MemoryRange, list[Term]]] = []
    for item in contract.inputs:
        if isinstance(item, MemoryRange):
            inputs.append((item, [memory.start(address) for address in item.addresses()]))
        else:
            inputs.append((item, [start.registers[register_name(program.abi, item)]]))
    return inputs


def _example(
    values: Sequence[tuple[Register | Flag | MemoryRange, Sequence[int]]],
    flag_names: Mapping[str, str],
) -> Example:
    registers: dict[str, int] = {}
    flags: dict[str, int] = {}
    memory: dict[int, bytes] = {}
    names: dict[int, str] = {}
    for item, numbers in values:
        if isinstance(item, MemoryRange):
            known = memory.get(item.address, b"")
            memory[item.address] = max(known, bytes(numbers), key=len)
            names[item.address] = item.name
        elif isinstance(item, Flag):
            flags[item.letter] = numbers[0]
        else:
            registers[item.attribute] = numbers[0]
    return Example(registers, flags, memory, names, flag_names=flag_names)
