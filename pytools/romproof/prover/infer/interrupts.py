"""Memory that interrupts write, and loops that wait for it."""

from __future__ import annotations

from collections.abc import Mapping

from romproof.isa.algebra import Op
from romproof.prover.infer.flows import Flows
from romproof.prover.infer.polling import awaited_in
from romproof.prover.states.program import ProofProgram
from romproof.timing.effects import effect_of


def written_by_interrupts(program: ProofProgram, flows: Flows) -> dict[int, int]:
    """The bytes that handlers of interrupts, and what they call, write at addresses that are
    numbers; each with the address of a handler that does."""
    written: dict[int, int] = {}
    for handler in sorted(flows.handlers):
        code = set(flows.body(handler))
        for callee in flows.find_all_reached(handler):
            code |= flows.body(callee)
        for address in sorted(code):
            step = flows.steps[address]
            effect = effect_of(program.abi.cpu, program.fixed[address : step.following])
            for store in effect.stores:
                if store.address.value.op is Op.CONST:
                    written.setdefault(store.address.value.number, handler)
    return written


def awaited_by(
    program: ProofProgram, flows: Flows, entry: int, written: Mapping[int, int]
) -> frozenset[int]:
    """Of the bytes that interrupts write those for which loops of a routine wait."""
    awaited = frozenset[int]()
    for body in flows.loops(entry):
        awaited |= awaited_in(program, flows, body, written.keys())
    return awaited & written.keys()
