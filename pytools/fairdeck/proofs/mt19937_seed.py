"""Seeding MT19937 as a model that goes from place to place: a word of the state at a time.

The steps with the key and without are routines of their own, proved first, each of two stages: the
product, and what is added. The routine that seeds is asked for neither: its stages ask these. Run
from the beginning they are init_by_array of mt19937ar.c.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fairdeck.proofs.mt19937_model import (
    AHEAD,
    FACTORS,
    GENERATOR,
    SIZE,
    WORD,
    WORDS,
    product,
    put_word,
    word_at,
)
from fairdeck.proofs.stages import LOCAL, LOST, Next, Staged, with_loops
from fairdeck.proofs.statement import bank
from fairdeck.wall_roms import WALL_ROMS
from romproof import Contract, Image, Proof, ProofOptions, Prover, Stage

START = 19650218
MASK = 0xFFFFFFFF
TOP = 0x80000000
LAST = WORDS - 1


@dataclass(frozen=True)
class Keys:
    """The memory in which a key may stand, anywhere, and how many bytes that has."""

    name: str
    size: int


WALLS_KEY = Keys("walls_key", SIZE)
"""As much as the longest key takes."""
SEED = "mt_init_by_array"

PRODUCT = {"6502": "mt_y:little", "sm83": "bcde"}
"""Where a product is."""

_STATE = {"state": "mt_state", "i": "mt_i:little"}
_BEFORE = {"x": "mt_x:little"}
_PLACE = {"this": "mt_this:little"}
LAST_STEP = {**_BEFORE, "state": "mt_state"}
KEY_STEP = {**LAST_STEP, "j": "mt_j:little"}
"""What the steps leave, and where."""


def _key(keys: Keys) -> dict[str, str]:
    return {"key": keys.name, "at": "mt_key:little", "length": "mt_key_length:little"}


def _at_key(keys: Keys) -> dict[str, str]:
    return {**_STATE, **_key(keys), "j": "mt_j:little"}


def _lost(cpu: str) -> str:
    """What all three destroy."""
    return LOST[cpu] + " mt_y[4]" * (cpu == "6502")


def _required(keys: Keys) -> str:
    """Of a key: that it stands in its memory."""
    end = f"&{keys.name} + {keys.size}"
    return (
        f"mt_key_length in 1..{keys.size // WORD}, mt_key in &{keys.name}..{end}, "
        f"mt_key + {WORD} * mt_key_length <= {end}"
    )


_THIS = f"mt_i in 0..{LAST}, mt_this == &mt_state + {WORD} * mt_i"
_AT = f"mt_j < mt_key_length, mt_key_at == mt_key + {WORD} * mt_j"


def mix_key(cpu: str, image: Image, keys: Keys = WALLS_KEY) -> Staged:
    """One step with the key: word = (word ^ product) + key word + its number."""
    mix, base = f"mix_key{LOCAL[cpu]}mix", image.address(keys.name)
    at_key = _at_key(keys)

    def multiply(x: Any, this: Any, key_at: Any, **others: Any) -> Next:
        return mix, {"y": product(x, FACTORS["key"]), **others}

    def add(y: Any, state: Any, i: Any, j: Any, key: Any, at: Any, length: Any) -> Next:
        of_key = word_at(key, at - base + WORD * j)
        new = (word_at(state, WORD * i) ^ y) + of_key + j & MASK
        put_word(state, WORD * i, new)
        return "return", {"x": new, "state": state, "j": 0 if j + 1 == length else j + 1}

    contract = f"""
    ; requires:  {_required(keys)}, {_THIS}, {_AT}
    ; ensures:   {_AT}
    ; invariant: {mix}: {_THIS}, {_AT}
    ; clobbers:  {_lost(cpu)}
    """
    stages = {
        "": Stage({**at_key, **_BEFORE, **_PLACE, "key_at": "mt_key_at:little"}, multiply),
        mix: Stage({**at_key, "y": PRODUCT[cpu]}, add),
    }
    return Staged("mix_key", contract, stages, KEY_STEP, "mt_key_at[2]")


def mix_last(cpu: str) -> Staged:
    """One step without it: word = (word ^ product) - its number."""
    mix = f"mix_last{LOCAL[cpu]}mix"

    def multiply(x: Any, this: Any, **others: Any) -> Next:
        return mix, {"y": product(x, FACTORS["last"]), **others}

    def subtract(y: Any, state: Any, i: Any) -> Next:
        new = (word_at(state, WORD * i) ^ y) - i & MASK
        put_word(state, WORD * i, new)
        return "return", {"x": new, "state": state}

    contract = f"""
    ; requires:  {_THIS}
    ; invariant: {mix}: {_THIS}
    ; clobbers:  {_lost(cpu)}
    """
    stages = {
        "": Stage({**_STATE, **_BEFORE, **_PLACE}, multiply),
        mix: Stage({**_STATE, "y": PRODUCT[cpu]}, subtract),
    }
    return Staged("mix_last", contract, stages, LAST_STEP)


def seeding(cpu: str, image: Image, keys: Keys = WALLS_KEY) -> Staged:
    """The whole: 623 words of products, 624 steps with the key, 623 without."""
    names = ("start", "number", "key", "last_key", "last", "round")
    start, number, key_at, last_key, last, round_ = (f"{SEED}{LOCAL[cpu]}{n}" for n in names)
    base = image.address("mt_state")
    # the SM83 keeps a word only when the next one is begun
    late = cpu == "sm83"

    def begin(state: Any, **key: Any) -> Next:
        if not late:
            put_word(state, 0, START)
        return start, {"x": START, "i": 0, "state": state, **key}

    def multiply(x: Any, i: Any, state: Any, **key: Any) -> Next:
        if late:
            put_word(state, WORD * i, x)
        if i == LAST:
            return key_at, {"i": 0, "x": word_at(state, 0), "j": 0, "state": state, **key}
        return number, {"y": product(x, FACTORS["first"]), "i": i + 1, "state": state, **key}

    def add(y: Any, i: Any, state: Any, **key: Any) -> Next:
        new = y + i & MASK
        if not late:
            put_word(state, WORD * i, new)
        return start, {"x": new, "i": i, "state": state, **key}

    def key_question(i: Any, **others: Any) -> Mapping[str, Any]:
        place = {"this": base + WORD * (i + 1), "key_at": others["at"] + WORD * others["j"]}
        return {**others, "i": i + 1, **place}

    def with_key(
        x: Any, state: Any, i: Any, j: Any, key: Any, at: Any, length: Any,
        x_after: Any, state_after: Any, j_after: Any,
    ) -> Next:  # fmt: skip
        here = {"key": key, "at": at, "length": length}
        if i == LAST:
            return last_key, {"x": x, "state": state, "i": 0, "j": j, **here}
        return key_at, {"x": x_after, "state": state_after, "i": i + 1, "j": j_after, **here}

    def with_key_again(x_after: Any, state_after: Any, **_others: Any) -> Next:
        return last, {"x": x_after, "state": state_after, "i": 1}

    def last_question(i: Any, **others: Any) -> Mapping[str, Any]:
        return {**others, "i": i + 1, "this": base + WORD * (i + 1)}

    def without(x: Any, state: Any, i: Any, x_after: Any, state_after: Any) -> Next:
        if i == LAST:
            return round_, {"x": x, "state": state, "i": 0}
        return last, {"x": x_after, "state": state_after, "i": i + 1}

    def without_again(state_after: Any, **_others: Any) -> Next:
        # word 0 is only its top bit, and stands behind the last word too
        put_word(state_after, 0, TOP)
        put_word(state_after, SIZE, TOP)
        return "return", {"state": state_after, "this": base, "ahead": base + WORD * AHEAD}

    of_key, at_key = _key(keys), _at_key(keys)
    ask_key = mix_key(cpu, image, keys).ask(key_question)
    ask_last = mix_last(cpu).ask(last_question)
    word = _BEFORE if cpu == "6502" else {"x": "bcde"}
    # of the state's words each is written before it is read: the model shows that
    contract = f"""
    ; requires:  {_required(keys)}
    ; invariant: {start}: {_THIS}
    ; invariant: {number}: {_THIS}, mt_i >= 1
    ; invariant: {key_at}: {_THIS}, {_AT}
    ; invariant: {last_key}: {_THIS}, {_AT}, mt_i == 0
    ; invariant: {last}: {_THIS}, mt_i >= 1
    ; invariant: {round_}: {_THIS}, mt_i == 0
    ; decreases: {start}: {WORDS} - mt_i
    ; decreases: {number}: {WORDS} - mt_i
    ; decreases: {key_at}: {WORDS} - mt_i
    ; decreases: {last}: {WORDS} - mt_i
    ; clobbers:  {_lost(cpu)} mt_x[4] mt_i[2] mt_j[2] mt_key_at[2]
    """
    stages = {
        "": Stage({"state": "mt_state", **of_key}, begin),
        start: Stage({**_STATE, **of_key, **word}, multiply),
        number: Stage({**_STATE, **of_key, "y": PRODUCT[cpu]}, add),
        key_at: Stage({**at_key, **_BEFORE}, with_key, ask_key),
        last_key: Stage({**at_key, **_BEFORE}, with_key_again, ask_key),
        last: Stage({**_STATE, **_BEFORE}, without, ask_last),
        round_: Stage({**_STATE, **_BEFORE}, without_again, ask_last),
    }
    return Staged(SEED, contract, stages, GENERATOR)


LOOPS = f"""
    ; in:        mt_key[2] mt_key_length[2] key
    ; pointer:   mt_key -> key[{WORD} * mt_key_length <= {SIZE}]
    ; out:       mt_state[2500]
    ; clobbers:  mt_i[2] mt_j[2] mt_key_at[2] mt_this[2]
    ; invariant: %start: {_THIS}
    ; invariant: %key: {_THIS}, {_AT}
    ; invariant: %last: {_THIS}, mt_i >= 1
    ; decreases: %start: {WORDS} - mt_i
    ; decreases: %key: {WORDS} - mt_i
    ; decreases: %last: {WORDS} - mt_i
    """
"""What holds at the loops, wherever the key is."""


def prove_seeding(cpu: str, options: ProofOptions) -> Proof:
    """The routine's own contract, both steps, and then the whole."""
    own = bank(WALL_ROMS[cpu], options)
    contract = own.routine(SEED, wherever(own, cpu), exact=False)
    return Proof.join(SEED, contract, *seeding_contracts(own, cpu))


def wherever(own: Prover, cpu: str) -> Contract:
    """The routine's own contract, with what holds at its loops."""
    return with_loops(own, SEED, LOOPS.replace("%", LOCAL[cpu]))


def seeding_contracts(own: Prover, cpu: str, keys: Keys = WALLS_KEY) -> Iterator[Proof]:
    """Both steps, and then the whole, with keys that stand in a part of memory."""
    for one in (mix_last(cpu), mix_key(cpu, own.image, keys), seeding(cpu, own.image, keys)):
        yield from one.prove(own)
