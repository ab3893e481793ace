"""The fast shuffle where the flips it made in advance are used up to the very last."""

from __future__ import annotations

from fairdeck.tarot.draw import Generator, Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.on_6502 import SHUFFLE, tarot_rom
from fairdeck.tarot.shuffle import SORTED, shuffles
from romproof.harness.rom import Rom

BEFORE = Generator(0x8FE47A99, DEFAULT_FEEDBACK, remainder=0x23, flips_left=6)
"""From here a shuffle takes 519 flips, the last of them from the last usable byte: the 249,789th
shuffle after the seed 12345678."""


def test_the_register_is_right_when_the_stream_has_come_to_its_end() -> None:
    rom = Rom(tarot_rom(DEFAULT_FEEDBACK, Reduction.CORRECT).image)
    result = rom.call(
        SHUFFLE,
        mem={
            "lfsr": BEFORE.state.to_bytes(4, "big"),
            "rng": bytes([BEFORE.remainder]),
            "flips_left": bytes([BEFORE.flips_left]),
            "deck": bytes(SORTED),
        },
    )
    (model,) = shuffles(BEFORE, 1, SORTED)
    assert result.mem["deck"] == bytes(model.deck)
    assert result.mem["lfsr"] == model.generator.state.to_bytes(4, "big")
    assert result.mem["rng"][0] == model.generator.remainder
    assert result.mem["flips_left"][0] == model.generator.flips_left
