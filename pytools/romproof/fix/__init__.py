"""Level 2: the header of a Game Boy ROM, filled in as RGBDS's rgbfix does, and checked."""

from romproof.fix.check import check_header
from romproof.fix.fixer import check_options, fix, fix_file
from romproof.fix.layout import logo_from_tiles
from romproof.fix.mbc import BadMbc, Mbc, list_of_mbcs, parse_mbc
from romproof.fix.options import Color, FixOptions

__all__ = [
    "BadMbc",
    "Color",
    "FixOptions",
    "Mbc",
    "check_header",
    "check_options",
    "fix",
    "fix_file",
    "list_of_mbcs",
    "logo_from_tiles",
    "parse_mbc",
]
