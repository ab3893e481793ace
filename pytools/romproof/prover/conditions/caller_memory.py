"""What a caller holds of what a contract of something else names: memory, and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.prover.states.entry import register_name
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.events import LemmaDoesNotFit
from romproof.symbolic.execute.layout import MemoryObject, StackFrame
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import new_name
from romproof.symbolic.terms.origin import Location, OriginKind, any_name, stem_of
from romproof.symbolic.terms.term import Term


def fresh(location: Location, width: int) -> Term:
    """A new variable for what a callee leaves in a location, of which only a contract is known;
    without a width, an array."""
    anew = new_name(stem_of(OriginKind.CALL, location))
    return t.var(anew, width) if width else t.array_var(anew)


def mark(state: State, addresses: Iterable[int], when: Term = t.TRUE) -> None:
    """Note what a call has written of the caller's arrays, where ``when`` holds."""
    for address in sorted(addresses):
        which = state.memory.layout.object_at(address)
        if which is not None and which in state.memory.indexed:
            state.memory.mark(which, t.const(address, 16), when)


def arrays_within(state: State, memory: MemoryRange) -> Iterator[MemoryObject]:
    """The caller's arrays that lie wholly within a range."""
    for which in sorted(state.memory.indexed, key=lambda each: each.address):
        if memory.address <= which.address and which.end <= memory.address + memory.size:
            yield which


def bytes_within(state: State, memory: MemoryRange) -> Iterable[int]:
    """The addresses of a range that are in none of these."""
    covered = {a for each in arrays_within(state, memory) for a in range(each.address, each.end)}
    return (address for address in memory.addresses() if address not in covered)


LARGE = 0x400
"""Bytes of an object from which on they are spoken of all at once."""


def find_objects_within(state: State, items: Sequence[Item]) -> Iterator[MemoryObject]:
    """The caller's large objects that lie wholly within what is listed, and whose bytes are values
    of their own so far: as an array they are one."""
    for item in items:
        if isinstance(item, MemoryRange) and item.size >= LARGE:
            for which in state.memory.layout.objects:
                inside = item.address <= which.address and which.end <= item.address + item.size
                if inside and which.size >= LARGE and which not in state.memory.indexed:
                    yield which


def addresses_of(state: State, item: MemoryRange) -> Iterator[Term]:
    """The addresses of a range, to be read: of a large array of the caller's one that stands for
    all, as it may be any of these."""
    ports = state.memory.layout.volatile
    large = [which for which in arrays_within(state, item) if which.size >= LARGE]
    large = [which for which in large if ports.isdisjoint(which.cells)]
    covered = {address for which in large for address in which.cells}
    for which in large:
        yield any_of(which.cells)
    for address in item.addresses():
        if address not in covered and address not in ports:
            yield t.const(address, 16)


def any_of(cells: range) -> Term:
    """An address that may be any of some."""
    if len(cells) == 1:
        return t.const(cells.start, 16)
    return t.var(new_name(any_name()), 16, cells.start, cells.stop - 1)


def values(program: ProofProgram, state: State, item: Item) -> Iterator[Term]:
    """What a caller has in place of an input."""
    if not isinstance(item, MemoryRange):
        yield state.get(register_name(program.abi, item))
        return
    for which in arrays_within(state, item):
        yield state.memory.array(which)
    for address in bytes_within(state, item):
        if address not in state.memory.layout.volatile:
            yield state.memory.byte(address)


def return_address(
    program: ProofProgram, state: State, frame: StackFrame, depth: int
) -> tuple[Term, int]:
    """The return address as it was pushed, and where that leads; the caller's own after a jump."""
    size = program.abi.return_size
    pushed = t.concat(*(state.memory.pushed(depth + n) for n in reversed(range(size))))
    # not always where pushed is frame.pushed: an interrupt pushes where a return adds 1 to
    if t.add(pushed, t.const(program.abi.return_bias, pushed.width)) is frame.target:
        return pushed, frame.end
    if not pushed.is_const:
        raise LemmaDoesNotFit
    return pushed, pushed.number + program.abi.return_bias & 0xFFFF
