"""Filling in the header of a ROM, as rgbfix of RGBDS 1.0.3 does."""

from __future__ import annotations

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.toolchains.rgbds.fix import header_fields
from romproof.toolchains.rgbds.fix.mbc import UNDER_SPECIFIED, Mbc
from romproof.toolchains.rgbds.fix.options import FixOptions
from romproof.toolchains.rgbds.obj.warnings import WarningSettings

MAX_BANKS = 0x10000
"""Banks of the largest ROM, which only TPP1 can address."""


def fix(data: bytes, options: FixOptions, diagnostics: Diagnostics, name: str = "ROM") -> bytes:
    """The ROM ``data`` with header, checksums and size as ``options`` say.

    ``name`` is what messages call the ROM. Raises BuildFailed when it is too short or too long.
    A warning that was made an error is an error in ``diagnostics``; the result is good even so.
    """
    warnings, complaints = options.warning_settings()
    for complaint in complaints:
        diagnostics.warning(complaint)
    check_options(options, warnings, diagnostics)
    return fix_file(data, options, warnings, diagnostics, name)


def check_options(options: FixOptions, warnings: WarningSettings, diagnostics: Diagnostics) -> None:
    """Warn about settings by themselves, and about those that do not go together."""
    for what, value, size in (
        ("title", options.title, options.title_size),
        ("game ID", options.game_id, 4),
        ("new licensee", options.new_licensee, 2),
    ):
        if value is not None:
            check_length(what, value, size, warnings, diagnostics)
    if options.mbc is not None:
        check_mbc(options.mbc, warnings, diagnostics)
    check_together(options, warnings, diagnostics)


def check_length(
    what: str, value: bytes, size: int, warnings: WarningSettings, diagnostics: Diagnostics
) -> None:
    """Warn about a text that will be cut to ``size`` bytes."""
    if len(value) > size:
        shown = value.decode("utf-8", "replace")
        message = f'truncating {what} "{shown}" to {size} chars'
        warnings.report(diagnostics, "truncation", message)


def check_mbc(mbc: Mbc, warnings: WarningSettings, diagnostics: Diagnostics) -> None:
    """Warn about a cartridge type by itself."""
    for message in mbc.warnings:
        warnings.report(diagnostics, "mbc", message)
    if mbc.code in UNDER_SPECIFIED:
        message = f'MBC "{mbc.name}" is under-specified and poorly supported'
        warnings.report(diagnostics, "mbc", message)


def check_together(
    options: FixOptions, warnings: WarningSettings, diagnostics: Diagnostics
) -> None:
    """Warn about settings that do not go together, whatever the ROM is."""

    def warn(name: str, message: str) -> None:
        warnings.report(diagnostics, name, message)

    if options.mbc is not None:
        if options.mbc.revision is not None:
            if options.non_japanese:
                warn("mbc", "TPP1 has its identification where the region flag is: no '-j'")
        elif options.ram_size is not None:
            for message in _ram_size_remarks(options.mbc, options.ram_size):
                warn("mbc", message)
    licensee = options.old_licensee
    if options.sgb and licensee is not None and licensee != header_fields.SGB_LICENSEE:
        warn("sgb", f"SGB compatibility enabled, but old licensee is 0x{licensee:02x}, not 0x33")


def _ram_size_remarks(mbc: Mbc, ram_size: int) -> list[str]:
    if mbc.code in UNDER_SPECIFIED:
        right = ram_size == 1
        return [] if right else [f'MBC "{mbc.name}" should have 2 KiB of RAM ("-r 1")']
    if not mbc.has_ram:
        remark = f'MBC "{mbc.name}" has no RAM, but RAM size was set to {ram_size}'
        return [remark] if ram_size else []
    if ram_size == 0:
        return [f'MBC "{mbc.name}" has RAM, but RAM size was set to 0']
    if ram_size == 1:
        return [f'RAM size 1 (2 KiB) was specified for MBC "{mbc.name}"']
    return []


def fix_file(
    data: bytes,
    options: FixOptions,
    warnings: WarningSettings,
    diagnostics: Diagnostics,
    name: str,
) -> bytes:
    """One of several ROMs with the same settings, which have been checked already."""
    tpp1 = options.mbc is not None and options.mbc.revision is not None
    least = header_fields.TPP1_END if tpp1 else header_fields.END
    if len(data) < least:
        diagnostics.error(
            f'"{name}" is too short, expected at least {least} (${least:x}) bytes,'
            f" got only {len(data)}"
        )
        raise BuildFailed(diagnostics.items)
    if len(data) > MAX_BANKS * header_fields.ROM_BANK:
        diagnostics.error(f'"{name}" has more than {MAX_BANKS} banks')
        raise BuildFailed(diagnostics.items)
    header = _Header(bytearray(data), warnings, diagnostics)
    _write_logo(header, options)
    _write_texts(header, options)
    _write_mbc(header, options)
    _write_licensee(header, options)
    if options.rom_version is not None:
        header.byte(header_fields.ROM_VERSION, options.rom_version, "mask ROM version number")
    if options.pad is not None:
        _pad(header.rom, options.pad)
    _write_checksums(header, options)
    return bytes(header.rom)


