"""The rule for turns that are counted across invariants.

Execution begins anew at a cut, where nobody knows how often the loop has turned: the number k of
turns so far is a variable there. What is known of it comes from the number n that gets smaller at
the cut (``decreases:``). For a step d,

    n >= 0,   low <= d * k + n <= high

hold at a cut if they hold wherever execution comes there from elsewhere, and if a way from the cut
back to it keeps them: by induction over the arrivals. ``low`` and ``high`` are the extremes of the
first kind of arrival, d is 1 or what one turn shows; what is not kept is not used. The upper
limits come first: with them k does not wrap, and the lower ones are kept as well.

k has sixteen bits. It does not wrap as long as the claims on the turns hold: ``high`` and the
turns that are claimed are smaller than that, and the first count beyond them breaks a claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from romproof.contract.model import Decrease, LoopBound
from romproof.prover.case import Case, Claim
from romproof.prover.ending import always, decreases_of, extreme_of, truth_of, value_at
from romproof.prover.explore import Leg
from romproof.prover.results import Finding, Verdict
from romproof.symbolic.execute.events import EventKind
from romproof.symbolic.execute.state import State
from romproof.symbolic.execute.turns import COUNT_BITS
from romproof.symbolic.numbers.integers import SymInt
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

MOST = (1 << COUNT_BITS) - 1


def loops(case: Case) -> Iterator[Finding]:
    """As many turns as are said."""
    found = case.found
    for bound in found.start.contract.loops:
        events = [
            event
            for event in found.events
            if event.kind is EventKind.LOOPS and event.detail.startswith(f"{bound.label} ")
        ]
        statement = f"loops: {bound.label} is executed {bound.least}..{bound.most} times"
        known: dict[int | None, list[Term]] = {None: []}
        for address, cut in found.cuts.items():
            counted = {place: k for place, k in cut.state.turns.items() if place in bound.addresses}
            free = {place: k for place, k in counted.items() if not k.is_const}
            known[address] = [fact for place in free for fact in _facts(case, address, place)]
            if free and (not known[address] or bound.most >= MOST):
                yield Finding(statement, Verdict.UNKNOWN, _advice(case, address, bound))
                break
        else:
            claims = (
                Claim(f"{e.detail}, but not here", [*known[e.begin], *e.path], e.what, event=e)
                for e in events
            )
            yield case.judge(statement, claims)


def _advice(case: Case, address: int, bound: LoopBound) -> str:
    if bound.most >= MOST:
        return f"with an invariant in it, only numbers below {MOST:,} are counted"
    where = case.image.describe(address)
    if address in decreases_of(case):
        return (
            f"how often it has turned when execution comes to {where} is not known: its number "
            "under 'decreases:' does not tell"
        )
    return (
        f"how often it has turned when execution comes to {where} is not known: add '; decreases: "
        "LABEL: EXPRESSION', a number that is smaller by the same at each visit"
    )


def _facts(case: Case, address: int, place: int) -> list[Term]:
    """What holds at a cut of the turns of the loop around ``place``."""
    one = decreases_of(case).get(address)
    if one is None:
        return []
    legs = case.found.leading_to(address)
    back = [leg for leg in legs if leg.begin == address]
    entering = [leg for leg in legs if leg.begin != address]
    first = case.found.cuts[address].state
    natural = truth_of(value_at(case, one, first) >= 0)
    if not all(always(case, leg, truth_of(value_at(case, one, leg.at) >= 0)) for leg in legs):
        return []
    facts = [natural]
    for step in dict.fromkeys([1, *_steps(case, one, place, back)]):

        def total(state: State, step: int = step) -> Any:
            return _turns(state, place) * step + value_at(case, one, state)

        ends = [(leg, total(leg.at)) for leg in entering]
        high, low = (extreme_of(case, ends, sign) for sign in (1, -1))
        limits = [(high, 1)] if high is not None and high < MOST else []
        limits += [(low, -1)] if low is not None else []
        for limit, sign in limits:
            known = truth_of(total(first) * sign <= limit * sign)
            kept = ((leg, truth_of(total(leg.at) * sign <= limit * sign)) for leg in back)
            if all(always(case, leg, claim, [*facts, known]) for leg, claim in kept):
                facts.append(known)
    return facts if len(facts) > 1 else []


def _turns(state: State, place: int) -> SymInt:
    return SymInt(state.turns.get(place, t.const(0, COUNT_BITS)))


def _steps(case: Case, one: Decrease, place: int, back: Sequence[Leg]) -> Iterator[int]:
    """By how much the number gets smaller with one turn, in one example of each way back."""
    for leg in back:
        answer = case.oracle.ask(leg.at.path)
        if answer.model is None:
            continue
        model, first = answer.model, leg.first
        smaller = _plain(model, value_at(case, one, first))
        smaller -= _plain(model, value_at(case, one, leg.at))
        turns = _plain(model, _turns(leg.at, place)) - _plain(model, _turns(first, place))
        if turns > 0 and smaller > 0 and smaller % turns == 0:
            yield smaller // turns


def _plain(model: Model, value: Any) -> int:
    """A number for the input of a model."""
    if isinstance(value, int):
        return value
    found = model.value(value.term)
    width = value.term.width
    return found - (1 << width) if value.low < 0 and found >> (width - 1) else found
