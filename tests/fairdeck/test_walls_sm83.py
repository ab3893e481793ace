"""The walls' routines on the SM83: what their contracts claim about cycles happens, at both ends.

What they compute is held against models and vectors in test_walls_on_machine.py.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable

import pytest
from slow import slow_but

from fairdeck.mjarcade.seed import key
from fairdeck.wall_roms import LIMIT, wall_machine, wall_rom
from romproof.contract.reading.parse import parse_contracts
from romproof.harness.machine import Machine

ROM_SIZE = 0x8000
WORD = 4
MT_WORDS = 624
MJ_WORDS = 5


@pytest.fixture
def machine() -> Machine:
    return wall_machine("sm83")


def claim(routine: str) -> tuple[int, int | None]:
    """What the contract says: the fewest and the most M-cycles."""
    cycles = parse_contracts(wall_rom("sm83").image)[routine].cycles
    assert cycles is not None
    return cycles


def assert_exact(routine: str, found: Iterable[int]) -> None:
    assert set(found) == {claim(routine)[0]} == {claim(routine)[1]}, routine


def point(machine: Machine, variable: str, address: int) -> None:
    machine.write(variable, address.to_bytes(2, "little"))


def start(machine: Machine, words: list[int]) -> int:
    """Seed the generator; the M-cycles that it took."""
    place = machine.image.address("walls_key")
    machine.write(place, b"".join(word.to_bytes(WORD, "little") for word in words))
    point(machine, "mt_key", place)
    point(machine, "mt_key_length", len(words))
    return machine.call("mt_init_by_array", limit=LIMIT).cycles


def hash_at(machine: Machine, place: int, length: int) -> int:
    """Hash what lies in memory and compare; the M-cycles that it took."""
    message = machine.read(place, length)
    point(machine, "sha512_message", place)
    point(machine, "sha512_length", length)
    cycles = machine.call("sha512", limit=2 * LIMIT).cycles
    assert machine.read("sha512_digest", 64) == hashlib.sha512(message).digest()
    return cycles


@pytest.mark.slow
def test_parts_of_sha512_always_take_the_same_cycles(machine: Machine) -> None:
    rnd = random.Random(83)
    place = machine.image.address("walls_key")
    padding = machine.image.address("sha512_padding")
    found: dict[str, list[int]] = {}
    for message in (bytes(128), b"\xff" * 128, rnd.randbytes(128), rnd.randbytes(128)):
        for offset in (0, 1, 0x7F, 0x80):  # also across the end of a page
            machine.write(place + offset, message)
            point(machine, "sha512_message", place + offset)
            for routine in ("start", "load", "schedule", "block", "of_128", "finish"):
                called = machine.call(f"sha512_{routine}", limit=LIMIT)
                found.setdefault(f"sha512_{routine}", []).append(called.cycles)
            for routine in ("sha512_rounds", "sha512_mix"):
                called = machine.call(routine, de=padding)
                found.setdefault(routine, []).append(called.cycles)
    assert len(found) == 8
    for routine, cycles in found.items():
        assert_exact(routine, cycles)


@pytest.mark.slow
def test_short_messages_take_one_block_and_the_fewest_cycles(machine: Machine) -> None:
    place = machine.image.address("walls_key")
    machine.write(place, random.Random(84).randbytes(128))
    cycles = {length: hash_at(machine, place, length) for length in range(128)}
    assert min(cycles.values()) == cycles[111] == claim("sha512")[0]
    assert max(cycles[length] for length in range(112)) == cycles[0] == 127_213
    # from 112 bytes on the length has no room in the block
    assert min(cycles[length] for length in range(112, 128)) > 2 * claim("sha512_block")[0]


@pytest.mark.slow
def test_the_longest_messages_take_the_most_cycles(machine: Machine) -> None:
    pytest.importorskip("llvmlite", reason="32 million M-cycles take minutes on the engine plain")
    # 255 blocks, the program itself being the message; 112 bytes more than whole
    # blocks need the most padding, and half a page in, the address carries once more
    longest = 253 * 128 + 112
    assert hash_at(machine, 0x80, longest) == claim("sha512")[1]
    assert hash_at(machine, 0, 254 * 128 + 111) < hash_at(machine, 0, longest)
    assert 0x80 + longest <= ROM_SIZE


@pytest.mark.slow
def test_every_routine_inside_keeps_its_contract(machine: Machine) -> None:
    place = machine.image.address("walls_key")
    machine.write(place, bytes(range(128)))
    point(machine, "sha512_message", place)
    machine.call("sha512_of_128", check="deep", limit=LIMIT)
    seeds = b"".join(bytes([letter]) * 27 for letter in b"zYx0")
    machine.write("mj_players", 4)
    machine.write("mj_seeds", seeds)
    machine.write("mj_uncertain", bytes(4))
    result = machine.call("mj_deal", check="deep", limit=LIMIT)
    assert result.flags.c == 0
    assert sorted(machine.read("mj_wall", 136)) == list(range(136))


def test_modulo(machine: Machine) -> None:
    # the fewest cycles: a divisor of 129 leaves 128 after eight bits, and every
    # further bit set then carries out of the remainder
    found = [
        machine.call("modulo", a=divisor, mem={"dividend": number.to_bytes(4, "little")}).cycles
        for number in (0, 2**32 - 1, 0x80FF_FFFF, 0x8000_0000)
        for divisor in (1, 129, 136, 255)
    ]
    assert (min(found), max(found)) == claim("modulo")


@pytest.mark.slow
def test_mt_next(machine: Machine) -> None:
    start(machine, [83])
    found = {machine.call("mt_next").cycles for _ in range(2 * MT_WORDS)}
    assert (min(found), max(found)) == claim("mt_next")


@pytest.mark.slow
def test_seeding(machine: Machine) -> None:
    found = [start(machine, [7] * words) for words in (1, 2, 15, 20, 32, 311, 512, 624)]
    assert (min(found), max(found)) == claim("mt_init_by_array")


def test_decoding(machine: Machine) -> None:
    found = []
    for players, text in ((4, b"!" * 108), (3, b"0" * 81), (4, b"_" * 108)):
        mem: dict[str | int, bytes] = {
            "mj_players": bytes([players]),
            "mj_seeds": text.ljust(108, b"0"),
        }
        result = machine.call("mj_decode", mem=mem)
        assert result.flags.c == (text[0] == ord("!"))
        found.append(result.cycles)
    assert (min(found), max(found)) == claim("mj_decode")
    assert found[1] == 4053


def make_key(machine: Machine, players: list[bytes], uncertain: int) -> int:
    """Make a key and compare it with the model's; the M-cycles that it took."""
    mem: dict[str | int, bytes] = {
        "mj_players": bytes([len(players)]),
        "mj_words": b"".join(players).ljust(80, b"\0"),
        "mj_uncertain": uncertain.to_bytes(4, "little"),
    }
    cycles = machine.call("mj_make_key", mem=mem).cycles
    words = [
        tuple(int.from_bytes(player[at : at + WORD], "big") for at in range(0, 20, WORD))
        for player in players
    ]
    made = b"".join(word.to_bytes(WORD, "little") for word in key(words, uncertain))
    assert machine.read("mj_key", len(players) * MJ_WORDS * WORD) == made
    return cycles


