"""One thing that is proved, and the programs that it is proved of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from fairdeck.data import rom_folder
from romproof import Attained, Proof, ProofOptions, Prover, Rom, Verdict, build

CPUS = ("6502", "sm83")
"""By the names command lines have for them."""


@dataclass(frozen=True)
class Statement:
    """Something that holds of a routine, or of a piece of one, on one CPU.

    ``topic`` is the folder of its source in ``asm/<cpu>``, ``subject`` the routine or what the
    piece computes; ``claim`` says in one sentence what is proved. ``prove`` does it. ``chance``
    says why it is no more than proved if it ends, where the end is a matter of chance. One that is
    ``long`` takes minutes: it is proved when it is named, and by ``make proofs LONG=1``.
    """

    topic: str
    cpu: str
    subject: str
    claim: str
    prove: Callable[[ProofOptions], Proof] = field(repr=False)
    chance: str = ""
    long: bool = False

    @property
    def name(self) -> str:
        """What command lines call it: ``sha512/6502/ch``."""
        return f"{self.topic}/{self.cpu}/{self.subject}"

    def proof(self, options: ProofOptions) -> Proof:
        """What comes of proving it."""
        return self.prove(options)

    def is_shown(self, proof: Proof) -> bool:
        """Whether as much is proved as there is to be, and limits of cycles are attained."""
        enough = (Verdict.PROVED, Verdict.PARTIAL) if self.chance else (Verdict.PROVED,)
        return proof.verdict in enough and proof.attained in (Attained.YES, None)


Row = tuple[str, str, Callable[[str, ProofOptions], Proof]]
"""What is proved on either CPU: the subject, the claim, and what proves it of a CPU."""


def statements_of(
    topic: str, rows: Iterable[Row], long: Collection[str] = ()
) -> tuple[Statement, ...]:
    """The statements of a topic for both CPUs; ``long`` are the subjects that take minutes."""
    listed = tuple(rows)
    return tuple(
        Statement(topic, cpu, subject, claim, partial(prove, cpu), long=subject in long)
        for cpu in CPUS
        for subject, claim, prove in listed
    )


def program(folder: str, defines: tuple[tuple[str, int], ...] = ()) -> Rom:
    """The program in a folder of ``rom``, assembled in memory with other definitions.

    Raises BuildFailed, DataMissing.
    """
    return _assemble_library(folder, defines)


@cache
def _assemble_library(folder: str, defines: tuple[tuple[str, int], ...]) -> Rom:
    built = build(rom_folder() / folder, defines=dict(defines))
    return Rom(built.image, "plain")


def prove_whole(
    own: Prover,
    routine: str,
    model: Callable[..., Any],
    takes: Mapping[str, str],
    gives: str | Sequence[str],
) -> Proof:
    """That a routine keeps its own contract, and that it equals its model."""
    by_contract = own.routine(routine)
    equal = own.piece(own.contracts[routine], routine, model=model, takes=takes, gives=gives)
    return Proof.join(routine, by_contract, equal)


def bank(folder: str, options: ProofOptions, defines: tuple[tuple[str, int], ...] = ()) -> Prover:
    """A prover for a program, in which nothing is proved yet."""
    return Prover(program(folder, defines), options)
