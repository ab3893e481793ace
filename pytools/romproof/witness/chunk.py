"""Runs in one setting: executed, and what they did to memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from romproof.engine.devices import Device
from romproof.witness.columns import Array, Machines, Memories
from romproof.witness.execute import execute
from romproof.witness.job import Done, End, Job
from romproof.witness.setting import Setting
from romproof.witness.subject import SIZE, Subject

AT_ONCE = 256
"""Runs whose whole memory is checked at once: 16 MiB."""


@dataclass(frozen=True)
class Ran:
    """The runs of one setting: how they began and what they did.

    ``strayed`` has for each run the address of a byte that changed and may not, -1 for none.
    """

    subject: Subject
    setting: Setting
    before: Machines = field(repr=False)
    done: Done = field(repr=False)
    strayed: Array = field(repr=False)

    @property
    def reached(self) -> Array:
        """Which runs came to where they were to end."""
        reached: Array = self.done.ends == End.REACHED
        return reached

    def rows(self, chosen: Array) -> Ran:
        """Some of the runs."""
        before, done = self.before.rows(chosen), self.done.rows(chosen)
        return Ran(self.subject, self.setting, before, done, self.strayed[chosen])


def run(
    subject: Subject,
    setting: Setting,
    before: Machines,
    limit: int,
    engine: str,
    device: Callable[[int], Device] | None = None,
) -> Ran:
    """Execute. A write to what the contract does not name at all ends a run, which is then made
    again, all of its memory being compared: it may put back what was there."""
    job = Job(subject, setting, before, _protect(subject, setting), limit, False, device)
    done = execute(job, engine)
    strayed = np.full(len(before), -1, np.int64)
    again = np.flatnonzero(done.ends == End.WRITE)
    for start in range(0, len(again), AT_ONCE):
        rows = again[start : start + AT_ONCE]
        done = _again(job, rows, done, strayed, engine)
    _note_changes(before, done, subject, strayed)
    return Ran(subject, setting, before, done, strayed)


def _again(job: Job, rows: Array, done: Done, strayed: Array, engine: str) -> Done:
    """Some runs with all but constants writable; tells in ``strayed`` what changed."""
    subject = job.subject
    fixed = subject.fixed
    device = job.device
    own = None if device is None else lambda row: device(int(rows[row]))
    wanted = replace(job, before=job.before.rows(rows), protected=fixed, whole=True, device=own)
    again = execute(wanted, engine)
    assert again.whole is not None
    memory = job.before.memory
    strange = np.frombuffer(_protect(subject, job.setting), np.uint8) != 0
    changed = (again.whole != memory.base) & strange
    strayed[rows] = np.where(changed.any(axis=1), changed.argmax(axis=1), -1)
    return _merge(done, again, rows)


def _note_changes(before: Machines, done: Done, subject: Subject, strayed: Array) -> None:
    """Tell of bytes that the contract names, but not as what may change."""
    preserved = [n for n, address in enumerate(subject.cells) if address not in subject.written]
    if not preserved:
        return
    addresses = np.array(subject.cells)[preserved]
    changed = before.memory.matrix[:, preserved] != done.after.memory.matrix[:, preserved]
    rows = changed.any(axis=1) & (done.ends == End.REACHED) & (strayed < 0)
    strayed[rows] = addresses[changed.argmax(axis=1)][rows]


def _merge(done: Done, merged: Done, rows: Array) -> Done:
    """``done``, with what was found for some rows in their place."""
    place = {int(row): number for number, row in enumerate(rows)}

    def put(into: Array, values: Array) -> Array:
        into = into.copy()
        into[rows] = values
        return into

    def fault(row: int) -> str:
        return merged.fault(place[row]) if row in place else done.fault(row)

    registers = {
        name: put(values, merged.after.registers[name])
        for name, values in done.after.registers.items()
    }
    memory = done.after.memory
    matrix = put(memory.matrix, merged.after.memory.matrix)
    return Done(
        Machines(registers, Memories(memory.base, memory.addresses, matrix, memory.places)),
        put(done.ends, merged.ends),
        put(done.places, merged.places),
        put(done.last, merged.last),
        put(done.cycles, merged.cycles),
        put(done.lowest, merged.lowest),
        None,
        fault,
    )


def _protect(subject: Subject, setting: Setting) -> bytes:
    """Where a write is strange: in memory that the contract does not name, and in constants."""
    window = [address % SIZE for address in subject.window(setting.stack)]
    named = np.array([*subject.written, *subject.cells, *subject.ports, *window], np.int64)
    protected = np.ones(SIZE, np.uint8)
    protected[named] = np.frombuffer(subject.fixed, np.uint8)[named] != 0
    return protected.tobytes()
