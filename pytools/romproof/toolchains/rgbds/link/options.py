"""The settings of one link, and the warnings there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from romproof.text.span import Source
from romproof.toolchains.rgbds.obj.types import MEMORIES, MemoryRegion, SectionType
from romproof.toolchains.rgbds.obj.warnings import ALL, DEFAULT, EVERYTHING, WarningSettings

WARNINGS: Mapping[str, tuple[int, ...]] = {
    "assert": (DEFAULT,),
    "div": (ALL,),
    "large-constant": (DEFAULT,),
    "obsolete": (DEFAULT,),
    "shift": (ALL,),
    "shift-amount": (ALL,),
    "truncation": (DEFAULT, EVERYTHING),
}
"""The warnings of rgblink(1), with the group from which on each level is on."""


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """The settings of one link; in brackets rgblink's option.

    ``tiny`` (-t) makes ROM0 32 KiB, ``flat_wram`` (-w) makes WRAM0 8 KiB, ``dmg`` (-d) is that
    and one bank of VRAM. ``pad`` (-p, 0..255) fills the ROM between sections, None is 0;
    ``no_pad`` (-x, and tiny with it) leaves out what comes after the last. ``script`` (-l) is a
    linker script. ``overlay`` (-O) is a ROM whose bytes are used instead of ``pad``.
    ``scramble`` (-S) has the number of banks that ROMX, SRAM or WRAMX sections are spread over.
    ``warnings`` are the texts after -W. ``quiet_places`` (-Ball) shows places that the source
    wants left out of messages. ``by_hash``: floating sections of one size are placed in the order
    that RGBDS had up to 0.7, by the hash of their names.
    """

    tiny: bool = False
    flat_wram: bool = False
    dmg: bool = False
    no_pad: bool = False
    pad: int | None = None
    script: Path | Source | None = None
    overlay: bytes | None = None
    scramble: Mapping[SectionType, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    quiet_places: bool = False
    by_hash: bool = False

    @property
    def one_rom_bank(self) -> bool:
        """Whether ROM0 is all there is of ROM."""
        return self.tiny or self.no_pad

    @property
    def one_wram_bank(self) -> bool:
        """Whether WRAM0 is all there is of WRAM."""
        return self.flat_wram or self.dmg

    def memories(self) -> dict[SectionType, MemoryRegion]:
        """The memory of each type under these settings."""
        memories = dict(MEMORIES)
        if self.one_rom_bank:
            memories[SectionType.ROM0] = replace(MEMORIES[SectionType.ROM0], size=0x8000)
        if self.one_wram_bank:
            memories[SectionType.WRAM0] = replace(MEMORIES[SectionType.WRAM0], size=0x2000)
        if self.dmg:
            memories[SectionType.VRAM] = replace(MEMORIES[SectionType.VRAM], last_bank=0)
        return memories

    def warning_settings(self) -> tuple[WarningSettings, list[str]]:
        """The state of the warnings, and what is wrong with the options that set it."""
        settings = WarningSettings(WARNINGS)
        complaints = [settings.apply(text) for text in self.warnings]
        return settings, [complaint for complaint in complaints if complaint]