def test_keys_take_the_fewest_cycles_sorted_and_the_most_reversed(machine: Machine) -> None:
    in_order = [bytes([n]) * 20 for n in range(3)]
    last_byte_decides = [bytes(19) + bytes([9 - n]) for n in range(4)]
    found = [make_key(machine, in_order, 0), make_key(machine, last_byte_decides, 0xFFFF_FFFF)]
    assert (min(found), max(found)) == claim("mj_make_key")


@pytest.mark.slow_cases("4")
@pytest.mark.parametrize("rounds", slow_but([4], [4, 20]))
def test_keys_of_players_in_any_order(machine: Machine, rounds: int) -> None:
    rnd = random.Random(85)
    for count in (3, 4) * rounds:
        # few values: often the first bytes, or whole players, are equal
        players = [
            bytes(rnd.choice((0, 0, 127, 128, 255)) for _ in range(20)) for _ in range(count)
        ]
        players[-1] = players[0] if rnd.random() < 0.2 else players[-1]
        shared = rnd.randrange(20)
        players = [players[0][:shared] + player[shared:] for player in players]
        least, most = claim("mj_make_key")
        assert most is not None
        assert least <= make_key(machine, players, rnd.getrandbits(32)) <= most


def test_a_round_lies_within_its_claim(machine: Machine) -> None:
    start(machine, [1, 2, 3, 4])
    for tiles in (136, 108):
        machine.write("tenhou_tiles", tiles)
        cycles = machine.call("tenhou_round", limit=LIMIT).cycles
        least, most = claim("tenhou_round")
        assert most is not None
        # nine times two blocks, of which only the first has words to schedule
        assert 9 * claim("sha512_of_128")[0] < least <= cycles <= most
