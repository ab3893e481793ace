"""Whether conditions can hold, and whether terms are equal: by trying inputs, then by z3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from romproof.engine.smt import term as t
from romproof.engine.smt.equations import Known, simplified
from romproof.engine.smt.node import ARRAY, Term
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

    def check(self, conditions: Iterable[Term], timeout: float | None = None) -> Answer:
        """Can all conditions (one bit each) hold at once?"""
        wanted, known = simplified(conditions)
        if wanted is None:
            return UNSAT
        answer = _tried(wanted) or _by_z3(wanted, timeout or self.timeout)
        if answer.model is None:
            return answer
        return Answer("sat", _completed(answer.model, known))

    def equal(self, a: Term, b: Term, assuming: Iterable[Term] = ()) -> Answer:
        """Can two terms differ where all of ``assuming`` holds? unsat: they are equal."""
        if a is b:
            return UNSAT
        return self.check([*assuming, t.not_(t.eq(a, b))])


def _completed(model: Model, known: Known) -> Model:
    """The model with the values of the variables that are known."""
    values = dict(model.values)
    for name, value in reversed(known.items()):
        values[name] = Model(values, model.arrays).value(value)
    return Model(values, model.arrays)


def _tried(wanted: list[Term]) -> Answer | None:
    """An input among a few for which all conditions hold."""
    inputs = trials(t.variables(wanted), TRIALS)
    values: dict[str, Any] = {"": np.zeros(TRIALS, dtype=np.uint64)} | inputs.values
    holds = np.ones(TRIALS, dtype=bool)
    for value in t.evaluate(wanted, values, inputs.arrays):
        holds &= value != 0
    if not holds.any():
        return None
    number = int(np.flatnonzero(holds)[0])
    model = Model(
        {name: int(found[number]) for name, found in inputs.values.items()},
        {name: inputs.memory(name, number) for name in inputs.arrays},
    )
    return Answer("sat", model)


def need_z3() -> None:
    """Raises MissingExtra when there is no z3."""
    try:
        import romproof.engine.smt.ask  # noqa: F401  # imports it
    except ImportError:
        raise MissingExtra('a proof needs z3: pip install "romproof[prove]"') from None


def _by_z3(wanted: list[Term], timeout: float) -> Answer:
    need_z3()
    from romproof.engine.smt.ask import ask

    kind, values, arrays, reason = ask(wanted, timeout)
    return Answer(kind, Model(values, arrays) if kind == "sat" else None, reason)
