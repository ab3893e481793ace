"""How much may be spent on an answer, in counted work: the same on every machine, busy or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Z3 = "z3"
BITWUZLA = "Bitwuzla"

_TOP = (1 << 32) - 1
"""The highest limit that z3 takes."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Limits of work.

    In resource units of z3, its ``rlimit`` (a million takes it some tenths of a second, far longer
    where numbers are long): ``quick`` for the first attempt at a question, ``pair`` for a pair of
    inner terms that might be equal, ``thorough`` for the last attempt. In steps of Bitwuzla, the
    moments at which it asks whether to go on (ten thousand take about a second): ``witness`` for
    a question.

    ``values`` are values of terms that are worked out to try all inputs of a question.
    ``claim`` is how many thorough questions' worth all questions of one claim may take
    together; ``example`` how many questions there may be to find the smallest example.
    """

    quick: int = 300_000
    pair: int = 1_000_000
    thorough: int = 30_000_000
    witness: int = 100_000
    values: int = 1 << 27
    claim: int = 2
    example: int = 240

    def times(self, factor: float) -> Effort:
        """More or less work: so many times these limits for each question and each claim.

        Raises ValueError for a factor that is not positive.
        """
        if factor <= 0:
            raise ValueError(f"{factor:g} is not a positive factor of the effort")

        def times(number: int) -> int:
            return min(_TOP, max(1, round(number * factor)))

        return Effort(
            times(self.quick),
            times(self.pair),
            times(self.thorough),
            times(self.witness),
            times(self.values),
            self.claim,
            times(self.example),
        )

    def share(self) -> Share:
        """What a new claim may spend."""
        most = {Z3: self.thorough, BITWUZLA: self.witness}
        return Share(most, {name: self.claim * limit for name, limit in most.items()})

    def example_share(self) -> Share:
        """What may be spent to find the smallest example: no single question gets much of it."""
        left = {Z3: max(1, self.thorough // 4), BITWUZLA: max(1, self.witness // 4)}
        return Share({name: max(1, limit // 4) for name, limit in left.items()}, left)


@dataclass(slots=True)
class Share:
    """What one claim may spend, by the solver: ``most`` on one question, ``left`` in all.

    A part reports what it spent to the whole.
    """

    most: Mapping[str, int]
    left: dict[str, int]
    whole: Share | None = field(default=None, repr=False)

    def limit(self, solver: str, most: int | None = None) -> int:
        """What the next question may take, no more than ``most``; 0: nothing is left."""
        wanted = self.most[solver] if most is None else min(most, self.most[solver])
        return min(wanted, self.left[solver])

    def spend(self, solver: str, work: int) -> None:
        """Take note of work that was done."""
        self.left[solver] = max(0, self.left[solver] - work)
        if self.whole is not None:
            self.whole.spend(solver, work)

    def part(self, divisor: int) -> Share:
        """So small a part of it all, for a means that may be in vain."""
        most = {name: max(1, limit // divisor) for name, limit in self.most.items()}
        return Share(most, {name: left // divisor for name, left in self.left.items()}, self)

    def limits(self) -> tuple[int, ...]:
        """What the next question may take, of each solver."""
        return tuple(self.limit(solver) for solver in self.left)
