"""Machines with unknown contents: executed once as terms, and on ``plain`` for many inputs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import z3_numpy
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from romproof.engine.plain.core import Core
from romproof.engine.plain.engine import functions
from romproof.engine.smt import term as t
from romproof.engine.smt.events import Event, NeedsIndex
from romproof.engine.smt.execute import Executor
from romproof.engine.smt.layout import Layout, Object
from romproof.engine.smt.lower import Lowering
from romproof.engine.smt.meaning import Later
from romproof.engine.smt.node import ARRAY, STORE, Term
from romproof.engine.smt.oracle import Oracle
from romproof.engine.smt.solver import Solver
from romproof.engine.smt.state import Memory, State
from romproof.engine.space import SIZE, AddressSpace
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named

Numbers = NDArray[Any]
Known = int | tuple[int, int]
"""What is known of a value: what it is, or its bounds."""

EVERYWHERE = range(SIZE)
SOLVER = Solver(20.0)
MOST_CYCLES = 100_000
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
    objects: tuple[Object, ...]
    registers: Mapping[str, Known]
    bounds: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    stops: Collection[int] = EVERYWHERE
    indexed: frozenset[str] = frozenset()

    @cached_property
    def layout(self) -> Layout:
        """Its memory."""
        contents, is_fixed = bytearray(SIZE), bytearray(SIZE)
        for address, data in self.fixed.items():
            contents[address : address + len(data)] = data
            is_fixed[address : address + len(data)] = b"\1" * len(data)
        return Layout(bytes(contents), bytes(is_fixed), self.objects)

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

    def address_of(self, name: str) -> int:
        """The address of the byte that a variable stands for."""
        if name.startswith("$"):
            return int(name[1:], 16)
        which, _, offset = name.removesuffix("]").partition("[")
        return next(each.address for each in self.objects if each.name == which) + int(offset)


# ---------------------------------------------------------------- as terms


@dataclass(frozen=True)
class Executed:
    """The states at the places where a machine stops, by address, and what happened before."""

    states: Mapping[int, State]
    events: tuple[Event, ...]
    indexed: frozenset[str]


def execute(machine: Machine) -> Executed:
    """All ways through the code. Raises Unfinished."""
    indexed = machine.indexed
    while True:
        executor = Executor(machine.described, Oracle(SOLVER))
        try:
            states = executor.run(begin(machine, indexed), machine.stops)
        except NeedsIndex as need:
            again = indexed | {need.name}
        else:
            return Executed(states, tuple(executor.events), indexed)
        assert again != indexed, "an array is asked for that is one"
        indexed = again


def begin(machine: Machine, indexed: frozenset[str]) -> State:
    """The state at the start, with some objects as arrays."""
    cpu, layout = machine.described, machine.layout
    bounds = {layout.byte_name(at): limits for at, limits in machine.bounds.items()}
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
        f"   assert core.cycles < {MOST_CYCLES}",
        "  add(get(core))",
        "  lowest.append(low)",
        *keep,
        " return found, memory, lowest",
    ]
    scope: dict[str, Any] = {"get": attrgetter(*names, "cycles")}
    exec("\n".join(source), scope)
    loop: Callable[..., Any] = scope["loop"]
    return loop


# ---------------------------------------------------------------- one against the other


def agree(machine: Machine, executed: Executed, inputs: Inputs) -> None:
    """AssertionError unless ``plain`` ends as the terms say, and as z3's formulas for them say."""
    outcome = on_plain(machine, inputs)
    views = [_View(machine, state) for state in executed.states.values()]
    roots = [root for view in views for root in view.roots]
    sampled = _sampled(machine, inputs, roots)
    lowered = _lowered(machine, inputs, roots)
    for means, values in (("as terms", sampled), ("as formulas", lowered)):
        found = dict(zip(roots, values, strict=True))
        _hold(means, machine, views, found, inputs, outcome)


class _View:
    """What has to be known of a state: ``roots`` are all of it."""

    def __init__(self, machine: Machine, state: State) -> None:
        self.state = state
        self.path = state.path
        self.registers = {name: state.get(name) for name in machine.described.registers}
        self.cycles = state.total_cycles()
        self.bytes = dict(state.memory.changed_bytes())
        self.arrays = state.memory.changed_arrays()
        inner = [
            arg
            for array in self.arrays.values()
            for term in _spine(array)
            for arg in term.args
            if arg.width
        ]
        self.roots = list(
            dict.fromkeys(
                [*self.path, *self.registers.values(), self.cycles, *self.bytes.values(), *inner]
            )
        )


