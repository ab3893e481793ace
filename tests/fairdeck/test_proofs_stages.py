"""Run, the models of stages are those of the library; near misses of them are not proved."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from fairdeck.mjarcade.seed import ALPHABET, LENGTH, decode
from fairdeck.proofs.draws import (
    DRAWN,
    draw_stages,
    generator,
    numbers,
    small_stages,
    stages_of_balanced,
)
from fairdeck.proofs.mjarcade_key import decode_stages
from fairdeck.proofs.mt19937_seed import START, WORD, WORDS, seeding
from fairdeck.proofs.shuffle_fast import fast_stages
from fairdeck.proofs.stream import generator_of, mirror_bits, stream_contents, stream_of
from fairdeck.proofs.tarot_bank import tarot_bank, tarot_program
from fairdeck.tarot.draw import draw, flip
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK, next_byte
from fairdeck.tarot.shuffle import CARDS, shuffle
from fairdeck.tarot.targets import MOS6502, SM83, TARGETS
from fairdeck.wall_roms import wall_rom
from romproof import ProofOptions, Verdict
from romproof.prover.refinement.stages import run


def _generators(count: int) -> list[tuple[int, int, int]]:
    rnd = random.Random(count)
    some = [(rnd.getrandbits(32), rnd.getrandbits(8), rnd.randrange(9)) for _ in range(count)]
    return [*some, (0, 0, 0), (1, 255, 8), (0x80000000, 1, 1)]


def _given(state: int, remainder: int, flips_left: int) -> dict[str, Any]:
    return {"state": state, "remainder": remainder, "flips_left": flips_left}


@pytest.mark.parametrize("cpu", TARGETS)
def test_the_stages_of_a_draw_are_the_models_draw(cpu: str) -> None:
    stages = draw_stages(TARGETS[cpu])
    for number, each in enumerate(_generators(40)):
        n = 2 + number * 3 % 127
        done = draw(generator(*each), n)
        found = run(stages, {"highest": n - 1, **_given(*each)})
        assert found == {**numbers(done.generator), "result": done.value}


@pytest.mark.parametrize(
    "stages",
    [made(target) for made in (small_stages, stages_of_balanced) for target in TARGETS.values()],
)
def test_the_stages_of_a_shuffle_are_the_models_shuffle(stages: Any) -> None:
    rnd = random.Random(7)
    for each in _generators(12):
        deck = rnd.sample(range(CARDS), CARDS)
        done = shuffle(generator(*each), deck)
        found = run(stages, {**_given(*each), "deck": bytearray(deck)})
        assert bytes(found["deck"]) == bytes(done.deck)
        assert {name: found[name] for name in numbers(done.generator)} == numbers(done.generator)


def test_the_stages_of_the_fast_shuffle_are_the_models_shuffle() -> None:
    rnd = random.Random(8)
    stages = fast_stages(tarot_program(SM83).image)
    for each in _generators(12):
        deck = rnd.sample(range(CARDS), CARDS)
        done = shuffle(generator(*each), deck)
        found = run(stages, {**_given(*each), "deck": bytearray(deck)})
        assert bytes(found["deck"]) == bytes(done.deck)
        assert {name: found[name] for name in numbers(done.generator)} == numbers(done.generator)


def test_a_stream_is_the_models_generator_flip_by_flip() -> None:
    # both are linear in the state: what holds of each of its bits, and of 0, holds of all states
    for state in (0, *(1 << bit for bit in range(32))):
        for left in range(9):
            model = generator(state, 0xA6 & (1 << left) - 1, left)
            stream = stream_of(model)
            for _ in range(20):
                assert generator_of(stream) == model
                (stream, bit), (model, wanted) = stream.flip(), flip(model)
                assert bit == wanted


def test_bytes_of_a_stream_mean_what_comes_next() -> None:
    state = 0x12345678
    taken = [mirror_bits(state >> 24)]
    wanted = {1: state}
    for place in range(2, 40):
        state, byte = next_byte(state, DEFAULT_FEEDBACK)
        taken.append(mirror_bits(byte))
        wanted[place] = state
    stream = bytes([0, *taken])
    for place in range(1, 30):
        for flips in range(8):
            remainder = wanted[place] >> 24 >> 8 - flips
            there = stream_of(generator(wanted[place], remainder, flips)).values
            assert stream_contents(stream, place, flips) == there
            # of another first byte only the flips are asked
            assert stream_contents(stream, place, flips, begun=False) == there
    other = bytes([0, 0xE7, *taken[1:]])
    first = stream_of(generator(wanted[1], mirror_bits(0xE7), 8)).values
    assert stream_contents(other, 0, 0, begun=False) == first


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
@pytest.mark.parametrize("length", [1, 3, 20, WORDS])
def test_the_stages_of_seeding_are_those_of_python(cpu: str, length: int) -> None:
    image = wall_rom(cpu).image
    rnd = random.Random(length)
    words = [rnd.getrandbits(32) for _ in range(length - 1)] + [rnd.getrandbits(31) | 1 << 31]
    key = b"".join(word.to_bytes(WORD, "little") for word in words)
    place = 4 * WORDS - len(key)  # the last place where it fits
    memory = bytes(rnd.getrandbits(8) for _ in range(place)) + key
    found = run(
        seeding(cpu, image).stages,
        {
            "key": memory,
            "at": image.address("walls_key") + place,
            "length": length,
            "state": bytearray(rnd.getrandbits(8) for _ in range(WORD * (WORDS + 1))),
        },
    )
    # a number that needs all of the words is a key of just these
    wanted = random.Random(int.from_bytes(key, "little")).getstate()[1][:WORDS]
    state = found["state"]
    here = [int.from_bytes(state[n : n + WORD], "little") for n in range(0, len(state), WORD)]
    assert here == [*wanted, wanted[0]]
    assert found["ahead"] - found["this"] == 397 * WORD
    assert START == 19650218


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
@pytest.mark.parametrize("players", [3, 4])
def test_the_stages_of_decoding_are_the_models(cpu: str, players: int) -> None:
    rnd = random.Random(players)
    for _ in range(20):
        seeds = ["".join(rnd.choices(ALPHABET, k=LENGTH)) for _ in range(4)]
        given = {"players": players, "seeds": "".join(seeds).encode(), "words": bytearray(80)}
        found = run(decode_stages(cpu), given)
        words = [word for seed in seeds[:players] for word in decode(seed).words]
        assert found["bad"] == 0
        assert bytes(found["words"])[: 20 * players] == b"".join(
            word.to_bytes(4, "big") for word in words
        )
        place = rnd.randrange(LENGTH * players)
        text = given["seeds"][:place] + b"!" + given["seeds"][place + 1 :]
        assert run(decode_stages(cpu), {**given, "seeds": text})["bad"] == 1


def _biased(where: str, after: dict[str, Any]) -> Any:
    if where == "return":
        after["result"] = 0 if after["result"] == 77 else after["result"]
    return where, after


def _flips_lost(where: str, after: dict[str, Any]) -> Any:
    return where, {**after, "flips_left": 0 if after["flips_left"] == 7 else after["flips_left"]}


@pytest.mark.proof
def test_near_misses_of_a_draw_are_not_proved() -> None:
    pytest.importorskip("z3", reason="proofs need it")
    own = tarot_bank(MOS6502, ProofOptions())
    for name in ("next_byte", "flip", "draw"):
        own.routine(name)
    stages = draw_stages(MOS6502)
    (turn,) = (label for label in stages if label)
    for change in (_biased, _flips_lost):

        def changed(change: Any = change, **values: Any) -> Any:
            where, after = stages[turn].model(**values)
            return change(where, dict(after))

        near = {**stages, turn: replace(stages[turn], model=changed)}
        assert own.simulates(near, DRAWN).verdict is not Verdict.PROVED
