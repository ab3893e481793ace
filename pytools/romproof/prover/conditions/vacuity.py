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
from romproof.timing.program import TimedProgram as Bounded

SOME_INPUT = "some input is allowed"
SOME_STACK = "some stack is allowed"
SOME_RETURN = "some call returns"


def no_stack(start: Start) -> Finding | None:
    """That what a contract lists lies wherever calls have their stack, if so: nothing that it names
    may be part of the stack in use, so it speaks of no call."""
    if has_stack(start):
        return None
    abi, (low, high) = start.abi, start.stacks
    lowest, highest = abi.stack_base + low - start.frame.room, abi.stack_base + high
    detail = (
        f"{start.contract.span}: its memory leaves no room for the stack, which lies within "
        f"${lowest:04X}..${highest + abi.return_size:04X}"
    )
    return Finding(SOME_STACK, Verdict.VACUOUS, detail, kind=StatementKind.SOME_STACK)


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
            more = " together with the conditions before it" if count > 1 else ""
            detail = f"{clause.span}: no input satisfies '{clause.text}'{more}"
            return Finding(SOME_INPUT, Verdict.VACUOUS, detail, kind=StatementKind.SOME_INPUT)
    answer = oracle.ask(terms)
    if answer.kind is AnswerKind.UNKNOWN:
        return Finding(
            SOME_INPUT,
            Verdict.UNKNOWN,
            f"whether an input is allowed: {answer.reason}",
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
        detail = f"{spans[address]}: no path reaches {image.describe(address)}"
        yield _find_unreached(detail)
    for address, cut in exploration.cuts.items():
        legs = exploration.legs_to(address)
        if _impossible(case.oracle, list(cut.state.path)):
            detail = (
                f"{spans[address]}: nothing satisfies the invariant at {image.describe(address)}"
            )
            yield _find_unreached(detail)
        elif all(_impossible(case.oracle, list(leg.at.path)) for leg in legs):
            detail = f"{spans[address]}: no input leads to {image.describe(address)}"
            yield _find_unreached(detail)
    if all(_impossible(case.oracle, list(leg.at.path)) for leg in exploration.returning_legs()):
        span = exploration.start.contract.span
        detail = (
            f"{span}: '{exploration.start.contract.name}' never returns, so its contract "
            f"claims nothing"
        )
        yield Finding(SOME_RETURN, Verdict.VACUOUS, detail, kind=StatementKind.SOME_RETURN)


def _find_unreached(detail: str) -> Finding:
    kind = StatementKind.REACHED
    return Finding("every invariant is reached", Verdict.VACUOUS, detail, kind=kind)


def idle_returns(case: Case, bounded: Bounded) -> Iterator[str]:
    """Notes on returns in the code that no input reaches."""
    exploration, program = case.exploration, case.program
    if not exploration.start.is_called:
        return
    flows = transfers(program.cpu.table).flows
    for address in sorted(bounded.own_code(exploration.start.address)):
        is_return = flows[program.fixed[address]] is Flow.RETURN
        if is_return and address not in exploration.executed:
            yield f"no input reaches the return at {program.image.describe(address)}"
