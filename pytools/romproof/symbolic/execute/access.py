"""Reading and writing at addresses that are terms: which memory can be meant, and what is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from romproof.symbolic.execute.blocks import PointerBlock
from romproof.symbolic.execute.events import Event, EventKind, NeedsIndex
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import new_name
from romproof.symbolic.terms.origin import ANY_PORT, ELSEWHERE, OriginKind, byte_name, stem_of
from romproof.symbolic.terms.term import Term

MAX_PLACES = 16
"""Objects one access may choose among."""
MAX_INSIDE = 16
"""Terms in an address that is checked for whether it is one of the stack."""


@dataclass(frozen=True, slots=True)
class AccessTarget:
    """Addresses that an access can mean: those of an object, or fixed ones; or a ``block`` for
    which the object stands."""

    addresses: range
    which: MemoryObject | None
    block: PointerBlock | None = None

    def covers(self, address: Term) -> Term:
        """One bit: is it here?"""
        if self.block is not None:
            return self.block.covers(address)
        return within(address, self.addresses.start, self.addresses.stop)


def within(address: Term, start: int, end: int) -> Term:
    """One bit: start <= address < end, all of 16 bits."""
    low = t.not_(t.ult(address, t.const(start, 16)))
    return low if end > 0xFFFF else t.and_(low, t.ult(address, t.const(end, 16)))


def among(address: Term, addresses: Iterable[int]) -> Term:
    """One bit: is it one of these?"""
    inside, run = t.FALSE, list[int]()
    for place in [*sorted(addresses), None]:
        if run and (place is None or place != run[-1] + 1):
            inside = t.or_(inside, within(address, run[0], run[-1] + 1))
            run = []
        run += [] if place is None else [place]
    return inside


@dataclass(slots=True)
class Accesses:
    """The accesses of one run, which began at ``begin``; what they should not do is reported to
    ``events``."""

    oracle: Oracle
    events: list[Event]
    begin: int | None = None
    constants: set[int] = field(default_factory=set)
    """The addresses of code and read-only data that were read, or may have been."""
    _runs: set[tuple[int, int]] = field(default_factory=set)

    def read(self, state: State, address: Term) -> Term:
        """What is at an address."""
        if address.is_const:
            return self._read_byte(state, address.number)
        offset = self._offset(state, address)
        if offset is not None:
            return self._read_stack(state, address, offset)
        block = state.memory.block_at(address)
        if block is not None:
            return self._read_block(state, address, block)
        values = [
            (place.covers(address), self._read_in(state, address, place))
            for place in self._places(state, address, "read")
        ]
        if not values:
            # a path that does not exist, or an event that was reported: then it may be any byte
            return t.var(new_name(ELSEWHERE), 8)
        result = values[-1][1]
        for covers, value in reversed(values[:-1]):
            result = t.ite(covers, value, result)
        return result

    def write(self, state: State, address: Term, value: Term, when: Term | None) -> None:
        """Write a byte, where ``when`` holds."""
        if address.is_const:
            self._write_byte(state, address.number, value, when)
            return
        offset = self._offset(state, address)
        if offset is not None:
            self._write_stack(state, address, offset, value, when)
            return
        block = state.memory.block_at(address)
        if block is not None:
            self._write_block(state, address, block, value, t.TRUE if when is None else when)
            return
        places = list(self._places(state, address, "written"))
        for place in places:
            if place.block is not None:
                at = place.covers(address)
                at = at if when is None else t.and_(at, when)
                self._write_block(state, address, place.block, value, at)
                continue
            if place.which is None:
                at = place.covers(address)
                at = at if when is None else t.and_(at, when)
                self._tell(state, EventKind.WRITES_FIXED, address, at)
                continue
            here = place.covers(address) if len(places) > 1 else t.TRUE
            condition = here if when is None else t.and_(here, when)
            before = state.memory.array(place.which)
            after = t.store(before, address, value)
            state.memory.mark(place.which, address, condition)
            state.memory.set_array(place.which, t.array_ite(condition, after, before))

    def _offset(self, state: State, address: Term) -> int | None:
        """Where in the routine's stack an address is, None where it is elsewhere."""
        frame = state.memory.layout.frame
        if frame is None or frame.pointer not in islice(t.in_order([address]), MAX_INSIDE):
            return None
        return frame.offset(address)

    def _read_stack(self, state: State, address: Term, offset: int) -> Term:
        pushed = state.memory.was_pushed(offset)
        if pushed is not t.TRUE:
            self._tell(state, EventKind.READS, address, t.not_(pushed))
        return state.memory.pushed(offset)

    def _write_stack(
        self, state: State, address: Term, offset: int, value: Term, when: Term | None
    ) -> None:
        if offset >= 0 and state.memory.was_pushed(offset) is not t.TRUE:
            self._tell(state, EventKind.WRITES, address, when)
        state.lowest = min(state.lowest, offset)
        state.memory.push(offset, value, t.TRUE if when is None else when)

    def _read_byte(self, state: State, address: int) -> Term:
        layout, memory = state.memory.layout, state.memory
        if address in layout.volatile:
            return self._read_port(state, t.const(address, 16))
        if layout.is_fixed[address]:
            self.constants.add(address)
            return memory.byte(address)
        if memory.blocks and not memory.is_named(address):
            return self._read_unnamed(state, address)
        holder = layout.object_at(address)
        if holder is not None and holder in memory.indexed:
            self._read_cell(state, holder, t.const(address, 16))
            return memory.byte(address)
        written = memory.written(address)
        if written is not t.TRUE:
            kind = EventKind.READS if holder is None else EventKind.READS_OBJECT
            self._tell(state, kind, t.const(address, 16), t.not_(written))
        elif address in memory.unsure:
            self._tell(state, EventKind.READS_CUT, t.const(address, 16))
        return memory.byte(address)

    def _read_cell(
        self, state: State, which: MemoryObject, address: Term, here: Term = t.TRUE
    ) -> None:
        written = state.memory.is_marked(which, address)
        if written is not t.TRUE:
            self._tell(state, EventKind.READS_ARRAY, address, here, written)

    def _read_block(
        self, state: State, address: Term, block: PointerBlock, here: Term = t.TRUE
    ) -> Term:
        place = block.place(address)
        written = t.TRUE if block.is_read else state.memory.is_marked(block.which, place)
        if written is not t.TRUE:
            self._tell(state, EventKind.READS_ARRAY, place, here, written)
        return t.load(state.memory.array(block.which), place)

    def _write_block(
        self, state: State, address: Term, block: PointerBlock, value: Term, here: Term
    ) -> None:
        if not block.is_written:
            self._tell(state, EventKind.WRITES, address, here)
            return
        place, before = block.place(address), state.memory.array(block.which)
        state.memory.mark(block.which, place, here)
        after = t.store(before, place, value)
        state.memory.set_array(block.which, t.array_ite(here, after, before))

    def _blocks_at(self, state: State, address: int) -> Iterator[tuple[PointerBlock, Term]]:
        """The blocks that a byte without a name may belong to, with when it does."""
        for block in state.memory.blocks:
            here = block.covers(t.const(address, 16))
            if self.oracle.possible(state.path, here):
                yield block, here

    def _read_unnamed(self, state: State, address: int) -> Term:
        memory, where = state.memory, t.const(address, 16)
        stands = memory.stands(memory.layout.object_at(address))
        value = t.var(new_name(ELSEWHERE), 8) if stands else memory.byte(address)
        right = t.FALSE if stands else memory.written(address)
        for block, here in self._blocks_at(state, address):
            value = t.ite(here, self._read_block(state, where, block, here), value)
            right = t.or_(right, here)
        if right is not t.TRUE:
            self._tell(state, EventKind.READS, where, t.not_(right))
        return value

    def _write_unnamed(self, state: State, address: int, value: Term, when: Term) -> None:
        memory, where = state.memory, t.const(address, 16)
        for block, here in self._blocks_at(state, address):
            self._write_block(state, where, block, value, t.and_(when, here))
            when = t.and_(when, t.not_(here))
        if memory.stands(memory.layout.object_at(address)):
            self._tell(state, EventKind.WRITES, where, when)
        else:
            memory.set_byte(address, value, when)

    def _read_port(self, state: State, address: Term, here: Term = t.TRUE) -> Term:
        """Each read brings a new value, whatever was written; it is read where ``here`` holds."""
        port = byte_name(address.number).location if address.is_const else ANY_PORT
        value = t.var(new_name(stem_of(OriginKind.PORT, port)), 8)
        self._tell(state, EventKind.READS_PORT, address, here, value)
        return value

    def _write_byte(self, state: State, address: int, value: Term, when: Term | None) -> None:
        if state.memory.layout.is_fixed[address]:
            self._tell(state, EventKind.WRITES_FIXED, t.const(address, 16), when)
            return
        if state.memory.blocks and not state.memory.is_named(address):
            self._write_unnamed(state, address, value, t.TRUE if when is None else when)
            return
        state.memory.set_byte(address, value, t.TRUE if when is None else when)

    def _read_in(self, state: State, address: Term, place: AccessTarget) -> Term:
        if place.block is not None:
            return self._read_block(state, address, place.block, place.covers(address))
        if place.which is not None:
            return self._read_object(state, address, place.which, place)
        layout = state.memory.layout
        run = max(address.low, place.addresses.start), min(address.high + 1, place.addresses.stop)
        if run not in self._runs:
            self._runs.add(run)
            self.constants.update(range(*run))
        return layout.fixed_byte(address, place.addresses)

    def _read_object(
        self, state: State, address: Term, which: MemoryObject, place: AccessTarget
    ) -> Term:
        """A byte of an object, of which some may be ports."""
        here, memory = place.covers(address), state.memory
        if memory.layout.volatile.isdisjoint(place.addresses):
            self._read_cell(state, which, address, here)
            return t.load(memory.array(which), address)
        ports = [a for a in place.addresses if a in memory.layout.volatile]
        is_port = among(address, ports)
        value: Term | None = None
        if len(ports) < which.size and is_port is not t.TRUE:
            others = t.and_(here, t.not_(is_port))
            if others is not t.FALSE and self.oracle.possible(state.path, others):
                self._read_cell(state, which, address, others)
                value = t.load(memory.array(which), address)
        at_port = t.and_(here, is_port)
        if value is not None and not self.oracle.possible(state.path, at_port):
            return value
        port = self._read_port(state, address, at_port)
        return port if value is None else t.ite(is_port, port, value)

    def _places(self, state: State, address: Term, verb: str) -> Iterator[AccessTarget]:
        """All memory an address can mean here; what does not belong to the routine is reported."""
        left: Term = t.TRUE
        whole = self._place_at(state, address.low)
        if whole is not None and address.high < whole.addresses.stop:
            yield self._check(state, whole)
            return
        for block in state.memory.blocks:
            here = t.and_(left, block.covers(address))
            if self.oracle.example(state.path, here, address) is not None:
                which = block.which
                yield AccessTarget(range(which.address, which.end), which, block)
                left = t.and_(left, t.not_(block.covers(address)))
        for _ in range(MAX_PLACES):
            example = self.oracle.example(state.path, left, address)
            if example is None:
                return
            place = self._place_at(state, example)
            if place is None:
                strange = t.and_(left, t.eq(address, t.const(example, 16)))
                kind = EventKind.READS if verb == "read" else EventKind.WRITES
                self._tell(state, kind, address, strange)
                return
            yield self._check(state, place)
            left = t.and_(left, t.not_(place.covers(address)))
        self._tell(state, EventKind.TOO_MANY_PLACES, address)

    def _place_at(self, state: State, address: int) -> AccessTarget | None:
        layout = state.memory.layout
        if layout.is_fixed[address]:
            return AccessTarget(layout.fixed_run(address), None)
        holder = layout.object_at(address)
        if holder is None or state.memory.stands(holder):
            return None
        return AccessTarget(range(holder.address, holder.end), holder)

    def _check(self, state: State, place: AccessTarget) -> AccessTarget:
        if place.which is not None and place.which not in state.memory.indexed:
            raise NeedsIndex(place.which)
        return place

    def _tell(
        self,
        state: State,
        kind: EventKind,
        address: Term,
        when: Term | None = None,
        value: Term | None = None,
    ) -> None:
        path = state.path if when is None or when is t.TRUE else (*state.path, when)
        self.events.append(Event(kind, path, address, state.pc, self.begin, value=value))
