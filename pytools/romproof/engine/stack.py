"""In which direction an instruction moves the stack pointer."""

from __future__ import annotations

from enum import Enum
from functools import cache

from romproof.isa.algebra import Op, Value
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named


class Move(Enum):
    """How an instruction changes the stack pointer."""

    PUSH = "push"
    PULL = "pull"
    SET = "set"


def moves(cpu: Cpu) -> tuple[Move | None, ...]:
    """For each microcode, how it moves the stack pointer; None when it does not."""
    return _moves(cpu.name)


@cache
def _moves(name: str) -> tuple[Move | None, ...]:
    cpu = cpu_named(name)
    kinds: list[Move | None] = []
    for microcode in cpu.microcode:
        value = microcode.result(cpu.stack)
        distance = None if value is None else _distance(value, cpu.stack)
        if value is None:
            kinds.append(None)
        elif distance is None:
            kinds.append(Move.SET)
        else:
            kinds.append(Move.PUSH if distance < 0 else Move.PULL)
    return tuple(kinds)


def _distance(value: Value, stack: str) -> int | None:
    """How far from the register ``stack`` a value is; None when it is something else."""
    match value:
        case Value(op=Op.REGISTER, name=name):
            return 0 if name == stack else None
        case Value(op=Op.ADD | Op.SUB, args=(base, Value(op=Op.CONST, number=step))):
            inner = _distance(base, stack)
            if inner is None:
                return None
            signed = step - (1 << value.width) if step >> (value.width - 1) else step
            return inner + (signed if value.op is Op.ADD else -signed)
        case Value(op=Op.SELECT, args=(_, then, otherwise)):
            one, other = _distance(then, stack), _distance(otherwise, stack)
            return None if one is None or other is None else one or other
    return None
