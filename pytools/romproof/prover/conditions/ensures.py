"""What a contract ensures of a register in so many words: an equation gives it its value.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Mapping

from romproof.contract.nouns.expr import (
    Binary,
    Comparison,
    Expression,
    FlagValue,
    Negative,
    Number,
    Old,
    PairValue,
    RegisterValue,
    walk,
)
from romproof.contract.nouns.model import Contract
from romproof.isa.abi import Abi, Register
from romproof.prover.states.entry import register_name
from romproof.prover.states.view import number_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import bits
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term


def find_ensured_values(contract: Contract, abi: Abi, before: State) -> Mapping[str, Term]:
    """The registers whose values are ensured by an equation, by the names of the microcode, in a
    call that finds ``before``. Of several equations the first counts."""
    given: dict[str, Term] = {}
    for condition in contract.ensures:
        said = condition.expression
        if not isinstance(said, Comparison) or said.operator != "==":
            continue
        for one, other in ((said.left, said.right), (said.right, said.left)):
            halves = _halves(one)
            if not halves or not _is_before(other):
                continue
            value = bits(number_of(other, abi, before, before), sum(each.bits for each in halves))
            for half in reversed(halves):
                given.setdefault(register_name(abi, half), t.extract(value, 0, half.bits))
                if half is not halves[0]:
                    value = t.extract(value, half.bits, value.width - half.bits)
            break
    return given


def _halves(expression: Expression) -> tuple[Register, ...]:
    """The registers of one side, the highest first; () where it is something else."""
    if isinstance(expression, PairValue):
        return expression.high, expression.low
    return (expression.register,) if isinstance(expression, RegisterValue) else ()


def _is_before(expression: Expression) -> bool:
    """Whether an expression has nothing in it but numbers, and registers as they were."""
    if isinstance(expression, Old):
        inside = (RegisterValue, PairValue, FlagValue, Number, Binary, Negative)
        return all(isinstance(each, inside) for each in walk(expression.inner))
    if isinstance(expression, Binary):
        return _is_before(expression.left) and _is_before(expression.right)
    if isinstance(expression, Negative):
        return _is_before(expression.inner)
    return isinstance(expression, Number)
