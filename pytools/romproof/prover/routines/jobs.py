"""A part of what is to be proved, for another process: there is nothing in it but data."""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.harness.rom import Rom
from romproof.program.serialize import from_bytes, to_bytes
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.routines.survey import SurveyRow, Work, work_on


@dataclass(frozen=True, slots=True)
class Job:
    """``routines`` of a program: its ``image`` as bytes, the ``banks`` that are loaded, and what
    tests call it."""

    title: str
    image: bytes = field(repr=False)
    banks: tuple[str, ...]
    machine: str
    model: str | None
    routines: tuple[str, ...]
    name: str | None


def job_of(work: Work) -> Job:
    """The work as a job. Raises RecursionError for sources within thousands of others."""
    rom = work.rom
    return Job(
        work.title,
        to_bytes(rom.image),
        rom.banks,
        rom.machine_name,
        rom.model,
        tuple(contract.name for contract in work.contracts),
        work.name,
    )


def prove_job(job: Job, options: ProofOptions) -> list[SurveyRow]:
    """Do the work."""
    image = from_bytes(job.image)
    rom = Rom(image, banks=job.banks, machine=job.machine, model=job.model)
    work = work_on(job.title, rom, job.routines, job.name)
    return list(work.rows(options, lambda name: None))


def ignore_progress(count: int) -> None:
    """In another process nobody hears of progress."""
