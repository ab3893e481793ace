"""Loops that wait: nothing in them changes but what ports bring, so nothing says that they end."""

from __future__ import annotations

from romproof.isa.abi import Abi
from romproof.isa.algebra import Op
from romproof.prover.infer.flows import Flows
from romproof.prover.states.program import ProofProgram
from romproof.timing.effects import cell_address, effect_of


def only_waits(program: ProofProgram, flows: Flows, body: frozenset[int]) -> bool:
    """Whether nothing changes in a loop but what ports bring, and some port is read."""
    abi, reads_port = program.abi, False
    carried: set[str] = set()
    written: set[str] = set()
    for address in sorted(body):
        step = flows.steps[address]
        if step.call is not None:
            return False
        effect = effect_of(abi.cpu, program.fixed[address : step.following])
        if effect.stores:
            return False
        formulas = [formula for _, formula in effect.results]
        formulas += [*effect.reads.values()]
        formulas += [effect.condition] if effect.condition is not None else []
        needed = {name for formula in formulas for name in formula.needs}
        ports = {name for name in needed if _is_port(name, abi)}
        reads_port |= bool(ports)
        carried |= needed - ports - written
        if any(formula.value.op is not Op.CONST for formula in effect.reads.values()):
            return False
        written |= {name for name, _ in effect.results}
    return reads_port and not carried & written


def _is_port(name: str, abi: Abi) -> bool:
    address = cell_address(name)
    return address is not None and any(low <= address < high for low, high in abi.volatile)
