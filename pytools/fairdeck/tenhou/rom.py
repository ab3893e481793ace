"""The Game Boy program that makes and shows a game's walls, with the game's seed in it."""

from __future__ import annotations

from functools import cache

from fairdeck.data import rom_folder
from fairdeck.tenhou.seed import Seed
from romproof import Image, build

ROM = "wall-gb"
WORDS = 624
"""Room for the seed's words; those of 2009 have 32."""
_CHECKSUM = slice(0x14E, 0x150)
"""In the header: the sum of all other bytes, the high byte first."""


@cache
def wall_image() -> Image:
    """The program with the words it is tried with. Raises BuildFailed, DataMissing."""
    return build(rom_folder() / ROM).image


def rom_for(seed: Seed) -> bytes:
    """The program for a game of four players with this seed. Raises what ``wall_image`` raises."""
    image = wall_image()
    rom = bytearray(image.files[0].data)
    key = b"".join(word.to_bytes(4, "little") for word in seed.words)
    for symbol, data in (
        ("built_in_key", key.ljust(4 * WORDS, b"\0")),
        ("built_in_words", len(seed.words).to_bytes(2, "little")),
        ("built_in_dora", bytes([seed.pairs.dora])),
    ):
        # 32 KiB without banks: an address is a place in the file
        place = image.address(symbol)
        rom[place : place + len(data)] = data
    rom[_CHECKSUM] = bytes(2)
    rom[_CHECKSUM] = (sum(rom) & 0xFFFF).to_bytes(2, "big")
    return bytes(rom)
