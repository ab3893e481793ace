"""No call takes fewer cycles than the best or more than the worst: held against execution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bounds_programs import image_6502, image_sm83, program
from random_programs import Maker, Maker6502, MakerSm83
from slow import slow_but

from romproof.contract.reading.parse import parse_contracts
from romproof.harness.errors import Runaway
from romproof.harness.rom import Rom
from romproof.projects import build, load_manifest
from romproof.timing.survey import BoundsVerdict, Survey, survey

ROOT = Path(__file__).parents[2]
ROMS = ("tarot", "tarot-gb", "walls", "walls-gb", "riichi", "riichi-gb")
CALLS = 60

Call = dict[str, Any]
"""What a routine is called with: registers, and ``mem``."""


@cache
def rom_of(name: str) -> Rom:
    # the game has no use for some of the library's routines
    folder = {"tarot-gb": ROOT / "asm" / "sm83" / "tarot"}.get(name, ROOT / "rom" / name)
    manifest = load_manifest(folder / "manifest.toml")
    return Rom(build(manifest).image, banks=manifest.banks)


@cache
def survey_of(name: str) -> Survey:
    image = rom_of(name).image
    return survey(name, image, parse_contracts(image))


# ---------------------------------------------------------------- the library

NO_BOUND = {
    "tarot": {"reset", "done", "draw", "shuffle"},  # overshoots repeat; a table of addresses
    "tarot-gb": {"reset", "draw", "shuffle", "wait_for_press"},
}


QUICK = [name for name in ROMS if not name.startswith("walls")]
"""The largest two, walls, are left to make test-slow."""


@pytest.mark.slow_cases("riichi", "riichi-gb")
@pytest.mark.parametrize("name", slow_but(QUICK, ROMS))
def test_the_worst_is_known(name: str) -> None:
    rows = survey_of(name).rows
    unknown = {row.name for row in rows if row.bounds.worst is None and row.claim is not None}
    assert unknown <= NO_BOUND.get(name, set())
    assert any(row.bounds.worst is not None for row in rows)


@pytest.mark.quick_cases("tarot", "tarot-gb")
@pytest.mark.parametrize("name", ROMS)
def test_no_claim_is_wrong(name: str) -> None:
    for row in survey_of(name).rows:
        assert row.verdict is not BoundsVerdict.WRONG, row
        if row.verdict is BoundsVerdict.OK:
            assert row.claim is not None
            low, high = row.claim
            assert low >= row.bounds.best
            # a claim without an end says nothing of the most: that of flip follows from next_byte
            assert row.bounds.worst is None or high is None or high <= row.bounds.worst


@pytest.mark.slow
def test_constant_time_is_seen() -> None:
    rows = {row.name: row.bounds for name in ("walls", "tarot") for row in survey_of(name).rows}
    exact = {name: b.best for name, b in rows.items() if b.best == b.worst}
    expected = {"sha512_rounds": 83188, "sha512_mix": 84970, "swap": 29, "deck_init": 865}
    assert expected.items() <= exact.items()


def hand(random: Random, tiles: int) -> bytes:
    """How many of each of the 34 kinds are held."""
    found = bytearray(34)
    for kind in random.sample([k for k in range(34) for _ in range(4)], tiles):
        found[kind] += 1
    return bytes(found)


def registers(random: Random, name: str) -> Call:
    """All registers at random."""
    pairs = ("bc", "de") if name.endswith("-gb") else ("x", "y")
    bits = 16 if name.endswith("-gb") else 8
    return {"a": random.randrange(256)} | {pair: random.randrange(1 << bits) for pair in pairs}


def tarot(random: Random, name: str) -> dict[str, Call]:
    state = {"lfsr": bytes(random.randrange(256) for _ in range(4)), "rng": random.randrange(256)}
    state |= {"flips_left": random.randrange(9), "deck": bytes(range(78))}
    any_call = {**registers(random, name), "mem": state}
    one, other = random.randrange(78), random.randrange(78)
    place = {"l": one, "e": other} if name.endswith("-gb") else {"x": one, "y": other}
    return {
        "next_byte": any_call,
        "next_byte_small": any_call,
        "flip": any_call,
        "draw": {**any_call, "a": random.randrange(128)},
        "swap": {"mem": state, **place},
        "deck_init": any_call,
    }


def walls(random: Random, name: str) -> dict[str, Call]:
    rom = rom_of(name)
    state, words = rom.image.address("mt_state"), 624
    this = random.randrange(words)
    ahead = (this + 397) % words
    letters = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_!"
    seeds = bytes(random.choices(letters, [9] * 64 + [random.randrange(2)], k=108))
    generator = {
        "mt_this": (state + 4 * this).to_bytes(2, "little"),
        "mt_ahead": (state + 4 * ahead).to_bytes(2, "little"),
        "mt_state": bytes(random.randrange(256) for _ in range(2500)),
    }
    block = rom.image.address("tenhou_output") + random.randrange(2)
    players = {"mj_players": random.choice((3, 4)), "mj_seeds": seeds}
    players["mj_words"] = bytes(random.choice((7, random.randrange(256))) for _ in range(80))
    number = bytes(random.randrange(256) for _ in range(4))
    return {
        "modulo": {"a": random.randrange(1, 256), "mem": {"dividend": number}},
        "mt_next": {"mem": generator},
        "mj_decode": {"mem": players},
        "mj_make_key": {"mem": players},
        "sha512_start": {},
        "sha512_load": {"mem": {"sha512_message": block.to_bytes(2, "little")}},
        "sha512_finish": {},
    }


def riichi(random: Random, name: str) -> dict[str, Call]:
    tiles = random.randrange(15)
    held, melded = hand(random, tiles), bytes(34)
    mem = {"hand": held, "melded": melded, "melds": random.randrange(5)}
    mem["suits"] = bytes(random.randrange(15) for _ in range(40))
    mem["pons"] = bytes(random.choice((0, 1)) for _ in range(34))
    calls: dict[str, Call] = {
        "chiitoi_shanten": {"mem": mem},
        "kokushi_shanten": {"mem": mem},
        "own_kans": {"mem": mem},
        "suit_costs": {"a": random.randrange(4), "mem": mem},
        "shanten": {"mem": mem},
        "target": {"a": random.randrange(3), "mem": mem},
    }
    if name == "riichi":
        joined = bytes(random.randrange(15) for _ in range(10))
        place = {"x": random.choice((0, 10, 20, 30)), "mem": {**mem, "joined": joined}}
        calls |= {"join": place, "join_wanted": place, "honour_costs": {"mem": mem}}
    else:
        suits = rom_of(name).image.address("suits")
        place = {"hl": suits, "de": suits + 10, "mem": mem}
        calls["join_wanted"] = place
    return calls


LIBRARY: dict[str, Callable[[Random, str], dict[str, Call]]] = {
    "tarot": tarot,
    "walls": walls,
    "riichi": riichi,
}


@pytest.mark.quick_cases("tarot", "tarot-gb")
@pytest.mark.parametrize("name", ROMS)
def test_calls_lie_within(name: str) -> None:
    random = Random(name)
    bounds = {row.name: row.bounds for row in survey_of(name).rows}
    rom = rom_of(name)
    for _ in range(CALLS):
        for routine, call in LIBRARY[name.removesuffix("-gb")](random, name).items():
            cycles = rom.call(routine, **call, check=False).cycles
            best, worst = bounds[routine].best, bounds[routine].worst
            assert best <= cycles, routine
            assert worst is None or cycles <= worst, routine


# ---------------------------------------------------------------- programs made at random


def runs(rom: Rom, random: Random, cpu: str) -> Iterator[int]:
    """The cycles of some calls that come to an end."""
    for _ in range(8):
        mem: dict[str | int, Any] = {
            "value": bytes(random.randrange(256) for _ in range(4)),
            "counter": random.randrange(256),
            "table": bytes(random.randrange(256) for _ in range(256)),
        }
        given: dict[str, Any] = {"hl": 0xC010}
        if cpu == "6502":
            near = (rom.image.address("counter"), 0)  # a write may change what is counted with
            mem["pointer"] = bytes(random.choice(((0, 3), (1, 3), (200, 3), (255, 3), near)))
            given = {"x": random.randrange(256), "y": random.choice((0, random.randrange(256)))}
        try:
            a = random.randrange(256)
            yield rom.call("main", mem=mem, limit=1_000_000, check=False, a=a, **given).cycles
        except Runaway:
            continue


@pytest.mark.slow_cases("0-sm83", "11-6502")
@pytest.mark.parametrize("cpu", ["6502", "sm83"])
@pytest.mark.parametrize("seed", range(25))
def test_random_programs_lie_within(tmp_path: Path, cpu: str, seed: int) -> None:
    random = Random(seed)
    maker: Maker = Maker6502(random) if cpu == "6502" else MakerSm83(random)
    image = (image_6502 if cpu == "6502" else image_sm83)(tmp_path, maker.source())
    found = program(image).bounds("main")
    for cycles in runs(Rom(image), random, cpu):
        assert found.best <= cycles
        assert found.worst is None or cycles <= found.worst
