"""What calls of routines cost over a test run, and how that compares with what was recorded."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


@dataclass(slots=True)
class RoutineCost:
    """The calls of a routine so far; cycles of a call are from the first instruction to the return.

    ``inputs`` has a digest for each input that calls were given, ``most`` is the call with the most
    cycles as a test writes it. ``code`` is the digest of the routine's code, see code_digest.
    """

    code: str
    calls: int = 0
    minimum: int = 0
    maximum: int = 0
    total: int = 0
    inputs: set[int] = field(default_factory=set)
    most: str = ""

    def add(self, cycles: int) -> bool:
        """A call took some cycles; whether none took more."""
        if not self.calls or cycles > self.maximum:
            self.maximum, self.most = cycles, ""
        self.minimum = cycles if not self.calls else min(self.minimum, cycles)
        self.calls, self.total = self.calls + 1, self.total + cycles
        return cycles == self.maximum

    def name(self, call: str) -> None:
        """A call has the most cycles: of several it is the one that is written shortest, whichever
        process made it."""
        if not self.most or (len(call), call) < (len(self.most), self.most):
            self.most = call

    def join(self, other: RoutineCost) -> None:
        """Calls of another process."""
        if not other.calls:
            return
        if not self.calls or other.maximum > self.maximum:
            self.maximum, self.most = other.maximum, other.most
        elif other.maximum == self.maximum:
            self.name(other.most)
        self.minimum = min(self.minimum, other.minimum) if self.calls else other.minimum
        self.calls, self.total = self.calls + other.calls, self.total + other.total
        self.inputs |= other.inputs

    def to_record(self) -> RecordedCost:
        """As a file has it."""
        text = " ".join(f"{number:016x}" for number in sorted(self.inputs))
        inputs = hashlib.sha256(text.encode()).hexdigest()[:16]
        mean = round(self.total / max(self.calls, 1), 2)
        return RecordedCost(
            self.calls, self.minimum, mean, self.maximum, self.code, inputs, self.most
        )


@dataclass(frozen=True, slots=True)
class RecordedCost:
    """A routine as a file has it: cycles, ``mean`` in hundredths; the digests of its code and of
    all inputs together; the call with the most cycles."""

    calls: int
    minimum: int
    mean: float
    maximum: int
    code: str
    inputs: str
    most: str


Costs = Mapping[str, Mapping[str, RecordedCost]]
"""By program and routine."""


class CostCause(Enum):
    """Where a difference comes from."""

    SAME = ""
    CODE = "other code"
    INPUTS = "other inputs"
    BOTH = "other code and other inputs"
    PLACE = "same code and inputs, but other addresses, data or devices"
    NEW = "not in the file"
    GONE = "not called"


@dataclass(frozen=True, slots=True)
class CostDifference:
    """A routine that is not as it was recorded; one of both is None when it is new or gone."""

    program: str
    routine: str
    before: RecordedCost | None
    after: RecordedCost | None
    cause: CostCause

    @property
    def slower(self) -> bool:
        """Whether its calls take longer now: the longest, or if that is the same the mean one."""
        return self.change > 0

    @property
    def change(self) -> float:
        """By how many cycles."""
        if self.before is None or self.after is None:
            return 0
        return (self.after.maximum - self.before.maximum) or (self.after.mean - self.before.mean)

    @property
    def fails(self) -> bool:
        """Whether it is slower, and that not only because of other inputs."""
        return self.slower and self.cause is not CostCause.INPUTS


def differences(before: Costs, after: Costs) -> list[CostDifference]:
    """What is not as recorded, by program and routine."""
    result = []
    for program in sorted({*before, *after}):
        old, new = before.get(program, {}), after.get(program, {})
        for routine in sorted({*old, *new}):
            one, other = old.get(routine), new.get(routine)
            cause = _cause(one, other)
            if cause is not CostCause.SAME:
                result.append(CostDifference(program, routine, one, other, cause))
    return result


def _cause(one: RecordedCost | None, other: RecordedCost | None) -> CostCause:
    if one is None:
        return CostCause.NEW
    if other is None:
        return CostCause.GONE
    if (one.minimum, one.mean, one.maximum) == (other.minimum, other.mean, other.maximum):
        return CostCause.SAME
    code, inputs = one.code != other.code, one.inputs != other.inputs
    if code and inputs:
        return CostCause.BOTH
    if one.calls != other.calls and not code:
        return CostCause.INPUTS  # the same ones, more often: the mean is another
    return CostCause.CODE if code else CostCause.INPUTS if inputs else CostCause.PLACE
