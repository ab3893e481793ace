"""``requires=`` of a model: what it says of an input, followed as terms."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.prover.models.agreement import agreement_of
from romproof.prover.models.follow import follow, terms_in
from romproof.prover.models.inputs import draw_inputs
from romproof.prover.models.mapping import Mapping, ModelFunction
from romproof.prover.models.predicate import ask_predicate, raising
from romproof.prover.replay.judge import Case
from romproof.prover.states.model_places import View
from romproof.symbolic.numbers.integers import condition
from romproof.symbolic.numbers.model_run import merge_results
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.freedom import without_free_bits
from romproof.symbolic.terms.term import Term


def follow_requirement(case: Case, mapping: Mapping, requires: ModelFunction, entry: View) -> Term:
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
        lambda conditions: oracle.ask(without_free_bits(conditions)).kind is not AnswerKind.UNSAT,
    )
    for path in followed.paths:
        if path.error is not None:
            raise raising(requires, path.error)
        ask_predicate(requires, path.result)
    terms: Sequence[Term] = [*terms_in([*arguments[0], *arguments[1].values()])]
    agreement = agreement_of(
        oracle,
        followed,
        arguments,
        lambda given: mapping.call(requires, given),
        draw_inputs(oracle, terms, []),
        [],
        terms,
    )
    if agreement.difference:
        raise NotSymbolic(f"requires=: {agreement.difference}")
    return condition(merge_results(followed.paths)) if followed.paths else condition(False)
