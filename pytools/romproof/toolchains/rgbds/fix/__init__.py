"""The header of a Game Boy ROM, filled in as RGBDS's rgbfix does, and checked."""

from romproof.toolchains.rgbds.fix.check import check_header
from romproof.toolchains.rgbds.fix.fixer import (
    check_length,
    check_mbc,
    check_options,
    check_together,
    fix,
    fix_file,
)
from romproof.toolchains.rgbds.fix.header_fields import logo_from_tiles
from romproof.toolchains.rgbds.fix.mbc import BadMbc, Mbc, list_of_mbcs, parse_mbc
from romproof.toolchains.rgbds.fix.options import WARNINGS, Color, FixOptions

__all__ = [
    "WARNINGS",
    "BadMbc",
    "Color",
    "FixOptions",
    "Mbc",
    "check_header",
    "check_length",
    "check_mbc",
    "check_options",
    "check_together",
    "fix",
    "fix_file",
    "list_of_mbcs",
    "logo_from_tiles",
    "parse_mbc",
]