class _Header:
    """A ROM whose header is being written; warns when that changes something."""

    def __init__(self, rom: bytearray, warnings: WarningSettings, diagnostics: Diagnostics) -> None:
        self.rom = rom
        self.warnings = warnings
        self.diagnostics = diagnostics

    def bytes(self, start: int, new: bytes, what: str) -> None:
        """Write ``new`` from ``start`` on; ``what`` is for the warning."""
        old = self.rom[start : start + len(new)]
        if any(a not in (0, b) for a, b in zip(old, new, strict=True)):
            self.warn("overwrite", f"overwrote a non-zero byte in the {what}")
        self.rom[start : start + len(new)] = new

    def byte(self, address: int, new: int, what: str) -> None:
        """Write one byte."""
        self.bytes(address, bytes([new]), what)

    def warn(self, name: str, message: str) -> None:
        """Report a warning."""
        self.warnings.report(self.diagnostics, name, message)


def _write_logo(header: _Header, options: FixOptions) -> None:
    if "l" in options.fix or "L" in options.fix:
        logo = header_fields.NINTENDO_LOGO if options.logo is None else options.logo
        if "L" in options.fix:
            logo = bytes(byte ^ 0xFF for byte in logo)
        what = "Nintendo logo" if options.logo is None else "logo"
        header.bytes(header_fields.LOGO.start, logo, what)


def _write_texts(header: _Header, options: FixOptions) -> None:
    if options.title is not None:
        header.bytes(header_fields.TITLE.start, options.title[: options.title_size], "title")
    if options.game_id is not None:
        header.bytes(header_fields.GAME_ID.start, options.game_id[:4], "manufacturer code")
    if options.color is not None:
        header.byte(header_fields.COLOR_FLAG, options.color.value, "CGB flag")
    if options.new_licensee is not None:
        header.bytes(
            header_fields.NEW_LICENSEE.start, options.new_licensee[:2], "new licensee code"
        )
    if options.sgb:
        header.byte(header_fields.SGB_FLAG, 0x03, "SGB flag")


def _write_mbc(header: _Header, options: FixOptions) -> None:
    mbc = options.mbc
    if mbc is not None:
        header.byte(header_fields.CARTRIDGE_TYPE, mbc.code, "cartridge type")
    if mbc is not None and mbc.revision is not None:
        header.bytes(header_fields.TPP1_CODE.start, b"\xc1\x65", "TPP1 identification code")
        header.bytes(header_fields.TPP1_REVISION.start, bytes(mbc.revision), "TPP1 revision number")
        if options.ram_size is not None:
            header.byte(header_fields.TPP1_RAM_SIZE, options.ram_size, "RAM size")
        header.byte(header_fields.TPP1_FEATURES, mbc.features, "TPP1 feature flags")
        return
    if options.ram_size is not None:
        header.byte(header_fields.RAM_SIZE, options.ram_size, "RAM size")
    if options.non_japanese:
        header.byte(header_fields.DESTINATION, 0x01, "destination code")


def _write_licensee(header: _Header, options: FixOptions) -> None:
    old_licensee = header.rom[header_fields.OLD_LICENSEE]
    if options.old_licensee is not None:
        header.byte(header_fields.OLD_LICENSEE, options.old_licensee, "old licensee code")
    elif options.sgb and old_licensee != header_fields.SGB_LICENSEE:
        header.warn(
            "sgb", f"SGB compatibility enabled, but old licensee was 0x{old_licensee:02x}, not 0x33"
        )


def _pad(rom: bytearray, value: int) -> None:
    """Fill up to a power of two of 32 KiB, which the size in the header then says."""
    size, code = 2 * header_fields.ROM_BANK, 0
    while size < len(rom):
        size, code = 2 * size, code + 1
    rom += bytes([value]) * (size - len(rom))
    rom[header_fields.ROM_SIZE] = code


def _write_checksums(header: _Header, options: FixOptions) -> None:
    if "h" in options.fix or "H" in options.fix:
        checksum = header_fields.header_checksum(header.rom)
        if "H" in options.fix:
            checksum ^= 0xFF
        header.byte(header_fields.HEADER_CHECKSUM, checksum, "header checksum")
    if "g" in options.fix or "G" in options.fix:
        total = header_fields.global_checksum(header.rom)
        if "G" in options.fix:
            total = bytes(byte ^ 0xFF for byte in total)
        header.bytes(header_fields.GLOBAL_CHECKSUM.start, total, "global checksum")
