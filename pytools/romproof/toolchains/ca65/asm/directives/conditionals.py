"""What decides conditionals: ``.if``, ``.ifdef`` and kin."""

from __future__ import annotations

from collections.abc import Callable

from romproof.toolchains.ca65.asm.assembly import Assembly


def _blank(asm: Assembly) -> bool:
    blank = asm.feed.tok.ends_line
    asm.feed.skip_line()
    return blank


def _is_defined(asm: Assembly) -> bool:
    symbol = asm.symbols.parse_existing()
    return symbol is not None and symbol.defined


def _is_referenced(asm: Assembly) -> bool:
    symbol = asm.symbols.parse_existing()
    return symbol is not None and symbol.referenced


TESTS: dict[str, Callable[[Assembly], bool]] = {
    ".if": lambda asm: asm.expressions.constant() != 0,
    ".elseif": lambda asm: asm.expressions.constant() != 0,
    ".ifblank": _blank,
    ".ifnblank": lambda asm: not _blank(asm),
    ".ifconst": lambda asm: asm.expressions.is_constant(),
    ".ifnconst": lambda asm: not asm.expressions.is_constant(),
    ".ifdef": _is_defined,
    ".ifndef": lambda asm: not _is_defined(asm),
    ".ifref": _is_referenced,
    ".ifnref": lambda asm: not _is_referenced(asm),
    ".ifp02": lambda asm: asm.settings.cpu == "6502",
    ".ifp4510": lambda asm: asm.settings.cpu == "4510",
    ".ifp816": lambda asm: asm.settings.cpu == "65816",
    ".ifpc02": lambda asm: asm.settings.cpu == "65C02",
    ".ifpsc02": lambda asm: asm.settings.cpu == "65SC02",
    ".ifp02x": lambda asm: asm.settings.cpu == "6502X",
    ".ifp45gs02": lambda asm: asm.settings.cpu == "45GS02",
    ".ifp6280": lambda asm: asm.settings.cpu == "HuC6280",
    ".ifpce02": lambda asm: asm.settings.cpu == "65CE02",
    ".ifpdtv": lambda asm: asm.settings.cpu == "6502DTV",
    ".ifpm740": lambda asm: asm.settings.cpu == "m740",
    ".ifpsweet16": lambda asm: asm.settings.cpu == "sweet16",
    ".ifpwc02": lambda asm: asm.settings.cpu == "W65C02",
}
"""What decides each conditional; the current token is the first of its operand."""
