"""Walls and dice out of a seed, round by round, as Tenhou's published C code makes them."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from fairdeck.tenhou.seed import Seed
from fairdeck.tenhou.table import Pairs, Table
from fairdeck.twister import Twister

CHUNKS = 9
"""Pieces of the generator's output that are hashed for a round."""
CHUNK_WORDS = 32
"""Words in each: 1,024 bits, of which SHA-512 makes 512."""
DICE_AT = 135
"""The first number the swaps of 136 tiles leave over. Three players' dice use it too."""
FACES = 6


@dataclass(frozen=True)
class Round:
    """A round before anything is drawn.

    ``wall`` is what the swaps leave, index 0 at the end of the dead wall: numbers 0..135, of
    three players 0..107, which logs write otherwise (``logged``). ``dice`` are faces 1..6.
    """

    wall: tuple[int, ...]
    dice: tuple[int, int]
    table: Table
    pairs: Pairs

    @cached_property
    def logged(self) -> tuple[int, ...]:
        """The wall in tile ids as logs write them, 0..135."""
        return tuple(self.table.logged(tile) for tile in self.wall)

    def hands(self, dealer: int = 0) -> tuple[tuple[int, ...], ...]:
        """The dealt tiles by seat, as logs write them."""
        return self.table.hands(self.logged, dealer)

    @property
    def dora(self) -> int:
        """The first dora indicator, as logs write it."""
        return self.logged[self.table.dora(0, self.pairs)]


def rounds(seed: Seed, table: Table) -> Iterator[Round]:
    """The rounds of a game, without end; the generator runs on from one to the next."""
    twister = Twister(seed.words)
    while True:
        numbers = round_numbers(twister)
        wall = tuple(shuffle_tiles(table.tiles, numbers))
        dice = (numbers[DICE_AT] % FACES + 1, numbers[DICE_AT + 1] % FACES + 1)
        yield Round(wall, dice, table, seed.pairs)


def round_numbers(twister: Twister) -> tuple[int, ...]:
    """The 144 numbers of a round: SHA-512 of nine times 32 outputs, read as 32-bit words.

    Words and digests are little-endian on both sides.
    """
    digests = b"".join(hashlib.sha512(twister.bytes(CHUNK_WORDS)).digest() for _ in range(CHUNKS))
    return struct.unpack(f"<{len(digests) // 4}I", digests)


def shuffle_tiles(tiles: int, numbers: Sequence[int]) -> list[int]:
    """0..tiles-1 after the swaps: place i with one of the places i and above.

    The remainder of a 32-bit number is not quite even: see fairdeck.audit.
    """
    wall = list(range(tiles))
    for i in range(tiles - 1):
        j = i + numbers[i] % (tiles - i)
        wall[i], wall[j] = wall[j], wall[i]
    return wall
