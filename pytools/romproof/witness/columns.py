"""Many states of a machine at once, one in each row, and conditions on all of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from romproof.contract.names.evaluate import evaluate
from romproof.contract.names.limits import limits
from romproof.contract.nouns.expr import Condition, Expression, walk
from romproof.witness.subject import SIZE

Array = npt.NDArray[Any]

SAFE = 1 << 62
"""Numbers below it can be added once without leaving 64 bits."""


@dataclass(frozen=True)
class Memories:
    """The memory of many machines: ``base``, but for the bytes at ``addresses``.

    ``matrix`` has one row for each machine and a column for each of ``addresses``.
    """

    base: Array = field(repr=False)
    addresses: tuple[int, ...]
    matrix: Array = field(repr=False)
    places: Array = field(repr=False)

    @classmethod
    def of(cls, base: Array, addresses: tuple[int, ...], matrix: Array) -> Self:
        """The memories; ``places`` is found from ``addresses``."""
        places = np.full(SIZE, -1, np.int32)
        places[list(addresses)] = np.arange(len(addresses))
        return cls(base, addresses, matrix, places)

    def byte(self, address: int | Array) -> Any:
        """The bytes at an address, or at one for each machine: an int where all are the same."""
        where = self.places[address]
        if isinstance(address, int):
            return self.matrix[:, where] if where >= 0 else int(self.base[address])
        rows = np.arange(len(self.matrix))
        if not self.addresses:
            return self.base[address]
        return np.where(where >= 0, self.matrix[rows, where], self.base[address])

    def data(self, row: int, address: int, size: int) -> bytes:
        """Bytes of one machine: quicker than ``byte`` where single rows are wanted."""
        first = self._columns.get(address)
        if first is not None and self._columns.get(address + size - 1) == first + size - 1:
            return self._rows[row][first : first + size]  # the addresses are in order
        data = bytearray(self._base[address : address + size])
        for number in range(size):
            column = self._columns.get(address + number)
            if column is not None:
                data[number] = self._rows[row][column]
        return bytes(data)

    @cached_property
    def _columns(self) -> dict[int, int]:
        return {address: column for column, address in enumerate(self.addresses)}

    @cached_property
    def _base(self) -> bytes:
        return self.base.astype(np.uint8).tobytes()

    @cached_property
    def _rows(self) -> list[bytes]:
        return [row.tobytes() for row in self.matrix.astype(np.uint8)]

    def rows(self, chosen: Array) -> Memories:
        """Some of the machines."""
        return Memories(self.base, self.addresses, self.matrix[chosen], self.places)

    def whole(self, row: int) -> bytes:
        """All 65,536 bytes of one machine."""
        memory = self.base.copy()
        memory[list(self.addresses)] = self.matrix[row]
        return memory.tobytes()


@dataclass(frozen=True)
class Machines:
    """Many machines: each register or flag, by its name in the microcode, has one value a row."""

    registers: Mapping[str, Array] = field(repr=False)
    memory: Memories

    def __len__(self) -> int:
        return len(self.memory.matrix)

    def rows(self, chosen: Array) -> Machines:
        """Some of them."""
        registers = {name: values[chosen] for name, values in self.registers.items()}
        return Machines(registers, self.memory.rows(chosen))


class Numbers:
    """One number for each machine, with the operators that conditions have."""

    __slots__ = ("values",)

    def __init__(self, values: Array) -> None:
        self.values = values

    def __neg__(self) -> Numbers:
        return Numbers(-self.values)


def _plain(number: Any) -> Any:
    return number.values if isinstance(number, Numbers) else number


def _operators() -> None:
    """Give Numbers its operators, both ways round."""

    def forward(act: Callable[[Any, Any], Any]) -> Callable[[Numbers, Any], Numbers]:
        return lambda self, other: Numbers(_exact(act(self.values, _plain(other)), self.values))

    def backward(act: Callable[[Any, Any], Any]) -> Callable[[Numbers, Any], Numbers]:
        return lambda self, other: Numbers(_exact(act(other, self.values), self.values))

    for name in ("add", "sub", "mul", "lshift", "rshift", "and_", "or_", "xor"):
        word = name.rstrip("_")
        setattr(Numbers, f"__{word}__", forward(getattr(operator, name)))
        setattr(Numbers, f"__r{word}__", backward(getattr(operator, name)))
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(Numbers, f"__{name}__", forward(getattr(operator, name)))
    setattr(Numbers, "__mod__", forward(_remainder))  # noqa: B010
    setattr(Numbers, "__rmod__", backward(_remainder))  # noqa: B010


def _remainder(left: Any, right: Any) -> Any:
    """Of a division by zero it is 0."""
    divisor = np.where(np.equal(right, 0), 1, right)
    return np.where(np.equal(right, 0), 0, left % divisor)


def _exact(result: Array, like: Array) -> Array:
    """Truths as numbers; of the type the others have."""
    return result.astype(like.dtype, copy=False)


_operators()


@dataclass(frozen=True)
class ManyView:
    """Many machines as a condition sees them, with numbers of the type ``kind``."""

    machines: Machines = field(repr=False)
    entry: Machines = field(repr=False)
    kind: Any

    @property
    def old(self) -> ManyView:
        """See View."""
        return ManyView(self.entry, self.entry, self.kind)

    def register(self, name: str) -> Numbers:
        """See View."""
        return Numbers(self.machines.registers[name.lower()].astype(self.kind))

    flag = register

    def byte(self, address: Any) -> Any:
        """See View."""
        if isinstance(address, Numbers):
            byte = self.machines.memory.byte(address.values.astype(np.int64))
        else:
            byte = self.machines.memory.byte(int(address))
        return byte if isinstance(byte, int) else Numbers(byte.astype(self.kind))


@dataclass(frozen=True)
class OneView:
    """One machine as conditions see it; ``entry`` is how it was when the routine was entered."""

    registers: Mapping[str, int]
    memory: bytes | bytearray = field(repr=False)
    entry: OneView | None = field(default=None, repr=False)

    @property
    def old(self) -> OneView:
        """See View."""
        return self.entry or self

    def register(self, name: str) -> int:
        """See View."""
        return self.registers[name.lower()]

    flag = register

    def byte(self, address: int) -> int:
        """See View."""
        return self.memory[address & 0xFFFF]


def kind_for(expression: Expression) -> Any:
    """The type of numbers that is wide enough for all that an expression computes."""
    for part in walk(expression):
        low, high = limits(part)
        if low <= -SAFE or high >= SAFE:
            return object
    return np.int64


def hold(condition: Condition, machines: Machines, entry: Machines) -> Array:
    """For which machines a condition is true."""
    kind = kind_for(condition.expression)
    truth = evaluate(condition.expression, ManyView(machines, entry, kind))
    if isinstance(truth, Numbers):
        return truth.values.astype(bool)
    return np.full(len(machines), bool(truth))
