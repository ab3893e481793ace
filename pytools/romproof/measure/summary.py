"""From what a profiler has written down to a profile, with names and places in sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from romproof.measure.calls import MACHINE, MORE, Ledger, PathNode, RunningCost
from romproof.measure.code_locations import BANK, CodeLocations
from romproof.measure.model import (
    CallEdge,
    CodeSpot,
    CycleProfile,
    PageAccess,
    PathProfile,
    RoutineProfile,
)
from romproof.measure.model import SpotCost as CostProfile


def profile_of(ledger: Ledger, places: CodeLocations) -> CycleProfile:
    """The profile of executions that are finished."""
    called = sorted(
        (cost for cost in ledger.costs.values() if cost.calls or cost.exclusive),
        key=lambda cost: (-cost.exclusive, cost.location % BANK),
    )
    names = names_of(ledger.costs, places)
    index = {cost.location: number for number, cost in enumerate(called)}
    spots: dict[int, CodeSpot] = {}

    def spot(location: int) -> CodeSpot:
        if location not in spots:
            spots[location] = spot_at(location, places)
        return spots[location]

    costs = [
        CostProfile(index[cost.location], spot(at), cost.counts.get(at, 0), cost.spent[at])
        for cost in called
        for at in sorted(cost.spent)
    ]
    return CycleProfile(
        cycles=ledger.now,
        instructions=sum(sum(cost.counts.values()) for cost in called),
        routines=tuple(_routine(cost, names[cost.location], places) for cost in called),
        edges=tuple(
            sorted(
                (
                    CallEdge(names[caller], names[callee], calls, cycles)
                    for (caller, callee), (calls, cycles) in ledger.edges.items()
                ),
                key=lambda e: (-e.cycles, e.caller, e.callee),
            )
        ),
        costs=tuple(costs),
        paths=tuple(_paths(ledger.root, index, spot)),
        accesses=tuple(_accesses(called)),
    )


def spot_at(location: int, places: CodeLocations) -> CodeSpot:
    """Where a location is, in memory and in the sources."""
    if location < 0:
        return CodeSpot(-1)
    address = location % BANK
    line = places.image_at(location).line_at(address)
    if line is None or not line.data:
        return CodeSpot(address, places.bank_of(location))
    return CodeSpot(address, places.bank_of(location), line.span.source.name, line.span.line)


def names_of(costs: Mapping[int, RunningCost], places: CodeLocations) -> dict[int, str]:
    """A name for every routine; equal ones (of two modules) get their addresses."""
    names = {at: _name(at, places) for at in costs}
    uses = Counter(names.values())
    return {
        at: name if uses[name] == 1 else f"{name} ({_address(at, places)})"
        for at, name in names.items()
    }


def _name(location: int, places: CodeLocations) -> str:
    if location in MACHINE:
        return MACHINE[location]
    image, address = places.image_at(location), location % BANK
    for routine in image.routines:
        if routine.address == address:
            return routine.name
    return image.entry(address) or _address(location, places)


def _find_other_names(location: int, places: CodeLocations) -> tuple[str, ...]:
    """Further names of the routine at a location."""
    image, address = places.image_at(location), location % BANK
    name = _name(location, places)
    return tuple(other for other in image.names_at(address) if other != name)


def _address(location: int, places: CodeLocations) -> str:
    """``$4000``, or ``$02:4000`` where banks take turns."""
    bank = places.bank_of(location)
    return f"${'' if bank is None else f'{bank:02X}:'}{location % BANK:04X}"


def _find_start(location: int, places: CodeLocations) -> CodeSpot:
    """Where a routine is, in the sources where it is declared: its first line may be a macro's."""
    spot = spot_at(location, places)
    if location < 0:
        return spot
    image = places.image_at(location)
    at = next((r for r in image.routines if r.address == spot.address), None)
    declared = at or image.label_at(spot.address)
    if declared is None or declared.span is None:
        return spot
    return replace(spot, source=declared.span.source.name, line=declared.span.line)


def _routine(cost: RunningCost, name: str, places: CodeLocations) -> RoutineProfile:
    spot = _find_start(cost.location, places)
    machine = cost.location in MACHINE
    return RoutineProfile(
        name=name,
        also=() if machine else _find_other_names(cost.location, places),
        address=spot.address,
        bank=spot.bank,
        calls=cost.calls,
        exclusive=cost.exclusive,
        inclusive=cost.inclusive,
        minimum=cost.minimum,
        mean=cost.total / cost.calls if cost.calls else 0.0,
        maximum=cost.maximum,
        kind="machine" if machine else "interrupt" if cost.interrupt else "routine",
        source=spot.source,
        line=spot.line,
    )


def _paths(
    root: PathNode, index: Mapping[int, int], spot: Callable[[int], CodeSpot]
) -> list[PathProfile]:
    """All paths, parents first."""
    paths: list[PathProfile] = []
    waiting = [(-1, node) for node in reversed(root.children.values())]
    while waiting:
        parent, node = waiting.pop()
        number = -1 if node.location == MORE else index.get(node.location)
        if number is None:
            continue  # it was entered, but nothing of it was executed
        site = None if node.site is None else spot(node.site)
        paths.append(PathProfile(parent, number, site, node.calls, node.cycles))
        waiting += [(len(paths) - 1, child) for child in reversed(node.children.values())]
    return paths


def _accesses(called: list[RunningCost]) -> list[PageAccess]:
    accesses: list[PageAccess] = []
    for number, cost in enumerate(called):
        pages = {key >> 1 for key in cost.pages}
        accesses += [
            PageAccess(number, page, cost.pages.get(page * 2, 0), cost.pages.get(page * 2 + 1, 0))
            for page in sorted(pages)
        ]
    return accesses
