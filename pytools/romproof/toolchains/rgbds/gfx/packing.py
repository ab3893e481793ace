"""Packing sets of colours into palettes: "overload and remove".

The algorithm is that of Grange, Imed and Jaumard, "Algorithms for the Pagination Problem, a Bin
Packing with Overlapping Items" (arXiv:1605.00558), with the integers and the order of ties that
rgbgfx has since 0.9: they decide which palette a set comes to.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import lcm

Colors = tuple[int, ...]
"""A set of Game Boy colours in rising order."""

_SCALE = lcm(*range(1, 18))
"""A size of one colour: sizes are divided by up to 17."""


@dataclass(eq=False, slots=True)
class _Entry:
    """A set in the packing; ``banned`` are the palettes that it was removed from."""

    index: int
    colors: Colors
    banned: set[int] = field(default_factory=set)


class _Assigned:
    """The sets of one palette. Slots that become free are taken again before new ones."""

    __slots__ = ("slots",)

    def __init__(self, *entries: _Entry) -> None:
        self.slots: list[_Entry | None] = list(entries)

    def __iter__(self) -> Iterator[_Entry]:
        return (entry for entry in self.slots if entry is not None)

    def assign(self, entry: _Entry) -> None:
        try:
            self.slots[self.slots.index(None)] = entry
        except ValueError:
            self.slots.append(entry)

    def remove(self, entry: _Entry) -> None:
        self.slots[self.slots.index(entry)] = None

    def colors(self) -> set[int]:
        return {color for entry in self for color in entry.colors}

    def relative_size(self, colors: Colors) -> int:
        """How much a set would cost here: colours that others have too cost less."""
        return sum(_SCALE // (1 + sum(color in entry.colors for entry in self)) for color in colors)


def pack(sets: Sequence[Colors], most: int) -> tuple[list[int], int]:
    """The palette of each set, and how many palettes there are; each has ``most`` colours.

    No set may have more colours than that, or none.
    """
    assigned: list[_Assigned] = []
    entries = [_Entry(index, colors) for index, colors in enumerate(sets)]
    queue = deque(sorted(entries, key=_largest_first))
    while queue:
        _place(queue.popleft(), assigned, queue, most)
    _empty_overloaded(assigned, most)
    _decant(assigned, most)
    palette_of = [0] * len(sets)
    for number, palette in enumerate(assigned):
        for entry in palette:
            palette_of[entry.index] = number
    return palette_of, len(assigned)


def _largest_first(entry: _Entry) -> tuple[int, int]:
    """Of sets of one size the later one comes first."""
    return -len(entry.colors), -entry.index


def _place(entry: _Entry, assigned: list[_Assigned], queue: deque[_Entry], most: int) -> None:
    """Assign a set to the palette where it costs least, and remove what is too much there."""
    best: _Assigned | None = None
    number, least = len(assigned), len(entry.colors) * _SCALE
    for index, palette in enumerate(assigned):
        if index not in entry.banned:
            size = palette.relative_size(entry.colors)
            if size < least:
                best, number, least = palette, index, size
    if best is None:
        assigned.append(_Assigned(entry))
        return
    best.assign(entry)
    while len(best.colors()) > most:
        costs = [(one, best.relative_size(one.colors)) for one in best]
        worst, worst_cost = costs[0]
        same = True
        for one, cost in costs[1:]:
            # size / cost, compared without a division
            difference = len(one.colors) * worst_cost - len(worst.colors) * cost
            same = same and difference == 0
            if difference < 0:
                worst, worst_cost = one, cost
        if same:
            return
        queue.append(_Entry(worst.index, worst.colors, worst.banned | {number}))
        best.remove(worst)


def _empty_overloaded(assigned: list[_Assigned], most: int) -> None:
    """Take the sets out of palettes that are still too full; put each where it fits first."""
    waiting: list[_Entry] = []
    for palette in assigned:
        if len(palette.colors()) > most:
            for entry in palette:
                size = len(entry.colors)
                at = next((i for i, e in enumerate(waiting) if len(e.colors) <= size), None)
                waiting.insert(len(waiting) if at is None else at, entry)
            palette.slots.clear()
    for entry in waiting:
        for palette in assigned:
            if _fits(palette, entry.colors, most):
                palette.assign(entry)
                break
        else:
            assigned.append(_Assigned(entry))


def _fits(palette: _Assigned, colors: Iterable[int], most: int) -> bool:
    return len(palette.colors().union(colors)) <= most


def _decant(assigned: list[_Assigned], most: int) -> None:
    """Move what fits into earlier palettes: whole ones, sets that share colours, single sets."""
    _decant_each(assigned, partial(_move_all, most))
    _decant_each(assigned, partial(_move_components, most))
    _decant_each(assigned, partial(_move_sets, most))


def _decant_each(assigned: list[_Assigned], move: Callable[[_Assigned, _Assigned], None]) -> None:
    for source in range(len(assigned) - 1, 0, -1):
        for target in assigned[:source]:
            move(target, assigned[source])
        if not any(assigned[source]):
            del assigned[source]


def _move_all(most: int, target: _Assigned, source: _Assigned) -> None:
    if _fits(target, source.colors(), most):
        for entry in source:
            target.assign(entry)
        source.slots.clear()


def _move_components(most: int, target: _Assigned, source: _Assigned) -> None:
    waiting = list(source)
    while waiting:
        first = waiting.pop(0)
        members, colors, others = [first], set(first.colors), []
        for entry in waiting:
            if colors.isdisjoint(entry.colors):
                others.append(entry)
            else:
                colors.update(entry.colors)
                members.append(entry)
        waiting = others
        if _fits(target, colors, most):
            for entry in members:
                target.assign(entry)
                source.remove(entry)


def _move_sets(most: int, target: _Assigned, source: _Assigned) -> None:
    for entry in list(source):
        if _fits(target, entry.colors, most):
            target.assign(entry)
            source.remove(entry)
