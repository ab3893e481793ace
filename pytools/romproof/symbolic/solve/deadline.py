"""A limit in seconds: it ends the work with an exception, and never decides what an answer is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Thread
from typing import TypeVar

from romproof.text.cause import Cause
from romproof.text.messages import MessageKind

_T = TypeVar("_T")

GRACE = 0.05
"""How much longer, as a part of the seconds, a solver that was told to stop is waited for."""

RESERVE = 0.1
"""The part of a proof's seconds that the proof leaves: for a solver that does not stop at once, and
for what is executed where nothing is proved, to find an input that refutes."""


class NoAnswer(MessageKind):
    """Why a question has no answer."""

    TIME = "the time limit of {seconds:seconds} was reached"
    WITHIN_EFFORT = "{solver} has no answer within {limit:,} {unit}"
    WITHIN_EFFORT_BECAUSE = "{solver} has no answer within {limit:,} {unit}: {why}"
    EFFORT_USED = "{solver} has used up the effort for one claim"
    SAYS = "{solver} says {answer}"
    NOT_BOTH = "not both have an answer: {answers:semicolon}"
    NONE_OF_THEM = "{answers:semicolon}"
    NOT_EASY = "it is not easy"
    UNREACHED = "no input reaches this"


class OutOfTime(Exception):
    """The seconds that were allowed are over; ``reason`` says so. Not to be kept
    as an answer: on another machine, or another day, there may be time enough."""

    cause = Cause.TIME

    def __init__(self, seconds: float) -> None:
        self.reason = NoAnswer.TIME(seconds=seconds)
        super().__init__(self.reason)


@dataclass(frozen=True, slots=True)
class Deadline:
    """When ``seconds`` from its making are over; without them, never.

    ``clock`` gives the present time in seconds and does not go back. ``reserve`` is the part of
    the seconds that is not used before the deadline, but for what has to be done after it.
    """

    seconds: float | None = None
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    reserve: float = 0.0
    end: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        end = float("inf")
        if self.seconds is not None:
            end = self.clock() + self.seconds * (1 - self.reserve)
        object.__setattr__(self, "end", end)

    @property
    def left(self) -> float:
        """Seconds until then, perhaps none."""
        return max(0.0, self.end - self.clock())

    @property
    def left_in_all(self) -> float:
        """Seconds until the reserve is used up, perhaps none."""
        return max(0.0, self.end + self.reserve * (self.seconds or 0.0) - self.clock())

    @property
    def is_over(self) -> bool:
        """Is it then, or later?"""
        return self.seconds is not None and self.clock() >= self.end

    def share(self, part: float) -> Deadline:
        """A part of what is left, from now on. What it ends says how long the whole was."""
        first = replace(self)
        if self.seconds is not None:
            object.__setattr__(first, "end", self.clock() + self.left * part)
        return first

    def check(self) -> None:
        """Raises OutOfTime when it is over."""
        if self.is_over:
            assert self.seconds is not None
            raise OutOfTime(self.seconds)


NEVER = Deadline()


def within(deadline: Deadline, work: Callable[[], _T], stop: Callable[[], None]) -> _T:
    """What ``work`` gives, done by a thread of its own if there is a limit.

    At the deadline ``stop`` is called; work that does not hear it is left alone to come to its
    end, and everything it needs must belong to it. Raises OutOfTime, and what ``work`` raises.
    """
    if deadline.seconds is None:
        return work()
    done: list[_T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    # a daemon: Python does not wait for it at its exit, which would be time again
    worker = Thread(target=run, name="solver", daemon=True)
    try:
        worker.start()
        worker.join(deadline.left)
    finally:
        if worker.is_alive():
            stop()
            worker.join(deadline.seconds * GRACE)
    if failed:
        raise failed[0]
    if not done:
        raise OutOfTime(deadline.seconds)
    return done[0]
