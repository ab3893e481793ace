"""Run, the stages of SHA-512's block are the standard library's; near misses are not proved."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from typing import Any

import pytest

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.sha512 import ROMS
from fairdeck.proofs.sha512_message import BLOCK_BYTES, PLACES, stages_of_message
from fairdeck.proofs.stages import Staged
from fairdeck.proofs.statement import CPUS, bank, program
from romproof import ProofOptions, Verdict
from romproof.prover.refinement.stages import run


def _work(cpu: str, rnd: random.Random) -> dict[str, bytearray]:
    image = program(ROMS[cpu]).image
    sizes = {"w": image.symbol("sha512_w").size, "wk": image.symbol("sha512_wk").size}
    return {name: bytearray(rnd.randbytes(size or 0)) for name, size in sizes.items()}


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("length", [0, 3, 111])
def test_the_stages_of_a_block_are_hashlibs(cpu: str, length: int) -> None:
    image = program(ROMS[cpu]).image
    rnd = random.Random(length)
    message = rnd.randbytes(length)
    block = message + fips.padding(length)
    place = rnd.randrange(PLACES - BLOCK_BYTES + 1)
    cells = bytearray(rnd.randbytes(PLACES))
    cells[place : place + BLOCK_BYTES] = block
    *_, whole = stages_of_message(cpu, image)
    given = {"message": image.address("walls_key") + place, "cells": bytes(cells)}
    hash_ = {f"h{n}": word for n, word in enumerate(fips.INITIAL)}
    after = run(whole.stages, {**given, **hash_, **_work(cpu, rnd)})
    digest = b"".join(after[f"h{n}"].to_bytes(8, "big") for n in range(8))
    assert digest == hashlib.sha512(message).digest()


def _other(one: Staged, label: str, name: str) -> Staged:
    """The same but for one value, which is another one where its highest bit is set."""
    right = one.stages[label]

    def wrong(**values: Any) -> Any:
        place, after = right.model(**values)
        return place, {**after, name: after[name] ^ (after[name] >> 63)}

    return replace(one, stages={**one.stages, label: replace(right, model=wrong)})


@pytest.mark.proof
def test_a_near_miss_of_a_round_is_not_proved() -> None:
    pytest.importorskip("z3", reason="proofs need it")
    own = bank(ROMS["6502"], ProofOptions())
    _, rounds, _ = stages_of_message("6502", own.image)
    near = _other(rounds, "sha512_rounds::round3_scheduled", "v4")
    own.routine(rounds.routine, rounds.contract(own), exact=False)
    assert own.simulates(near.stages, near.gives).verdict is not Verdict.PROVED
