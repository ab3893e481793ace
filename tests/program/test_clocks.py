from __future__ import annotations

from fractions import Fraction

import pytest

from romproof.program.clocks import CLOCKS, UnknownClock, find_clock

NTSC = Fraction(315_000_000, 88)
PAL = Fraction(443_361_875, 100)
# the CPU clocks and frame rates the machines' manuals give, from their crystals
MANUAL = {
    "nes-ntsc": (NTSC * 6 / 12, "60.099"),
    "nes-pal": (Fraction(26_601_712, 16), "50.007"),
    "nes-dendy": (Fraction(26_601_712, 15), "50.007"),
    "c64-ntsc": (NTSC * 4 / 14, "59.826"),
    "c64-pal": (PAL * 4 / 18, "50.125"),
    "vic20-ntsc": (NTSC * 4 / 14, "60.285"),
    "vic20-pal": (PAL / 4, "50.036"),
    "apple2": (NTSC * 4 * 65 / 912, "59.923"),
    "bbc": (Fraction(2_000_000), "50.000"),
    "atari2600-ntsc": (NTSC / 3, "59.923"),
    "atari2600-pal": (Fraction(3_546_894, 3), "49.861"),
    "atari8-ntsc": (NTSC / 2, "59.923"),
    "atari8-pal": (Fraction(3_546_894, 2), "49.861"),
    "gb": (Fraction(2**22, 4), "59.728"),
    "gbc-double": (Fraction(2**23, 4), "59.728"),
    "sgb-ntsc": (NTSC * 6 / 20, "61.168"),
    "sgb-pal": (PAL * 24 / 5 / 20, "60.610"),
}


@pytest.mark.parametrize("name", MANUAL)
def test_clock_comes_from_its_crystal_and_gives_the_frame_rate(name: str) -> None:
    hz, rate = MANUAL[name]
    clock = CLOCKS[name]
    assert abs(clock.hz - hz) < 1  # the usual whole number, 985,248 for the C64 being cut off
    assert clock.cycles_per_frame is not None
    assert f"{clock.hz / clock.cycles_per_frame:.3f}" == rate


def test_every_clock_with_a_frame_is_checked_above() -> None:
    assert {c.name for c in CLOCKS.values() if c.cycles_per_frame is not None} == set(MANUAL)


def test_time_and_frames() -> None:
    clock = find_clock("NES-NTSC")
    assert clock.frames(29780.5) == 1.0
    assert clock.microseconds(1_789_773) == 1_000_000
    assert CLOCKS["1mhz"].frames(100) is None


def test_unknown_clock_names_the_nearest_or_all() -> None:
    with pytest.raises(UnknownClock, match="did you mean 'nes-ntsc'"):
        find_clock("nes-ntcs")
    with pytest.raises(UnknownClock, match="known are: nes-ntsc, nes-pal"):
        find_clock("zx")
