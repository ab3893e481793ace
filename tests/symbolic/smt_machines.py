"""Machines with unknown contents: executed once as terms, and on ``plain`` for many inputs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from romproof.engine.plain.core import Core
from romproof.engine.plain.engine import functions
from romproof.engine.space import SIZE, AddressSpace
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named
from romproof.symbolic.execute.events import Event, NeedsIndex
from romproof.symbolic.execute.executor import Executor
from romproof.symbolic.execute.layout import MemoryLayout, MemoryObject
from romproof.symbolic.execute.meaning import Later
from romproof.symbolic.execute.patience import MAX_ITERATIONS
from romproof.symbolic.execute.state import Memory, State
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.solver import Solver
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Term
from romproof.symbolic.terms.origin import byte_name

Numbers = NDArray[Any]
Known = int | tuple[int, int]
"""What is known of a value: what it is, or its bounds."""

EVERYWHERE = range(SIZE)
SOLVER = Solver()
MAX_CYCLES = 100_000
CORNERS = (0x00, 0x01, 0x0F, 0x10, 0x7F, 0x80, 0x99, 0xFF)


@dataclass(frozen=True)
class Machine:
    """A CPU about to execute code, with unknown contents of registers and ``objects``.

    ``fixed`` has the code and all else that stays, by address. What is known of ``registers``
    and of single bytes of objects is said there; ``pc`` has to be known. It stops at ``stops``:
    unless told otherwise, after one instruction. The objects ``indexed`` are arrays from the
    start on.
    """

    cpu: str
    fixed: Mapping[int, bytes]
    objects: tuple[MemoryObject, ...]
    registers: Mapping[str, Known]
    bounds: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    stops: Collection[int] = EVERYWHERE
    indexed: frozenset[MemoryObject] = frozenset()

    @cached_property
    def layout(self) -> MemoryLayout:
        """Its memory."""
        contents, is_fixed = bytearray(SIZE), bytearray(SIZE)
        for address, data in self.fixed.items():
            contents[address : address + len(data)] = data
            is_fixed[address : address + len(data)] = b"\1" * len(data)
        return MemoryLayout(bytes(contents), bytes(is_fixed), self.objects)

    @property
    def described(self) -> Cpu:
        """Its CPU."""
        return cpu_named(self.cpu)

    @cached_property
    def columns(self) -> Numbers:
        """For each address the column in an Inputs' memory; -1 for none."""
        found = np.full(SIZE, -1)
        at = 0
        for each in self.objects:
            found[each.address : each.end] = range(at, at + each.size)
            at += each.size
        return found


# ---------------------------------------------------------------- as terms


@dataclass(frozen=True)
class Executed:
    """The states at the places where a machine stops, by address, and what happened before."""

    states: Mapping[int, State]
    events: tuple[Event, ...]
    indexed: frozenset[MemoryObject]


def execute(machine: Machine, patience: int = MAX_ITERATIONS) -> Executed:
    """All paths through the code. Raises Unfinished."""
    indexed = machine.indexed
    while True:
        executor = Executor(machine.described, Oracle(SOLVER), patience=patience)
        try:
            states = executor.run(begin(machine, indexed), machine.stops)
        except NeedsIndex as need:
            again = indexed | {need.which}
        else:
            return Executed(states, tuple(executor.events), indexed)
        assert again != indexed, "an array is asked for that is one"
        indexed = again


def begin(machine: Machine, indexed: frozenset[MemoryObject]) -> State:
    """The state at the start, with some objects as arrays."""
    cpu, layout = machine.described, machine.layout
    bounds = {byte_name(at): limits for at, limits in machine.bounds.items()}
    registers: dict[str, Term | Later] = {
        name: term_of(name, width, machine.registers.get(name))
        for name, width in cpu.registers.items()
    }
    pc, stack = machine.registers["pc"], registers[cpu.stack]
    assert isinstance(pc, int)
    assert isinstance(stack, Term)
    return State(pc, registers, Memory(layout, indexed, bounds), stack.number)


def term_of(name: str, width: int, known: Known | None) -> Term:
    """What a register holds at the start."""
    if isinstance(known, int):
        return t.const(known, width)
    return t.var(name, width, *(known or (0, (1 << width) - 1)))


# ---------------------------------------------------------------- inputs


@dataclass(frozen=True)
class Inputs:
    """What N machines hold: each register's numbers, and bytes of shape (N, all objects')."""

    registers: Mapping[str, Numbers]
    memory: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.memory)

    def row(self, number: int) -> dict[str, int]:
        """The registers of one machine."""
        return {name: int(values[number]) for name, values in self.registers.items()}


