"""Verifying many logs, on several processes or a cluster: results come while others are made.

However many logs there are, no more than a bounded number is held at a time.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

from fairdeck.tenhou.logs import LogFile, read_bytes
from fairdeck.tenhou.mjlog import BadLog, read_log
from fairdeck.tenhou.verify import Report, verify
from romproof import workers

_FEW = 64
"""Up to so many logs it does not pay to start processes."""
_CHUNK = 32
"""Logs that a process is given at once."""
_WAITING_CHUNKS = 4
"""Chunks that are made or wait for each process; a slow one holds up no more than these."""
_CLUSTER = 64
"""Processes that a cluster is taken to have, however many it has."""


@dataclass(frozen=True, slots=True)
class Task:
    """A log to be checked, with the hash that was published before the game."""

    log: LogFile
    published: str | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A log and its report, or why it could not be read; ``published`` is as in its task."""

    log: LogFile
    report: Report | None
    fault: str | None = None
    published: str | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """The result of an earlier run, as JSON has it, in the place of a log that is not checked."""

    result: dict[str, Any]


def check_log(log: LogFile, published: str | None = None) -> Checked:
    """Read and verify one log; whatever it holds, this ends with a report or a fault."""
    report, told = None, None
    try:
        report = verify(read_log(read_bytes(log)), published)
    except BadLog as fault:
        told = str(fault)
    except Exception as fault:
        # a fault of ours must not cost the others their verdicts, nor pass for one of the log's
        told = f"internal fault, a bug in fairdeck: {fault!r}"
    return Checked(log, report, told, published)


def check_logs(logs: Iterable[LogFile], published: str | None = None) -> Iterator[Checked]:
    """Read and verify logs, on all cores if they are many; in their order."""
    for one in check_tasks(Task(log, published) for log in logs):
        if isinstance(one, Checked):
            yield one


def check_tasks(
    tasks: Iterable[Task | Earlier], jobs: int | None = None, scheduler: str | None = None
) -> Iterator[Checked | Earlier]:
    """Read and verify logs; results come in the order of the tasks, earlier ones among them.

    ``jobs`` is the number of processes; None: one for each core if the logs are many. A
    ``scheduler`` is the address of a cluster, whose workers read the logs at the same paths; for
    it this raises what ``romproof.workers`` raises.
    """
    rest = iter(tasks)
    count = jobs or os.cpu_count() or 1
    if scheduler is None:
        first = list(islice(rest, _FEW + 1))
        rest = chain(first, rest)
        if count == 1 or len(first) <= _FEW:
            for task in rest:
                yield _carry_out(task) if isinstance(task, Task) else task
            return
    with workers(count, scheduler, ("romproof", "fairdeck")) as pool:
        yield from _on(pool, rest, _WAITING_CHUNKS * (count if scheduler is None else _CLUSTER))


def _on(pool: Executor, tasks: Iterator[Task | Earlier], most: int) -> Iterator[Checked | Earlier]:
    """The results of tasks that ``pool`` carries out, of which ``most`` chunks are under way."""
    waiting: deque[tuple[list[Task | Earlier], Future[list[Checked]]]] = deque()
    while chunk := list(islice(tasks, _CHUNK)):
        fresh = [_anywhere(task) for task in chunk if isinstance(task, Task)]
        waiting.append((chunk, pool.submit(_carry_out_all, fresh)))
        if len(waiting) >= most:
            yield from _merge(*waiting.popleft())
    while waiting:
        yield from _merge(*waiting.popleft())


def _anywhere(task: Task) -> Task:
    """The task for a process that may be in another folder."""
    file = task.log.file
    if file is None:
        return task
    return Task(replace(task.log, path=file.absolute()), task.published)


def _carry_out(task: Task) -> Checked:
    return check_log(task.log, task.published)


def _carry_out_all(tasks: Sequence[Task]) -> list[Checked]:
    return list(map(_carry_out, tasks))


def _merge(chunk: list[Task | Earlier], made: Future[list[Checked]]) -> Iterator[Checked | Earlier]:
    fresh = iter(made.result())
    for task in chunk:
        yield replace(next(fresh), log=task.log) if isinstance(task, Task) else task
