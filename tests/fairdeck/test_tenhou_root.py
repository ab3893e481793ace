"""The root generator's step against Python's own MT19937."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from itertools import islice, permutations

import pytest

from fairdeck.tenhou.root import SEAT_NUMBERS, SEED_NUMBERS, games, seat_order

KEY = [0x9E3779B9 * n % 2**32 for n in range(1, 625)]


def outputs() -> random.Random:
    """CPython starts with init_by_array too, of a number whose highest word is not zero."""
    assert KEY[-1]
    stream = random.Random()
    stream.seed(sum(word << 32 * place for place, word in enumerate(KEY)))
    return stream


@pytest.mark.parametrize("players", [3, 4])
def test_each_game_takes_four_numbers_and_624(players: int) -> None:
    stream = outputs()
    for game in islice(games(KEY, players), 4):
        seats = [stream.getrandbits(32) for _ in range(SEAT_NUMBERS)]
        words = tuple(stream.getrandbits(32) for _ in range(SEED_NUMBERS))
        assert game.seed.words == words
        assert game.seats == seat_order(seats, players)
        hexadecimal = "".join(word.to_bytes(4, "little").hex() for word in words)
        text = f"{game.seats}{hexadecimal}".encode("ascii")
        assert len(text) == 4996
        assert game.published == hashlib.sha512(text).hexdigest()


@pytest.mark.parametrize("players", [3, 4])
def test_all_orders_of_seats_are_equally_many(players: int) -> None:
    """Of twelve values for each number used every order comes up alike; the others do nothing."""
    used = players - 1
    every = [
        seat_order([first, second, third, 0], players)
        for first in range(12)
        for second in range(12)
        for third in range(12)
    ]
    found = Counter(every)
    absent = tuple(range(players, 4))
    assert set(found) == {"".join(map(str, (*p, *absent))) for p in permutations(range(players))}
    assert len(set(found.values())) == 1
    same = [seat_order([5, 7, *rest], players) for rest in ([1, 1], [1, 2**32 - 1])]
    assert same[0] == same[1]
    if used == 2:
        assert seat_order([5, 7, 0, 0], 3) == seat_order([5, 7, 1, 0], 3)
