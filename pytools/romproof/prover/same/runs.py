"""Both versions executed with one input: what a solver says of them has to happen on the machine,
and what is proved has to hold when it is executed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from romproof.prover.models.inputs import Batch
from romproof.prover.replay.judge import Case
from romproof.prover.replay.run import ReplayRun, execute, inputs_of
from romproof.prover.same.sides import CellPairs, MachineCell
from romproof.prover.same.tied import Tied
from romproof.symbolic.execute.layout import cells_of
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY
from romproof.symbolic.terms.term import Term

MAX_CYCLES = 2_000_000
"""Cycles that may be spent on executing what was proved; at least one input is executed."""


@dataclass(frozen=True)
class Both:
    """A run of each, with the same input."""

    pairs: CellPairs
    one: ReplayRun
    other: ReplayRun

    @property
    def has_ended(self) -> bool:
        """Whether both returned."""
        return self.one.stopped and self.other.stopped

    def find_differences(self) -> Iterator[tuple[str, MachineCell, int, int]]:
        """The outputs that differ: their name, the cell, what each left there."""
        for place, cells in self.pairs.compared.items():
            for mine, theirs in cells:
                here, there = _read_cell(self.one, mine), _read_cell(self.other, theirs)
                if here != there:
                    yield place, mine, here, there


def _read_cell(run: ReplayRun, cell: MachineCell) -> int:
    return run.registers[cell.name] if cell.address is None else run.memory[cell.address]


def run_both(tied: Tied, model: Model, involved: Sequence[Term], limit: int) -> Both:
    """Execute both for the input of a model, for at most so many cycles each; ``involved`` are the
    terms that it is about: of the first, and of the second by its own names."""
    return Both(
        tied.pairs,
        _run(tied.one, model, involved, limit),
        _run(tied.other, tied.model(model), involved, limit),
    )


def _run(case: Case, model: Model, involved: Sequence[Term], limit: int) -> ReplayRun:
    given = inputs_of(case.start, case.entry, model, involved)
    return execute(case.start, given, case.start.ends, limit)


def models_of(batches: Sequence[Batch], terms: Sequence[Term]) -> Iterator[Model]:
    """The inputs of some batches, one after the other, with the variables of ``terms``."""
    free = sorted(t.variables(terms), key=lambda each: each.name)
    arrays = [each for each in free if each.op is ARRAY]
    numbers = [each for each in free if each.op is not ARRAY]
    places = {each.name: cells_of(each.name) for each in arrays}
    for batch in batches:
        loads = {
            (name, address): t.load(t.array_var(name), t.const(address, 16))
            for name, addresses in places.items()
            for address in addresses
        }
        values = batch.evaluate([*numbers, *loads.values()])
        for row in range(batch.count):
            contents = {each.name: bytearray(0x10000) for each in arrays}
            for (name, address), load in loads.items():
                contents[name][address] = int(values[load][row])
            yield Model(
                {each.name: int(values[each][row]) for each in numbers},
                {name: bytes(data) for name, data in contents.items()},
            )
