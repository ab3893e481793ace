"""Many states of a machine: drawn for a contract, and run on the engine ``llvm``.

Nothing of the prover is used here.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from fuzz_nouns import M6502, SIZES, TABLE, VARIABLES, Contract, Item, Mem, Program
from fuzz_terms import Cell, Reg, Term, Values
from fuzz_values import (
    Bytes,
    Ends,
    Num_cell,
    States,
    cells,
    holds,
    joined_states,
    ranges_of,
)

from romproof.engine.batch import RunOutcome, run_many
from romproof.engine.protocol import Guard
from romproof.harness.checks.stack import call_stack
from romproof.harness.rom import Rom
from romproof.isa.abi import abi_of
from romproof.projects import build
from romproof.projects.manifest import manifest_from

MAX = 1 << 16
"""Inputs that are all tried where there are no more."""
SOME = 10_000
"""Inputs that are tried where there are more."""
FEWEST = 64
"""Runs for the inputs of a routine that has few."""
CHUNK = 8192
BUDGET = 30_000
"""Cycles after which a run is taken never to end: none of the fuzzer's needs a third."""
EDGES = (0, 1, 2, 9, 0x0F, 0x7F, 0x80, 0x81, 0x99, 0xFE, 0xFF)

FEW = 300
"""Runs for which all memory is looked at, not what is likely: an example to be shown is one."""
EVERYTHING = ((0, 0x10000),)

LOW_RETURNS = (0, 1, 0x0A, 0x3F, 0x7E, 0x81, 0x9A, 0xC0)
"""Low bytes of some return addresses: a routine may look at where it is called from."""
DEPTHS = (0, 2, 5, 8, 14, 19, 26, 33, 37)
"""How many bytes callers have on the stack."""
LOW_STACKS = {"6502": (0x74, 0x24), "sm83": (0xC304, 0xC302, 0xC2FF, 0xC2A1)}
"""Further stack pointers, some of which have a carry near."""