@cache
def _bytes() -> NDArray[np.uint8]:
    """Random bytes, a quarter of them of the kind where carries and signs change."""
    random = np.random.default_rng(6502)
    found = random.integers(0, 0x100, 1 << 18, dtype=np.uint8)
    corner = random.integers(0, 4, len(found)) == 0
    found[corner] = random.choice(np.array(CORNERS, dtype=np.uint8), int(corner.sum()))
    return found


def inputs_for(machine: Machine, count: int, seed: int = 0) -> Inputs:
    """``count`` random inputs within the bounds; the same for the same seed."""
    random = np.random.default_rng(seed)
    registers: dict[str, Numbers] = {}
    for name, width in machine.described.registers.items():
        known = machine.registers.get(name, (0, (1 << width) - 1))
        low, high = (known, known) if isinstance(known, int) else known
        registers[name] = _within(random, low, high, count)
    size = sum(each.size for each in machine.objects)
    rows = sliding_window_view(_bytes(), size)
    memory = rows[random.integers(0, len(rows), count)].copy()
    for address, (low, high) in machine.bounds.items():
        memory[:, machine.columns[address]] = _within(random, low, high, count)
    return Inputs(registers, memory)


def _within(random: np.random.Generator, low: int, high: int, count: int) -> Numbers:
    found = random.integers(low, high + 1, count)
    corners = [low, high, *(n for n in CORNERS if low < n < high)]
    if high - low > len(corners):
        corner = random.integers(0, 4, count) == 0
        found[corner] = random.choice(corners, int(corner.sum()))
    return found


# ---------------------------------------------------------------- on plain


@dataclass(frozen=True)
class Outcome:
    """The registers, cycles and memory of N machines in the end, and the lowest stack pointer
    after any of their instructions."""

    registers: Mapping[str, Numbers]
    cycles: Numbers
    lowest: Numbers
    memory: NDArray[np.uint8]


def on_plain(machine: Machine, inputs: Inputs) -> Outcome:
    """Run all machines on the engine ``plain``."""
    names = tuple(machine.described.registers)
    space = AddressSpace()
    core: Any = Core(space, _refuse)
    store = space.store
    store[:] = machine.layout.fixed
    windows = tuple((each.address, each.size) for each in machine.objects)
    rows = np.stack([inputs.registers[name] for name in names], axis=1).tolist()
    prologue, table = functions(machine.cpu)
    stack = machine.described.stack
    found, memory, lowest = _loop(names, windows, stack)(
        core, rows, prologue, table, store, memoryview(inputs.memory.tobytes()), machine.stops
    )
    for address, size in windows:
        store[address : address + size] = machine.layout.fixed[address : address + size]
    assert store == machine.layout.fixed, "what stays has changed"
    numbers = np.array(found, dtype=np.int64)
    registers = {name: numbers[:, column] for column, name in enumerate(names)}
    after = np.frombuffer(b"".join(memory), dtype=np.uint8).reshape(inputs.memory.shape)
    return Outcome(registers, numbers[:, -1], np.array(lowest), after)


def _refuse() -> None:
    raise AssertionError("the CPU jams")


@cache
def _loop(
    names: tuple[str, ...], windows: tuple[tuple[int, int], ...], stack: str
) -> Callable[..., Any]:
    """A function that runs all machines: written out, as it is run millions of times."""
    size = sum(size for _, size in windows)
    fill, keep, at = [], [], 0
    for address, length in windows:
        fill.append(f"  store[{address}:{address + length}] = blob[at + {at}:at + {at + length}]")
        keep.append(f"  keep(store[{address}:{address + length}])")
        at += length
    source = [
        "def loop(core, rows, prologue, table, store, blob, stops):",
        " found, memory, lowest, at = [], [], [], 0",
        " add, keep = found.append, memory.append",
        " for row in rows:",
        f"  {', '.join(f'core.{name}' for name in names)} = row",
        "  core.cycles = 0",
        *fill,
        f"  at += {size}",
        f"  low = core.{stack}",
        "  while True:",
        "   number = prologue(core)",
        "   while number is not None:",
        "    number = table[number](core)",
        f"   if core.{stack} < low: low = core.{stack}",
        "   if core.pc in stops: break",
        f"   assert core.cycles < {MAX_CYCLES}",
        "  add(get(core))",
        "  lowest.append(low)",
        *keep,
        " return found, memory, lowest",
    ]
    scope: dict[str, Any] = {"get": attrgetter(*names, "cycles")}
    exec("\n".join(source), scope)
    loop: Callable[..., Any] = scope["loop"]
    return loop
