"""Those who do tasks: processes of this machine, or the workers of a dask cluster.

A task that was sent to a worker which died is sent to another one. A worker does it only if its
code is the same as here, so results do not depend on who made them, nor on how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from threading import Lock
from typing import Any

from romproof.support.cache import digest_of_packages
from romproof.support.extras import need
from romproof.support.interrupts import processes
from romproof.text.errors import BadInput, RomproofError

_ANSWER = 10
"""Seconds that a scheduler has for its answer."""

_ONE = Lock()
"""The threads of a worker do one task after the other: proofs have no second one in a process."""


class NoScheduler(BadInput):
    """Nobody who hands out tasks is at an address."""


class WorkerFailed(RomproofError):
    """A worker could not do its task, and no other one either."""


@contextmanager
def workers(
    count: int, scheduler: str | None = None, packages: Sequence[str] = ("romproof",)
) -> Iterator[Executor]:
    """Who does tasks: ``count`` new processes, or the cluster whose dask ``scheduler`` is given.

    Its address is one such as ``tcp://10.0.0.5:8786``. ``packages`` are those whose code the tasks
    are made of. Tasks and what they give are pickled, on both roads. When the block is left by an
    exception, Ctrl-C too, no task goes on. Raises NoScheduler and MissingExtra; tasks raise
    WorkerFailed beside what they raise themselves.
    """
    if scheduler is None:
        with processes(count) as pool:
            yield pool
        return
    need("--scheduler needs {}", "romproof[cluster]", "distributed")
    with _client(scheduler) as client:
        cluster = _Cluster(client, scheduler, tuple(packages))
        try:
            yield cluster
        except BaseException:
            cluster.shutdown(cancel_futures=True)
            raise


@contextmanager
def _client(address: str) -> Iterator[Any]:
    from distributed import Client

    try:
        connect: Any = Client  # of dask's functions some have no types
        client = connect(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError, TimeoutError) as fault:
        detail = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
        raise NoScheduler(
            f"no dask scheduler answers at '{address}': {detail}; start one with 'dask "
            f"scheduler' and each worker with 'dask worker ADDRESS'"
        ) from None
    try:
        if not client.scheduler_info()["workers"]:
            raise NoScheduler(
                f"the dask scheduler at '{address}' has no workers: start some with "
                f"'dask worker {address}'"
            )
        yield client
    finally:
        client.close(timeout=_ANSWER)


class _Cluster(Executor):
    """What hands tasks to a cluster, with the manners of other executors."""

    def __init__(self, client: Any, address: str, packages: tuple[str, ...]) -> None:
        self._client = client
        self._pool = client.get_executor(pure=False)
        self._address = address
        self._packages = packages
        self._digest = digest_of_packages(*packages)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See concurrent.futures."""
        task = self._pool.submit(_do, self._digest, self._packages, fn, args, kwargs)
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        task.add_done_callback(lambda done: self._pass_on(done, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """See concurrent.futures."""
        self._pool.shutdown(wait=wait and not cancel_futures)

    def _pass_on(self, done: Future[Any], future: Future[Any]) -> None:
        if done.cancelled():
            future.set_exception(WorkerFailed(f"the cluster at '{self._address}' dropped a task"))
            return
        fault = done.exception()
        if fault is None:
            future.set_result(done.result())
        elif isinstance(fault, RomproofError):
            future.set_exception(fault)
        else:
            detail = f"{type(fault).__name__}: {fault}"
            future.set_exception(WorkerFailed(f"the cluster at '{self._address}': {detail}"))


def _do(
    digest: str,
    packages: tuple[str, ...],
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    named: dict[str, Any],
) -> Any:
    """A task, on the worker."""
    if digest_of_packages(*packages) != digest:
        raise WorkerFailed(
            f"a worker has another version of {' and '.join(packages)} than this machine: "
            f"install the same version on both"
        )
    with _ONE:
        return function(*arguments, **named)
