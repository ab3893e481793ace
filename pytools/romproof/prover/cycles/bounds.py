"""The cycles of a routine: the claim holds, and both of its ends are reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from romproof.contract.nouns.model import CycleClaim, claim_text
from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
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
from romproof.text.messages import Message
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
    statement = _state_claim(claim, case.abi.cycles, constant)
    try:
        proof = limits(case, claim or (None, None), ending)
    except Undecided as stop:
        return _make_unknown(statement, stop.reason, stop.cause), CycleProof(None, None)
    unlimited = tuple(find_unlimited(case))
    cause, why = Cause.ITERATIONS_NOT_KNOWN, Reason.ITERATIONS_NOT_BOUNDED()
    if case.contract.decreases:
        why = Reason.DECREASES_NOT_BOUNDED()
    if waits_for_interrupts(case):
        cause, why = Cause.INTERRUPT_WAIT, Reason.WAITS_FOR_INTERRUPTS()
    elif unlimited:
        cause, why = Cause.UNLIMITED_CALLEE, Reason.CALLEE_UNLIMITED(callee=unlimited[0])
        if len(unlimited) > 1:
            why = Reason.CALLEES_UNLIMITED(callees=unlimited)
    unbounded = _make_unknown(statement, Reason.NO_UPPER_BOUND(why=why), cause)
    found = _judge(statement, claim, proof, loose, constant, unbounded)
    return replace(found, kind=StatementKind.CYCLES), proof


def _state_claim(claim: CycleClaim | None, unit: str, constant: bool) -> Message:
    if claim is None:
        return Property.CYCLES_LIMITED(unit=unit)
    kind = Property.CYCLES_CONSTANT if constant else Property.CYCLES
    return kind(claim=claim_text(claim, ","), unit=unit)


def _make_unknown(statement: Message, reason: Message | None, *causes: Cause) -> Finding:
    return Finding(statement, Verdict.UNKNOWN, reason, kind=StatementKind.CYCLES, causes=causes)


def find_unlimited(case: Case) -> list[str]:
    """The callees of which nothing says how long a call takes at most: neither does anything of
    what calls them."""
    return sorted({call.unlimited for call in case.exploration.calls if call.unlimited})


def waits_for_interrupts(case: Case) -> bool:
    """Whether an instruction waits for an interrupt: nothing says how long."""
    return any(call.waits for call in case.exploration.calls)


def _judge(
    statement: Message,
    claim: CycleClaim | None,
    proof: CycleProof,
    loose: bool,
    constant: bool,
    unbounded: Finding,
) -> Finding:
    real = claim_text((proof.least, proof.most), ",") if proof.least is not None else "?"
    if claim is None:
        return Finding(statement, Verdict.PROVED, Reason.CYCLES_ARE(cycles=real))
    low, high = claim
    least, most = proof.least, proof.most
    reached = proof.fastest is not None and proof.slowest is not None
    if constant and reached and least != most:
        broken = Reason.TAKES_BOTH(least=least, most=most)
        return Finding(statement, Verdict.REFUTED, broken, proof.fastest, True, other=proof.slowest)
    if least is not None and least < low and proof.fastest is not None:
        broken = Reason.CAN_TAKE(cycles=least)
        return Finding(statement, Verdict.REFUTED, broken, proof.fastest, True)
    if high is not None and most is not None and most > high and proof.slowest is not None:
        broken = Reason.CAN_TAKE(cycles=most)
        return Finding(statement, Verdict.REFUTED, broken, proof.slowest, True)
    if high is not None and most is None:
        return unbounded
    if high is not None and most is not None and most > high:
        return _make_unknown(statement, Reason.UPPER_BOUND_IS(cycles=most), Cause.END_NOT_REACHED)
    if least is None or least < low:
        return _make_unknown(statement, Reason.LOWER_BOUND_IS(cycles=least), Cause.END_NOT_REACHED)
    if constant and least != most:
        return _make_unknown(statement, Reason.TAKES_RANGE(cycles=real), Cause.END_NOT_REACHED)
    ends = [Reason.NONE_TAKES_LESS(cycles=least)] * (least > low > 0)
    if high is not None and most is not None and most < high:
        ends.append(Reason.NONE_TAKES_MORE(cycles=most))
    if ends:
        attained = Attained.NO
    elif (proof.fastest is None and low > 0) or (proof.slowest is None and high is not None):
        attained, ends = Attained.UNKNOWN, [Reason.NO_END_REACHED()]
    else:
        attained, ends = Attained.YES, [_describe_ends(low, high)]
    told = None if loose else attained
    reason = Reason.CYCLES_AND_ENDS(cycles=real, ends=tuple(ends))
    return Finding(statement, Verdict.PROVED, reason, attained=told)


def _describe_ends(low: int, high: int | None) -> Message:
    """That both ends of a claim are reached."""
    if low == high:
        return Reason.ALWAYS()
    return Reason.REACHED() if high is None else Reason.EACH_END_REACHED()


def with_reached(proof: Proof, case: Case, limits: CycleProof, seen: Witnessed) -> Proof:
    """A proof in which limits that no input is known to reach are compared with what was executed,
    and where that is not enough with inputs that make loops as long and as short as they can be.

    Where all inputs were executed, their limits are the real ones.
    """
    contract = case.contract
    if contract.cycles is None or seen.least is None or seen.most is None:
        return proof
    low, high = contract.cycles
    less, more = Reason.ALL_EXECUTED_LESS, Reason.ALL_EXECUTED_MORE
    sides = (
        (limits.fastest is None and low > 0, low, seen.least.cycles, less),
        (limits.slowest is None and high is not None, high, seen.most.cycles, more),
    )
    open_ = [(limit, cycles, kind) for is_open, limit, cycles, kind in sides if is_open]
    wrong = [(limit, cycles, kind) for limit, cycles, kind in open_ if limit != cycles]
    if not seen.exhaustive:
        wrong = [each for each in wrong if each[0] is None or not is_reached(case, each[0])]
    if not open_:
        return proof
    attained, reason = Attained.YES, Reason.EXECUTED_REACH()
    if wrong:
        limit, cycles, kind = wrong[0]
        attained, reason = Attained.UNKNOWN, Reason.NO_INPUT_TAKES(cycles=limit)
        if seen.exhaustive:
            attained, reason = Attained.NO, kind(cycles=cycles)
    findings = tuple(
        replace(each, attained=attained, reason=reason)
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
        raise Undecided(Cause.NO_RETURN, Reason.NEVER_RETURNS())
    if any(leg.at.total_cycles().high >= _TOO_MANY for leg in exploration.legs):
        raise Undecided(Cause.END_NOT_REACHED, Reason.NO_LIMIT_BELOW(cycles=_TOO_MANY))
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
        data = {"cycles": model.value(cycles), "example": str(example)}
        fault = Reason.MACHINE_DOES_NOT_END(**data)
        if done.stopped:
            fault = Reason.MACHINE_TAKES(**data, taken=done.cycles)
        raise Undecided(Cause.PROVER_FAULT, fault)
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
        raise Undecided(Cause.NO_RETURN, Reason.NEVER_RETURNS())
    return min(ends, key=lambda each: each[0])


def _weights(case: Case) -> Iterator[tuple[Leg, int]]:
    for leg in case.legs:
        term: Term = leg.at.total_cycles()
        if case.oracle.ask(leg.at.path).kind is AnswerKind.UNSAT:
            continue
        model = case.oracle.least(leg.at.path, term)
        yield leg, model.value(term)
