"""Claims about what symbolic execution found, and the judge of them.

A claim that does not hold comes with an input; that input is executed before anybody hears of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from romproof.isa.abi import Abi
from romproof.isa.microcode import Kind
from romproof.prove.examples import example_of, state_of
from romproof.prove.explore import Exploration, Leg
from romproof.prove.replay import agrees, compared, inputs_of, run
from romproof.prove.results import Example, Finding, Verdict
from romproof.symbolic.execute.events import TOLD, Event
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.solve.smallest import smallest
from romproof.symbolic.solve.solver import Model
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

OTHER = "'"
"""What the names of a second, different input end with."""

ADDRESS_BITS = 16


@dataclass(frozen=True)
class Claim:
    """``holds`` whenever all of ``path`` do, on the ways of ``leg`` or where ``event`` was.

    ``broken`` says what is wrong when it does not. ``other`` are variables with those that stand
    for them in a second input: then the claim is about two runs.
    """

    broken: str
    path: Sequence[Term]
    holds: Term
    leg: Leg | None = None
    event: Event | None = None
    other: Mapping[Term, Term] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """All ways through a routine, and someone to ask."""

    found: Exploration
    oracle: Oracle

    @property
    def abi(self) -> Abi:
        """The calling side of the CPU."""
        return self.found.start.program.abi

    def judge(self, statement: str, claims: Iterable[Claim]) -> Finding:
        """One finding on claims: the first that does not hold refutes the statement."""
        undecided = ""
        for claim in claims:
            if claim.holds is t.TRUE:
                continue
            try:
                model = self.oracle.always(claim.path, claim.holds)
            except Undecided as reason:
                undecided = undecided or f"{claim.broken}? {reason.reason}"
                continue
            if model is not None:
                breaking = [*claim.path, t.not_(claim.holds)]
                return self.refuted(statement, claim, smallest(self.oracle, breaking, model))
        if undecided:
            return Finding(statement, Verdict.UNKNOWN, undecided)
        return Finding(statement, Verdict.PROVED)

    def writing(self, statement: str, broken: str, leg: Leg, place: int) -> Finding:
        """A finding that something is written at an address on one of the ways of a leg."""
        model, involved = self.oracle.ask(leg.at.path).model, list(leg.at.path)
        if model is not None:
            program = self.found.start.program
            done = run(program, inputs_of(program, leg.first, model, involved), [leg.end])
            if (Kind.WRITE, place) in done.touched:
                example = self.example(model, involved)
                return Finding(statement, Verdict.REFUTED, broken, example, True)
        return Finding(statement, Verdict.UNKNOWN, f"{broken}? no input is known for which it does")

    def example(self, model: Model, involved: Iterable[Term]) -> Example:
        """The input of a model, as a call takes it."""
        return example_of(self.found.start, model, self.found.indexed, involved)

    def refuted(self, statement: str, claim: Claim, model: Model) -> Finding:
        """The finding on a claim that does not hold for the input of a model."""
        involved = [*claim.path, claim.holds]
        example = self.example(model, involved)
        begin = claim.leg.begin if claim.leg else claim.event.begin if claim.event else None
        broken = claim.broken
        if claim.event is not None and not claim.other:
            broken += self._at(claim.event.what, model)
        state, place = None, ""
        if begin is not None and begin != self.found.start.address:
            place = self.found.start.program.name_at(begin)
            first = self.found.first_at(begin)
            state = state_of(self.found.start, first, model, involved)
            broken += f", from a state at {place} that its invariant allows"
        replayed = self._replayed(claim, model, involved)
        verdict = Verdict.REFUTED if replayed is not False else Verdict.UNKNOWN
        if _is_told(involved):
            # the callee may do it by its contract; whether it does, nobody looked
            verdict = Verdict.UNKNOWN
            broken += " (by what is known of a callee, its contract)"
        other = self.example(_twin(model, claim.other), involved) if claim.other else None
        return Finding(statement, verdict, broken, example, replayed, other, state, place)

    def _at(self, address: Term, model: Model) -> str:
        if address.is_const or address.width != ADDRESS_BITS:
            return ""
        return f": here {self.found.start.program.image.describe(model.value(address))}"

    def _replayed(self, claim: Claim, model: Model, involved: list[Term]) -> bool | None:
        """Whether the machine does what the model says; None when there is nothing to run, as
        where a callee may do anything that its contract allows."""
        if _is_told(involved):
            return None
        program, found = self.found.start.program, self.found
        if claim.leg is not None:
            first, at, ends = claim.leg.first, claim.leg.at, [claim.leg.end]
            involved = [*involved, *map(at.get, program.cpu.registers), at.total_cycles()]
            involved += compared(program, at).values()
        elif claim.event is not None:
            first = found.first_at(claim.event.begin)
            at, ends = None, [*found.start.ends, *found.invariants]
        else:
            return None
        done = run(program, inputs_of(program, first, model, involved), ends)
        if claim.other:
            twin = _twin(model, claim.other)
            second = run(program, inputs_of(program, first, twin, involved), ends)
            return (
                done.touched != second.touched
                or done.registers != second.registers
                or done.memory != second.memory
            )
        if at is not None:
            return agrees(program, done, at, model)
        assert claim.event is not None
        address = claim.event.what
        return address.width != ADDRESS_BITS or model.value(address) in {a for _, a in done.touched}


def _is_told(involved: Iterable[Term]) -> bool:
    """Whether results play a part of which only a callee's contract is known."""
    return any(TOLD in variable.name for variable in t.variables(involved))


def _twin(model: Model, other: Mapping[Term, Term]) -> Model:
    """The second of two inputs, under the names of the first."""
    values, arrays = dict(model.values), dict(model.arrays)
    for one, two in other.items():
        if one.width:
            values[one.name] = model.value(two)
        else:
            arrays[one.name] = model.array(two.name)
    return Model(values, arrays)


def renamed(variables: Iterable[Term]) -> dict[Term, Term]:
    """The variables with those of a second input."""
    return {v: _renamed(v) for v in variables}


def _renamed(variable: Term) -> Term:
    if not variable.width:
        return t.array_var(variable.name + OTHER)
    return t.var(variable.name + OTHER, variable.width, variable.low, variable.high)
