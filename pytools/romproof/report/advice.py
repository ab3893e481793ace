"""What to try where a verdict is unknown, by what was the cause, and a section of the page on it.

The classes are the sections of docs/how-to/unknown.md. Where there are several causes, the first
class counts that one of them belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from romproof.prover.results import Finding, Verdict
from romproof.text.cause import Cause

PAGE = "how-to/unknown"
"""The page that has the sections, without its suffix."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What helps against some ``causes``: ``section`` is its heading on the page."""

    section: str
    text: str
    causes: frozenset[Cause]

    @property
    def link(self) -> str:
        """Where more of it is said: ``how-to/unknown#the-loop-is-not-cut``."""
        return f"{PAGE}#{self.section.lower().replace(' ', '-')}"


def _advice(section: str, text: str, *causes: Cause) -> Advice:
    return Advice(section, text, frozenset(causes))


CLASSES = (
    _advice(
        "The prover is at fault",
        "this is a bug in romproof: please report it, with the program",
        Cause.PROVER_FAULT,
    ),
    _advice(
        "It rests on another statement",
        "settle that statement first",
        Cause.RESTS_ON_OTHER,
    ),
    _advice(
        "It may not end",
        "give that loop '; decreases: LABEL: NUMBER', a number that is shown to decrease, or "
        "'; assumes: PORT changes' if it waits for a port",
        Cause.DECREASE_NOT_SHOWN,
    ),
    _advice(
        "The array is not known to be filled",
        "fill the array in order under an invariant, or list it under 'in:'",
        Cause.NOT_FILLED,
    ),
    _advice(
        "The invariant is too weak",
        "add to the invariant the fact that rules out the state shown, unless a call reaches "
        "that state",
        Cause.WEAK_INVARIANT,
    ),
    _advice(
        "The number of iterations is not known",
        "give the loop '; decreases: LABEL: NUMBER', a number that decreases by the same amount at "
        "each visit",
        Cause.ITERATIONS_NOT_KNOWN,
    ),
    _advice(
        "An end of the cycles is not reached",
        "strengthen the invariant or the contracts of callees; or claim '14..', without an "
        "upper end",
        Cause.END_NOT_REACHED,
    ),
    _advice(
        "The loop is not cut",
        "add an invariant at a label of the loop, and bound its count under 'requires:'",
        Cause.UNCUT_LOOP,
        Cause.LONG_LOOP,
        Cause.TOO_MANY_STEPS,
    ),
    _advice(
        "The invariant stands in a call",
        "put the invariant at a label of the routine itself, or add a contract to the callee",
        Cause.INVARIANT_IN_CALL,
    ),
    _advice(
        "The two cannot be compared",
        "compare a part without that feature: make it a separate routine in both versions",
        Cause.NOT_COMPARABLE,
    ),
    _advice(
        "It goes where the code does not say",
        "bound the index of the table, or give the address in the contract as a constant",
        Cause.COMPUTED_JUMP,
        Cause.NO_CODE,
        Cause.CHANGING_CODE,
        Cause.CODE_IN_PORT,
        Cause.COUNTED_IN_CALL,
    ),
    _advice(
        "Another bank may be in sight",
        "prove the routines of each bank separately, and test the calls between banks on the "
        "machine",
        Cause.BANK_SWITCH,
    ),
    _advice(
        "The stack is not the same on all paths",
        "balance pushes and pulls on all paths, and declare the stack that the routine uses "
        "with 'stack:'",
        Cause.DIFFERENT_STACKS,
        Cause.STACK_POINTER_NOT_KNOWN,
        Cause.STACK_OVERFLOW,
    ),
    _advice(
        "It does not return",
        "prove the part that returns: make it a separate routine with a contract",
        Cause.INTERRUPT_WAIT,
        Cause.CPU_STOP,
        Cause.NO_RETURN,
        Cause.ENDLESS_LOOP,
    ),
    _advice(
        "An access may be anywhere",
        "bound the index under 'requires:', or declare the block behind a pointer: 'pointer src "
        "-> a[n]'",
        Cause.ADDRESS_ANYWHERE,
    ),
    _advice(
        "Nothing could be executed",
        "check that 'requires:' allows at least one input",
        Cause.NO_INPUT_KNOWN,
    ),
    _advice(
        "The arithmetic is hard",
        "try '--effort 10', divide the path with '; assert: LABEL: CONDITION', or move a part "
        "into a separate routine",
        Cause.EFFORT,
        Cause.TIME,
        Cause.TOO_DEEP,
    ),
)
"""What helps against which causes; of several, the first counts that has one of them."""


def advice_on(finding: Finding) -> Advice | None:
    """What to try, if the verdict is unknown and there is advice on its cause."""
    return advice_for(*finding.causes) if finding.verdict is Verdict.UNKNOWN else None


def advice_for(*causes: Cause) -> Advice | None:
    """What to try against some causes together; None where nothing is known to help."""
    return next((each for each in CLASSES if not each.causes.isdisjoint(causes)), None)


def advice_json(finding: Finding) -> Mapping[str, str] | None:
    """The same for JSON; null where there is none."""
    advice = advice_on(finding)
    return None if advice is None else {"text": advice.text, "page": advice.link}
