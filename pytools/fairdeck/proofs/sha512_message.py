"""SHA-512 of a message of 128 bytes as a model of stages: its block, and the block that pads it,
whose scheduled words stand in a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs.sha512_block import (
    BLOCK,
    BLOCK_BYTES,
    HASH,
    LAYOUTS,
    PLACES,
    ROMS,
    TABLE,
    WORK,
    after,
    block_after,
    copied,
    mixed,
    staged,
    summed,
)
from fairdeck.proofs.sha512_stages import PADDED, Next, Staged, rounds_sm83
from fairdeck.proofs.statement import bank
from romproof import Asked, Image, Proof, ProofOptions, Stage

MESSAGE, MIX, PADDING = "sha512_of_128", "sha512_mix", "sha512_padding"
_LABEL = {"6502": f"{MESSAGE}@padding", "sm83": f"{MESSAGE}.padding"}
_DIGEST = {f"d{n}": f"sha512_digest[{8 * n}:{8 * n + 8}]:big" for n in range(8)}


def prove_of_128(cpu: str, options: ProofOptions) -> Proof:
    """The rounds with the table, and then the whole message. What the block does is another
    statement: here it is asked by its contract."""
    own = bank(ROMS[cpu], options)
    proofs: list[Proof] = []
    for one in staged(cpu, own.image):
        contract = own.contract(one.contract, one.routine)
        proofs.append(own.routine(one.routine, contract, exact=False))
    for one in message_staged(cpu, own.image, own.fixed):
        contract = own.contract(one.contract, one.routine)
        proofs += [
            own.routine(one.routine, contract, exact=False),
            own.simulates(one.stages, one.gives),
        ]
    return Proof.joined(MESSAGE, *proofs)


def message_staged(cpu: str, image: Image, fixed: bytes) -> tuple[Staged, ...]:
    """What follows the block, on one CPU: each is asked by those after it."""
    # the 6502 copies the table to where a block's words are, the SM83 reads it in place
    again = (rounds_sm83(image, fixed),) if cpu == "sm83" else ()
    return *again, mix_of(cpu, image), of_128(cpu, image)


def mix_of(cpu: str, image: Image) -> Staged:
    """The rounds with the table that pads, and the sums."""
    layout, in_place = LAYOUTS[cpu], cpu == "sm83"
    table = {} if in_place else TABLE
    stage = mixed(cpu, image.address(PADDING), PADDED) if in_place else mixed(cpu, 0)

    def begin(**given: Any) -> Next:
        return layout.mix, {**copied(layout, given), **{name: given[name] for name in table}}

    pointed = f"DE == &{PADDING}"
    requires = f"\n    ; requires:  {pointed}" if in_place else ""
    contract = f"""
    ;; {MIX} – the rounds with the table, and the sums.
    ; in:        sha512_h[64] {"DE" if in_place else layout.table}{requires}
    ; out:       sha512_h[64]
    ; clobbers:  {layout.lost}
    ; stack:     {layout.stack}
    ; invariant: {layout.mix}: {pointed if in_place else layout.holds}
    """
    stages = {"": Stage({**HASH, **table}, begin), layout.mix: stage}
    return Staged(MIX, contract, stages, {**HASH, **table})


def of_128(cpu: str, image: Image) -> Staged:
    """A message of 128 bytes, from where it stands to the digest."""
    layout, in_place = LAYOUTS[cpu], cpu == "sm83"
    initial = dict(zip(HASH, fips.INITIAL, strict=True))
    table = {} if in_place else TABLE

    def question(**given: Any) -> Mapping[str, Any]:
        return {**given, **initial}

    def begin(**given: Any) -> Next:
        return _LABEL[cpu], {name: given[f"{name}_after"] for name in (*HASH, *table)}

    def padding(**given: Any) -> Mapping[str, Any]:
        if in_place:
            return {**given, "de": image.address(PADDING)}
        for n in range(fips.ROUNDS):
            for i in range(8):
                given["wk"][layout.place(n, i)] = fips.PADDING[n] >> 8 * i & 0xFF
        return given

    def finish(**given: Any) -> Next:
        return "return", {d: given[f"{h}_after"] for d, h in zip(_DIGEST, HASH, strict=True)}

    def block(message: int, cells: bytes, w: bytes, wk: bytes, **h: int) -> Mapping[str, Any]:
        at = message - image.address("walls_key")
        return after(block_after(layout, cells[at : at + BLOCK_BYTES], h, w, wk))

    def mix(**given: Any) -> Mapping[str, Any]:
        cells = PADDED if in_place else given["wk"]
        return after(summed(layout, {name: given[name] for name in HASH}, cells))

    where = {"message": "sha512_message:little", "cells": "walls_key", **WORK}
    ask_block = Asked(BLOCK, question, {**where, **HASH}, after({**HASH, **table}), block)
    pointer = {"de": "de"} if in_place else {}
    ask_mix = Asked(MIX, padding, {**HASH, **table, **pointer}, after(HASH), mix)
    contract = f"""
    ;; {MESSAGE} – a message of 128 bytes.
    ; in:        sha512_message[2] walls_key[{PLACES}] {layout.work} {layout.table}
    ; requires:  sha512_message in &walls_key..&walls_key + {PLACES - BLOCK_BYTES}
    ; out:       sha512_digest[64]
    ; clobbers:  sha512_h[64] {layout.work} {layout.table} {layout.lost}
    ; stack:     {layout.stack + 2}
    ; invariant: {_LABEL[cpu]}: A <= 255
    """
    stages = {
        "": Stage(where, begin, ask_block),
        _LABEL[cpu]: Stage({**HASH, **table}, finish, ask_mix),
    }
    return Staged(MESSAGE, contract, stages, _DIGEST)
