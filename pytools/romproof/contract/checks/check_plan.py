"""Where execution must be checked for what a contract says of places in the code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from romproof.contract.nouns.model import Contract, Decrease, Invariant, LoopBound
from romproof.contract.nouns.surroundings import Loop, RoutineCode, routine_at
from romproof.isa.abi import Abi


@dataclass(frozen=True, slots=True)
class CheckedPlace:
    """What a contract says of the code at ``address``, which the routine at ``entry`` has."""

    address: int
    entry: int
    loop: Loop | None
    invariants: tuple[Invariant, ...]
    decrease: Decrease | None
    bounds: tuple[LoopBound, ...]


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """Where execution has to stop for the ``contract`` of the routine at ``entry``.

    ``entries`` are routines whose activations are distinguished. ``exits`` and ``heads`` are those
    of the loops around places.
    """

    contract: Contract
    entry: int
    places: tuple[CheckedPlace, ...]
    entries: frozenset[int]
    exits: Mapping[int, tuple[CheckedPlace, ...]]
    heads: Mapping[int, tuple[CheckedPlace, ...]]
    at: Mapping[int, tuple[CheckedPlace, ...]]
    stops: frozenset[int]


def says_of_places(contract: Contract) -> bool:
    """Whether a contract has anything to check on the way."""
    return bool(contract.invariants or contract.assertions or contract.decreases or contract.loops)


def plan_of(
    contract: Contract, entry: int, memory: bytes | bytearray, executable: bytes, abi: Abi
) -> CheckPlan:
    """The plan for a routine; ``executable`` is nonzero where its program has code."""
    routines = _with_callees(
        routine_at(entry, memory, executable, abi.cpu), memory, executable, abi
    )
    wanted: tuple[Invariant | Decrease | LoopBound, ...] = (
        *contract.invariants,
        *contract.assertions,
        *contract.decreases,
        *contract.loops,
    )
    addresses = sorted({address for clause in wanted for address in clause.addresses})
    places: list[CheckedPlace] = []
    while addresses:
        routine = next(routines, None)
        here = addresses if routine is None else [a for a in addresses if a in routine.successors]
        for address in here:
            owner = entry if routine is None else routine.entry
            loop = None if routine is None else routine.loop_around(address)
            places.append(_place(contract, address, owner, loop))
        addresses = [address for address in addresses if address not in here]
    exits = _by_address((a, p) for p in places if p.loop for a in p.loop.exits)
    heads = _by_address((p.loop.head, p) for p in places if p.loop)
    at = _by_address((p.address, p) for p in places)
    entries = frozenset({entry, *(place.entry for place in places)})
    stops = entries.union(exits, heads, at)
    return CheckPlan(contract, entry, tuple(places), entries, exits, heads, at, stops)


def _with_callees(
    first: RoutineCode, memory: bytes | bytearray, executable: bytes, abi: Abi
) -> Iterator[RoutineCode]:
    """A routine, those it calls, and so on."""
    known, work = {first.entry}, [first]
    for routine in work:
        yield routine
        for entry in sorted(routine.calls - known):
            known.add(entry)
            work.append(routine_at(entry, memory, executable, abi.cpu))


def _place(contract: Contract, address: int, entry: int, loop: Loop | None) -> CheckedPlace:
    def here(clause: Invariant | Decrease | LoopBound) -> bool:
        return address in clause.addresses

    return CheckedPlace(
        address,
        entry,
        loop,
        tuple(filter(here, (*contract.invariants, *contract.assertions))),
        next(filter(here, contract.decreases), None),
        tuple(filter(here, contract.loops)),
    )


def _by_address(pairs: Iterable[tuple[int, CheckedPlace]]) -> dict[int, tuple[CheckedPlace, ...]]:
    places: dict[int, tuple[CheckedPlace, ...]] = {}
    for address, place in pairs:
        places[address] = (*places.get(address, ()), place)
    return places
