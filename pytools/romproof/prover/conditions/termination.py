"""Termination: a routine ends if no path goes round a loop for ever.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from romproof.contract.nouns.model import Decrease
from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.prover.conditions.interrupts import Interruption
from romproof.prover.conditions.waits import (
    Wait,
    assumption_of,
    find_waiting_cuts,
    read_there,
    waits_for,
)
from romproof.prover.exploration.explore import Leg, split_leg
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import Finding, Verdict
from romproof.prover.states.handlers import HandlerFault
from romproof.prover.states.view import number_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import SymInt, condition
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import new_name
from romproof.symbolic.terms.origin import any_name
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause
from romproof.text.messages import Message, join_messages

SHOWN = 4
"""Places that are named where there are many."""

NUMBER_BITS = 64
"""The width in which the values of such numbers are looked for; larger ones have no limit."""


@dataclass(frozen=True)
class Step:
    """Why a set of cuts is not gone round for ever.

    The legs ``limited`` are taken at most ``times`` times (None: some number of times); what is
    ``left`` without them are the sets of ``inner``, each with its own step.
    """

    places: frozenset[int]
    legs: tuple[Leg, ...] = field(repr=False)
    limited: tuple[Leg, ...] = field(repr=False)
    times: int | None
    left: tuple[Leg, ...] = field(repr=False)
    inner: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Ending:
    """What is known of the end: ``findings`` on what is claimed; ``steps`` are None where
    something may go on for ever."""

    findings: tuple[Finding, ...]
    steps: tuple[Step, ...] | None


def ending(case: Case) -> Ending:
    """Whether a routine ends."""
    exploration = case.exploration
    search = _Search(case)
    steps = search.steps([leg for leg in exploration.legs if leg.end in exploration.cuts])
    findings = [*_prove_natural(case), *search.claims()]
    balanced = case.judge(StatementKind.RETURNS, Property.RETURNS(), _balance(case))
    if balanced.verdict is not Verdict.PROVED:
        findings.append(balanced)
    elif (search.waits or _waits_for_interrupts(case)) and not search.missing:
        changes = [wait.change for wait in search.waits]
        if _waits_for_interrupts(case):
            changes += [each for each in case.contract.changing if not each.is_port]
        assumptions = tuple(dict.fromkeys(map(assumption_of, changes)))
        reason = join_messages(map(_describe_wait, search.waits))
        reason = reason or Reason.ASSUMED(assumptions=assumptions)
        findings.append(_if_it_ends(reason, assuming=" and ".join(assumptions)))
    elif search.missing:
        missing = join_messages(search.missing)
        findings.append(_if_it_ends(missing, Cause.DECREASE_NOT_SHOWN))
    else:
        findings.append(balanced)
    return Ending(tuple(findings), None if search.missing else tuple(steps))


def _waits_for_interrupts(case: Case) -> bool:
    """Whether an instruction of the routine waits for an interrupt that is assumed to come. What a
    callee waits for, its own contract assumes."""
    assumed = any(not each.is_port for each in case.contract.changing)
    return assumed and any(call.waits for call in case.exploration.calls)


def _if_it_ends(reason: Message | None, *causes: Cause, assuming: str = "") -> Finding:
    """That a routine returns if it ends, and what shows no more."""
    kind, statement = StatementKind.RETURNS, Property.RETURNS()
    return Finding(statement, Verdict.PARTIAL, reason, assuming=assuming, kind=kind, causes=causes)


def _describe_wait(wait: Wait) -> Message:
    """Why a wait ends."""
    text, known = assumption_of(wait.change), wait.interruption
    if known is None:
        return Reason.ASSUMED(assumptions=(text,))
    interrupts: tuple[object, ...] = tuple(each.name for each in known.handler.interrupts)
    reason = Reason.CHANGED_BY_HANDLER(
        assumption=text,
        interrupts=interrupts or (Reason.AN_INTERRUPT(),),
        handler=known.handler.name,
    )
    for each in known.assumed:
        reason = Reason.IF(what=reason, condition=each)
    return reason


_FAULTS = {
    HandlerFault.NO_CONTRACT: Reason.HANDLER_WITHOUT_CONTRACT,
    HandlerFault.NO_HANDLER: Reason.NO_HANDLER,
    HandlerFault.NOT_PROVED: Reason.HANDLER_NOT_PROVED,
    HandlerFault.MAY_KEEP: Reason.HANDLER_MAY_KEEP,
    HandlerFault.MASKED: Reason.HANDLER_MASKED,
}


def _describe_fault(loop: str, wait: Wait, known: Interruption) -> Message:
    """Why it is not known that a handler ends a wait."""
    assert known.fault is not None, "the handler has a fault"
    memory, kind = wait.change.name, _FAULTS[known.fault]
    data = {"handler": known.handler.name, "memory": memory}
    why = kind(**{blank: data[blank] for blank in kind.blanks})
    return Reason.WAITS(loop=loop, memory=memory, why=why)


def _balance(case: Case) -> Iterator[Claim]:
    """To return is to come to the return address with nothing but that taken from the stack."""
    start = case.start
    for leg in case.legs:
        if leg.end in start.ends:
            same = t.eq(leg.at.get(start.program.cpu.stack), start.stack_after)
            yield Claim(Reason.UNBALANCED(), leg.at.path, same, leg)


def decreases_of(case: Case) -> dict[int, Decrease]:
    """The number that gets smaller at each cut that has one."""
    contract = case.contract
    return {address: one for one in contract.decreases for address in one.addresses}


def _prove_natural(case: Case) -> Iterable[Finding]:
    """Each number is natural wherever its cut is reached."""
    image = case.image
    for address, one in decreases_of(case).items():
        claims = []
        for leg in case.exploration.legs_to(address):
            value = value_at(case, one, leg.at)
            holds = truth_of(value >= 0)
            claims.append(Claim(Reason.NEGATIVE(), leg.at.path, holds, leg))
        yield case.judge(
            StatementKind.DECREASES,
            Property.NATURAL(place=image.describe(address), number=one.text),
            claims,
        )


def decreases_at(case: Case, address: int, one: Decrease) -> bool:
    """Whether a number would do at a cut: it is natural there, and shows that the loop ends."""
    search = _Search(case)
    legs = [leg for leg in case.exploration.legs if leg.end in case.exploration.cuts]
    for leg in case.exploration.legs_to(address):
        if not case.oracle.holds(leg.at.path, truth_of(value_at(case, one, leg.at) >= 0)):
            return False
    for places in circles(legs):
        if address in places:
            inside = tuple(leg for leg in legs if leg.begin in places and leg.end in places)
            step = search.visits(places, inside, address, one)
            step = step or search.measure(places, inside, address, one)
            return step is not None and address in search.shown
    return False


def value_at(case: Case, one: Decrease, state: State) -> Any:
    """What it is in a state: an int or a SymInt."""
    return number_of(one.expression, case.abi, state, case.entry)


def truth_of(value: Any) -> Term:
    """A truth about numbers as one bit."""
    if isinstance(value, SymInt):
        return condition(value)
    return t.TRUE if value else t.FALSE


@dataclass
class _Search:
    """Steps for all circles. ``missing`` says of which there is none, ``waits`` has the waits that
    some are, ``shown`` the cuts whose number is known to get smaller, with the ports that are
    waited for meanwhile."""

    case: Case
    missing: list[Message] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    shown: dict[int, Sequence[str]] = field(default_factory=dict)

    def steps(self, legs: Sequence[Leg]) -> list[Step]:
        """A step for each set of cuts that lead to each other by some legs."""
        taken: list[Step] = []
        for places in circles(legs):
            inside = tuple(leg for leg in legs if leg.begin in places and leg.end in places)
            own = {a: one for a, one in decreases_of(self.case).items() if a in places}
            # all that is claimed is checked, even where one number is enough
            visits = [
                step for a, one in own.items() if (step := self.visits(places, inside, a, one))
            ]
            steps = visits or [
                step for a, one in own.items() if (step := self.measure(places, inside, a, one))
            ]
            wait = None if steps else waits_for(self.case, places, inside)
            known = None if wait is None else wait.interruption
            if wait is not None and known is not None and known.fault is not None:
                self.missing.append(_describe_fault(_names(self.case, places), wait, known))
                continue
            if wait is not None:
                self.waits.append(wait)
                steps = [Step(places, inside, wait.legs, None, _drop_limited(inside, wait.legs))]
            if steps:
                taken.append(replace(steps[0], inner=tuple(self.steps(steps[0].left))))
            else:
                self.missing.append(_advise(self.case, places))
        return taken

    def claims(self) -> Iterator[Finding]:
        """What contracts say of numbers that get smaller."""
        image, sets = self.case.image, circles(self.case.legs)
        for address, one in decreases_of(self.case).items():
            statement = Property.SMALLER(place=image.describe(address), number=one.text)
            if address in self.shown or not any(address in places for places in sets):
                waits = tuple(dict.fromkeys(self.shown.get(address, ())))
                if waits:
                    statement = Property.SMALLER_BUT(smaller=statement, waits=waits)
                yield Finding(statement, Verdict.PROVED, kind=StatementKind.DECREASES)
            else:
                yield Finding(
                    statement,
                    Verdict.UNKNOWN,
                    Reason.DECREASE_NOT_SHOWN(),
                    kind=StatementKind.DECREASES,
                    causes=(Cause.DECREASE_NOT_SHOWN,),
                )

    def visits(
        self, places: frozenset[int], inside: tuple[Leg, ...], address: int, one: Decrease
    ) -> Step | None:
        """One of the cuts is reached with a smaller number each time."""
        case = self.case
        back = tuple(leg for leg in inside if leg.end == address)
        last = value_at(case, one, case.exploration.cuts[address].state)
        smaller = (
            (leg, truth_of((value_at(case, one, leg.at) < last) & (last >= 0))) for leg in back
        )
        known = case.exploration.cuts[address].state.path  # so it was there the last time
        if not all(case.oracle.holds([*leg.at.path, *known], claim) for leg, claim in smaller):
            return None
        self.shown[address] = ()
        entering = [leg for leg in _find_legs_into(case, places) if leg not in inside]
        first = [leg for leg in entering if leg.end == address]
        # where the circle is entered elsewhere, the first visit is by one of its own legs
        elsewhere = len(first) < len(entering)
        most = extreme_of(case, _values(case, one, [*first, *(back if elsewhere else ())]), 1)
        least = extreme_of(case, _values(case, one, back), -1)
        times = None if most is None or least is None else max(most - least, 0) + elsewhere
        return Step(places, inside, back, times, _drop_limited(inside, back))

    def measure(
        self, places: frozenset[int], inside: tuple[Leg, ...], address: int, one: Decrease
    ) -> Step | None:
        """A number that is natural at all of the cuts, and that no leg makes greater."""
        case, waits = self.case, find_waiting_cuts(self.case.exploration)
        holds = case.oracle.holds
        limited: list[Leg] = []
        left: list[Leg] = []
        for leg in inside:
            before, after = value_at(case, one, leg.first), value_at(case, one, leg.at)
            if not holds(leg.at.path, truth_of((after <= before) & (before >= 0))):
                return None
            smaller = truth_of(after < before)
            if holds(leg.at.path, smaller):
                limited.append(leg)
            elif leg.begin == leg.end in waits and not holds(leg.at.path, t.not_(smaller)):
                # it is the same on the paths that wait
                limited.append(split_leg(leg, smaller))
                left.append(split_leg(leg, t.not_(smaller)))
            else:
                left.append(leg)
        ports = self._find_ports(address, left)
        if ports is not None:
            self.shown[address] = ports
        entering = [leg for leg in _find_legs_into(case, places) if leg not in inside]
        most = extreme_of(case, _values(case, one, entering), 1)
        least = extreme_of(case, _values(case, one, limited), -1)
        natural = all(
            holds(leg.at.path, truth_of(value_at(case, one, leg.at) >= 0)) for leg in limited
        )
        times = None if most is None or least is None else max(most - least, 0) + (not natural)
        if not set(limited) <= set(inside):
            times = None  # how long a wait takes has no limit
        return Step(places, inside, tuple(limited), times, tuple(left)) if limited else None

    def _find_ports(self, address: int, legs: Sequence[Leg]) -> list[str] | None:
        """The ports that legs wait for which lead back to a cut; None where some only go on."""
        ports: list[str] = []
        for places in circles(legs):
            if address in places:
                inside = [leg for leg in legs if leg.begin in places and leg.end in places]
                wait = waits_for(self.case, places, inside)
                known = None if wait is None else wait.interruption
                if wait is None or (known is not None and known.fault is not None):
                    return None
                ports.append(wait.change.name)
        return ports


def _drop_limited(legs: Iterable[Leg], limited: Sequence[Leg]) -> tuple[Leg, ...]:
    return tuple(leg for leg in legs if leg not in limited)


def _advise(case: Case, places: frozenset[int]) -> Message:
    """What would show that a loop ends."""
    loop, known = _names(case, places), decreases_of(case)
    numbers = tuple(known[address].text for address in sorted(places) if address in known)
    if numbers:
        return Reason.NOT_SMALLER(loop=loop, numbers=numbers)
    ports = tuple(case.image.describe(address) for address in read_there(case, places))
    if ports:
        return Reason.ENDLESS_READING(loop=loop, ports=ports[:SHOWN])
    return Reason.ENDLESS(loop=loop)


def _names(case: Case, places: frozenset[int]) -> str:
    """The places of a loop as people call them."""
    shown = [case.image.describe(address) for address in sorted(places)]
    return ", ".join(shown[:SHOWN]) + (" …" if len(shown) > SHOWN else "")


def _find_legs_into(case: Case, places: frozenset[int]) -> list[Leg]:
    return [leg for leg in case.legs if leg.end in places]


Valued = tuple[Leg, Any, Sequence[Term]]
"""A leg, a number in its end, and what is known where it begins."""


def _values(case: Case, one: Decrease, legs: Iterable[Leg]) -> list[Valued]:
    """What a number is in the end of some legs."""
    return [(leg, value_at(case, one, leg.at), ()) for leg in legs]


def extreme_of(case: Case, values: Iterable[Valued], sign: int) -> int | None:
    """The greatest of natural numbers in the ends of legs, the least where the sign is negative;
    None where that is not known, 0 where no leg is gone."""
    extremes: list[int] = []
    for leg, value, known in values:
        if isinstance(value, int):
            extremes.append(value)
            continue
        if value.high >> NUMBER_BITS:
            return None
        term = t.var(
            new_name(any_name("number ")), NUMBER_BITS, max(value.low, 0), max(value.high, 0)
        )
        path = [*leg.at.path, *known, truth_of(value == SymInt(term))]
        try:
            if case.oracle.ask(path).kind is AnswerKind.UNSAT:
                continue  # it is not reached this way
            extremes.append(case.oracle.extreme(path, term, sign).value(term))
        except Undecided:
            return None
    return max(extremes, key=lambda number: sign * number, default=0)


# ---------------------------------------------------------------- circles


def circles(legs: Sequence[Leg]) -> list[frozenset[int]]:
    """The largest sets of cuts that lead to each other (strongly connected components)."""
    after: dict[int, set[int]] = {}
    for leg in legs:
        if leg.begin is not None:
            after.setdefault(leg.begin, set()).add(leg.end)
    reach = {place: _find_reached(after, place) for place in after}
    circles: dict[frozenset[int], None] = {}
    for place in sorted(after):
        if place in reach[place]:
            circle = (other for other in reach[place] if place in reach.get(other, ()))
            circles.setdefault(frozenset(circle))
    return list(circles)


def _find_reached(after: dict[int, set[int]], place: int) -> set[int]:
    reached: set[int] = set()
    waiting = [place]
    while waiting:
        for following in after.get(waiting.pop(), ()):
            if following not in reached:
                reached.add(following)
                waiting.append(following)
    return reached
