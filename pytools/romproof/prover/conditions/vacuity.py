"""The rule for claims about nothing: each condition is met by something.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from romproof.contract.names.bounds import bounds_of
from romproof.contract.nouns.model import Contract
from romproof.contract.nouns.statement import StatementKind
from romproof.isa.flow import Flow
from romproof.isa.transfers import transfers
from romproof.prover.catalogue import Note, Property, Reason
from romproof.prover.replay.confirm import has_stack
from romproof.prover.replay.judge import Case
from romproof.prover.results import Finding, Verdict
from romproof.prover.states.entry import Start
from romproof.prover.states.program import ProofProgram
from romproof.prover.states.view import terms_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms.term import Term
from romproof.text.cause import join_causes
from romproof.text.messages import Message
from romproof.timing.program import TimedProgram as Bounded


def no_stack(start: Start) -> Finding | None:
    """That what a contract lists lies wherever calls have their stack, if so: nothing that it names
    may be part of the stack in use, so it speaks of no call."""
    if has_stack(start):
        return None
    abi, (low, high) = start.abi, start.stacks
    lowest, highest = abi.stack_base + low - start.frame.room, abi.stack_base + high
    reason = Reason.NO_ROOM_FOR_STACK(
        span=str(start.contract.span), low=lowest, high=highest + abi.return_size
    )
    kind = StatementKind.SOME_STACK
    return Finding(Property.SOME_STACK(), Verdict.VACUOUS, reason, kind=kind)


def no_input(
    program: ProofProgram, contract: Contract, entry: State, oracle: Oracle
) -> Finding | None:
    """That nothing satisfies what a contract requires, if so, or that nobody knows whether anything
    does. ``oracle`` assumes nothing."""
    conditions = contract.requires
    terms = terms_of(conditions, program.abi, entry, entry)
    for count in range(1, len(conditions) + 1):
        some = replace(contract, requires=conditions[:count])
        empty = any(low > high for low, high in bounds_of(some).values())
        if empty or _impossible(oracle, terms[:count]):
            clause = conditions[count - 1]
            form = Reason.REQUIRES_IMPOSSIBLE
            if count > 1:
                form = Reason.REQUIRES_IMPOSSIBLE_TOGETHER
            reason = form(span=str(clause.span), condition=clause.text)
            kind = StatementKind.SOME_INPUT
            return Finding(Property.SOME_INPUT(), Verdict.VACUOUS, reason, kind=kind)
    answer = oracle.ask(terms)
    if answer.kind is AnswerKind.UNKNOWN:
        return Finding(
            Property.SOME_INPUT(),
            Verdict.UNKNOWN,
            Reason.INPUT_UNDECIDED(why=answer.reason),
            kind=StatementKind.SOME_INPUT,
            causes=join_causes(answer.cause),
        )
    return None


def _impossible(oracle: Oracle, conditions: list[Term]) -> bool:
    return oracle.ask(conditions).kind is AnswerKind.UNSAT


def find_unreached(case: Case) -> Iterator[Finding]:
    """Invariants and returns that execution never reaches."""
    exploration = case.exploration
    image = exploration.start.program.image
    spans = {a: each.span for each in exploration.start.contract.invariants for a in each.addresses}
    for address in exploration.unreached:
        span, place = str(spans[address]), image.describe(address)
        yield _report_unreached(Reason.NO_PATH(span=span, place=place))
    for address, cut in exploration.cuts.items():
        legs = exploration.legs_to(address)
        span, place = str(spans[address]), image.describe(address)
        if _impossible(case.oracle, list(cut.state.path)):
            yield _report_unreached(Reason.INVARIANT_IMPOSSIBLE(span=span, place=place))
        elif all(_impossible(case.oracle, list(leg.at.path)) for leg in legs):
            yield _report_unreached(Reason.NO_INPUT_LEADS(span=span, place=place))
    if all(_impossible(case.oracle, list(leg.at.path)) for leg in exploration.returning_legs()):
        contract = exploration.start.contract
        reason = Reason.NEVER_RETURNS_CLAIM(span=str(contract.span), routine=contract.name)
        kind = StatementKind.SOME_RETURN
        yield Finding(Property.SOME_RETURN(), Verdict.VACUOUS, reason, kind=kind)


def _report_unreached(reason: Message) -> Finding:
    kind = StatementKind.REACHED
    return Finding(Property.REACHED(), Verdict.VACUOUS, reason, kind=kind)


def idle_returns(case: Case, bounded: Bounded) -> Iterator[Message]:
    """Notes on returns in the code that no input reaches."""
    exploration, program = case.exploration, case.program
    if not exploration.start.is_called:
        return
    flows = transfers(program.cpu.table).flows
    for address in sorted(bounded.own_code(exploration.start.address)):
        is_return = flows[program.fixed[address]] is Flow.RETURN
        if is_return and address not in exploration.executed:
            yield Note.RETURN_NOT_REACHED(place=program.image.describe(address))
