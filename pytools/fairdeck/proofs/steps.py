"""Pieces of code with what they compute: what a statement on longer code is put together from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from romproof import Finding, Proof, Prover


@dataclass(frozen=True)
class Step:
    """Code from one label to others; ``contract``, ``model``, ``takes`` and ``gives`` are as
    romproof.prover.refinement.fragment has them. A routine is a step without ``ends``."""

    contract: str = field(repr=False)
    begin: str
    ends: tuple[str, ...]
    model: Callable[..., Any]
    takes: Mapping[str, Any]
    gives: Sequence[str]


def contract(name: str, **fields: str) -> str:
    """A header block. ``in_`` stands for ``in``; an empty field is left out."""
    lines = [f"; {key.rstrip('_')}: {text}" for key, text in fields.items() if text]
    return "\n".join([f";; {name} – a step.", *lines])


def prove_steps(
    own: Prover, subject: str, steps: Iterable[Step], facts: Iterable[Finding] = ()
) -> Proof:
    """The proofs of all steps as one."""
    proofs = [
        own.piece(
            step.contract,
            step.begin,
            *step.ends,
            model=step.model,
            takes=step.takes,
            gives=tuple(step.gives),
        )
        for step in steps
    ]
    return Proof.joined(subject, *proofs, facts=facts)
