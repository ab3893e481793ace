"""Symbols in expressions, and what they come to there.

They are apart from the symbols themselves, which are compiled where that is possible: what is
compiled cannot be taken apart by ``match`` elsewhere.
"""

from __future__ import annotations

from romproof.toolchains.ca65.asm.symbol import SymbolEntry
from romproof.toolchains.ca65.obj.expr import Expr, Literal


class SymbolRef(Expr):
    """A symbol that has no definition yet when it is named."""

    __slots__ = ("symbol",)
    __match_args__ = ("symbol",)

    def __init__(self, symbol: SymbolEntry) -> None:
        self.symbol = symbol


class UnnamedRef(Expr):
    """The unnamed label number ``index`` of the source, ahead of its use."""

    __slots__ = ("index",)
    __match_args__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


def easy_value(expr: Expr) -> int | None:
    """The number if ``expr`` is one or is just the name of one."""
    while isinstance(expr, SymbolRef):
        definition = definition_of(expr.symbol)
        if definition is None:
            return None
        expr = definition
    return expr.value if isinstance(expr, Literal) else None


def definition_of(symbol: SymbolEntry) -> Expr | None:
    """What a symbol denotes, seen from a use that came before it was known.

    For a variable that is its first value. But a use in an inner scope is not
    tied to the variable before the end of the source, and then gets its last.
    """
    outer = symbol.stand_in
    if outer is not None:
        return outer.expr if outer.is_variable else SymbolRef(outer)
    return symbol.first_value if symbol.is_variable else symbol.expr
