"""Words that are nearly the name of a field."""

from __future__ import annotations

from romproof.contract.reading.lists import WORDS
from romproof.formats.contracts import FIELDS

_LONG = 5
"""From so many letters on a name is known with two letters wrong, else with one."""
_OTHER_WORDS = frozenset(
    (
        "i", "n", "io", "id", "if", "is", "it", "an", "on", "at", "as", "to", "no", "ion", "bin",
        "fin", "min", "pin", "sin", "win", "inc", "ink", "ins", "ini", "but", "put", "cut", "our",
        "nut", "oat", "oust", "hut", "gut", "rut", "cot", "find", "king", "mind", "wind", "bind",
        "hind", "state", "slack", "slot", "slots", "stage", "start", "tools", "lost", "post",
        "host", "hosts", "coops", "hoops",
    )
)  # fmt: skip
"""Words of other people's comments that are as near, and mean themselves."""
MEANT = {
    **dict.fromkeys(("input", "inputs", "args", "takes", "param", "params"), "in"),
    **dict.fromkeys(("output", "outputs", "return", "returns", "result"), "out"),
    **dict.fromkeys(("clobber", "clobbered", "destroys", "modifies", "changes"), "clobbers"),
    **dict.fromkeys(("destroy", "modify", "trashes", "changed", "modified"), "clobbers"),
    **dict.fromkeys(("pointers", "block", "blocks", "points", "ptr"), "pointer"),
    **dict.fromkeys(("precondition", "preconditions", "requirements"), "requires"),
    **dict.fromkeys(("requirement", "pre", "expects"), "requires"),
    **dict.fromkeys(("postcondition", "postconditions", "guarantees"), "ensures"),
    **dict.fromkeys(("guarantee", "guaranteed", "post", "promises"), "ensures"),
    **dict.fromkeys(("ghosts", "let", "logical"), "ghost"),
    **dict.fromkeys(("invariants", "holds"), "invariant"),
    **dict.fromkeys(("asserts", "assertion", "assertions", "lemma"), "assert"),
    **dict.fromkeys(("decrease", "variant", "measure", "ranking"), "decreases"),
    **dict.fromkeys(("loop", "iterations"), "loops"),
    **dict.fromkeys(("cycle", "time", "timing", "duration"), "cycles"),
    **dict.fromkeys(("budgets", "deadline", "frames"), "budget"),
    **dict.fromkeys(("assume", "assuming", "fairness", "fair"), "assumes"),
    **dict.fromkeys(("interrupt", "handler", "type"), "kind"),
}
"""Words that other languages of contracts have for a field."""


def find_nearest_field(word: str) -> str | None:
    """The field whose name is ``word`` with one letter wrong, of those with five and more letters
    two; None for a field's own name, and for a common word."""
    word = word.lower()
    if word in FIELDS or word in WORDS or word in _OTHER_WORDS:
        return None
    near = [(distance(word, name), name) for name in FIELDS]
    return min(
        ((d, name) for d, name in near if d <= (2 if len(name) >= _LONG else 1)),
        default=(0, None),
    )[1]


def distance(one: str, other: str) -> int:
    """The fewest letters to put in, leave out, exchange or swap with a neighbour that make one word
    of the other, none of them twice.

    This is the distance by optimal string alignment: Damerau, "A technique for computer detection
    and correction of spelling errors", CACM 7 (1964), with Levenshtein's recurrence.
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        here = [row]
        for column, wanted in enumerate(other, 1):
            least = min(
                last[column] + 1, here[column - 1] + 1, last[column - 1] + (letter != wanted)
            )
            pair = (other[column - 2], one[row - 2])
            swapped = row > 1 and column > 1 and (letter, wanted) == pair
            here.append(min(least, before[column - 2] + 1) if swapped else least)
        before, last = last, here
    return last[-1]
