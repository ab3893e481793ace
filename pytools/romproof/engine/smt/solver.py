"""Whether conditions can hold, and whether terms are equal: by trying inputs, then by z3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from romproof.engine.smt import term as t
from romproof.engine.smt.known import variables_known
from romproof.engine.smt.node import AND, ARRAY, CONST, EQ, VAR, Term
from romproof.engine.smt.trials import trials
from romproof.text.errors import MissingExtra

TRIALS = 64
"""Inputs that are tried before z3 is asked."""


@dataclass(frozen=True, slots=True)
class Model:
    """An input: a number for each variable, 65536 bytes for each array. What is not named is as
    low as it may be."""

    values: Mapping[str, int] = field(default_factory=dict)
    arrays: Mapping[str, bytes] = field(default_factory=dict)

    def value(self, term: Term) -> int:
        """What a term is for this input."""
        values: dict[str, Any] = {"": np.zeros(1, dtype=np.uint64)}
        arrays: dict[str, Any] = {}
        for known in t.variables([term]):
            if known.op == ARRAY:
                arrays[known.name] = np.frombuffer(self.array(known.name), np.uint8)[None]
            else:
                number = self.values.get(known.name, known.low)
                kind = np.uint64 if known.width <= 64 else object
                values[known.name] = np.array([number], dtype=kind)
        return int(t.evaluate([term], values, arrays)[0][0])

    def array(self, name: str) -> bytes:
        """The bytes of an array."""
        return self.arrays.get(name, bytes(0x10000))


@dataclass(frozen=True, slots=True)
class Answer:
    """sat: there is an input, the ``model``. unsat: there is none. unknown: ``reason`` says why."""

    kind: Literal["sat", "unsat", "unknown"]
    model: Model | None = None
    reason: str = ""


UNSAT = Answer("unsat")


class Solver:
    """Answers questions, each within ``timeout`` seconds. Raises MissingExtra without z3, when it
    is needed."""

    def __init__(self, timeout: float = 60.0) -> None:
        self.timeout = timeout
        self._conditions: tuple[Term, ...] = ()
        self._known: dict[Term, Term] = {}
        self._put: dict[Term, Term] = {}

    def check(self, conditions: Iterable[Term], timeout: float | None = None) -> Answer:
        """Can all conditions (one bit each) hold at once?"""
        wanted, known = _simplified(conditions)
        if wanted is None:
            return UNSAT
        tried = _tried(wanted, known)
        if tried is not None:
            return Answer("sat", tried)
        return _by_z3(wanted, known, timeout or self.timeout)

    def equal(self, a: Term, b: Term, assuming: Iterable[Term] = ()) -> Answer:
        """Can two terms differ where all of ``assuming`` holds? unsat: they are equal."""
        if a is b:
            return UNSAT
        conditions = tuple(assuming)
        if self._conditions != conditions:
            self._conditions, self._known, self._put = conditions, variables_known(conditions), {}
        a, b = (t.replace(term, self._known, self._put) for term in (a, b))
        if a is b:
            return UNSAT
        return self.check([*conditions, t.not_(t.eq(a, b))])


def _simplified(conditions: Iterable[Term]) -> tuple[list[Term] | None, dict[Term, Term]]:
    """The conditions apart, without variables that have but one value, and these values.

    None instead when they cannot hold.
    """
    known: dict[Term, Term] = {}
    wanted = list(dict.fromkeys(conditions))
    while True:
        apart: dict[Term, None] = {}
        for condition in wanted:
            apart |= dict.fromkeys(condition.args if condition.op == AND else (condition,))
        found: dict[Term, Term] = {}
        for condition in apart:
            if condition.op == CONST:
                if not condition.number:
                    return None, known
            elif condition.op == VAR:
                found.setdefault(condition, t.TRUE)
            elif t.not_(condition).op == VAR:
                found.setdefault(t.not_(condition), t.FALSE)
            elif condition.op == EQ and condition.args[0].op == VAR and condition.args[1].is_const:
                found.setdefault(condition.args[0], condition.args[1])
        wanted = [condition for condition in apart if condition.op != CONST]
        if not found:
            return wanted, known
        numbers = {variable.name: value for variable, value in found.items()}
        for variable in t.variables(wanted):
            if variable.name in numbers and variable.op == VAR:
                found[variable] = value = numbers[variable.name]
                if not variable.low <= value.number <= variable.high:
                    return None, known
        known |= found
        memo: dict[Term, Term] = {}
        wanted = [t.replace(condition, found, memo) for condition in wanted]


def _fixed(known: Mapping[Term, Term]) -> dict[str, int]:
    return {variable.name: value.number for variable, value in known.items()}


def _tried(wanted: list[Term], known: Mapping[Term, Term]) -> Model | None:
    """An input among a few for which all conditions hold."""
    inputs = trials(t.variables(wanted), TRIALS)
    values: dict[str, Any] = {"": np.zeros(TRIALS, dtype=np.uint64)} | inputs.values
    holds = np.ones(TRIALS, dtype=bool)
    for value in t.evaluate(wanted, values, inputs.arrays):
        holds &= value != 0
    if not holds.any():
        return None
    number = int(np.flatnonzero(holds)[0])
    return Model(
        {name: int(found[number]) for name, found in inputs.values.items()} | _fixed(known),
        {name: inputs.memory(name, number) for name in inputs.arrays},
    )


def need_z3() -> None:
    """Raises MissingExtra when there is no z3."""
    try:
        import romproof.engine.smt.ask  # noqa: F401  # imports it
    except ImportError:
        raise MissingExtra('a proof needs z3: pip install "romproof[prove]"') from None


def _by_z3(wanted: list[Term], known: Mapping[Term, Term], timeout: float) -> Answer:
    need_z3()
    from romproof.engine.smt.ask import ask

    kind, values, arrays, reason = ask(wanted, timeout)
    if kind != "sat":
        return Answer(kind, None, reason)
    return Answer("sat", Model(values | _fixed(known), arrays))
