"""Work that Python cannot interrupt, done so that Ctrl-C does not wait for it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

_T = TypeVar("_T")

_LOOK = 0.1
"""Seconds after which a wait looks at signals, where they do not wake it by themselves."""


def patiently(work: Callable[[], _T]) -> _T:
    """What ``work`` gives: one long call of compiled code that nobody can break off.

    A thread does it, and this one waits. After Ctrl-C the work ends unheeded, so
    everything it needs must belong to it. Raises what ``work`` raises.
    """
    done: list[_T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    worker = Thread(target=run, name="patient")  # no daemon: it must not run while Python ends
    worker.start()
    while worker.is_alive():
        worker.join(_LOOK)
    if failed:
        raise failed[0]
    return done[0]


@contextmanager
def processes(count: int, method: str | None = "spawn") -> Iterator[ProcessPoolExecutor]:
    """A pool of processes that are gone when the block is left by an exception, Ctrl-C too, and
    when this process is killed.

    By ``method`` they are new ones and no copies of this one: threads of ours, and z3, have no
    copy. None: whatever Python prefers here.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context(method)
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, context, initializer=_begin)
    try:
        yield pool
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """In a new process of a pool: an interrupt ends it without a word, and it does not outlive
    the one whose work it does, which may be killed and say nothing."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True, name="parent").start()


def _end_with_parent() -> None:
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
