"""Inputs for which comparisons with constants come out equal: what random inputs hardly ever do.

Code that is wrong for one value compares with it somewhere: ``cmp #$5A``. Which input makes such a
comparison true is seen from the terms, and a few hundred inputs that have some of these values are
worked out in no time. Solvers find such inputs too, or do not, each release of theirs otherwise.
Only what has been worked out counts, so nothing rests on how an input was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from romproof.symbolic.solve.answer import Answer, AnswerKind
from romproof.symbolic.solve.exhaustive import WIDEST
from romproof.symbolic.solve.trials import TrialInputs, random_of, trials
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import (
    ARRAY,
    CONST,
    EQ,
    ULT,
    VAR,
    Term,
)
from romproof.symbolic.terms.sample import evaluate
from romproof.symbolic.terms.walk import in_order, variables

ROUNDS = (1.0, 0.8, 0.5, 0.5, 0.25, 0.1)
"""In each round every comparison is made equal in so many of its inputs."""
INPUTS = 64
"""Inputs of a round."""
MAX_VALUES = 1 << 21
"""Values of terms that are worked out in a round."""
MAX_SETTINGS = 1_000
"""Comparisons that are looked at."""


@dataclass(frozen=True, slots=True)
class Bits:
    """Some bits of a variable: those of ``mask``, and what they are."""

    name: str
    mask: int
    bits: int


BitSetting = tuple[Bits, ...]


def by_guided_inputs(wanted: Sequence[Term]) -> Answer | None:
    """That all conditions hold for an input, if they do for one of those that are tried here.

    None where they do not, where there are arrays, and where it would be much work.
    """
    free = variables(wanted)
    terms = [term for term in in_order(wanted) if term.width]
    if any(term.op is ARRAY for term in free) or any(term.width > WIDEST for term in terms):
        return None
    if len(terms) * INPUTS > MAX_VALUES:
        return None
    settings = list(dict.fromkeys(settings_of(terms)))[:MAX_SETTINGS]
    if not settings:
        return None
    plain = trials(free, INPUTS)
    for number, share in enumerate(ROUNDS):
        inputs = _with_some(plain, settings, number, share)
        holds = np.ones(INPUTS, dtype=bool)
        for variable in free:
            values = inputs.values[variable.name]
            holds &= (values >= variable.low) & (values <= variable.high)
        for value in evaluate(wanted, inputs.values):
            holds &= value != 0
        if holds.any():
            first = int(np.flatnonzero(holds)[0])
            found: dict[str, int] = {
                term.name: int(inputs.values[term.name][first]) for term in free
            }
            return Answer(AnswerKind.SAT, Model(found))
    return None


def _with_some(
    plain: TrialInputs, settings: Sequence[BitSetting], number: int, share: float
) -> TrialInputs:
    """Inputs, each with some of the settings, in an order of the round: later ones prevail."""
    random = random_of(f"round {number}")
    values = dict(plain.values)
    for index in random.permutation(len(settings)):
        chosen = random.random(INPUTS) < share
        for part in settings[index]:
            before = values[part.name]
            after = (before & ~np.uint64(part.mask)) | np.uint64(part.bits)
            values[part.name] = np.where(chosen, after, before)
    return TrialInputs(values, plain.arrays)


def settings_of(terms: Iterable[Term]) -> Iterator[BitSetting]:
    """What makes comparisons with constants equal, or what is next to the limit of one."""
    for term in terms:
        if term.op not in (EQ, ULT):
            continue
        for one, other in (term.args, term.args[::-1]):
            if one.op is not CONST:
                continue
            for value in (one.number,) if term.op is EQ else (one.number, one.number - 1):
                setting = None if value < 0 else setting_for(other, value)
                if setting:
                    yield setting


def setting_for(term: Term, value: int) -> BitSetting | None:
    """Bits of variables with which a term has a value; None where that is not seen."""
    match term.op:
        case "const":
            return () if term.number == value else None
        case "var":
            return (Bits(term.name, (1 << term.width) - 1, value),)
        case "extract" if term.args[0].op is VAR:
            mask = ((1 << term.width) - 1) << term.number
            return (Bits(term.args[0].name, mask, value << term.number),)
        case "xor" if len(term.args) == 1:
            return setting_for(term.args[0], value ^ term.number)
        case "sum" if len(term.args) == 1 and term.factors[0] % 2:
            size = 1 << term.width
            inner = (value - term.number) * pow(term.factors[0], -1, size) % size
            return setting_for(term.args[0], inner) if inner >> term.args[0].width == 0 else None
        case "concat":
            parts: list[Bits] = []
            for part in reversed(term.args):
                setting = setting_for(part, value & ((1 << part.width) - 1))
                if setting is None:
                    return None
                parts += setting
                value >>= part.width
            return tuple(parts)
    return None
