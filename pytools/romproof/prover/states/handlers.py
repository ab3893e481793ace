"""What is known of the handlers of interrupts that a contract names: what they change for sure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from romproof.contract.nouns.changes import AssumedChange
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import INTERRUPT, Contract
from romproof.isa.codec import Instruction, decode
from romproof.prover.states.entry import input_bounds, register_name, start_of
from romproof.prover.states.program import ProofProgram
from romproof.prover.states.view import terms_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, new_name, using
from romproof.symbolic.terms.origin import any_name
from romproof.timing.vectors import Interrupt, vectors_of


class HandlerFault(Enum):
    """Why a handler is not known to change a byte while a loop waits for it."""

    NO_CONTRACT = auto()
    NO_HANDLER = auto()
    """Its contract does not say ``kind: interrupt``."""
    NOT_PROVED = auto()
    MAY_KEEP = auto()
    """Its contract allows that the byte stays what it was."""
    MASKED = auto()
    """Its interrupt may be masked in the loop."""


@dataclass(frozen=True)
class KnownHandler:
    """A handler that a contract names, with what is known of it.

    ``contract`` is its own, which is proved; without it ``fault`` says why not. ``interrupts`` are
    those that enter it, by the program's vectors, none where these do not say so.
    """

    name: str
    interrupts: tuple[Interrupt, ...]
    contract: Contract | None
    fault: HandlerFault | None = None

    @property
    def enable_bits(self) -> tuple[int, ...]:
        """The bits of the SM83's IE that let one of its interrupts come, ascending."""
        bits = {each.enable_bit for each in self.interrupts if each.enable_bit is not None}
        return tuple(sorted(bits))


def know_handlers(
    program: ProofProgram, changes: Iterable[AssumedChange], proved: Mapping[str, bool]
) -> dict[str, KnownHandler]:
    """What is known of the handlers that some assumptions name. ``proved`` has the routines whose
    proofs are over, with whether all of their contracts is proved."""
    names = dict.fromkeys(each.handler for each in changes if each.handler)
    return {name: _know_handler(program, name, proved.get(name, False)) for name in names}


def _know_handler(program: ProofProgram, name: str, is_proved: bool) -> KnownHandler:
    contract = program.rom.readable.get(name)
    interrupts = tuple(interrupts_into(program, program.image.address(name)))
    if contract is None:
        return KnownHandler(name, interrupts, None, HandlerFault.NO_CONTRACT)
    if contract.kind != INTERRUPT:
        return KnownHandler(name, interrupts, None, HandlerFault.NO_HANDLER)
    if not is_proved:
        return KnownHandler(name, interrupts, None, HandlerFault.NOT_PROVED)
    return KnownHandler(name, interrupts, contract)


def interrupts_into(program: ProofProgram, address: int) -> Iterator[Interrupt]:
    """The interrupts whose vectors lead to an address."""
    memory = program.rom.memory_map

    def at(place: int) -> Instruction | None:
        if not memory.executable[place]:
            return None
        return decode(memory.initial[place : place + 3], place, program.abi.cpu)

    vectors = vectors_of(program.rom.loaded, memory, program.abi, at)
    return (interrupt for interrupt, target in vectors.items() if target == address)


def always_changes(
    program: ProofProgram, contract: Contract, address: int, value: int | None
) -> bool:
    """Whether no run that a contract allows leaves a byte as it was, by what it ensures alone; of a
    byte that has a ``value``, where there is one."""
    with using(Terms()):
        bounds = input_bounds(program, contract)
        start = start_of(program, contract, program.image.address(contract.name), bounds)
        before = start.state(start.block_objects, bounds)
        after = _after(program, contract, before)
        conditions = [
            *terms_of(contract.requires, program.abi, before, before),
            *terms_of(contract.ensures, program.abi, after, before),
        ]
        same = t.eq(before.memory.byte(address), after.memory.byte(address))
        if value is not None:
            conditions.append(t.eq(before.memory.byte(address), t.const(value, 8)))
        return not Oracle(Solver()).possible(conditions, same)


def _after(program: ProofProgram, contract: Contract, before: State) -> State:
    """A state in which all that a contract lists as changed is unknown."""
    after = before.copy()
    for item in (*contract.outputs, *contract.clobbers):
        if isinstance(item, MemoryRange):
            for address in item.addresses():
                after.memory.set_byte(address, t.var(new_name(any_name("after ")), 8))
        else:
            name = register_name(program.abi, item)
            width = program.cpu.registers[name]
            after.registers[name] = t.var(new_name(any_name("after ")), width)
    return after
