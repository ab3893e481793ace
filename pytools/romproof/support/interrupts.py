"""Work that Python cannot interrupt, done so that Ctrl-C does not wait for it."""

from __future__ import annotations

import atexit
import os
import signal
from _thread import LockType, allocate_lock, start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

_T = TypeVar("_T")

_LOOK = 0.1
"""Seconds after which a wait looks at signals, where they do not wake it by themselves."""


_at_work: set[LockType] = set()
"""A lock of each work that has not ended; it is free when the work is over."""


def patiently(work: Callable[[], _T]) -> _T:
    """What ``work`` gives: one long call of compiled code that nobody can break off, or a short one
    that an exception must not leave half done.

    A thread does it, and this one waits: signal handlers raise in the main thread alone. After
    Ctrl-C the work ends unheeded, so everything it needs must belong to it, and Python waits for
    it at its exit. Raises what ``work`` raises.

    The thread is one of ``_thread``. Those of ``threading`` begin with a lock that belongs to code
    in Python, and when a signal handler raises in there nobody gives it back: the thread then
    waits for ever, and Python for the thread.
    """
    done: list[_T] = []
    failed: list[BaseException] = []
    busy = allocate_lock()
    busy.acquire()

    def run() -> None:
        _at_work.add(busy)
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)
        finally:
            # in this order: who waits goes on at once, and may be at Python's exit before the next
            # line is executed, where a lock that nobody gives back would be waited for, for ever
            _at_work.discard(busy)
            busy.release()

    start_new_thread(run, ())
    while not busy.acquire(timeout=_LOOK):
        pass
    if failed:
        raise failed[0]
    return done[0]


def _wait_for_all() -> None:
    """At Python's exit: compiled code must not run while what it needs is taken down."""
    for busy in tuple(_at_work):
        busy.acquire()


atexit.register(_wait_for_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_at_work.clear)  # its threads are the parent's


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
    pool = ProcessPoolExecutor(count, context, initializer=_initialise_worker)
    try:
        yield pool
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _initialise_worker() -> None:
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
