"""Calls of macros, and of what was taken for one."""

from __future__ import annotations

from romproof.text.diagnostic import suggest
from romproof.toolchains.rgbds.asm.arguments import MacroArguments
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.keywords import DIRECTIVES, MNEMONICS
from romproof.toolchains.rgbds.asm.model import SymbolType
from romproof.toolchains.rgbds.asm.symbols import Symbols

_INSTRUCTIONS = frozenset(word.lower() for word in MNEMONICS)
_DIRECTIVES = frozenset(word.lower() for word in DIRECTIVES)

_LOOKS_LIKE = ("EQUS", "EQU", "RB", "RW", "RL", "=")
"""What follows a name in a definition; without DEF it is taken for a macro's name."""


def call_macro(asm: Assembly, name: str, arguments: MacroArguments, quiet: bool) -> None:
    """Read a macro's body next."""
    report, symbols = asm.report, asm.symbols
    symbol = symbols.find_exact(name)
    if symbol is None:
        if symbols.was_purged(name):
            report.error(f"Undefined macro `{name}`; it was purged")
            return
        meant = _guess_meaning(name, arguments)
        hint = f" (did you mean {meant}?)" if meant else ""
        similar = None if meant else _similar(symbols, name)
        report.error(f"Undefined macro `{name}`{hint}", help=similar)
        return
    if symbol.type is not SymbolType.MACRO or symbol.macro is None:
        report.error(f"`{name}` is not a macro")
        return
    asm.contexts.enter_macro(symbol, arguments, quiet)


def _similar(symbols: Symbols, name: str) -> str | None:
    """A help text when a word at the start of a statement looks misspelt."""
    usual = symbols.macro_names() | _INSTRUCTIONS
    return suggest(name, usual) or suggest(name, _DIRECTIVES)


def _guess_meaning(name: str, arguments: MacroArguments) -> str | None:
    """What a call of no macro was probably meant to be."""
    first = arguments.get(1)
    if first is None:
        return None
    for word in _LOOKS_LIKE:
        if first.upper().startswith(word):
            return f'"DEF {name} {word} ..."'
    if first.upper().startswith("SET"):
        return f'"DEF {name} = ..."'
    if first.startswith(":"):
        return f'a label "{name}{"::" if first[1:2] == ":" else ":"}"'
    return None
