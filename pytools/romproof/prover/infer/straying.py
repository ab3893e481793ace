"""Runs that touch what a contract does not list, or leave the object an access is meant for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from romproof.isa.microcode import Kind
from romproof.prover.case import WRITES, Case
from romproof.prover.infer.draft import Draft
from romproof.prover.replay import Inputs, Run
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.execute.layout import Object
from romproof.symbolic.solve.oracle import Undecided

Meant = Mapping[int, Collection[Object]]
"""The objects that the accesses of an instruction lie in, by its address."""


def strays(
    case: Case,
    draft: Draft,
    given: Inputs,
    done: Run,
    read_by_others: Collection[int],
    meant: Meant,
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
            if kind is Kind.WRITE and address not in writes:
                return True
            known.add(address)
        elif kind is Kind.READ and not fixed[address]:
            if address not in reads and address not in known:
                return True
        elif kind is Kind.READ and draft.tables and address not in read_by_others:
            strange = not any(table.has(address) for table in draft.tables)
            if strange:
                return True
    return any(address not in room for _, address in elsewhere(done, meant))


def meant_by(case: Case, allowed: Iterable[Run]) -> Meant:
    """The objects of each instruction that goes through an address with an index or pointer: those
    of all its accesses for inputs that the contract allows, by what was proved of the address.

    Instructions are left out, as nothing is to be said of them, where these addresses are not
    known, where they are not all in objects, and where an ``allowed`` run accesses another one.
    """
    found: dict[int, set[Object]] = {}
    unknown: set[int] = set()
    for event in case.exploration.events:
        if event.kind is not EventKind.ADDRESS or event.what.width != 16:
            continue
        if event.pc in unknown:
            continue
        objects = _objects(case, event)
        if objects is None:
            unknown.add(event.pc)
        else:
            found.setdefault(event.pc, set()).update(objects)
    for done in allowed:
        unknown.update(pc for pc, _ in elsewhere(done, found))
    return {pc: frozenset(objects) for pc, objects in found.items() if pc not in unknown}


def _objects(case: Case, event: Event) -> Collection[Object] | None:
    """The objects between the lowest and the highest address of an access; None where these are
    not known, or not all of that is objects."""
    where, oracle = event.what, case.oracle
    try:
        low = oracle.least(event.path, where).value(where)
        high = oracle.most(event.path, where).value(where)
    except Undecided:
        return None
    objects = [o for o in case.start.layout.objects if o.address <= high and low < o.end]
    covered = sum(min(o.end, high + 1) - max(o.address, low) for o in objects)
    return objects if covered == high + 1 - low else None


def elsewhere(done: Run, meant: Meant) -> Iterator[tuple[int, int]]:
    """The accesses of a run outside of the objects that they are meant for: the addresses of the
    instruction and of the access."""
    pc = -1
    for kind, address in done.touched:
        if kind is Kind.FETCH:
            pc = address
        elif kind in (Kind.READ, Kind.WRITE):
            objects = meant.get(pc)
            if objects is not None and not any(o.address <= address < o.end for o in objects):
                yield pc, address
