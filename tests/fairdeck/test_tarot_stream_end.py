"""The fast shuffles where the flips they made in advance are used up."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from slow import slow_but

from fairdeck.data import rom_folder
from fairdeck.tarot.draw import Generator, Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.library import defines, tarot_library
from fairdeck.tarot.on_machine import LIMIT, SHUFFLE
from fairdeck.tarot.shuffle import SORTED, shuffles
from fairdeck.tarot.targets import MOS6502, SM83
from fairdeck.tarot.variants import FAST
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom
from romproof.program.image import Image
from romproof.projects import load_manifest
from romproof.projects.program_cache import build_cached

BEFORE = Generator(0x8FE47A99, DEFAULT_FEEDBACK, remainder=0x23, flips_left=6)
"""From here a shuffle takes 519 flips, on the 6502 the last of them from the last usable byte: the
249,789th shuffle after the seed 12345678."""
OVERSHOOTS = Generator(0xE58CBFD1, DEFAULT_FEEDBACK)
"""From here the draw for card 32 overshoots at the end of the shortest stream: as many flips before
it are rare, in one of 200 million shuffles."""
SHORT = (50, 52, 58)
"""Lengths of the SM83's stream, from the least allowed, at which it is made anew in all groups."""


def prepare(machine: Machine, before: Generator) -> None:
    """Put a generator into the memory, and the sorted deck."""
    machine.write("lfsr", before.state.to_bytes(4, "big"))
    machine.write("rng", before.remainder)
    machine.write("flips_left", before.flips_left)
    machine.write("deck", bytes(SORTED))


def check(machine: Machine, before: Generator, reduction: Reduction) -> None:
    """Shuffle, and compare with the model."""
    prepare(machine, before)
    machine.call(SHUFFLE, limit=LIMIT)
    (model,) = shuffles(before, 1, SORTED, reduction)
    assert machine.read("deck", len(SORTED)) == bytes(model.deck)
    assert machine.read("lfsr", 4) == model.generator.state.to_bytes(4, "big")
    left = model.generator.remainder, model.generator.flips_left
    assert (machine.read("rng", 1)[0], machine.read("flips_left", 1)[0]) == left


def test_the_register_is_right_when_the_stream_has_come_to_its_end() -> None:
    rom = Rom(tarot_library(MOS6502, DEFAULT_FEEDBACK, Reduction.CORRECT, FAST).image)
    check(rom.machine(), BEFORE, Reduction.CORRECT)


@pytest.fixture(scope="module")
def shortened(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int, Reduction], Image]:
    """The SM83's shuffle with a shorter stream, which then is made anew in every shuffle."""
    manifest = load_manifest(rom_folder() / SM83.library / "manifest.toml")
    names = ("state", "shuffle")
    sources = tuple(path for path in manifest.sources if path.stem in names)

    def made(last: int, reduction: Reduction) -> Image:
        chosen = {**defines(DEFAULT_FEEDBACK, reduction, FAST), "STREAM_LAST": last}
        short = replace(manifest, sources=sources, header=None, entry=None)
        return build_cached(short, defines=chosen).image

    return made


@pytest.mark.slow_cases("50-Reduction.CORRECT", "50-Reduction.PRINTED")
@pytest.mark.parametrize("reduction", Reduction)
@pytest.mark.parametrize("last", slow_but(SHORT[:1], SHORT))
def test_a_stream_is_made_anew_wherever_it_ends(
    last: int, reduction: Reduction, shortened: Callable[[int, Reduction], Image]
) -> None:
    image = shortened(last, reduction)
    machine = Rom(image).machine()
    chosen = random.Random(last)
    for _ in range(30):
        left = chosen.randrange(8)
        remainder = chosen.randrange(1 << left)
        state = chosen.randrange(1, 1 << 32)
        check(machine, Generator(state, DEFAULT_FEEDBACK, remainder, left), reduction)


@pytest.mark.slow
def test_a_stream_is_made_anew_with_its_last_usable_byte(
    shortened: Callable[[int, Reduction], Image],
) -> None:
    machine = Rom(shortened(SHORT[0], Reduction.CORRECT)).machine()
    check(machine, OVERSHOOTS, Reduction.CORRECT)


def test_the_short_streams_are_the_shortest() -> None:
    sizes = rom_folder().parent / "asm" / "sm83" / "tarot" / "fast" / "sizes.inc"
    text = sizes.read_text("utf-8")
    assert "STREAM_USABLE >= 1 + 14 + 32" in text
    assert SHORT[0] - 3 == 1 + 14 + 32
