"""VICE label files: ``al 00C000 .name``."""

from __future__ import annotations

from romproof.program.image import Image, Symbol


def vice_labels(image: Image) -> str:
    """All labels and exported symbols of ``image`` as commands of VICE's monitor.

    ld65 -Ln writes what is exported, constants too, and with -g every other
    label under its bare name. This file has the same symbols, but qualified
    names: ``scope::name`` and ``name@local`` (VICE's lexer takes ``:`` and
    ``@`` in names), because bare names that occur in two scopes hide one
    another in the monitor. Sorted by address and name; a name with several
    addresses (private to several modules) is written with each of them, as
    ld65 does.
    """
    chosen = {
        (symbol.value & 0xFFFFFF, symbol.name) for symbol in image.symbols if _is_wanted(symbol)
    }
    return "".join(f"al {value:06X} .{name}\n" for value, name in sorted(chosen))


def _is_wanted(symbol: Symbol) -> bool:
    return symbol.exported or symbol.is_label
