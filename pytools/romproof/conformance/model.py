"""The nouns: a suite, a piece of work in it, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from romproof.text.errors import RomproofError

SHOWN = 3
"""Failures of a file that are kept."""
REFUSED = "undocumented opcode, which the engine refuses: not run"
"""A reason for cases to be apart."""


NO_ENGINE = "none"
"""In place of an engine's name: the suite tests tools and executes nothing."""


class NoSuites(RomproofError):
    """There is nothing to run in the folder, or nothing of that name."""


@dataclass(frozen=True, slots=True)
class CaseFailure:
    """One case that did not pass, and what was wrong with it."""

    case: str
    what: str


@dataclass(frozen=True, slots=True)
class SuiteOutcome:
    """How many cases passed and failed; the first SHOWN failures.

    ``instructions`` are all that were executed on an engine that translates, ``translated`` those
    of them that translated code executed and not an interpreter; 0 on other engines.
    ``apart`` are cases that do not count, by the reason: they were not run because the engine or
    the machine does not claim to do them, or what they show differs from chip to chip.
    """

    passed: int = 0
    failed: int = 0
    apart: Mapping[str, int] = field(default_factory=dict)
    failures: tuple[CaseFailure, ...] = ()
    instructions: int = 0
    translated: int = 0

    @property
    def cases(self) -> int:
        """How many cases count."""
        return self.passed + self.failed

    def __add__(self, other: SuiteOutcome) -> SuiteOutcome:
        return SuiteOutcome(
            self.passed + other.passed,
            self.failed + other.failed,
            Counter(self.apart) + Counter(other.apart),
            (self.failures + other.failures)[:SHOWN],
            self.instructions + other.instructions,
            self.translated + other.translated,
        )


PASSED = SuiteOutcome(passed=1)


def count_executed(engine: Any) -> SuiteOutcome:
    """No case, but what an engine that translates has executed so far."""
    translated = getattr(engine, "translated_instructions", None)
    return (
        SuiteOutcome()
        if translated is None
        else SuiteOutcome(instructions=engine.instructions, translated=translated)
    )


def fail(case: str, what: str) -> SuiteOutcome:
    """The outcome of one case that failed."""
    return SuiteOutcome(failed=1, failures=(CaseFailure(case, what),))


def set_apart(reason: str) -> SuiteOutcome:
    """The outcome of one case that does not count."""
    return SuiteOutcome(apart={reason: 1})


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """One file of a suite; ``name`` is its path within the suite, with ``/`` between folders."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class Suite:
    """A public test suite.

    ``find`` picks its files out of all files below a folder. Each is run by itself: ``run`` takes
    the file, the name of an engine, and a number n that asks for every n-th case only, which it
    need not heed where a file has one case. ``engines`` are those it is run on when none is asked
    for; where one of them cannot be used it is passed over. (NO_ENGINE,): no engine has a part
    in it, whichever is asked for.
    """

    name: str
    cpu: str
    looks_like: str
    find: Callable[[Sequence[Path]], list[SuiteFile]]
    run: Callable[[SuiteFile, str, int], SuiteOutcome]
    engines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SuitePiece:
    """One file of a suite, to be run on one engine; of its cases every ``sample``-th one."""

    suite: str
    engine: str
    file: SuiteFile
    sample: int = 1


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file in which cases failed."""

    name: str
    outcome: SuiteOutcome


@dataclass(frozen=True, slots=True)
class SuiteRow:
    """A suite on one engine; ``seconds`` are those of all its pieces, one after another."""

    suite: str
    engine: str
    outcome: SuiteOutcome = SuiteOutcome()
    failed_files: tuple[FailedFile, ...] = ()
    seconds: float = 0.0
