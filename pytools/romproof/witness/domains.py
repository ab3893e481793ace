"""Between which values inputs lie, and what is allowed of them together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from romproof.contract.names.bounds import bounds_of
from romproof.contract.nouns.items import MemoryRange
from romproof.witness.columns import Array, Machines, Memories, hold
from romproof.witness.results import Point
from romproof.witness.setting import Setting
from romproof.witness.subject import InputKey, Subject, name_of


@dataclass(frozen=True)
class InputNumber:
    """Bytes that are one number, the lowest byte first, which ``requires`` limits."""

    columns: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True)
class Domains:
    """``low`` and ``high`` limit the values of ``keys``, one by one."""

    keys: tuple[InputKey, ...]
    low: Array
    high: Array
    numbers: tuple[InputNumber, ...]

    @cached_property
    def states(self) -> int:
        """How many states there are within the limits; 0 if there is none."""
        sizes = (int(h) - int(low) + 1 for low, h in zip(self.low, self.high, strict=True))
        return prod(max(size, 0) for size in sizes)

    def row(self, point: Point) -> list[int | None]:
        """The values a point has for the keys, None for those it does not name."""
        return [point.get(key) for key in self.keys]

    def point(self, values: Array) -> Point:
        """The point of a row."""
        pairs = [(key, int(value)) for key, value in zip(self.keys, values, strict=True)]
        return Point(
            {key: value for key, value in pairs if isinstance(key, str)},
            {key: value for key, value in pairs if isinstance(key, int)},
        )


def domains_of(subject: Subject) -> Domains:
    """The limits of all keys of a routine."""
    widths = subject.cpu.registers
    keys = subject.keys
    limits = {key: (0, (1 << widths[key]) - 1 if isinstance(key, str) else 0xFF) for key in keys}
    numbers: list[InputNumber] = []
    for key, (low, high) in bounds_of(subject.contract).items():
        if isinstance(key, MemoryRange):
            if all(address in limits for address in key.addresses()):
                numbers.append(InputNumber(tuple(map(keys.index, key.addresses())), low, high))
            continue
        name = key if isinstance(key, int) else name_of(key)
        if name in limits:
            limits[name] = max(low, limits[name][0]), min(high, limits[name][1])
    bounds = np.array([limits[key] for key in keys], np.int64).reshape(-1, 2)
    return Domains(keys, bounds[:, 0], bounds[:, 1], tuple(numbers))


def machines(
    subject: Subject, setting: Setting, rows: Array, chance: np.random.Generator
) -> Machines:
    """The machines that begin with the values ``rows`` of the keys; all else is anything."""
    count = len(rows)
    given = {key: rows[:, number] for number, key in enumerate(subject.keys)}
    registers: dict[str, Array] = {}
    for name in subject.registers:
        if name in subject.usual:
            registers[name] = np.full(count, subject.usual[name], np.uint8)
        elif name in given:
            registers[name] = given[name].astype(np.uint8)
        else:
            registers[name] = chance.integers(0, 1 << subject.cpu.registers[name], count, np.uint8)
    registers[subject.cpu.stack] = np.full(count, setting.stack, np.uint16)
    matrix = chance.integers(0, 0x100, (count, len(subject.cells)), np.uint8)
    for column, address in enumerate(subject.cells):
        if address in given:
            matrix[:, column] = given[address]
    return Machines(registers, Memories.of(setting.base, subject.cells, matrix))


def contrast(
    subject: Subject, setting: Setting, before: Machines, chance: np.random.Generator
) -> Machines:
    """The same inputs, while all else has other values, as far as ``requires`` allows that."""
    inputs = set(subject.inputs)
    registers = dict(before.registers)
    free = [name for name in subject.registers if name not in inputs | subject.usual.keys()]
    for name in free:
        top = 1 << subject.cpu.registers[name]
        others = chance.integers(1, top, len(before), np.uint8)
        registers[name] = (registers[name] + others) & (top - 1)
    registers[subject.cpu.stack] = np.full(len(before), setting.stack, np.uint16)
    matrix = before.memory.matrix.copy()
    columns = [n for n, address in enumerate(subject.cells) if address not in inputs]
    matrix[:, columns] ^= chance.integers(1, 0x100, (len(before), len(columns)), np.uint8)
    pool = Machines(registers, Memories.of(setting.base, subject.cells, matrix))
    # what `requires` speaks of and is not an input: other values where they are allowed
    refused = ~find_allowed(subject, pool)
    for key in subject.keys if refused.any() else ():
        if key in inputs:
            continue
        if isinstance(key, str):
            registers[key] = np.where(refused, before.registers[key], registers[key])
        else:
            column = subject.cells.index(key)
            matrix[refused, column] = before.memory.matrix[refused, column]
    return pool


def find_allowed(subject: Subject, pool: Machines) -> Array:
    """Which machines satisfy what the routine requires."""
    result = np.ones(len(pool), bool)
    for condition in subject.contract.requires:
        result &= hold(condition, pool, pool)
    return result


def values_of(subject: Subject, pool: Machines) -> Array:
    """The values of the keys, one row for each machine."""
    columns = list(_values(subject, pool))
    if not columns:
        return np.zeros((len(pool), 0), np.uint8)
    return np.stack(columns, axis=1).astype(np.uint8)


def _values(subject: Subject, pool: Machines) -> Iterator[Array]:
    for key in subject.keys:
        if isinstance(key, str):
            yield pool.registers[key]
        else:
            yield pool.memory.matrix[:, pool.memory.places[key]]
