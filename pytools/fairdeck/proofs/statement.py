"""One thing that is proved, and the programs that it is proved of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType

from fairdeck.data import rom_folder
from fairdeck.tarot.library import VARIANT, library_manifest
from fairdeck.tarot.targets import TARGETS
from fairdeck.tarot.variants import FAST
from romproof.harness.rom import Rom
from romproof.projects import build, load_manifest
from romproof.prover.bank import Bank
from romproof.prover.program import program_of
from romproof.prover.results import Finding, RoutineProof, Verdict
from romproof.prover.routine import Options
from romproof.symbolic.solve.deadline import OutOfTime

CPUS = ("6502", "sm83")
"""By the names command lines have for them."""


@dataclass(frozen=True)
class Statement:
    """Something that holds of a routine, or of a piece of one, on one CPU.

    ``topic`` is the folder of its source in ``asm/<cpu>``, ``subject`` the routine or what the
    piece computes; ``claim`` says in one sentence what is proved. ``prove`` does it. ``chance``
    says why it is no more than proved if it ends, where the end is a matter of chance.
    """

    topic: str
    cpu: str
    subject: str
    claim: str
    prove: Callable[[Options], RoutineProof] = field(repr=False)
    chance: str = ""

    @property
    def name(self) -> str:
        """What command lines call it: ``sha512/6502/ch``."""
        return f"{self.topic}/{self.cpu}/{self.subject}"

    def proof(self, options: Options) -> RoutineProof:
        """What comes of proving it."""
        try:
            return self.prove(options)
        except OutOfTime as stop:
            finding = Finding("can be followed", Verdict.UNKNOWN, stop.reason)
            return RoutineProof(self.subject, (finding,))

    def is_shown(self, proof: RoutineProof) -> bool:
        """Whether as much is proved as there is to be."""
        enough = (Verdict.PROVED, Verdict.PARTIAL) if self.chance else (Verdict.PROVED,)
        return proof.verdict in enough


def program(folder: str, defines: tuple[tuple[str, int], ...] = ()) -> Rom:
    """The program in a folder of ``rom``, assembled in memory with other definitions.

    Of the tarot it is the library without a game, in its fast variant unless ``defines`` names
    another. Raises BuildFailed, DataMissing.
    """
    return _assembled(folder, defines)


@cache
def _assembled(folder: str, defines: tuple[tuple[str, int], ...]) -> Rom:
    tarot = next((target for target in TARGETS.values() if target.rom == folder), None)
    if tarot is None:
        manifest, chosen = load_manifest(rom_folder() / folder / "manifest.toml"), dict(defines)
    else:
        manifest, chosen = library_manifest(tarot), {VARIANT: FAST.define, **dict(defines)}
    symbols: Mapping[str, int] = MappingProxyType(chosen)
    return Rom(build(manifest, defines=symbols).image, "plain")


def bank(folder: str, options: Options, defines: tuple[tuple[str, int], ...] = ()) -> Bank:
    """A bank for a program in which nothing is proved yet."""
    return Bank(program_of(program(folder, defines)), options)


def together(subject: str, *proofs: RoutineProof, facts: Iterable[Finding] = ()) -> RoutineProof:
    """Several proofs as one; ``facts`` are findings that needed no prover."""
    findings = [
        replace(finding, statement=f"{proof.routine}: {finding.statement}")
        for proof in proofs
        for finding in proof.findings
    ]
    limits = [proof.cycles for proof in proofs if proof.cycles is not None]
    return RoutineProof(
        subject,
        (*findings, *facts),
        limits[0] if len(limits) == 1 else None,
        sum(proof.seconds for proof in proofs),
        tuple(dict.fromkeys(each for proof in proofs for each in proof.assumed)),
        tuple(sorted({each for proof in proofs for each in proof.lemmas})),
        tuple(dict.fromkeys(each for proof in proofs for each in proof.rests_on)),
        tuple(dict.fromkeys(each for proof in proofs for each in proof.notes)),
        sum(proof.runs for proof in proofs),
        all(proof.all_inputs for proof in proofs),
        ", ".join(dict.fromkeys(proof.engine for proof in proofs if proof.engine)),
        sum(proof.unfinished for proof in proofs),
    )
