"""What a contract requires of a call, and whether a call may be made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from romproof.contract.checks.preserved import find_kept
from romproof.contract.checks.view import StateView, all_hold, explain_untrue, holds
from romproof.contract.nouns.expr import Expression, FlagValue, PairValue, RegisterValue, walk
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.state import State
from romproof.isa.abi import Abi
from romproof.text.span import Span


@dataclass(frozen=True, slots=True)
class Unmet:
    """A requirement that a call breaks; ``names`` are the registers and flags it is about."""

    sentence: str
    names: tuple[str, ...]
    span: Span


def find_unmet(contract: Contract, state: State, abi: Abi) -> list[Unmet]:
    """What a call breaks that begins with ``state``, the return address pushed."""
    found: list[Unmet] = []
    usual, values = find_kept(contract, abi).usual_bits
    if abi.flags_of(state.registers) & usual != values:
        found += _flags(contract, state, abi)
    if contract.requires and not all_hold(contract.requires, StateView(abi, state, state)):
        found += _conditions(contract, state, abi)
    return found


def _flags(contract: Contract, state: State, abi: Abi) -> Iterator[Unmet]:
    byte = abi.flags_of(state.registers)
    for flag, value in find_kept(contract, abi).usual:
        if bool(byte & flag.mask) != bool(value):
            sentence = (
                f"{flag.name} is {value} where 'in:' does not list it, but {flag.name} is "
                f"{1 - value}"
            )
            yield Unmet(sentence, (flag.name,), contract.place("in"))


def _conditions(contract: Contract, state: State, abi: Abi) -> Iterator[Unmet]:
    view = StateView(abi, state, state)
    for condition in contract.requires:
        if not holds(condition, view):
            names = dict.fromkeys(n for e in walk(condition.expression) for n in _names(e))
            yield Unmet(explain_untrue(condition, view), tuple(names), condition.span)


def _names(expression: Expression) -> Iterator[str]:
    match expression:
        case RegisterValue():
            yield expression.register.name
        case PairValue():
            yield expression.high.name
            yield expression.low.name
        case FlagValue():
            yield expression.flag.name
