"""The rule for calls, as far as blocks behind pointers go: a caller's memory at its own pointers.

The argument stands in the head page: ``romproof.prover.calls``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.pointer import Pointer
from romproof.isa.abi import Abi
from romproof.prover.conditions.caller_memory import fresh
from romproof.prover.states.view import number_of
from romproof.symbolic.execute.executor import Executor
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import bits
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import new_name
from romproof.symbolic.terms.origin import WHETHER_WRITTEN, OriginKind, byte_name, stem_of
from romproof.symbolic.terms.term import Term


@dataclass(frozen=True)
class Handed:
    """A block in the state of a caller: ``size`` bytes from ``base`` on. In the routine ``which``
    stands for it."""

    pointer: Pointer
    which: MemoryObject
    base: Term
    size: Term

    def cells(self) -> Iterator[tuple[int, Term, Term]]:
        """The number of each byte that there may be, its address, and whether there is one."""
        for number in range(min(self.pointer.most, self.size.high)):
            there = t.ult(t.const(number, 16), self.size)
            if there is not t.FALSE:
                yield number, t.add(self.base, t.const(number, 16)), there

    def place(self, number: int) -> Term:
        """The address of a byte in what stands for the block."""
        return t.const(self.which.address + number, 16)


def pass_blocks(
    contract: Contract, standing: Sequence[MemoryObject], abi: Abi, state: State
) -> tuple[Handed, ...]:
    """The blocks of a routine that is called in a state."""
    return tuple(
        Handed(
            pointer,
            which,
            bits(number_of(pointer.base, abi, state, state), 16),
            bits(number_of(pointer.count, abi, state, state), 16),
        )
        for pointer, which in zip(contract.pointers, standing, strict=True)
    )


def contents(executor: Executor, state: State, block: Handed) -> dict[int, Term]:
    """What a caller has in a block, by number. What it may not read is reported, if the routine
    reads it: that it does so is by its contract."""
    known = len(executor.events)
    cells: dict[int, Term] = {}
    for number, address, there in block.cells():
        inside = state.copy()
        inside.assume(there)
        cells[number] = executor.read(inside, address)
    reported = executor.events[known:] if block.pointer.is_read else []
    executor.events[known:] = [replace(event, by_contract=True) for event in reported]
    return cells


def array_of(block: Handed, cells: dict[int, Term]) -> Term:
    """The same as what stands for the block; of bytes that there are not nothing is known."""
    array = t.array_var(new_name(stem_of(OriginKind.CALL, block.which.key.location)))
    for number, value in cells.items():
        array = t.store(array, block.place(number), value)
    return array


def write_back(
    executor: Executor, state: State, block: Handed, array: Term, marks: Term | None
) -> None:
    """Bring what stands for a block back to where the block is; ``marks`` say what of it was
    written, None: nobody looked, as all of it was read."""
    for number, address, there in block.cells():
        when = there
        if marks is not None:
            written = t.eq(t.load(marks, block.place(number)), t.const(1, 8))
            when = t.and_(there, written)
        value = t.load(array, block.place(number))
        executor.write(state, address, value, when)


def havoc(
    executor: Executor, state: State, block: Handed, surely: Collection[int]
) -> dict[int, Term]:
    """Let a block that is written hold anything; what it holds then, by number. The bytes for
    which something stands at ``surely`` are written in every call."""
    made: dict[int, Term] = {}
    known = len(executor.events)
    for number, address, there in block.cells() if block.pointer.is_written else ():
        place = block.which.address + number
        made[number] = fresh(byte_name(place).location, 8)
        when = there if place in surely else t.and_(there, fresh(WHETHER_WRITTEN, 1))
        executor.write(state, address, made[number], when)
    executor.events[known:] = [
        replace(event, by_contract=True) for event in executor.events[known:]
    ]
    return made
