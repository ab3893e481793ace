"""Verifying many logs, on several processes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from fairdeck.tenhou.logs import LogFile, read_bytes
from fairdeck.tenhou.mjlog import BadLog, read_log
from fairdeck.tenhou.verify import Report, verify
from romproof import processes

_FEW = 64
"""Up to so many logs it does not pay to start processes."""
_CHUNK = 32


@dataclass(frozen=True, slots=True)
class Checked:
    """A log and its report, or why it could not be read."""

    log: LogFile
    report: Report | None
    fault: str | None = None


def check_log(log: LogFile, published: str | None = None) -> Checked:
    """Read and verify one log; whatever it holds, this ends with a report or a fault."""
    try:
        return Checked(log, verify(read_log(read_bytes(log)), published))
    except BadLog as fault:
        return Checked(log, None, str(fault))
    except Exception as fault:
        # a fault of ours must not cost the others their verdicts, nor pass for one of the log's
        return Checked(log, None, f"internal fault, a bug in fairdeck: {fault!r}")


def check_logs(logs: Iterable[LogFile], published: str | None = None) -> Iterator[Checked]:
    """Read and verify logs, on all cores if they are many; in their order."""
    work = list(logs)
    check = partial(check_log, published=published)
    cores = os.cpu_count() or 1
    if len(work) <= _FEW or cores == 1:
        yield from map(check, work)
        return
    with processes(cores, None) as pool:
        yield from pool.map(check, work, chunksize=_CHUNK)
