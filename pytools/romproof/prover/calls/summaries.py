"""The rule for calls: a proved routine stands for its code.

The argument stands in the head page: ``romproof.prover.calls``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce

from romproof.contract.checks.preserved import usual_flags
from romproof.contract.nouns.expr import Condition
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import Contract, CycleClaim
from romproof.prover.calls.exact_results import Exact, Results, results_of
from romproof.prover.calls.must_write import Flagged, Surely, find_must_write
from romproof.prover.calls.pointer_arguments import Handed, contents, havoc, pass_blocks
from romproof.prover.catalogue import Reason
from romproof.prover.conditions.caller_memory import (
    addresses_of,
    any_of,
    arrays_within,
    bytes_within,
    find_objects_within,
    fresh,
    mark,
    return_address,
    values,
)
from romproof.prover.conditions.ensures import find_ensured_values
from romproof.prover.conditions.memory import Filled, find_written_at_return
from romproof.prover.conditions.noninterference import keeps_step
from romproof.prover.conditions.sources import TIME, sources_of
from romproof.prover.replay.judge import Case
from romproof.prover.states.entry import register_name
from romproof.prover.states.overlaps import is_off, runs_of
from romproof.prover.states.program import ProofProgram
from romproof.prover.states.view import find_known, terms_of
from romproof.symbolic.execute.events import (
    DeadEnd,
    EventKind,
    LemmaDoesNotFit,
    NeedsIndex,
    NeedsPorts,
    SummaryCall,
    Unfinished,
)
from romproof.symbolic.execute.executor import Executor
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.state import CYCLE_BITS, State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import new_name
from romproof.symbolic.terms.origin import (
    CYCLES,
    STACK,
    WHETHER_WRITTEN,
    Location,
    OriginKind,
    byte_name,
    stem_of,
)
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause

MAX_CYCLES = 1 << 24
"""What the variable for the duration of a call has as its most where there is no limit. It says
nothing: such a call is noted as ``unlimited``, and no most is claimed of what makes it."""


@dataclass(frozen=True)
class ProvedRoutine:
    """A lemma: see romproof.symbolic.execute.executor.

    ``depth`` is the most bytes of stack it uses. Without ``results`` only what the contract
    ensures is known; ``surely`` are the addresses that are written in every call, and ``flagged``
    those that are when a flag among the outputs has a value. ``ends`` is
    False where the routine is only proved if it ends. ``blocks`` stood for those of its pointers,
    which the ``contract`` does not list. ``sources`` are the inputs that a result depends on, where
    that need not be all: see romproof.prover.conditions.sources. Of what was proved case by case
    ``times`` are the limits of each, by what its input is. It was proved with ``ports``, and all
    else being memory, as which it read ``constants`` of the program. Of a routine that
    ``keeps_step``, how often it reads ports depends on its inputs alone.
    """

    program: ProofProgram = field(repr=False)
    contract: Contract = field(repr=False)
    depth: int
    results: Results | None = field(repr=False)
    reads_ports: bool
    surely: frozenset[int] = frozenset()
    ends: bool = True
    blocks: tuple[MemoryObject, ...] = ()
    flagged: tuple[Flagged, ...] = ()
    sources: Mapping[str, tuple[Item, ...]] = field(default_factory=dict, repr=False)
    times: tuple[tuple[Condition, CycleClaim | None], ...] = ()
    ports: frozenset[int] = frozenset()
    constants: frozenset[int] = field(default=frozenset(), repr=False)
    keeps_step: bool = True

    def by_contract(self) -> ProvedRoutine:
        """The same without exact results: no more is known than what the contract says, and which
        of the inputs a result depends on."""
        return self if self.results is None else replace(self, results=None)

    def __call__(self, executor: Executor, state: State) -> None:
        """The state after the return from the call that has just been made."""
        if not self.ports <= state.memory.layout.volatile:
            raise NeedsPorts(self.ports - state.memory.layout.volatile)
        program, frame = self.program, state.memory.layout.frame
        stack = state.get(program.cpu.stack)
        depth = None if frame is None else frame.depth(stack)
        if frame is None or depth is None:
            raise LemmaDoesNotFit
        pushed, back = return_address(program, state, frame, depth)
        if self.depth - depth > frame.room:
            raise Unfinished(Cause.STACK_OVERFLOW, DeadEnd.STACK_OVERFLOW(), state.pc)
        if state.memory.blocks and not self._is_named_in(state):
            raise LemmaDoesNotFit
        for which in find_objects_within(state, (*self.contract.inputs, *self.contract.written())):
            raise NeedsIndex(which)
        blocks = pass_blocks(self.contract, self.blocks, program.abi, state)
        if self._takes_ports_for_memory(executor, state, blocks):
            raise LemmaDoesNotFit(state.memory.layout.volatile - self.ports)
        executor.constants.update(self.constants)
        self._requires(executor, state)
        inside = {block.which: contents(executor, state, block) for block in blocks}
        if self.results is not None:
            sure = self.surely.difference(*(block.cells for block in self.blocks))
            Exact(self.results, program, sure, executor, state, pushed, blocks, inside).apply()
        else:
            self._assume_ensures(executor, state, blocks, inside)
        for offset in range(depth - self.depth, depth):
            state.memory.forget_pushed(offset, fresh(STACK, 8))
        state.lowest = min(state.lowest, depth - self.depth)
        state.registers[program.cpu.stack] = t.add(
            stack, t.const(program.abi.return_size, stack.width)
        )
        state.pc = back
        if state.frames and state.frames[-1] == back:
            state.frames = state.frames[:-1]
        state.registers["pc"] = t.const(back, 16)

    def _takes_ports_for_memory(
        self, executor: Executor, state: State, blocks: Sequence[Handed]
    ) -> bool:
        """Whether something that this routine may read or write is a port for the caller, but was
        memory in its proof: then its code has to be executed, where it is a port."""
        others = state.memory.layout.volatile - self.ports
        if not others:
            return False
        if not (others.isdisjoint(self._memory) and others.isdisjoint(self.constants)):
            return True
        runs = runs_of(others)
        return any(
            executor.oracle.possible(state.path, t.not_(is_off(block, runs))) for block in blocks
        )

    @cached_property
    def _memory(self) -> frozenset[int]:
        """The memory that its contract lists."""
        listed = (*self.contract.inputs, *self.contract.written())
        return frozenset(a for i in listed if isinstance(i, MemoryRange) for a in i.addresses())

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
                broken = Reason.CALL_REQUIRES_FLAG(
                    routine=contract.name, flag=flag.name, value=value
                )
                executor.tell(EventKind.BREAKS, state, usual, broken)
        conditions = terms_of(contract.requires, abi, state, state)
        for condition, holds in zip(contract.requires, conditions, strict=True):
            if holds is not t.TRUE:
                broken = Reason.CALL_REQUIRES(routine=contract.name, condition=condition.text)
                executor.tell(EventKind.BREAKS, state, holds, broken)
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

    def _assume_ensures(
        self,
        executor: Executor,
        state: State,
        blocks: Sequence[Handed],
        inside: Mapping[MemoryObject, Mapping[int, Term]],
    ) -> None:
        """Anything that satisfies what the contract ensures."""
        contract, program = self.contract, self.program
        before = state.copy()
        read = self._ports_read()
        for run in runs_of(read):
            executor.read_port(state, None, any_of(run), t.TRUE)
        known = "in" in dict(contract.places)

        def inputs_of(items: Sequence[Item]) -> tuple[Term, ...]:
            return tuple(term for item in items for term in values(program, before, item))

        inputs = inputs_of(contract.inputs)
        for block in blocks:
            inputs += tuple(inside[block.which].values()) if block.pointer.is_read else ()
        sources = {name: inputs_of(items) for name, items in self.sources.items()}
        results: list[tuple[Term, tuple[Term, ...]]] = []
        anything: list[Term] = []

        def define_result(variable: Term, item: Item, own: Term | None) -> Term:
            if known and item in contract.outputs:
                needs = inputs
                if not isinstance(item, MemoryRange):
                    needs = sources.get(register_name(program.abi, item), inputs)
                results.append((variable, (*needs, *([] if own is None else [own]))))
            else:
                anything.append(variable)
            return variable

        def merge_with_old(
            location: Location, width: int, item: Item, sure: Term, own: Term
        ) -> Term:
            """What is there if it is ``sure`` to be written; else it may still be what it was."""
            needs = [None] * (sure is not t.FALSE) + [own] * (sure is not t.TRUE)
            each = [define_result(fresh(location, width), item, need) for need in needs]
            choose = t.ite if width else t.array_ite
            return choose(sure, each[0], each[-1])

        given = find_ensured_values(contract, program.abi, before)
        for item in program.abi.contents:
            name = register_name(program.abi, item)
            if contract.may_change(item):
                known_value = given.get(name)
                if known_value is None:
                    variable = fresh(name.location, program.cpu.registers[name])
                    known_value = define_result(variable, item, None)
                state.registers[name] = known_value
        for written in contract.written():
            for which in arrays_within(state, written):
                sure, own = self._find_condition(state, which.cells), before.memory.array(which)
                state.memory.set_array(
                    which, merge_with_old(which.key.location, 0, written, sure, own)
                )
            for address in bytes_within(state, written):
                sure, own = self._find_condition(state, (address,)), before.memory.byte(address)
                value = merge_with_old(byte_name(address).location, 8, written, sure, own)
                # else, whether it is written is not said
                when = sure if sure is t.TRUE else t.or_(sure, fresh(WHETHER_WRITTEN, 1))
                state.memory.replace_byte(address, value, when)
        for block in blocks:
            made = havoc(executor, state, block, self.surely)
            for number, value in made.items():
                if "out" in block.pointer.fields:
                    results.append((value, (*inputs, inside[block.which][number])))
                else:
                    anything.append(value)
        mark(state, self.surely.difference(*(block.cells for block in self.blocks)))
        for flagged in self.flagged:
            mark(state, flagged.addresses, self._has(state, flagged))
        for time in self._takes(state, before):
            if known and not time.is_const:
                results.append((time, sources.get(TIME, inputs)))
            elif not time.is_const:
                anything.append(time)
        for condition in contract.ensures:
            for each in find_known(condition, program.abi, state, before):
                state.assume(each)
        executor.calls.append(
            SummaryCall(
                executor.start,
                tuple(results),
                tuple(anything),
                read,
                before,
                state.copy(),
                before.path,
                self.keeps_step,
                unlimited="" if self._is_limited else self.contract.name,
            )
        )

    def _ports_read(self) -> frozenset[int]:
        """The ports that it may read: they are among its inputs."""
        if not self.reads_ports:
            return frozenset()
        listed = (i for i in self.contract.inputs if isinstance(i, MemoryRange))
        return self.ports.intersection(a for item in listed for a in item.addresses())

    def _takes(self, state: State, before: State) -> Sequence[Term]:
        """Let it take any time within its limits: within those of its case, where each has its
        own. The times there may be."""
        each = [_time(claim) for _, claim in self.times] or [_time(self.contract.cycles)]
        taken = each[0]  # if it is no other case, it is this one
        for (condition, _), time in zip(self.times[1:], each[1:], strict=True):
            (holds,) = terms_of([condition], self.program.abi, before, before)
            taken = t.ite(holds, time, taken)
        state.extra = t.add(state.extra, taken)
        return each

    @property
    def _is_limited(self) -> bool:
        """Whether the contract, or each of its cases, says how long a call takes at most."""
        claims = [claim for _, claim in self.times] or [self.contract.cycles]
        return all(map(_limit, claims))

    def _find_condition(self, state: State, addresses: Collection[int]) -> Term:
        """One bit: are these written for certain, by what the flags are after a call?"""
        if self.surely.issuperset(addresses):
            return t.TRUE
        wanted = frozenset(addresses) - self.surely
        each = (self._has(state, e) for e in self.flagged if e.addresses.issuperset(wanted))
        return reduce(t.or_, each, t.FALSE)

    def _has(self, state: State, flagged: Flagged) -> Term:
        return t.eq(state.get(flagged.register), t.const(flagged.value, 1))


def _limit(claim: CycleClaim | None) -> int | None:
    """The most cycles of a claim, where it has a most that can be counted with."""
    high = None if claim is None else claim[1]
    return None if high is None or high >> CYCLE_BITS else high


def _time(claim: CycleClaim | None) -> Term:
    """Cycles that are not known, within limits."""
    low = min(0 if claim is None else claim[0], MAX_CYCLES)
    most = _limit(claim) or max(MAX_CYCLES, low)
    return t.var(new_name(stem_of(OriginKind.CALL, CYCLES)), CYCLE_BITS, low, most)


def summary_of(case: Case, filled: Filled, exact: bool, ends: bool) -> ProvedRoutine:
    """What a proof of a routine is worth to its callers. To be called within its Terms."""
    exploration = case.exploration
    deepest = -min((leg.at.lowest for leg in exploration.legs), default=0)
    program, contract = exploration.start.program, exploration.start.plain_contract
    ports = any(event.kind is EventKind.READS_PORT for event in exploration.events)
    ports = ports or any(call.ports for call in exploration.calls)
    known = results_of(exploration) if exact and not exploration.cuts else None
    standing = {which.name: which for which in case.start.block_objects}
    blocks = tuple(standing[pointer.name] for pointer in contract.pointers)
    # of exact results it is seen where they are used
    sure = find_must_write(case, filled) if known is None else Surely(find_written_at_return(case))
    return ProvedRoutine(
        program,
        contract,
        deepest,
        known,
        ports,
        sure.always,
        ends,
        blocks,
        sure.flagged,
        {} if ports or "in" not in dict(contract.places) else sources_of(case),
        ports=exploration.start.layout.volatile,
        constants=exploration.constants,
        keeps_step=not ports or keeps_step(case, filled),
    )
