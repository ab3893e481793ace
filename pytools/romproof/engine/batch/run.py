"""``run_many``: states in, states out, all cores at work."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from romproof.engine.base import mark_guarded
from romproof.engine.batch import inputs
from romproof.engine.batch.inputs import Array, BadBatch, ByteRange, RunCount
from romproof.engine.batch.loop import FUNCTION, Copy, LoopJob, RunRow, loop
from romproof.engine.batch.results import BatchResult, outcomes_of, to_structured_array
from romproof.engine.inputs import check_run
from romproof.engine.llvm.compile import compile_module
from romproof.engine.llvm.nothing_lost import NothingLost
from romproof.engine.llvm.running import SLICE, interpreter_for
from romproof.engine.llvm.state import state_type
from romproof.engine.llvm.weave import Weave
from romproof.engine.protocol import Guard
from romproof.engine.space import ENTRY, ON_FETCH, PAGE, SIZE, STOP
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named

_MAX_IN_A_CHUNK = 4096
_CHUNKS_A_WORKER = 4
"""Some chunks take longer than others; with several for each worker none waits for long."""

_LOOK = 0.1
"""Seconds between two looks at signals while the workers are at work."""

RunAll = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@dataclass(frozen=True, slots=True)
class CompiledFunction:
    """Compiled code that executes: ``address`` gives that of a function ``run(state) -> ExitCode``.

    ``prepare`` sets what else it needs in the state of each worker; ``name`` is the engine's.
    ``note`` is told how many cycles were executed, in any thread; ``improve`` may then put better
    code in its place, which takes a while.
    """

    name: str
    address: Callable[[], int]
    prepare: Callable[[Any], None] = lambda state: None
    note: Callable[[int], None] = lambda cycles: None
    improve: Callable[[], None] = lambda: None


WORTH_THREADS = 20_000_000
"""Cycles: runs that take less in all are over before threads have begun."""


A_FEW = 16
"""Runs that show what the others may take."""


def make_interpreter(weave: Weave) -> CompiledFunction:
    """The interpreter of the engine ``llvm``."""
    run = interpreter_for(weave)
    return CompiledFunction("llvm", lambda: run.address, note=run.note, improve=run.improve)


def run_many(
    memory: Any,
    registers: Mapping[str, Any] | Array,
    until: Collection[int],
    limit: Any,
    *,
    patches: Mapping[int | ByteRange, Array] | None = None,
    outputs: Collection[ByteRange] = (),
    cpu: str = "mos6502",
    guard: Guard | None = None,
    workers: int | None = None,
    code: Callable[[Weave], CompiledFunction] = make_interpreter,
) -> BatchResult:
    """Execute from many states, each until it comes to one of ``until`` or uses up its cycles.

    ``memory`` is either an array (runs, 65536) of uint8: the memory of each run, changed in
    place. Or it is the same for all runs: 65,536 bytes, an array (65536,), or a flat
    AddressSpace without devices; it stays as it is. ``registers`` says what the runs begin with,
    by the names of romproof.engine.registers: an int for all runs or an array (runs,) each, or
    all in one structured array; ``pc`` must be there, the others have the values of a new
    engine. ``limit`` is the budget of each run in cycles (SM83: M-cycles), an int or an array
    (runs,): a run that uses it up does not disturb the others.

    ``patches`` sets bytes before each run: an array (runs, size) of uint8 by address, or by
    (address, size). ``outputs`` names places, (address, size), whose bytes after each run are
    wanted. ``guard`` is checked as by engines; faults are outcomes. Interrupts do not happen.

    ``workers`` is the number of threads, one for each core when not given; results do not depend
    on it. ``code`` gives the compiled code that executes; it need know memory, registers and
    guard only: every write to an address with a bit of ON_WRITE counts as a fault.

    Raises BadInput (BadBatch) when the arguments do not fit together, and NoSuchCpu.
    """
    described, count = cpu_named(cpu), RunCount()
    memories = inputs.memory_of(memory, count)
    start = inputs.registers_of(registers, described, count)
    limits = inputs.limits_of(limit, count)
    given = inputs.patches_of(patches or {}, count)
    wanted = inputs.outputs_of(outputs)
    check_run(until, 1)
    if count.runs is None:
        raise BadBatch("the number of runs is not known: give at least one array")
    runs = count.runs
    matrix = np.empty((runs, len(described.registers)), np.uint16)
    for column, name in enumerate(described.registers):
        matrix[:, column] = start[name]
    buffers = {(a, size): np.empty((runs, size), np.uint8) for a, size in wanted}
    batch = _Batch(
        described,
        memories,
        matrix,
        np.ascontiguousarray(np.broadcast_to(limits, (runs,))),
        given,
        buffers,
        _actions(until, guard),
        guard,
        np.zeros(runs, np.dtype(RunRow)),
    )
    batch.execute(code(batch.weave()), _workers(workers))
    after = dict(zip(described.registers, matrix.T, strict=True))
    rows = batch.rows
    reached = np.frombuffer(batch.actions, np.uint8) & STOP
    return BatchResult(
        registers=to_structured_array(after, described),
        cycles=rows["cycles"],
        instructions=rows["instructions"],
        outcomes=outcomes_of(described, rows, after, reached),
        lowest_stack=rows["lowest_stack"],
        outputs=buffers,
        _cpu=described,
        _engine=batch.engine,
        _top=guard.stack_top if guard else 0,
        _rows=rows,
    )


@dataclass(slots=True)
class _Batch:
    """Everything the workers share."""

    cpu: Cpu
    memory: Array
    registers: Array
    limits: Array
    patches: Mapping[ByteRange, Array]
    outputs: Mapping[ByteRange, Array]
    actions: bytearray
    guard: Guard | None
    rows: Array
    engine: str = ""
    given_up: BaseException | None = None
    """Why nobody waits for the results any more."""

    @property
    def is_shared(self) -> bool:
        """Whether all runs begin with the same memory."""
        return self.memory.ndim == 1

    def weave(self) -> Weave:
        """The variant of compiled code that is needed."""
        guard = self.guard
        return Weave(
            cpu=self.cpu.name,
            writes=guard is not None and guard.protected is not None,
            guard=guard is not None,
            dirty=self.is_shared,
        )

    def execute(self, function: CompiledFunction, workers: int) -> None:
        """All runs, in chunks."""
        self.engine = function.name
        run_all = run_all_for(self.cpu.name)
        work = partial(self._chunk, function, run_all)
        alone = partial(work, between=function.improve)
        few = A_FEW if workers > 1 and self._rest(0) >= WORTH_THREADS else 0
        with NothingLost(self._give_up, frozenset()):
            if few:
                alone(slice(0, few))
            if few and self._rest(few) >= WORTH_THREADS:
                chunks = list(_chunks(few, len(self.rows), workers))
                self._by_threads(work, chunks, workers, function.improve)
            else:
                for chunk in _chunks(few, len(self.rows), 1):
                    alone(chunk)
        if self.given_up is not None:
            raise self.given_up

    def _rest(self, first: int) -> float:
        """Cycles that the runs from ``first`` on may take: their limits, or what those before
        them took on average, which is often far less."""
        limits: float = self.limits[first:].sum(dtype=np.float64)
        if not first:
            return limits
        taken: float = self.rows["cycles"][:first].mean(dtype=np.float64)
        return min(limits, taken * (len(self.rows) - first))

    def _give_up(self, why: BaseException) -> None:
        self.given_up = why

    def _by_threads(
        self,
        work: Callable[[slice], None],
        chunks: Iterable[slice],
        workers: int,
        meanwhile: Callable[[], None],
    ) -> None:
        with ThreadPoolExecutor(workers) as pool:
            waiting: Collection[Future[None]] = [pool.submit(work, chunk) for chunk in chunks]
            try:
                while waiting:  # with a timeout: not everywhere does a signal end a wait
                    done, waiting = wait(waiting, _LOOK, FIRST_EXCEPTION)
                    for task in done:
                        task.result()
                    meanwhile()
            except BaseException as why:
                self._give_up(why)
                pool.shutdown(cancel_futures=True)
                raise

    def _chunk(
        self,
        function: CompiledFunction,
        run_all: Any,
        chunk: slice,
        between: Callable[[], None] = lambda: None,
    ) -> None:
        """The runs of one chunk, slice by slice; while compiled code runs, other threads go on."""
        state = self._state(function)
        dirty = np.zeros(SIZE // PAGE, np.uint8)
        state.dirty = dirty.ctypes.data
        working = self.memory.copy() if self.is_shared else self.memory[chunk]
        registers, limits, rows = self.registers[chunk], self.limits[chunk], self.rows[chunk]
        patches, outputs = _copies(self.patches, chunk), _copies(self.outputs, chunk)
        job = LoopJob(
            count=len(rows),
            stride=0 if self.is_shared else SIZE,
            state=ctypes.addressof(state),
            memory=working.ctypes.data,
            pristine=self.memory.ctypes.data,
            dirty=dirty.ctypes.data,
            actions=state.actions,
            registers=registers.ctypes.data,
            limits=limits.ctypes.data,
            rows=rows.ctypes.data,
            patches=ctypes.addressof(patches),
            patch_count=len(self.patches),
            outputs=ctypes.addressof(outputs),
            output_count=len(self.outputs),
        )
        noted = 0
        while job.first < len(rows) and self.given_up is None:  # Python sees to Ctrl-C between two
            job.run, job.budget = function.address(), SLICE
            run_all(ctypes.addressof(job))
            if job.first < len(rows):
                noted += SLICE
                function.note(SLICE)
                between()
        function.note(max(0, int(rows["cycles"].sum(dtype=np.uint64)) - noted))
        between()

    def _state(self, function: CompiledFunction) -> Any:
        """A state for one worker."""
        state: Any = state_type(self.cpu.name)()
        state.actions = ctypes.addressof(ctypes.c_char.from_buffer(self.actions))
        state.fetch_mask = ON_FETCH & ~ENTRY
        if self.guard is not None:
            state.stack_top, state.no_brk = self.guard.stack_top, not self.guard.brk
        function.prepare(state)
        return state


@cache
def run_all_for(cpu: str) -> Any:
    """The compiled loop for a CPU."""
    return RunAll(compile_module(f"batch {cpu}", FUNCTION, lambda: loop(cpu)).address)


def _actions(until: Iterable[int], guard: Guard | None) -> bytearray:
    actions = bytearray(SIZE)
    mark_guarded(actions, guard)
    for address in until:
        actions[address] |= STOP
    return actions


def _workers(workers: int | None) -> int:
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if workers < 1:
        raise BadBatch(f"workers={workers}: at least one is needed")
    return workers


def _chunks(first: int, runs: int, workers: int) -> Iterator[slice]:
    part = runs if workers == 1 else (runs - first) // (workers * _CHUNKS_A_WORKER)
    size = min(_MAX_IN_A_CHUNK, max(1, part))
    for begin in range(first, runs, size):
        yield slice(begin, min(begin + size, runs))


def _copies(arrays: Mapping[ByteRange, Array], chunk: slice) -> Any:
    """An array of Copy for one chunk; the arrays are contiguous, and so are their parts."""
    copies = (Copy * max(len(arrays), 1))()
    for copy, ((address, size), array) in zip(copies, arrays.items(), strict=False):
        copy.address, copy.data, copy.size = address, array[chunk].ctypes.data, size
    return copies
