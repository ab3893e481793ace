"""CPU clocks of well known machines: cycles turned into time and video frames.

A clock is the machine's crystal divided down; cycles per frame are the lines
of a frame times the cycles of a line. The crystals are the NTSC colour clock
(315/88 MHz = 3.579545 MHz, and multiples), the PAL one (4.43361875 MHz, and
multiples), the 26.601712 MHz of the PAL consoles by Nintendo, and the 4.194304 MHz
(2 to the 22nd) of the Game Boy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError


class UnknownClock(RomproofError):
    """A clock name that the table does not have."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A CPU clock: ``hz`` in cycles per second, of the SM83 in M-cycles.

    ``cycles_per_frame`` is None where the machine has no video frame of fixed
    length; ``origin`` says how the numbers come about.
    """

    name: str
    title: str
    hz: int
    cycles_per_frame: float | None
    origin: str

    def microseconds(self, cycles: float) -> float:
        """How long ``cycles`` take, in microseconds."""
        return cycles * 1_000_000 / self.hz

    def frames(self, cycles: float) -> float | None:
        """``cycles`` as a share of one video frame (1.0 is a whole one), or None."""
        if self.cycles_per_frame is None:
            return None
        return cycles / self.cycles_per_frame


_TABLE = (
    Clock(
        "nes-ntsc",
        "NES (NTSC)",
        1_789_773,
        29_780.5,
        "21.477272 MHz / 12; (341 * 262 - 0.5) dots, 3 dots a cycle",
    ),
    Clock(
        "nes-pal",
        "NES (PAL)",
        1_662_607,
        33_247.5,
        "26.601712 MHz / 16; 341 * 312 dots, 3.2 dots a cycle",
    ),
    Clock(
        "nes-dendy",
        "Dendy",
        1_773_447,
        35_464.0,
        "26.601712 MHz / 15; 341 * 312 dots, 3 dots a cycle",
    ),
    Clock("c64-ntsc", "C64 (NTSC)", 1_022_727, 17_095.0, "14.318181 MHz / 14; 263 lines of 65"),
    Clock("c64-pal", "C64 (PAL)", 985_248, 19_656.0, "17.734475 MHz / 18; 312 lines of 63"),
    Clock(
        "vic20-ntsc",
        "VIC-20 (NTSC)",
        1_022_727,
        16_965.0,
        "14.318181 MHz / 14; 261 lines of 65",
    ),
    Clock("vic20-pal", "VIC-20 (PAL)", 1_108_405, 22_152.0, "4.433619 MHz / 4; 312 lines of 71"),
    Clock(
        "apple2",
        "Apple II (NTSC)",
        1_020_484,
        17_030.0,
        "14.318181 MHz * 65 / 912 (one long cycle a line); 262 lines of 65",
    ),
    Clock("bbc", "BBC Micro", 2_000_000, 40_000.0, "16 MHz / 8; 312.5 lines of 128"),
    Clock(
        "atari2600-ntsc",
        "Atari 2600 (NTSC)",
        1_193_182,
        19_912.0,
        "3.579545 MHz / 3; 262 lines of 76",
    ),
    Clock(
        "atari2600-pal",
        "Atari 2600 (PAL)",
        1_182_298,
        23_712.0,
        "3.546894 MHz / 3; 312 lines of 76",
    ),
    Clock(
        "atari8-ntsc",
        "Atari 8-bit (NTSC)",
        1_789_773,
        29_868.0,
        "3.579545 MHz / 2; 262 lines of 114, before the cycles ANTIC takes",
    ),
    Clock(
        "atari8-pal",
        "Atari 8-bit (PAL)",
        1_773_447,
        35_568.0,
        "3.546894 MHz / 2; 312 lines of 114, before the cycles ANTIC takes",
    ),
    # cycles of the SM83 are M-cycles: 4 clocks each; 154 lines of 456 dots, 4 dots a cycle
    Clock(
        "gb",
        "Game Boy",
        1_048_576,
        17_556.0,
        "4.194304 MHz / 4; 154 lines of 114 M-cycles",
    ),
    Clock(
        "gbc-double",
        "Game Boy Color, double speed",
        2_097_152,
        35_112.0,
        "8.388608 MHz / 4; 154 lines of 228 M-cycles",
    ),
    Clock(
        "sgb-ntsc",
        "Super Game Boy (NTSC)",
        1_073_864,
        17_556.0,
        "21.477272 MHz / 5 / 4; 154 lines of 114 M-cycles",
    ),
    Clock(
        "sgb-pal",
        "Super Game Boy (PAL)",
        1_064_068,
        17_556.0,
        "21.281370 MHz / 5 / 4; 154 lines of 114 M-cycles",
    ),
    Clock("1mhz", "1 MHz", 1_000_000, None, "a round number; no video"),
    Clock("2mhz", "2 MHz", 2_000_000, None, "a round number; no video"),
)

CLOCKS: Mapping[str, Clock] = MappingProxyType({clock.name: clock for clock in _TABLE})
"""Every named clock."""


def find_clock(name: str) -> Clock:
    """The clock called ``name``, in any case. Raises UnknownClock with the names."""
    faults = clock_faults(name)
    if faults:
        raise UnknownClock(faults[0])
    return CLOCKS[name.lower()]


def clock_faults(name: str) -> list[str]:
    """Why there is no clock of this name; nothing for one that there is."""
    if name.lower() in CLOCKS:
        return []
    hint = suggest(name, CLOCKS) or f"known are: {', '.join(CLOCKS)}"
    return [f"no clock '{name}'; {hint}"]
