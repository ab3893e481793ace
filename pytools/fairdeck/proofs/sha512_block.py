"""SHA-512's block as a model of stages: the words of the block, the schedule, the rounds, and the
sums with the hash.

The schedule and the rounds are proved first, each equal to its own stages; what hashes a block asks
them. So nothing joins the pieces but the prover's rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairdeck.proofs import sha512_6502 as mos
from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs import sha512_sm83 as sm83
from fairdeck.proofs.sha512_stages import (
    ROUNDS,
    SCHEDULE,
    Next,
    Staged,
    named,
    parts_of,
    rounds_6502,
    rounds_sm83,
    schedule_6502,
    schedule_sm83,
    valued,
)
from fairdeck.proofs.statement import bank
from romproof import Asked, Image, Proof, ProofOptions, Stage

BLOCK = "sha512_block"
PLACES, BLOCK_BYTES = 2496, 128
"""The bytes of walls_key, in which a block may stand anywhere; those of a block."""


def prove_block(cpu: str, options: ProofOptions) -> Proof:
    """The schedule, the rounds, and then a whole block."""
    own = bank({"6502": mos.ROM, "sm83": sm83.ROM}[cpu], options)
    proofs: list[Proof] = []
    for one in staged(cpu, own.image):
        contract = own.contract(one.contract, one.routine)
        proofs += [
            own.routine(one.routine, contract, exact=False),
            own.simulates(one.stages, one.gives),
        ]
    return Proof.joined(BLOCK, *proofs)


def staged(cpu: str, image: Image) -> tuple[Staged, ...]:
    """All three, on one CPU."""
    if cpu == "6502":
        return schedule_6502(image), rounds_6502(), block_of(cpu, image)
    return schedule_sm83(image), rounds_sm83(), block_of(cpu, image)


@dataclass(frozen=True)
class _Layout:
    """How words stand: ``words`` are the places of those that work, ``known`` by other names to the
    rounds, ``parts`` what is in them, ``numbers`` the way back; ``place`` is where byte i of
    scheduled word n is, of which so many stay as ``ring`` has. ``holds`` at the label ``mix``."""

    mix: str
    holds: str
    words: Sequence[str]
    known: Sequence[str]
    parts: Callable[[Sequence[Any]], Sequence[Any]]
    numbers: Callable[[Sequence[Any]], Sequence[Any]]
    place: Callable[[int, int], int]
    ring: int
    listed: str
    lost: str
    stack: int


LAYOUTS = {
    "6502": _Layout(
        "sha512_mix@mix",
        "A <= 255",
        mos.words_at(1),
        mos.words_at(1),
        list,
        list,
        lambda n, i: mos.plane(i) + n,
        fips.ROUNDS,
        "sha512_w[672] sha512_wk[672]",
        "A X Y N V Z C sha512_v[64] sha512_t[8] sha512_bc[8]",
        2,
    ),
    "sm83": _Layout(
        "sha512_mix.mix",
        "DE == &sha512_wk",
        sm83.words_at(0),
        parts_of(0),
        sm83.cells_of,
        sm83.numbers,
        lambda n, i: 8 * n + i,
        fips.BLOCK,
        "sha512_w[128] sha512_wk[640]",
        "A BC DE HL F sha512_at[2] sha512_left sha512_v[80]",
        4,
    ),
}
_HASH = {f"h{n}": f"sha512_h[{8 * n}:{8 * n + 8}]:little" for n in range(8)}
_WORK = {"w": "sha512_w", "wk": "sha512_wk"}


def block_of(cpu: str, image: Image) -> Staged:
    """What is done with a block, from where it stands to the hash."""
    layout = LAYOUTS[cpu]
    key, at_wk = image.address("walls_key"), image.address("sha512_wk")
    words = named(layout.words)
    pointer = {"de": "de"} if cpu == "sm83" else {}

    def load(message: Any, cells: Any, w: Any, wk: Any, **_others: Any) -> Mapping[str, Any]:
        at = message - key
        for n in range(fips.BLOCK):
            for i in range(8):
                w[layout.place(n, i)] = cells[at + 8 * n + 7 - i]
        return {"w": w, "wk": wk}

    def begin(wk_after: Any, **others: Any) -> Next:
        h = {name: others[name] for name in _HASH}
        return layout.mix, {**h, **valued(layout.parts([*h.values()])), "wk": wk_after}

    def ask(wk: Any, **others: Any) -> Mapping[str, Any]:
        asked = {name: others[name] for name in words}
        return {**asked, "wk": wk, **dict.fromkeys(pointer, at_wk)}

    def add(wk: Any, **others: Any) -> Next:
        after = layout.numbers([others[f"{name}_after"] for name in words])
        return "return", {
            name: fips.add(others[name], value) for name, value in zip(_HASH, after, strict=True)
        }

    def schedule(w: bytes, wk: bytes, **others: int) -> Mapping[str, Any]:
        return _scheduled(layout, bytearray(w), bytearray(wk)) | others

    def rounds(wk: bytes, **others: int) -> Mapping[str, Any]:
        v = layout.numbers([others[name] for name in words])
        for n in range(fips.ROUNDS):
            v = fips.round_of(v, _word(layout, wk, n))
        return _after(valued(layout.parts(v)))

    given = {"message": "sha512_message:little", "cells": "walls_key", **_HASH, **_WORK}
    v = named(layout.known)
    of_rounds = {**v, "wk": "sha512_wk", **pointer}
    stages = {
        "": Stage(given, begin, Asked(SCHEDULE, load, _WORK, _after(_WORK), schedule)),
        layout.mix: Stage(
            {**_HASH, **words, "wk": "sha512_wk"},
            add,
            Asked(ROUNDS, ask, of_rounds, _after(v), rounds),
        ),
    }
    contract = f"""
    ;; {BLOCK} – a block into the hash.
    ; in:        sha512_message[2] walls_key[{PLACES}] sha512_h[64] {layout.listed}
    ; requires:  sha512_message in &walls_key..&walls_key + {PLACES - BLOCK_BYTES}
    ; out:       sha512_h[64]
    ; clobbers:  {layout.listed} {layout.lost}
    ; stack:     {layout.stack}
    ; invariant: {layout.mix}: {layout.holds}
    """
    return Staged(BLOCK, contract, stages, _HASH)


def _word(layout: _Layout, cells: Sequence[int], n: int) -> int:
    return int.from_bytes(bytes(cells[layout.place(n, i)] for i in range(8)), "little")


def _scheduled(layout: _Layout, w: bytearray, wk: bytearray) -> dict[str, Any]:
    """What the schedule leaves, by the standard."""
    words = fips.scheduled([_word(layout, w, n) for n in range(fips.BLOCK)])
    for n, value in enumerate(words):
        for i in range(8):
            w[layout.place(n % layout.ring, i)] = value >> 8 * i & 0xFF
            wk[layout.place(n, i)] = fips.add(value, fips.K[n]) >> 8 * i & 0xFF
    return {"w_after": w, "wk_after": wk}


def _after(values: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{name}_after": value for name, value in values.items()}