def _hold(
    means: str,
    machine: Machine,
    views: Iterable[_View],
    found: Mapping[Term, Numbers],
    inputs: Inputs,
    outcome: Outcome,
) -> None:
    count = len(inputs)
    ways = np.zeros(count, dtype=np.int64)
    for view in views:
        here = np.ones(count, dtype=bool)
        for condition in view.path:
            here &= found[condition] != 0
        ways += here
        wanted = {name: found[term] for name, term in view.registers.items()}
        wanted |= {"cycles": found[view.cycles], "pc": np.full(count, view.state.pc)}
        actual = {**outcome.registers, "cycles": outcome.cycles}
        for name, values in wanted.items():
            wrong = here & (values.astype(np.int64) != actual[name])
            _all_right(f"{name}, {means}", wrong, values, actual[name], inputs)
        lowest, least = outcome.lowest, np.full(count, view.state.lowest)
        _all_right("lowest", here & (lowest < least), least, lowest, inputs)
        memory = _memory(machine, view, found, inputs)
        differs = memory != outcome.memory
        _all_right(f"memory, {means}", here & differs.any(axis=1), memory, outcome.memory, inputs)
    _all_right(f"the ways, {means}", ways != 1, ways, outcome.registers["pc"], inputs)


def _all_right(what: str, wrong: Numbers, wanted: Numbers, actual: Numbers, inputs: Inputs) -> None:
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        want, got = wanted[at], actual[at]
        if want.ndim:
            place = np.flatnonzero(want != got).tolist()
            want, got = [
                dict(zip(place, each[place].tolist(), strict=True)) for each in (want, got)
            ]
        raise AssertionError(
            f"{what}: {want}, on plain {got}, in {wrong.sum()} of {len(inputs)} inputs: "
            f"{inputs.row(at)}"
        )


def _memory(
    machine: Machine, view: _View, found: Mapping[Term, Numbers], inputs: Inputs
) -> NDArray[np.uint8]:
    """All objects' bytes, as a state has them."""
    if not view.bytes and not view.arrays:
        return inputs.memory
    memory = inputs.memory.copy()
    for address, term in view.bytes.items():
        if machine.columns[address] >= 0:
            memory[:, machine.columns[address]] = found[term]
    for which, array in view.arrays.items():
        start = int(machine.columns[which.address])
        done: dict[Term, NDArray[np.uint8]] = {}
        for term in _spine(array):
            done[term] = _contents(term, which, done, found, inputs, start)
        memory[:, start : start + which.size] = done[array]
    return memory


def _spine(array: Term) -> Iterator[Term]:
    """The arrays that an array is made of, each before what is made of it."""
    done: set[Term] = set()
    stack = [array]
    while stack:
        term = stack[-1]
        waiting = [arg for arg in term.args if not arg.width and arg not in done]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        if term not in done:
            done.add(term)
            yield term


def _contents(
    term: Term,
    which: Object,
    done: Mapping[Term, NDArray[np.uint8]],
    found: Mapping[Term, Numbers],
    inputs: Inputs,
    start: int,
) -> NDArray[np.uint8]:
    """The bytes of an object that an array is."""
    if term.op == ARRAY:
        assert term.name == which.name
        return inputs.memory[:, start : start + which.size]
    if term.op == STORE:
        array, address, value = term.args
        contents = done[array].copy()
        offset = found[address].astype(np.int64) - which.address
        here = np.flatnonzero((offset >= 0) & (offset < which.size))
        contents[here, offset[here]] = found[value][here]
        return contents
    condition, then, otherwise = term.args
    return np.where((found[condition] != 0)[:, None], done[then], done[otherwise])


# ---------------------------------------------------------------- the values of terms


def _named(
    machine: Machine, inputs: Inputs, variables: Iterable[Term]
) -> tuple[dict[str, Numbers], dict[str, Callable[[Numbers], Numbers]]]:
    """The variables' values, and the arrays' contents."""
    values: dict[str, Numbers] = {"": np.zeros(len(inputs), dtype=np.uint64)}
    arrays: dict[str, Callable[[Numbers], Numbers]] = {}
    rows = np.arange(len(inputs))

    def contents(addresses: Numbers) -> Numbers:
        column = machine.columns[addresses.astype(np.int64)]  # beyond the objects: anything
        return inputs.memory[rows, column].astype(np.uint64)

    for variable in variables:
        name = variable.name
        if variable.op == ARRAY:
            arrays[name] = contents
        elif name in inputs.registers:
            values[name] = inputs.registers[name].astype(np.uint64)
        else:
            address = machine.address_of(name)
            column = machine.columns[address]
            if column >= 0:
                values[name] = inputs.memory[:, column].astype(np.uint64)
            else:
                values[name] = np.full(len(inputs), machine.layout.fixed[address], dtype=np.uint64)
    return values, arrays


def _sampled(machine: Machine, inputs: Inputs, roots: list[Term]) -> list[Numbers]:
    """What the terms are, as romproof's evaluation has it."""
    values, arrays = _named(machine, inputs, t.variables(roots))
    return t.evaluate(roots, values, arrays)


def _lowered(machine: Machine, inputs: Inputs, roots: list[Term]) -> list[Numbers]:
    """What z3's formulas for the terms are."""
    lowering = Lowering()
    lowering.prepare(roots)
    formulas = [lowering.truth(root) if root.width == 1 else lowering.term(root) for root in roots]
    values, arrays = _named(machine, inputs, lowering.variables)
    found = z3_numpy.evaluate([*formulas, *lowering.bounds], len(inputs), values, arrays)
    assert all(holds.all() for holds in found[len(roots) :]), "bounds that do not hold"
    return [value.astype(np.uint64) for value in found[: len(roots)]]
