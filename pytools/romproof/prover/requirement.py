"""``requires=`` as a function: it has to say True or False of every input."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.prover.case import Case
from romproof.prover.mapping import Mapping, Model
from romproof.prover.models.agreement import agreement_of
from romproof.prover.models.follow import follow, place_of, terms_in
from romproof.prover.models.inputs import drawn
from romproof.prover.places import BadMapping, View
from romproof.symbolic.numbers.integers import SymInt, condition
from romproof.symbolic.numbers.model_run import merged
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.solve.freedom import without_free_bits
from romproof.symbolic.terms.term import Term


def required(case: Case, mapping: Mapping, requires: Model, entry: View) -> Term:
    """What ``requires`` says of an input, as one bit.

    Raises BadMapping when it does not say it of every input that the contract allows, NotSymbolic
    for what cannot be followed.
    """
    oracle = case.oracle
    arguments = mapping.arguments(entry)
    followed = follow(
        requires,
        lambda: mapping.run(requires, entry),
        oracle.assumptions,
        lambda conditions: oracle.ask(without_free_bits(conditions)).kind != "unsat",
    )
    for path in followed.paths:
        if path.error is not None:
            raise raising(requires, path.error)
        said(requires, path.result)
    terms: Sequence[Term] = [*terms_in([*arguments[0], *arguments[1].values()])]
    agreement = agreement_of(
        oracle,
        followed,
        arguments,
        lambda given: mapping.call(requires, given),
        drawn(oracle, terms, []),
        [],
        terms,
    )
    if agreement.difference:
        raise NotSymbolic(f"requires=: {agreement.difference}")
    return condition(merged(followed.paths)) if followed.paths else condition(False)


def said(requires: Model, result: object) -> bool:
    """What ``requires`` said: of a symbolic number, that it is 0 or 1. Raises BadMapping."""
    if isinstance(result, SymInt):
        if result.low >= 0 and result.high <= 1:
            return True
        told = f"a number within {result.low}..{result.high}"
    elif isinstance(result, int) and result in (0, 1):
        return bool(result)
    else:
        told = "None: a 'return' is missing" if result is None else repr(result)
    raise BadMapping(
        f"requires= is the function {place_of(requires)}, which gives {told}; "
        "it must say True or False of every input that the contract allows"
    )


def raising(requires: Model, error: Exception) -> BadMapping:
    """That ``requires`` raised."""
    return BadMapping(
        f"requires= is the function {place_of(requires)}, which raises {error!r}; "
        "it must say True or False of every input that the contract allows"
    )
