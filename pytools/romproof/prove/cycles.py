"""The cycles of a routine: the claim holds, and both of its ends are reached."""

from __future__ import annotations

from collections.abc import Iterator

from romproof.contract.model import CycleClaim
from romproof.prove.case import Case
from romproof.prove.explore import Leg
from romproof.prove.replay import inputs_of, run
from romproof.prove.results import CycleProof, Example, Finding, Verdict
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms.term import Term


def cycles(
    case: Case, claim: CycleClaim | None, loose: bool, constant: bool = False
) -> tuple[Finding, CycleProof]:
    """Whether a routine keeps to the claim, and its real limits.

    Without ``loose``, a claim that no input reaches is refuted as well. ``constant``: the claim
    says that the inputs play no part.
    """
    statement = f"takes {said(claim)} {case.abi.cycles}{', whatever its inputs' * constant}"
    try:
        proof = _limits(case, claim or (None, None))
    except Undecided as reason:
        return Finding(statement, Verdict.UNKNOWN, reason.reason), CycleProof(None, None)
    return _judge(statement, claim, proof, loose, constant), proof


def said(claim: CycleClaim | None) -> str:
    """A claim as contracts write it."""
    if claim is None:
        return "a limited number of"
    low, high = claim
    return str(low) if low == high else f"{low}..{'' if high is None else high}"


def _judge(
    statement: str, claim: CycleClaim | None, proof: CycleProof, loose: bool, constant: bool
) -> Finding:
    real = said((proof.least, proof.most)) if proof.least is not None else "?"
    if claim is None:
        return Finding(statement, Verdict.PROVED, real)
    low, high = claim
    least, most = proof.least, proof.most
    if constant and least is not None and most is not None and least < most:
        broken = f"it takes {least} for one input and {most} for the other"
        return Finding(statement, Verdict.REFUTED, broken, proof.fastest, True, other=proof.slowest)
    if least is not None and least < low and proof.fastest is not None:
        return Finding(statement, Verdict.REFUTED, f"it can take {least}", proof.fastest, True)
    if high is not None and most is not None and most > high and proof.slowest is not None:
        return Finding(statement, Verdict.REFUTED, f"it can take {most}", proof.slowest, True)
    if high is not None and most is None:
        why = "its loops have invariants, which say nothing of how often they turn"
        return Finding(statement, Verdict.UNKNOWN, f"no upper bound is known: {why}")
    if least is None or least < low:
        return Finding(statement, Verdict.UNKNOWN, f"a lower bound is {least}; no input is known")
    if not loose:
        if least > low:
            broken = f"no input takes less than {least}"
            replayed = True if proof.fastest is not None else None
            return Finding(statement, Verdict.REFUTED, broken, proof.fastest, replayed)
        if high is not None and most is not None and most < high:
            broken = f"no input takes more than {most}"
            return Finding(statement, Verdict.REFUTED, broken, proof.slowest, True)
    ends = (
        "always"
        if low == high
        else "each end is reached"
        if high is not None
        else (
            f"{low} are reached"
            if proof.fastest is not None
            else "no input is known that takes least"
        )
    )
    return Finding(statement, Verdict.PROVED, f"{real}: {ends}")


def _limits(case: Case, claim: tuple[int | None, int | None]) -> CycleProof:
    """The real limits. Raises Undecided."""
    legs = case.found.legs
    if not case.found.returning():
        raise Undecided("it never returns")
    if len(legs) == 1:
        return _of_one(case, legs[0], claim)
    least, direct = _shortest(case)
    fastest = None
    if direct is not None:
        term = direct.at.total_cycles()
        model = case.oracle.least(direct.at.path, term)
        fastest = _example(case, direct, model, term)
    return CycleProof(least, None, fastest, None)


def _of_one(case: Case, leg: Leg, claim: tuple[int | None, int | None]) -> CycleProof:
    term, (low, high) = leg.at.total_cycles(), claim
    fast = case.oracle.least(leg.at.path, term, low)
    slow = case.oracle.most(leg.at.path, term, high)
    return CycleProof(
        fast.value(term),
        slow.value(term),
        _example(case, leg, fast, term),
        _example(case, leg, slow, term),
    )


def _example(case: Case, leg: Leg, model: Model, cycles: Term) -> Example:
    """The input of a model. Raises Undecided when the machine takes other cycles for it."""
    program, involved = case.found.start.program, [cycles, *leg.at.path]
    done = run(program, inputs_of(program, leg.first, model, involved), [leg.end])
    example = case.example(model, involved)
    if not done.stopped or done.cycles != model.value(cycles):
        taken = f"the machine takes {done.cycles}" if done.stopped else "the machine does not end"
        raise Undecided(f"{model.value(cycles)} for {example}, but {taken}: please report this")
    return example


def _shortest(case: Case) -> tuple[int, Leg | None]:
    """The fewest cycles along the legs, and the leg if it is a single one: then an input is known.

    What a leg takes least counts for it wherever it begins: the sum is a lower bound.
    """
    start, returns = case.found.start.address, case.found.start.ends[0]
    weights = list(_weights(case))
    best: dict[int, tuple[int, Leg | None]] = {start: (0, None)}
    for _ in weights:
        for leg, weight in weights:
            if leg.begin not in best:
                continue
            total = best[leg.begin][0] + weight
            if leg.end not in best or total < best[leg.end][0]:
                best[leg.end] = total, leg if leg.begin == start else None
    if returns not in best:
        raise Undecided("it never returns")
    return best[returns]


def _weights(case: Case) -> Iterator[tuple[Leg, int]]:
    for leg in case.found.legs:
        term: Term = leg.at.total_cycles()
        model = case.oracle.least(leg.at.path, term)
        yield leg, model.value(term)
