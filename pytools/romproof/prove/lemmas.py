"""Proved routines in place of their code: what a call does to its caller's state.

A routine without invariants has exact results, as terms of its inputs; one with invariants did
something of which its contract says all that is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count

from romproof.contract.items import MemoryRange
from romproof.prove.explore import Exploration
from romproof.prove.start import Program, register_name
from romproof.prove.view import terms_of
from romproof.symbolic.execute.events import TOLD, EventKind, LemmaDoesNotFit, NeedsIndex
from romproof.symbolic.execute.executor import Executor
from romproof.symbolic.execute.state import CYCLE_BITS, State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY
from romproof.symbolic.terms.term import Term

MOST_CYCLES = 1 << 24
"""What a call of unlimited duration is taken to last at most: it says nothing."""

_fresh = count()


@dataclass(frozen=True)
class ProvedRoutine:
    """A lemma: see romproof.symbolic.execute.executor.

    When not ``exact``, only what the contract ensures is known of the results.
    """

    found: Exploration = field(repr=False)
    exact: bool = True

    def __call__(self, executor: Executor, state: State) -> None:
        """The state after the return from the call that has just been made."""
        found, program = self.found, self.found.start.program
        inputs, back = _actual(found, state), _return_address(program, state)
        self._requires(executor, state)
        if self.exact and not found.invariants:
            after = found.returning()[0].at
            inputs |= _anew(found)
            self._results(state, after, inputs)
            state.cycles += after.cycles
            state.extra = t.add(state.extra, t.replace(after.extra, inputs))
        else:
            self._anything(state)
        deepest = found.start.stack - min(leg.at.lowest for leg in found.legs)
        stack = state.get(program.cpu.stack)
        for address in program.abi.on_stack(stack.number - deepest, stack.number):
            state.memory.set_byte(address, t.var(f"${address:04X}{TOLD}{next(_fresh)}", 8))
        state.lowest = min(state.lowest, stack.number - deepest)
        state.registers[program.cpu.stack] = t.add(
            stack, t.const(program.abi.return_size, stack.width)
        )
        state.pc = back
        if state.frames and state.frames[-1] == back:
            state.frames = state.frames[:-1]
        state.registers["pc"] = t.const(back, 16)

    def _requires(self, executor: Executor, state: State) -> None:
        # of the caller's values: the routine's own variables are bounded by what it requires
        contract, abi = self.found.start.contract, self.found.start.program.abi
        conditions = terms_of(contract.requires, abi, state, state)
        for condition, holds in zip(contract.requires, conditions, strict=True):
            if holds is not t.TRUE:
                detail = f"calls {contract.name}, which requires {condition.text}"
                executor.tell(EventKind.BREAKS, state, holds, detail)
        for item in contract.inputs:
            if isinstance(item, MemoryRange):
                for address in item.addresses():
                    executor.read(state, t.const(address, 16))

    def _results(self, state: State, after: State, inputs: Mapping[Term, Term]) -> None:
        contract, abi = self.found.start.contract, self.found.start.program.abi
        memo: dict[Term, Term] = {}
        names = [register_name(abi, item) for item in abi.contents if contract.may_change(item)]
        new = {name: t.replace(after.get(name), inputs, memo) for name in names}
        written = {a for item in contract.written() for a in item.addresses()}
        data = {
            address: t.replace(value, inputs, memo)
            for address, value in after.memory.changed_bytes().items()
            if address in written
        }
        arrays = {
            which: t.replace(array, inputs, memo)
            for which, array in after.memory.changed_arrays().items()
        }
        state.registers.update(new)
        for address, value in data.items():
            state.memory.set_byte(address, value)
        for which, array in arrays.items():
            state.memory.set_array(which, array)

    def _anything(self, state: State) -> None:
        """Anything that fulfils what the contract ensures."""
        contract, program = self.found.start.contract, self.found.start.program
        before = state.copy()
        for item in program.abi.contents:
            if contract.may_change(item):
                name = register_name(program.abi, item)
                width = program.cpu.registers[name]
                state.registers[name] = t.var(f"{name}{TOLD}{next(_fresh)}", width)
        for written in contract.written():
            which = state.memory.layout.object_at(written.address)
            if which is not None and which.name in state.memory.indexed:
                state.memory.set_array(which, t.array_var(f"{which.name}{TOLD}{next(_fresh)}"))
                continue
            for address in written.addresses():
                state.memory.set_byte(address, t.var(f"${address:04X}{TOLD}{next(_fresh)}", 8))
        for condition in terms_of(contract.ensures, program.abi, state, before):
            state.assume(condition)
        low, high = contract.cycles or (0, None)
        most = MOST_CYCLES if high is None else high
        name = f"cycles{TOLD}{next(_fresh)}"
        state.extra = t.add(state.extra, t.var(name, CYCLE_BITS, low, most))


def _actual(found: Exploration, state: State) -> dict[Term, Term]:
    """What the caller has in place of the routine's unknown inputs."""
    start, memory = found.start, state.memory
    actual: dict[Term, Term] = {}
    for name, term in start.registers.items():
        if not term.is_const:
            actual[term] = state.get(name)
    for variable in _inputs(found):
        if variable.op is ARRAY:
            which = next(each for each in start.layout.objects if each.name == variable.name)
            mine = memory.layout.object_at(which.address)
            if mine is None or (mine.address, mine.size) != (which.address, which.size):
                raise LemmaDoesNotFit
            if mine.name not in memory.indexed:
                raise NeedsIndex(mine.name)
            actual[variable] = memory.array(mine)
        elif variable not in actual:
            actual[variable] = memory.byte(_address_of(found, variable))
    return actual


def _anew(found: Exploration) -> dict[Term, Term]:
    """What is only told of in the results, as of a callee without exact ones: it may be something
    else in each call."""
    renamed: dict[Term, Term] = {}
    for variable in t.variables(_results_of(found)):
        if TOLD in variable.name:
            name = f"{variable.name.partition(TOLD)[0]}{TOLD}{next(_fresh)}"
            if variable.op is ARRAY:
                renamed[variable] = t.array_var(name)
            else:
                renamed[variable] = t.var(name, variable.width, variable.low, variable.high)
    return renamed


def _return_address(program: Program, state: State) -> int:
    """Where the call returns to."""
    abi, stack = program.abi, state.get(program.cpu.stack)
    pushed = [state.memory.byte(at) for at in abi.on_stack(stack.number, stack.number + 2)]
    if not all(byte.is_const for byte in pushed):
        raise LemmaDoesNotFit
    return pushed[0].number + (pushed[1].number << 8) + abi.return_bias & 0xFFFF


def _results_of(found: Exploration) -> list[Term]:
    roots: list[Term] = []
    for leg in found.returning():
        roots += [leg.at.get(name) for name in found.start.program.cpu.registers]
        roots += leg.at.memory.changed_bytes().values()
        roots += leg.at.memory.changed_arrays().values()
        roots.append(leg.at.extra)
    return roots


def _inputs(found: Exploration) -> Iterable[Term]:
    roots, entry = _results_of(found), found.entry
    roots += terms_of(found.start.contract.requires, found.start.program.abi, entry, entry)
    names = set(found.start.registers)
    return [v for v in t.variables(roots) if v.name not in names and "@" not in v.name]


def _address_of(found: Exploration, variable: Term) -> int:
    if variable.name.startswith("$"):
        return int(variable.name[1:5], 16)
    name, _, rest = variable.name.rpartition("[")
    which = next(each for each in found.start.layout.objects if each.name == name)
    return which.address + int(rest[:-1])
