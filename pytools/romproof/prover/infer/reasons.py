"""Why there is no contract, by class."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from romproof.prover.infer.flows import Flows
from romproof.prover.infer.polling import only_waits
from romproof.prover.states.program import Program
from romproof.symbolic.execute.events import Unfinished
from romproof.text.cause import Cause


class Why(Enum):
    """Classes of reasons."""

    LOOP = "a loop without a known bound"
    PORT = "it waits for a port"
    RETURNS = "it never returns"
    JUMP = "a jump to a computed address"
    POINTER = "an access without known limits"
    BANK = "a write to ROM, like those that switch banks"
    CODE = "code that is not in the program or not loaded"
    STACK = "a use of the stack other than for calls and pushes"
    RECURSION = "it calls itself"
    HALT = "it waits for an interrupt or stops the CPU"
    EFFORT = "more work than is allowed"
    UNPROVED = "the contract found could not be proved"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a routine has no contract: the class, where, and what happens there."""

    why: Why
    detail: str
    pc: int | None = None


class NoContract(Exception):
    """There is none; ``reason`` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.detail)
        self.reason = reason


_CLASSES = {
    Cause.LONG_LOOP: Why.LOOP,
    Cause.ENDLESS_LOOP: Why.RETURNS,
    Cause.COMPUTED_JUMP: Why.JUMP,
    Cause.NO_CODE: Why.CODE,
    Cause.CHANGING_CODE: Why.STACK,
    Cause.STACK_POINTER_NOT_KNOWN: Why.STACK,
    Cause.STACK_OVERFLOW: Why.STACK,
    Cause.DIFFERENT_STACKS: Why.STACK,
    Cause.INTERRUPT_WAIT: Why.HALT,
    Cause.CPU_STOP: Why.HALT,
}
"""What ends symbolic execution; all else takes more work than is allowed."""


def of_unfinished(program: Program, flows: Flows, entry: int, stop: Unfinished) -> Reason:
    """The class of what ended symbolic execution."""
    pc = stop.pc
    why = _CLASSES.get(stop.cause, Why.EFFORT)
    if why in (Why.LOOP, Why.EFFORT, Why.RETURNS) and _polls(program, flows, pc):
        why = Why.PORT
    elif why in (Why.STACK, Why.LOOP, Why.EFFORT) and flows.is_recursive(entry):
        why = Why.RECURSION
    elif why is Why.JUMP and pc in flows.steps and flows.steps[pc].returns:
        why = Why.STACK
    return Reason(why, f"{program.image.describe(pc)}: it {stop.reason}", pc)


def _polls(program: Program, flows: Flows, pc: int) -> bool:
    """Whether an instruction is in a loop that only waits for a port."""
    entry = max((a for a in flows.routines if a <= pc), default=pc)
    bodies = flows.loops(entry)
    return any(pc in body and only_waits(program, flows, body) for body in bodies)
