"""Statements kept between runs: what was proved of the same code is not proved again.

All that a proof is made of is in the name under which it is kept: the statement, the options, the
code of romproof and fairdeck, the solvers, and every source of the machine programs. Any change of
any of them proves all statements anew; only proofs are kept, never an "unknown".
"""

from __future__ import annotations

import hashlib

from fairdeck.data import digest_of_sources
from fairdeck.proofs.statement import Statement
from romproof import Proof, ProofOptions, keep, recall

_ENDING = ".statement"
_MAX = 1024
"""Proofs that are kept: of more, those that were not asked for longest go."""


def recall_or_prove(statement: Statement, options: ProofOptions) -> tuple[Proof, bool]:
    """The proof of a statement, and whether it was kept from an earlier run."""
    name = _name(statement, options)
    proof = None if options.fresh else _recall_proof(name)
    if proof is not None:
        return proof, True
    proof = statement.proof(options)
    if statement.is_shown(proof):
        keep(name, proof.to_json().encode(), _MAX)
    return proof, False


def _recall_proof(name: str) -> Proof | None:
    data = recall(name)
    try:
        return None if data is None else Proof.from_json(data)
    except ValueError:
        return None


def _name(statement: Statement, options: ProofOptions) -> str:
    what = repr((statement.name, options.stamp("fairdeck"), digest_of_sources()))
    return hashlib.sha256(what.encode()).hexdigest() + _ENDING
