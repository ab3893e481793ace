"""What terms say of machines, held against what ``plain`` does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np
from lowered import by_z3, lowered
from numpy.typing import NDArray
from smt_machines import Executed, Inputs, Machine, Numbers, Outcome, on_plain

from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY, STORE, Term


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
    which: MemoryObject,
    done: Mapping[Term, NDArray[np.uint8]],
    found: Mapping[Term, Numbers],
    inputs: Inputs,
    start: int,
) -> NDArray[np.uint8]:
    """The bytes of an object that an array is."""
    if term.op == ARRAY:
        assert term.name == which.key
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
            address = int(name.removeprefix("$"), 16)
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
    values, arrays = _named(machine, inputs, t.variables(roots))
    found, bounds = lowered(by_z3(), roots, len(inputs), values, arrays)
    assert all(holds.all() for holds in bounds), "bounds that do not hold"
    return [value.astype(np.uint64) for value in found]
