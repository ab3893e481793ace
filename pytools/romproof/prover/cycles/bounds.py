"""The cycles of a routine: the claim holds, and both of its ends are reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from romproof.contract.nouns.model import CycleClaim, claim_text
from romproof.contract.nouns.statement import StatementKind
from romproof.prover.conditions.extremes import is_reached
from romproof.prover.conditions.termination import Ending
from romproof.prover.cycles.potential import find_bound, find_bound_with_counters
from romproof.prover.cycles.reachability import MAX_LEGS, Reached, find_bound_by_states
from romproof.prover.cycles.worst_case import find_most_cycles
from romproof.prover.exploration.explore import Leg, ProgramPoint
from romproof.prover.replay.judge import SPARE, Case
from romproof.prover.results import Attained, CycleProof, Example, Finding, Proof, Verdict
from romproof.prover.states.variables import is_contracted
from romproof.symbolic.execute.state import CYCLE_BITS
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.solve.smallest import smallest
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause
from romproof.witness.results import Witnessed

_TOO_MANY = (1 << CYCLE_BITS) - 1
"""Cycles with which sums of cycles could wrap around."""
SHARE = 16
"""The inputs shown for limits are worth one in so many of the effort for a counterexample: there
are two of them in each proof, and they refute nothing."""


def cycles(
    case: Case, claim: CycleClaim | None, loose: bool, constant: bool, ending: Ending
) -> tuple[Finding, CycleProof]:
    """Whether a routine keeps to the claim, and its real limits.

    Without ``loose`` it is told as well whether the limits are attained. ``constant``: the claim
    says that the inputs play no part.
    """
    statement = f"takes {write_claim(claim)} {case.abi.cycles}{', whatever its inputs' * constant}"
    try:
        proof = limits(case, claim or (None, None), ending)
    except Undecided as stop:
        return _make_unknown(statement, stop.reason, stop.cause), CycleProof(None, None)
    unlimited = ", ".join(find_unlimited(case))
    cause = Cause.ITERATIONS_NOT_KNOWN
    why = "the number of iterations through its invariants is not bounded: add 'decreases:'"
    if waits_for_interrupts(case):
        cause = Cause.INTERRUPT_WAIT
        why = "it waits for interrupts"
    elif unlimited:
        cause = Cause.UNLIMITED_CALLEE
        why = f"the cycles of its callee {unlimited} have no limit: add 'cycles:' there"
    unbounded = _make_unknown(statement, f"no upper bound is known: {why}", cause)
    found = _judge(statement, claim, proof, loose, constant, unbounded)
    return replace(found, kind=StatementKind.CYCLES), proof


def _make_unknown(statement: str, detail: str, *causes: Cause) -> Finding:
    return Finding(statement, Verdict.UNKNOWN, detail, kind=StatementKind.CYCLES, causes=causes)


def find_unlimited(case: Case) -> list[str]:
    """The callees of which nothing says how long a call takes at most: neither does anything of
    what calls them."""
    return sorted({call.unlimited for call in case.exploration.calls if call.unlimited})


def waits_for_interrupts(case: Case) -> bool:
    """Whether an instruction waits for an interrupt: nothing says how long."""
    return any(call.waits for call in case.exploration.calls)


def write_claim(claim: CycleClaim | None) -> str:
    """A claim as contracts write it."""
    return "a limited number of" if claim is None else claim_text(claim)


def _judge(
    statement: str,
    claim: CycleClaim | None,
    proof: CycleProof,
    loose: bool,
    constant: bool,
    unbounded: Finding,
) -> Finding:
    real = write_claim((proof.least, proof.most)) if proof.least is not None else "?"
    if claim is None:
        return Finding(statement, Verdict.PROVED, real)
    low, high = claim
    least, most = proof.least, proof.most
    reached = proof.fastest is not None and proof.slowest is not None
    if constant and reached and least != most:
        broken = f"it takes {least} for one input and {most} for the other"
        return Finding(statement, Verdict.REFUTED, broken, proof.fastest, True, other=proof.slowest)
    if least is not None and least < low and proof.fastest is not None:
        return Finding(statement, Verdict.REFUTED, f"it can take {least}", proof.fastest, True)
    if high is not None and most is not None and most > high and proof.slowest is not None:
        return Finding(statement, Verdict.REFUTED, f"it can take {most}", proof.slowest, True)
    if high is not None and most is None:
        return unbounded
    if high is not None and most is not None and most > high:
        return _make_unknown(
            statement, f"an upper bound is {most}; no input is known", Cause.END_NOT_REACHED
        )
    if least is None or least < low:
        return _make_unknown(
            statement, f"a lower bound is {least}; no input is known", Cause.END_NOT_REACHED
        )
    if constant and least != most:
        broken = f"it takes {real}; no two inputs are known that take different numbers"
        return _make_unknown(statement, broken, Cause.END_NOT_REACHED)
    beyond = [f"no input takes less than {least}"] * (least > low > 0)
    if high is not None and most is not None and most < high:
        beyond.append(f"no input takes more than {most}")
    if beyond:
        attained, ends = Attained.NO, ", ".join(beyond)
    elif (proof.fastest is None and low > 0) or (proof.slowest is None and high is not None):
        attained, ends = (
            Attained.UNKNOWN,
            ("no less and no more; no input is known that reaches an end"),
        )
    else:
        ends = "always" if low == high else "each end is reached" if high is not None else "reached"
        attained = Attained.YES
    told = None if loose else attained
    return Finding(statement, Verdict.PROVED, f"{real}: {ends}", attained=told)


def with_reached(proof: Proof, case: Case, limits: CycleProof, seen: Witnessed) -> Proof:
    """A proof in which limits that no input is known to reach are compared with what was executed,
    and where that is not enough with inputs that make loops as long and as short as they can be.

    Where all inputs were executed, their limits are the real ones.
    """
    contract = case.contract
    if contract.cycles is None or seen.least is None or seen.most is None:
        return proof
    low, high = contract.cycles
    sides = (
        (limits.fastest is None and low > 0, low, seen.least.cycles, "less"),
        (limits.slowest is None and high is not None, high, seen.most.cycles, "more"),
    )
    open_ = [(limit, cycles, word) for is_open, limit, cycles, word in sides if is_open]
    wrong = [(limit, cycles, word) for limit, cycles, word in open_ if limit != cycles]
    if not seen.exhaustive:
        wrong = [each for each in wrong if each[0] is None or not is_reached(case, each[0])]
    if not open_:
        return proof
    attained, detail = Attained.YES, "the executed inputs reach each end"
    if wrong:
        limit, cycles, word = wrong[0]
        attained, detail = Attained.UNKNOWN, f"no input is known that takes {limit}"
        if seen.exhaustive:
            attained = Attained.NO
            detail = f"no input takes {word} than {cycles}: all were executed"
    findings = tuple(
        replace(each, attained=attained, detail=detail)
        if each.attained is Attained.UNKNOWN
        else each
        for each in proof.findings
    )
    if seen.exhaustive:
        limits = replace(limits, least=seen.least.cycles, most=seen.most.cycles)
    return replace(proof, findings=findings, cycles=limits)


def limits(case: Case, claim: tuple[int | None, int | None], ending: Ending) -> CycleProof:
    """The real limits; ``claim`` is what they are supposed to be. Raises Undecided."""
    exploration = case.exploration
    if not exploration.returning_legs():
        raise Undecided(Cause.NO_RETURN, "it never returns")
    if any(leg.at.total_cycles().high >= _TOO_MANY for leg in exploration.legs):
        raise Undecided(
            Cause.END_NOT_REACHED,
            f"no limit below {_TOO_MANY:,} cycles is known for a call",
        )
    if find_unlimited(case) or waits_for_interrupts(case):
        return CycleProof(_find_shortest(case)[0], None)
    if not exploration.cuts and len(exploration.legs) == 1:
        return _of_one(case, exploration.legs[0], claim)
    least, direct = _find_shortest(case)
    fastest = None
    if direct is not None:
        term = direct.at.total_cycles()
        model = case.oracle.least(direct.at.path, term)
        fastest = _example(case, direct, model, term)
    most = None
    if ending.steps is not None:
        each = dict(enumerate(_find_most(case, leg) for leg in exploration.legs))
        most = find_most_cycles(ending.steps, exploration.legs, each)
    low, high = claim
    slowest = None
    if low is not None and least < low:
        found, by_states = _improve(case, -1, low, True)
        least = least if found is None else max(least, found)
        fastest = by_states or fastest
    if high is not None and (most or high + 1) > high:
        is_far = most is not None and high > MAX_LEGS * max(each.values(), default=0)
        found, slowest = _improve(case, 1, high, most is not None, is_far)
        most = found if most is None or found is None else min(most, found)
    return CycleProof(least, most, fastest, slowest)


def _improve(
    case: Case, sign: int, wanted: int, by_numbers: bool, is_far: bool = False
) -> tuple[int | None, Example | None]:
    """A bound that is as good as ``wanted``, if one is found: by numbers that decrease, where they
    show enough, by the states that are there, and by counters besides; and an input that reaches
    it. The counters come first where that ``is_far``, more than so many legs take as states are
    followed along. Raises Undecided."""
    best, by = find_bound(case, sign) if by_numbers else (None, {})
    if is_far:
        best = find_bound_with_counters(case, sign, wanted, best, by)
    if best is not None and sign * best <= sign * wanted:
        return best, None
    reached = find_bound_by_states(case, sign)
    if reached is not None:
        return reached.cycles, _reach(case, reached)
    return best if is_far else find_bound_with_counters(case, sign, wanted, best, by), None


def _reach(case: Case, bound: Reached) -> Example | None:
    """The input that reaches a bound, if it does so when executed."""
    if bound.model is None:
        return None
    involved = [*t.variables([*case.oracle.assumptions, *bound.chosen])]
    limit = bound.cycles + SPARE
    done = case.run(case.entry, bound.model, involved, case.start.ends, limit=limit)
    taken = done.stopped and done.cycles == bound.cycles
    return case.example(bound.model, involved) if taken else None


def _find_most(case: Case, leg: Leg) -> int:
    """The most cycles of a leg, wherever it begins."""
    term = leg.at.total_cycles()
    if case.oracle.ask(leg.at.path).kind is AnswerKind.UNSAT:
        return 0  # no input goes this way
    return case.oracle.most(leg.at.path, term).value(term)


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


def _example(case: Case, leg: Leg, model: Model, cycles: Term) -> Example | None:
    """The smallest input that takes as many cycles as a model; None where a callee may take any
    time that its contract allows.

    Raises Undecided when the machine takes other cycles for it.
    """
    involved = [cycles, *leg.at.path]
    if any(map(is_contracted, t.variables(involved))):
        return None
    so_many = t.eq(cycles, t.const(model.value(cycles), cycles.width))
    conditions, model = case.separate([*leg.at.path, so_many], model)
    model = smallest(case.oracle, conditions, model, SHARE)
    example = case.example(model, involved)
    limit = model.value(cycles) + SPARE
    done = case.run(leg.first, model, involved, [leg.end], limit=limit)
    if not done.stopped or done.cycles != model.value(cycles):
        taken = f"the machine takes {done.cycles}" if done.stopped else "the machine does not end"
        raise Undecided(
            Cause.PROVER_FAULT,
            f"{model.value(cycles)} for {example}, but {taken}: please report this",
        )
    return example


def _find_shortest(case: Case) -> tuple[int, Leg | None]:
    """The fewest cycles along the legs, and the leg if it is a single one: then an input is known.

    What a leg takes least counts for it wherever it begins: the sum is a lower bound.
    """
    weights = list(_weights(case))
    best: dict[ProgramPoint, tuple[int, Leg | None]] = {None: (0, None)}
    for _ in weights:
        for leg, weight in weights:
            if leg.begin not in best:
                continue
            total = best[leg.begin][0] + weight
            if leg.end not in best or total < best[leg.end][0]:
                best[leg.end] = total, leg if leg.begin is None else None
    ends = [best[end] for end in case.start.ends if end in best]
    if not ends:
        raise Undecided(Cause.NO_RETURN, "it never returns")
    return min(ends, key=lambda each: each[0])


def _weights(case: Case) -> Iterator[tuple[Leg, int]]:
    for leg in case.legs:
        term: Term = leg.at.total_cycles()
        if case.oracle.ask(leg.at.path).kind is AnswerKind.UNSAT:
            continue
        model = case.oracle.least(leg.at.path, term)
        yield leg, model.value(term)
