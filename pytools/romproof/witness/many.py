"""Many runs at once, in compiled code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from romproof.engine.registers import FLAG_BYTES
from romproof.witness.columns import Array, Machines, Memories
from romproof.witness.job import Done, End, Job, fault_text, guard_of, view_registers
from romproof.witness.subject import SIZE

Place = tuple[int, int]
"""An address and a number of bytes."""
WHOLE: Place = (0, SIZE)


def many(job: Job) -> Done:
    """All runs of a job. Raises MissingExtra where compiled code cannot be had."""
    from romproof.engine.batch import RunOutcome, run_many

    subject, memory = job.subject, job.before.memory
    columns = list(_columns(memory.addresses))
    places = [(memory.addresses[start], stop - start) for start, stop in columns]
    parts: dict[int | Place, Array] = {
        place: np.ascontiguousarray(memory.matrix[:, start:stop])
        for place, (start, stop) in zip(places, columns, strict=True)
    }
    wanted = [*places, *([WHOLE] if job.whole else [])]
    registers: dict[str, Any] = _flags_together(job.before.registers)
    registers |= {"pc": np.full(len(job.before), subject.entry), subject.cpu.special: 0}
    runs = run_many(
        job.setting.base,
        registers,
        job.setting.ends,
        job.limit,
        patches=parts,
        outputs=wanted,
        cpu=subject.cpu.name,
        guard=guard_of(job),
    )
    ends = np.full(len(runs), End.FAULT, np.uint8)
    for outcome, end in (
        (RunOutcome.REACHED, End.REACHED),
        (RunOutcome.LIMIT, End.LIMIT),
        (RunOutcome.ROM_WRITE, End.WRITE),
    ):
        ends[runs.outcomes == outcome] = end

    def fault(row: int) -> str:
        end = runs.fault(row)
        return "the CPU stops its clock" if end is None else end.explain(fault_text(subject, end))

    matrix = [runs.outputs[place] for place in places]
    after = np.concatenate(matrix, axis=1) if matrix else memory.matrix.copy()
    values = {name: runs.registers[name] for name in runs.registers.dtype.names or ()}
    return Done(
        Machines(
            view_registers(subject.abi, _flags_apart(values)),
            Memories(memory.base, memory.addresses, after, memory.places),
        ),
        ends,
        runs.registers["pc"],
        runs.last,
        runs.cycles.astype(np.int64),
        runs.lowest_stack.astype(np.int64),
        runs.outputs[WHOLE] if job.whole else None,
        fault,
    )


def _flags_together(values: Mapping[str, Array]) -> dict[str, Any]:
    """Flags in the byte that holds them."""
    together = dict(values)
    for name, (flags, always) in FLAG_BYTES.items():
        if all(flag in together for flag, _ in flags):
            bits = [together.pop(flag).astype(np.uint8) << bit for flag, bit in flags]
            together[name] = np.bitwise_or.reduce([*bits, np.full_like(bits[0], always)])
    return together


def _flags_apart(values: dict[str, Array]) -> dict[str, Array]:
    """Flags one by one instead of the byte that holds them."""
    for name, (flags, _) in FLAG_BYTES.items():
        if name in values:
            byte = values.pop(name)
            values |= {flag: byte >> bit & 1 for flag, bit in flags}
    return values


def _columns(addresses: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """The columns of addresses without a gap, from where to where."""
    start = 0
    for number in range(1, len(addresses) + 1):
        if number == len(addresses) or addresses[number] != addresses[number - 1] + 1:
            yield start, number
            start = number
