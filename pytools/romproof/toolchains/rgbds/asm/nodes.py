"""What the object has to mention: contexts and symbols, in the order they got numbers."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.model import Expression, Symbol
from romproof.toolchains.rgbds.obj.model import Node


class Nodes:
    """Gives numbers to what the object has to mention: contexts and symbols."""

    def __init__(self) -> None:
        self.all: list[Node] = []
        self._known: set[int] = set()
        self.symbols: list[Symbol] = []

    def register(self, node: Node | None) -> None:
        """Mention a context and those around it; each once."""
        while node is not None and id(node) not in self._known:
            self._known.add(id(node))
            self.all.append(node)
            node = node.parent

    def is_registered(self, node: Node) -> bool:
        """Whether the object mentions a context."""
        return id(node) in self._known

    def number(self, symbol: Symbol) -> None:
        """Mention a symbol; built-in ones are never mentioned."""
        if symbol.place is None or symbol.number is not None:
            return
        symbol.number = len(self.symbols)
        self.symbols.append(symbol)
        self.register(symbol.place.node)

    def number_symbols(self, expression: Expression) -> None:
        """Mention the symbols of an expression."""
        for _, argument in expression.items():
            if isinstance(argument, Symbol):
                self.number(argument)
