"""What may be said of code: the kinds of statements that are proved, and compared with runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum, auto


class StatementKind(StrEnum):
    """What a statement is about."""

    FOLLOWED = auto()
    """Execution comes to an end, and what it finds can be judged."""
    SOME_STACK = auto()
    """There is room for the stack."""
    SOME_INPUT = auto()
    """There is an input that is allowed."""
    REACHED = auto()
    """Each invariant is reached."""
    SOME_RETURN = auto()
    """Some input leads to a return."""
    APART = auto()
    """Blocks that pointers lead to lie apart from all else."""
    PRESERVES = auto()
    READS = auto()
    """Only inputs are read."""
    WRITES = auto()
    """Only what is listed changes."""
    STACK = auto()
    """No more stack is used than ``stack:`` says."""
    STACK_AT_CUT = auto()
    """The stack is the same each time that execution comes to an invariant."""
    INVARIANT = auto()
    ASSERTION = auto()
    DECREASES = auto()
    RETURNS = auto()
    DEPENDS = auto()
    """Outputs depend on inputs only."""
    ENSURES = auto()
    LOOPS = auto()
    """A loop has as many iterations as ``loops:`` says."""
    SECRET = auto()
    CYCLES = auto()
    REST = auto()
    """All that was not asked about when the seconds were over."""
    MODEL = auto()
    """The code does what a model says."""
    SAME = auto()
    """Two versions have the same outputs."""
    SOLVERS_AGREE = auto()
    EXECUTED = auto()
    """The machine does what was proved."""
    CONTRACT = auto()
    """The contract as a whole, refuted by an execution."""
    OTHER = auto()
    """What nothing is decided on."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One of them: two are the same if they are of one kind and have one ``subject``, whatever
    their ``text`` says to people."""

    kind: StatementKind
    text: str = field(compare=False)
    subject: object = None

    def __str__(self) -> str:
        return self.text
