"""Conditions on what a machine holds: are they true, and if not, of which values?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from romproof.contract.names.evaluate import NO_VARIABLES, ExpressionFunction, evaluate, function_of
from romproof.contract.nouns.expr import (
    All,
    Condition,
    Expression,
    FlagValue,
    MemoryByte,
    MemoryValue,
    Old,
    PairValue,
    PointedByte,
    RegisterValue,
    Sum,
    parts,
)
from romproof.contract.nouns.state import State
from romproof.isa.abi import Abi


@dataclass(frozen=True, slots=True)
class StateView:
    """``state`` as conditions see it; ``entry`` is that at the entry of the routine."""

    abi: Abi
    state: State
    entry: State

    @property
    def old(self) -> StateView:
        """The view at the entry."""
        return StateView(self.abi, self.entry, self.entry)

    def register(self, name: str) -> int:
        """See View."""
        return self.abi.get(self.state.registers, name.lower())

    def flag(self, name: str) -> int:
        """See View."""
        byte = self.abi.flags_of(self.state.registers)
        return int(any(byte & flag.mask for flag in self.abi.flags if flag.name == name))

    def byte(self, address: int) -> int:
        """See View."""
        return self.state.memory[address]


def holds(condition: Condition, view: StateView) -> bool:
    """Whether a condition is true."""
    return bool(evaluate(condition.expression, view))


def all_hold(conditions: tuple[Condition, ...], view: StateView) -> bool:
    """Whether all of them are true: as nearly always, so their functions are at hand."""
    known = _known.get(id(conditions))
    if known is None:
        if len(_known) >= _MAX:
            _known.clear()
        functions = tuple(function_of(condition.expression) for condition in conditions)
        known = _known[id(conditions)] = conditions, functions
    for function in known[1]:  # noqa: SIM110
        if not function(view, NO_VARIABLES):
            return False
    return True


_known: dict[int, tuple[tuple[Condition, ...], tuple[ExpressionFunction, ...]]] = {}
"""By identity: the conditions are held here, so no others have theirs."""
_MAX = 4096


def values_in(condition: Condition, view: StateView) -> Mapping[str, str]:
    """The values of what a condition names, as text.

    Of an untrue ``all`` those of the first value of its variable that makes it untrue.
    """
    return dict(_values(condition.expression, view, {}))


def explain_untrue(condition: Condition, view: StateView) -> str:
    """An untrue condition and the values that make it so: ``A < 5, but A is $07``."""
    values = [f"{name} is {value}" for name, value in values_in(condition, view).items()]
    return f"{condition.text}, but {', '.join(values)}" if values else condition.text


def describe_values(expression: Expression, view: StateView) -> str:
    """The values of what a number is made of: ``; X is $05, Y is $03``. "" of a bare name."""
    values = [f"{name} is {value}" for name, value in _values(expression, view, {})]
    bare = not any(True for _ in parts(expression))
    return "" if bare or not values else f"; {', '.join(dict.fromkeys(values))}"


def _values(
    expression: Expression, view: StateView, variables: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    match expression:
        case All():
            yield from _counterexample(expression, view, variables)
        case Sum():
            yield "the sum", str(evaluate(expression, view, variables))
        case Old():
            for name, value in _values(expression.inner, view.old, variables):
                yield f"old {name}", value
        case PointedByte():
            number = evaluate(expression, view, variables)
            yield _write_name(expression, view, variables), _write_value(expression, number)
            yield from _values(expression.index, view, variables)
        case RegisterValue() | PairValue() | FlagValue() | MemoryValue() | MemoryByte():
            number = evaluate(expression, view, variables)
            yield _write_name(expression, view, variables), _write_value(expression, number)
            for part in parts(expression):
                yield from _values(part, view, variables)
        case _:
            for part in parts(expression):
                yield from _values(part, view, variables)


def _counterexample(
    expression: All, view: StateView, variables: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    for value in range(expression.low, expression.high + 1):
        within = {**variables, expression.variable: value}
        if not evaluate(expression.body, view, within):
            yield expression.variable, str(value)
            yield from _values(expression.body, view, within)
            return


def _write_name(expression: Expression, view: StateView, variables: Mapping[str, int]) -> str:
    match expression:
        case RegisterValue():
            return expression.register.name
        case PairValue():
            return expression.name
        case FlagValue():
            return expression.flag.name
        case MemoryValue():
            return expression.memory.name
        case MemoryByte():
            index = evaluate(expression.index, view, variables)
            return f"{expression.memory.name}[{index}]"
        case PointedByte():
            return f"{expression.name}[{evaluate(expression.index, view, variables)}]"
    raise AssertionError("only what has a name gets here")


def _write_value(expression: Expression, number: int) -> str:
    match expression:
        case FlagValue():
            return str(number)
        case RegisterValue():
            return expression.register.shown(number)
        case PairValue():
            return f"${number:04X}"
        case MemoryValue():
            return f"${number:0{2 * expression.memory.size}X}"
    return f"${number:02X}"
