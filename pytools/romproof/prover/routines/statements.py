"""All statements of a contract, and which of them rest on others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.prover.conditions.contract import (
    assertions,
    cuts,
    ensures,
    invariants,
    memory,
    reads,
    registers,
    stack,
)
from romproof.prover.conditions.loop_counts import loops
from romproof.prover.conditions.memory import Filled
from romproof.prover.conditions.noninterference import dependences, secrets
from romproof.prover.conditions.separation import prove_separation
from romproof.prover.conditions.termination import ending
from romproof.prover.conditions.vacuity import find_unreached
from romproof.prover.cycles.bounds import cycles
from romproof.prover.replay.confirm import GOOD
from romproof.prover.replay.judge import Case
from romproof.prover.results import CycleProof, Finding, Verdict
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.text.cause import Cause


def statements(case: Case, filled: Filled, loose: bool) -> tuple[list[Finding], CycleProof | None]:
    """A finding on each statement of the contract, and the cycles.

    First comes what all others rest on: where there is an invariant, it is what is assumed of the
    state there; and no access leads to where nobody looked. Raises Undecided, and OutOfTime before
    that is known.
    """
    contract = case.contract
    below = [*prove_separation(case), registers(case), memory(case), reads(case, filled)]
    if contract.stack is not None:
        below.append(stack(case, contract.stack))
    below += [*cuts(case), *invariants(case), *assertions(case)]
    above = [*find_unreached(case)]
    limits: CycleProof | None = None
    try:
        ends = ending(case)
        above += ends.findings
        above += dependences(case, filled)
        above += ensures(case)
        above += loops(case)
        if contract.secrets:
            above.append(secrets(case))
        if contract.cycles is not None or not contract.places:
            measure = case.start_statement(Property.SOME_CYCLES())
            constant = contract.constant_cycles
            finding, limits = cycles(case, contract.cycles, loose, constant, ends)
            above.append(measure(finding))
    except OutOfTime as stop:  # what was found until then is known
        kind, causes = StatementKind.REST, (stop.cause,)
        rest = Property.REST()
        above.append(Finding(rest, Verdict.UNKNOWN, stop.reason, kind=kind, causes=causes))
    return [*_mark_resting(case, below, [*below, *above])], limits


def _mark_resting(
    case: Case, below: Sequence[Finding], every: Sequence[Finding]
) -> Iterator[Finding]:
    """The findings, of which those that rest on what is not proved are unknown.

    What stands below rests on each other, too: it is proved by one induction over all legs.
    """
    wrong = [each for each in below if each.verdict is not Verdict.PROVED]
    broken = next((each for each in wrong if not _is_shown(each)), wrong[0] if wrong else None)
    # without invariants nothing is taken for granted of registers and memory that change
    harmless = broken is not None and not case.exploration.cuts and _is_shown(broken)
    for each in every:
        good = each.verdict in GOOD or each.kind is StatementKind.SOME_RETURN
        # an input that breaks what is taken for granted does something else on the machine
        astray = each not in below and each.replayed is False
        if broken is None or harmless or not (good or astray):
            yield each
        else:
            basis = Reason.UNPROVED(statement=broken.statement, verdict=broken.verdict.value)
            yield Finding(
                each.statement,
                Verdict.UNKNOWN,
                Reason.RELIES_ON(basis=basis),
                kind=each.kind,
                causes=(Cause.RESTS_ON_OTHER,),
                basis=basis,
            )


def _is_shown(finding: Finding) -> bool:
    return finding.kind in (StatementKind.PRESERVES, StatementKind.STACK)
