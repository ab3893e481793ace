"""Many runs, in compiled code where there is some: what each of them did."""

from __future__ import annotations

from romproof.engine.engines import ENGINES
from romproof.witness.job import Done, Job
from romproof.witness.many import many
from romproof.witness.single import one_by_one

FAST, PLAIN = "llvm", "plain"


def engine_for(cpu: str) -> str:
    """The fastest that can be used here for many runs."""
    return FAST if ENGINES[FAST].refusal(cpu) is None else PLAIN


def execute(job: Job, engine: str) -> Done:
    """All runs of a job; those with devices need the engine ``plain``."""
    return many(job) if engine == FAST else one_by_one(job)
