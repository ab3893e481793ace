"""The constants that a program puts into bytes of memory, as far as rows of instructions show it.

A byte that is an index has one of them at first. So they say what the index is into, where that
begins below the variable: a buffer's fill level may be counted from the beginning of its page.
"""

from __future__ import annotations

from collections.abc import Mapping

from romproof.isa.algebra import evaluate
from romproof.prover.infer.flows import Flows
from romproof.timing.effects import Formula, effect_of


def find_stored_constants(flows: Flows, memory: bytes) -> Mapping[int, frozenset[int]]:
    """By address, the numbers that are seen to be written there. A guess: other code may come
    between two instructions by a jump, and other numbers may be written."""
    found: dict[int, set[int]] = {}
    known: dict[str, int] = {}
    following = None
    for address in sorted(flows.steps):
        step = flows.steps[address]
        if address != following or address in flows.routines or address in flows.sites:
            known = {}
        code = memory[address : address + step.instruction.opcode.size]
        effect = effect_of(flows.abi.cpu, code)
        for store in effect.stores:
            where, value = _number(store.address, known), _number(store.value, known)
            if where is not None and value is not None:
                found.setdefault(where, set()).add(value)
        after = {name: _number(formula, known) for name, formula in effect.results}
        known = {name: number for name, number in (known | after).items() if number is not None}
        following = step.following if step.call is None and step.nexts else None
    return {address: frozenset(numbers) for address, numbers in found.items()}


def _number(formula: Formula, known: Mapping[str, int]) -> int | None:
    """What an expression is, where all that it needs is known."""
    if not formula.needs.keys() <= known.keys():
        return None
    return evaluate(formula.value, known, {})
