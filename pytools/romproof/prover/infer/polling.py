"""Loops that wait: nothing in them changes but what ports or interrupts bring."""

from __future__ import annotations

from collections.abc import Collection

from romproof.isa.abi import Abi
from romproof.isa.algebra import Op
from romproof.prover.infer.flows import Flows
from romproof.prover.states.program import ProofProgram
from romproof.timing.effects import cell_address, effect_of


def only_waits(program: ProofProgram, flows: Flows, body: frozenset[int]) -> bool:
    """Whether nothing changes in a loop but what ports bring, and some port is read."""
    return bool(awaited_in(program, flows, body, ()))


def awaited_in(
    program: ProofProgram, flows: Flows, body: frozenset[int], written: Collection[int]
) -> frozenset[int]:
    """The ports that a loop reads, and the bytes among those that others have ``written``, where
    nothing else changes in the loop; none where something does."""
    abi, awaited = program.abi, set[int]()
    carried: set[str] = set()
    results: set[str] = set()
    for address in sorted(body):
        step = flows.steps[address]
        if step.call is not None:
            return frozenset()
        effect = effect_of(abi.cpu, program.fixed[address : step.following])
        if effect.stores:
            return frozenset()
        formulas = [formula for _, formula in effect.results]
        formulas += [*effect.reads.values()]
        formulas += [effect.condition] if effect.condition is not None else []
        needed = {name for formula in formulas for name in formula.needs}
        changing = {
            name: at
            for name in needed
            if (at := cell_address(name)) is not None and (_is_port(at, abi) or at in written)
        }
        awaited |= set(changing.values())
        carried |= needed - changing.keys() - results
        if any(formula.value.op is not Op.CONST for formula in effect.reads.values()):
            return frozenset()
        results |= {name for name, _ in effect.results}
    return frozenset(awaited) if not carried & results else frozenset()


def _is_port(address: int, abi: Abi) -> bool:
    return any(low <= address < high for low, high in abi.volatile)
