"""Claims of cycles and budgets that static bounds leave open, settled by proof: ``romproof bounds
--prove``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from romproof.contract.nouns.statement import StatementKind
from romproof.harness.rom import Rom
from romproof.prover.results import Finding, Proof
from romproof.prover.results import Verdict as Proved
from romproof.report.proofs import cycles_text
from romproof.support.extras import need_for_proofs
from romproof.timing.budgets import BudgetRow, BudgetVerdict
from romproof.timing.survey import BoundsRow, BoundsVerdict, Survey

if TYPE_CHECKING:
    from romproof.prover.routines.program_proof import LemmaStore

_LEFT_OPEN = (BudgetVerdict.OPEN, BudgetVerdict.UNKNOWN)
_TIMEOUT = 60.0
"""Seconds for each routine."""


def settle_surveys(
    surveys: Sequence[Survey], roms: Sequence[Rom], effort: float
) -> tuple[list[Survey], bool]:
    """Surveys in which the prover had its say on claims that the bounds exceed; and whether
    somebody interrupted it.

    ``roms`` are those of the surveys. ``effort``: a multiple of the default. Raises MissingExtra.
    """
    need_for_proofs()
    from romproof.cli.proving import ProveOptions, prove_all
    from romproof.prover.routines.survey import work_on
    from romproof.symbolic.solve.backends import need_z3

    need_z3()
    open_ = {
        at: [row.address for row in survey.rows if row.verdict is BoundsVerdict.EXCEEDS]
        for at, survey in enumerate(surveys)
    }
    open_ = {at: addresses for at, addresses in open_.items() if addresses}
    works = [work_on(surveys[at].rom, roms[at], addresses) for at, addresses in open_.items()]
    if not works:
        return list(surveys), False
    proofs, interrupted = prove_all(works, ProveOptions(_TIMEOUT, loose=True, effort=effort))
    done = list(surveys)
    for at, survey in zip(open_, proofs, strict=True):
        image = roms[at].image
        known = {image.address(row.proof.routine): row.proof for row in survey.rows}
        rows = tuple(
            settle(row, known[row.address])
            if row.verdict is BoundsVerdict.EXCEEDS and row.address in known
            else row
            for row in surveys[at].rows
        )
        done[at] = replace(surveys[at], rows=rows)
    return done, interrupted


def settle(row: BoundsRow, proof: Proof) -> BoundsRow:
    """A row whose claim the bounds exceed, after the proof of its contract."""
    finding = _of_cycles(proof)
    if finding is not None and finding.verdict is Proved.REFUTED:
        return replace(
            row, verdict=BoundsVerdict.WRONG, note=f"{finding.detail} for {finding.example}"
        )
    if finding is not None and proof.verdict is Proved.PROVED:
        note = f"{cycles_text(proof.cycles)}; the bounds are {row.bounds}"
        return replace(row, verdict=BoundsVerdict.PROVED, note=note)
    return replace(row, note=f"{row.note}; not proved: {_why(proof)}")


def settle_budgets(
    rom: Rom, rows: Sequence[BudgetRow], effort: float
) -> tuple[list[BudgetRow], bool]:
    """Budgets in which the prover had its say on those that the bounds leave open; and whether
    somebody interrupted it. Raises MissingExtra."""
    done = list(rows)
    if all(row.verdict not in _LEFT_OPEN for row in rows):
        return done, False
    need_for_proofs()
    from romproof.prover.routines.program_proof import LemmaStore
    from romproof.prover.routines.routine import ProofOptions
    from romproof.prover.states.program import program_of
    from romproof.symbolic.solve.backends import need_z3

    need_z3()
    bank = LemmaStore(program_of(rom), ProofOptions(_TIMEOUT, loose=True, effort=effort))
    for at, row in enumerate(rows):
        if row.verdict not in _LEFT_OPEN:
            continue
        try:
            done[at] = _settle_budget(rom, bank, row)
        except KeyboardInterrupt:
            return done, True
    return done, False


def _settle_budget(rom: Rom, bank: LemmaStore, row: BudgetRow) -> BudgetRow:
    """A budget after the proof that no call exceeds it, or that one does."""
    from romproof.prover.routines.program_proof import NoSuchRoutine, contracts_of

    try:
        *callees, contract = contracts_of(rom, [row.routine])
    except NoSuchRoutine as fault:
        return replace(row, note=f"{row.note}; not proved: {fault}")
    for callee in callees:
        if callee.name not in bank.proofs:
            bank.prove(callee)
    claim = replace(contract, cycles=(0, row.limit), constant_cycles=False)
    proof, _ = bank.prove(claim)
    finding = _of_cycles(proof)
    if finding is not None and finding.verdict is Proved.REFUTED:
        note = f"{finding.detail} for {finding.example}; {row.note}"
        return replace(row, verdict=BudgetVerdict.EXCEEDED, note=note)
    if finding is not None and proof.verdict is Proved.PROVED:
        note = f"it takes {cycles_text(proof.cycles)}; {row.note}"
        return replace(row, verdict=BudgetVerdict.SETTLED, note=note)
    return replace(row, note=f"{row.note}; not proved: {_why(proof)}")


def _why(proof: Proof) -> str:
    """What kept a proof from being one."""
    worst = min(proof.findings, key=lambda each: list(Proved).index(each.verdict), default=None)
    return proof.verdict.value if worst is None else f"{worst.verdict.value}: {_message(worst)}"


def _of_cycles(proof: Proof) -> Finding | None:
    """What was found of the claim of cycles; None where the prover did not come to it."""
    return next((each for each in proof.findings if each.kind is StatementKind.CYCLES), None)


def _message(finding: Finding) -> str:
    statement = str(finding.statement)
    return f"{statement}: {finding.detail}" if finding.detail else statement
