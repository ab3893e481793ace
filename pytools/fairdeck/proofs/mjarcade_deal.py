"""MJ Arcade's deal as a model of stages: the key out of the players' text, the generator out of the
key, a swap for each tile, and two dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairdeck.mjarcade.seed import ALPHABET, LENGTH, decode
from fairdeck.mjarcade.seed import key as key_of_players
from fairdeck.mjarcade.wall import FACES, TILES
from fairdeck.proofs import mjarcade_key
from fairdeck.proofs.mt19937_model import AHEAD, GENERATOR, WORD, ask_next
from fairdeck.proofs.mt19937_seed import Keys
from fairdeck.proofs.stages import LOCAL, LOST, Next, Staged, name_after, pick, renew
from fairdeck.twister import seed_state as seeded_words
from romproof import Asked, Image, Stage

DEAL, DRAW, SEED = "mj_deal", "draw", "mt_init_by_array"
SHUFFLE = {"6502": "shuffle", "sm83": "exchange_all"}
KEYS = Keys("mj_key", 80)
WORDS = 5
"""Of a player."""
LONG, SHORT = TILES[4], TILES[3]

DIVISION = {"6502": "dividend[4] divisor", "sm83": "dividend[4]"}
STACK = {"6502": {DRAW: 5, "shuffle": 7, DEAL: 9}, "sm83": {DRAW: 4, "exchange_all": 6, DEAL: 8}}
MT = "mt_this[2] mt_ahead[2] mt_state[2500]"
WALL = {"wall": "mj_wall"}
DRAWN = {"n": "a", **GENERATOR}
"""What a draw is made with."""


def draw_of(cpu: str, image: Image) -> Staged:
    """The next output modulo a number."""

    def rest(n: Any, y: Any, **values: Any) -> Next:
        return "return", {"drawn": y % n, **renew(values, GENERATOR)}

    contract = f"""
    ; requires:  A >= 1, mt_seeded
    ; ensures:   A < old A, mt_seeded
    ; clobbers:  {LOST[cpu].removeprefix("A ")} mt_y[4] {DIVISION[cpu]}
    ; stack:     {STACK[cpu][DRAW]}
    """
    stage = Stage(DRAWN, rest, ask_next(cpu, image, pick(GENERATOR)))
    return Staged(DRAW, contract, {"": stage}, {"drawn": "a", **GENERATOR})


def shuffle_of(cpu: str, image: Image) -> Staged:
    """A swap at each stage. The wall is an input, as that of three players has places that are left
    alone."""
    routine = SHUFFLE[cpu]
    at, register = (f"{routine}@swap", "mj_at") if cpu == "6502" else (f"{routine}.tile", "a")

    def begin(wall: Any, tiles: Any, **generator: Any) -> Next:
        return at, {"wall": in_order(wall, tiles), "tiles": tiles, "place": 0, **generator}

    def question(tiles: Any, **values: Any) -> Mapping[str, Any]:
        return pick(DRAWN, n=tiles)(**values)

    def swap(wall: Any, tiles: Any, place: Any, drawn_after: Any, **values: Any) -> Next:
        wall[place], wall[drawn_after] = wall[drawn_after], wall[place]
        after = {"wall": wall, **renew(values, GENERATOR)}
        if place + 1 == tiles:
            return "return", after
        return at, {**after, "tiles": tiles, "place": place + 1}

    contract = f"""
    ; requires:  mj_tiles == {LONG} or mj_tiles == {SHORT}, mt_seeded
    ; ensures:   mt_seeded
    ; clobbers:  {LOST[cpu]} mt_y[4] {DIVISION[cpu]} mj_at
    ; stack:     {STACK[cpu][routine]}
    ; invariant: {at}: mt_seeded, {register.upper() if register == "a" else register} < mj_tiles
    ; decreases: {at}: mj_tiles - {register.upper() if register == "a" else register}
    """
    given = {**WALL, "tiles": "mj_tiles", **GENERATOR}
    stages = {
        "": Stage(given, begin),
        at: Stage({**given, "place": register}, swap, draw_of(cpu, image).ask(question)),
    }
    return Staged(routine, contract, stages, {**WALL, **GENERATOR})


def in_order(wall: Any, tiles: Any) -> Any:
    """The wall before the swaps."""
    for n in range(SHORT):
        wall[n] = n
    if tiles == LONG:
        for n in range(SHORT, LONG):
            wall[n] = n
    return wall


def deal_of(cpu: str, image: Image) -> Staged:
    """The text, the key, the generator, the wall, and the dice."""
    names = ("decoded", "seed", "wall", "first_die", "second_die")
    decoded, seed, wall_at, first, second = (f"{DEAL}{LOCAL[cpu]}{name}" for name in names)
    carry = mjarcade_key.CARRY[cpu]
    taken = {"players": "mj_players", "seeds": "mj_seeds", "uncertain": "mj_uncertain"}
    key_given = mjarcade_key.GIVEN
    dice = {"dice": "mj_dice"}
    to_come = {"state": "mt_state", **WALL, **dice}
    seeding = {
        "at": "mt_key:little", "length": "mt_key_length:little",
        "key": "mj_key", "state": "mt_state",
    }  # fmt: skip
    here = {"players": "mj_players", **GENERATOR, **WALL, **dice}

    def begin(bad_after: Any, words_after: Any, seeds: Any, **values: Any) -> Next:
        if bad_after:
            return "return", {"bad": 1, "wall": values["wall"], "dice": values["dice"]}
        return decoded, {**values, "words": words_after}

    def make(key_after: Any, words_after: Any, **values: Any) -> Next:
        return seed, {
            "players": values["players"],
            "key": key_after,
            **{name: values[name] for name in to_come},
        }

    def key_of(players: Any, key: Any, state: Any, **_: Any) -> Mapping[str, Any]:
        place = image.address(KEYS.name)
        return {"at": place, "length": WORDS * players, "key": key, "state": state}

    def seed_it(players: Any, wall: Any, dice: Any, **values: Any) -> Next:
        here = {"players": players, "wall": wall, "dice": dice}
        return wall_at, {**here, **renew(values, GENERATOR)}

    def tiles_of(players: Any, wall: Any, **values: Any) -> Mapping[str, Any]:
        tiles = LONG if players == 4 else SHORT
        return {"wall": wall, "tiles": tiles, **renew(values, GENERATOR)}

    def shuffle_it(wall_after: Any, dice: Any, **values: Any) -> Next:
        return first, {"wall": wall_after, "dice": dice, **renew(values, GENERATOR)}

    def one(wall: Any, dice: Any, drawn_after: Any, **values: Any) -> Next:
        dice[0] = drawn_after + 1
        return second, {"wall": wall, "dice": dice, **renew(values, GENERATOR)}

    def other(wall: Any, dice: Any, drawn_after: Any, **_values: Any) -> Next:
        dice[1] = drawn_after + 1
        return "return", {"bad": 0, "wall": wall, "dice": dice}

    base = image.address("mt_state")
    words = name_after(mjarcade_key.decoding_contract(cpu))
    text = mjarcade_key.TEXT
    ask_decode = Asked(mjarcade_key.DECODE, pick(text), text, words, _decode_seeds)
    made = name_after(mjarcade_key.MADE)
    ask_key = Asked(mjarcade_key.KEY, pick(key_given), key_given, made, _key)

    def seeds_of(at: int, length: int, key: bytes, state: bytes) -> Mapping[str, Any]:
        return _seed_generator(base, key[: 4 * length])

    ask_seed = Asked(SEED, key_of, seeding, name_after(GENERATOR), seeds_of)
    throw = draw_of(cpu, image).ask(pick(DRAWN, n=FACES))
    drawing = {**GENERATOR, **WALL, **dice}
    contract = f"""
    ; in:        mj_players mj_uncertain[4] mj_seeds[108] mj_words[80] mj_key[80]
    ;   mt_state[2500] mj_wall[{LONG}]{at_stages(cpu)}
    """
    stages = {
        "": Stage({**taken, **key_given, **to_come}, begin, ask_decode),
        decoded: Stage({**key_given, **to_come}, make, ask_key),
        seed: Stage({"players": "mj_players", "key": "mj_key", **to_come}, seed_it, ask_seed),
        wall_at: Stage(here, shuffle_it, shuffle_of(cpu, image).ask(tiles_of)),
        first: Stage(drawing, one, throw),
        second: Stage(drawing, other, throw),
    }
    return Staged(DEAL, contract, stages, {"bad": carry, **WALL, **dice})


def at_stages(cpu: str) -> str:
    """The invariants: between two routines that are asked."""
    ready = {"wall": "mt_seeded", "first_die": "mt_seeded", "second_die": "mt_seeded"}
    holds = {"decoded": "A <= 255", "seed": "A <= 255", **ready}
    return "".join(
        f"\n    ; invariant: {DEAL}{LOCAL[cpu]}{name}: {text}" for name, text in holds.items()
    )


def _decode_seeds(players: int, seeds: bytes, words: bytes) -> dict[str, Any]:
    text = seeds[: LENGTH * players].decode("latin-1")
    if any(letter not in ALPHABET for letter in text):
        return {"bad_after": 1, "words_after": words}
    each = [text[at : at + LENGTH] for at in range(0, len(text), LENGTH)]
    made = b"".join(one.to_bytes(4, "big") for seed in each for one in decode(seed).words)
    return {"bad_after": 0, "words_after": made + words[len(made) :]}


def _key(players: int, uncertain: bytes, key: bytes, words: bytes) -> dict[str, Any]:
    size = 4 * WORDS
    ordered = sorted(words[size * n : size * (n + 1)] for n in range(players))
    numbers = [
        tuple(int.from_bytes(one[at : at + 4], "big") for at in range(0, size, 4))
        for one in ordered
    ]
    mixed = key_of_players(numbers, int.from_bytes(uncertain, "little"))
    made, sorted_words = b"".join(n.to_bytes(4, "little") for n in mixed), b"".join(ordered)
    return {
        "key_after": made + key[len(made) :],
        "words_after": sorted_words + words[len(sorted_words) :],
    }


def _seed_generator(base: int, key: bytes) -> dict[str, Any]:
    words = seeded_words(
        [int.from_bytes(key[at : at + 4], "little") for at in range(0, len(key), 4)]
    )
    state = b"".join(one.to_bytes(WORD, "little") for one in (*words, words[0]))
    return {"state_after": state, "this_after": base, "ahead_after": base + WORD * AHEAD}
