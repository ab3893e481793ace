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
ROMS = {"6502": mos.ROM, "sm83": sm83.ROM}
PLACES, BLOCK_BYTES = 2496, 128
"""The bytes of walls_key, in which a block may stand anywhere; those of a block."""


def prove_block(cpu: str, options: ProofOptions) -> Proof:
    """The schedule, the rounds, and then a whole block."""
    own = bank(ROMS[cpu], options)
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
    return schedule_sm83(image), rounds_sm83(image), block_of(cpu, image)


@dataclass(frozen=True)
class Layout:
    """How words stand: ``words`` are the places of those that work, ``known`` by other names to the
    rounds, ``parts`` what is in them, ``numbers`` the way back; ``place`` is where byte i of
    scheduled word n is, of which so many stay as ``ring`` has. ``work`` is where words are made,
    ``table`` where they are with their constants, ``lost`` what else is destroyed. ``holds`` at the
    label ``mix``."""

    mix: str
    holds: str
    words: Sequence[str]
    known: Sequence[str]
    parts: Callable[[Sequence[Any]], Sequence[Any]]
    numbers: Callable[[Sequence[Any]], Sequence[Any]]
    place: Callable[[int, int], int]
    ring: int
    work: str
    table: str
    lost: str
    stack: int


LAYOUTS = {
    "6502": Layout(
        "sha512_mix@mix",
        "A <= 255",
        mos.words_at(1),
        mos.words_at(1),
        list,
        list,
        lambda n, i: mos.plane(i) + n,
        fips.ROUNDS,
        "sha512_w[672]",
        "sha512_wk[672]",
        "A X Y N V Z C sha512_v[64] sha512_t[8] sha512_bc[8]",
        2,
    ),
    "sm83": Layout(
        "sha512_mix.mix",
        "DE == &sha512_wk",
        sm83.words_at(0),
        parts_of(0),
        sm83.cells_of,
        sm83.numbers,
        lambda n, i: 8 * n + i,
        fips.BLOCK,
        "sha512_w[128]",
        "sha512_wk[640]",
        "A BC DE HL F sha512_at[2] sha512_left sha512_v[80]",
        4,
    ),
}
HASH = {f"h{n}": f"sha512_h[{8 * n}:{8 * n + 8}]:little" for n in range(8)}
TABLE = {"wk": "sha512_wk"}
WORK = {"w": "sha512_w", **TABLE}
"""The hash, the scheduled words with their constants, and all that the schedule works on."""


def block_of(cpu: str, image: Image) -> Staged:
    """What is done with a block, from where it stands to the hash."""
    layout, key = LAYOUTS[cpu], image.address("walls_key")

    def load(message: Any, cells: Any, w: Any, wk: Any, **_others: Any) -> Mapping[str, Any]:
        at = message - key
        for n in range(fips.BLOCK):
            for i in range(8):
                w[layout.place(n, i)] = cells[at + 8 * n + 7 - i]
        return {"w": w, "wk": wk}

    def begin(wk_after: Any, **others: Any) -> Next:
        return layout.mix, {**copied(layout, others), "wk": wk_after}

    def schedule(w: bytes, wk: bytes) -> Mapping[str, Any]:
        return _scheduled(layout, bytearray(w), bytearray(wk))

    given = {"message": "sha512_message:little", "cells": "walls_key", **HASH, **WORK}
    asked = Asked(SCHEDULE, load, WORK, after(WORK), schedule)
    stages = {
        "": Stage(given, begin, asked),
        layout.mix: mixed(cpu, image.address("sha512_wk")),
    }
    contract = f"""
    ;; {BLOCK} – a block into the hash.
    ; in:        sha512_message[2] walls_key[{PLACES}] sha512_h[64] {layout.work} {layout.table}
    ; requires:  sha512_message in &walls_key..&walls_key + {PLACES - BLOCK_BYTES}
    ; out:       sha512_h[64] {layout.table}
    ; clobbers:  {layout.work} {layout.lost}
    ; stack:     {layout.stack}
    ; invariant: {layout.mix}: {layout.holds}
    """
    return Staged(BLOCK, contract, stages, {**HASH, **TABLE})


def copied(layout: Layout, values: Mapping[str, Any]) -> dict[str, Any]:
    """The hash, and the working words that it is copied to."""
    h = {name: values[name] for name in HASH}
    return {**h, **valued(layout.parts([*h.values()]))}


def mixed(cpu: str, at: int, constant: bytes | None = None) -> Stage:
    """The rounds with the table at an address, and the sums of hash and working words. What is not
    ``constant`` stands in sha512_wk."""
    layout = LAYOUTS[cpu]
    words, v = named(layout.words), named(layout.known)
    table = TABLE if constant is None else {}
    pointer = {"de": "de"} if cpu == "sm83" else {}

    def ask(**values: Any) -> Mapping[str, Any]:
        asked = {name: values[name] for name in (*words, *table)}
        return {**asked, **dict.fromkeys(pointer, at)}

    def add(**values: Any) -> Next:
        new = layout.numbers([values[f"{name}_after"] for name in words])
        sums = {n: fips.add(values[n], value) for n, value in zip(HASH, new, strict=True)}
        return "return", {**sums, **{name: values[name] for name in table}}

    def rounds(**values: Any) -> Mapping[str, Any]:
        cells = constant or values["wk"]
        worked = layout.numbers([values[name] for name in words])
        return after(valued(layout.parts(_worked(layout, worked, cells))))

    asked = Asked(ROUNDS, ask, {**v, **table, **pointer}, after(v), rounds)
    return Stage({**HASH, **words, **table}, add, asked)


def block_after(
    layout: Layout, block: bytes, h: Mapping[str, int], w: bytes, wk: bytes
) -> dict[str, Any]:
    """The hash after a block of plain bytes, and the scheduled words."""
    made = bytearray(w)
    for n in range(fips.BLOCK):
        for i in range(8):
            made[layout.place(n, i)] = block[8 * n + 7 - i]
    cells = _scheduled(layout, made, bytearray(wk))["wk_after"]
    return {**summed(layout, h, cells), "wk": cells}


def summed(layout: Layout, h: Mapping[str, int], cells: Sequence[int]) -> dict[str, int]:
    """The hash with what its rounds with a table of plain bytes give added."""
    new = _worked(layout, [*h.values()], cells)
    return {name: fips.add(h[name], value) for name, value in zip(h, new, strict=True)}


def _worked(layout: Layout, words: Sequence[int], cells: Sequence[int]) -> Sequence[int]:
    for n in range(fips.ROUNDS):
        words = fips.round_of(words, _word(layout, cells, n))
    return words


def _word(layout: Layout, cells: Sequence[int], n: int) -> int:
    return int.from_bytes(bytes(cells[layout.place(n, i)] for i in range(8)), "little")


def _scheduled(layout: Layout, w: bytearray, wk: bytearray) -> dict[str, Any]:
    """What the schedule leaves, by the standard."""
    words = fips.scheduled([_word(layout, w, n) for n in range(fips.BLOCK)])
    for n, value in enumerate(words):
        for i in range(8):
            w[layout.place(n % layout.ring, i)] = value >> 8 * i & 0xFF
            wk[layout.place(n, i)] = fips.add(value, fips.K[n]) >> 8 * i & 0xFF
    return {"w_after": w, "wk_after": wk}


def after(values: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{name}_after": value for name, value in values.items()}
