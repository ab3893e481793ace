"""What to try where a verdict is unknown: the class of its reason, and a section of the page on it.

The classes are the sections of docs/how-to/unknown.md. A reason belongs to the first class that has
words of it; what belongs to none is given no advice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from romproof.prover.results import Finding, Verdict

PAGE = "how-to/unknown"
"""The page that has the sections, without its suffix."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What helps against a class of reasons: ``section`` is its heading on the page."""

    section: str
    text: str

    @property
    def link(self) -> str:
        """Where more of it is said: ``how-to/unknown#the-loop-is-not-cut``."""
        return f"{PAGE}#{self.section.lower().replace(' ', '-')}"


def _advice(section: str, text: str, *words: str) -> tuple[tuple[str, ...], Advice]:
    return words, Advice(section, text)


CLASSES = (
    _advice(
        "The prover is at fault",
        "nothing on your side: please report it, with the program",
        "please report",
        "a fault of the prover",
        "the proof is wrong",
    ),
    _advice(
        "It rests on another statement",
        "look at that statement first",
        "rests on",
    ),
    _advice(
        "It may not end",
        "'; decreases: LABEL: NUMBER' for that loop, or '; assumes: PORT changes' where it waits",
        "nothing shows that the loop ends",
        "that is not shown",
    ),
    _advice(
        "The array is not known to be filled",
        "fill it in order under an invariant, or list it under 'in:'",
        "may read memory before it was written",
        "reads memory before it is written",
        "that is written above",
    ),
    _advice(
        "The invariant is too weak",
        "say in the invariant why no call comes to the state that is shown, or see that one does",
        "that its invariant allows",
    ),
    _advice(
        "The number of iterations is not known",
        "'; decreases: LABEL: NUMBER', smaller by the same at each visit",
        "iterations before execution reaches",
        "how many iterations pass",
        "iterations can be counted",
    ),
    _advice(
        "An end of the cycles is not reached",
        "say more in the invariant, or in contracts of callees; or claim '14..', without an end",
        "a lower bound is",
        "an upper bound is",
        "is not shown by inputs",
        "or more, as far as is known",
    ),
    _advice(
        "The loop is not cut",
        "an invariant at a label of the loop, and a bound of its count under 'requires:'",
        "is in a loop that can have more than",
        "is not cut: no invariant",
        "an invariant to begin with",
        " steps",
    ),
    _advice(
        "The invariant stands in a call",
        "an invariant at a label of the routine itself, or a contract for the one it calls",
        "invariant in the middle of a call",
    ),
    _advice(
        "The two cannot be compared",
        "compare a part without that: a routine of its own in both versions",
        "no exact result to compare",
        "both read the same",
        "and was moved",
    ),
    _advice(
        "It goes where the code does not say",
        "bound the index of the table, or give the address to the contract as a constant",
        "jumps to an address that may be anywhere",
        "without code of the program",
        "code that is not always the same",
        "executes what a port brings",
        "is counted by 'loops:', and reached within a call",
    ),
    _advice(
        "Another bank may be in sight",
        "prove what is in the banks by itself, and test the calls between them on the machine",
        "may bring another one in sight",
    ),
    _advice(
        "The stack is not the same on all paths",
        "push and pull the same on all paths, and state what the routine uses with 'stack:'",
        "stack pointer",
        "more stack than there may be",
    ),
    _advice(
        "It does not return",
        "prove the part that does: a routine of its own, with a contract",
        "waits for an interrupt",
        "stops the CPU",
        "never returns",
        "is an endless loop",
    ),
    _advice(
        "An access may be anywhere",
        "bound the index under 'requires:', or name what a pointer leads to: 'pointer src -> a[n]'",
        "uses an address that may be anywhere",
        "may belong to",
        "too many arrays",
    ),
    _advice(
        "Nothing could be executed",
        "see that 'requires:' allows an input with which a call can begin",
        "to execute it with",
        "inputs were executed",
        "no input is known",
    ),
    _advice(
        "The arithmetic is hard",
        "'--effort 10', a cut by '; assert: LABEL: CONDITION', or a part as a routine of its own",
        "has no answer within",
        "has used up the effort",
        "not both have an answer",
        "the time limit of",
        "there was no time left",
        " terms",
        "instructions to execute",
        "nest too deeply",
        "too many values",
    ),
)
"""Words of reasons, and what helps; the first that fits counts."""


def advice_on(finding: Finding) -> Advice | None:
    """What to try, if the verdict is unknown and the class of its reason is known."""
    return advice_for(finding.detail) if finding.verdict is Verdict.UNKNOWN else None


def advice_for(reason: str) -> Advice | None:
    """What to try, by the reason that is given."""
    return next((one for words, one in CLASSES if any(each in reason for each in words)), None)


def advice_json(finding: Finding) -> Mapping[str, str] | None:
    """The same for JSON; null where there is none."""
    advice = advice_on(finding)
    return None if advice is None else {"text": advice.text, "page": advice.link}
