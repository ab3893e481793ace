"""Proofs kept between runs: what is proved of the same program is not proved again.

A proof is the same while all it is made of is: the image with its sources (contracts are comments
there), the banks, the options, romproof's own code and the solvers. All of it is in the name under
which the result is kept, by the rule for caches (romproof.support.cache). What the seconds ended is
not kept: on another day there may be time enough.
"""

from __future__ import annotations

import hashlib
import json

from romproof.harness.rom import Rom
from romproof.program.serialize import to_bytes
from romproof.prover.results import Proof
from romproof.prover.routines.routine import ProofOptions
from romproof.support import cache
from romproof.text.cause import Cause

_ENDING = ".proof"
_MAX = 4096
"""Proofs that are kept: of more, those that were not asked for longest go."""

Tests = tuple[tuple[str, ...], ...]


def digest_of(rom: Rom, options: ProofOptions) -> str | None:
    """What stands for a program, and for how it is proved; None where that has no bytes."""
    try:
        image = to_bytes(rom.image)
    except RecursionError:  # macros within macros, thousands of them
        return None
    digest = hashlib.sha256(image)
    what = (rom.machine_name, [area.name for area in rom.loaded.areas], options.stamp())
    digest.update(repr(what).encode("utf-8", "surrogateescape"))
    digest.update(rom.memory_map.initial)
    return digest.hexdigest()


def recall(digest: str, routine: str, name: str | None) -> tuple[Proof, Tests] | None:
    """The proof of a routine, with the tests of its findings; None where none is kept.

    ``name`` is what tests call the program.
    """
    data = cache.recall(_file(digest, routine, name))
    if data is None:
        return None
    try:
        proof, tests = data.splitlines()
        return Proof.from_json(proof), tuple(map(tuple, json.loads(tests)))
    except (ValueError, TypeError):
        return None


def keep(digest: str, routine: str, name: str | None, proof: Proof, tests: Tests) -> None:
    """Keep a proof, unless seconds decided it."""
    if any(Cause.TIME in each.causes for each in proof.findings):
        return
    data = f"{proof.to_json()}\n{json.dumps(tests)}"
    cache.keep(_file(digest, routine, name), data.encode(), _MAX)


def _file(digest: str, routine: str, name: str | None) -> str:
    what = repr((digest, routine, name)).encode("utf-8", "surrogateescape")
    return hashlib.sha256(what).hexdigest() + _ENDING
