"""What variables are called: among terms, and by people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.prover.states.entry import PUSHED, PUSHED_FLAGS, Start, register_name
from romproof.prover.states.program import Program
from romproof.symbolic.execute.events import ANY_PORT, CONTRACTED, PORT
from romproof.symbolic.execute.layout import Object, byte_name
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms.node import Term

CUT = "@"
"""In the names of what is unknown since an invariant: the name at the entry, this, the place."""

ANY = "any "
"""What the names of variables begin with that stand for any one of several values."""

SHOWN = 4
"""Variables that are named where there are many."""


def cut_name(name: str, address: int) -> str:
    """The name at an invariant of what has ``name`` at the entry."""
    return f"{name}{CUT}{address:04X}"


def is_at_entry(name: str) -> bool:
    """Whether a variable stands for something at the entry."""
    return CUT not in name


def is_contracted(variable: Term) -> bool:
    """Whether a variable stands for a result about which only a callee's contract is known."""
    return CONTRACTED in variable.name


def address_of(name: str) -> int | None:
    """The address of the byte a variable stands for; None of others."""
    is_byte = name.startswith("$") and "+" not in name
    return int(name[1:5], 16) if is_byte else None


_STACK_BYTE = re.compile(r"stack([+-]\d+)")


def offset_of(name: str) -> int | None:
    """How far from the stack pointer of the entry the byte lies that a variable stands for; None
    of others, such as those of a second run and of what a callee leaves."""
    match = _STACK_BYTE.fullmatch(name)
    return int(match[1]) if match else None


def is_of_stack(name: str) -> bool:
    """Whether a variable stands for what was below the stack pointer, or a callee left there; what
    the routine has pushed is known, or unknown since a cut."""
    return name.startswith("stack") and (is_at_entry(name) or CONTRACTED in name)


def value_of(state: State, name: str) -> Term:
    """What a state has for a register, a byte of memory or one of the stack that has ``name`` at
    the entry."""
    at, offset = address_of(name), offset_of(name)
    if at is not None:
        return state.memory.byte(at)
    return state.get(name) if offset is None else state.memory.pushed(offset)


@dataclass(frozen=True)
class Names:
    """The variables of one routine, as contracts call them."""

    start: Start

    @property
    def program(self) -> Program:
        """The program it belongs to."""
        return self.start.program

    def of(self, variable: str) -> str:
        """One of them."""
        name = variable.partition(CUT)[0]
        if PORT in variable:
            return "a port" if name == ANY_PORT else f"the port {self._place(name)}"
        if name == PUSHED:
            return "where it was called"
        if name == PUSHED_FLAGS:
            return "the flags that the interrupt pushed"
        if name == self.program.cpu.stack:
            return self.program.abi.stack_pointer.name
        if name.startswith("stack"):
            return "the stack"
        if name == "cycles":
            return "how long a call takes"
        return self._place(name) if name.startswith("$") else name.upper()

    def _place(self, name: str) -> str:
        address = int(name[1:5], 16)
        which = self.start.layout.object_at(address)
        if which is None:
            return self.program.name_at(address)
        if "+" in name or which.size == 1:
            return which.name
        return f"{which.name}[{address - which.address}]"

    def some(self, variables: Iterable[str]) -> str:
        """The first of many."""
        names = list(dict.fromkeys(map(self.of, sorted(variables))))
        return ", ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")


def inputs_of(start: Start, indexed: frozenset[Object]) -> frozenset[str]:
    """The names of the variables and arrays that stand for what a contract lists as input.

    Of an array of which only a part is listed there is no name: see
    romproof.prover.conditions.self_composition.
    """
    names = set[str]()
    listed = {a for i in start.contract.inputs if isinstance(i, MemoryRange) for a in i.addresses()}
    names |= {byte_name(address) for address in listed}
    for which in indexed:
        if listed.issuperset(range(which.address, which.end)):
            names.add(which.key)
    for item in start.contract.inputs:
        if not isinstance(item, MemoryRange):
            names.add(register_name(start.program.abi, item))
    return frozenset(names)


def variables_of(start: Start, items: Iterable[Item]) -> frozenset[str]:
    """The names of registers, flags and single bytes of memory."""
    variables = set[str]()
    for item in items:
        if isinstance(item, MemoryRange):
            variables |= {byte_name(address) for address in item.addresses()}
        else:
            variables.add(register_name(start.program.abi, item))
    return frozenset(variables)
