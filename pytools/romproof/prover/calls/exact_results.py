"""The results of a routine without invariants, as terms, and what they are in a caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from romproof.prover.calls.pointer_arguments import Handed, array_of, write_back
from romproof.prover.conditions.caller_memory import any_of, fresh, mark
from romproof.prover.exploration.explore import Exploration
from romproof.prover.states.entry import register_name
from romproof.prover.states.overlaps import runs_of
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.events import EventKind, LemmaDoesNotFit, NeedsIndex, SummaryCall
from romproof.symbolic.execute.executor import Executor
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY, new_name
from romproof.symbolic.terms.origin import (
    STACK,
    Location,
    LocationKind,
    OriginKind,
    marks_name,
    stem_of,
)
from romproof.symbolic.terms.term import Term


@dataclass(frozen=True)
class Results:
    """What a routine leaves, as terms of what it finds; they belong to the Terms of its proof.

    ``wrote`` (one bit) says where a byte of ``data`` was written, ``marks`` what of arrays;
    ``ports`` are what was read of ports, with the conditions under which it was; ``calls`` the
    calls without exact results that it makes itself.
    """

    registers: dict[str, Term] = field(repr=False)
    data: dict[int, Term] = field(repr=False)
    wrote: dict[int, Term] = field(repr=False)
    arrays: dict[MemoryObject, Term] = field(repr=False)
    marks: dict[MemoryObject, Term] = field(repr=False)
    cycles: int
    extra: Term
    ports: tuple[tuple[Term, Term, Term], ...] = field(repr=False)
    calls: tuple[SummaryCall, ...] = field(repr=False)


def results_of(exploration: Exploration) -> Results:
    """What a routine without invariants leaves. To be called within its Terms."""
    (leg,) = exploration.returning_legs()
    contract, abi, after = exploration.start.contract, exploration.start.program.abi, leg.at
    names = [register_name(abi, item) for item in abi.contents if contract.may_change(item)]
    written = {a for item in contract.written() for a in item.addresses()}
    data = {a: value for a, value in after.memory.changed_bytes().items() if a in written}
    ports = tuple(
        (event.value, event.what, t.all_of(event.path))
        for event in exploration.events
        if event.kind is EventKind.READS_PORT and event.value is not None
    )
    return Results(
        {name: after.get(name) for name in names},
        data,
        {address: after.memory.written(address) for address in data},
        after.memory.changed_arrays(),
        {
            which: after.memory.marks(which)
            for which in after.memory.changed_arrays()
            if which in after.memory.layout.marked
        },
        after.cycles,
        after.extra,
        ports,
        exploration.calls,
    )


@dataclass
class Exact:
    """Exact ``results`` being put into a caller's state; ``surely`` are the addresses that are
    written in every call, but for those of blocks."""

    results: Results
    program: ProofProgram
    surely: frozenset[int]
    executor: Executor
    state: State
    pushed: Term
    blocks: Sequence[Handed] = ()
    inside: Mapping[MemoryObject, dict[int, Term]] = field(default_factory=dict)
    memo: dict[Term, Term] = field(default_factory=dict)

    def apply(self) -> None:
        """Nothing of the state changes before all results are known."""
        results, state = self.results, self.state
        registers = {name: self.translate(value) for name, value in results.registers.items()}
        data = {address: self.translate(value) for address, value in results.data.items()}
        standing = {block.which: block for block in self.blocks}
        arrays = {
            self._find_callers_object(which): self.translate(array)
            for which, array in results.arrays.items()
            if which not in standing
        }
        marks = {
            self._find_callers_object(which): self.translate(array)
            for which, array in results.marks.items()
            if which not in standing
        }
        changed = [
            (
                standing[which],
                self.translate(array),
                self.translate(results.marks[which]) if which in results.marks else None,
            )
            for which, array in results.arrays.items()
            if which in standing
        ]
        wrote = {address: self.translate(when) for address, when in results.wrote.items()}
        extra = self.translate(results.extra)
        for value, where, when in results.ports:
            self._port(self.translate(value), self.translate(where), self.translate(when))
        for call in results.calls:
            when = self.translate(t.all_of(call.path))
            for run in runs_of(call.ports):
                self._port(None, any_of(run), when)
            self.executor.calls.append(
                SummaryCall(
                    self.executor.start,
                    tuple(
                        (self.translate(result), tuple(map(self.translate, needs)))
                        for result, needs in call.results
                    ),
                    tuple(map(self.translate, call.anything)),
                    call.ports,
                    path=(*state.path, when),
                    keeps_step=call.keeps_step,
                    unlimited=call.unlimited,
                    waits=call.waits,
                )
            )
        state.registers.update(registers)
        for place, byte in data.items():
            state.memory.replace_byte(place, byte, wrote[place])
        for own, array in arrays.items():
            state.memory.set_array(own, array)
        for own, array in marks.items():
            state.memory.set_marks(own, array)
        mark(state, self.surely)
        for block, array, written in changed:
            write_back(self.executor, state, block, array, written)
        state.cycles += results.cycles
        state.extra = t.add(state.extra, extra)

    def translate(self, term: Term) -> Term:
        """A term of the routine as one of the caller's."""
        return t.transplant(term, self._leaf, self.memo)

    def _leaf(self, variable: Term) -> Term:
        name, state = variable.name, self.state
        if not name.is_at_entry:
            return self._make_fresh(variable)
        location = name.location
        for block in self.blocks:
            if name == block.which.key:
                return array_of(block, self.inside[block.which])
            if name == marks_name(block.which.address, block.which.size):
                return t.array_var(new_name(stem_of(OriginKind.CALL, location)))
        match location.kind:
            case LocationKind.MARKS:
                return state.memory.marks(self._find_callers_object(location))
            case LocationKind.ARRAY:
                return state.memory.array(self._find_callers_object(location))
            case LocationKind.REGISTER:
                return state.get(location.text)
            case LocationKind.RETURN_ADDRESS:
                return self.pushed
            case LocationKind.BYTE if location.address is not None:
                return state.memory.byte(location.address)
        return fresh(STACK, 8)

    def _make_fresh(self, variable: Term) -> Term:
        """What is only told of in the results: it may be something else in each call."""
        name = new_name(stem_of(variable.name.kind, variable.name.location))
        if variable.op is ARRAY:
            return t.array_var(name)
        return t.var(name, variable.width, variable.low, variable.high)

    def _find_callers_object(self, which: MemoryObject | Location) -> MemoryObject:
        """The caller's object at the same place."""
        assert which.address is not None, "an array lies somewhere"
        mine = self.state.memory.layout.object_at(which.address)
        if mine is None or (mine.address, mine.size) != (which.address, which.size):
            raise LemmaDoesNotFit
        if mine not in self.state.memory.indexed:
            raise NeedsIndex(mine)
        return mine

    def _port(self, value: Term | None, address: Term, when: Term) -> None:
        self.executor.read_port(self.state, value, address, when)
