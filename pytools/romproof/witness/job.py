"""What is to be executed, and what came of it: nouns that both kinds of engines use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from romproof.engine.devices import Device
from romproof.engine.protocol import EngineFault, Guard
from romproof.isa.abi import Abi
from romproof.witness.columns import Array, Machines
from romproof.witness.setting import Setting
from romproof.witness.subject import Subject


class End(IntEnum):
    """How a run ended."""

    REACHED = 0
    """It came to where it was to end."""
    LIMIT = 1
    """It used up its cycles."""
    WRITE = 2
    """It wrote where it may not."""
    FAULT = 3
    """It did what no engine does, or stopped the CPU's clock."""


@dataclass(frozen=True)
class Job:
    """``before`` are the machines at the first instruction, all in one setting.

    ``protected`` is nonzero where a write ends a run, ``limit`` are the cycles it may take.
    ``whole``: all memory after the runs is wanted. ``device`` makes what stands in the place of
    volatile memory in a run; None: memory does.
    """

    subject: Subject
    setting: Setting
    before: Machines = field(repr=False)
    protected: bytes = field(repr=False)
    limit: int
    whole: bool = False
    device: Callable[[int], Device] | None = None


@dataclass(frozen=True)
class Done:
    """What the runs of a job did, each array with one element a run.

    ``ends`` are numbers of End, ``places`` where each run ended, ``last`` the addresses of the
    instructions executed last, ``lowest`` the lowest stack pointers. ``whole`` has all memory
    after each run, if it was wanted. ``fault`` says what a run did that is not an end.
    """

    after: Machines = field(repr=False)
    ends: Array
    places: Array
    last: Array
    cycles: Array
    lowest: Array
    whole: Array | None = field(repr=False)
    fault: Callable[[int], str] = field(repr=False)

    def rows(self, chosen: Array) -> Done:
        """What some of the runs did."""
        return Done(
            self.after.rows(chosen),
            self.ends[chosen],
            self.places[chosen],
            self.last[chosen],
            self.cycles[chosen],
            self.lowest[chosen],
            None if self.whole is None else self.whole[chosen],
            lambda row: self.fault(int(chosen[row])),
        )


def guard_of(job: Job) -> Guard:
    """What ends a run: writes to protected memory, code where none is, BRK, a full stack."""
    highest = job.subject.abi.stack_mask
    return Guard(job.subject.executable, job.protected, highest)


def entry_registers(job: Job, row: int) -> dict[str, int]:
    """The registers a run begins with."""
    subject = job.subject
    registers = {name: int(v[row]) for name, v in job.before.registers.items()}
    return registers | {"pc": subject.entry, subject.cpu.special: 0}


def view_registers(abi: Abi, registers: Mapping[str, Any]) -> dict[str, Any]:
    """Registers as contracts mean them: SM83 ``ei`` works with the instruction after it."""
    values = dict(registers)
    delayed: Mapping[str, tuple[str, int]] = getattr(abi, "delayed", {})
    for name, (other, value) in delayed.items():
        values[name] = values[name] | (registers[other] == value)
    return values


def fault_text(subject: Subject, fault: EngineFault) -> str:
    """What the place of a fault is called."""
    return subject.describe(fault.address)
