"""What variables are called by people, and which of them a contract names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.prover.catalogue import InformationFlow
from romproof.prover.states.entry import Start, register_name
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.layout import MemoryObject, object_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms.node import Term
from romproof.symbolic.terms.origin import (
    Location,
    LocationKind,
    OriginKind,
    VariableName,
    byte_name,
)
from romproof.text.messages import Message

SHOWN = 4
"""Variables that are named where there are many."""


def is_contracted(variable: Term) -> bool:
    """Whether a variable stands for a result about which only a callee's contract is known."""
    return variable.name.kind is OriginKind.CALL


def is_of_stack(name: VariableName) -> bool:
    """Whether a variable stands for what was below the stack pointer, or a callee left there; what
    the routine has pushed is known, or unknown since a cut."""
    is_left = name.is_at_entry or name.kind is OriginKind.CALL
    return name.location.kind is LocationKind.STACK and is_left


def value_of(state: State, name: VariableName) -> Term:
    """What a state has for a register, a byte of memory or of the stack, or an array that has
    ``name`` at the entry."""
    location, which = name.location, object_of(name)
    if which is not None:
        assert which in state.memory.indexed, "an array is reached with an index"
        return state.memory.array(which)
    if location.address is None:
        return state.get(location.text)
    if location.kind is LocationKind.BYTE:
        return state.memory.byte(location.address)
    return state.memory.pushed(location.address)


_UNNAMED = {
    LocationKind.PORT: InformationFlow.PORT,
    LocationKind.RETURN_ADDRESS: InformationFlow.RETURN_ADDRESS,
    LocationKind.PUSHED_FLAGS: InformationFlow.PUSHED_FLAGS,
    LocationKind.STACK: InformationFlow.STACK,
    LocationKind.CYCLES: InformationFlow.CYCLES,
}
"""What has no name of its own in a contract."""


@dataclass(frozen=True)
class ContractNames:
    """The variables of one routine, as contracts call them."""

    start: Start

    @property
    def program(self) -> ProofProgram:
        """The program it belongs to."""
        return self.start.program

    def of(self, variable: VariableName) -> Message:
        """One of them."""
        location = variable.location
        if location.kind in _UNNAMED:
            return _UNNAMED[location.kind]()
        if location.kind in (LocationKind.BYTE, LocationKind.ARRAY):
            is_port = variable.kind is OriginKind.PORT
            return (InformationFlow.THE_PORT if is_port else InformationFlow.NAMED)(
                name=self._place(location)
            )
        if location.text == self.program.cpu.stack:
            return InformationFlow.NAMED(name=self.program.abi.stack_pointer.name)
        return InformationFlow.NAMED(name=(location.text or variable).upper())

    def _place(self, location: Location) -> str:
        address = location.address
        assert address is not None, "memory lies somewhere"
        which = self.start.layout.object_at(address)
        if which is None:
            return self.program.name_at(address)
        if location.kind is LocationKind.ARRAY or which.size == 1:
            return which.name
        return f"{which.name}[{address - which.address}]"

    def some(self, variables: Iterable[VariableName]) -> Message | None:
        """The first of many; None for none."""
        names = tuple(dict.fromkeys(map(self.of, sorted(variables))))
        if not names:
            return None
        kind = InformationFlow.THE_FIRST if len(names) > SHOWN else InformationFlow.ALL
        return kind(names=names[:SHOWN])


def inputs_of(start: Start, indexed: frozenset[MemoryObject]) -> frozenset[VariableName]:
    """The names of the variables and arrays that stand for what a contract lists as input.

    Of an array of which only a part is listed there is no name: see
    romproof.prover.conditions.self_composition.
    """
    names = set[VariableName]()
    listed = {a for i in start.contract.inputs if isinstance(i, MemoryRange) for a in i.addresses()}
    names |= {byte_name(address) for address in listed}
    for which in indexed:
        if listed.issuperset(range(which.address, which.end)):
            names.add(which.key)
    for item in start.contract.inputs:
        if not isinstance(item, MemoryRange):
            names.add(register_name(start.program.abi, item))
    return frozenset(names)


def variables_of(start: Start, items: Iterable[Item]) -> frozenset[VariableName]:
    """The names of registers, flags and single bytes of memory."""
    variables = set[VariableName]()
    for item in items:
        if isinstance(item, MemoryRange):
            variables |= {byte_name(address) for address in item.addresses()}
        else:
            variables.add(register_name(start.program.abi, item))
    return frozenset(variables)
