"""``requires=`` as a function: it has to say True or False of every input."""

from __future__ import annotations

from romproof.prover.models.follow import place_of
from romproof.prover.models.mapping import ModelFunction
from romproof.prover.states.model_places import BadMapping
from romproof.symbolic.numbers.integers import SymInt


def ask_predicate(requires: ModelFunction, result: object) -> bool:
    """What ``requires`` said: of a symbolic number, that it is 0 or 1. Raises BadMapping."""
    if isinstance(result, SymInt):
        if result.low >= 0 and result.high <= 1:
            return True
        wording = f"a number within {result.low}..{result.high}"
    elif isinstance(result, int) and result in (0, 1):
        return bool(result)
    else:
        wording = "None: a 'return' is missing" if result is None else repr(result)
    raise BadMapping(
        f"requires= is the function {place_of(requires)}, which gives {wording}; "
        "it must say True or False of every input that the contract allows"
    )


def raising(requires: ModelFunction, error: Exception) -> BadMapping:
    """That ``requires`` raised."""
    return BadMapping(
        f"requires= is the function {place_of(requires)}, which raises {error!r}; "
        "it must say True or False of every input that the contract allows"
    )
