"""Runs that touch what a contract does not list, or leave the object an access is meant for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from romproof.isa.microcode import StepKind
from romproof.prover.infer.draft import Draft
from romproof.prover.infer.regions import find_fixed_runs
from romproof.prover.replay.judge import WRITES, Case
from romproof.prover.replay.run import ReplayInputs, ReplayRun
from romproof.symbolic.execute.access import within
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.execute.layout import MemoryObject

IntendedObjects = Mapping[int, Collection[MemoryObject] | None]
"""The objects that the accesses of an instruction lie in, by its address; None where nothing is to
be said of it."""


def strays(
    case: Case,
    draft: Draft,
    given: ReplayInputs,
    done: ReplayRun,
    read_by_others: Collection[int],
    meant: IntendedObjects,
) -> bool:
    """Whether a run touches memory that the contract does not list, or reads from ROM what is in
    none of the routine's tables and what no other run reads, or has an instruction leave the
    objects that it is ``meant`` for."""
    contract, fixed = case.contract, case.program.is_fixed
    reads, writes = contract.input_addresses, contract.written_addresses
    base = given.registers[case.program.cpu.stack] + case.abi.stack_base
    room = range(base - (contract.stack or 0), base + case.start.abi.return_size)
    known: set[int] = set()
    for kind, address in done.touched:
        if address in room:
            continue
        if kind in WRITES:
            if kind is StepKind.WRITE and address not in writes:
                return True
            known.add(address)
        elif kind is StepKind.READ and not fixed[address]:
            if address not in reads and address not in known:
                return True
        elif kind is StepKind.READ and draft.tables and address not in read_by_others:
            strange = not any(table.has(address) for table in draft.tables)
            if strange:
                return True
    return any(address not in room for _, address in find_strays(done, meant))


def find_intended_objects(
    case: Case, allowed: Iterable[ReplayRun], callees: Iterable[IntendedObjects] = ()
) -> IntendedObjects:
    """The objects of each instruction that goes through an address with an index or pointer: those
    of all its accesses for inputs that the contract allows, by what was proved of the address.

    Of instructions of ``callees``, which are known by what was proved of them, they are those for
    all inputs that these allow. Nothing is said of an instruction that may access a port, nor where
    an ``allowed`` run accesses something else.
    """
    found: dict[int, frozenset[MemoryObject] | None] = {}

    def add(pc: int, objects: Collection[MemoryObject] | None) -> None:
        known = found.get(pc, frozenset())
        found[pc] = None if known is None or objects is None else known.union(objects)

    for meant in callees:
        for pc, objects in meant.items():
            add(pc, objects)
    areas = [
        MemoryObject("ROM", run.start, run.size) for run in find_fixed_runs(case.program.is_fixed)
    ]
    areas += case.start.layout.objects
    for event in case.exploration.events:
        known = found.get(event.pc, frozenset())
        if event.kind is EventKind.ADDRESS and event.what.width == 16 and known is not None:
            add(event.pc, _objects(case, event, areas, known))
    for done in allowed:
        for pc in {pc for pc, _ in find_strays(done, found)}:
            found[pc] = None
    return found


def _objects(
    case: Case, event: Event, areas: Sequence[MemoryObject], known: Collection[MemoryObject]
) -> Collection[MemoryObject] | None:
    """The objects that an access can be in, beside those that are ``known``: by what was proved it
    is in one of them, in a port or on the stack. None where it may be a port."""
    where, ports = event.what, case.start.layout.volatile
    if any(area.address <= where.low and where.high < area.end for area in known):
        return ()
    own = [area for area in areas if area.address <= where.low and where.high < area.end]
    if own:
        return own

    def may_be(low: int, end: int) -> bool:
        near = where.low < end and low <= where.high
        return near and case.oracle.possible(event.path, within(where, low, end))

    if ports and may_be(min(ports), max(ports) + 1):
        return None
    return [each for each in areas if each not in known and may_be(each.address, each.end)]


def find_strays(done: ReplayRun, meant: IntendedObjects) -> Iterator[tuple[int, int]]:
    """The accesses of a run outside of the objects that they are meant for: the addresses of the
    instruction and of the access."""
    pc = -1
    for kind, address in done.touched:
        if kind is StepKind.FETCH:
            pc = address
        elif kind in (StepKind.READ, StepKind.WRITE):
            objects = meant.get(pc)
            if objects is not None and not any(o.address <= address < o.end for o in objects):
                yield pc, address
