"""Many states of a machine at once, as arrays; and what came of runs from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from fuzz_nouns import ALIASES, Contract, Item, Machine, Mem
from fuzz_terms import Cell, Num, Reg, Term, Values, Within, value

Bytes = npt.NDArray[np.uint8]


def base_of(name: str) -> tuple[str, int]:
    """The variable that a name is part of, and from which byte on."""
    if name in ALIASES:
        variable, start, _ = ALIASES[name]
        return variable, start
    return name, 0


def cells(item: Item) -> set[tuple[str, int]]:
    """The bytes of an item."""
    if not isinstance(item, Mem):
        return set()
    base, start = base_of(item.name)
    return {(base, start + at) for at in range(item.size)}


@dataclass(frozen=True)
class States:
    """Many states. ``registers`` by the names of contracts, flags among them, and IME; ``memory``
    has a row of bytes for each variable. ``entry`` are the states at the entry, if others."""

    machine: Machine
    registers: Mapping[str, Values]
    memory: Mapping[str, Bytes]
    stack: Values
    entry: States | None = None
    symbols: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.stack)

    @property
    def old(self) -> States:
        """See View."""
        return self.entry or self

    def named(self, name: str) -> Values:
        """See View; pairs and addresses of variables, too."""
        if name.startswith("&"):
            return np.asarray(self.symbols[name[1:]], np.int64)
        if name in ("BC", "DE", "HL"):
            return self.registers[name[0]] * 256 + self.registers[name[1]]
        return self.registers[name]

    def byte(self, name: str, index: Values | int) -> Values:
        """See View."""
        base, start = base_of(name)
        rows = self.memory[base]
        at = np.broadcast_to(np.asarray(index, np.int64) + start, (len(rows),))
        wrapped = np.clip(at, 0, rows.shape[1] - 1)
        return rows[np.arange(len(rows)), wrapped].astype(np.int64)

    def taken(self, which: Any) -> States:
        """Some of the states."""
        entry = self.entry.taken(which) if self.entry is not None else None
        return States(
            self.machine,
            {name: values[which] for name, values in self.registers.items()},
            {name: rows[which] for name, rows in self.memory.items()},
            self.stack[which],
            entry,
            self.symbols,
        )

    def told(self, row: int) -> str:
        """One state, for people."""
        parts = [f"{name}={int(values[row])}" for name, values in self.registers.items()]
        parts += [f"{name}=[{rows[row].tobytes().hex(' ')}]" for name, rows in self.memory.items()]
        return ", ".join([*parts, f"stack={int(self.stack[row]):X}"])


@dataclass(frozen=True)
class Ends:
    """What came of many runs. ``after`` are the states in the end, ``wide`` all memory that was
    looked at, each place with its bytes before and after."""

    after: States
    pc: Values
    cycles: Values
    outcomes: Bytes
    lowest: Values
    wide: Mapping[tuple[int, int], tuple[Bytes, Bytes]] = field(default_factory=dict)


def holds(conditions: Sequence[Term], states: States) -> npt.NDArray[np.bool_]:
    """Which of the states fulfil all conditions."""
    found = np.ones(len(states), bool)
    for condition in conditions:
        found &= np.broadcast_to(value(condition, states) != 0, (len(states),))
    return found


def ranges_of(contract: Contract) -> dict[Term, tuple[int, int]]:
    """What ``requires`` says of single inputs."""
    found: dict[Term, tuple[int, int]] = {}
    for condition in contract.requires:
        if isinstance(condition, Within) and isinstance(condition.inner, Reg | Cell):
            low, high = found.get(condition.inner, (0, 255))
            found[condition.inner] = max(low, condition.low), min(high, condition.high)
    return found


def joined_states(parts: Sequence[States]) -> States:
    """The states of all parts, one after the other."""
    first = parts[0]
    return States(
        first.machine,
        {n: np.concatenate([p.registers[n] for p in parts]) for n in first.registers},
        {n: np.concatenate([p.memory[n] for p in parts]) for n in first.memory},
        np.concatenate([p.stack for p in parts]),
        None if first.entry is None else joined_states([p.old for p in parts]),
        first.symbols,
    )


def Num_cell(name: str, at: int) -> Cell:  # noqa: N802  # it makes a term, as the classes do
    """A byte of memory by its number."""
    return Cell(name, Num(at))
