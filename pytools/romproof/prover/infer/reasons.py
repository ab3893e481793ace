"""Why there is no contract, by class."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from romproof.prover.infer.flows import Flows
from romproof.prover.infer.polling import only_waits
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.events import Unfinished
from romproof.text.cause import Cause


class ReasonKind(Enum):
    """Why a routine has no contract."""

    LOOP = "a loop without a known bound"
    PORT = "it waits for a port"
    RETURNS = "it never returns"
    JUMP = "a jump to a computed address"
    POINTER = "an access without known limits"
    BANK = "a write to ROM, like those that switch banks"
    CODE = "code that is not in the program or not loaded"
    CHANGES = "code that is not always the same"
    STACK = "a use of the stack other than for calls and pushes"
    RECURSION = "it calls itself"
    HALT = "it waits for an interrupt or stops the CPU"
    EFFORT = "more work than is allowed"
    UNPROVED = "the contract found could not be proved"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a routine has no contract: the kind, what happens, and where; ``more`` is what else there
    is to say of it, such as what to do."""

    kind: ReasonKind
    what: str
    pc: int | None = None
    more: str = ""

    @property
    def detail(self) -> str:
        """All of it."""
        return f"{self.what}; {self.more}" if self.more else self.what


class NoContract(Exception):
    """There is none; ``reason`` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.detail)
        self.reason = reason


_KINDS = {
    Cause.LONG_LOOP: ReasonKind.LOOP,
    Cause.ENDLESS_LOOP: ReasonKind.RETURNS,
    Cause.COMPUTED_JUMP: ReasonKind.JUMP,
    Cause.NO_CODE: ReasonKind.CODE,
    Cause.CHANGING_CODE: ReasonKind.CHANGES,
    Cause.STACK_POINTER_NOT_KNOWN: ReasonKind.STACK,
    Cause.STACK_OVERFLOW: ReasonKind.STACK,
    Cause.DIFFERENT_STACKS: ReasonKind.STACK,
    Cause.INTERRUPT_WAIT: ReasonKind.HALT,
    Cause.CPU_STOP: ReasonKind.HALT,
}
"""What ends symbolic execution; all else takes more work than is allowed."""


def of_unfinished(program: ProofProgram, flows: Flows, entry: int, stop: Unfinished) -> Reason:
    """Why what ended symbolic execution leaves no contract."""
    pc = stop.pc
    kind = _KINDS.get(stop.cause, ReasonKind.EFFORT)
    if kind in (ReasonKind.LOOP, ReasonKind.EFFORT, ReasonKind.RETURNS) and _polls(
        program, flows, pc
    ):
        kind = ReasonKind.PORT
    elif kind in (ReasonKind.STACK, ReasonKind.LOOP, ReasonKind.EFFORT) and flows.is_recursive(
        entry
    ):
        kind = ReasonKind.RECURSION
    elif kind is ReasonKind.JUMP and pc in flows.steps and flows.steps[pc].returns:
        kind = ReasonKind.STACK
    what = f"{program.image.describe(pc)}: it {stop.what}"
    return Reason(kind, what, pc, stop.advice)


def _polls(program: ProofProgram, flows: Flows, pc: int) -> bool:
    """Whether an instruction is in a loop that only waits for a port."""
    entry = max((a for a in flows.routines if a <= pc), default=pc)
    bodies = flows.loops(entry)
    return any(pc in body and only_waits(program, flows, body) for body in bodies)
