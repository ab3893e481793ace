"""Loop iterations counted across invariants.

Execution starts afresh at a cut (an invariant), where the number k of iterations so far is an
unconstrained variable. It is constrained through the number n that decreases at the cut
(``decreases:``): where every iteration takes d off n, d * k + n stays constant. So for a step d,

    n >= 0,   low <= d * k + n <= high

hold at the cut, by induction over the arrivals, if they hold on every arrival from elsewhere (the
base case; ``low`` and ``high`` are its extremes) and if every path from the cut back to it
preserves them (the induction step). d is 1 or the step seen in one example; a pair of limits that
is not preserved is not used. The upper limits come first: they show that k does not wrap around,
which the lower ones need.

k has sixteen bits. It does not wrap around as long as the claims on the iterations hold: ``high``
and the claimed numbers fit, and the first count beyond them breaks a claim.
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
from romproof.symbolic.execute.iterations import COUNT_BITS
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import SymInt
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

MOST = (1 << COUNT_BITS) - 1


def loops(case: Case) -> Iterator[Finding]:
    """Each loop has as many iterations as the contract states."""
    exploration = case.exploration
    for bound in exploration.start.contract.loops:
        events = [
            event
            for event in exploration.events
            if event.kind is EventKind.LOOPS and event.detail.startswith(f"{bound.label} ")
        ]
        statement = f"loops: {bound.label} is executed {bound.least}..{bound.most} times"
        known: dict[int | None, list[Term]] = {None: []}
        for address, cut in exploration.cuts.items():
            counted = {
                place: k for place, k in cut.state.iterations.items() if place in bound.addresses
            }
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
        return f"in a loop with an invariant, only up to {MOST - 1:,} iterations can be counted"
    where = case.image.describe(address)
    if address in decreases_of(case):
        return (
            f"the number of iterations before execution reaches {where} is not known: "
            "'decreases:' does not determine it"
        )
    return (
        f"the number of iterations before execution reaches {where} is not known: add "
        "'; decreases: LABEL: EXPRESSION', a number that decreases by the same amount at each visit"
    )


def _facts(case: Case, address: int, place: int) -> list[Term]:
    """What is known at a cut about the iterations of the loop around ``place``."""
    one = decreases_of(case).get(address)
    if one is None:
        return []
    legs = case.exploration.leading_to(address)
    back = [leg for leg in legs if leg.begin == address]
    entering = [leg for leg in legs if leg.begin != address]
    first = case.exploration.cuts[address].state
    natural = truth_of(value_at(case, one, first) >= 0)
    if not all(always(case, leg, truth_of(value_at(case, one, leg.at) >= 0)) for leg in legs):
        return []
    facts = [natural]
    for step in dict.fromkeys([1, *_steps(case, one, place, back)]):

        def total(state: State, step: int = step) -> Any:
            return _iterations(state, place) * step + value_at(case, one, state)

        ends = [(leg, total(leg.at)) for leg in entering]
        high, low = (extreme_of(case, ends, sign) for sign in (1, -1))
        limits = [(high, 1)] if high is not None and high < MOST else []
        limits += [(low, -1)] if low is not None else []
        for limit, sign in limits:
            known = truth_of(total(first) * sign <= limit * sign)
            preserved = ((leg, truth_of(total(leg.at) * sign <= limit * sign)) for leg in back)
            if all(always(case, leg, claim, [*facts, known]) for leg, claim in preserved):
                facts.append(known)
    return facts if len(facts) > 1 else []


def _iterations(state: State, place: int) -> SymInt:
    return SymInt(state.iterations.get(place, t.const(0, COUNT_BITS)))


def _steps(case: Case, one: Decrease, place: int, back: Sequence[Leg]) -> Iterator[int]:
    """By how much one iteration decreases the number, in one example of each path back."""
    for leg in back:
        answer = case.oracle.ask(leg.at.path)
        if answer.model is None:
            continue
        model, first = answer.model, leg.first
        smaller = _plain(model, value_at(case, one, first))
        smaller -= _plain(model, value_at(case, one, leg.at))
        iterations = _plain(model, _iterations(leg.at, place)) - _plain(
            model, _iterations(first, place)
        )
        if iterations > 0 and smaller > 0 and smaller % iterations == 0:
            yield smaller // iterations


def _plain(model: Model, value: Any) -> int:
    """A number for the input of a model."""
    if isinstance(value, int):
        return value
    number = model.value(value.term)
    width = value.term.width
    return number - (1 << width) if value.low < 0 and number >> (width - 1) else number
