"""The code of a program, followed from where it is known to begin: instruction by instruction, into
what is called as well.

Jumps through pointers are not followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from romproof.isa.codec import Instruction
from romproof.isa.flow import Flow

At = Callable[[int], Instruction | None]
"""What decodes the instruction at an address, None where there is none."""


@dataclass(frozen=True, slots=True)
class FollowedStep:
    """An instruction, and where it leads.

    ``nexts`` are the instructions that may come next in the same routine, ``call`` the routine that
    is called. ``returns``: it may lead back to the caller. ``lost``: where else it leads is not
    known.
    """

    instruction: Instruction
    nexts: tuple[int, ...]
    call: int | None = None
    returns: bool = False
    lost: bool = False

    @property
    def address(self) -> int:
        """Where it stands."""
        return self.instruction.address

    @property
    def following(self) -> int:
        """The address behind it."""
        return self.address + self.instruction.opcode.size & 0xFFFF


def follow_code(entries: Iterable[int], at: At) -> dict[int, FollowedStep]:
    """The instructions that ``entries`` lead to, by address."""
    steps: dict[int, FollowedStep] = {}
    work = list(entries)
    while work:
        address = work.pop() & 0xFFFF
        if address in steps:
            continue
        instruction = at(address)
        if instruction is None:
            continue
        step = steps[address] = _step(instruction)
        work += step.nexts
        if step.call is not None:
            work.append(step.call)
    return steps


def find_called(entries: Iterable[int], steps: Mapping[int, FollowedStep]) -> frozenset[int]:
    """The addresses that the code of ``entries`` calls, and what is called there in turn."""
    called: set[int] = set()
    seen: set[int] = set()
    work = list(entries)
    while work:
        address = work.pop()
        if address in seen or address not in steps:
            continue
        seen.add(address)
        step = steps[address]
        work += step.nexts
        if step.call is not None:
            called.add(step.call)
            work.append(step.call)
    return frozenset(called)


def _step(instruction: Instruction) -> FollowedStep:
    opcode, target = instruction.opcode, instruction.target
    following = instruction.address + opcode.size & 0xFFFF
    match opcode.flow:
        case Flow.NEXT:
            return FollowedStep(instruction, (following,))
        case Flow.BRANCH if target is not None:
            return FollowedStep(instruction, (following, target))
        case Flow.JUMP:
            known = target is not None and "(" not in opcode.mode
            nexts = [following] if opcode.conditional else []
            nexts += [target] if known and target is not None else []
            return FollowedStep(instruction, tuple(nexts), lost=not known)
        case Flow.CALL:
            return FollowedStep(instruction, (following,), target, lost=target is None)
        case Flow.RETURN:
            return FollowedStep(
                instruction, (following,) if opcode.conditional else (), returns=True
            )
    return FollowedStep(instruction, ())
