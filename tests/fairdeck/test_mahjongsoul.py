"""Mahjong Soul's hashes: the form of the text, and what is refused. The walls are our own."""

from __future__ import annotations

import hashlib
import json
import random

import pytest

from fairdeck.cli import run
from fairdeck.mahjongsoul.verify import BadRecord, players_of, verify
from fairdeck.tiles import NAMES

SALT = "aZ0" * 10


def wall_code(players: int) -> str:
    names = [n for n in NAMES if players == 4 or not (n[1] == "m" and n[0] in "2345678")]
    tiles = [name for name in names for _ in range(4)]
    for five in ("5m", "5p", "5s"):
        if five in tiles:
            tiles[tiles.index(five)] = "0" + five[1]
    random.Random(players).shuffle(tiles)
    return "".join(tiles)


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


@pytest.mark.parametrize("players", [3, 4])
def test_a_wall_and_its_hash(players: int) -> None:
    code = wall_code(players)
    found = verify(code, SALT, hashed(code + SALT).upper() + "\n", hashed(SALT))
    assert (found.players, found.fits, found.salt_fits, found.holds) == (players, True, True, True)
    assert verify(code, SALT, hashed(code + SALT)).salt_fits is None
    swapped = code[2:4] + code[:2] + code[4:]
    assert not verify(swapped, SALT, hashed(code + SALT)).holds
    assert not verify(code, SALT + "b", hashed(code + SALT)).fits
    assert not verify(code, SALT, hashed(code + SALT), hashed("other")).holds
    assert not verify(code, SALT, hashed(SALT + code)).fits  # the salt comes behind


def test_what_is_refused() -> None:
    code = wall_code(4)
    with pytest.raises(BadRecord, match="MD5"):
        verify(code, SALT, hashlib.md5(code.encode()).hexdigest())
    with pytest.raises(BadRecord, match="64 hexadecimal digits"):
        verify(code, SALT, "12")
    for bad, what in (
        (code[2:], "including the dealt tiles"),
        (code[:-1], "two characters"),
        ("8z" + code[2:], "tile 1 .* is not a tile"),
        (code + "1m", "two characters"),
        ("", "0 tiles"),
    ):
        with pytest.raises(BadRecord, match=what):
            players_of(bad)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    code = wall_code(3)
    line = ["mahjongsoul", "verify", code, "--salt", SALT, "--hash"]
    assert run([*line, hashed(code + SALT), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "players": 3, "hash": hashed(code + SALT), "match": True, "salt_match": None,
    }  # fmt: skip
    assert run([*line, hashed(code + SALT), "--salt-hash", hashed("x")]) == 1
    assert "the hash of the salt differs" in capsys.readouterr().out
    assert run([*line, hashed(code)]) == 1
    assert run([*line, "0" * 32]) == 2
    assert "MD5" in capsys.readouterr().err
    assert run([*line, hashed(code + SALT)]) == 0
    assert "this proves nothing else" in capsys.readouterr().out
