"""One run on a stage, and everything that is checked of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial

from romproof.contract.checks.check import check
from romproof.contract.checks.nested_calls import ContractWatcher
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.state import Call, State
from romproof.engine.checks import CheckMode, Checks
from romproof.engine.instruments import Instruments, MemoryEvent, Watchpoint
from romproof.engine.protocol import EngineFault, FaultKind, Observer, Stop
from romproof.engine.space import UNINITIALISED
from romproof.harness.checks.checks import Guards, warn
from romproof.harness.checks.inverted import invert, run_inverted
from romproof.harness.checks.journal import Journal
from romproof.harness.checks.program_stack import Rooms
from romproof.harness.checks.running import Plans, clock_stopped, join_observers, run_looking
from romproof.harness.checks.stack import find_lowest
from romproof.harness.checks.uninitialised import dependence
from romproof.harness.errors import (
    Breach,
    CallFault,
    CallRecord,
    ContractViolation,
    Runaway,
    UninitialisedRead,
)
from romproof.harness.state.result import Result
from romproof.harness.state.stubbed_board import StubbedBoard, view
from romproof.machine.memory import SIZE, aside_pages
from romproof.program.image import Image


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A run that is to be made, and what is checked of it.

    ``record`` has the scenario. ``levels`` are those of the checks, ``guards`` what engines refuse
    therefore. ``contract`` is that of the called routine, ``inner`` are those of routines it calls,
    by address. ``rooms`` are where the stack may be of a program that runs; None in a call.
    ``to_limit``: the end of the cycles, or of the CPU's clock, is an end like any other.
    """

    record: CallRecord
    levels: Checks
    guards: Guards
    contract: Contract | None
    inner: Mapping[int, Contract]
    observer: Observer | None = None
    rooms: Rooms | None = None
    to_limit: bool = False

    def find_lowest(self, record: CallRecord, lowest: int) -> int:
        """The lowest stack pointer that counts of a run in which ``lowest`` was the lowest. Raises
        CallFault, or warns, when the stack has left its room."""
        if self.rooms is None:
            return find_lowest(record.scenario, record, lowest, self.levels.stack)
        self.rooms.look(record.scenario, record, lowest, self.levels.stack)
        return lowest


@dataclass(frozen=True, slots=True)
class AccessWatch:
    """The accesses that are looked at in a run.

    ``unknown`` are the addresses of uninitialised variables; ``level`` says what reading one means.
    ``left`` is told of those that are so after the run. ``points`` are told of accesses.
    """

    unknown: Collection[int]
    left: Callable[[Collection[int]], None]
    level: CheckMode
    points: tuple[Watchpoint, ...] = ()

    @property
    def looks(self) -> bool:
        """Whether accesses are looked at at all."""
        return self.level != "off" or bool(self.points)


@dataclass(frozen=True, slots=True)
class MachineProgram:
    """The program of a machine: its ``image`` has the symbols of results, ``plans`` say where its
    contracts are looked after, and the ``journal`` remembers what was called."""

    image: Image
    plans: Plans
    journal: Journal


