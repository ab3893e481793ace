"""Whether a model does with plain numbers what it did with symbolic ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from romproof.prover.catalogue import Reason
from romproof.prover.models.follow import Followed, terms_in
from romproof.prover.models.inputs import WANTED, Batch, by_solver, on_paths
from romproof.symbolic.numbers.integers import SymInt, kind_of, range_of
from romproof.symbolic.numbers.symbytes import ArrayBytes, SymBytes, is_bytes, kind_of_bytes
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.deadline import Deadline
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message

Arguments = tuple[Sequence[Any], Mapping[str, Any]]
ModelRun = Callable[[Arguments], Any]
NumberReader = Callable[[int], Any]
"""The plain value for one of some inputs, by its number."""

SHOWN = 200
"""Characters of a value in a message."""


@dataclass(frozen=True)
class Raised:
    """What comes of a run that raises."""

    kind: str

    def __str__(self) -> str:
        return f"the model raises {self.kind}" if self.kind else "no result at all"


@dataclass(frozen=True)
class Agreement:
    """What a model was compared for. ``batches`` are the inputs, ``difference`` says where plain
    numbers and symbolic ones are not the same, None if they are."""

    batches: list[Batch] = field(repr=False)
    difference: Message | None = None

    @property
    def count(self) -> int:
        """How many inputs."""
        return sum(batch.count for batch in self.batches)


def agreement_of(
    oracle: Oracle,
    followed: Followed,
    arguments: Arguments,
    run: ModelRun,
    batches: Iterable[Batch],
    conditions: Sequence[Term],
    terms: Sequence[Term],
) -> Agreement:
    """Run a model on plain numbers, for inputs for which ``conditions`` hold. All that ``terms``
    depend on is an input.

    ``arguments`` are symbolic, ``run`` runs the model on plain ones. Each way that the model takes
    is run at least once: inputs for those that none of ``batches`` takes are drawn, or come from
    the solver. Raises OutOfTime.
    """
    check = _Check(followed, arguments, run, oracle.solver.deadline)
    done: list[Batch] = []
    for batch in batches:
        done.append(batch)
        difference = check.difference(batch)
        if difference:
            return Agreement(done, difference)
    paths = {n: path.conditions for n, path in enumerate(followed.paths) if n not in check.taken}
    for batch in on_paths(oracle, terms, conditions, paths) if paths else ():
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
        if number not in check.taken and kind is not AnswerKind.UNSAT:
            return Agreement(done, Reason.PATH_WITHOUT_INPUT())
    followed.hold_still()
    return Agreement(done)


class _Check:
    """Runs of one model."""

    def __init__(
        self, followed: Followed, arguments: Arguments, run: ModelRun, deadline: Deadline
    ) -> None:
        self.deadline = deadline
        self.followed = followed
        self.arguments = arguments
        self.run = run
        self.taken: set[int] = set()
        self.again = WANTED
        paths = [path.conditions for path in followed.paths]
        self._conditions = list(dict.fromkeys(term for way in paths for term in way))
        numbers = {term: number for number, term in enumerate(self._conditions)}
        self._ways = [np.array([numbers[term] for term in way], dtype=np.int64) for way in paths]
        self._terms = [
            *terms_in([*arguments[0], *arguments[1].values()]),
            *self._conditions,
            *(term for path in followed.paths for term in terms_in(path.result)),
        ]

    def difference(self, batch: Batch) -> Message | None:
        """The first one of the inputs for which the two are not the same, and how."""
        for part in batch.parts(self._terms):
            difference = self._difference(part)
            if difference:
                return difference
        return None

    def _difference(self, batch: Batch) -> Message | None:
        given = Plain(batch, [*self.arguments[0], *self.arguments[1].values()])
        wanted = self._evaluate(batch)
        settled: list[Any] = []
        for number in range(batch.count):
            outcome = self._outcome(given, number)
            settled.append(_settle(outcome))
            if settled[-1] != _settle(wanted[number]):
                return self._message(given, number, wanted[number], outcome)
        # in the other order: what is left behind by a run would show
        for number in reversed(range(min(batch.count, self.again))):
            outcome = self._outcome(given, number)
            if _settle(outcome) != settled[number]:
                return self._message(given, number, wanted[number], outcome)
        self.again = max(0, self.again - batch.count)
        return None

    def _outcome(self, given: Plain, number: int) -> Any:
        self.deadline.check()
        positional, named = self._plain(given, number)
        try:
            return self.run((positional, named))
        except Exception as error:
            return Raised(type(error).__name__)

    def _plain(self, given: Plain, number: int) -> Arguments:
        positional, named = self.arguments
        values = given.row(number)
        return values[: len(positional)], dict(zip(named, values[len(positional) :], strict=True))

    def _evaluate(self, batch: Batch) -> list[Any]:
        """What comes of each input by what the model did with symbolic numbers."""
        values_of = batch.evaluate(self._conditions)
        holds = np.ones((len(self._conditions), batch.count), dtype=bool)
        for number, condition in enumerate(self._conditions):
            holds[number] = values_of[condition] != 0
        results: list[Any] = [Raised("")] * batch.count
        for number, (path, way) in enumerate(zip(self.followed.paths, self._ways, strict=True)):
            chosen = np.flatnonzero(holds[way].all(axis=0))
            if not len(chosen):
                continue
            self.taken.add(number)
            if path.error is not None:
                values: list[Any] = [Raised(type(path.error).__name__)] * len(chosen)
            else:
                plain = Plain(batch.select(chosen), [path.result])
                values = [plain.row(each)[0] for each in range(len(chosen))]
            for place, value in zip(chosen, values, strict=True):
                results[place] = value
        return results

    def _message(self, given: Plain, number: int, symbolic: Any, plain: Any) -> Message:
        positional, named = self._plain(given, number)
        shown = [*map(_show, positional), *(f"{n}={_show(v)}" for n, v in named.items())]
        return Reason.MODEL_DIFFERS(
            symbolic=_show(symbolic), plain=_show(plain), input=tuple(shown or ["none"])
        )


class Plain:
    """Plain values in place of symbolic ones, for each input of a batch.

    How to read each of ``values`` is worked out once, and not for each input.
    """

    def __init__(self, batch: Batch, values: Sequence[Any]) -> None:
        self._count = batch.count
        self._values = batch.evaluate(terms_in(values))
        self._readers = [self._reader(value) for value in values]

    def row(self, number: int) -> list[Any]:
        """The values for one of the inputs; what can be changed is a new object each time."""
        return [read(number) for read in self._readers]

    def _reader(self, value: Any) -> NumberReader:
        if isinstance(value, SymInt):
            return self._numbers(value).__getitem__
        if isinstance(value, SymBytes):
            return self._bytes(value)
        if isinstance(value, (list, tuple)):
            kind, parts = type(value), [self._reader(each) for each in value]
            return lambda number: kind([read(number) for read in parts])
        if isinstance(value, dict):
            pairs = [(key, self._reader(each)) for key, each in value.items()]
            return lambda number: {key: read(number) for key, read in pairs}
        if isinstance(value, bytearray):
            return lambda number: value.copy()
        return lambda number: value

    def _numbers(self, value: SymInt) -> list[Any]:
        """A number for each of the inputs."""
        within = range_of(value)
        numbers: list[Any] = self._values[within.term].tolist()
        if within.low < 0:
            sign, over = within.term.width - 1, 1 << within.term.width
            numbers = [each - over if each >> sign else each for each in numbers]
        return [bool(each) for each in numbers] if kind_of(value) is bool else numbers

    def _bytes(self, value: SymBytes) -> NumberReader:
        """All bytes of all inputs lie side by side."""
        kind, size = kind_of_bytes(value), len(value)
        data = self._cells(value).tobytes()
        return lambda number: kind(data[number * size : (number + 1) * size])

    def _cells(self, value: SymBytes) -> NDArray[np.uint8]:
        """Bytes, a row for each of the inputs."""
        shape = (len(value), self._count)
        if isinstance(value, ArrayBytes):
            addresses = np.arange(value.base, value.base + len(value), dtype=np.uint64)[:, None]
            cells = self._values[value.array].at(np.broadcast_to(addresses, shape))
        else:
            cells = np.zeros(shape, dtype=np.uint64)
            for place, cell in enumerate(value):
                cells[place] = (
                    self._values[range_of(cell).term] if isinstance(cell, SymInt) else cell
                )
        if (cells > 0xFF).any():
            raise ValueError("a byte of a model is more than 255: this is a fault of the prover")
        return np.ascontiguousarray(cells.T.astype(np.uint8))


def _settle(value: Any) -> Any:
    """A result as it is compared: numbers are numbers, and bytes are bytes, of both kinds."""
    if type(value) is int:
        return value
    if is_bytes(value):
        return "bytes", bytes(value)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [_settle(each) for each in value]
    if isinstance(value, dict):
        return {key: _settle(each) for key, each in value.items()}
    return int(value) if isinstance(value, int) else value


def _show(value: Any) -> str:
    if is_bytes(value):
        text = f"[{bytes(value).hex(' ').upper()}]"
    elif isinstance(value, int) and not isinstance(value, bool):
        text = f"${value:02X}" if value >= 0 else str(value)
    else:
        text = str(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
