"""The least and the greatest of a number of cycles that counts parities of input bits.

A generator shifts and XORs, so whether a branch is taken is in each iteration the XOR of some bits
of the input: the cycles are number + factor * (how many of n parities are 1). The parities of all
inputs are the words of a linear code, shifted by a constant. Asked for is the word of least weight
(of the greatest: the same with all parities inverted), which is found by enumeration over
information sets (Zimmermann 1996; Betten and others, "Error-Correcting Linear Codes", 2006, 1.8):
k positions that determine a word. With two sets that do not overlap, a word with more than t ones
in each of them has at least 2 * (t + 1) ones. So once all words with up to t ones in one of the
sets were looked at, no other is lighter than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from romproof.symbolic.terms.linear import collect
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import EXTRACT, VAR, XOR, Term
from romproof.symbolic.terms.walk import variables

MAX_PARITIES = 64
MAX_WORDS = 1 << 23
"""Words that are looked at, of each of the two sets."""

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Parities:
    """n parities of input bits: ``rows`` has for each input bit in which of them it is, and
    ``offset`` which of them are inverted. Bit number n is parity n."""

    bits: tuple[Term, ...]
    rows: tuple[int, ...]
    offset: int
    count: int


def extreme(wanted: Term, sign: int) -> Model | None:
    """An input for which a term is greatest (sign 1) or least (-1); None: it counts no parities,
    or too many."""
    factors, _ = collect([(1, wanted)], 0, 0)
    if not 2 <= len(factors) <= MAX_PARITIES:
        return None
    if len({abs(factor) for factor in factors.values()}) > 1:
        return None
    if any(
        v.op is not VAR or (v.low, v.high) != (0, (1 << v.width) - 1) for v in variables([wanted])
    ):
        return None
    # what is wanted are few ones: a parity that is to be 1 is inverted
    parities = _parities([(term, factor * sign > 0) for term, factor in factors.items()])
    chosen = None if parities is None else _lightest(parities)
    if parities is None or chosen is None:
        return None
    values: dict[str, int] = {variable.name: 0 for variable in variables([wanted])}
    for place, bit in enumerate(parities.bits):
        if chosen >> place & 1:
            variable, at = (bit.args[0], bit.number) if bit.op is EXTRACT else (bit, 0)
            values[variable.name] |= 1 << at
    return Model(values)


def _parities(terms: Sequence[tuple[Term, bool]]) -> Parities | None:
    """Terms of one bit as parities, each perhaps inverted; None where one is something else."""
    rows: dict[Term, int] = {}
    offset = 0
    for place, (term, inverted) in enumerate(terms):
        if term.width != 1:
            return None
        bits = term.args if term.op is XOR else (term,)
        odd = term.number if term.op is XOR else 0
        offset |= (odd ^ inverted) << place
        for bit in bits:
            if bit.op is not VAR and not (bit.op is EXTRACT and bit.args[0].op is VAR):
                return None
            rows[bit] = rows.get(bit, 0) ^ 1 << place
    return Parities(tuple(rows), tuple(rows.values()), offset, len(terms))


def _lightest(parities: Parities) -> int | None:
    """The input bits, as a number, for which the fewest parities are 1; None: too much work."""
    every = (1 << parities.count) - 1
    first = _reduce(parities, every)
    second = _reduce(parities, every & ~sum(1 << pivot for pivot, _, _ in first))
    sets = [first, second] if len(second) == len(first) else [first]
    walks = [_by_weight(parities.offset, rows) for rows in sets]
    best: tuple[int, int] | None = None
    for ones in range(len(first) + 1):
        for rows, walk in zip(sets, walks, strict=True):
            words = next(walk)
            if words is None:
                return None
            if not len(words):
                continue
            weights = _weights(words)
            at = int(weights.argmin())
            if best is None or weights[at] < best[0]:
                best = int(weights[at]), _input(parities, rows, int(words[at]))
        assert best is not None
        if best[0] <= len(sets) * (ones + 1):
            break
    assert best is not None
    return best[1]


ParityRow = tuple[int, int, int]
"""The parity that it alone of all rows has, its parities, and the input bits it is made of."""


def _reduce(parities: Parities, columns: int) -> list[ParityRow]:
    """Rows of which each has a parity, among those of ``columns``, that no other has."""
    rows: list[ParityRow] = []
    for place, row in enumerate(parities.rows):
        inputs = 1 << place
        for pivot, other, others in rows:
            if row >> pivot & 1:
                row, inputs = row ^ other, inputs ^ others
        left = row & columns
        if not left:
            continue
        pivot = left.bit_length() - 1
        rows = [(p, o ^ row, i ^ inputs) if o >> pivot & 1 else (p, o, i) for p, o, i in rows]
        rows.append((pivot, row, inputs))
    return rows


def _by_weight(offset: int, rows: Sequence[ParityRow]) -> Iterator[Words | None]:
    """All words with 0, 1, 2, … ones at the pivots of the rows; None when there are too many."""
    start = offset
    for pivot, row, _ in rows:
        if start >> pivot & 1:
            start ^= row  # no ones at the pivots
    numbers = [np.uint64(row) for _, row, _ in rows]
    # by the last row that is in them
    level: list[Words] = [np.array([start], np.uint64)]
    yield level[0]
    ends = [-1]
    while True:
        size = sum(
            len(words) * (len(rows) - 1 - end) for words, end in zip(level, ends, strict=True)
        )
        if size > MAX_WORDS:
            while True:
                yield None
        following: list[Words] = []
        for last in range(len(rows)):
            before = [words for words, end in zip(level, ends, strict=True) if end < last]
            joined = np.concatenate(before) if before else np.empty(0, np.uint64)
            following.append(joined ^ numbers[last])
        level, ends = following, list(range(len(rows)))
        yield np.concatenate(level) if level else np.empty(0, np.uint64)


def _weights(words: Words) -> NDArray[np.int64]:
    """How many bits are set."""
    weights = np.zeros(len(words), np.int64)
    for at in range(0, 64, 16):
        part = (words >> np.uint64(at) & np.uint64(0xFFFF)).astype(np.int64)
        weights += _ONES[part]
    return weights


_ONES = np.array([number.bit_count() for number in range(1 << 16)], np.int64)


def _input(parities: Parities, rows: Sequence[ParityRow], word: int) -> int:
    """The input bits that give a word."""
    given, inputs = parities.offset ^ word, 0
    for pivot, row, others in rows:
        if given >> pivot & 1:
            given, inputs = given ^ row, inputs ^ others
    assert not given, "each word is a sum of rows"
    return inputs