class Bench:
    """A program that is assembled, and the means to run its routines."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.machine = program.machine
        self.rom = assembled(program)
        self.abi = abi_of(self.rom.image.cpu)
        memory = self.rom.memory_map
        self.initial = memory.initial
        allowed = np.frombuffer(memory.executable, np.uint8, self.abi.highest_nowhere + 1)
        free = np.flatnonzero(allowed == 0)
        last = (free[-1], free[-0x123], *(_last(free, low) for low in LOW_RETURNS))
        self._end_at(tuple(int(address) for address in last))
        top = call_stack(self.abi, self.rom.image).top - 2
        self.stacks = (*(top - depth for depth in DEPTHS), *LOW_STACKS[self.machine.cpu])
        self.addresses = {name: self.rom.image.address(name) for name in SIZES}

    def _end_at(self, ends: tuple[int, ...]) -> None:
        memory = self.rom.memory_map
        executable = bytearray(memory.executable)
        for end in ends:
            executable[end] = 1
        self.ends = ends
        self._guard = Guard(bytes(executable), memory.protected, self.abi.stack_mask)

    def returning_to(self, address: int) -> Bench | None:
        """The same with calls that return there; None where there is code."""
        if self.rom.memory_map.executable[address]:
            return None
        other = copy(self)
        other._end_at((address,))
        return other

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Memory that a run is likely to find or change."""
        around = self.addresses["arr"] & ~0xFF, 0x300
        if self.machine is M6502:
            return (0, 0x100), (0x100, 0x100), around
        return around, (self.stacks[0] - 0x7E, 0x80), (0xFF80, 0x7F)

    @cached_property
    def fixed(self) -> frozenset[int]:
        """Code, and what a program has that never changes."""
        image = self.rom.image
        found = {line.address + at for line in image.lines if line.is_code for at in range(4)}
        found |= set(range(image.address("tab"), image.address("tab") + len(TABLE)))
        found |= set(
            np.flatnonzero(np.frombuffer(self.rom.memory_map.protected, np.uint8)).tolist()
        )
        return frozenset(found)

    def end_of(self, stack: Any) -> Any:
        """Where a call with this stack pointer returns to: one of some places."""
        return np.asarray(self.ends)[(np.asarray(stack) >> 1) % len(self.ends)]

    def back(self, stack: Values) -> Bytes:
        """The return addresses as they were pushed."""
        pushed = (self.end_of(stack) - self.abi.return_bias) & 0xFFFF
        return np.stack([pushed & 0xFF, pushed >> 8], axis=1).astype(np.uint8)

    def label(self, routine: str, label: str) -> int:
        """The address of a local label, and of a routine without one."""
        return self.rom.image.address(f"{routine}{label}" if label else routine)

    # ------------------------------------------------------------ states to begin with

    def drawn(self, contract: Contract, rows: int, chance: np.random.Generator) -> States:
        """Random states that the contract allows; fewer than ``rows`` where it is narrow."""
        for attempt in range(6):
            states = self.random(contract, rows << attempt, chance)
            allowed = holds(contract.requires, states)
            if int(allowed.sum()) >= rows or attempt == 5:
                break
        return states.taken(np.flatnonzero(allowed)[:rows])

    def random(self, contract: Contract, rows: int, chance: np.random.Generator) -> States:
        """Random states; only what ``requires`` says of single inputs is kept to."""
        ranges = ranges_of(contract)

        def draw(key: Term, most: int) -> Values:
            low, high = ranges.get(key, (0, most))
            found = chance.integers(low, max(low, high) + 1, rows)
            edges = [edge for edge in (*EDGES, low, high) if low <= edge <= high]
            if edges and most > 1:
                special = np.array(edges)[chance.integers(0, len(edges), rows)]
                found = np.where(chance.random(rows) < 0.35, special, found)
            return found.astype(np.int64)

        machine = self.machine
        registers = {name: draw(Reg(name), 255) for name in machine.registers}
        registers |= {name: draw(Reg(name), 1) for name in machine.flags}
        if machine is M6502 and "D" not in contract.inputs:
            registers["D"] = np.zeros(rows, np.int64)
        if machine is not M6502:
            registers["IME"] = draw(Reg("IME"), 1)
        memory = {
            name: np.stack(
                [draw(Cell(name) if size == 1 else Num_cell(name, at), 255) for at in range(size)],
                axis=1,
            ).astype(np.uint8)
            for name, size in VARIABLES.items()
        }
        stack = np.array(self.stacks)[chance.integers(0, len(self.stacks), rows)]
        return States(machine, registers, memory, stack, symbols=self.addresses)

    def all_of(
        self, contract: Contract, chance: np.random.Generator, most: int = MAX
    ) -> States | None:
        """Every input that the contract allows, what is not an input at random; None: too many.
        Few inputs come several times, with others of what is no input."""
        ranges = ranges_of(contract)
        axes: list[tuple[str, int, int, int]] = []
        total = 1
        seen: set[tuple[str, int]] = set()
        for item in contract.inputs:
            if isinstance(item, Mem):
                for base, at in sorted(cells(item) - seen):
                    key = Cell(base) if VARIABLES[base] == 1 else Num_cell(base, at)
                    axes.append((base, at, *ranges.get(key, (0, 255))))
                seen |= cells(item)
            else:
                last = 255 if item in self.machine.registers else 1
                axes.append((item, -1, *ranges.get(Reg(item), (0, last))))
        for _, _, low, high in axes:
            total *= max(high - low + 1, 0)
            if total > most:
                return None
        if total == 0:
            return None
        rows = total * -(-FEWEST // total)
        states = self.random(replace(contract, requires=()), rows, chance)
        registers, memory = dict(states.registers), dict(states.memory)
        numbers = np.arange(rows) % total
        for name, at, low, high in axes:
            size = high - low + 1
            column = low + numbers % size
            numbers = numbers // size
            if at < 0:
                registers[name] = column.astype(np.int64)
            else:
                memory[name][:, at] = column
        states = replace(states, registers=registers, memory=memory)
        return states.taken(np.flatnonzero(holds(contract.requires, states)))

    def with_others(
        self,
        states: States,
        kept: Collection[Item],
        chance: np.random.Generator,
        contract: Contract,
    ) -> States:
        """The same states, but for all that is not ``kept``: that is drawn anew."""
        names = {item for item in kept if isinstance(item, str)}
        places = {cell for item in kept for cell in cells(item)}
        fresh = self.random(replace(contract, requires=()), len(states), chance)
        registers = {
            name: states.registers[name] if name in names else values
            for name, values in fresh.registers.items()
        }
        memory = {}
        for name, rows in fresh.memory.items():
            held = [at for at in range(rows.shape[1]) if (name, at) in places]
            rows[:, held] = states.memory[name][:, held]
            memory[name] = rows
        return replace(fresh, registers=registers, memory=memory)

    # ------------------------------------------------------------ runs

    def run(self, routine: str, states: States, wide: bool = False, limit: int = BUDGET) -> Ends:
        """Call a routine from each of the states."""
        back = self.back(states.stack)
        found = []
        for first in range(0, len(states), CHUNK):
            part = states.taken(slice(first, first + CHUNK))
            memory = self._memory(part, self.back(part.stack)) if wide else None
            at = self.label(routine, "")
            now = back[first : first + CHUNK]
            found.append(self._go(part, at, self.ends, limit, memory, now))
        return _joined(found)

    def _memory(self, states: States, back: Bytes) -> dict[tuple[int, int], Bytes]:
        """All memory at the entry, as patches."""
        patches: dict[tuple[int, int], Bytes] = {}
        variables = [(self.addresses[name], rows) for name, rows in states.memory.items()]
        ranges = EVERYTHING if len(states) <= FEW else self.places
        for start, size in ranges:
            initial = np.frombuffer(self.initial[start : start + size], np.uint8)
            rows = np.tile(initial, (len(states), 1))
            for address, values in variables:
                if start <= address < start + size:
                    rows[:, address - start : address - start + values.shape[1]] = values
            for offset in range(2):
                at = states.stack + self.abi.stack_base + offset - start
                here = np.flatnonzero((at >= 0) & (at < size))
                rows[here, at[here]] = back[here, offset]
            patches[start, size] = rows
        return patches

    def _go(
        self,
        states: States,
        start: int | Values,
        until: Collection[int],
        limit: Any,
        memory: Mapping[tuple[int, int], Bytes] | None,
        back: Bytes,
    ) -> Ends:
        machine, abi = self.machine, self.abi
        registers: dict[str, Any] = {
            name.lower(): states.registers[name] for name in machine.registers
        }
        registers[machine.flag_byte] = sum(
            states.registers[name] * mask for name, mask in machine.flags.items()
        ) + (0x20 if machine is M6502 else 0)
        registers[machine.stack] = states.stack
        registers["pc"] = start
        if machine is not M6502:
            registers["ime"] = states.registers["IME"]
        outputs: list[tuple[int, int]] = []
        if memory is None:
            patches: dict[Any, Bytes] = {
                (self.addresses[name], rows.shape[1]): rows for name, rows in states.memory.items()
            }
            for top in np.unique(states.stack):  # the others are never looked at
                patches[abi.stack_base + int(top), 2] = back
            outputs = [(self.addresses[name], size) for name, size in VARIABLES.items()]
        else:
            patches = dict(memory)
            outputs = list(memory)
        done = run_many(
            self.initial,
            registers,
            until,
            limit,
            patches=patches,
            outputs=outputs,
            cpu=abi.cpu,
            guard=self._guard,
            workers=1,
        )
        values = {name: done.registers[name.lower()].astype(np.int64) for name in machine.registers}
        byte = done.registers[machine.flag_byte].astype(np.int64)
        values |= {
            name: (byte & mask != 0).astype(np.int64) for name, mask in machine.flags.items()
        }
        if machine is not M6502:
            values["IME"] = done.registers["ime"].astype(np.int64)
        after = States(
            machine,
            values,
            {name: self._bytes(name, size, done.outputs) for name, size in VARIABLES.items()},
            done.registers[machine.stack].astype(np.int64),
            states.old,
            self.addresses,
        )
        wide = {p: (rows, done.outputs[p]) for p, rows in (memory or {}).items()}
        return Ends(
            after,
            done.registers["pc"].astype(np.int64),
            done.cycles.astype(np.int64),
            done.outcomes,
            done.lowest_stack.astype(np.int64),
            wide,
        )

    def _bytes(self, name: str, size: int, found: Mapping[tuple[int, int], Bytes]) -> Bytes:
        address = self.addresses[name]
        for (start, count), rows in found.items():
            if start <= address and address + size <= start + count:
                return rows[:, address - start : address - start + size]
        raise AssertionError(f"{name} is in no place that was looked at")

    def visits(
        self, routine: str, states: States, labels: Sequence[int], limit: int = BUDGET
    ) -> list[tuple[Values, States, Values, Values]]:
        """What is at each visit of one of the ``labels``: which runs are there, their states, the
        labels, and the cycles so far. The last ones are those of the runs that ended."""
        back = self.back(states.stack)
        memory = self._memory(states, back)
        at: Any = np.full(len(states), self.label(routine, ""), np.int64)
        who, here = np.arange(len(states)), states
        spent = np.zeros(len(states), np.int64)
        found: list[tuple[Values, States, Values, Values]] = []
        entered = np.isin(at, labels)
        if entered.any():
            found.append((who, states, at, spent))
        while len(who):
            ends = self._go(here, at, (*labels, *self.ends), limit, memory, back)
            spent = spent + ends.cycles
            stopped = np.flatnonzero(
                (ends.outcomes == RunOutcome.REACHED)
                & ~np.isin(ends.pc, self.ends)
                & (spent < limit)
            )
            after = replace(ends.after, entry=states.taken(who))
            if len(stopped) < len(who):
                rest = np.setdiff1d(np.arange(len(who)), stopped)
                found.append((who[rest], after.taken(rest), ends.pc[rest], spent[rest]))
            who, at, spent = who[stopped], ends.pc[stopped], spent[stopped]
            here = after.taken(stopped)
            memory = {p: np.ascontiguousarray(a[stopped]) for p, (_, a) in ends.wide.items()}
            if len(who):
                found.append((who, here, at, spent))
        return found


def _last(free: Values, low: int) -> int:
    """The last place whose low byte is ``low``: with 1, what the 6502 pushes ends with a zero."""
    return int(free[free & 0xFF == low][-1])


def _joined(parts: Sequence[Ends]) -> Ends:
    if len(parts) == 1:
        return parts[0]

    def join(pick: Any) -> Any:
        return np.concatenate([pick(part) for part in parts])

    after = joined_states([part.after for part in parts])
    wide = {
        place: (
            join(lambda p, k=place: p.wide[k][0]),
            join(lambda p, k=place: p.wide[k][1]),
        )
        for place in parts[0].wide
    }
    return Ends(
        after,
        join(lambda p: p.pc),
        join(lambda p: p.cycles),
        join(lambda p: p.outcomes),
        join(lambda p: p.lowest),
        wide,
    )


def assembled(program: Program) -> Rom:
    """The program, linked. Raises BuildFailed."""
    cpu = program.machine.cpu
    name = "demo.s" if program.machine is M6502 else "demo.asm"
    path = Path(_folder(os.getpid()).name)
    (path / name).write_text(program.source(), "utf-8")
    table = {"name": "demo", "cpu": cpu, "sources": [name]}
    rom = Rom(build(manifest_from(table, path, "demo", "fuzz")).image)
    assert rom.contracts is not None  # the sources are still there now
    return rom


@cache
def _folder(process: int) -> tempfile.TemporaryDirectory[str]:
    """One for all programs of a process, each of which takes the place of the one before."""
    return tempfile.TemporaryDirectory()
