"""Proofs kept between runs: what is proved of the same program is not proved again.

A proof is the same while all it is made of is: the image with its sources (contracts are comments
there), the banks, the options, romproof's own code and the solvers. All of it is in the name under
which the result is kept, by the rule for caches (romproof.text.cache). What the seconds ended is
not kept: on another day there may be time enough.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from romproof.harness.rom import Rom
from romproof.program.kept import to_bytes
from romproof.prover.results import CycleProof, Example, Finding, Proof, Verdict
from romproof.prover.routine import ProofOptions
from romproof.text import cache

TIMED = "the time limit of"
"""What the reason has that says that seconds decided."""

_ENDING = ".proof"
_MOST = 4096
"""Proofs that are kept: of more, those that were not asked for longest go."""
_SOLVERS = ("z3-solver", "bitwuzla", "numpy", "llvmlite")

Tests = tuple[tuple[str, ...], ...]


def digest_of(rom: Rom, options: ProofOptions) -> str | None:
    """What stands for a program, and for how it is proved; None where that has no bytes."""
    try:
        image = to_bytes(rom.image)
    except RecursionError:  # macros within macros, thousands of them
        return None
    digest = hashlib.sha256(image)
    what = [
        *(area.name for area in rom.loaded.areas),
        options.loose,
        options.keeping,
        options.effort,
        options.cross,
        cache.digest_of_packages("romproof"),
        *(f"{name} {_version(name)}" for name in _SOLVERS),
    ]
    digest.update(repr((rom.machine_name, what)).encode("utf-8", "surrogateescape"))
    digest.update(rom.memory_map.initial)
    return digest.hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def recall(digest: str, routine: str, name: str | None) -> tuple[Proof, Tests] | None:
    """The proof of a routine, with the tests of its findings; None where none is kept.

    ``name`` is what tests call the program.
    """
    data = cache.recall(_file(digest, routine, name))
    if data is None:
        return None
    try:
        proof, tests = json.loads(data)
        return _proof(proof), tuple(map(tuple, tests))
    except (ValueError, KeyError, TypeError):
        return None


def keep(digest: str, routine: str, name: str | None, proof: Proof, tests: Tests) -> None:
    """Keep a proof, unless seconds decided it."""
    if any(TIMED in each.detail for each in proof.findings):
        return
    data = json.dumps([asdict(proof), tests], default=_plain, separators=(",", ":"))
    cache.keep(_file(digest, routine, name), data.encode(), _MOST)


def _file(digest: str, routine: str, name: str | None) -> str:
    what = repr((digest, routine, name)).encode("utf-8", "surrogateescape")
    return hashlib.sha256(what).hexdigest() + _ENDING


def _plain(value: object) -> object:
    if isinstance(value, Verdict):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"{type(value)} is not kept")


def _proof(fields: Mapping[str, Any]) -> Proof:
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    cycles = fields["cycles"]
    return Proof(
        **{
            **fields,
            **lists,
            "findings": tuple(map(_finding, fields["findings"])),
            "cycles": None
            if cycles is None
            else CycleProof(
                cycles["least"],
                cycles["most"],
                _example(cycles["fastest"]),
                _example(cycles["slowest"]),
            ),
        }
    )


def _finding(fields: Mapping[str, Any]) -> Finding:
    examples = {name: _example(fields[name]) for name in ("example", "other", "state")}
    return Finding(**{**fields, **examples, "verdict": Verdict(fields["verdict"])})


def _example(fields: Mapping[str, Any] | None) -> Example | None:
    if fields is None:
        return None
    # keys of objects in JSON are text
    return Example(
        fields["registers"],
        fields["flags"],
        {int(address): bytes.fromhex(data) for address, data in fields["memory"].items()},
        {int(address): name for address, name in fields["names"].items()},
        fields["stack"],
    )
