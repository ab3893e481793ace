"""SHA-512's block and messages as models of stages.

The schedule and the rounds are proved first, each equal to its own stages; what hashes a block asks
them, and a message of 128 bytes asks for its block and for the one that pads it, whose scheduled
words stand in a table. So nothing joins the pieces but the prover's rules.

Messages of any length are hashed by the routine's own contract, as far as there is room: in a proof
something has to stand for the message, in a place where the program has nothing. Its blocks are
hashed where they lie; what is left goes to a buffer, which is among the inputs, as it is filled
from the middle on and in two directions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairdeck.proofs import sha512_6502 as mos
from fairdeck.proofs import sha512_model as fips
from fairdeck.proofs import sha512_sm83 as sm83
from fairdeck.proofs.sha512_stages import (
    name_words,
    rounds_6502,
    rounds_sm83,
    schedule_6502,
    schedule_sm83,
    word_values,
)
from fairdeck.proofs.stages import Next, Staged, Step, labels_of, name_after, pick
from fairdeck.proofs.statement import bank
from romproof import Image, Proof, ProofOptions, Prover, Stage

BLOCK = "sha512_block"
ROMS = {"6502": mos.ROM, "sm83": sm83.ROM}
PLACES, BLOCK_BYTES = 2496, 128
"""The bytes of walls_key, in which a block may stand anywhere; those of a block."""


def prove_block(cpu: str, options: ProofOptions) -> Proof:
    """The schedule, the rounds, and then a whole block."""
    own = bank(ROMS[cpu], options)
    proofs: list[Proof] = []
    for one in stages_of_message(cpu, own.image):
        proofs += one.prove(own)
    return Proof.join(BLOCK, *proofs)


def stages_of_rounds(cpu: str, image: Image) -> tuple[Staged, Staged]:
    """The schedule and the rounds, on one CPU."""
    if cpu == "6502":
        return schedule_6502(image), rounds_6502()
    return schedule_sm83(image), rounds_sm83(image)


def stages_of_message(cpu: str, image: Image) -> tuple[Staged, ...]:
    """All three, on one CPU."""
    return *stages_of_rounds(cpu, image), block_of(cpu, image)


@dataclass(frozen=True)
class Layout:
    """How words stand: ``words`` are the places of those that work, ``parts`` what is in them,
    ``numbers`` the way back; ``place`` is where byte i of scheduled word n is. ``work`` is where
    words are made, ``table`` where they are with their constants, ``lost`` what else is destroyed.
    ``holds`` at the label ``mix``."""

    mix: str
    holds: str
    words: Sequence[str]
    parts: Callable[[Sequence[Any]], Sequence[Any]]
    numbers: Callable[[Sequence[Any]], Sequence[Any]]
    place: Callable[[int, int], int]
    work: str
    table: str
    lost: str
    stack: int


LAYOUTS = {
    "6502": Layout(
        "sha512_mix@mix",
        "A <= 255",
        mos.words_at(1),
        list,
        list,
        lambda n, i: mos.plane(i) + n,
        "sha512_w[672]",
        "sha512_wk[672]",
        "A X Y N V Z C sha512_v[64] sha512_t[8] sha512_bc[8]",
        2,
    ),
    "sm83": Layout(
        "sha512_mix.mix",
        "DE == &sha512_wk",
        sm83.words_at(0),
        sm83.cells_of,
        sm83.numbers,
        lambda n, i: 8 * n + i,
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


def mix_steps(cpu: str) -> list[Step]:
    """Before the rounds the hash is copied to the working words, after them these are added."""
    layout, digest = LAYOUTS[cpu], tuple(HASH.values())
    add, done = labels_of(cpu, MIX, "add done")
    lost, summing = ("A X N Z", "A X N V Z C") if cpu == "6502" else ("A HL F", "A HL F")
    kept = "DE" * (cpu == "sm83")

    def copy(h: Sequence[Any]) -> Any:
        return tuple(layout.parts(h))

    def add_hash(h: Sequence[Any], v: Sequence[Any]) -> Any:
        return tuple(map(fips.add, h, layout.numbers(v)))

    takes = {"h": digest}
    both = {**takes, "v": tuple(layout.words)}
    return [
        Step("before", MIX, (layout.mix,), copy, takes, layout.words,
             clobbers=lost, read=kept, left=kept),
        Step("after", add, (done,), add_hash, both, digest, clobbers=summing),
    ]  # fmt: skip


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
        return layout.mix, {**copy_hash(layout, others), "wk": wk_after}

    given = {"message": "sha512_message:little", "cells": "walls_key", **HASH, **WORK}
    schedule, rounds = stages_of_rounds(cpu, image)
    stages = {
        "": Stage(given, begin, schedule.ask(load)),
        layout.mix: mix_rounds(cpu, rounds, image.address("sha512_wk")),
    }
    contract = f"""
    ; requires:  sha512_message in &walls_key..&walls_key + {PLACES - BLOCK_BYTES}
    ; clobbers:  {layout.work} {layout.lost}
    ; stack:     {layout.stack}
    ; invariant: {layout.mix}: {layout.holds}
    """
    return Staged(BLOCK, contract, stages, {**HASH, **TABLE})


def copy_hash(layout: Layout, values: Mapping[str, Any]) -> dict[str, Any]:
    """The hash, and the working words that it is copied to."""
    h = {name: values[name] for name in HASH}
    return {**h, **word_values(layout.parts([*h.values()]))}


def mix_rounds(cpu: str, rounds: Staged, at: int) -> Stage:
    """The rounds with the table at an address, and the sums of hash and working words."""
    layout, given = LAYOUTS[cpu], rounds.stages[""].takes
    words = name_words(layout.words)
    table = {name: place for name, place in TABLE.items() if name in given}

    def add(**values: Any) -> Next:
        new = layout.numbers([values[f"{name}_after"] for name in words])
        sums = {n: fips.add(values[n], value) for n, value in zip(HASH, new, strict=True)}
        return "return", {**sums, **{name: values[name] for name in table}}

    return Stage({**HASH, **words, **table}, add, rounds.ask(pick(given, de=at)))


MESSAGE, MIX, PADDING = "sha512_of_128", "sha512_mix", "sha512_padding"
_LABEL = {"6502": f"{MESSAGE}@padding", "sm83": f"{MESSAGE}.padding"}
_DIGEST = {f"d{n}": f"sha512_digest[{8 * n}:{8 * n + 8}]:big" for n in range(8)}


def prove_of_128(cpu: str, options: ProofOptions) -> Proof:
    """The rounds with the table, and then the whole message. What the block does is another
    statement: here it is asked by its contract."""
    own = bank(ROMS[cpu], options)
    proofs: list[Proof] = []
    for one in stages_of_message(cpu, own.image):
        proofs += one.prove(own, simulated=False)
    for one in message_staged(cpu, own.image, own.fixed):
        proofs += one.prove(own)
    return Proof.join(MESSAGE, *proofs)


def message_staged(cpu: str, image: Image, fixed: bytes) -> tuple[Staged, ...]:
    """What follows the block, on one CPU: each is asked by those after it."""
    # the 6502 copies the table to where a block's words are, the SM83 reads it in place
    again = (rounds_sm83(image, fixed),) if cpu == "sm83" else ()
    return *again, mix_of(cpu, image, fixed), of_128(cpu, image, fixed)


def mix_of(cpu: str, image: Image, fixed: bytes) -> Staged:
    """The rounds with the table that pads, and the sums."""
    layout, in_place = LAYOUTS[cpu], cpu == "sm83"
    table, pointer = ({}, {"de": "de"}) if in_place else (TABLE, {})
    rounds = rounds_sm83(image, fixed) if in_place else rounds_6502()

    def begin(**given: Any) -> Next:
        return layout.mix, {**copy_hash(layout, given), **{name: given[name] for name in table}}

    pointed = f"DE == &{PADDING}"
    requires = f"; requires: {pointed}" if in_place else ""
    contract = f"""{requires}
    ; out:       sha512_h[64]
    ; clobbers:  {layout.lost}
    ; stack:     {layout.stack}
    ; invariant: {layout.mix}: {pointed if in_place else layout.holds}
    """
    stages = {
        "": Stage({**HASH, **table, **pointer}, begin),
        layout.mix: mix_rounds(cpu, rounds, image.address(PADDING)),
    }
    return Staged(MIX, contract, stages, {**HASH, **table})


def of_128(cpu: str, image: Image, fixed: bytes) -> Staged:
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

    where = {"message": "sha512_message:little", "cells": "walls_key", **WORK}
    mix = replace(mix_of(cpu, image, fixed).ask(padding), answer=name_after(HASH))
    contract = f"""
    ; requires:  sha512_message in &walls_key..&walls_key + {PLACES - BLOCK_BYTES}
    ; clobbers:  sha512_h[64] {layout.work} {layout.table} {layout.lost}
    ; stack:     {layout.stack + 2}
    ; invariant: {_LABEL[cpu]}: A <= 255
    """
    stages = {
        "": Stage(where, begin, block_of(cpu, image).ask(question)),
        _LABEL[cpu]: Stage({**HASH, **table}, finish, mix),
    }
    return Staged(MESSAGE, contract, stages, _DIGEST)


WHOLE, CLEAR = "sha512", "clear_buffer"
MAX = {"6502": 16384, "sm83": 12288}
"""The bytes of a message."""
KEEPING = 30
"""Terms of a value that contracts of hashing need."""
OF_MESSAGE = ("start", "rounds", "mix", "load", "schedule", "block", "finish")
"""What a message is hashed by, callees first."""

_AT = "sha512_message == (old sha512_message + old sha512_length - sha512_length) % 65536"
LOOPS = {
    "6502": f"""
    ; invariant: {WHOLE}@block: sha512_length <= old sha512_length, {_AT}
    ; invariant: {WHOLE}@copy: sha512_length <= old sha512_length, {_AT},
    ;            sha512_length < {BLOCK_BYTES}, Y <= sha512_length
    ; decreases: {WHOLE}@block: sha512_length
    ; decreases: {WHOLE}@copy: Y
    """,
    "sm83": f"""
    ; invariant: {WHOLE}.block: sha512_length <= old sha512_length, {_AT}
    ; invariant: {WHOLE}.copy: sha512_length <= old sha512_length, sha512_length < {BLOCK_BYTES},
    ;            C in 1..sha512_length, HL == &sha512_buffer + sha512_length - C,
    ;            DE == old sha512_message + old sha512_length - C
    ; decreases: {WHOLE}.block: sha512_length
    ; decreases: {WHOLE}.copy: C
    """,
}
CLEARED = {
    "6502": f"""
    ;; {CLEAR} – zeros in the buffer from Y on.
    ; in:        Y sha512_buffer[{BLOCK_BYTES}]
    ; requires:  Y <= {BLOCK_BYTES}
    ; out:       sha512_buffer[{BLOCK_BYTES}]
    ; clobbers:  A Y N Z C
    ; stack:     0
    ; invariant: {CLEAR}@byte: A == 0, Y <= {BLOCK_BYTES}
    ; decreases: {CLEAR}@byte: {BLOCK_BYTES} - Y
    """,
    "sm83": f"""
    ;; {CLEAR} – zeros from HL on, until the low byte of the address is A.
    ; in:        A HL sha512_buffer[{BLOCK_BYTES}]
    ; requires:  A == (&sha512_buffer + {BLOCK_BYTES}) & $FF,
    ;            HL in &sha512_buffer..&sha512_buffer + {BLOCK_BYTES}
    ; out:       sha512_buffer[{BLOCK_BYTES}]
    ; clobbers:  A C HL F
    ; stack:     0
    ; invariant: {CLEAR}.byte: C == (&sha512_buffer + {BLOCK_BYTES}) & $FF,
    ;            HL in &sha512_buffer..&sha512_buffer + {BLOCK_BYTES}
    ; decreases: {CLEAR}.byte: &sha512_buffer + {BLOCK_BYTES} - HL
    """,
}


def prove_contract(cpu: str, options: ProofOptions) -> Proof:
    """The routine's own contract, but for its cycles, of messages for which there is room."""
    own = bank(ROMS[cpu], options)
    asking = list_questions(own.with_options(replace(options, keeping=KEEPING, loose=True)), cpu)
    return Proof.join(WHOLE, *asking, own.routine(WHOLE, own.contract(text_of(cpu), WHOLE)))


def list_questions(own: Prover, cpu: str) -> Iterator[Proof]:
    """What hashes a block, and what fills the last one with zeros, callees first."""
    for name in OF_MESSAGE:
        yield own.routine(f"{WHOLE}_{name}")
    yield own.routine(CLEAR, own.contract(CLEARED[cpu], CLEAR), exact=False)


def text_of(cpu: str) -> str:
    """The contract, of messages for which there is room."""
    return f"""
    ;; {WHOLE} – hash a message.
    ; in:        sha512_message[2] sha512_length[2] message sha512_buffer[{BLOCK_BYTES}]
    ; pointer:   sha512_message -> message[sha512_length <= {MAX[cpu]}]
    ; out:       sha512_digest[64] sha512_message[2] sha512_length[2]
    ; clobbers:  as {WHOLE}
    ; stack:     {4 if cpu == "6502" else 6}{LOOPS[cpu].rstrip()}
    """
