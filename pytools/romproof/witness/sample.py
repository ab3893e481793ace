"""A few of the inputs, executed one by one: what is read, labels, the paths of secrets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from romproof.engine.devices import Device
from romproof.witness.columns import Array, Machines, Memories
from romproof.witness.compare import secret_statement
from romproof.witness.domains import Domains, find_allowed
from romproof.witness.job import Job
from romproof.witness.labels import labels_of
from romproof.witness.ports import PortStream
from romproof.witness.results import Disagreement
from romproof.witness.setting import Setting
from romproof.witness.subject import SIZE, InputKey, Subject
from romproof.witness.tally import Tally
from romproof.witness.watch import Watched, find_miscounted, reads, watch

WEIGHT = 200_000
"""Expressions at labels that are evaluated in all."""
TRIES = 4
"""How often other secrets are looked for where the first ones are not allowed."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How many runs are checked for their accesses, and for labels; for how many cycles in all,
    and how many at most in one run."""

    sample: int
    labels: int
    cycles: int
    limit: int


def touches(subject: Subject, disagreement: Disagreement, limit: int) -> bool:
    """Whether volatile memory was read or written in what does not agree."""
    for snapshot in (disagreement.before, disagreement.other):
        if snapshot is None:
            continue
        registers = {name: np.array([value]) for name, value in snapshot.registers.items()}
        base = np.frombuffer(snapshot.memory, np.uint8)
        before = Machines(registers, Memories.of(base, (), np.zeros((1, 0), np.uint8)))
        setting = Setting(base, snapshot.registers[subject.cpu.stack], subject.ends)
        if probe(subject, setting, before, limit):
            return True
    return False


def probe(subject: Subject, setting: Setting, before: Machines, cycles: int) -> bool:
    """Whether some runs read or write volatile memory."""
    job = _job(subject, setting, before, cycles, PortStream)
    return any(watch(job, row).touches(subject.ports) for row in range(len(before)))


def sample(
    subject: Subject,
    setting: Setting,
    before: Machines,
    effort: Effort,
    tally: Tally,
    device: Callable[[int], Device] | None,
    other_device: Callable[[int], Device] | None,
    chance: np.random.Generator,
    seconds: Callable[[], float],
) -> None:
    """Look at runs one by one as long as there are cycles left, and seconds; tells what is
    broken. ``device`` is what ports are in a run, ``other_device`` where secrets are others."""
    labels = labels_of(subject)
    other = before if subject.secret_ports else None
    if subject.secrets:
        other = swap_secrets(subject, before, tally.domains, chance)
    left, weight = effort.cycles, WEIGHT
    wanted = max(effort.sample, effort.labels if labels.counted else 0)
    for row in range(min(len(before), wanted)):
        if left <= 0 or seconds() <= 0:
            break
        limit = min(left, effort.limit)
        watched = watch(_job(subject, setting, before, limit, device), row, labels, weight)
        left, weight = left - watched.cycles, weight - watched.weight
        tally.watched += 1
        for address in labels.counted:
            visits = watched.pcs.count(address) if address in labels.loops else 0
            visits = max(visits, watched.visits.get(address, 0))
            tally.labels[address] = tally.labels.get(address, 0) + visits
        broken = [*watched.broken, *reads(subject, watched, setting.stack)]
        broken += find_miscounted(labels, watched)
        for statement, detail in broken:
            tally.add(before, row, statement, detail)
        if other is not None:
            again = watch(_job(subject, setting, other, limit, other_device), row)
            left -= again.cycles
            tally.watched += 1
            if watched.accesses != again.accesses:
                detail = _first_difference(subject, watched, again)
                tally.add(before, row, secret_statement(subject), detail, other)


def swap_secrets(
    subject: Subject, before: Machines, domains: Domains, chance: np.random.Generator
) -> Machines:
    """The same machines with other secrets, where there are others that are allowed."""
    columns = {key: _values(before, key) for key in subject.secrets}
    own = dict(columns)
    bounds = zip(domains.keys, domains.low, domains.high, strict=True)
    limits = {key: (int(low), int(high)) for key, low, high in bounds}
    wrong = np.ones(len(before), bool)
    for attempt in range(TRIES):
        for key in columns:
            low, high = limits[key]
            values = chance.integers(low, max(low, high), len(before), np.int64, endpoint=True)
            if attempt == 0:
                values[::3], values[1::3] = low, high
            columns[key] = np.where(wrong, values, columns[key])
        wrong &= ~find_allowed(subject, _with(before, columns))
        if not wrong.any():
            break
    return _with(before, {key: np.where(wrong, own[key], columns[key]) for key in columns})


def _values(machines: Machines, key: InputKey) -> Array:
    """The values of a register or byte."""
    if isinstance(key, str):
        return machines.registers[key]
    values: Array = machines.memory.matrix[:, machines.memory.places[key]]
    return values


def _with(machines: Machines, columns: Mapping[InputKey, Array]) -> Machines:
    """The same machines, with other values of some registers and bytes."""
    registers, memory = dict(machines.registers), machines.memory
    matrix = memory.matrix.copy()
    for key, values in columns.items():
        if isinstance(key, str):
            registers[key] = values.astype(registers[key].dtype)
        else:
            matrix[:, memory.places[key]] = values
    return Machines(registers, Memories(memory.base, memory.addresses, matrix, memory.places))


def _job(
    subject: Subject,
    setting: Setting,
    before: Machines,
    limit: int,
    device: Callable[[int], Device] | None,
) -> Job:
    return Job(subject, setting, before, bytes(SIZE), limit, device=device)


def _first_difference(subject: Subject, one: Watched, other: Watched) -> str:
    """Where two runs begin to do different things."""
    pc = subject.entry
    for (kind, here), (_, there) in zip(one.accesses, other.accesses, strict=False):
        if here != there:
            break
        if kind.name == "FETCH":
            pc = here
    return f"a branch or an address at {subject.describe(pc)} depends on it"
