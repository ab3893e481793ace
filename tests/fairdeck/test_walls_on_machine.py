"""The walls in machine code against models, vectors and standard libraries."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every_case import every_case
from slow import slow_but

from fairdeck.mjarcade.on_machine import deal_on, running_value_on
from fairdeck.mjarcade.seed import SeedError
from fairdeck.mjarcade.uncertain import BadEvent, running_value
from fairdeck.tenhou.on_machine import rounds_on
from fairdeck.tenhou.seed import parse_seed
from fairdeck.tenhou.table import TABLES
from fairdeck.tenhou.wall import rounds
from fairdeck.wall_roms import LIMIT, WALL_ROMS, wall_machine, wall_rom
from romproof.contract.reading.parse import parse_contracts
from romproof.harness.machine import Machine

VECTORS = Path(__file__).parents[1] / "vectors"
TENHOU: dict[str, Any] = json.loads((VECTORS / "tenhou_synthetic.json").read_text("utf-8"))
ARCADE: dict[str, Any] = json.loads((VECTORS / "mj_arcade.json").read_text("utf-8"))
CPUS = list(WALL_ROMS)
OLDER_SEED = "mt19937ar-sha512-n288," + ",".join(f"{n * 0x9E3779B9 % 2**32:x}" for n in range(32))


@pytest.fixture(params=CPUS)
def cpu(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def machine(cpu: str) -> Machine:
    return wall_machine(cpu)


def _message_place(machine: Machine) -> int:
    return machine.image.address("walls_key")


def _sha512(machine: Machine, message: bytes) -> bytes:
    place = _message_place(machine)
    machine.write(place, message)
    machine.write("sha512_message", place.to_bytes(2, "little"))
    machine.write("sha512_length", len(message).to_bytes(2, "little"))
    machine.call("sha512", limit=LIMIT)
    return machine.read("sha512_digest", 64)


EDGES = [0, 1, 2, 8, 63, 64, 110, 111, 112, 113, 119, 120, 127, 128, 129, 239, 240, 255, 256, 300]
"""Lengths around those at which a message takes a block more, and others."""


@pytest.mark.slow_cases("sm83-edges")
@pytest.mark.parametrize("lengths", slow_but([EDGES], [EDGES, range(301)]), ids=["edges", "all"])
def test_sha512_of_short_messages(machine: Machine, lengths: Sequence[int]) -> None:
    rnd = random.Random(512)
    for length in lengths:
        message = rnd.randbytes(length)
        assert _sha512(machine, message) == hashlib.sha512(message).digest(), length


@pytest.mark.slow_cases("sm83-1000", "sm83-1279")
@pytest.mark.parametrize("length", [1000, 1279, 2496])
def test_sha512_of_longer_messages(machine: Machine, length: int) -> None:
    message = random.Random(length).randbytes(length)
    assert _sha512(machine, message) == hashlib.sha512(message).digest()


def test_sha512_of_128_is_sha512(machine: Machine) -> None:
    rnd = random.Random(128)
    place = _message_place(machine)
    for message in (bytes(128), b"\xff" * 128, *(rnd.randbytes(128) for _ in range(20))):
        machine.write(place, message)
        machine.write("sha512_message", place.to_bytes(2, "little"))
        machine.call("sha512_of_128", limit=LIMIT)
        assert machine.read("sha512_digest", 64) == hashlib.sha512(message).digest()


def _start(machine: Machine, key: list[int]) -> None:
    place = _message_place(machine)
    machine.write(place, b"".join(word.to_bytes(4, "little") for word in key))
    machine.write("mt_key", place.to_bytes(2, "little"))
    machine.write("mt_key_length", len(key).to_bytes(2, "little"))
    machine.call("mt_init_by_array", limit=LIMIT)


@pytest.mark.slow_cases("255-1-516345")
@pytest.mark.parametrize(("offset", "words", "cycles"), [(255, 1, 516_345), (0, 441, 495_200)])
def test_where_the_key_is_counts_on_the_6502(offset: int, words: int, cycles: int) -> None:
    """A word that is read across a page takes longest; 441 from the beginning of one least."""
    machine = wall_machine("6502")
    base = _message_place(machine)
    place = base + (offset - base) % 256
    machine.write("mt_key", place.to_bytes(2, "little"))
    machine.write("mt_key_length", words.to_bytes(2, "little"))
    machine.write(place, bytes(4 * words))
    assert machine.call("mt_init_by_array", limit=LIMIT).cycles == cycles
    claim = parse_contracts(wall_rom("6502").image)["mt_init_by_array"].cycles
    assert claim is not None
    assert cycles in claim


CHECKED = 1300
"""Outputs during which the contract is checked, twice around the state."""


def _outputs(machine: Machine, count: int) -> bytes:
    found = b""
    for number in range(count):
        # the first ones come to each word of the state: it keeps its contract everywhere
        machine.call("mt_next", check=number < CHECKED)
        found += machine.read("mt_y", 4)
    return found


@pytest.mark.slow_cases("6502-1", "6502-624", "sm83-1", "sm83-20", "sm83-624")
@pytest.mark.parametrize("words", slow_but([1, 20, 624], [1, 2, 15, 20, 32, 624]))
def test_mt19937_with_keys_of_every_length_used(machine: Machine, words: int) -> None:
    rnd = random.Random(words)
    key = [rnd.getrandbits(32) for _ in range(words)]
    _start(machine, key)
    assert _outputs(machine, 700) == np.random.RandomState(key).bytes(2800)


@pytest.mark.slow_cases("sm83-key0", "sm83-key1", "sm83-key2")
@pytest.mark.parametrize("key", [[0], [0] * 20, [0xFFFFFFFF] * 15, [5, 0, 0]])
def test_mt19937_with_extreme_keys(machine: Machine, key: list[int]) -> None:
    _start(machine, key)
    assert _outputs(machine, 5) == np.random.RandomState(key).bytes(20)


@pytest.mark.slow_cases("sm83-1300")
@pytest.mark.parametrize("count", slow_but([CHECKED], [CHECKED, 10_000]))
def test_thousands_of_outputs(machine: Machine, count: int) -> None:
    key = [0x123, 0x234, 0x345, 0x456]
    _start(machine, key)
    assert _outputs(machine, count) == np.random.RandomState(key).bytes(4 * count)


@pytest.mark.slow_cases("6502")
def test_modulo(machine: Machine) -> None:
    rnd = random.Random(7)
    cases = [(n, d) for n in (0, 1, 2**31, 2**32 - 1) for d in (1, 2, 127, 128, 129, 255)]
    cases += [(rnd.getrandbits(32), rnd.randint(1, 255)) for _ in range(1000)]
    for number, divisor in cases:
        mem = {"dividend": number.to_bytes(4, "little")}
        assert machine.call("modulo", a=divisor, mem=mem).a == number % divisor


@pytest.mark.quick_cases("sm83-3-tn-open-a")
@pytest.mark.parametrize("game", TENHOU["shuffle"], ids=lambda game: str(game["label"]))
@pytest.mark.parametrize("players", [4, 3])
def test_tenhou_vectors(cpu: str, game: dict[str, Any], players: int) -> None:
    count = len(game["rounds"])
    made = rounds_on(cpu, parse_seed(game["seed"]), TABLES[players], count)
    for one, wanted in zip(made, game["rounds"], strict=True):
        assert list(one.round.wall) == wanted["wall136" if players == 4 else "wall108"]
        assert [face - 1 for face in one.round.dice] == wanted["dice"]


def test_the_older_seeds(cpu: str) -> None:
    seed = parse_seed(OLDER_SEED)
    made = rounds_on(cpu, seed, TABLES[4], 2)
    assert [one.round for one in made] == list(islice(rounds(seed, TABLES[4]), 2))


def test_a_round_is_fast(cpu: str) -> None:
    most = {"6502": 2_400_000, "sm83": 4_000_000}[cpu]
    made = rounds_on(cpu, parse_seed(OLDER_SEED), TABLES[4], 2)
    assert all(0 < one.cycles <= most for one in made)


@pytest.mark.slow
@every_case("case", ARCADE["four_player"] + ARCADE["three_player_extrapolated"], ids=str)
def test_mj_arcade_vectors(cpu: str, case: dict[str, Any]) -> None:
    dealt = deal_on(cpu, case["seeds"], case["ue"])
    assert list(dealt.wall) == case["wall"]
    assert [face - 1 for face in dealt.dice] == case["dice_raw"]


@pytest.mark.slow_cases("6502-1168", "6502-833", "sm83-1168")
@pytest.mark.parametrize("case", ARCADE["uncertain_element"], ids=lambda case: str(case["total"]))
def test_the_uncertain_element(cpu: str, case: dict[str, Any]) -> None:
    for start in (0, 2**32 - 20):
        made = running_value_on(cpu, case["events"], start)
        assert list(made.values) == [n % 2**32 for n in running_value(case["events"], start)]
        assert made.values[-1] == (case["total"] + start) % 2**32
        assert made.cycles > 0


def test_every_tile_and_the_ends_of_numbers(cpu: str, machine: Machine) -> None:
    values = [machine.call("mj_tile_value", a=kind).a for kind in range(34)]
    assert values == [*range(1, 10)] * 3 + [*range(1, 8)]
    events = [["discard", 3, nth, tile] for nth in (1, 254, 255) for tile in ("1m", "9s", "C")]
    for start in (0, 0xFF, 0xFFFF - 200, 0xFFFFFF, 2**32 - 1):
        found = running_value_on(cpu, [["deal"], *events], start).values
        assert list(found) == [n % 2**32 for n in running_value([["deal"], *events], start)]


def test_the_machine_refuses_what_the_model_refuses(cpu: str) -> None:
    for event in (["draw"], ["discard", 0, 1, "10p"], ["discard", 0, 256, "1p"]):
        with pytest.raises(BadEvent, match="event 2: "):
            running_value_on(cpu, [["deal"], event])


@pytest.mark.parametrize(
    "bad", ["!", " ", ",", "/", ":", "@", "[", "`", "{", "\x7f", "\x80", "\xff"]
)
def test_the_machine_refuses_other_characters(machine: Machine, bad: str) -> None:
    text = ("0" * 50 + bad).ljust(108, "0").encode("latin-1")
    result = machine.call("mj_deal", mem={"mj_players": b"\x04", "mj_seeds": text}, limit=LIMIT)
    assert result.flags.c == 1


def test_the_machine_takes_every_character(machine: Machine) -> None:
    from fairdeck.mjarcade.seed import ALPHABET, decode

    seeds = [ALPHABET[i : i + 27] for i in (0, 27, 37, 5)]
    text = "".join(seeds).encode("ascii")
    result = machine.call("mj_decode", mem={"mj_players": b"\x04", "mj_seeds": text})
    assert result.flags.c == 0
    words = b"".join(word.to_bytes(4, "big") for seed in seeds for word in decode(seed).words)
    assert machine.read("mj_words", 80) == words


def test_malformed_seeds_are_refused_before_the_machine(cpu: str) -> None:
    with pytest.raises(SeedError):
        deal_on(cpu, ["x"] * 4, 1)


def test_work_areas_fit_eight_kibibytes(cpu: str) -> None:
    image = wall_rom(cpu).image
    ram = [
        s
        for s in image.segments
        if not any(b.address <= s.run < b.address + len(b.data) for b in image.blocks)
    ]
    assert 0 < sum(segment.size for segment in ram) <= 8 * 1024
