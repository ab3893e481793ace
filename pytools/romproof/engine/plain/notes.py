"""What the engine ``plain`` writes down of each instruction and each bus cycle."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from romproof.engine.instruments import (
    EXECUTED,
    READ,
    WRITTEN,
    Recording,
    call_kinds,
    first_bytes,
)
from romproof.engine.plain.core import BusCycle
from romproof.engine.protocol import Observer
from romproof.isa.cpu import Cpu
from romproof.isa.microcode import StepKind

_ACCESS = {
    StepKind.FETCH: EXECUTED,
    StepKind.OPERAND: EXECUTED,
    StepKind.READ: READ,
    StepKind.WRITE: WRITTEN,
}

Note = Callable[[int, int, int, int, int], None]
"""Called for an instruction: the cycle before it, the cycle after it, pc, next_pc, number."""


def notes_for(
    cpu: Cpu, core: Any, recording: Recording | None, observer: Observer | None
) -> Note | None:
    """The callback for each instruction, or None when there is no observer."""
    wanted = None if recording is None else recording.instruments
    if wanted is not None and not (wanted.counts or wanted.calls or wanted.trace):
        wanted = None
    if wanted is None and observer is None:
        return None
    stack, ordinary = cpu.stack, len(cpu.opcodes)
    kinds, firsts = call_kinds(cpu.name), first_bytes(cpu.name)
    before = getattr(core, stack)

    def note(began: int, ended: int, pc: int, next_pc: int, number: int) -> None:
        nonlocal before
        after = getattr(core, stack)
        moved, before = after != before, after
        if wanted is not None:
            assert recording is not None
            if wanted.counts:
                recording.executions[pc] += number < ordinary
                recording.cycles[pc] += ended - began
            if wanted.calls and moved and kinds[number] is not None:
                recording.raw_calls.append((began, pc, next_pc, after, number))
            if wanted.trace:
                assert isinstance(recording.raw_trace, deque)
                recording.raw_trace.append((began, pc, next_pc, after, number))
        if observer is not None:
            observer.instruction(pc, firsts[number], ended - began, after, next_pc)

    return note


def access_notes(access: bytearray) -> Callable[[BusCycle], None]:
    """Marks in the map what was read, written and executed."""

    def note(cycle: BusCycle) -> None:
        bit = _ACCESS.get(cycle.kind)
        if bit is not None:
            assert cycle.address is not None
            access[cycle.address] |= bit

    return note


def join_watchers(
    one: Callable[[BusCycle], None], other: Callable[[BusCycle], None]
) -> Callable[[BusCycle], None]:
    """Two watchers of the bus as one."""

    def report(cycle: BusCycle) -> None:
        one(cycle)
        other(cycle)

    return report
