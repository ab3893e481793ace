"""Inputs that are tried where a proof comes to no end: one of them may show what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from romproof.contract.evaluate import evaluate
from romproof.contract.model import Contract
from romproof.isa.abi import Abi
from romproof.prove.examples import example_of
from romproof.prove.replay import Inputs, Run, inputs_of, run
from romproof.prove.results import Finding, Verdict
from romproof.prove.start import Program, Start, input_bounds, register_name, start_of
from romproof.prove.view import terms_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.solve.trials import trials
from romproof.symbolic.terms.term import Term

COUNT = 32
"""Inputs that are tried."""

MOST_CYCLES = 200_000
"""Cycles that all of them may take together."""


def attempt(program: Program, contract: Contract, address: int) -> Finding | None:
    """That a routine does not keep to its contract for one of a few inputs, if it does not."""
    bounds = input_bounds(program, contract)
    start = start_of(program, contract, address, bounds)
    entry = start.state(frozenset(), bounds)
    most = None if contract.cycles is None else contract.cycles[1]
    left = MOST_CYCLES
    required = terms_of(contract.requires, program.abi, entry, entry)
    variables = _variables(start, entry)
    for model in _models(variables, required):
        limit = left if most is None else min(left, most + 1)
        given = inputs_of(program, entry, model)
        done = run(program, given, start.ends, limit)
        broken = _broken(start, given, done, limit)
        if broken:
            example = example_of(start, model, frozenset(), variables)
            return Finding("keeps to its contract", Verdict.REFUTED, broken, example, True)
        left -= done.cycles
        if left <= 0:
            return None
    return None


def _variables(start: Start, entry: State) -> list[Term]:
    """All that is not known at the entry, and that the contract speaks of."""
    objects = start.layout.objects
    cells = [entry.memory.byte(a) for each in objects for a in range(each.address, each.end)]
    return [term for term in [*start.registers.values(), *cells] if not term.is_const]


def _models(variables: Sequence[Term], required: Sequence[Term]) -> Iterator[Model]:
    """Inputs that the contract allows."""
    inputs = trials(variables, COUNT)
    for number in range(COUNT):
        model = Model({name: int(found[number]) for name, found in inputs.values.items()})
        if all(model.value(condition) for condition in required):
            yield model


def _broken(start: Start, given: Inputs, done: Run, limit: int) -> str:
    """What a run shows to be wrong; "" if nothing."""
    contract, program, abi = start.contract, start.program, start.program.abi
    low, high = contract.cycles or (0, None)
    if done.fault:
        return done.fault
    if not done.stopped:
        spent = high is not None and limit > high
        return f"it has not returned after {high} {abi.cycles}" if spent else ""
    if done.cycles < low or (high is not None and done.cycles > high):
        return f"it can take {done.cycles} {abi.cycles}"
    if done.registers[program.cpu.stack] != start.stack_after:
        return "pushes and pulls do not balance"
    for item in abi.contents:
        name = register_name(abi, item)
        if not contract.may_change(item) and done.registers[name] != given.registers[name]:
            return f"{item.name} does not come back as it was"
    allowed = {a for item in contract.written() for a in item.addresses()}
    allowed |= set(abi.on_stack(0, start.stack + abi.return_size))
    for address, (before, after) in enumerate(zip(given.memory, done.memory, strict=True)):
        if before != after and address not in allowed:
            return f"{program.image.describe(address)} changes"
    view = NumberView(abi, Inputs(done.registers, done.memory), NumberView(abi, given))
    for condition in contract.ensures:
        if not evaluate(condition.expression, view):
            return f"{condition.text} does not hold"
    return ""


@dataclass(frozen=True)
class NumberView:
    """A state of plain numbers as conditions see it."""

    abi: Abi
    state: Inputs = field(repr=False)
    entry: NumberView | None = field(default=None, repr=False)

    @property
    def old(self) -> NumberView:
        """The same at the entry."""
        return self.entry or self

    def register(self, name: str) -> int:
        """A register."""
        return self.state.registers[name.lower()]

    def flag(self, name: str) -> int:
        """A flag."""
        return self.state.registers[name.lower()]

    def byte(self, address: int) -> int:
        """A byte of memory."""
        return self.state.memory[address & 0xFFFF]
