"""What contracts say of places in the code, checked whenever execution comes there.

``invariant:`` and ``assert:`` hold at every visit of their labels. The number of
``decreases:`` is natural there, and smaller than at the visit before. ``loops:`` counts the visits.
The last two begin anew when the innermost loop around the label was left, and each activation of a
routine has its own.

The engine runs freely from one place of interest to the next; what lies between costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from romproof.contract.checks.activations import Activation, Activations, VisitTally
from romproof.contract.checks.check import Violation
from romproof.contract.checks.check_plan import CheckedPlace, CheckPlan
from romproof.contract.checks.view import StateView, describe_values, explain_untrue, holds
from romproof.contract.names.evaluate import evaluate
from romproof.contract.nouns.model import Contract, Decrease
from romproof.contract.nouns.state import Executing, State
from romproof.isa.abi import Abi


@dataclass(frozen=True, slots=True)
class BrokenPromise:
    """A broken promise of a routine called at ``site``, None where a test called it."""

    contract: Contract
    site: int | None
    violation: Violation


class Visits:
    """Checks ``plans`` while ``engine`` runs, which has to stop at each of ``stops``.

    ``stops`` grows. ``broken`` has the broken promises; to be asked after each stop. Where a
    routine is entered by a jump, it belongs to its caller.
    """

    def __init__(self, engine: Executing, plans: Iterable[CheckPlan], abi: Abi) -> None:
        self._engine = engine
        self._abi = abi
        self._trackers = [_Tracker(plan, engine, abi) for plan in plans]
        self.stops = {address for each in self._trackers for address in each.plan.stops}
        self.broken: list[BrokenPromise] = []

    def start(self, before: State | None) -> None:
        """Look at the first instruction; a test has called its routine in the state ``before``.

        None: nobody has called it.
        """
        if before is not None:
            for tracker in self._trackers:
                tracker.activations.enter_from_test(before)
        self.on_stop()

    def on_stop(self) -> None:
        """Look at where the engine has stopped."""
        pc = self._abi.get(self._engine.registers, "pc")
        s = self._abi.stack_of(self._engine.registers)
        for tracker in self._trackers:
            self.broken += tracker.on_stop(pc, s)
            self.stops |= tracker.activations.backs


class _Tracker:
    """What happens at the places of one plan."""

    def __init__(self, plan: CheckPlan, engine: Executing, abi: Abi) -> None:
        self.plan = plan
        self.activations = Activations(plan, engine, abi)
        self._engine = engine
        self._abi = abi

    def on_stop(self, pc: int, s: int) -> Iterator[BrokenPromise]:
        """What is wrong where execution has come to."""
        plan, activations = self.plan, self.activations
        while ended := activations.pop_ended(pc, s):
            for place in plan.places:
                if place.address in ended.tallies:
                    yield from self._leave_loop(place, ended)
        if pc in plan.entries:
            activations.enter(pc, s)
        if not activations.open:
            return
        for place in plan.exits.get(pc, ()):
            owner = activations.of(place)
            if not activations.in_call(s, owner.tally(place)):
                yield from self._leave_loop(place, owner)
        for place in plan.heads.get(pc, ()):
            activations.of(place).tally(place).enter(s)
        for place in plan.at.get(pc, ()):
            owner = activations.of(place)
            owner.tally(place).enter(s)
            yield from self._visit(place, owner)

    def _leave_loop(self, place: CheckedPlace, activation: Activation) -> Iterator[BrokenPromise]:
        """The loop around a place is left."""
        tally = activation.tally(place)
        for bound in place.bounds if tally.inside else ():
            if tally.since >= bound.least:
                continue
            yield BrokenPromise(
                self.plan.contract,
                activation.site,
                Violation(
                    f"executions of '{bound.label}' in its loop: {tally.since:,}; "
                    f"the claim is at least {bound.least:,}",
                    bound.span,
                ),
            )
        tally.leave()

    def _visit(self, place: CheckedPlace, activation: Activation) -> Iterator[BrokenPromise]:
        """The code at a place comes next."""
        tally = activation.tally(place)
        tally.all += 1
        tally.since += 1
        for violation in self._violations(place, tally):
            yield BrokenPromise(self.plan.contract, activation.site, violation)

    def _violations(self, place: CheckedPlace, tally: VisitTally) -> Iterator[Violation]:
        for bound in place.bounds:
            if tally.since == bound.most + 1:
                yield Violation(
                    f"executions of '{bound.label}' in its loop: {tally.since:,} so far; "
                    f"the claim is at most {bound.most:,}",
                    bound.span,
                )
        if not place.invariants and place.decrease is None:
            return
        now = State(self._engine.registers, bytes(self._engine.memory))
        view = StateView(self._abi, now, self.activations.entry_state())
        for invariant in place.invariants:
            for condition in invariant.conditions:
                if not holds(condition, view):
                    where = f"at '{invariant.label}', visit {tally.all:,}"
                    yield Violation(f"{where}: {explain_untrue(condition, view)}", condition.span)
        if place.decrease is not None:
            yield from _check_decrease(place.decrease, tally, view)


def _check_decrease(clause: Decrease, tally: VisitTally, view: StateView) -> Iterator[Violation]:
    """What is wrong with the number that decreases; it is kept for the next visit."""
    value: int = evaluate(clause.expression, view)
    last, tally.last = tally.last, int(value)
    where = f"at '{clause.label}', visit {tally.all:,}: {clause.text}"
    values = describe_values(clause.expression, view)
    if value < 0:
        yield Violation(f"{where} is {value}, not a natural number{values}", clause.span)
    elif last is not None and value >= last:
        yield Violation(
            f"{where} is {value}, not less than at the visit before, {last}{values}", clause.span
        )
