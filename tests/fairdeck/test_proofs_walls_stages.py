"""Run, the stages of walls are the library's models; a near miss of one is not proved."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from typing import Any

import pytest

from fairdeck.mjarcade.seed import ALPHABET, LENGTH
from fairdeck.mjarcade.seed import key as key_of_players
from fairdeck.mjarcade.wall import deal
from fairdeck.proofs.mjarcade import of_text, texts
from fairdeck.proofs.mjarcade_deal import KEYS, deal_of
from fairdeck.proofs.mjarcade_key import key_stages
from fairdeck.proofs.mt19937_model import after_output
from fairdeck.proofs.mt19937_seed import seeding
from fairdeck.proofs.sha512_message import BLOCK_BYTES, PLACES, mix_of, of_128
from fairdeck.proofs.sha512_stages import rounds_6502
from fairdeck.proofs.statement import bank, program
from fairdeck.proofs.tenhou import round_of
from fairdeck.tenhou.wall import DICE_AT, FACES, round_numbers, shuffle_tiles
from fairdeck.twister import Twister, seed_state
from fairdeck.wall_roms import WALL_ROMS
from romproof import Image, ProofOptions, Verdict
from romproof.prover.refinement.stages import run

CPUS = sorted(WALL_ROMS)


def _image(cpu: str) -> Image:
    return program(WALL_ROMS[cpu]).image


def _generator(image: Image, key: list[int]) -> dict[str, Any]:
    """The machine's generator after seeding."""
    words = seed_state(key)
    state = b"".join(word.to_bytes(4, "little") for word in (*words, words[0]))
    base = image.address("mt_state")
    return {"state": bytearray(state), "this": base, "ahead": base + 4 * 397}


@pytest.mark.parametrize("cpu", CPUS)
def test_outputs_are_those_of_numpy(cpu: str) -> None:
    image = _image(cpu)
    here = _generator(image, [1, 2, 3])
    outputs = []
    for _ in range(1300):  # twice round the state
        after = after_output(cpu, image.address("mt_state"), **here)
        outputs.append(after["y"])
        here = {name: after[f"{name}_after"] for name in here}
    assert outputs == Twister([1, 2, 3]).words(1300)


@pytest.mark.parametrize("cpu", CPUS)
def test_the_stages_of_a_message_are_hashlibs(cpu: str) -> None:
    own, rnd = bank(WALL_ROMS[cpu], ProofOptions()), random.Random(cpu)
    image = own.image
    cells, place = rnd.randbytes(PLACES), rnd.randrange(PLACES - BLOCK_BYTES + 1)
    sizes = {"w": image.symbol("sha512_w").size, "wk": image.symbol("sha512_wk").size}
    work = {name: bytearray(rnd.randbytes(size or 0)) for name, size in sizes.items()}
    message = image.address("walls_key") + place
    found = run(of_128(cpu, image, own.fixed).stages, {"message": message, "cells": cells, **work})
    digest = b"".join(found[f"d{n}"].to_bytes(8, "big") for n in range(8))
    assert digest == hashlib.sha512(cells[place : place + BLOCK_BYTES]).digest()


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("tiles", [136, 108])
def test_the_stages_of_a_round_are_tenhous(cpu: str, tiles: int) -> None:
    image, key = _image(cpu), [7, tiles]
    given = {**_generator(image, key), "wall": bytearray(136), "dice": bytearray(2)}
    more = {"tiles": tiles, "output": bytearray(128)}
    found = run(round_of(cpu, image).stages, {**given, **more})
    numbers = round_numbers(Twister(key))
    assert list(found["wall"])[:tiles] == shuffle_tiles(tiles, numbers)
    assert [*found["dice"]] == [numbers[DICE_AT + n] % FACES + 1 for n in range(2)]


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("players", [3, 4])
def test_the_stages_of_a_key_are_the_models(cpu: str, players: int) -> None:
    rnd = random.Random(players)
    for _ in range(20):
        words = [bytes(rnd.choice((0, 128, 255)) for _ in range(20)) for _ in range(players)]
        uncertain = rnd.getrandbits(32)
        first = 0 if cpu == "6502" else _image(cpu).address("mj_key")
        assert first >= 0
        given = {
            "players": players,
            "uncertain": uncertain.to_bytes(4, "little"),
            "words": bytearray(b"".join(words).ljust(80, b"\1")),
            "key": bytearray(80),
        }
        found = run(key_stages(cpu, _image(cpu)), given)
        numbers = [
            tuple(int.from_bytes(one[at : at + 4], "big") for at in range(0, 20, 4))
            for one in words
        ]
        wanted = key_of_players(numbers, uncertain)
        made = b"".join(number.to_bytes(4, "little") for number in wanted)
        assert bytes(found["key"]) == made.ljust(80, b"\0")
        assert bytes(found["words"]) == b"".join(sorted(words)).ljust(80, b"\1")


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("players", [3, 4])
def test_the_stages_of_a_deal_are_the_models(cpu: str, players: int) -> None:
    image, rnd = _image(cpu), random.Random(players)
    seeds = ["".join(rnd.choices(ALPHABET, k=LENGTH)) for _ in range(players)]
    given = {
        "players": players,
        "uncertain": (77).to_bytes(4, "little"),
        "seeds": "".join(seeds).ljust(108, "!").encode(),
        "words": bytearray(80),
        "key": bytearray(80),
        "state": bytearray(2500),
        "wall": bytearray(136),
        "dice": bytearray(2),
    }
    found = run(deal_of(cpu, image).stages, given)
    dealt = deal(seeds, 77)
    assert found["bad"] == 0
    assert tuple(found["wall"])[: len(dealt.wall)] == dealt.wall
    assert tuple(found["dice"]) == dealt.dice
    broken = given["seeds"][:5] + b"!" + given["seeds"][6:]
    assert run(deal_of(cpu, image).stages, {**given, "seeds": broken})["bad"] == 1


