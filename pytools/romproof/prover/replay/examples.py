"""Models of a solver as people see them: the input of a call, and the state at a place."""

from __future__ import annotations

from collections.abc import Iterable

from romproof.contract.nouns.items import MemoryRange
from romproof.isa.abi import Flag, Register
from romproof.prover.results import Example
from romproof.prover.states.entry import Start, input_bounds, register_name
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.memory import Memory
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import RETURN_ADDRESS
from romproof.symbolic.terms.term import Term


def example_of(
    start: Start, model: Model, indexed: frozenset[MemoryObject], involved: Iterable[Term]
) -> Example:
    """The input of a model, as a call takes it: what the contract lists, and what else matters.

    ``involved`` are the terms that the model is about.
    """
    abi = start.program.abi
    matter = {variable.name for variable in t.variables(involved)}
    listed = start.contract.inputs

    def is_listed(item: Register | Flag) -> bool:
        return item in listed or register_name(abi, item) in matter

    def value(item: Register | Flag) -> int:
        return model.value(start.registers[register_name(abi, item)])

    registers = {r.attribute: value(r) for r in abi.registers if is_listed(r)}
    flags = {f.letter: value(f) for f in abi.flags if is_listed(f)}
    bounds = input_bounds(start.program, start.contract)
    first = Memory(start.layout, indexed, bounds)
    ranges = [item for item in listed if isinstance(item, MemoryRange)]
    known = {address for item in ranges for address in item.addresses()}
    bytes_of = {at for name in matter if name.is_at_entry and (at := name.address) is not None}
    objects = [each for each in start.layout.objects if each.address not in known]
    inside = {a for each in objects for a in range(each.address, each.end)}
    for address in sorted(bytes_of - inside - known):
        ranges.append(MemoryRange(start.program.name_at(address), address, 1))
    ranges += [
        MemoryRange(each.name, each.address, each.size)
        for each in objects
        if each.key in matter or not bytes_of.isdisjoint(range(each.address, each.end))
    ]
    memory = {
        item.address: bytes(model.value(first.start(address)) for address in item.addresses())
        for item in ranges
    }
    names = {item.address: item.name for item in ranges}
    for block in start.state(indexed, bounds).memory.blocks:
        data = memory.pop(block.which.address, b"")[: model.value(block.size)]
        if data:
            place = model.value(block.base)
            memory[place], names[place] = data, block.which.name
    pointer = start.frame.pointer
    stack = model.value(pointer) if pointer.name in matter else None
    back = model.value(start.frame.target) if RETURN_ADDRESS in matter else None
    return Example(registers, flags, memory, names, stack, back, abi.flag_names)


def state_of(start: Start, state: State, model: Model, involved: Iterable[Term]) -> Example:
    """A state for the values of a model: what of it is neither known nor as at the entry.

    ``involved`` are the terms that the model is about.
    """
    abi, memory = start.program.abi, state.memory
    matter = {v.name for v in t.variables(involved) if not v.name.is_at_entry}

    def is_involved(terms: Iterable[Term]) -> bool:
        return any(variable.name in matter for variable in t.variables(terms))

    def term(item: Register | Flag) -> Term:
        return state.get(register_name(abi, item))

    registers = {r.attribute: model.value(term(r)) for r in abi.registers if is_involved([term(r)])}
    flags = {f.letter: model.value(term(f)) for f in abi.flags if is_involved([term(f)])}
    data: dict[int, bytes] = {}
    for each in start.layout.objects:
        cells = [memory.byte(address) for address in range(each.address, each.end)]
        if is_involved(cells):
            data[each.address] = bytes(map(model.value, cells))
    names = {each.address: each.name for each in start.layout.objects if each.address in data}
    return Example(registers, flags, data, names, flag_names=abi.flag_names)
