"""Running a Python model on symbolic numbers: once for each path that it can take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from romproof.symbolic.numbers import ranged
from romproof.symbolic.numbers.choices import either
from romproof.symbolic.numbers.decisions import DECIDER
from romproof.symbolic.numbers.ranged import Ranged
from romproof.symbolic.numbers.refusal import REFUSALS, NotSymbolic
from romproof.symbolic.solve.facts import BitFacts
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause
from romproof.text.errors import RomproofError

MAX_PATHS = 4096
"""Ways through a model that are followed by default."""

MAX_VALUES = 256
"""Values of a number that are tried where Python wants one."""

MAX_QUESTIONS = 20_000
"""Answers a model may need on one path: one that needs more does not end."""

Feasible = Callable[[Sequence[Term]], bool]
"""Whether conditions of one bit can hold together; True when that is not known."""


@dataclass(frozen=True, slots=True)
class Path:
    """One way through a function.

    It is taken where all ``conditions`` (one bit each) hold; of two paths there is always one
    condition in which they differ. Then the function gives ``result``, or raises ``error``.
    """

    conditions: tuple[Term, ...]
    result: Any = None
    error: Exception | None = None

    @property
    def condition(self) -> Term:
        """All conditions as one bit."""
        return reduce(t.and_, self.conditions, t.TRUE)


@dataclass(frozen=True, slots=True)
class _Decision:
    """One of several ``options``, conditions of which just one holds; ``left`` are to be tried."""

    options: tuple[Term, ...]
    chosen: int
    left: tuple[int, ...]

    @property
    def condition(self) -> Term:
        return self.options[self.chosen]


class _DeadEnd(BaseException):
    """No input leads here."""


class Explorer:
    """Runs a function until all its paths are known.

    ``assuming`` are conditions that hold for all inputs. ``feasible`` is asked whether a way can
    be taken where that is not plain to see; without it the way is followed. At most ``most``
    ways are.
    """

    def __init__(
        self,
        assuming: Iterable[Term] = (),
        feasible: Feasible | None = None,
        most: int = MAX_PATHS,
    ) -> None:
        self._assuming = tuple(assuming)
        self._feasible = feasible
        self._most = most
        self._given: list[_Decision] = []
        self._taken: list[_Decision] = []
        self._facts = BitFacts()
        self._questions = 0
        self._is_dead = False

    def run(self, function: Callable[[], Any]) -> tuple[Path, ...]:
        """All paths through ``function``, which must do the same whenever it is called.

        Raises NotSymbolic when there are too many, or for what numbers cannot do.
        """
        paths: list[Path] = []
        self._given = []
        while True:
            self._reset()
            path = self._path(function)
            if path is not None:
                paths.append(path)
            while self._taken and not self._taken[-1].left:
                self._taken.pop()
            if not self._taken:
                return tuple(paths)
            if len(paths) >= self._most:
                raise NotSymbolic(
                    f"the model has too many paths (more than {self._most}): each 'if' on data "
                    "doubles them; write romproof.choose(condition, one, other) instead"
                )
            last = self._taken.pop()
            self._given = [*self._taken, _Decision(last.options, last.left[0], last.left[1:])]

    def _reset(self) -> None:
        self._taken, self._facts, self._questions = [], BitFacts(), 0
        self._is_dead = False
        for condition in self._assuming:
            self._facts.assume(condition)

    def _path(self, function: Callable[[], Any]) -> Path | None:
        """The way that is taken; None for a dead end. What a model catches does not count."""
        refusals: list[RomproofError] = []
        running, refusing = DECIDER.set(self), REFUSALS.set(refusals)
        result, error = None, None
        try:
            result = function()
        except (_DeadEnd, NotSymbolic):
            pass
        except RecursionError:
            NotSymbolic("the model's numbers, or its calls, nest too deeply", cause=Cause.TOO_DEEP)
        except Exception as raised:
            error = raised
        finally:
            DECIDER.reset(running)
            REFUSALS.reset(refusing)
        if refusals:
            raise refusals[0]
        return None if self._is_dead else Path(self._conditions(), result, error)

    def _conditions(self) -> tuple[Term, ...]:
        # what follows from the assumptions is not a condition of its own
        return tuple(d.condition for d in self._taken if len(d.options) > 1)

    def truth(self, condition: Term) -> bool:
        """See Decider."""
        self._count()
        known = self._facts.truth(condition)
        if known is not None:
            return known
        return self._decide((condition, t.not_(condition))) is condition

    def value(self, number: Ranged) -> int:
        """See Decider."""
        self._count()
        low, high = number.low, number.high
        if low >= 0:
            bounds = self._facts.bounds(number.term)
            low, high = max(low, bounds[0]), min(high, bounds[1])
        if high - low >= MAX_VALUES:
            raise NotSymbolic(
                f"the model uses a number within {low}..{high} where Python needs a definite one "
                f"(an index, a range, a key, int()); up to {MAX_VALUES} values are tried: "
                "mask it, or index the bytes that the model was given, which works with any index"
            )
        values = {ranged.equal(number, ranged.constant(v)): v for v in range(low, high + 1)}
        return values[self._decide(tuple(values))]

    def _count(self) -> None:
        if self._is_dead:
            raise _DeadEnd
        # those whose answer is known count as well: a way that nothing leads to may have no end
        self._questions += 1
        if self._questions > MAX_QUESTIONS:
            raise NotSymbolic(
                f"the model asks more than {MAX_QUESTIONS:,} questions on one path: its loop "
                f"may not end for some inputs; exclude them with requires="
            )

    def _decide(self, options: tuple[Term, ...]) -> Term:
        """The option for this way; just one of them holds."""
        number = len(self._taken)
        if number < len(self._given):
            decision = self._given[number]
            if decision.condition not in options:
                raise NotSymbolic("the model behaves differently from call to call")
        else:
            decision = self._new(options)
        self._taken.append(decision)
        self._facts.assume(decision.condition)
        return decision.condition

    def _new(self, options: tuple[Term, ...]) -> _Decision:
        possible = [n for n, option in enumerate(options) if self._is_possible(option)]
        if not possible:
            self._is_dead = True
            raise _DeadEnd
        if len(possible) == 1:
            return _Decision((options[possible[0]],), 0, ())
        return _Decision(options, possible[0], tuple(possible[1:]))

    def _is_possible(self, option: Term) -> bool:
        known = self._facts.truth(option)
        if known is False or self._feasible is None:
            return known is not False
        return self._feasible((*self._assuming, *self._conditions(), option))


def merge_results(paths: Sequence[Path]) -> Any:
    """The one result of all paths: which it is depends on their conditions.

    ``paths`` are those of one run that end well. Results are numbers, or bytes, lists, tuples
    or dictionaries of them, of one shape. Raises NotSymbolic when they are not.
    """
    return _merge(list(paths), 0)


def _merge(paths: list[Path], depth: int) -> Any:
    if len(paths) == 1:
        return paths[0].result
    groups: dict[Term, list[Path]] = {}
    for path in paths:
        groups.setdefault(path.conditions[depth], []).append(path)
    *others, last = groups.items()
    result = _merge(last[1], depth + 1)
    for condition, group in reversed(others):
        result = either(condition, _merge(group, depth + 1), result)
    return result
