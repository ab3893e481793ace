"""The header of NES images: iNES and NES 2.0.

After nesdev.org/wiki "INES" and "NES 2.0"; where they leave a choice, as Mesen 2 reads it
(Core/NES/NesHeader.cpp).
"""

from __future__ import annotations

from dataclasses import dataclass

from romproof.formats.errors import BadImage

MAGIC = b"NES\x1a"
HEADER = 16
"""Bytes of the header."""
TRAINER = 512
"""Bytes of a trainer, which stands before PRG and is loaded to $7000."""
TRAINER_ADDRESS = 0x7000
PRG_UNIT = 0x4000
CHR_UNIT = 0x2000

_SMALLEST_PRG = 0x1000
_SMALLEST_CHR = 0x400
"""The smallest pages that any mapper shows (nesdev.org/wiki "Mapper")."""
_SILENT_RAM = 0x2000
"""Bytes of RAM at $6000 of which iNES says nothing: emulators have always mapped them."""
_TIMINGS = ("ntsc", "pal", "multi", "dendy")
_CONSOLES = ("nes", "vs", "playchoice", "extended")
_EXPONENT_MOST = 31
"""Sizes of 2^32 bytes and more are in no file that can be read."""


@dataclass(frozen=True, slots=True)
class Ines:
    """What the header of an image says; sizes in bytes.

    ``version`` is 2 for NES 2.0, 1 for iNES, and 0 for iNES with other bytes after the mapper's
    low nibble, such as "DiskDude!": nothing of these is used. Bytes that look like NES 2.0 are
    others, too, if the sizes that they say are more than there is, and those of iNES are not.
    ``mirroring`` is "horizontal", "vertical" or "four-screen" (mapper chips may have their own);
    ``timing`` is "ntsc", "pal", "dendy", or "multi" for either of the first two; ``console`` is
    "nes", "vs", "playchoice" or "extended".

    ``prg_ram`` and ``chr_ram`` are lost without power, ``prg_nvram`` and ``chr_nvram`` are not.
    iNES is silent on them: it is taken to mean 8 KiB of RAM at $6000, and of CHR RAM where there
    is no CHR. ``excess`` are bytes of the file after all that the header names. ``wiring`` are bits
    0 and 3 of byte 6, of which ``mirroring`` is the usual meaning: some boards have another.
    """

    version: int
    mapper: int
    submapper: int
    prg_size: int
    chr_size: int
    has_trainer: bool
    has_battery: bool
    mirroring: str
    timing: str
    console: str
    prg_ram: int
    prg_nvram: int
    chr_ram: int
    chr_nvram: int
    excess: int
    wiring: int = 0

    @property
    def trainer(self) -> slice:
        """Where the trainer is in the file; empty where there is none."""
        return slice(HEADER, self.prg.start)

    @property
    def prg(self) -> slice:
        """Where the program ROM is in the file."""
        start = HEADER + (TRAINER if self.has_trainer else 0)
        return slice(start, start + self.prg_size)

    @property
    def chr(self) -> slice:
        """Where the ROM with graphics is in the file; empty where the cartridge has RAM."""
        return slice(self.prg.stop, self.prg.stop + self.chr_size)


