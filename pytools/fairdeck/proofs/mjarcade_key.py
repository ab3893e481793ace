"""MJ Arcade's key as models of stages: seeds out of text, a group of characters at a time; then two
players are put in order at a time, and a word of a player is mixed at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fairdeck.mjarcade.seed import ALPHABET, LENGTH
from fairdeck.proofs.facts import Evidence, ProofFact
from fairdeck.proofs.stages import LOCAL, Next, with_inputs
from fairdeck.proofs.statement import bank
from fairdeck.wall_roms import WALL_ROMS
from romproof import Finding, Image, Proof, ProofOptions, Prover, Stage, Verdict, table, word

DECODE = "mj_decode"
MAX_PLAYERS, BYTES, GROUPS = 4, 20, 7
"""At most so many players; a player's bytes and groups, the last of which has three characters."""
UNKNOWN = 0x40
_VALUES = table(
    bytes(ALPHABET.index(chr(code)) if chr(code) in ALPHABET else UNKNOWN for code in range(256))
)

GROUP_AT = {"6502": f"{DECODE}@group", "sm83": f"{DECODE}.group"}
CARRY = {"6502": "c", "sm83": "cf"}
LEAST = {"6502": 0, "sm83": 1}
"""What mj_from is in the last group."""

TEXT = {"players": "mj_players", "seeds": "mj_seeds", "words": "mj_words"}


def decode_stages(cpu: str) -> Mapping[str, Stage]:
    """A group of four characters makes three bytes, the last of a player two."""
    place, least = GROUP_AT[cpu], LEAST[cpu]

    def begin(players: Any, seeds: Any, words: Any) -> Next:
        here = {"players": players, "seeds": seeds, "words": words}
        return place, {**here, "at": players, "left": least + GROUPS - 1}

    def group(players: Any, seeds: Any, words: Any, at: Any, left: Any) -> Next:
        done, number = players - at, least + GROUPS - 1 - left
        text, to = LENGTH * done + 4 * number, BYTES * done + 3 * number
        one = _VALUES[seeds[text]]
        if one == UNKNOWN:
            return "return", {"bad": 1, "words": words}
        two = _VALUES[seeds[text + 1]]
        if two == UNKNOWN:
            return "return", {"bad": 1, "words": words}
        words[to] = one << 2 | two >> 4
        three = _VALUES[seeds[text + 2]]
        if three == UNKNOWN:
            return "return", {"bad": 1, "words": words}
        words[to + 1] = (two & 15) << 4 | three >> 2
        if left == least:
            if at == 1:
                return "return", {"bad": 0, "words": words}
            here = {"players": players, "seeds": seeds, "words": words}
            return place, {**here, "at": at - 1, "left": least + GROUPS - 1}
        four = _VALUES[seeds[text + 3]]
        if four == UNKNOWN:
            return "return", {"bad": 1, "words": words}
        words[to + 2] = (three & 3) << 6 | four
        here = {"players": players, "seeds": seeds, "words": words}
        return place, {**here, "at": at, "left": left - 1}

    return {
        "": Stage(TEXT, begin),
        place: Stage({**TEXT, "at": "mj_at", "left": "mj_from"}, group),
    }


def decoding_contract(cpu: str) -> Mapping[str, str]:
    """Where the results are."""
    return {"bad": CARRY[cpu], "words": "mj_words"}


def prove_decode(cpu: str, options: ProofOptions) -> Proof:
    """The contract; that its most is reached; and the model."""
    own = bank(WALL_ROMS[cpu], replace(options, loose=True))
    whole = own.routine(DECODE)
    own.routine(DECODE, with_inputs(own, DECODE, TEXT))
    model = own.simulates(decode_stages(cpu), decoding_contract(cpu))
    return Proof.join(DECODE, whole, model, facts=[_ends_of_decoding(cpu)])


def _ends_of_decoding(cpu: str) -> Finding:
    """Both ends of the claim, by a text without and one with a character that is not allowed."""
    rom = bank(WALL_ROMS[cpu], ProofOptions()).rom
    claim = rom.contracts[DECODE].cycles
    taken = tuple(
        rom.call(DECODE, mem={"mj_players": bytes([MAX_PLAYERS]), "mj_seeds": text * 108}).cycles
        for text in (b"!", b"0")
    )
    verdict = Verdict.PROVED if taken == claim else Verdict.REFUTED
    return Finding(ProofFact.ENDS_REACHED(), verdict, Evidence.BOTH(one=taken[0], other=taken[1]))


