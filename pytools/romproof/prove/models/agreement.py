"""Whether a model does with plain numbers what it did with symbolic ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from romproof.prove.models.follow import Followed, terms_in
from romproof.prove.models.inputs import WANTED, Batch, by_solver
from romproof.symbolic.numbers.integers import SymInt, kind_of, range_of
from romproof.symbolic.numbers.symbytes import ArrayBytes, SymBytes, is_bytes, kind_of_bytes
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms.term import Term

Arguments = tuple[Sequence[Any], Mapping[str, Any]]
Run = Callable[[Arguments], Any]

SHOWN = 200
"""Characters of a value in a message."""


@dataclass(frozen=True)
class Raised:
    """What comes of a run that raises."""

    kind: str

    def __str__(self) -> str:
        return f"it raises {self.kind}" if self.kind else "no result at all"


@dataclass(frozen=True)
class Agreement:
    """What a model was compared for. ``batches`` are the inputs, ``difference`` says where plain
    numbers and symbolic ones are not the same, "" if they are."""

    batches: list[Batch] = field(repr=False)
    difference: str = ""

    @property
    def count(self) -> int:
        """How many inputs."""
        return sum(batch.count for batch in self.batches)


def agreement_of(
    oracle: Oracle,
    followed: Followed,
    arguments: Arguments,
    run: Run,
    batches: Iterable[Batch],
    conditions: Sequence[Term],
    terms: Sequence[Term],
) -> Agreement:
    """Run a model on plain numbers, for inputs for which ``conditions`` hold. All that ``terms``
    depend on is an input.

    ``arguments`` are symbolic, ``run`` runs the model on plain ones. Each way that the model takes
    is run at least once: inputs for those that none of ``batches`` takes come from the solver.
    """
    check = _Check(followed, arguments, run)
    done: list[Batch] = []
    for batch in batches:
        done.append(batch)
        difference = check.difference(batch)
        if difference:
            return Agreement(done, difference)
    for number, path in enumerate(followed.paths):
        if number in check.taken:
            continue
        wanted = [*conditions, *path.conditions]
        kind, more = by_solver(oracle, terms, wanted)
        done += more
        for batch in more:
            difference = check.difference(batch)
            if difference:
                return Agreement(done, difference)
        if number not in check.taken and kind != "unsat":
            return Agreement(done, "one of its ways was taken by no input that could be found")
    followed.hold_still()
    return Agreement(done)


class _Check:
    """Runs of one model."""

    def __init__(self, followed: Followed, arguments: Arguments, run: Run) -> None:
        self.followed = followed
        self.arguments = arguments
        self.run = run
        self.taken: set[int] = set()
        self.again = WANTED
        self._terms = [
            *terms_in([*arguments[0], *arguments[1].values()]),
            *(term for path in followed.paths for term in path.conditions),
            *(term for path in followed.paths for term in terms_in(path.result)),
        ]

    def difference(self, batch: Batch) -> str:
        """The first one of the inputs for which the two are not the same, and how; or ""."""
        for part in batch.parts(self._terms):
            found = self._difference(part)
            if found:
                return found
        return ""

    def _difference(self, batch: Batch) -> str:
        given = Plain(batch, [*self.arguments[0], *self.arguments[1].values()])
        wanted = self._wanted(batch)
        outcomes: list[Any] = []
        for number in range(batch.count):
            outcomes.append(self._outcome(given, number))
            if _settled(outcomes[-1]) != _settled(wanted[number]):
                return self._told(given, number, wanted[number], outcomes[-1])
        # in the other order: what is left behind by a run would show
        for number in reversed(range(min(batch.count, self.again))):
            outcome = self._outcome(given, number)
            if _settled(outcome) != _settled(outcomes[number]):
                return self._told(given, number, outcomes[number], outcome)
        self.again = max(0, self.again - batch.count)
        return ""

    def _outcome(self, given: Plain, number: int) -> Any:
        positional, named = self._plain(given, number)
        try:
            return self.run((positional, named))
        except Exception as error:
            return Raised(type(error).__name__)

    def _plain(self, given: Plain, number: int) -> Arguments:
        positional, named = self.arguments
        return (
            [given.value(each, number) for each in positional],
            {name: given.value(each, number) for name, each in named.items()},
        )

    def _wanted(self, batch: Batch) -> list[Any]:
        """What comes of each input by what the model did with symbolic numbers."""
        paths = self.followed.paths
        holds = batch.evaluate([term for path in paths for term in path.conditions])
        found: list[Any] = [Raised("")] * batch.count
        for number, path in enumerate(paths):
            rows = np.ones(batch.count, dtype=bool)
            for condition in path.conditions:
                rows &= holds[condition] != 0
            chosen = np.flatnonzero(rows)
            if not len(chosen):
                continue
            self.taken.add(number)
            if path.error is not None:
                values: list[Any] = [Raised(type(path.error).__name__)] * len(chosen)
            else:
                plain = Plain(batch.some(chosen), [path.result])
                values = [plain.value(path.result, each) for each in range(len(chosen))]
            for place, value in zip(chosen, values, strict=True):
                found[place] = value
        return found

    def _told(self, given: Plain, number: int, symbolic: Any, plain: Any) -> str:
        positional, named = self._plain(given, number)
        shown = [*map(_shown, positional), *(f"{n}={_shown(v)}" for n, v in named.items())]
        return (
            "the model does not do the same with symbolic numbers as with plain ones: "
            f"{_shown(symbolic)} and {_shown(plain)}, input {', '.join(shown) or 'none'}"
        )


class Plain:
    """Plain values in place of symbolic ones, for each input of a batch."""

    def __init__(self, batch: Batch, values: Sequence[Any]) -> None:
        self._batch = batch
        self._found: dict[Term, Any] = {}
        self._arrays: dict[tuple[Term, int], Any] = {}
        for term, value in batch.evaluate(terms_in(values)).items():
            self._found[term] = value.tolist() if term.width else value

    def value(self, value: Any, number: int) -> Any:
        """A value, or numbers in a collection, for one of the inputs."""
        if isinstance(value, SymInt):
            within = range_of(value)
            found = self._found[within.term][number]
            if within.low < 0 and found >> (within.term.width - 1):
                found -= 1 << within.term.width
            return bool(found) if kind_of(value) is bool else found
        if isinstance(value, ArrayBytes):
            return bytearray(self._bytes(value)[:, number].tobytes())
        if isinstance(value, SymBytes):
            return kind_of_bytes(value)(self.value(cell, number) for cell in value)
        if isinstance(value, (list, tuple)):
            return type(value)(self.value(each, number) for each in value)
        if isinstance(value, dict):
            return {key: self.value(each, number) for key, each in value.items()}
        return value.copy() if isinstance(value, bytearray) else value

    def _bytes(self, value: ArrayBytes) -> Any:
        key = value.array, value.base
        if key not in self._arrays:
            addresses = np.arange(value.base, value.base + len(value), dtype=np.uint64)[:, None]
            wide = np.broadcast_to(addresses, (len(value), self._batch.count))
            self._arrays[key] = self._found[value.array].at(wide).astype(np.uint8)
        return self._arrays[key]


def _settled(value: Any) -> Any:
    """A result as it is compared: numbers are numbers, and bytes are bytes, of both kinds."""
    if is_bytes(value):
        return "bytes", list(value)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [_settled(each) for each in value]
    if isinstance(value, dict):
        return {key: _settled(each) for key, each in value.items()}
    return int(value) if isinstance(value, int) else value


def _shown(value: Any) -> str:
    if is_bytes(value):
        text = f"[{bytes(value).hex(' ').upper()}]"
    elif isinstance(value, int) and not isinstance(value, bool):
        text = f"${value:02X}" if value >= 0 else str(value)
    else:
        text = str(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
