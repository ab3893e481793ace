"""Why an answer is unknown: the causes that code tells apart. Words are for people alone."""

from __future__ import annotations

from enum import StrEnum, auto


class Cause(StrEnum):
    """What happened where a question was left open."""

    PROVER_FAULT = auto()
    """The prover and the machine, or two solvers, do not agree."""

    # what else is not proved
    RESTS_ON_OTHER = auto()
    """Another statement, on which this one rests, is not proved."""
    DECREASE_NOT_SHOWN = auto()
    """Nothing shows that a number gets smaller at each visit, or that a loop ends."""
    CUT_OFF = auto()
    """A run had not ended when its cycles were over."""
    NOT_FILLED = auto()
    """Memory may be read before it was written."""
    WEAK_INVARIANT = auto()
    """It fails in a state that an invariant allows, and that perhaps no call comes to."""
    ITERATIONS_NOT_KNOWN = auto()
    """How often a loop is passed, no number says."""
    END_NOT_REACHED = auto()
    """A bound of cycles is known, and no input that takes as many."""
    UNLIMITED_CALLEE = auto()
    """Nothing limits the cycles of a callee."""
    CALLEE_MAY_NOT_END = auto()
    """It is not proved that a callee ends."""
    NOT_EXPLORED = auto()
    """Nothing was proved before from which this could start."""
    NO_ROOM = auto()
    """The program leaves no memory that could stand for a block."""
    NOT_COMPARABLE = auto()
    """Two programs, or a program and a model, have nothing that can be compared."""
    NO_INPUT_KNOWN = auto()
    """No input is known for what was found, or none was executed."""
    UNREACHED = auto()
    """No input reaches what was asked about."""

    # where symbolic execution stopped
    UNCUT_LOOP = auto()
    """No invariant cuts a loop."""
    LONG_LOOP = auto()
    """A loop can have more iterations than are executed."""
    TOO_MANY_STEPS = auto()
    """More instructions than one exploration executes."""
    ENDLESS_LOOP = auto()
    """Nothing changes from one iteration to the next."""
    NO_RETURN = auto()
    """No path leads to a return."""
    INTERRUPT_WAIT = auto()
    """An instruction waits for an interrupt."""
    CPU_STOP = auto()
    """An instruction stops the CPU."""
    INVARIANT_IN_CALL = auto()
    """An invariant stands within a call."""
    COUNTED_IN_CALL = auto()
    """What ``loops:`` counts is reached within a call."""
    OFF_FLOW_GRAPH = auto()
    """A way is taken that the control flow graph does not have."""
    COMPUTED_JUMP = auto()
    """A jump to an address that may be anywhere."""
    NO_CODE = auto()
    """An address without code of the program."""
    CODE_IN_PORT = auto()
    """A port is executed."""
    CHANGING_CODE = auto()
    """Code that is not always the same."""
    BANK_SWITCH = auto()
    """Another bank may come in sight."""
    DIFFERENT_STACKS = auto()
    """One address is reached with different stacks."""
    STACK_POINTER_NOT_KNOWN = auto()
    """The stack pointer has no single value."""
    STACK_OVERFLOW = auto()
    """More stack than there may be."""
    ADDRESS_ANYWHERE = auto()
    """An access to an address that may be anywhere."""

    # what it would have taken
    EFFORT = auto()
    """The effort for a claim is used up, or a limit of terms, values or instructions is reached."""
    TOO_DEEP = auto()
    """Values nest too deeply."""
    TIME = auto()
    """The seconds were over: another run may come further."""


def join_causes(*causes: Cause | None) -> tuple[Cause, ...]:
    """Causes that come together, each once, in the order in which they are given."""
    return tuple(dict.fromkeys(each for each in causes if each is not None))
