"""What symbolic execution comes across that a routine should not do, and why it may not finish."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause
from romproof.text.messages import Message, MessageKind


class DeadEnd(MessageKind):
    """Why execution cannot go on, said of the code where it is; and what to do about it."""

    UNCUT_LOOP = "is in a loop that can have more than {most} iterations"
    ENDLESS_LOOP = (
        "may be an endless loop: for some input nothing changes from one iteration to the next"
    )
    TOO_MANY_STEPS = "takes more than {most:,} steps"
    DIFFERENT_STACKS = "reaches one address with different stack pointers or calls"
    POINTER_DIFFERS = "has a stack pointer that differs between paths"
    STACK_OVERFLOW = "uses more stack than is free: the stack could wrap around"
    COMPUTED_JUMP = "jumps to an address that may be anywhere"
    CODE_IN_PORT = "executes the value of a port"
    NO_CODE = "executes an address where the program has no code"
    CHANGING_CODE = "executes code that differs between paths"
    CPU_STOP = "stops the CPU"
    INTERRUPT_WAIT = "waits for an interrupt"
    MASKED_WAIT = "waits for an interrupt that may be masked"
    COUNTED_IN_CALL = "is counted by 'loops:', but reached within a call"
    OFF_FLOW_GRAPH = "leaves its control flow graph: 'loops:' cannot be counted"
    NO_RETURN_OF_CALL = "has a call that does not return to it: 'loops:' cannot be counted"
    INVARIANT_IN_CALL = "has an invariant in the middle of a call"
    BANK_SWITCH = "is in a bank, and a write to {registers:comma} may switch to another bank"

    GIVE_INVARIANT = "give it an invariant: '; invariant: LABEL: condition'"
    NEEDS_INVARIANT = "a loop had {visits} iterations so far; with an invariant it needs only one"
    REQUIRE = "where it never is, write requires: {register} == {value}"
    WITH_ADVICE = "{what}; {advice}"


class EventKind(Enum):
    """What happened; what it means depends on who asked."""

    READS = "reads memory that is not one of its inputs"
    READS_OBJECT = "reads memory before it was written"
    READS_CUT = "may read memory before it was written"
    """Of memory that is unknown since an invariant: was it written before that?"""
    READS_ARRAY = "reads a byte of an array before it was written"
    """It does, unless ``value`` (one bit) holds, or the byte was written before an invariant."""
    READS_PORT = "reads a port"
    WRITES = "writes memory that is not one of its outputs"
    WRITES_FIXED = "writes to code or read-only data"
    TOO_MANY_PLACES = "uses an address that may be anywhere"
    BRANCH = "branches"
    ADDRESS = "uses an address"
    BREAKS = "calls a routine without meeting its 'requires:'"
    ASSERTS = "reaches an assertion"
    LOOPS = "has a number of iterations outside 'loops:'"


@dataclass(frozen=True, slots=True)
class Event:
    """Something at ``pc`` that happens when all of ``path`` hold, after a run from ``begin``.

    ``begin`` is None for a run from the routine's entry, else the address of an invariant.
    ``what`` is the address of an access, the condition of a branch, or what must hold (BREAKS,
    ASSERTS, LOOPS); ``value`` what was read (READS_PORT; None: a callee reads it, by its contract),
    or what makes it right (READS_ARRAY).
    ``about`` is what of the contract it is about: the bound (LOOPS), the condition (ASSERTS), or a
    message that says what is required (BREAKS). ``by_contract`` says that a callee may do it by its
    contract: whether it does, nobody looked.
    """

    kind: EventKind
    path: tuple[Term, ...]
    what: Term
    pc: int
    begin: int | None
    value: Term | None = None
    by_contract: bool = False
    about: object = None


@dataclass(frozen=True, slots=True)
class SummaryCall:
    """A call of a routine that was proved, after a run from ``begin``.

    ``results`` are new variables for its outputs and its duration, each with the terms that it
    depends on: equal ones give an equal result. ``anything`` are those of which nothing is known.
    ``ports`` are those that it may read; where it ``keeps_step``, how often it reads them depends
    on nothing but what its results depend on. It is made where all of ``path`` hold. ``before`` and
    ``after`` are the states at its first instruction and after it, for calls that code under proof
    makes itself. ``unlimited`` names the routine where nothing says how long it takes at most. What
    ``waits`` is no call but an instruction that waits for an interrupt, any number of cycles.
    """

    begin: int | None
    results: tuple[tuple[Term, tuple[Term, ...]], ...]
    anything: tuple[Term, ...]
    ports: frozenset[int] = frozenset()
    before: State | None = None
    after: State | None = None
    path: tuple[Term, ...] = ()
    keeps_step: bool = True
    unlimited: str = ""
    waits: bool = False


class NeedsIndex(Exception):
    """An object is reached with an index: start again with it as an array."""

    def __init__(self, which: MemoryObject) -> None:
        super().__init__(which.name)
        self.which = which


class NeedsPorts(Exception):
    """Code is reached for which some addresses are ports that are memory so far: start again with
    them as ports."""

    def __init__(self, ports: frozenset[int]) -> None:
        super().__init__(sorted(ports))
        self.ports = ports


class Unfinished(Exception):
    """Execution cannot go on: ``cause`` says why, ``pc`` where; ``what`` happened, and ``advice``
    on what to do about it, are messages."""

    def __init__(self, cause: Cause, what: Message, pc: int, advice: Message | None = None) -> None:
        super().__init__(what)
        self.cause = cause
        self.what = what
        self.pc = pc
        self.advice = advice

    @property
    def reason(self) -> Message:
        """All that there is to say of it."""
        if self.advice is None:
            return self.what
        return DeadEnd.WITH_ADVICE(what=self.what, advice=self.advice)


class LongLoop(Unfinished):
    """A loop has more undecided iterations than anybody wants to wait for; ``inside`` is whether
    it belongs to the routine itself, and to nothing that it calls. ``path`` are the conditions
    under which it goes on."""

    def __init__(
        self,
        what: Message,
        pc: int,
        inside: bool,
        path: tuple[Term, ...] = (),
        advice: Message | None = None,
    ) -> None:
        super().__init__(Cause.LONG_LOOP, what, pc, advice)
        self.inside = inside
        self.path = path


class LemmaDoesNotFit(Exception):
    """What stands for a routine cannot be used in this state: its code has to be executed. It may
    be that it was proved with ``ports`` of the state as memory."""

    def __init__(self, ports: frozenset[int] = frozenset()) -> None:
        super().__init__()
        self.ports = ports
