"""The settings of rgbfix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from romproof.toolchains.rgbds.fix.mbc import Mbc
from romproof.toolchains.rgbds.obj.warnings import DEFAULT, WarningSettings

WARNINGS: Mapping[str, tuple[int, ...]] = {
    "mbc": (DEFAULT,),
    "obsolete": (DEFAULT,),
    "overwrite": (DEFAULT,),
    "sgb": (DEFAULT,),
    "truncation": (DEFAULT,),
}
"""The warnings of rgbfix(1); all are on."""


class Color(Enum):
    """What a ROM says of the Game Boy Color; the value is the byte at $0143."""

    COMPATIBLE = 0x80
    ONLY = 0xC0


@dataclass(frozen=True, slots=True)
class FixOptions:
    """The settings for one ROM; in brackets rgbfix's option. None leaves a field as it is.

    ``fix`` (-f) has letters: l the logo, h the header's checksum, g that of the whole ROM;
    capitals invert what is right. ``pad`` (-p) fills the ROM up to a power of two of 32 KiB and
    sets the size. ``title`` (-t), ``game_id`` (-i) and ``new_licensee`` (-k) are cut when they are
    too long. ``mbc`` (-m), ``ram_size`` (-r), ``rom_version`` (-n) and ``old_licensee`` (-l) are
    codes; ``color`` (-c, -C), ``sgb`` (-s) and ``non_japanese`` (-j) flags. ``logo`` (-L) are 48
    bytes in the form of the header, None is Nintendo's. ``warnings`` are the texts after -W,
    ``silent`` (-w) switches all off.
    """

    fix: str = ""
    pad: int | None = None
    title: bytes | None = None
    game_id: bytes | None = None
    new_licensee: bytes | None = None
    old_licensee: int | None = None
    mbc: Mbc | None = None
    ram_size: int | None = None
    rom_version: int | None = None
    color: Color | None = None
    sgb: bool = False
    non_japanese: bool = False
    logo: bytes | None = None
    warnings: tuple[str, ...] = ()
    silent: bool = False

    @property
    def title_size(self) -> int:
        """Bytes there are for the title beside the other fields."""
        if self.game_id is not None:
            return 11
        return 16 if self.color is None else 15

    def warning_settings(self) -> tuple[WarningSettings, list[str]]:
        """The state of the warnings, and what is wrong with the options that set it."""
        settings = WarningSettings(WARNINGS)
        complaints = [settings.apply(text) for text in self.warnings]
        settings.silent = self.silent
        return settings, [complaint for complaint in complaints if complaint]