@pytest.mark.parametrize("cpu", CPUS)
def test_the_seeding_that_a_deal_asks_is_what_its_own_stages_do(cpu: str) -> None:
    image, rnd = _image(cpu), random.Random(cpu)
    asked = {s.asked.routine: s.asked for s in deal_of(cpu, image).stages.values() if s.asked}
    key = rnd.randbytes(80)
    given = {"at": image.address(KEYS.name), "length": 15, "key": key, "state": bytes(2500)}
    own = run(seeding(cpu, image, KEYS).stages, {**given, "state": bytearray(2500)})
    again = asked["mt_init_by_array"].function(**given)
    own = {**own, "state": bytes(own["state"])}
    assert {f"{name}_after": value for name, value in own.items()} == again


@pytest.mark.proof
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize(
    ("routine", "right", "wrong"),
    [
        ("mj_decode", "mj_seeds[81]", "mj_seeds[80]"),
        ("mj_decode", "mj_players == 3", "mj_players in 3..4"),
        ("mj_decode", "mj_words[60]", "mj_words[59]"),
        ("mj_order", "mj_words[60]", "mj_words[59]"),
    ],
)
def test_near_misses_of_what_three_players_have_are_not_proved(
    cpu: str, routine: str, right: str, wrong: str
) -> None:
    """One byte too few to read or to write, or another player."""
    pytest.importorskip("z3", reason="proofs need it")
    own = bank(WALL_ROMS[cpu], ProofOptions(loose=True))
    text = texts(cpu, 3)[routine]
    assert right in text
    near = of_text(own, own.contracts[routine], text.replace(right, wrong))
    proof = own.routine(routine, near, exact=False)
    told = [str(each.statement) for each in proof.findings if each.verdict is not Verdict.PROVED]
    assert any(not each.startswith("takes ") for each in told), told


@pytest.mark.proof
def test_a_near_miss_of_a_message_is_not_proved() -> None:
    """Of one word of the hash the highest bit is lost where all others are set."""
    pytest.importorskip("z3", reason="proofs need it")
    own = bank(WALL_ROMS["6502"], ProofOptions())
    rounds, mix = rounds_6502(), mix_of("6502", own.image, own.fixed)
    for one in (rounds, mix):
        proof = own.routine(one.routine, one.contract(own), exact=False)
        assert proof.verdict is Verdict.PROVED
    (label,) = (label for label in mix.stages if label)
    right = mix.stages[label]

    def wrong(**values: Any) -> Any:
        place, after = right.model(**values)
        return place, {**after, "h3": after["h3"] & ~((after["h3"] >> 62 == 1) << 62)}

    near = {**mix.stages, label: replace(right, model=wrong)}
    assert own.simulates(near, mix.gives).verdict is not Verdict.PROVED