KEY, ORDER = "mj_make_key", "mj_order"
BYTES, WORD = 20, 4
"""The bytes of a player, and of a word."""
LAST_WORD = BYTES - WORD

MIXED = {
    "6502": {"place": "mj_from", "at": "mj_at", "to": "y"},
    "sm83": {"place": "mj_from", "at": "c", "to": "de"},
}
"""Where the place of a word is, how many players' are still to come, and where they go."""

MADE = {"key": "mj_key", "words": "mj_words"}
GIVEN = {"players": "mj_players", "uncertain": "mj_uncertain", **MADE}


def key_stages(cpu: str, image: Image) -> Mapping[str, Stage]:
    """All of them: what is sorted first, then what is interleaved."""
    pair, player = (f"{KEY}{LOCAL[cpu]}{name}" for name in ("pair", "player"))
    first, to_first = 0, 0
    if cpu == "sm83":  # places are addresses: of a word's last byte the lower half
        first, to_first = (image.address("mj_words") + WORD - 1) & 0xFF, image.address("mj_key")

    def begin(players: Any, **given: Any) -> Next:
        return pair, {"players": players, "at": players - 1, "left": players - 1, **given}

    def order(players: Any, words: Any, at: Any, left: Any, **given: Any) -> Next:
        here = BYTES * (at - left)
        one = [words[here + n] for n in range(BYTES)]
        other = [words[here + BYTES + n] for n in range(BYTES)]
        if word(one, "big") > word(other, "big"):
            for n in range(BYTES):
                words[here + n] = other[n]
                words[here + BYTES + n] = one[n]
        after = {"players": players, "words": words, **given}
        if left > 1:
            return pair, {**after, "at": at, "left": left - 1}
        if at > 1:
            return pair, {**after, "at": at - 1, "left": at - 1}
        return player, {**after, "place": first, "at": players, "to": to_first}

    def mix(players: Any, place: Any, at: Any, to: Any, **given: Any) -> Next:
        done, number, key = place - first, players - at, given["key"]
        for n in range(WORD):
            taken = given["words"][done + BYTES * number + WORD - 1 - n]
            key[to - to_first + n] = taken ^ given["uncertain"][n]
        after = {"players": players, "to": to + WORD, **given}
        if at > 1:
            return player, {**after, "place": place, "at": at - 1}
        if done < LAST_WORD:
            return player, {**after, "place": place + WORD, "at": players}
        return "return", {"key": key, "words": given["words"]}

    return {
        "": Stage(GIVEN, begin),
        pair: Stage({**GIVEN, "at": "mj_at", "left": "mj_from"}, order),
        player: Stage({**GIVEN, **MIXED[cpu]}, mix),
    }


def prove_key(cpu: str, options: ProofOptions) -> Proof:
    """The contracts; that both ends of the cycles are reached; and the model."""
    own = bank(WALL_ROMS[cpu], replace(options, loose=True))
    # of an exchange the cycles are all that has to be known, and then all that it leaves
    ordered, whole = own.routine(ORDER, exact=False), own.routine(KEY)
    own.routine(ORDER, replace(own.contracts[ORDER], invariants=(), decreases=()))
    own.routine(KEY, with_inputs(own, KEY, GIVEN, loops=(), cycles=None))
    same = own.simulates(key_stages(cpu, own.image), MADE)
    return Proof.join(KEY, ordered, whole, same, facts=[_ends(own)])


def _ends(own: Prover) -> Finding:
    """Both ends of the claim: three players in order by their first bytes, and four in the wrong
    order, which their last bytes say."""
    in_order = b"".join(bytes([n]) * BYTES for n in range(3))
    reversed_ = b"".join(bytes([0] * (BYTES - 1) + [9 - n]) for n in range(4))
    taken = tuple(
        own.rom.call(
            KEY,
            mem={"mj_players": bytes([len(words) // BYTES]), "mj_words": words.ljust(80, b"\0")},
        ).cycles
        for words in (in_order, reversed_)
    )
    verdict = Verdict.PROVED if taken == own.contracts[KEY].cycles else Verdict.REFUTED
    return Finding(ProofFact.ENDS_REACHED(), verdict, Evidence.BOTH(one=taken[0], other=taken[1]))
