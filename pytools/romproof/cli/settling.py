"""Claims of cycles that static bounds leave open, settled by proof: ``romproof bounds --prove``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from romproof.harness.rom import Rom
from romproof.prover.results import Finding, Proof
from romproof.prover.results import Verdict as Proved
from romproof.report.proofs import cycles_text
from romproof.text.extras import need_for_proofs
from romproof.timing.survey import Row, Survey, Verdict

_TIMEOUT = 60.0
"""Seconds for each routine."""


def settled(
    surveys: Sequence[Survey], roms: Sequence[Rom], effort: float
) -> tuple[list[Survey], bool]:
    """Surveys in which the prover had its say on claims that the bounds exceed; and whether
    somebody interrupted it.

    ``roms`` are those of the surveys. ``effort``: a multiple of the default. Raises MissingExtra.
    """
    need_for_proofs()
    from romproof.cli.proving import Wanted, prove_all
    from romproof.prover.survey import work_on
    from romproof.symbolic.solve.witnesses import first_witness

    first_witness()
    open_ = {
        at: [row.address for row in survey.rows if row.verdict is Verdict.EXCEEDS]
        for at, survey in enumerate(surveys)
    }
    open_ = {at: addresses for at, addresses in open_.items() if addresses}
    works = [work_on(surveys[at].rom, roms[at], addresses) for at, addresses in open_.items()]
    if not works:
        return list(surveys), False
    proofs, interrupted = prove_all(works, Wanted(_TIMEOUT, loose=True, effort=effort))
    done = list(surveys)
    for at, survey in zip(open_, proofs, strict=True):
        image = roms[at].image
        known = {image.address(row.proof.routine): row.proof for row in survey.rows}
        rows = tuple(
            settle(row, known[row.address])
            if row.verdict is Verdict.EXCEEDS and row.address in known
            else row
            for row in surveys[at].rows
        )
        done[at] = replace(surveys[at], rows=rows)
    return done, interrupted


def settle(row: Row, proof: Proof) -> Row:
    """A row whose claim the bounds exceed, after the proof of its contract."""
    finding = _of_cycles(proof)
    if finding is not None and finding.verdict is Proved.REFUTED:
        return replace(row, verdict=Verdict.WRONG, note=f"{finding.detail} for {finding.example}")
    if finding is not None and proof.verdict is Proved.PROVED:
        note = f"{cycles_text(proof.cycles)}; the bounds are {row.bounds}"
        return replace(row, verdict=Verdict.PROVED, note=note)
    worst = min(proof.findings, key=lambda each: list(Proved).index(each.verdict), default=None)
    why = proof.verdict.value if worst is None else f"{worst.verdict.value}: {_message(worst)}"
    return replace(row, note=f"{row.note}; not proved: {why}")


def _of_cycles(proof: Proof) -> Finding | None:
    """What was found of the claim of cycles; None where the prover did not come to it."""
    return next((each for each in proof.findings if each.statement.startswith("takes ")), None)


def _message(finding: Finding) -> str:
    return f"{finding.statement}: {finding.detail}" if finding.detail else finding.statement
