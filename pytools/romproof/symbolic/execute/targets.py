"""Where a jump leads: through a table by trying all its indices, else by asking the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from romproof.symbolic.execute.events import DeadEnd, Unfinished
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.equations import simplify
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.trials import trials
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import EXTRACT, ITE, LOAD, VAR, Term
from romproof.text.cause import Cause

MAX_TARGETS = 256
"""Places one jump may lead to."""
TRIALS = 8192
"""Inputs that are tried to see that a jump may lead anywhere."""


def targets(
    oracle: Oracle, state: State, following: Term, pc: int, when: Term = t.TRUE
) -> list[tuple[Term, int]]:
    """Where the instruction at ``pc`` leads if the program counter is ``following`` after it, and
    when: conditions of one bit, all of them with ``when``. Raises Unfinished."""
    frame = state.memory.layout.frame
    if frame is not None and following is frame.target:
        return [(when, frame.end)]
    if following.is_const:
        return [(when, following.number)]
    if following.op is ITE:
        condition, then, otherwise = following.args
        return [
            *targets(oracle, state, then, pc, t.and_(when, condition)),
            *targets(oracle, state, otherwise, pc, t.and_(when, t.not_(condition))),
        ]
    by_table = targets_by_bits(following, MAX_TARGETS)
    if by_table is not None:
        return [(t.and_(when, here), place) for here, place in by_table]
    path = [*oracle.assumptions, *state.path, when]
    if may_be_anywhere(path, following, MAX_TARGETS):
        raise Unfinished(Cause.COMPUTED_JUMP, DeadEnd.COMPUTED_JUMP(), pc)
    choices: list[tuple[Term, int]] = []
    left = when
    while (place := oracle.example(state.path, left, following)) is not None:
        if len(choices) == MAX_TARGETS:
            raise Unfinished(Cause.COMPUTED_JUMP, DeadEnd.COMPUTED_JUMP(), pc)
        here = t.eq(following, t.const(place, 16))
        choices.append((t.and_(when, here), place))
        left = t.and_(left, t.not_(here))
    return choices


def targets_by_bits(following: Term, most: int) -> list[tuple[Term, int]] | None:
    """The values of a term, each with the condition (one bit) under which it has it.

    None where the term depends on so many bits that there may be more than ``most`` values, or on
    arrays.
    """
    bits = _bits_of(following)
    if bits is None or 1 << sum(map(int.bit_count, bits.values())) > most:
        return None
    choices = [_choices(variable, mask) for variable, mask in bits.items()]
    conditions: dict[int, Term] = {}
    for chosen in product(*choices):
        values = {variable: value for variable, value, _ in chosen}
        place = t.replace(following, values)
        if not place.is_const:
            return None
        here = t.TRUE
        for _, _, condition in chosen:
            here = t.and_(here, condition)
        conditions[place.number] = t.or_(conditions.get(place.number, t.FALSE), here)
    return [(here, place) for place, here in conditions.items()]


def _bits_of(root: Term) -> dict[Term, int] | None:
    """The variables of a term, each with a mask of the bits it depends on."""
    bits: dict[Term, int] = {}
    waiting, seen = [root], {root}
    while waiting:
        term = waiting.pop()
        if term.op == LOAD:
            return None
        if term.op == VAR:
            bits[term] = (1 << term.width) - 1
        elif term.op == EXTRACT and term.args[0].op == VAR:
            mask = ((1 << term.width) - 1) << term.number
            bits[term.args[0]] = bits.get(term.args[0], 0) | mask
        else:
            waiting += [arg for arg in term.args if arg not in seen]
            seen.update(term.args)
    return bits


def _choices(variable: Term, mask: int) -> list[tuple[Term, Term, Term]]:
    """All values of the bits in the mask: the variable, a value for it, the condition."""
    places = [bit for bit in range(variable.width) if mask >> bit & 1]
    choices: list[tuple[Term, Term, Term]] = []
    for number in range(1 << len(places)):
        value, here = 0, t.TRUE
        for index, place in enumerate(places):
            bit = number >> index & 1
            value |= bit << place
            here = t.and_(here, t.eq(t.extract(variable, place, 1), t.const(bit, 1)))
        choices.append((variable, t.const(value, variable.width), here))
    return choices


def may_be_anywhere(path: Sequence[Term], following: Term, most: int) -> bool:
    """Whether a few inputs are enough to see that a term has more than ``most`` values where all
    of ``path`` holds."""
    left, known = simplify(path)
    if left is None:
        return False
    inputs = trials(t.variables([*path, *left, following, *known.values()]), TRIALS)
    values: dict[str, Any] = {"": np.zeros(TRIALS, dtype=np.uint64)} | inputs.values
    for name, value in reversed(known.items()):  # what equations say, chance would seldom hit
        (values[name],) = t.evaluate([value], values, inputs.arrays)
    places, *conditions = t.evaluate([following, *path, *left], values, inputs.arrays)
    holds = np.ones(TRIALS, dtype=bool)
    for condition in conditions:
        holds &= condition != 0
    return len(np.unique(np.broadcast_to(places, TRIALS)[holds])) > most
