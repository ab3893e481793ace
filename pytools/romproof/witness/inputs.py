"""Which inputs are executed: all there are, or many that are unlike each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from romproof.witness.columns import Array, Machines
from romproof.witness.domains import Domains, domains_of, find_allowed, machines
from romproof.witness.results import Point
from romproof.witness.setting import Setting
from romproof.witness.subject import Subject

Draw = Callable[[int], Iterable[Point]]
"""So many inputs that ``requires`` allows, or as many as there are."""

ROUNDS = 8
"""How often as many inputs as are wanted are guessed, and how often found ones are varied."""

AT_ONCE = 4096
NOTABLE = (0, 1, 2, 0x0F, 0x10, 0x7F, 0x80, 0x81, 0xFE, 0xFF)
"""Bytes at which something often changes."""


@dataclass(frozen=True)
class DrawnInputs:
    """``rows`` has the values of the subject's keys, no two rows alike; ``whole``: these are all
    inputs that are allowed. The first ``given`` rows are those the caller gave."""

    domains: Domains
    rows: Array = field(repr=False)
    whole: bool
    given: int = 0


def inputs_of(
    subject: Subject,
    setting: Setting,
    runs: int,
    exhaustive: int,
    draw: Draw | None,
    extra: Sequence[Point],
    chance: np.random.Generator,
    counts: Callable[[Machines], Array],
) -> DrawnInputs:
    """All inputs if there are at most ``exhaustive`` states, else at least ``runs`` of them.

    ``counts`` says which of some machines count, besides ``requires``.

    Where few are found that the contract allows, ``draw`` is asked for more.
    """
    domains = domains_of(subject)
    search = _Search(subject, setting, domains, chance, counts)
    given = search.filter_allowed(search.complete(extra))
    if subject.lists_inputs and subject.abi.stack_pointer not in subject.contract.inputs:
        states = domains.states
        if states <= exhaustive:
            # those given first: there may be no time for all
            rows = _unique(given, search.filter_allowed(_grid(domains, states)))
            return DrawnInputs(domains, rows, True, len(_unique(given[:0], given)))
    rows = search.guess(given, runs)
    if 0 < len(rows) < runs:
        rows = search.neighbours(rows, runs)
    if len(rows) < runs and draw is not None:
        drawn = search.filter_allowed(search.complete(draw(runs - len(rows))))
        rows = search.neighbours(_unique(rows, drawn), runs)
    return DrawnInputs(domains, rows, False, len(_unique(given[:0], given)))


def _grid(domains: Domains, states: int) -> Array:
    """All states within the limits, in order."""
    rows = np.zeros((states, len(domains.keys)), np.uint8)
    if not states:
        return rows  # the limits of one leave nothing: those of others may have many values
    index, step = np.arange(states), 1
    for column in reversed(range(len(domains.keys))):
        low, size = int(domains.low[column]), int(domains.high[column] - domains.low[column] + 1)
        rows[:, column] = low + index // step % max(size, 1)
        step *= max(size, 1)
    return rows


def _unique(first: Array, more: Array) -> Array:
    """The rows of both, each once, in order."""
    rows = np.concatenate([first, more])
    if not rows.shape[1]:
        return rows[:1]
    seen: dict[bytes, int] = {}
    for number, row in enumerate(rows):
        seen.setdefault(row.tobytes(), number)
    chosen: Array = rows[list(seen.values())]
    return chosen


@dataclass
class _Search:
    """Looks for inputs that are allowed."""

    subject: Subject
    setting: Setting
    domains: Domains
    chance: np.random.Generator
    counts: Callable[[Machines], Array]

    def filter_allowed(self, rows: Array) -> Array:
        """Those that the contract allows."""
        parts = [rows[:0]]
        for start in range(0, len(rows), AT_ONCE):
            part = rows[start : start + AT_ONCE]
            candidates = machines(self.subject, self.setting, part, self.chance)
            chosen = np.flatnonzero(find_allowed(self.subject, candidates))
            chosen = chosen[self.counts(candidates.rows(chosen))]
            parts.append(part[chosen])
        return np.concatenate(parts)

    def complete(self, points: Iterable[Point]) -> Array:
        """Points as rows; what they do not name is chosen."""
        listed = list(points)
        rows = self._uniform(len(listed))
        for number, point in enumerate(listed):
            for column, value in enumerate(self.domains.row(point)):
                if value is not None:
                    rows[number, column] = value & 0xFF
        return rows

    def guess(self, rows: Array, wanted: int) -> Array:
        """``rows``, and guesses of several kinds that are allowed."""
        if not self.domains.states:
            return rows
        for _ in range(ROUNDS):
            if len(rows) >= wanted:
                break
            guesses = np.concatenate(list(self._guesses(max(wanted // 2, 1))))
            rows = _unique(rows, self.filter_allowed(guesses))
        return rows

    def neighbours(self, rows: Array, wanted: int) -> Array:
        """``rows``, and such as differ from one of them in little."""
        if not len(rows) or not len(self.domains.keys):
            return rows
        for _ in range(ROUNDS):
            if len(rows) >= wanted:
                break
            near = rows[self.chance.integers(0, len(rows), wanted)]
            column = self.chance.integers(0, near.shape[1], wanted)
            values = self._uniform(wanted)
            line = np.arange(wanted)
            near[line, column] = values[line, column]
            rows = _unique(rows, self.filter_allowed(near))
        return rows

    def _guesses(self, count: int) -> Iterator[Array]:
        yield self._notable(count)
        yield self._alike(self._uniform(count))
        yield self._alike(self._notable(count))
        yield self._limit(self._uniform(count))
        yield self._uniform(count)

    def _uniform(self, count: int) -> Array:
        domains, width = self.domains, len(self.domains.keys)
        if not domains.states:
            return np.zeros((count, width), np.uint8)
        sizes = (domains.high - domains.low + 1).astype(np.uint32)
        numbers = self.chance.integers(0, 1 << 16, (count, width), np.uint32)
        numbers *= sizes
        numbers >>= 16
        return numbers.astype(np.uint8) + domains.low.astype(np.uint8)

    def _notable(self, count: int) -> Array:
        """Limits and bytes that are often special."""
        domains = self.domains
        low, high = domains.low, domains.high
        choices = np.stack([low, high, low + 1, high - 1, *(low * 0 + byte for byte in NOTABLE)])
        table: Array = np.clip(choices, low, high).astype(np.uint8)
        which = self.chance.integers(0, len(table), (count, len(low)), np.uint8)
        # some rows have the same kind of value everywhere
        which[::4] = which[::4, :1]
        chosen: Array = table[which, np.arange(len(low))]
        return chosen

    def _alike(self, rows: Array) -> Array:
        """Some values equal to others, or next to them."""
        count, width = rows.shape
        if width < 2:
            return rows
        line = np.arange(count)
        source = rows[line, self.chance.integers(0, width, count)].astype(np.int64)
        near = source + self.chance.integers(-1, 2, count) * self.chance.integers(0, 2, count)
        where = self.chance.random((count, width)) < self.chance.random((count, 1))
        mixed = np.where(where, near[:, np.newaxis], rows)
        clipped: Array = np.clip(mixed, self.domains.low, self.domains.high)
        return clipped.astype(np.uint8)

    def _limit(self, rows: Array) -> Array:
        """Numbers of several bytes within their limits."""
        for number in self.domains.numbers:
            size = len(number.columns)
            span = max(number.high - number.low, 0)
            for row in rows:
                offset = int.from_bytes(self.chance.bytes(size + 1), "little") % (span + 1)
                value = (number.low, number.high, number.low + offset)[int(self.chance.integers(3))]
                row[list(number.columns)] = list(
                    (value & (1 << 8 * size) - 1).to_bytes(size, "little")
                )
        return rows
