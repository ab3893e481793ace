"""The rule for invariants: a loop is cut where one stands.

The argument stands in the head page: ``romproof.prover.exploration``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from romproof.contract.nouns.expr import Condition
from romproof.prover.states.entry import Bounds, Start, clip, input_bounds, register_name
from romproof.prover.states.view import for_any, term_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import EQ, VAR, new_name
from romproof.symbolic.terms.origin import HAVOC, VariableName, byte_name, cut_name, stack_name
from romproof.symbolic.terms.term import Term


@dataclass(frozen=True)
class Cut:
    """A place with an invariant: ``state`` is what execution goes on with.

    ``arrived`` is the state that came there first. ``unknown`` has the new variables by the name
    that each has at the entry.
    """

    address: int
    conditions: tuple[Condition, ...]
    state: State = field(repr=False)
    arrived: State = field(repr=False)
    unknown: Mapping[VariableName, Term] = field(repr=False)


def cut_at(
    start: Start,
    entry: State,
    arrived: State,
    address: int,
    conditions: tuple[Condition, ...],
    changing: Collection[str] = (),
) -> Cut:
    """The cut at a place that a state has come to for the first time. ``changing`` are registers
    and flags, besides what the contract lists, of which nothing is known there, and bytes of the
    stack."""
    contract, abi, cpu = start.contract, start.program.abi, start.program.cpu
    bounds = input_bounds(start.program, replace(contract, requires=conditions))
    values: dict[VariableName, Term] = {}
    state = entry.copy()
    state.pc = address
    state.lowest = arrived.lowest
    for item in abi.contents:
        name = register_name(abi, item)
        if contract.may_change(item) or name in changing:
            values[name] = make_unknown(name, address, cpu.registers[name], bounds)
            state.registers[name] = values[name]
    state.registers[cpu.stack] = arrived.registers[cpu.stack]
    state.registers["pc"] = t.const(address, 16)
    memory = state.memory
    written = dict.fromkeys(a for item in contract.written() for a in item.addresses())
    covered: set[int] = set()
    for which in sorted(memory.indexed, key=lambda each: each.address):
        inside = [a for a in range(which.address, which.end) if a in written]
        covered.update(inside)
        if len(inside) == which.size:
            values[which.key] = t.array_var(cut_name(which.key.location, address))
            memory.set_array(which, values[which.key])
        else:  # of an object of which only a part may change, the rest stays
            for place in inside:
                values[byte_name(place)] = make_unknown(byte_name(place), address, 8, bounds)
                memory.replace_byte(place, values[byte_name(place)])
    for place in written:
        if place not in covered:
            values[byte_name(place)] = make_unknown(byte_name(place), address, 8, bounds)
            memory.set_byte(place, values[byte_name(place)])
            memory.unsure.add(place)
    values |= _keep_stack(start, state, arrived, changing)
    for condition in conditions:
        state.assume(for_any(condition, abi, state, entry))
        state.assume(term_of(condition, abi, state, entry))
    _pin(state)
    return Cut(address, conditions, state, arrived, values)


def _pin(state: State) -> None:
    """A register that an invariant sets to a number is that number: with it addresses are known
    that are computed from it."""
    numbers = {each.args[0]: each.args[1] for each in state.path if _is_number(each)}
    for name, value in state.registers.items():
        if isinstance(value, Term) and value in numbers:
            state.registers[name] = numbers[value]


def _is_number(condition: Term) -> bool:
    return condition.op is EQ and condition.args[0].op is VAR and condition.args[1].is_const


def _keep_stack(
    start: Start, state: State, arrived: State, changing: Collection[str]
) -> dict[VariableName, Term]:
    """What lies on the stack is the same each time, but for what is ``changing``, of which the new
    variables come back; what was pulled may be another each time."""
    values: dict[VariableName, Term] = {}
    depth = start.frame.depth(arrived.get(start.program.cpu.stack))
    for offset, value in arrived.memory.stack().items():
        if depth is not None and offset < depth:
            state.memory.forget_pushed(offset, t.var(new_name(HAVOC), 8))
        elif arrived.memory.was_pushed(offset) is not t.TRUE:
            state.memory.forget_pushed(offset, value)  # nobody may read what may be left there
        elif (name := stack_name(offset)) in changing:
            values[name] = make_unknown(name, state.pc, 8, {})
            state.memory.push(offset, values[name])
        else:
            state.memory.push(offset, value)
    return values


def make_unknown(name: VariableName, address: int, width: int, bounds: Bounds) -> Term:
    """A variable for what ``name`` is at a place."""
    return t.var(cut_name(name.location, address), width, *clip(bounds, name, width))
