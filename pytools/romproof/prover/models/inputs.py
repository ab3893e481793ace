"""Inputs of a routine in numbers: all of them, or many, as its contract allows them.

Corner values, small numbers and equal ones are drawn more often than others, since there things
differ. Where few of the numbers drawn are allowed, the solver gives some and others are drawn near
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.equations import simplify
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.solve.trials import all_inputs
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, VAR, Term
from romproof.symbolic.terms.sample import evaluate
from romproof.symbolic.terms.sample_memory import ADDRESSES, Samples
from romproof.symbolic.terms.walk import in_order, variables

WANTED = 1000
"""Inputs that are enough."""
MAX = 1 << 16
"""If there are no more than these, all of them are taken."""
DRAWN = 1 << 11
ROUNDS = 24
"""How often so many are drawn."""
ASKED = 24
"""Questions to the solver."""
NEAR = 64
"""Inputs drawn near one of the solver's."""
FEW = 4
"""As many of those for each path of a model that none of the others takes."""
SHARE_FOUND = 8
"""Ways are looked for at random as long as a round finds one in so many of those left."""
CELLS = 1 << 24
"""Numbers that are kept at once while terms are worked out."""
MASKS = ((1 << 64) - 1, (1 << 64) - 1, 0xFF, 0x0F, 0x03, 0x01)
SEED = 131


@dataclass(frozen=True)
class Memory:
    """Bytes of an array for some inputs, made from a number for each of them."""

    table: NDArray[np.uint64] = field(repr=False)
    numbers: NDArray[np.int64]
    masks: NDArray[np.uint64]

    def __call__(self, addresses: Samples) -> Samples:
        """The bytes at addresses: one for each input, or rows of those."""
        place = (addresses.astype(np.int64) + self.numbers * 7919) % ADDRESSES
        bytes_there: Samples = self.table[place] & self.masks
        return bytes_there

    def select(self, rows: NDArray[np.int64]) -> Memory:
        """Those of some of the inputs."""
        return Memory(self.table, self.numbers[rows], self.masks[rows])


