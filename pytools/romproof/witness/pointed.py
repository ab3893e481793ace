"""Routines with pointers: where their blocks are is chosen first, then all else.

At each of some places the contract is one without pointers
(romproof.contract.reading.pointers.place_blocks), and is executed as such. Places are those of
inputs that are allowed, of notable ones and of those that are given: blocks right beside what the
contract names, beside each other, across pages, at both ends of memory. First come those where the
end of a page is between the first bytes of a block, or the last ones: a routine that steps through
its block takes the most cycles at one of 256 places, which would hardly ever be drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.expr import Expression, MemoryValue, PairValue
from romproof.contract.nouns.pointer import Pointer
from romproof.contract.reading.pointers import BlockPlaces, place_blocks, places_of
from romproof.witness.columns import Array, Machines, ManyView, Numbers, OneView
from romproof.witness.domains import domains_of, find_allowed, machines
from romproof.witness.inputs import Draw, inputs_of
from romproof.witness.results import Disagreement, Extreme, Point, Witnessed
from romproof.witness.setting import Setting, settings_of
from romproof.witness.subject import SIZE, InputKey, Subject

PLACES = 16
"""Places at which a routine is executed, besides those that are given."""
ALIGNED = 8
"""Inputs that are tried for each of the places at the end of a page."""
DRAWN = 400
"""Inputs that are drawn to find them."""
GIVEN = 8
"""Places of given inputs, at most."""


def choices(
    subject: Subject, draw: Draw | None, extra: Sequence[Point], chance: np.random.Generator
) -> list[tuple[BlockPlaces, list[Point]]]:
    """Places for the blocks of a routine, with the given inputs that have their blocks there."""
    chosen: dict[BlockPlaces, list[Point]] = {}
    for point in extra:
        place = _place_of(subject, point)
        if place in chosen or len(chosen) < GIVEN:
            chosen.setdefault(place, []).append(point)
    for place in _draw_places(subject, draw, chance):
        if len(chosen) >= PLACES + GIVEN:
            break
        chosen.setdefault(place, [])
    return list(chosen.items())


def at(subject: Subject, places: BlockPlaces) -> Subject:
    """The same routine with its blocks at ``places``."""
    return replace(subject, contract=place_blocks(subject.contract, places))


def _place_of(subject: Subject, point: Point) -> BlockPlaces:
    """Where a given input has the blocks."""
    memory = bytearray(subject.memory)
    for address, value in point.memory.items():
        memory[address] = value & 0xFF
    registers = dict.fromkeys(subject.cpu.registers, 0) | dict(point.registers)
    return places_of(subject.contract, OneView(registers, memory))


def _draw_places(
    subject: Subject, draw: Draw | None, chance: np.random.Generator
) -> Iterator[BlockPlaces]:
    """Places of inputs that are allowed, those first that are notable."""
    setting, _ = settings_of(subject, chance)
    found = inputs_of(
        subject, setting, DRAWN, 0, draw, (), chance, lambda pool: np.ones(len(pool), bool)
    ).rows
    if not len(found):
        return
    domains = domains_of(subject)
    for aligned in _align(subject, domains.keys, found[:ALIGNED]):
        yield from list(_find_allowed_places(subject, setting, aligned, chance))[:1]
    rows = found[chance.integers(0, len(found), 4 * DRAWN)]
    for pointer in subject.contract.pointers:
        rows = _move(subject, domains.keys, rows, pointer, chance)
    moved = list(_find_allowed_places(subject, setting, rows, chance))
    others = list(_places(subject, _again(subject, found)))
    for one, other in zip(_twice(moved), _twice(others), strict=False):
        yield one
        yield other


def _align(subject: Subject, keys: Sequence[InputKey], rows: Array) -> Iterator[Array]:
    """Inputs with the end of a page behind the first byte of each block, before it, before the
    last one, behind that, and a byte before the block: five times the ``rows``."""
    pool = _again(subject, rows)
    view = ManyView(pool, pool, np.int64)
    pointers = subject.contract.pointers
    lows = [(_keys(p.base)[0], _column(p.count, view, len(rows))) for p in pointers]
    for behind, times in ((1, 0), (0, 0), (-1, 1), (0, 1), (-1, 0)):
        moved = rows.copy()
        for low, size in lows:
            if low in keys:
                moved[:, keys.index(low)] = -(behind + times * size) & 0xFF
        yield moved


def _find_allowed_places(
    subject: Subject, setting: Setting, rows: Array, chance: np.random.Generator
) -> Iterator[BlockPlaces]:
    """Where those of some inputs that are allowed have the blocks."""
    pool = machines(subject, setting, rows, chance)
    return _places(subject, pool.rows(np.flatnonzero(find_allowed(subject, pool))))


def _again(subject: Subject, rows: Array) -> Machines:
    chance = np.random.default_rng(0)
    return machines(subject, settings_of(subject, chance)[0], rows, chance)


def _twice(places: list[BlockPlaces]) -> list[BlockPlaces]:
    return [*places, *places[: DRAWN - len(places)]] if len(places) < DRAWN else places


def _places(subject: Subject, pool: Machines) -> Iterator[BlockPlaces]:
    view = ManyView(pool, pool, np.int64)
    columns = [
        (_column(p.base, view, len(pool)), _column(p.count, view, len(pool)))
        for p in subject.contract.pointers
    ]
    for row in range(len(pool)):
        yield tuple((int(base[row]), int(count[row])) for base, count in columns)


def _column(number: Expression, view: ManyView, count: int) -> Array:
    value: Any = evaluate(number, view)
    return value.values if isinstance(value, Numbers) else np.full(count, value, np.int64)


def _move(
    subject: Subject,
    keys: Sequence[InputKey],
    rows: Array,
    pointer: Pointer,
    chance: np.random.Generator,
) -> Array:
    """Some inputs with a pointer to a notable place, half of them."""
    low, high = _keys(pointer.base)
    if low not in keys or high not in keys:
        return rows
    rows = rows.copy()
    pool = _again(subject, rows)
    sizes = _column(pointer.count, ManyView(pool, pool, np.int64), len(rows))
    others = [
        _column(end, ManyView(pool, pool, np.int64), len(rows))
        for other in subject.contract.pointers
        if other is not pointer
        for end in (other.base, other.count)
    ]
    edges = np.array([0, 0x100, 0x200, SIZE, *_edges(subject)])
    for row in np.flatnonzero(chance.random(len(rows)) < 0.7):
        size = int(sizes[row])
        kind = int(chance.integers(4))
        if kind == 0 and others:  # beside another block
            which = 2 * int(chance.integers(len(others) // 2))
            place, length = int(others[which][row]), int(others[which + 1][row])
            place = place - size if chance.integers(2) else place + length
        elif kind == 1:  # across pages
            place = 0x100 * int(chance.integers(256)) - int(chance.integers(max(size, 1) + 1))
        else:  # beside what has a name, or the ends of memory
            place = int(chance.choice(edges)) - (size if chance.integers(2) else 0)
        place += int(chance.integers(-1, 2)) * int(chance.integers(3) == 0)
        rows[row, keys.index(low)] = place & 0xFF
        rows[row, keys.index(high)] = place >> 8 & 0xFF
    return rows


def _keys(base: Expression) -> tuple[InputKey, InputKey]:
    """The lower and the higher byte of a pointer."""
    if isinstance(base, PairValue):
        return base.low.attribute, base.high.attribute
    assert isinstance(base, MemoryValue), "pointers are pairs or words"
    return base.memory.address, base.memory.address + 1


def _edges(subject: Subject) -> Iterator[int]:
    """Where something begins or ends: memory that the contract names, constants, ports."""
    marks = np.frombuffer(subject.fixed, np.uint8).astype(np.int64) != 0
    marks[[*subject.cells, *subject.ports]] = True
    yield from (int(place) + 1 for place in np.flatnonzero(marks[1:] != marks[:-1]))


def together(done: Iterable[Witnessed], wrong: Iterable[Disagreement]) -> Witnessed:
    """What came of the runs at all places, and what is ``wrong`` of them together."""
    every = list(done)
    if not every:
        return Witnessed(0, 0, False, "")
    labels: dict[int, int] = {}
    for each in every:
        for address, count in each.labels.items():
            labels[address] = labels.get(address, 0) + count
    return Witnessed(
        sum(each.runs for each in every),
        sum(each.inputs for each in every),
        False,
        every[0].engine,
        sum(each.watched for each in every),
        sum(each.unfinished for each in every),
        least_of(every),
        most_of(every),
        frozenset().union(*(each.returns for each in every)),
        frozenset().union(*(each.ends for each in every)),
        labels,
        (*(d for each in every for d in each.disagreements), *wrong),
        any(each.stopped for each in every),
    )


def least_of(every: Iterable[Witnessed]) -> Extreme | None:
    """The fewest cycles."""
    known = [each.least for each in every if each.least is not None]
    return min(known, key=lambda each: each.cycles, default=None)


def most_of(every: Iterable[Witnessed]) -> Extreme | None:
    """The most cycles."""
    known = [each.most for each in every if each.most is not None]
    return max(known, key=lambda each: each.cycles, default=None)
