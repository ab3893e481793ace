"""Tenhou's round: 32 outputs are hashed, a word of the digest is used, and all
words of nine digests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha512
from typing import Any

from fairdeck.proofs.mt19937_model import GENERATOR, ask_next
from fairdeck.proofs.stages import LOCAL, LOST, Next, Staged, pick, renew, with_inputs, with_loops
from fairdeck.proofs.statement import Statement, bank, statements_of
from fairdeck.tenhou.wall import CHUNKS, DICE_AT, FACES
from fairdeck.wall_roms import WALL_ROMS
from romproof import Asked, Contract, Image, Proof, ProofOptions, Prover, Stage, word

ROUND, HASHED, USED, HASH = "tenhou_round", "hash_output", "use_word", "sha512_of_128"
WORD, OUTPUTS, DIGEST = 4, 128, 64
"""Bytes of an output, of those that are hashed together, and of a digest."""
SHORT, LONG = 108, 136
"""The tiles of three players, and of four."""


WALL = {"wall": "tenhou_wall", "dice": "tenhou_dice"}
TILES = {"tiles": "tenhou_tiles", "at": "tenhou_at"}
OUTPUT = {"output": "tenhou_output"}
"""Where outputs are gathered: what was there before is an input, as the prover does not know that
all of it is written."""
DIVIDED = {"dividend": "dividend:little"}


def hash_contract(cpu: str, limits: tuple[int | None, int | None] | None = None) -> str:
    """Of what hashes a chunk: where it stands is known. The 6502's cycles are those of that place
    within its page, which is up to the program: they are claimed as ``limits``, if at all."""
    cycles = "" if cpu == "6502" else "\n    ; cycles:   204889 constant"
    if limits is not None:
        cycles = "\n    ; cycles:   {}..{}".format(*limits)
    return f"""
    ;; {HASH} – a message of 128 bytes, which are the generator's.
    ; in:       sha512_message[2] tenhou_output[{OUTPUTS}]
    ; requires: sha512_message == &tenhou_output
    ; out:      sha512_digest[{DIGEST}]
    ; clobbers: as {HASH}
    ; stack:    {4 if cpu == "6502" else 6}{cycles}
    """


def output_counters(cpu: str) -> tuple[str, str, str]:
    """Where an output is gathered, where all are, and which of them it is, as contracts write it:
    the SM83 counts with the low byte of an address."""
    output_at, hash_at = (f"{HASHED}{LOCAL[cpu]}{name}" for name in ("output", "hash"))
    return output_at, hash_at, "X" if cpu == "6502" else "(A - (&tenhou_output & $FF))"


def hash_lines(cpu: str) -> str:
    """What holds of the next outputs, hashed."""
    output_at, hash_at, place = output_counters(cpu)
    return f"""
    ; requires:  mt_seeded
    ; ensures:   mt_seeded
    ; stack:     {4 if cpu == "6502" else 6}
    ; invariant: {output_at}: mt_seeded, {place} in 0..{OUTPUTS - WORD}, {place} % {WORD} == 0
    ; invariant: {hash_at}: mt_seeded
    ; decreases: {output_at}: {OUTPUTS} - {place}
    """


def stages_of_hash(cpu: str, image: Image) -> Staged:
    """An output at each stage, and then the hash of all."""
    output_at, hash_at, _ = output_counters(cpu)
    base = image.address("tenhou_output")
    register, first = ("x", 0) if cpu == "6502" else ("a", base & 0xFF)
    given = {**GENERATOR, **OUTPUT}

    def begin(**values: Any) -> Next:
        return output_at, {**values, "x": first}

    def take_output(x: Any, y: Any, output: Any, **values: Any) -> Next:
        for n in range(WORD):
            output[x - first + n] = y >> 8 * n & 0xFF
        here = {"output": output, **renew(values, GENERATOR)}
        if x == first + OUTPUTS - WORD:
            return hash_at, here
        return output_at, {**here, "x": x + WORD}

    def message(**values: Any) -> Mapping[str, Any]:
        return {"at": base, "output": values["output"]}

    def finish(digest: Any, **values: Any) -> Next:
        return "return", {**{name: values[name] for name in given}, "digest": digest}

    contract = f"""
    ; clobbers:  tenhou_word sha512_message[2] mt_y[4], as {HASH}{hash_lines(cpu)}"""
    asked_next = ask_next(cpu, image, pick(GENERATOR))
    asked = Asked(
        HASH,
        message,
        {"at": "sha512_message:little", "output": "tenhou_output"},
        {"digest": "sha512_digest"},
        _digest,
    )
    stages = {
        "": Stage(given, begin),
        output_at: Stage({**given, "x": register}, take_output, asked_next),
        hash_at: Stage(given, finish, asked),
    }
    return Staged(HASHED, contract, stages, {**given, "digest": "sha512_digest"})


def _digest(at: int, output: bytes) -> Mapping[str, Any]:
    return {"digest": sha512(bytes(output)).digest()}


def stages_of_use(cpu: str) -> Staged:
    """A word is for a swap, for a die or for nothing."""
    no_swap = f"{USED}{LOCAL[cpu]}no_swap"
    given = {**WALL, **TILES, **DIVIDED}

    def of_tiles(dividend: Any, tiles: Any, at: Any, **_others: Any) -> Mapping[str, Any]:
        return {"dividend": dividend, "divisor": tiles - at & 0xFF}

    def of_faces(dividend: Any, **_others: Any) -> Mapping[str, Any]:
        return {"dividend": dividend, "divisor": FACES}

    def swap(wall: Any, at: Any, tiles: Any, rest: Any, **values: Any) -> Next:
        if at + 1 >= tiles:
            return no_swap, {"wall": wall, "at": at, "tiles": tiles, **values}
        wall[at], wall[at + rest] = wall[at + rest], wall[at]
        return "return", {"wall": wall, "dice": values["dice"]}

    def throw(wall: Any, dice: Any, at: Any, rest: Any, **_others: Any) -> Next:
        if at == DICE_AT or at == DICE_AT + 1:
            dice[at - DICE_AT] = rest + 1
        return "return", {"wall": wall, "dice": dice}

    def ask(question: Any) -> Asked:
        return Asked(
            "modulo", question, {**DIVIDED, "divisor": "a"}, {"rest": "a"},
            lambda dividend, divisor: {"rest": dividend % divisor if divisor else 0},
        )  # fmt: skip

    at_there = ", C == tenhou_at" if cpu == "sm83" else ""
    divisor = " divisor" if cpu == "6502" else ""
    contract = f"""
    ; requires:  tenhou_tiles == {LONG} or tenhou_tiles == {SHORT}, tenhou_at < {16 * CHUNKS}
    ; ensures:   tenhou_at == {DICE_AT} -> tenhou_dice[0] in 1..{FACES},
    ;            tenhou_at != {DICE_AT} -> tenhou_dice[0] == old tenhou_dice[0],
    ;            tenhou_at == {DICE_AT + 1} -> tenhou_dice[1] in 1..{FACES},
    ;            tenhou_at != {DICE_AT + 1} -> tenhou_dice[1] == old tenhou_dice[1]
    ; clobbers:  {LOST[cpu]} dividend[4]{divisor}
    ; stack:     2
    ; invariant: {no_swap}: tenhou_at + 1 >= tenhou_tiles{at_there},
    ;            tenhou_dice[0] == old tenhou_dice[0], tenhou_dice[1] == old tenhou_dice[1]
    """
    stages = {
        "": Stage(given, swap, ask(of_tiles)),
        no_swap: Stage(given, throw, ask(of_faces)),
    }
    return Staged(USED, contract, stages, WALL)


def round_of(cpu: str, image: Image) -> Staged:
    """A digest at a time, and a word of it."""
    chunk_at, word_at = (f"{ROUND}{LOCAL[cpu]}{name}" for name in ("chunk", "word"))
    place, register, first = "X", "x", 0
    if cpu == "sm83":
        place, register = "(A - (&sha512_digest & $FF))", "a"
        first = image.address("sha512_digest") & 0xFF
    asking = {**GENERATOR, **OUTPUT}
    here = {**asking, **WALL, "tiles": "tenhou_tiles"}
    left = {"left": "tenhou_chunk", "at": "tenhou_at"}
    digest = {"digest": "sha512_digest"}

    def begin(wall: Any, tiles: Any, **values: Any) -> Next:
        for n in range(SHORT):
            wall[n] = n
        if tiles == LONG:
            for n in range(SHORT, LONG):
                wall[n] = n
        return chunk_at, {"wall": wall, "tiles": tiles, "left": CHUNKS, "at": 0, **values}

    def hash_it(**values: Any) -> Next:
        return word_at, {**renew(values, (*here, *left, *digest)), "x": first}

    def question(x: Any, digest: Any, **values: Any) -> Mapping[str, Any]:
        dividend = word([digest[x - first + n] for n in range(WORD)], "little")
        return {**renew(values, (*WALL, *TILES)), "dividend": dividend}

    def use_it(x: Any, at: Any, left: Any, digest: Any, **values: Any) -> Next:
        after = renew(values, here)
        if x < first + DIGEST - WORD:
            more = {"digest": digest, "left": left, "at": at + 1, "x": x + WORD}
            return word_at, {**after, **more}
        if left > 1:
            return chunk_at, {**after, "left": left - 1, "at": at + 1}
        return "return", {name: after[name] for name in (*WALL, *GENERATOR)}

    ask_hash = stages_of_hash(cpu, image).ask(pick(asking))
    ask_use = stages_of_use(cpu).ask(question)
    lines = f"""
    ; invariant: {chunk_at}: mt_seeded, tenhou_chunk in 1..{CHUNKS},
    ;            tenhou_at == 16 * ({CHUNKS} - tenhou_chunk),
    ;            tenhou_at > {DICE_AT} -> tenhou_dice[0] in 1..{FACES},
    ;            tenhou_at > {DICE_AT + 1} -> tenhou_dice[1] in 1..{FACES}
    ; invariant: {word_at}: mt_seeded, tenhou_chunk in 1..{CHUNKS},
    ;            {place} in 0..{DIGEST - WORD}, {place} % {WORD} == 0,
    ;            tenhou_at == 16 * ({CHUNKS} - tenhou_chunk) + ({place} >> 2),
    ;            tenhou_at > {DICE_AT} -> tenhou_dice[0] in 1..{FACES},
    ;            tenhou_at > {DICE_AT + 1} -> tenhou_dice[1] in 1..{FACES}
    ; decreases: {chunk_at}: tenhou_chunk
    ; decreases: {word_at}: {DIGEST} - {place}
    """
    stages = {
        "": Stage(here, begin),
        chunk_at: Stage({**here, **left}, hash_it, ask_hash),
        word_at: Stage({**here, **left, **digest, "x": register}, use_it, ask_use),
    }
    return Staged(ROUND, lines, stages, {**WALL, **GENERATOR})


KEEPING = 30
"""Terms of a value that contracts of hashing need."""
HASHING = ("rounds", "mix", "load", "schedule", "block")
"""What a message of 128 bytes is hashed by, callees first."""
LISTED = "mt_this[2] mt_ahead[2] mt_state[2500]"
HASH_CYCLES = {"6502": (244486, 246661), "sm83": (213800, 215496)}
"""The fewest and the most that hashing 32 outputs may take."""


def prove_contract(cpu: str, options: ProofOptions) -> Proof:
    """The routine's own contract; its limits of cycles are those of 288 outputs and as many
    remainders as there may be, which no call is known to reach."""
    loose = replace(options, loose=True)
    return Proof.join(ROUND, *proofs(bank(WALL_ROMS[cpu], loose), cpu, loose))


def proofs(own: Prover, cpu: str, options: ProofOptions) -> Iterator[Proof]:
    """The same step by step, callees first."""
    yield from hashing(own, cpu, options)
    yield own.routine(HASHED, own.contract(hashing_contract(cpu), HASHED), exact=False)
    whole = statement_with_loops(own, cpu)
    yield own.cases(
        whole,
        "tenhou_tiles",
        (LONG, SHORT),
        lists=lambda tiles: replace(
            whole, outputs=own.contract(tiles_given_back(tiles), ROUND).outputs
        ),
    )


def hashing(own: Prover, cpu: str, options: ProofOptions) -> Iterator[Proof]:
    """What a round asks besides its own code, callees first: hashing, outputs and remainders."""
    contracts = own.with_options(replace(options, keeping=KEEPING))
    for name in HASHING:
        yield contracts.routine(f"sha512_{name}")
    contract = hash_contract(cpu, own.contracts[HASH].cycles if options.loose else None)
    yield contracts.routine(HASH, own.contract(contract, HASH), exact=False)
    for name in ("modulo", "mt_next"):
        yield own.routine(name, exact=False)


def statement_with_loops(own: Prover, cpu: str) -> Contract:
    """The routine's own contract, with what holds at its loops."""
    return with_loops(own, ROUND, at_loops(cpu, round_of(cpu, own.image).lines), loops=())


