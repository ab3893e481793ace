"""Inputs with which the expression of a requirement has a value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from romproof.contract.names.evaluate import evaluate
from romproof.contract.names.limits import limits
from romproof.contract.nouns.expr import Condition, Expression
from romproof.prover.infer.addresses import PAIRS, Need
from romproof.prover.invariants.wording import match_equation, match_range
from romproof.prover.replay.run import ReplayInputs
from romproof.symbolic.terms.origin import VariableName


@dataclass(frozen=True, slots=True)
class _At:
    """An input as conditions see it."""

    given: ReplayInputs

    @property
    def old(self) -> _At:
        """See View."""
        return self

    def register(self, name: str) -> int:
        """See View."""
        return self.given.registers[name.lower()]

    def flag(self, name: str) -> int:
        """See View."""
        return self.given.registers[name.lower()]

    def byte(self, address: int) -> int:
        """See View."""
        return self.given.memory[address]


def settings(need: Need, value: int) -> Iterator[dict[VariableName, int]]:
    """Registers, or bytes of memory, with which an expression has a value, if it is simple."""
    halves = _halves(need.text, need.names)
    if not 0 <= value <= (0xFFFF if halves else 0xFF):
        return
    if halves:
        high, low = halves
        yield {high: value >> 8, low: value & 0xFF}
    elif len(need.names) == 1 and " " not in need.text:
        yield {next(iter(need.names)): value}


def _halves(text: str, names: Collection[VariableName]) -> tuple[VariableName, VariableName] | None:
    """The high and the low byte of what is a pair of registers, or a variable of two bytes; None
    of what is neither."""
    pair = next((pair for pair in PAIRS if text.lower() == "".join(pair)), None)
    if pair is not None:
        return pair
    words = [word for word in _words(names) if word[1].address is not None]
    return words[0] if len(words) == 1 and not set(" [(") & set(text) else None


def _number(name: VariableName, given: ReplayInputs) -> int:
    address = name.address
    return given.registers[name] if address is None else given.memory[address]


def settings_in(
    need: Need, value: int, given: ReplayInputs, requires: Sequence[Condition]
) -> Iterator[dict[VariableName, int]]:
    """The same in an input, of an expression of a pointer and of how far a loop moves it: the
    pointer as far away as that leaves, which stays as it is."""
    if not need.begins:
        yield from settings(need, value)
        return
    now, halves = value_of(need, given, requires), _halves(need.begins, need.names)
    if now is None or halves is None:
        return
    high, low = halves
    begin = (_number(high, given) << 8 | _number(low, given)) + value - now
    if 0 <= begin <= 0xFFFF:
        yield {high: begin >> 8, low: begin & 0xFF}


def by_trying(
    need: Need, value: int, given: ReplayInputs, requires: Sequence[Condition]
) -> Iterator[ReplayInputs]:
    """Inputs that differ in one pair, register, flag or byte alone, for which the expression of a
    requirement, whatever it is like, has a value."""
    now = value_of(need, given, requires)
    if now is None:
        return
    for high, low in _words(need.names):
        word = (_number(high, given) << 8 | _number(low, given)) + value - now
        if 0 <= word <= 0xFFFF:
            changed = with_one(with_one(given, high, word >> 8), low, word & 0xFF)
            if value_of(need, changed, requires) == value:
                yield changed
    for name in sorted(need.names):
        before = _number(name, given)
        for number in (*range(before, 0x100), *range(before)):
            changed = with_one(given, name, number)
            if value_of(need, changed, requires) == value:
                yield changed
                break


def _words(names: Collection[VariableName]) -> list[tuple[VariableName, VariableName]]:
    """The high and the low byte of each pair of registers, and of bytes in memory, among some."""
    pairs = [pair for pair in PAIRS if {*pair} <= {*names}]
    places = {name.address: name for name in names}
    words = [(places[a + 1], low) for a, low in places.items() if a is not None and a + 1 in places]
    return [*pairs, *words]


def with_one(given: ReplayInputs, name: VariableName, number: int) -> ReplayInputs:
    """An input with another register, flag or byte of memory."""
    address = name.address
    if address is None:
        return replace(given, registers={**given.registers, name: number})
    memory = bytearray(given.memory)
    memory[address] = number
    return replace(given, memory=bytes(memory))


def value_of(need: Need, given: ReplayInputs, requires: Sequence[Condition]) -> int | None:
    """What the expression of a requirement is for an input; None where it is not among
    ``requires``."""
    expression = expression_of(need, requires)
    return None if expression is None else int(evaluate(expression, _At(given)))


def is_allowed(given: ReplayInputs, requires: Iterable[Condition]) -> bool:
    """Whether an input fulfils all that is required."""
    return all(evaluate(condition.expression, _At(given)) for condition in requires)


def is_possible(need: Need, value: int, requires: Sequence[Condition]) -> bool:
    """Whether the expression of a requirement can have a value for any input at all, as far as the
    limits of its parts tell: ``HL + (C - 1) % 256`` is never -1."""
    expression = expression_of(need, requires)
    if expression is None:
        return True
    low, high = limits(expression)
    return low <= value <= high


def expression_of(need: Need, requires: Iterable[Condition]) -> Expression | None:
    """The expression of a requirement, as it stands among ``requires``; None where it does not."""
    for condition in requires:
        limit = match_range(condition) or match_equation(condition)
        if limit is not None and limit.text == need.text:
            return limit.expression
    return None
