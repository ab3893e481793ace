"""Runs that candidates are tried on: one that a run breaks needs no solver.

Nothing is concluded from a candidate that all runs keep to.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from romproof.contract.checks.view import holds
from romproof.contract.nouns.expr import Condition
from romproof.isa.abi import Register
from romproof.prover.exploration.explore import Exploration
from romproof.prover.replay.run import ReplayInputs, inputs_of, visits
from romproof.prover.states.entry import input_bounds, register_name
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import RETURN_ADDRESS, VariableName, byte_name

RUNS = 10
"""Inputs that the routine is executed for."""
FEW_RUNS = 4
"""The same where inputs have to be looked for, each with several questions."""
MAX_BOUNDED = 0x200
"""Bytes of an object that are drawn one by one; of larger ones those of which something is
required."""
DRAWN = 400
"""Inputs that are drawn to find some that are allowed."""
VISITS = 40
"""Visits to a loop's head in a run of which some are looked at."""
CYCLES = 30_000
"""What a run takes at most."""
_CORNERS = (0, 1, 2, 3, 4, 7, 8, 255)


def inputs(exploration: Exploration, oracle: Oracle, seed: int = 1) -> list[ReplayInputs]:
    """Some inputs that the contract allows, small ones among them."""
    start = exploration.start
    program, entry = start.program, exploration.entry
    bounds = input_bounds(program, start.contract)
    source = random.Random(seed)
    required = t.all_of(oracle.assumptions)
    singled = _single_out(exploration, required, bounds)
    made: list[ReplayInputs] = []
    for number in range(DRAWN):
        if len(made) >= RUNS:
            break
        values: dict[str, int] = {}
        for item in program.abi.contents:
            name = register_name(program.abi, item)
            width = item.bits if isinstance(item, Register) else 1
            values[name] = _draw(source, number, bounds.get(name, (0, (1 << width) - 1)))
        arrays: dict[str, bytes] = {}
        for which in start.layout.objects:
            data = bytearray(0x10000)
            if which.size > MAX_BOUNDED:
                data[which.address : which.end] = source.randbytes(which.size)
                if which not in exploration.indexed:
                    for address in singled.get(which, ()):
                        limits = bounds.get(byte_name(address), (0, 0xFF))
                        data[address] = _draw(source, number, limits, False)
                        values[byte_name(address)] = data[address]
                arrays[which.key] = bytes(data)
                continue
            for address in range(which.address, which.end):
                limits = bounds.get(byte_name(address), (0, 0xFF))
                data[address] = _draw(source, number, limits, which.size <= 2)
                values[byte_name(address)] = data[address]
            arrays[which.key] = bytes(data)
        pointer = start.frame.pointer
        values[pointer.name] = (pointer.low + pointer.high) // 2
        values[RETURN_ADDRESS] = 0xFF
        model = Model(values, arrays)
        if model.value(required):
            made.append(inputs_of(start, entry, model))
    while len(made) < FEW_RUNS:  # conditions that hardly any number satisfies
        pinned = _pin(exploration, oracle, source)
        if pinned is None:
            break
        made.append(inputs_of(start, entry, pinned))
    return made


def _single_out(
    exploration: Exploration, required: t.Term, bounds: Mapping[VariableName, tuple[int, int]]
) -> dict[MemoryObject, list[int]]:
    """The bytes of large objects of which something is required, byte by byte: of an area of 16 KiB
    only these are drawn one by one."""
    names = {variable.name for variable in t.variables([required])} | bounds.keys()
    places = sorted(a for name in names if (a := name.address) is not None)
    return {
        which: [a for a in places if which.address <= a < which.end]
        for which in exploration.start.layout.objects
        if which.size > MAX_BOUNDED
    }


def _pin(exploration: Exploration, oracle: Oracle, source: random.Random) -> Model | None:
    """An input that the contract allows, with registers that are drawn as far as that allows it."""
    abi = exploration.start.abi
    names = [register_name(abi, item) for item in abi.contents if isinstance(item, Register)]
    source.shuffle(names)
    pinned: list[t.Term] = []
    model: Model | None = None
    for name in [*names, ""]:
        value = exploration.entry.get(name) if name else None
        if value is not None and value.is_const:
            continue
        drawn = [] if value is None else [t.eq(value, t.const(_draw(source, 0, (0, 255)), 8))]
        if value is not None and value.width != 8:
            continue
        answer = oracle.ask([*pinned, *drawn])
        if answer.model is not None:
            pinned += drawn
            model = answer.model
    return model


def _draw(source: random.Random, number: int, limits: tuple[int, int], small: bool = True) -> int:
    low, high = limits if limits[0] <= limits[1] else (0, 0xFF)
    if small and number % 2 == 0:
        corner = source.choice(_CORNERS)
        return min(max(corner, low), high)
    return source.randint(low, high)


def filter_candidates(
    exploration: Exploration,
    given: Sequence[ReplayInputs],
    candidates: Mapping[int, Sequence[Condition]],
) -> dict[int, list[Condition]]:
    """The candidates, by place, that the runs of some inputs keep to at the visits looked at."""
    left = {place: list(conditions) for place, conditions in candidates.items()}
    for each in given:
        for place, conditions in left.items():
            for number, view in enumerate(
                islice(visits(exploration.start, each, place, CYCLES), VISITS)
            ):
                if number > _FIRST and number % _FIRST:
                    continue
                conditions[:] = [one for one in conditions if holds(one, view)]
    return left


_FIRST = 4


def ran(exploration: Exploration, given: Sequence[ReplayInputs], place: int) -> Iterator[int]:
    """How often each run comes to a place, as far as that is looked at."""
    for each in given:
        yield sum(1 for _ in islice(visits(exploration.start, each, place, CYCLES), VISITS))
