"""Why there is no contract, by class."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from romproof.prover.catalogue import Reason
from romproof.prover.infer.flows import Flows
from romproof.prover.infer.polling import only_waits
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.events import Unfinished
from romproof.text.cause import Cause
from romproof.text.messages import Message


class ObstacleKind(Enum):
    """Why a routine has no contract."""

    LOOP = "a loop without a known bound"
    PORT = "it waits for a port"
    RETURNS = "it may never return"
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
class Obstacle:
    """Why a routine has no contract: the kind, what happens, and where; ``more`` is what else there
    is to say of it, such as what to do."""

    kind: ObstacleKind
    what: Message | None
    pc: int | None = None
    more: Message | None = None

    @property
    def detail(self) -> str:
        """All of it in words."""
        return "; ".join(str(each) for each in (self.what, self.more) if each is not None)


class NoContract(Exception):
    """There is none; ``reason`` says why."""

    def __init__(self, reason: Obstacle) -> None:
        super().__init__(reason.detail)
        self.reason = reason


_KINDS = {
    Cause.LONG_LOOP: ObstacleKind.LOOP,
    Cause.ENDLESS_LOOP: ObstacleKind.RETURNS,
    Cause.COMPUTED_JUMP: ObstacleKind.JUMP,
    Cause.NO_CODE: ObstacleKind.CODE,
    Cause.CHANGING_CODE: ObstacleKind.CHANGES,
    Cause.STACK_POINTER_NOT_KNOWN: ObstacleKind.STACK,
    Cause.STACK_OVERFLOW: ObstacleKind.STACK,
    Cause.DIFFERENT_STACKS: ObstacleKind.STACK,
    Cause.INTERRUPT_WAIT: ObstacleKind.HALT,
    Cause.CPU_STOP: ObstacleKind.HALT,
}
"""What ends symbolic execution; all else takes more work than is allowed."""


def of_unfinished(program: ProofProgram, flows: Flows, entry: int, stop: Unfinished) -> Obstacle:
    """Why what ended symbolic execution leaves no contract."""
    pc = stop.pc
    kind = _KINDS.get(stop.cause, ObstacleKind.EFFORT)
    if kind in (ObstacleKind.LOOP, ObstacleKind.EFFORT, ObstacleKind.RETURNS) and _polls(
        program, flows, pc
    ):
        kind = ObstacleKind.PORT
    elif kind in (
        ObstacleKind.STACK,
        ObstacleKind.LOOP,
        ObstacleKind.EFFORT,
    ) and flows.is_recursive(entry):
        kind = ObstacleKind.RECURSION
    elif kind is ObstacleKind.JUMP and pc in flows.steps and flows.steps[pc].returns:
        kind = ObstacleKind.STACK
    what = Reason.STOPS(place=program.image.describe(pc), why=stop.what)
    return Obstacle(kind, what, pc, stop.advice)


def _polls(program: ProofProgram, flows: Flows, pc: int) -> bool:
    """Whether an instruction is in a loop that only waits for a port."""
    entry = max((a for a in flows.routines if a <= pc), default=pc)
    bodies = flows.loops(entry)
    return any(pc in body and only_waits(program, flows, body) for body in bodies)
