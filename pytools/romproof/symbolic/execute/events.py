"""What symbolic execution comes across that a routine should not do, and why it may not finish."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from romproof.symbolic.terms.term import Term

TOLD = "@~"
"""In the names of variables for results of which only the callee's contract is known."""


class EventKind(Enum):
    """What happened; what it means depends on who asked."""

    READS = "reads memory that is none of its inputs"
    READS_OBJECT = "reads memory before it was written"
    WRITES = "writes memory that is none of its outputs"
    WRITES_FIXED = "writes to code or read-only data"
    TOO_MANY_PLACES = "uses an address that may be anywhere"
    BRANCH = "branches"
    ADDRESS = "uses an address"
    BREAKS = "calls a routine without what that requires"


@dataclass(frozen=True, slots=True)
class Event:
    """Something at ``pc`` that happens when all of ``path`` hold, after a run from ``begin``.

    ``what`` is the address of an access, or the condition of a branch; ``detail`` is for people.
    """

    kind: EventKind
    path: tuple[Term, ...]
    what: Term
    pc: int
    begin: int
    detail: str = ""


class NeedsIndex(Exception):
    """The object ``name`` is reached with an index: start again with it as an array."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Unfinished(Exception):
    """Execution cannot go on; ``reason`` says why, ``pc`` where."""

    def __init__(self, reason: str, pc: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.pc = pc


class LemmaDoesNotFit(Exception):
    """What stands for a routine cannot be used in this state: its code has to be executed."""