def run_checked(
    stage: StubbedBoard, request: RunRequest, watch: AccessWatch, program: MachineProgram
) -> Result:
    """Run a scenario on a stage that has been brought to its beginning. Raises what
    Routines.call() raises."""
    record, contract, inner = request.record, request.contract, request.inner
    engine, abi, scenario = stage.board.engine, stage.abi, record.scenario
    before = scenario.registers
    cycles, instructions = engine.cycles, engine.instructions
    describe = record.image.describe
    pages = stage.pages
    watcher = (
        ContractWatcher(stage, inner, describe, abi, scenario.floor, lambda: stage.pages)
        if inner
        else None
    )
    looking = program.plans.select(abi.get(before, "pc"), contract, inner, scenario.memory)
    instruments = _instrument(stage, watch, record) if watch.looks else _PLAIN
    try:
        with instruments:
            stop, broken = run_looking(
                stage,
                scenario,
                looking,
                request.observer if watcher is None else join_observers(watcher, request.observer),
                called=contract is not None,
            )
        if stop is Stop.STOPPED and not request.to_limit:
            raise clock_stopped(engine)
    except EngineFault as fault:
        request.find_lowest(record, engine.lowest_s)
        if fault.kind in _ENDED_BY_CHECK:
            record = CallRecord(
                replace(scenario, limit=max(1, engine.cycles - cycles)), record.image
            )
        raise CallFault(fault, record) from None
    lowest = request.find_lowest(record, engine.lowest_s)
    used = engine.cycles - cycles
    breaches: list[Breach] = []
    if watcher is not None:
        for f in watcher.violations:
            where = describe(f.site)
            breaches.append(Breach(f.contract, f.violation.sentence, f.violation.span, where))
    for b in broken:
        where = "" if b.site is None else describe(b.site)
        breaches.append(Breach(b.contract, b.violation.sentence, b.violation.span, where))
    if broken and abi.get(engine.registers, "pc") not in scenario.until:
        # the run was ended there
        shorter = replace(scenario, limit=max(used, 1))
        broken_here = program.journal.last = CallRecord(shorter, record.image)
        raise ContractViolation(breaches, broken_here)
    if stop is Stop.LIMIT and not request.to_limit:
        raise Runaway(record)
    after, pages_after = view(stage.board), stage.pages
    end = engine.registers.copy()
    if contract is not None:
        entered = State(before, scenario.memory, pages)
        done = Call(entered, State(end, after, pages_after), used, lowest, abi)
        for violation in check(contract, done, describe):
            breaches.append(Breach(contract, violation.sentence, violation.span))
    if breaches:
        raise ContractViolation(breaches, record)
    return Result(
        name=scenario.name,
        registers=end,
        cycles=used,
        instructions=engine.instructions - instructions,
        stack=abi.stack_of(before) - lowest,
        lowest_s=lowest,
        before=scenario.memory,
        after=after,
        image=program.image,
        aside=aside_pages(pages, pages_after),
        noted=partial(program.journal.note, record),
    )


_PLAIN = nullcontext()
_ENDED_BY_CHECK = (FaultKind.INDIRECT_JUMP, FaultKind.MISTIMED_WRITE)
"""Where nothing but a check ends a run: one that repeats it has to end there."""


@contextmanager
def _instrument(stage: StubbedBoard, watch: AccessWatch, record: CallRecord) -> Iterator[None]:
    """Have accesses told of, and reads of uninitialised bytes before they are written, where that
    is checked; what was written, or has been told of, is known afterwards.

    Raises UninitialisedRead, also where the run ended otherwise: that came of it. Raises
    Unsupported on an engine without instruments.
    """
    level = watch.level
    known: bytearray | None = None
    if level != "off":
        known = bytearray(b"\1") * SIZE
        for address in watch.unknown:
            known[address] = 0
    engine = stage.engine
    wanted = Instruments(
        uninitialised=None if known is None else bytes(known),
        watch=watch.points,
        most=1 << 16,
    )
    seen = engine.instrument(wanted)
    try:
        yield
    finally:
        # the engine clears the mark of what it writes, and of what it has told of
        marks, unknown = engine.space.actions, watch.unknown
        if level != "off":
            watch.left([a for a in unknown if marks[a] & UNINITIALISED])
        engine.instrument(None)
        if seen.uninitialised and level == "error":
            first = seen.uninitialised[0]
            raise UninitialisedRead(record, first.pc, first.address) from None
        describe = record.image.describe
        first_at: dict[int, MemoryEvent] = {}
        for read in seen.uninitialised:
            first_at.setdefault(read.pc, read)
        for read in first_at.values():
            what = f"the instruction at {describe(read.pc)} reads {describe(read.address)}"
            text = f"{what}, which has not been written"
            warn(record.image, read.pc, text, "uninitialised")


def check_inverted(
    second: Callable[[], StubbedBoard],
    record: CallRecord,
    contract: Contract,
    given: Collection[str],
    journal: Journal,
) -> None:
    """Raise ContractViolation for what only seemed to be preserved."""
    other = invert(record.scenario, contract, given)
    if other is None:
        return
    changed = run_inverted(second(), other, contract)
    if changed:
        note = "(second call, with all registers and flags that are not inputs inverted)"
        breaches = [Breach(contract, f"{v.sentence} {note}", v.span) for v in changed]
        journal.last = CallRecord(other, record.image)
        raise ContractViolation(breaches, journal.last)


def check_dependence(
    second: Callable[[], StubbedBoard],
    record: CallRecord,
    contract: Contract,
    result: Result,
    unknown: Collection[int],
) -> None:
    """Raise ContractViolation for what depends on uninitialised memory."""
    difference = dependence(second, record, contract, result, unknown)
    if difference is not None:
        raise ContractViolation([Breach(contract, difference.sentence, difference.span)], record)
