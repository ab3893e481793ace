"""Pieces of code with what they compute: what a statement on longer code is put together from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fairdeck.proofs.statement import together
from romproof.prover.bank import Bank
from romproof.prover.mapping import Takes
from romproof.prover.piece import piece_of, prove_piece
from romproof.prover.results import Finding, RoutineProof


@dataclass(frozen=True)
class Step:
    """Code from one label to others; ``contract``, ``model``, ``takes`` and ``gives`` are as
    romproof.prover.piece has them. A routine is a step without ``ends``."""

    contract: str = field(repr=False)
    begin: str
    ends: tuple[str, ...]
    model: Callable[..., Any]
    takes: Takes
    gives: Sequence[str]


def contract(name: str, **fields: str) -> str:
    """A header block. ``in_`` stands for ``in``; an empty field is left out."""
    lines = [f"; {key.rstrip('_')}: {text}" for key, text in fields.items() if text]
    return "\n".join([f";; {name} – a step.", *lines])


def prove_steps(
    own: Bank, subject: str, steps: Iterable[Step], facts: Iterable[Finding] = ()
) -> RoutineProof:
    """The proofs of all steps as one."""
    image = own.program.image
    proofs = [
        prove_piece(
            own,
            piece_of(image, step.contract, step.begin, *step.ends),
            step.model,
            step.takes,
            tuple(step.gives),
        )
        for step in steps
    ]
    return together(subject, *proofs, facts=facts)