def tiles_given_back(tiles: int) -> str:
    """What is given back of so many tiles."""
    return f"""
    ;; {ROUND} – of so many tiles.
    ; out:       tenhou_wall[{tiles}] tenhou_dice[2] {LISTED}
    """


def hashing_contract(cpu: str) -> str:
    """The next outputs, hashed."""
    least, most = HASH_CYCLES[cpu]
    return f"""
    ;; {HASHED} – hash the generator's next 32 outputs.
    ; in:        {LISTED}
    ; out:       {LISTED} sha512_digest[{DIGEST}]
    ; clobbers:  tenhou_output[{OUTPUTS}] tenhou_word sha512_message[2] mt_y[4], as {HASH}
    ; cycles:    {least}..{most}{hash_lines(cpu)}"""


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    claim = (
        "a round's wall and dice are those that the published code makes of 288 outputs of the "
        "generator, nine times 32 of them hashed, for every state of the generator, 136 tiles or "
        "108; it ends, and the contract holds except for its cycles, with wall, dice and outputs "
        "among the inputs, as bytes that are not written keep their values"
    )
    by_contract = (
        "a round of three players and one of four keep to the routine's contract, the limits of "
        "its cycles included: wall and dice depend on the generator and the number of tiles, and "
        "on nothing else that is in memory; it ends"
    )
    rows = ((ROUND, claim, prove_round), (f"{ROUND}-contract", by_contract, prove_contract))
    return statements_of("tenhou", rows, [subject for subject, *_ in rows])


def prove_round(cpu: str, options: ProofOptions) -> Proof:
    """Hashing by its contracts; then 32 outputs, the use of a word, and the round."""
    own = bank(WALL_ROMS[cpu], options)
    proofs = [*hashing(own, cpu, options)]
    for one in (stages_of_hash(cpu, own.image), stages_of_use(cpu)):
        proofs += one.prove(own)
    whole = round_of(cpu, own.image)
    inputs = with_inputs(own, ROUND, whole.stages[""].takes).inputs
    stated = with_loops(
        own, ROUND, at_loops(cpu, whole.lines), loops=(), cycles=None, inputs=inputs
    )
    proofs += [own.routine(ROUND, stated), own.simulates(whole.stages, whole.gives)]
    return Proof.join(ROUND, *proofs)


def at_loops(cpu: str, lines: str) -> str:
    """Invariants, with what they speak of."""
    return f"""
    ; in:        {LISTED} tenhou_tiles
    ; out:       tenhou_dice[2]
    ; clobbers:  {LOST[cpu]} tenhou_at tenhou_chunk{lines}"""