@dataclass(frozen=True)
class Batch:
    """Some inputs: for each variable as many numbers, for each array as many memories."""

    count: int
    values: Mapping[str, Samples]
    arrays: Mapping[str, NDArray[np.uint8] | Memory]

    def select(self, rows: NDArray[np.int64]) -> Batch:
        """Some of the inputs."""
        arrays = {
            name: each.select(rows) if isinstance(each, Memory) else each[rows]
            for name, each in self.arrays.items()
        }
        return Batch(len(rows), {n: v[rows] for n, v in self.values.items()}, arrays)

    def select_first(self, count: int) -> Batch:
        """The first ones."""
        return self.select(np.arange(min(count, self.count)))

    def evaluate(self, terms: Iterable[Term]) -> dict[Term, Any]:
        """What terms are for each of the inputs."""
        wanted = list(dict.fromkeys(terms))
        values = {"": np.zeros(self.count, np.uint64), **self.values}
        return dict(zip(wanted, evaluate(wanted, values, self.arrays), strict=True))

    def filter(self, conditions: Sequence[Term]) -> Batch:
        """Those for which all conditions hold, and all variables are within their bounds."""
        holds = np.ones(self.count, dtype=bool)
        for value in self.evaluate(conditions).values():
            holds &= value != 0
        for each in variables(conditions):
            if each.op is VAR:
                holds &= (self.values[each.name] >= each.low) & (
                    self.values[each.name] <= each.high
                )
        return self.select(np.flatnonzero(holds))

    def parts(self, terms: Sequence[Term]) -> Iterator[Batch]:
        """The inputs in parts that are small enough to work out the terms."""
        size = max(16, CELLS // max(1, sum(1 for _ in in_order(terms))))
        for start in range(0, self.count, size):
            yield self.select(np.arange(start, min(start + size, self.count)))


def draw_inputs(oracle: Oracle, terms: Iterable[Term], conditions: Sequence[Term]) -> list[Batch]:
    """Inputs for which the oracle's assumptions and ``conditions`` hold: for all variables in
    them and in ``terms``. All that there are if they are at most ``MAX``, else at least
    ``WANTED`` if so many can be found; none if none is found."""
    wanted = [*oracle.assumptions, *conditions]
    free = frozenset(variables([*terms, *wanted]))
    every = _enumerate(free, wanted)
    if every is not None:
        return every
    draw = _Draw(free, wanted)
    batches: list[Batch] = []
    for number in range(ROUNDS):
        batches.append(draw.random(number))
        if sum(batch.count for batch in batches) >= WANTED:
            break
        if number == ROUNDS // 4 and not any(batch.count for batch in batches):
            break
    if sum(batch.count for batch in batches) < WANTED:
        batches += _solve(oracle, draw, conditions, sum(batch.count for batch in batches))
    return [batch for batch in batches if batch.count]


def _enumerate(free: Iterable[Term], conditions: Sequence[Term]) -> list[Batch] | None:
    """All inputs; None when there are too many."""
    free = list(free)
    inputs = None if any(term.op is ARRAY for term in free) else all_inputs(free)
    if inputs is None:
        return None
    batches = [Batch(len(row[""]), row, {}).filter(conditions) for row in inputs.rows()]
    count = sum(batch.count for batch in batches)
    if count <= MAX:
        return [batch for batch in batches if batch.count]
    random = np.random.default_rng(SEED)
    share = 2 * WANTED // len(batches) + 1
    return [
        batch.select(np.unique(random.integers(0, batch.count, share)))
        for batch in batches
        if batch.count
    ]


class _Draw:
    """Inputs drawn at random."""

    def __init__(self, free: frozenset[Term], conditions: Sequence[Term]) -> None:
        self.conditions = conditions
        _, known = simplify(conditions)
        self.known = list(reversed(known.items()))
        more = variables(known.values())
        self.bounds: dict[str, tuple[int, int, int]] = {}
        self.arrays: set[str] = set()
        for each in sorted({*free, *more}, key=lambda term: term.name):
            if each.op is ARRAY:
                self.arrays.add(each.name)
                continue
            width, low, high = self.bounds.get(each.name, (each.width, each.low, each.high))
            self.bounds[each.name] = width, max(low, each.low), min(high, each.high)

    def random(self, number: int) -> Batch:
        """Some that are allowed, of ``DRAWN``."""
        random = np.random.default_rng([SEED, number])
        masks = random.choice(np.array(MASKS, dtype=np.uint64), DRAWN)
        shared = random.integers(0, 1 << 63, DRAWN, dtype=np.uint64) & masks
        values = {
            name: _numbers(random, *bounds, masks, shared) for name, bounds in self.bounds.items()
        }
        arrays = {
            name: Memory(
                random.integers(0, 256, ADDRESSES, dtype=np.uint64),
                random.integers(0, ADDRESSES, DRAWN),
                masks,
            )
            for name in sorted(self.arrays)
        }
        return self._allow(values, arrays)

    def vary(self, model: Model, number: int) -> Batch:
        """A model's input, and some that differ from it in a few places."""
        random = np.random.default_rng([SEED, 1, number])
        masks = random.choice(np.array(MASKS, dtype=np.uint64), NEAR)
        shared = random.integers(0, 1 << 63, NEAR, dtype=np.uint64) & masks
        share = random.random(NEAR) ** 2
        share[0] = 0
        values: dict[str, Samples] = {}
        for name, bounds in self.bounds.items():
            fixed = np.full(NEAR, model.values.get(name, bounds[1]), dtype=_find_dtype(bounds[0]))
            other = _numbers(random, *bounds, masks, shared)
            values[name] = np.where(random.random(NEAR) < share, other, fixed)
        arrays: dict[str, NDArray[np.uint8] | Memory] = {}
        for name in sorted(self.arrays):
            rows = np.tile(np.frombuffer(model.array(name), np.uint8), (NEAR, 1))
            bytes_ = random.integers(0, 256, rows.shape, dtype=np.uint8)
            bytes_ &= masks.astype(np.uint8)[:, None]
            changed = random.random(rows.shape) < share[:, None]
            arrays[name] = np.where(changed, bytes_, rows)
        return self._allow(values, arrays, model)

    def _allow(
        self,
        values: dict[str, Samples],
        arrays: Mapping[str, NDArray[np.uint8] | Memory],
        model: Model | None = None,
    ) -> Batch:
        count = DRAWN if model is None else NEAR
        for name, term in self.known:
            allowed = Batch(count, values, arrays).evaluate([term])[term]
            values[name] = allowed
        return Batch(count, values, arrays).filter(self.conditions)


def _find_dtype(width: int) -> Any:
    return np.uint64 if width <= 64 else object


def _numbers(
    random: np.random.Generator,
    width: int,
    low: int,
    high: int,
    masks: Samples,
    shared: Samples,
) -> Samples:
    """Numbers of one variable: any, small, at a corner, or as those of other variables."""
    count, high = len(masks), max(low, high)
    if width > 64:
        drawn = [int.from_bytes(random.bytes(width // 8 + 8), "little") for _ in range(count)]
        return np.array([low + each % (high - low + 1) for each in drawn], dtype=object)
    any_ = random.integers(low, high, count, dtype=np.uint64, endpoint=True)
    small = np.minimum(np.uint64(low) + ((any_ - np.uint64(low)) & masks), np.uint64(high))
    corners = [low, high, min(low + 1, high), max(high - 1, low)]
    corners += [each for each in (1, 0x7F, 0x80, 0xFF) if low <= each <= high]
    corner = random.choice(np.array(corners, dtype=np.uint64), count)
    same = shared if high == (1 << 64) - 1 else np.uint64(low) + shared % np.uint64(high - low + 1)
    style = random.integers(0, 4, count)
    return np.select([style == 0, style == 1], [corner, same], default=small)


def _solve(oracle: Oracle, draw: _Draw, conditions: Sequence[Term], count: int) -> Iterator[Batch]:
    """Inputs of the solver's, and others near them."""
    random = np.random.default_rng([SEED, 2])
    names = {v.name: v for v in variables([*oracle.assumptions, *conditions]) if v.op is VAR}
    free = sorted(names.values(), key=lambda variable: variable.name)
    for number in range(ASKED):
        pins: list[Term] = []
        if number and free:
            for each in random.choice(len(free), min(len(free), 3), replace=False):
                bit = int(random.integers(0, free[each].width))
                value = t.const(int(random.integers(0, 2)), 1)
                pins.append(t.eq(t.extract(free[each], bit, 1), value))
        answer = oracle.ask([*conditions, *pins])
        if answer.model is None:
            if not number:
                return
            continue
        batch = draw.vary(answer.model, number)
        yield batch
        count += batch.count
        if count >= WANTED:
            return


def on_paths(
    oracle: Oracle,
    terms: Iterable[Term],
    conditions: Sequence[Term],
    paths: Mapping[int, Sequence[Term]],
) -> Iterator[Batch]:
    """Inputs drawn at random for each of some paths, by their conditions, as far as there are such
    among those drawn: where most are found, it is quicker than to ask a solver for each."""
    wanted = [*oracle.assumptions, *conditions]
    open_ = dict(paths)
    draw = _Draw(frozenset(variables([*terms, *wanted, *_all(open_)])), wanted)
    for number in range(ROUNDS):
        count = 0
        for batch in draw.random(ROUNDS + number).parts(_all(open_)):
            holds = batch.evaluate(_all(open_))
            rows: list[NDArray[np.int64]] = []
            for way, its in list(open_.items()):
                here = np.flatnonzero(np.all([holds[each] != 0 for each in its], axis=0))[:FEW]
                if len(here):
                    rows.append(here)
                    del open_[way]
            if rows:
                count += len(rows)
                yield batch.select(np.concatenate(rows))
        if len(open_) > SHARE_FOUND * count:
            return


def _all(paths: Mapping[int, Sequence[Term]]) -> list[Term]:
    return [term for its in paths.values() for term in its]


def by_solver(
    oracle: Oracle, terms: Iterable[Term], conditions: Sequence[Term]
) -> tuple[AnswerKind, list[Batch]]:
    """What the solver says of conditions, and an input for which they hold, if it finds one."""
    answer = oracle.ask(conditions)
    if answer.model is None:
        return answer.kind, []
    wanted = [*oracle.assumptions, *conditions]
    draw = _Draw(frozenset(variables([*terms, *wanted])), wanted)
    return answer.kind, [draw.vary(answer.model, 0).select_first(FEW)]


def select_from_all(batches: Iterable[Batch], count: int) -> list[Batch]:
    """So many inputs of them, from all parts alike."""
    batches = list(batches)
    total = sum(batch.count for batch in batches)
    if total <= count:
        return batches
    chosen: list[Batch] = []
    for batch in batches:
        share = -(-batch.count * count // total)
        chosen.append(
            batch.select(np.unique(np.linspace(0, batch.count - 1, share).astype(np.int64)))
        )
    return chosen