def read_ines(data: bytes) -> Ines:
    """The header of an image; ``data`` is the whole file.

    Raises BadImage when it is none, or shorter than its header says.
    """
    if len(data) < HEADER:
        raise BadImage(
            f"an image for the NES begins with a header of {HEADER} bytes; "
            f"this file has {len(data)}"
        )
    if data[:4] != MAGIC:
        raise BadImage(
            "this is not an image for the NES: it does not begin with 'NES' and $1A; load an "
            "image without a header as .bin with a load address"
        )
    has_trainer = bool(data[6] & 0x04)
    start = HEADER + (TRAINER if has_trainer else 0)
    version = _version(data, start)
    prg, chr = _sizes(data, version)
    if prg == 0:
        raise BadImage("the header says that there is no program ROM (byte 4 is 0)")
    for what, size, page in (("PRG", prg, _SMALLEST_PRG), ("CHR", chr, _SMALLEST_CHR)):
        if size % page:
            raise BadImage(
                f"the header says {size:,} bytes of {what}, which are no whole pages of {page:,}; "
                f"bytes 4, 5 and 9 give the sizes: correct them"
            )
    need = start + prg + chr
    excess = len(data) - need
    if excess < 0:
        trainer = f", a trainer of {TRAINER} bytes" if has_trainer else ""
        raise BadImage(
            f"the header says {format_kib(prg)} of PRG, {format_kib(chr)} of CHR{trainer}: {need} "
            f"bytes in all; this file has {len(data)}: it may be cut off, or its sizes (bytes 4 "
            "and 5) are wrong"
        )
    console = _CONSOLES[data[7] & 0x03] if version else "nes"
    has_more = console == "playchoice" or (version == 2 and data[14] & 0x03)
    if excess >= CHR_UNIT and not has_more:
        raise BadImage(
            f"the header says {format_kib(prg)} of PRG, {format_kib(chr)} of CHR, and {excess} "
            f"bytes follow them: correct its sizes (bytes 4 and 5), or cut the file after {need}"
        )
    prg_ram, prg_nvram, chr_ram, chr_nvram = _ram(data, version, chr)
    return Ines(
        version=version,
        mapper=_mapper(data, version),
        submapper=data[8] >> 4 if version == 2 else 0,
        prg_size=prg,
        chr_size=chr,
        has_trainer=has_trainer,
        has_battery=bool(data[6] & 0x02),
        mirroring=_mirroring(data[6]),
        timing=_timing(data, version),
        console=console,
        prg_ram=prg_ram,
        prg_nvram=prg_nvram,
        chr_ram=chr_ram,
        chr_nvram=chr_nvram,
        excess=excess,
        wiring=data[6] & 0x09,
    )


def _version(data: bytes, start: int) -> int:
    """``start`` is where PRG begins. A header whose NES 2.0 sizes no file of this length can have
    is none of NES 2.0: a tool's name is in it."""
    marks = data[7] & 0x0C
    if marks == 0x08:
        size = len(data) - start
        return 0 if sum(_sizes(data, 0)) <= size and not _fits_nes_2(data, size) else 2
    # old tools have left their names in the bytes from 7 on
    return 1 if marks == 0 and not any(data[12:HEADER]) else 0


def _fits_nes_2(data: bytes, size: int) -> bool:
    """Whether ROM as NES 2.0 says it has room in so many bytes."""
    try:
        return sum(_sizes(data, 2)) <= size
    except BadImage:
        return False


def _mapper(data: bytes, version: int) -> int:
    mapper = data[6] >> 4
    if version >= 1:
        mapper |= data[7] & 0xF0
    if version == 2:
        mapper |= (data[8] & 0x0F) << 8
    return mapper


def _sizes(data: bytes, version: int) -> tuple[int, int]:
    """Bytes of PRG and of CHR."""
    if version != 2:
        # 0 means 256 units of PRG: there is no program without any
        return (data[4] or 256) * PRG_UNIT, data[5] * CHR_UNIT
    return _size(data[4], data[9] & 0x0F, PRG_UNIT), _size(data[5], data[9] >> 4, CHR_UNIT)


def _size(low: int, high: int, unit: int) -> int:
    """The size that NES 2.0 says: in units, or for a high nibble $F as 2^E * (2*M + 1)."""
    if high != 0x0F:
        return (high << 8 | low) * unit
    exponent, multiplier = low >> 2, low & 0x03
    if exponent > _EXPONENT_MOST:
        raise BadImage(
            f"the header gives a ROM of 2^{exponent} bytes, which is larger than any file"
        )
    return (2 * multiplier + 1) << exponent


def _ram(data: bytes, version: int, chr: int) -> tuple[int, int, int, int]:
    """Bytes of PRG RAM, PRG RAM with a battery, CHR RAM, CHR RAM with a battery."""
    if version == 2:
        low, high = _shift_size(data[10] & 0x0F), _shift_size(data[10] >> 4)
        return low, high, _shift_size(data[11] & 0x0F), _shift_size(data[11] >> 4)
    size = max(1, data[8] if version else 1) * _SILENT_RAM
    kept = bool(data[6] & 0x02)
    return 0 if kept else size, size if kept else 0, 0 if chr else CHR_UNIT, 0


def _shift_size(count: int) -> int:
    return 64 << count if count else 0


def _mirroring(flags: int) -> str:
    if flags & 0x08:
        return "four-screen"
    return "vertical" if flags & 0x01 else "horizontal"


def _timing(data: bytes, version: int) -> str:
    if version == 2:
        return _TIMINGS[data[12] & 0x03]
    return "pal" if version and data[9] & 0x01 else "ntsc"


def format_kib(size: int) -> str:
    """A size as messages have it."""
    return f"{size} bytes" if size % 1024 else f"{size // 1024} KiB"
