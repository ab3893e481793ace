"""What shows that nothing of a proved contract can be dropped: for each part of it an execution.

The solver proposes inputs, the engine ``plain`` executes them, and only what the machine does
counts.

- A register or flag under ``out:`` or ``clobbers:``: a run after which it is not what it was.
- Memory under them: runs that write its first and its last byte.
- Memory under ``in:``: runs that read its first and its last byte before they write it.
- A register or flag under ``in:``: two runs that differ in it alone, and then in an output, in
  their cycles, or in what they touch.
- ``requires:`` an input next to each end of an interval: a run that touches what is not listed, or
  leaves the object that an access is meant for.
- ``cycles:`` a run with as few and one with as many; ``stack:`` one that uses as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.isa.microcode import StepKind
from romproof.prover.catalogue import Loose
from romproof.prover.exploration.explore import Leg
from romproof.prover.infer.addresses import Need
from romproof.prover.infer.draft import Draft
from romproof.prover.infer.settings import (
    by_trying,
    is_allowed,
    is_possible,
    settings_in,
    with_one,
)
from romproof.prover.infer.straying import IntendedObjects, find_intended_objects, strays
from romproof.prover.replay.judge import SPARE, Case
from romproof.prover.replay.run import LIMIT, ReplayInputs, ReplayRun, execute, inputs_of
from romproof.prover.results import Attained, Proof
from romproof.prover.states.entry import register_name
from romproof.symbolic.execute.events import EventKind
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import new_name
from romproof.symbolic.terms.origin import any_name
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message

_READS = (EventKind.READS_OBJECT, EventKind.READS_ARRAY, EventKind.READS_PORT, EventKind.ADDRESS)

_MAX_TRIED = 60
"""How often all values of single inputs are tried, for all requirements together."""
_MAX_RUNS = 4
"""Runs of which inputs are changed so that a requirement is at an end."""


@dataclass
class Tight:
    """The parts of a contract, each with what shows it; ``runs`` are all that were executed."""

    case: Case
    draft: Draft
    proof: Proof
    callees: Sequence[IntendedObjects] = ()
    runs: list[tuple[ReplayInputs, ReplayRun]] = field(default_factory=list)
    _read_by_all: set[int] = field(default_factory=set)
    _meant: IntendedObjects | None = None
    _ends_tried: bool = False
    _tried: int = 0

    @property
    def leg(self) -> Leg:
        (leg,) = self.case.exploration.returning_legs()
        return leg

    @property
    def _end(self) -> int:
        return self.case.exploration.returning_legs()[0].end

    def open(self) -> Iterator[Message]:
        """The parts."""
        contract = self.case.contract
        for item in (*contract.outputs, *contract.clobbers):
            if not self._is_changed(item):
                yield Loose.CHANGES(item=_say(item))
        for item in contract.inputs:
            if isinstance(item, MemoryRange):
                if not self._is_read(item):
                    yield Loose.IS_READ(item=_say(item))
            elif not (self._has_influence(item) or self._is_required(item)):
                yield Loose.IS_INPUT(item=item.name)
        for need in self.draft.needs:
            yield from self._open_ends(need)
        if contract.cycles is None:
            yield Loose.CYCLES()
        elif not self._cycles_reached(contract.cycles):
            yield Loose.ENDS_OF_CYCLES()
        if contract.stack and not self._stack_reached(contract.stack):
            yield Loose.STACK(bytes=contract.stack)

    # ------------------------------------------------------------ runs

    def _run(self, model: Model, involved: Sequence[Term]) -> tuple[ReplayInputs, ReplayRun]:
        """The run of a model, which has to do what the terms say; it is kept."""
        case, exploration = self.case, self.case.exploration
        case.oracle.solver.deadline.check()
        ports = [e for e in exploration.events if e.kind is EventKind.READS_PORT and not e.begin]
        terms = [*involved, *self.leg.at.path]
        given = inputs_of(case.start, exploration.entry, model, terms, ports)
        done = execute(case.start, given, [self._end], self._limit())
        self.runs.append((given, done))
        return given, done

    def _limit(self) -> int:
        cycles = self.case.contract.cycles
        return LIMIT if cycles is None or cycles[1] is None else cycles[1] + SPARE

    def _model(self, *conditions: Term) -> Model | None:
        if t.FALSE in conditions:
            return None
        return self.case.oracle.ask([*self.leg.at.path, *conditions]).model

    def _show(self, conditions: Sequence[Term], involved: Sequence[Term]) -> ReplayRun | None:
        model = self._model(*conditions)
        if model is None:
            return None
        _, done = self._run(model, [*conditions, *involved])
        return done if done.stopped else None

    # ------------------------------------------------------------ what changes

    def _is_changed(self, item: Item) -> bool:
        if isinstance(item, MemoryRange):
            return self._touch(item, True)
        name, start = register_name(self.case.abi, item), self.case.start
        if self._has_changed(name):
            return True
        after, before = self.leg.at.get(name), start.find_preserved(item)
        done = self._show([t.not_(t.eq(after, before))], [after, before])
        return done is not None and self._has_changed(name)

    def _has_changed(self, name: str) -> bool:
        if self.case.start.abi.by_interrupt:
            return any(done.stopped for _, done in self.runs)
        return any(
            done.stopped and done.registers[name] != given.registers[name]
            for given, done in self.runs
        )

    def _is_read(self, item: MemoryRange) -> bool:
        return self._touch(item, False)

    def _touch(self, item: MemoryRange, written: bool) -> bool:
        """Whether runs touch the first and the last byte of a range."""
        ends = dict.fromkeys((item.address, item.address + item.size - 1))
        return all(self._touches(address, written) for address in ends)

    def _touches(self, address: int, written: bool) -> bool:
        if self._see(address, written):
            return True
        place = t.const(address, 16)
        for event in self.case.exploration.events:
            what = event.what
            if event.kind not in _READS or what.width != 16:
                continue
            if not what.low <= address <= what.high:
                continue
            model = self._model(*event.path, t.eq(what, place))
            if model is not None:
                self._run(model, [*event.path, what])
                if self._see(address, written):
                    return True
        if written:
            value = self.leg.at.memory.byte(address)
            before = self.case.entry.memory.byte(address)
            self._show([t.not_(t.eq(value, before))], [value, before])
        elif not self.runs:
            self._show([], [])
        if not self._see(address, written):
            self._at_ends()
        return self._see(address, written)

    def _see(self, address: int, written: bool) -> bool:
        is_port = address in self.case.start.layout.volatile
        return any(
            _has_touched(done, address, written, is_port) for _, done in self.runs if done.stopped
        )

    # ------------------------------------------------------------ inputs

    def _has_influence(self, item: Item) -> bool:
        """Whether two runs that differ in a register or flag alone differ in what comes out."""
        name = register_name(self.case.abi, item)  # type: ignore[arg-type]
        variable = self.case.start.registers[name]
        if variable.is_const:
            return False
        twin = t.var(new_name(name), variable.width, variable.low, variable.high)
        other = {variable: twin}
        oracle, at = self.case.oracle, self.leg.at
        path = [t.replace(each, other) for each in (*oracle.assumptions, *at.path)]
        for result in self._results():
            if variable not in t.variables([result]):
                continue
            differs = t.not_(t.eq(result, t.replace(result, other)))
            model = self._model(*path, differs)
            if model is not None and self._differ(model, variable, twin, [result, differs, *path]):
                return True
        return False

    def _is_required(self, item: Item) -> bool:
        """Whether some run with another value, which is not allowed, touches other memory."""
        name = register_name(self.case.abi, item)  # type: ignore[arg-type]
        if not any(name in need.names for need in self.draft.needs):
            return False
        for given, _ in self.runs[:_MAX_RUNS]:
            for change in (1, 0x80):
                changed = with_one(given, name, given.registers[name] ^ change)
                if given.registers[name] ^ change <= 0xFF and not self._is_allowed(changed):
                    ran = execute(self.case.start, changed, [self._end], self._limit())
                    if self._strays(changed, ran):
                        return True
        return False

    def _results(self) -> Iterator[Term]:
        at, contract = self.leg.at, self.case.contract
        arrays = at.memory.changed_arrays()
        for item in contract.outputs:
            if not isinstance(item, MemoryRange):
                yield at.get(register_name(self.case.abi, item))
        yield at.total_cycles()
        for item in contract.outputs:
            if isinstance(item, MemoryRange):
                for which, array in arrays.items():
                    low = max(which.address, item.address)
                    high = min(which.end, item.address + item.size)
                    if low < high:
                        yield t.load(array, t.var(new_name(any_name()), 16, low, high - 1))
                for address in item.addresses():
                    if address in at.memory.changed_bytes():
                        yield at.memory.byte(address)
        for event in self.case.exploration.events:  # what it touches
            if event.kind is EventKind.ADDRESS and event.what.width == 16:
                yield event.what

    def _differ(self, model: Model, variable: Term, twin: Term, involved: Sequence[Term]) -> bool:
        values = dict(model.values)
        values[variable.name] = model.value(twin)
        _, one = self._run(model, involved)
        _, two = self._run(replace(model, values=values), involved)
        if not (one.stopped and two.stopped):
            return False
        return self._outcome(one) != self._outcome(two)

    def _outcome(self, done: ReplayRun) -> object:
        contract, abi = self.case.contract, self.case.abi
        registers = [
            done.registers[register_name(abi, item)]
            for item in contract.outputs
            if not isinstance(item, MemoryRange)
        ]
        memory = [
            done.memory[item.address : item.address + item.size]
            for item in contract.outputs
            if isinstance(item, MemoryRange)
        ]
        return (
            registers,
            memory,
            done.cycles,
            [a for k, a in done.touched if k is not StepKind.FETCH],
        )

    # ------------------------------------------------------------ requirements

    def _open_ends(self, need: Need) -> Iterator[Message]:
        """The ends of a requirement that nothing shows to be as far out as they can be."""
        if not self.runs:
            self._show([], [])
        if self._breaks_beyond(need) is False:
            yield Loose.IS_NEEDED(condition=str(need))

    def _breaks_beyond(self, need: Need) -> bool:
        return all(self._breaks(need, end) for end in (need.low - 1, need.high + 1))

    def _breaks(self, need: Need, value: int) -> bool:
        """Whether some run with a value of an input that is not allowed touches other memory."""
        if not is_possible(need, value, self.case.contract.requires):
            return True  # nothing is left out there
        for given, done in list(self.runs):
            if not done.stopped:
                continue
            for changed in self._inputs_with(need, value, given):
                ran = execute(self.case.start, changed, [self._end], self._limit())
                if not ran.stopped or self._strays(changed, ran):
                    return True
        return False

    def _inputs_with(self, need: Need, value: int, given: ReplayInputs) -> Iterator[ReplayInputs]:
        """An input with the expression of a requirement at a value, near to another input."""
        requires = self.case.contract.requires
        found = False
        self.case.oracle.solver.deadline.check()
        for registers in settings_in(need, value, given, requires):
            changed, found = given, True
            for name, number in registers.items():
                changed = with_one(changed, name, number)
            yield changed
        if not found and self._tried < _MAX_TRIED:
            self._tried += 1
            yield from by_trying(need, value, given, requires)

    def _at_ends(self) -> None:
        """Runs with each requirement at its ends, once."""
        if self._ends_tried or not self.runs:
            return
        self._ends_tried = True
        for need in self.draft.needs:
            for end in (need.low, need.high):
                for given, _ in self.runs[:_MAX_RUNS]:
                    for changed in self._inputs_with(need, end, given):
                        if self._is_allowed(changed):
                            ran = execute(self.case.start, changed, [self._end], self._limit())
                            self.runs.append((changed, ran))

    def _is_allowed(self, given: ReplayInputs) -> bool:
        """Whether the contract allows an input; only some registers and bytes were changed of one
        that it does."""
        return is_allowed(given, self.case.contract.requires)

    def _strays(self, given: ReplayInputs, done: ReplayRun) -> bool:
        """Whether a run touches what the contract does not list."""
        if not self._read_by_all:
            for _, each in self.runs:
                self._read_by_all.update(a for kind, a in each.touched if kind is StepKind.READ)
        if self._meant is None:
            self._meant = self.intended_objects()
        return strays(self.case, self.draft, given, done, self._read_by_all, self._meant)

    def intended_objects(self) -> IntendedObjects:
        """What its instructions and those of its callees access in runs that the contract allows,
        as far as the runs so far show it."""
        return self._meant or find_intended_objects(
            self.case, [each for _, each in self.runs], self.callees
        )

    # ------------------------------------------------------------ costs

    def _cycles_reached(self, claim: tuple[int, int | None]) -> bool:
        if self.proof.cycles is not None and claim[1] is not None:
            known = self.proof.cycles
            if known.fastest is not None and known.slowest is not None:
                return True
        return claim[1] is not None and self.proof.attained is Attained.YES

    def _stack_reached(self, most: int) -> bool:
        if self._has_depth(most):
            return True
        for _, path in self.case.exploration.returns:
            model = self._model(*path)
            if model is not None:
                self._run(model, path)
                if self._has_depth(most):
                    return True
        paths: set[tuple[Term, ...]] = set()
        for event in self.case.exploration.events:
            if event.kind is EventKind.BRANCH and event.path not in paths:
                paths.add(event.path)
                model = self._model(*event.path, event.what)
                if model is not None:
                    self._run(model, [*event.path, event.what])
                    if self._has_depth(most):
                        return True
        return False

    def _has_depth(self, most: int) -> bool:
        return any(self._depth(given, done) >= most for given, done in self.runs if done.stopped)

    def _depth(self, given: ReplayInputs, done: ReplayRun) -> int:
        base = given.registers[self.case.program.cpu.stack] + self.case.abi.stack_base
        room = range(base - 256, base)
        below = [base - a for kind, a in done.touched if kind is StepKind.WRITE and a in room]
        return max(below, default=0)


def _has_touched(done: ReplayRun, address: int, written: bool, is_port: bool) -> bool:
    """Whether a run writes an address, or reads it before it writes it, a port at any time."""
    kinds = [kind for kind, where in done.touched if where == address]
    if written:
        return any(kind is StepKind.WRITE for kind in kinds)
    if is_port:
        return StepKind.READ in kinds
    first = next((kind for kind in kinds if kind is not StepKind.DUMMY_READ), None)
    return first is StepKind.READ


def _say(item: Item) -> str:
    return str(item) if isinstance(item, MemoryRange) else item.name
