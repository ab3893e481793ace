"""Loop iterations counted across invariants.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from romproof.contract.nouns.model import LoopBound
from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.prover.conditions.counters import NumberBytes, number_at, steps_of
from romproof.prover.conditions.termination import (
    decreases_of,
    extreme_of,
    truth_of,
    value_at,
)
from romproof.prover.exploration.explore import Leg, ProgramPoint
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import Finding, Verdict
from romproof.prover.states.entry import Start
from romproof.symbolic.execute.events import EventKind
from romproof.symbolic.execute.iterations import COUNT_BITS, Counted
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import SymInt
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause
from romproof.text.messages import Message, MessageKind
from romproof.timing.graph import NoCode
from romproof.timing.program import CountedCode, NotCounted

MAX = (1 << COUNT_BITS) - 1
"""Numbers of iterations are claimed below it: no count then has come round."""

CountFacts = dict[int, list[Term]]
"""What is known at cuts, by their addresses: terms of one bit."""

CountedNumber = Callable[[State], Any]
"""A number in a state: an int or a SymInt."""


def count_loops(start: Start) -> Iterator[Counted]:
    """The loops whose iterations a contract states, and somebody can count."""
    for bound in start.contract.loops:
        for place in bound.addresses:
            where = _count_at(start, place)
            if isinstance(where, CountedCode):
                yield Counted(place, bound.least, bound.most, where.body, bound, where.edges)


def _count_at(start: Start, place: int) -> CountedCode | NotCounted:
    try:
        return start.program.bounded.count_at(start.address, place)
    except NoCode:
        return NotCounted.ELSEWHERE


def loops(case: Case) -> Iterator[Finding]:
    """Each loop has as many iterations as the contract states."""
    exploration = case.exploration
    for bound in exploration.start.contract.loops:
        events = [
            event
            for event in exploration.events
            if event.kind is EventKind.LOOPS and event.about == bound
        ]
        statement = _fill(Property.LOOPS, bound)
        if bound.most >= MAX:  # a count that has come round would be taken for a small one
            yield _report_open(statement, Reason.TOO_MANY_ITERATIONS(most=MAX - 1))
            continue
        where = [_count_at(exploration.start, place) for place in bound.addresses]
        why = next((each.value for each in where if isinstance(each, NotCounted)), None)
        if why is not None:
            yield _report_open(statement, Reason.NOT_COUNTED(label=bound.label, why=why))
            continue
        known: dict[int | None, list[Term]] = {None: []}
        facts = {place: _facts_of(case, place) for place in bound.addresses}
        for address in exploration.cuts:
            here = [facts[place][address] for place in facts if address in facts[place]]
            known[address] = [fact for each in here for fact in each]
            if here and not known[address]:
                yield _report_open(statement, _advise(case, address))
                break
        else:
            broken = _fill(Reason.EXECUTED_TIMES, bound)
            claims = (Claim(broken, [*known[e.begin], *e.path], e.what, event=e) for e in events)
            yield case.judge(StatementKind.LOOPS, statement, claims)


def _fill(kind: MessageKind, bound: LoopBound) -> Message:
    return kind(label=bound.label, least=bound.least, most=bound.most)


def _report_open(statement: Message, reason: Message) -> Finding:
    kind, causes = StatementKind.LOOPS, (Cause.ITERATIONS_NOT_KNOWN,)
    return Finding(statement, Verdict.UNKNOWN, reason, kind=kind, causes=causes)


def _advise(case: Case, address: int) -> Message:
    is_given = address in decreases_of(case)
    kind = Reason.ITERATIONS_NOT_DETERMINED if is_given else Reason.ITERATIONS_UNKNOWN
    return kind(place=case.image.describe(address))


def _facts_of(case: Case, place: int) -> CountFacts:
    """What is known at each cut in the loop around ``place`` about its iterations."""
    free = [
        address
        for address, cut in case.exploration.cuts.items()
        if place in cut.state.iterations and not cut.state.iterations[place].is_const
    ]
    facts: CountFacts = {address: [] for address in free}
    if not free:
        return facts
    for number, step in _numbers(case, free):
        for address, more in _Sums(case, place, number, step, free).facts().items():
            facts[address] += more
    return facts


def _numbers(case: Case, free: Collection[int]) -> Iterator[tuple[CountedNumber, int]]:
    """What may have to do with the iterations, and by how much it may decrease."""
    for one in {one.text: one for one in decreases_of(case).values()}.values():
        yield partial(value_at, case, one), 1
    legs = [leg for leg in case.exploration.legs if leg.begin in free and leg.end in free]
    for names, step in steps_of(case, legs).items():
        yield partial(_down if step < 0 else _up, names), abs(step)


def _down(names: NumberBytes, state: State) -> Any:
    return SymInt(number_at(names, state))


def _up(names: NumberBytes, state: State) -> Any:
    return (1 << 8 * len(names)) - 1 - _down(names, state)


@dataclass(frozen=True)
class _Sums:
    """The sums d * k + n at the cuts ``free`` of a loop: k are its iterations, n is ``number``,
    which may decrease by ``step``."""

    case: Case
    place: int
    number: CountedNumber
    step: int
    free: Sequence[int]

    def facts(self) -> CountFacts:
        """Limits of the sums at each cut, for some d; none where no limits are preserved."""
        legs = [leg for leg in self.case.legs if leg.end in self.free]
        if not all(
            self.case.oracle.holds(leg.at.path, truth_of(self.number(leg.at) >= 0)) for leg in legs
        ):
            return {}
        natural = {a: [truth_of(self.number(self._at(a)) >= 0)] for a in self.free}
        known = {address: list(terms) for address, terms in natural.items()}
        for step in dict.fromkeys([1, self.step, *self._steps(legs)]):
            # the upper limits come first: they show that k does not wrap around
            for sign in (1, -1):
                limits = self._limits(legs, step, sign, known)
                if limits is not None and self._are_preserved(legs, step, sign, limits, known):
                    for address, limit in limits.items():
                        known[address].append(self._is_within(self._at(address), step, sign, limit))
        return known if known != natural else {}

    def _at(self, address: int) -> State:
        return self.case.exploration.cuts[address].state

    def _sum(self, state: State, step: int) -> Any:
        return _iterations(state, self.place) * step + self.number(state)

    def _is_within(self, state: State, step: int, sign: int, limit: int) -> Term:
        """One bit: is the sum not beyond a limit?"""
        return truth_of(self._sum(state, step) * sign <= limit * sign)

    def _limits(
        self, legs: Sequence[Leg], step: int, sign: int, known: CountFacts
    ) -> dict[int, int] | None:
        """The extreme of each sum at its first arrivals: from outside of the loop, or else from
        cuts in it whose limit is known already. None where there is none."""
        limits: dict[int, int] = {}
        begins: set[ProgramPoint] = {leg.begin for leg in legs if leg.begin not in known}
        while len(limits) < len(self.free):
            reached = {leg.end for leg in legs if leg.begin in begins} - limits.keys()
            if not reached:
                return None
            for address in sorted(reached):
                ends = [
                    (leg, self._sum(leg.at, step), self._suppose(leg, step, sign, limits, known))
                    for leg in legs
                    if leg.end == address and leg.begin in begins
                ]
                limit = extreme_of(self.case, ends, sign)
                if limit is None or (sign > 0 and limit >= MAX):
                    return None
                limits[address] = limit
            begins |= reached
        return limits

    def _suppose(
        self, leg: Leg, step: int, sign: int, limits: Mapping[int, int], known: CountFacts
    ) -> list[Term]:
        """What holds where a leg begins, if the limits do."""
        if leg.begin is None or leg.begin not in known:
            return []
        facts = list(known[leg.begin])
        if leg.begin in limits:
            facts.append(self._is_within(leg.first, step, sign, limits[leg.begin]))
        return facts

    def _are_preserved(
        self,
        legs: Sequence[Leg],
        step: int,
        sign: int,
        limits: Mapping[int, int],
        known: CountFacts,
    ) -> bool:
        return all(
            self.case.oracle.holds(
                [*leg.at.path, *self._suppose(leg, step, sign, limits, known)],
                self._is_within(leg.at, step, sign, limits[leg.end]),
            )
            for leg in legs
        )

    def _steps(self, legs: Sequence[Leg]) -> Iterator[int]:
        """By how much one iteration may decrease the number: as it does in one example of each
        path in the loop."""
        for leg in legs:
            if leg.begin not in self.free:
                continue
            answer = self.case.oracle.ask(leg.at.path)
            if answer.model is None:
                continue
            model, first = answer.model, leg.first
            smaller = _to_number(model, self.number(first)) - _to_number(model, self.number(leg.at))
            iterations = _to_number(model, _iterations(leg.at, self.place))
            iterations = max(iterations - _to_number(model, _iterations(first, self.place)), 1)
            if smaller > 0 and smaller % iterations == 0:
                yield smaller // iterations


def _iterations(state: State, place: int) -> SymInt:
    return SymInt(state.iterations.get(place, t.const(0, COUNT_BITS)))


def _to_number(model: Model, value: Any) -> int:
    """A number for the input of a model."""
    if isinstance(value, int):
        return value
    number = model.value(value.term)
    width = value.term.width
    return number - (1 << width) if value.low < 0 and number >> (width - 1) else number
