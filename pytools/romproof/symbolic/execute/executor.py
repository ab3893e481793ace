"""Symbolic execution: all paths through a piece of code at once.

States that meet at one address are merged into one; which of the pending states is executed next is
up to ``order.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

from romproof.isa.algebra import Op
from romproof.isa.cpu import Cpu
from romproof.isa.flow import Flow
from romproof.isa.transfers import transfers
from romproof.symbolic.execute.access import Accesses
from romproof.symbolic.execute.events import (
    DeadEnd,
    Event,
    EventKind,
    LemmaDoesNotFit,
    NeedsPorts,
    SummaryCall,
    Unfinished,
)
from romproof.symbolic.execute.iterations import Counted, Iterations, Tell
from romproof.symbolic.execute.order import Meeting, Order, StateKey
from romproof.symbolic.execute.patience import MAX_ITERATIONS, Patience
from romproof.symbolic.execute.state import CYCLE_BITS, State
from romproof.symbolic.execute.steps import MicrocodeSteps
from romproof.symbolic.execute.targets import targets
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import AND, new_name
from romproof.symbolic.terms.origin import CYCLES, OriginKind, stem_of
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause
from romproof.text.messages import Message

MAX_HASTY = 16
"""How often a branch may be undecided before it is checked closely whether it is."""
MANY_ITERATIONS = 16
"""From this many iterations of a loop on, they are mentioned when time has run out."""
_LONG_WAIT = 1 << 24
"""What the variable for the duration of a wait has as its most. It says nothing: each wait is noted
among the calls, and no most is claimed of what waits."""
MAX_INSTRUCTIONS = 2_000_000
"""Instructions that are executed before a routine is given up."""

Lemma = Callable[["Executor", State], None]
"""What takes the place of a routine's code: it turns the state at the routine's first
instruction into that after its return."""


class Executor:
    """Executes the code of a program for a CPU.

    ``lemmas`` replace the routines at their addresses. Whatever a routine must not do is collected
    in ``events``, and so are branches and addresses that are not known. ``forget`` may replace
    values written to memory by unknown ones. Events are added to the list ``events``. A branch may
    be undecided ``patience`` times. ``counted`` are loops whose iterations are limited.
    ``asserted`` sees each state before its instruction, may tell what has to hold there, and assume
    it. ``loop_at`` gives the addresses of the loop with a head. ``ports_at`` has, by the addresses
    of routines, what is a port for each. ``on_progress`` is called with the number of instructions;
    it may raise.

    ``interrupts_when``, a register of one bit and its value, is when an interrupt may come for
    which the code waits; None: none ever comes.

    ``calls`` are those of lemmas without exact results; ``executed`` has the addresses of all
    instructions; ``returns`` has, by the address of each that led back to the caller, a path on
    which it did in the run from the entry.
    """

    def __init__(
        self,
        cpu: Cpu,
        oracle: Oracle,
        *,
        lemmas: Mapping[int, Lemma] | None = None,
        forget: Callable[[Term], Term] = lambda value: value,
        counted: Collection[Counted] = (),
        asserted: Callable[[State, Tell], None] | None = None,
        on_progress: Callable[[int], None] = lambda count: None,
        patience: int = MAX_ITERATIONS,
        events: list[Event] | None = None,
        loop_at: Callable[[int], Collection[int]] = lambda head: (),
        ports_at: Mapping[int, frozenset[int]] = MappingProxyType({}),
        interrupts_when: tuple[str, int] | None = None,
    ) -> None:
        self.cpu = cpu
        self.oracle = oracle
        self.lemmas = lemmas or {}
        self.events: list[Event] = [] if events is None else events
        self.calls: list[SummaryCall] = []
        self.executed: set[int] = set()
        self.returns: dict[int, tuple[Term, ...]] = {}
        self.instructions = 0
        self._accesses = Accesses(oracle, self.events)
        self._steps = MicrocodeSteps(self._accesses, self.tell, forget)
        self._patience_left = Patience(patience)
        self._depths: dict[Term, int | None] = {}
        self._iterations_of = Iterations(counted) if counted else None
        self._asserted = asserted
        self._order = Order(loop_at)
        self._ports_at = ports_at
        self._interrupts_when = interrupts_when
        self._on_progress = on_progress
        self._visits: dict[tuple[int, tuple[int, ...]], int] = {}
        self._looks: dict[tuple[int, tuple[int, ...]], object] = {}
        self._iterations: dict[tuple[int, tuple[int, ...]], int] = {}
        self._called: dict[tuple[int | None, int], list[frozenset[Term]]] = {}
        self._transfers = transfers(cpu.table)

    @property
    def constants(self) -> set[int]:
        """The addresses of code and read-only data that were read, or may have been; a lemma adds
        those that its code reads."""
        return self._accesses.constants

    @property
    def start(self) -> int | None:
        """Where the run under way began: None for the routine's entry."""
        return self._accesses.begin

    def run(
        self, start: State, stops: Collection[int], begin: int | None = None
    ) -> dict[int, State]:
        """The states in which execution reaches each of ``stops``; the start is none.

        ``begin`` is what events and calls call the start. Raises Unfinished, NeedsIndex and
        NeedsPorts.
        """
        self._check_ports(start)
        self._accesses.begin = begin
        if self._iterations_of is not None:
            self._iterations_of.initialise(start)
        waiting: dict[StateKey, Meeting] = {}
        ended: dict[StateKey, Meeting] = {}
        for state in self._step(start):
            self._add(state, stops, waiting, ended)
        while waiting:
            state = waiting.pop(self._order.next(waiting)).merge_states()
            for following in self._go_on(state):
                self._add(following, stops, waiting, ended)
        by_key: dict[int, State] = {}
        for (_, pc, _), meeting in ended.items():
            if pc in by_key:
                raise Unfinished(Cause.DIFFERENT_STACKS, DeadEnd.DIFFERENT_STACKS(), pc)
            by_key[pc] = meeting.merge_states()
        return by_key

    def tell(self, kind: EventKind, state: State, what: Term, about: object = None) -> None:
        """Note that something happens in a state."""
        self.events.append(Event(kind, state.path, what, state.pc, self.start, about=about))

    def read(self, state: State, address: Term) -> Term:
        """What is at an address; reading what the routine must not read is reported."""
        return self._accesses.read(state, address)

    def write(self, state: State, address: Term, value: Term, when: Term) -> None:
        """Write a byte where ``when`` holds; what the routine must not write is reported."""
        self._accesses.write(state, address, value, when)

    def is_first_read(self, contract: object, state: State) -> bool:
        """Whether no earlier call in this run read what ``contract`` lists: none that is on every
        path here. What comes later has a path with more conditions."""
        here = frozenset(state.path)
        before = self._called.setdefault((self.start, id(contract)), [])
        if any(path <= here for path in before):
            return False
        before.append(here)
        return True

    def read_port(self, state: State, value: Term | None, address: Term, when: Term) -> None:
        """Note that a lemma's code reads a port where ``when`` holds, and gets ``value``; None: it
        may read it by its contract."""
        path = state.path if when is t.TRUE else (*state.path, when)
        kind, by_contract = EventKind.READS_PORT, value is None
        self.events.append(Event(kind, path, address, state.pc, self.start, value, by_contract))

    def _add(
        self,
        state: State,
        stops: Collection[int],
        waiting: dict[StateKey, Meeting],
        ended: dict[StateKey, Meeting],
    ) -> None:
        stop, frame = state.pc in stops, state.memory.layout.frame
        if stop and self._iterations_of is not None:
            self._iterations_of.end(state)
        returned = frame is not None and state.pc == frame.end
        key = ((() if returned else state.frames), state.pc, state.get(self.cpu.stack))
        states = ended if stop else waiting
        if key in states:
            states[key].add(state)
        else:
            states[key] = Meeting(state)

    def _check_ports(self, state: State) -> None:
        """Raises NeedsPorts where something is a port for the routine that begins here."""
        ports = self._ports_at.get(state.pc)
        if ports is not None and not ports <= state.memory.layout.volatile:
            raise NeedsPorts(ports - state.memory.layout.volatile)

    def _go_on(self, state: State) -> list[State]:
        self._check_ports(state)
        lemma = self.lemmas.get(state.pc)
        if lemma is None:
            return self._step(state)
        try:
            lemma(self, state)
        except LemmaDoesNotFit:
            return self._step(state)
        return [state]

    def _step(self, state: State) -> list[State]:
        """One instruction."""
        self.instructions += 1
        key = state.pc, state.frames
        self._visits[key] = self._visits.get(key, 0) + 1
        if self.instructions % 256 == 0:
            self._on_progress(self.instructions)
        if self._visits[key] % MANY_ITERATIONS == 0 and self._is_again(state, key):
            raise Unfinished(Cause.ENDLESS_LOOP, DeadEnd.ENDLESS_LOOP(), state.pc)
        if self.instructions > MAX_INSTRUCTIONS:
            what = DeadEnd.TOO_MANY_STEPS(most=MAX_INSTRUCTIONS)
            raise Unfinished(Cause.TOO_MANY_STEPS, what, state.pc, self.hint())
        pc, layout = state.pc, state.memory.layout
        if pc in layout.volatile:
            raise Unfinished(Cause.CODE_IN_PORT, DeadEnd.CODE_IN_PORT(), pc)
        if not layout.is_fixed[pc]:
            raise Unfinished(Cause.NO_CODE, DeadEnd.NO_CODE(), pc)
        self.executed.add(pc)
        if self._iterations_of is not None:
            self._iterations_of.come_to(state, self.tell)
        if self._asserted is not None:
            self._asserted(state, self.tell)
        byte = layout.fixed[pc]
        if self._transfers.untaken[byte] >= 0:
            return [
                following
                for decided in self._decide(state, byte)
                for following in self._instruction(decided, byte)
            ]
        return self._instruction(state, byte)

    def _is_again(self, state: State, key: tuple[int, tuple[int, ...]]) -> bool:
        """Whether a state is the one that was here when somebody last looked."""
        memory = state.memory
        now = (
            tuple(map(state.get, self.cpu.registers)),
            tuple(memory.changed_bytes().items()),
            tuple(memory.changed_arrays().items()),
            tuple(memory.stack().items()),
            state.path,
        )
        before, self._looks[key] = self._looks.get(key), now
        return before == now

    def _instruction(self, state: State, byte: int) -> list[State]:
        pc, cpu = state.pc, self.cpu
        special = state.get(cpu.special)
        if special.is_const and special.number == 0:
            # the prologue of an ordinary instruction
            state.cycles += 1
            state.registers["pc"] = t.const(pc + 1 & 0xFFFF, 16)
            number: int | None = byte
        else:
            number = self._steps.execute(state, cpu.prologue)
            if number == cpu.sequences.get("wait"):
                return [self._interrupted(state)]
        while number is not None:
            microcode = cpu.microcode[number]
            if microcode.stop is not None:
                raise Unfinished(Cause.CPU_STOP, DeadEnd.CPU_STOP(), pc)
            number = self._steps.execute(state, microcode)
        return self._lead_on(state, pc, byte)

    def _interrupted(self, state: State) -> State:
        """A state of a CPU that waits for an interrupt, after a handler has returned: it goes on
        behind the instruction that waits, any number of cycles later."""
        if self._interrupts_when is None:
            raise Unfinished(Cause.INTERRUPT_WAIT, DeadEnd.INTERRUPT_WAIT(), state.pc)
        register, value = self._interrupts_when
        if not self.oracle.holds(state.path, t.eq(state.get(register), t.const(value, 1))):
            raise Unfinished(
                Cause.INTERRUPT_WAIT,
                DeadEnd.MASKED_WAIT(),
                state.pc,
                DeadEnd.REQUIRE(register=register.upper(), value=value),
            )
        time = t.var(new_name(stem_of(OriginKind.PORT, CYCLES)), CYCLE_BITS, 0, _LONG_WAIT)
        self.calls.append(SummaryCall(self.start, (), (time,), path=state.path, waits=True))
        state.extra = t.add(state.extra, time)
        state.registers[self.cpu.special] = t.const(0, self.cpu.registers[self.cpu.special])
        return state

    def _decide(self, state: State, byte: int) -> list[State]:
        """The states in which a conditional call or return happens, and those where it does not:
        apart before it, as stack and stack pointer are then known in both."""
        when = next(step.when for step in self.cpu.microcode[byte].steps if step.when is not None)
        flag = (when.args[0] if when.op is Op.NOT else when).name
        condition = state.get(flag)
        outcomes = [
            (each, number)
            for each, number in ((condition, 1), (t.not_(condition), 0))
            if self.oracle.possible(state.path, each)
        ]
        states: list[State] = []
        for each, number in outcomes:
            branch = state.copy() if len(outcomes) > 1 else state
            if len(outcomes) > 1:
                self.tell(EventKind.BRANCH, state, each)
                branch.assume(each)
            branch.registers[flag] = t.const(number, 1)
            states.append(branch)
        if len(states) > 1:
            self._count_visit(state, state.pc)
        return states

    def _lead_on(self, state: State, pc: int, byte: int) -> list[State]:
        """The states after an instruction, one for each place it can lead to."""
        self._note_depth(state, pc)
        frames, inside = state.frames, not state.frames
        following = state.get("pc")
        if following.is_const:
            state.pc = following.number
            states = [self._note_frames(state, pc, byte)]
        else:
            states = [
                self._note_frames(each, pc, byte) for each in self._fork(state, following, pc)
            ]
        for each in states:
            each.turns += each.pc <= pc
            if each.pc <= pc and each.frames == frames:
                self._order.jumps_back(each.pc)
        frame = state.memory.layout.frame
        if frame is not None and self.start is None:
            for each in states:
                if each.pc == frame.end:
                    self.returns.setdefault(pc, each.path)
        if inside and self._iterations_of is not None:
            for each in states:
                self._iterations_of.go_on(each, pc, self.tell)
        return states

    def _note_depth(self, state: State, pc: int) -> None:
        """Keep the lowest stack pointer; it must be known, as a distance from the entry's."""
        stack, frame = state.get(self.cpu.stack), state.memory.layout.frame
        if frame is None:
            depth = stack.number if stack.is_const else None
        elif stack.is_const:
            return  # it points to a table for a while
        else:
            if stack not in self._depths:
                self._depths[stack] = frame.depth(stack)
            depth = self._depths[stack]
            if depth is not None and -depth > frame.room:
                raise Unfinished(Cause.STACK_OVERFLOW, DeadEnd.STACK_OVERFLOW(), pc)
        if depth is None:
            raise Unfinished(Cause.STACK_POINTER_NOT_KNOWN, DeadEnd.POINTER_DIFFERS(), pc)
        state.lowest = min(state.lowest, depth)

    def _fork(self, state: State, following: Term, pc: int) -> list[State]:
        states: list[State] = []
        places = targets(self.oracle, state, following, pc)
        thorough = self._iterations.get((pc, state.frames), 0) >= MAX_HASTY
        possible = [
            (condition, place)
            for condition, place in places
            if self.oracle.possible(state.path, condition, thorough)
        ]
        for condition, place in possible:
            if len(possible) > 1:
                self.tell(EventKind.BRANCH, state, condition)
            branch = state.copy() if len(possible) > 1 else state
            if len(possible) > 1:
                branch.assume(condition)
            branch.registers["pc"] = t.const(place, 16)
            branch.know(_read_facts(condition))
            branch.pc = place
            states.append(branch)
        if len(states) > 1:
            self._count_visit(state, pc)
        if len(states) > 2 and self._iterations[pc, state.frames] > 1:
            self._order.takes_turns()
        return states

    def _count_visit(self, state: State, pc: int) -> None:
        key = (pc, state.frames)
        self._iterations[key] = self._iterations.get(key, 0) + 1
        self._patience_left.spend(key, state)

    def hint(self) -> Message | None:
        """What to do about a routine that takes too long."""
        visits = max(self._visits.values(), default=0)
        return None if visits < MANY_ITERATIONS else DeadEnd.NEEDS_INVARIANT(visits=visits)

    def _note_frames(self, state: State, pc: int, byte: int) -> State:
        """Note calls and returns."""
        flow = self._transfers.flows[byte]
        if flow is Flow.CALL and state.pc != (back := pc + self._transfers.sizes[byte] & 0xFFFF):
            state.frames = (*state.frames, back)
        elif flow is Flow.RETURN and state.frames and state.pc == state.frames[-1]:
            state.frames = state.frames[:-1]
        return state


def _read_facts(condition: Term) -> dict[Term, Term]:
    """What the condition says of terms of one bit."""
    known: dict[Term, Term] = {condition: t.TRUE, t.not_(condition): t.FALSE}
    if condition.op is AND:
        for part in condition.args:
            known |= _read_facts(part)
    return known
