"""The rule for calls: a proved routine stands for its code.

A routine without invariants has exact results, as terms of its inputs; of one with invariants all
that is known is what its contract ensures. Either way the summary is a function of all that the
routine finds, the stack pointer and its return address among it: nothing of the place where it was
proved is left in it. What it takes for granted becomes a claim about the caller: what it requires,
the flags that have their usual value, and room on the stack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from romproof.contract.items import Item, MemoryRange
from romproof.contract.kept import usual_flags
from romproof.contract.model import Contract
from romproof.prover.case import Case
from romproof.prover.ensured import given_by
from romproof.prover.explore import Exploration
from romproof.prover.handed import Handed, array_of, contents, handed, havoc, write_back
from romproof.prover.held import (
    addresses_of,
    arrays_within,
    bytes_within,
    cells_of,
    fresh,
    loose_within,
    mark,
    object_named,
    return_address,
    values,
)
from romproof.prover.names import address_of, is_at_entry
from romproof.prover.program import Program
from romproof.prover.start import PUSHED, register_name
from romproof.prover.view import known_of, terms_of
from romproof.prover.written import written_at_return
from romproof.symbolic.execute.events import (
    CONTRACTED,
    PORT,
    Call,
    EventKind,
    LemmaDoesNotFit,
    NeedsIndex,
    Unfinished,
)
from romproof.symbolic.execute.executor import Executor
from romproof.symbolic.execute.forget import FORGOTTEN
from romproof.symbolic.execute.layout import Object, byte_name
from romproof.symbolic.execute.memory import MARKS
from romproof.symbolic.execute.state import CYCLE_BITS, State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY, new_name
from romproof.symbolic.terms.term import Term

MOST_CYCLES = 1 << 24
"""What a call of unlimited duration is taken to last at most: it says nothing."""


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
    arrays: dict[Object, Term] = field(repr=False)
    marks: dict[Object, Term] = field(repr=False)
    cycles: int
    extra: Term
    ports: tuple[tuple[Term, Term, Term], ...] = field(repr=False)
    calls: tuple[Call, ...] = field(repr=False)


@dataclass(frozen=True)
class ProvedRoutine:
    """A lemma: see romproof.symbolic.execute.executor.

    ``depth`` is the most bytes of stack it uses. Without ``results`` only what the contract
    ensures is known; ``surely`` are the addresses that are written in every call. ``ends`` is
    False where the routine is only proved if it ends. ``blocks`` stood for those of its pointers,
    which the ``contract`` does not list.
    """

    program: Program = field(repr=False)
    contract: Contract = field(repr=False)
    depth: int
    results: Results | None = field(repr=False)
    reads_ports: bool
    surely: frozenset[int] = frozenset()
    ends: bool = True
    blocks: tuple[Object, ...] = ()

    def by_contract(self) -> ProvedRoutine:
        """The same, of which no more is known than what the contract says."""
        return self if self.results is None else replace(self, results=None)

    def __call__(self, executor: Executor, state: State) -> None:
        """The state after the return from the call that has just been made."""
        program, frame = self.program, state.memory.layout.frame
        stack = state.get(program.cpu.stack)
        depth = None if frame is None else frame.depth(stack)
        if frame is None or depth is None:
            raise LemmaDoesNotFit
        pushed, back = return_address(program, state, frame, depth)
        if self.depth - depth > frame.room:
            raise Unfinished("uses more stack than there may be: it could wrap around", state.pc)
        if state.memory.blocks and not self._is_named_in(state):
            raise LemmaDoesNotFit
        for which in loose_within(state, (*self.contract.inputs, *self.contract.written())):
            raise NeedsIndex(which)
        blocks = handed(self.contract, self.blocks, program.abi, state)
        self._requires(executor, state)
        inside = {block.which: contents(executor, state, block) for block in blocks}
        if self.results is not None:
            _Exact(self, executor, state, pushed, blocks, inside).apply()
        else:
            self._anything(executor, state, blocks, inside)
        for offset in range(depth - self.depth, depth):
            state.memory.forget_pushed(offset, fresh("stack", 8))
        state.lowest = min(state.lowest, depth - self.depth)
        state.registers[program.cpu.stack] = t.add(
            stack, t.const(program.abi.return_size, stack.width)
        )
        state.pc = back
        if state.frames and state.frames[-1] == back:
            state.frames = state.frames[:-1]
        state.registers["pc"] = t.const(back, 16)

    def _is_named_in(self, state: State) -> bool:
        """Whether the caller has names for all memory that the contract lists: what it has none for
        may be of one of its blocks, or be where something stands for one."""
        listed = (*self.contract.inputs, *self.contract.written())
        return all(
            state.memory.is_named(address)
            for item in listed
            if isinstance(item, MemoryRange)
            for address in item.addresses()
        )

    def _requires(self, executor: Executor, state: State) -> None:
        # of the caller's values: the routine's own variables are bounded by what it requires
        contract, abi = self.contract, self.program.abi
        for flag, value in usual_flags(contract, abi).items():
            usual = t.eq(state.get(register_name(abi, flag)), t.const(value, 1))
            if usual is not t.TRUE:
                detail = f"calls {contract.name}, which requires {flag.name} to be {value}"
                executor.tell(EventKind.BREAKS, state, usual, detail)
        conditions = terms_of(contract.requires, abi, state, state)
        for condition, holds in zip(contract.requires, conditions, strict=True):
            if holds is not t.TRUE:
                detail = f"calls {contract.name}, which requires {condition.text}"
                executor.tell(EventKind.BREAKS, state, holds, detail)
        if not executor.is_first_read(contract, state):
            return  # what was listed, or written, at an earlier call of this run still is
        known = len(executor.events)
        for item in contract.inputs:
            if isinstance(item, MemoryRange):
                for address in addresses_of(state, item):
                    executor.read(state, address)
        executor.events[known:] = [
            replace(event, by_contract=True) for event in executor.events[known:]
        ]

    def _anything(
        self,
        executor: Executor,
        state: State,
        blocks: Sequence[Handed],
        inside: Mapping[Object, Mapping[int, Term]],
    ) -> None:
        """Anything that satisfies what the contract ensures."""
        contract, program = self.contract, self.program
        before = state.copy()
        known = "in" in dict(contract.places)
        inputs = [term for item in contract.inputs for term in values(program, before, item)]
        for block in blocks:
            inputs += inside[block.which].values() if block.pointer.is_read else ()
        results: list[tuple[Term, tuple[Term, ...]]] = []
        anything: list[Term] = []

        def contracted(variable: Term, item: Item, own: Term | None) -> Term:
            if known and item in contract.outputs:
                results.append((variable, (*inputs, *([] if own is None else [own]))))
            else:
                anything.append(variable)
            return variable

        given = given_by(contract, program.abi, before)
        for item in program.abi.contents:
            name = register_name(program.abi, item)
            if contract.may_change(item):
                known_value = given.get(name)
                if known_value is None:
                    variable = fresh(name, program.cpu.registers[name])
                    known_value = contracted(variable, item, None)
                state.registers[name] = known_value
        for written in contract.written():
            for which in arrays_within(state, written):
                array = t.array_var(new_name(f"{which.key}{CONTRACTED}"))
                preserved = not self.surely.issuperset(range(which.address, which.end))
                before_it = before.memory.array(which) if preserved else None
                state.memory.set_array(which, contracted(array, written, before_it))
            for address in bytes_within(state, written):
                value, own = fresh(byte_name(address), 8), None
                if address not in self.surely:  # it may still be what it was
                    own = before.memory.byte(address)
                # whether it is written then is not said
                when = t.TRUE if own is None else fresh("written", 1)
                state.memory.replace_byte(address, contracted(value, written, own), when)
        for block in blocks:
            made = havoc(executor, state, block, self.surely)
            for number, value in made.items():
                if "out" in block.pointer.fields:
                    results.append((value, (*inputs, inside[block.which][number])))
                else:
                    anything.append(value)
        mark(state, self.surely.difference(*map(cells_of, self.blocks)))
        low, high = contract.cycles or (0, None)
        most = MOST_CYCLES if high is None else high
        time = t.var(new_name(f"cycles{CONTRACTED}"), CYCLE_BITS, low, most)
        state.extra = t.add(state.extra, time)
        if known and not time.is_const:
            results.append((time, tuple(inputs)))
        elif not time.is_const:
            anything.append(time)
        for condition in contract.ensures:
            for each in known_of(condition, program.abi, state, before):
                state.assume(each)
        executor.calls.append(
            Call(
                executor.begin,
                tuple(results),
                tuple(anything),
                self.reads_ports,
                before,
                state.copy(),
            )
        )


def summary_of(case: Case, exact: bool, ends: bool) -> ProvedRoutine:
    """What a proof of a routine is worth to its callers. To be called within its Terms."""
    exploration = case.exploration
    deepest = -min((leg.at.lowest for leg in exploration.legs), default=0)
    program, contract = exploration.start.program, exploration.start.stated
    ports = any(event.kind is EventKind.READS_PORT for event in exploration.events)
    ports = ports or any(call.ports for call in exploration.calls)
    known = _results(exploration) if exact and not exploration.cuts else None
    standing = {which.name: which for which in case.start.standing}
    blocks = tuple(standing[pointer.name] for pointer in contract.pointers)
    return ProvedRoutine(
        program, contract, deepest, known, ports, written_at_return(case), ends, blocks
    )


def _results(exploration: Exploration) -> Results:
    (leg,) = exploration.returning()
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
class _Exact:
    """Exact results being put into a caller's state."""

    lemma: ProvedRoutine
    executor: Executor
    state: State
    pushed: Term
    blocks: Sequence[Handed] = ()
    inside: Mapping[Object, dict[int, Term]] = field(default_factory=dict)
    memo: dict[Term, Term] = field(default_factory=dict)

    def apply(self) -> None:
        """Nothing of the state changes before all results are known."""
        results, state = self.lemma.results, self.state
        assert results is not None
        registers = {name: self.here(value) for name, value in results.registers.items()}
        data = {address: self.here(value) for address, value in results.data.items()}
        standing = {block.which: block for block in self.blocks}
        arrays = {
            self._own(which): self.here(array)
            for which, array in results.arrays.items()
            if which not in standing
        }
        marks = {
            self._own(which): self.here(array)
            for which, array in results.marks.items()
            if which not in standing
        }
        changed = [
            (
                standing[which],
                self.here(array),
                self.here(results.marks[which]) if which in results.marks else None,
            )
            for which, array in results.arrays.items()
            if which in standing
        ]
        wrote = {address: self.here(when) for address, when in results.wrote.items()}
        extra = self.here(results.extra)
        for value, where, when in results.ports:
            self._port(self.here(value), self.here(where), self.here(when))
        for call in results.calls:
            self.executor.calls.append(
                Call(
                    self.executor.begin,
                    tuple(
                        (self.here(result), tuple(map(self.here, needs)))
                        for result, needs in call.results
                    ),
                    tuple(map(self.here, call.anything)),
                    call.ports,
                )
            )
        state.registers.update(registers)
        for place, byte in data.items():
            state.memory.replace_byte(place, byte, wrote[place])
        for own, array in arrays.items():
            state.memory.set_array(own, array)
        for own, array in marks.items():
            state.memory.set_marks(own, array)
        mark(state, self.lemma.surely.difference(*map(cells_of, self.lemma.blocks)))
        for block, array, written in changed:
            write_back(self.executor, state, block, array, written)
        state.cycles += results.cycles
        state.extra = t.add(state.extra, extra)

    def here(self, term: Term) -> Term:
        """A term of the routine as one of the caller's."""
        return t.transplanted(term, self._leaf, self.memo)

    def _leaf(self, variable: Term) -> Term:
        name, state = variable.name, self.state
        if not is_at_entry(name):
            return self._anew(variable)
        for block in self.blocks:
            if name == block.which.key:
                return array_of(block, self.inside[block.which])
            if name == f"{MARKS}{block.which.key}":
                return t.array_var(new_name(f"{name}{CONTRACTED}"))
        if name.startswith(MARKS):
            return state.memory.marks(self._own(object_named(name.removeprefix(MARKS))))
        if variable.op is ARRAY:
            return state.memory.array(self._own(object_named(name)))
        if name in self.lemma.program.cpu.registers:
            return state.get(name)
        if name == PUSHED:
            return self.pushed
        address = address_of(name)
        return fresh("stack", 8) if address is None else state.memory.byte(address)

    def _anew(self, variable: Term) -> Term:
        """What is only told of in the results: it may be something else in each call."""
        mark = next(mark for mark in (CONTRACTED, PORT, FORGOTTEN) if mark in variable.name)
        name = new_name(f"{variable.name.partition(mark)[0]}{mark}")
        if variable.op is ARRAY:
            return t.array_var(name)
        return t.var(name, variable.width, variable.low, variable.high)

    def _own(self, which: Object) -> Object:
        """The caller's object at the same place."""
        mine = self.state.memory.layout.object_at(which.address)
        if mine != which:
            raise LemmaDoesNotFit
        if mine not in self.state.memory.indexed:
            raise NeedsIndex(mine)
        return mine

    def _port(self, value: Term, address: Term, when: Term) -> None:
        self.executor.read_port(self.state, value, address, when)
