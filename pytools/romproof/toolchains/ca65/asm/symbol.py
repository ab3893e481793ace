"""Nouns of a source: symbols, scopes, the references of expressions to them, and what is known
of a value."""

from __future__ import annotations

from romproof.program.address_size import AddressSize
from romproof.text.span import Span
from romproof.toolchains.ca65.obj.expr import Expr, Literal


class Symbol:
    """A name and all that was said of it so far.

    ``scope`` is None for cheap locals, whose owner is ``parent``. ``fixed``
    symbols were named with their scope, or after it was closed: they are not
    looked for further out. ``stand_in`` is the outer symbol this one turned
    out to mean.

    Few of them are said of most symbols: what is said of none is an attribute of the class, so
    that there is less to do for each.
    """

    expr: Expr | None = None
    address_size = AddressSize.DEFAULT
    export_size = AddressSize.DEFAULT
    defined = False
    is_label = False
    is_variable = False
    is_import = False
    is_export = False
    is_global = False  # .global: import or export, whichever it turns out to be
    forced = False
    referenced = False
    fixed = False
    stand_in: Symbol | None = None
    first_value: Expr | None = None  # of a variable: what earlier uses meant
    size: int | None = None
    span: Span | None = None
    used_at: Span | None = None
    guessed_at: Span | None = None  # zero page addressing was possible but not chosen
    being_studied = False
    known: Study | None = None  # the result of studying it, once that is final
    finished: Expr | None = None  # its value as the linker gets it

    def __init__(self, name: str, scope: Scope | None, parent: Symbol | None = None) -> None:
        self.name = name
        self.scope = scope
        self.parent = parent
        self.locals: dict[str, Symbol] = {}
        self.condes: dict[int, int] = {}

    @property
    def qualified(self) -> str:
        """``scope::name``, and ``label@local`` for a cheap local."""
        if self.parent is not None:
            return f"{self.parent.qualified}{self.name}"
        prefix = self.scope.qualified if self.scope is not None else ""
        return f"{prefix}::{self.name}" if prefix else self.name


class Scope:
    """A level of names: the file, a ``.scope``, ``.proc``, ``.struct`` or ``.enum``."""

    __slots__ = (
        "address_size",
        "anonymous",
        "children",
        "closed",
        "defined",
        "kind",
        "label",
        "name",
        "parent",
        "size",
        "span",
        "symbols",
    )

    def __init__(
        self,
        name: str,
        parent: Scope | None,
        kind: str = "",
        label: Symbol | None = None,
        address_size: AddressSize = AddressSize.DEFAULT,
        defined: bool = False,
        closed: bool = False,
        anonymous: bool = False,
        size: int | None = None,
        span: Span | None = None,
        symbols: dict[str, Symbol] | None = None,
        children: dict[str, Scope] | None = None,
    ) -> None:
        self.name = name
        self.parent = parent
        self.kind = kind
        self.label: Symbol | None = label
        self.address_size = address_size
        self.defined = defined
        self.closed = closed
        self.anonymous = anonymous
        self.size: int | None = size
        self.span: Span | None = span
        self.symbols: dict[str, Symbol] = {} if symbols is None else symbols
        self.children: dict[str, Scope] = {} if children is None else children

    @property
    def qualified(self) -> str:
        """The names from the outermost scope to this one, joined with ``::``."""
        if self.parent is None:
            return ""
        outer = self.parent.qualified
        return f"{outer}::{self.name}" if outer else self.name


class SymbolRef(Expr):
    """A symbol that has no definition yet when it is named."""

    __slots__ = ("symbol",)
    __match_args__ = ("symbol",)

    def __init__(self, symbol: Symbol) -> None:
        self.symbol = symbol


class UnnamedRef(Expr):
    """The unnamed label number ``index`` of the source, ahead of its use."""

    __slots__ = ("index",)
    __match_args__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


class Study:
    """What an expression comes to. ``places`` maps section numbers to how often
    their start is added, ``names`` the same for imported or undefined symbols."""

    __slots__ = (
        "complex",
        "names",
        "places",
        "size",
        "value",
    )

    def __init__(
        self,
        value: int = 0,
        size: AddressSize = AddressSize.DEFAULT,
        complex: bool = False,
        places: dict[int, int] | None = None,
        names: dict[Symbol, int] | None = None,
    ) -> None:
        self.value = value
        self.size = size
        self.complex = complex
        self.places: dict[int, int] = {} if places is None else places
        self.names: dict[Symbol, int] = {} if names is None else names

    @property
    def is_constant(self) -> bool:
        """True when the value is a number that is known now."""
        return not self.complex and not any(self.places.values()) and not any(self.names.values())

    def copy(self, size: AddressSize) -> Study:
        """The same with another size; what is done to it leaves this one alone."""
        return Study(self.value, size, self.complex, dict(self.places), dict(self.names))

    def merge(self, other: Study, factor: int = 1) -> None:
        """Take over the references of ``other``, ``factor`` times."""
        for section, count in other.places.items():
            self.places[section] = self.places.get(section, 0) + factor * count
        for symbol, count in other.names.items():
            self.names[symbol] = self.names.get(symbol, 0) + factor * count

    def merge_size(self, other: Study) -> None:
        """The larger size; an unknown size wins if its expression is complex."""
        if self.size is AddressSize.DEFAULT:
            if not self.complex:
                self.size = other.size
        elif other.size is AddressSize.DEFAULT:
            if other.complex:
                self.size = other.size
        else:
            self.size = max(self.size, other.size)


def easy_value(expr: Expr) -> int | None:
    """The number if ``expr`` is one or is just the name of one."""
    while isinstance(expr, SymbolRef):
        definition = definition_of(expr.symbol)
        if definition is None:
            return None
        expr = definition
    return expr.value if isinstance(expr, Literal) else None


def definition_of(symbol: Symbol) -> Expr | None:
    """What a symbol denotes, seen from a use that came before it was known.

    For a variable that is its first value. But a use in an inner scope is not
    tied to the variable before the end of the source, and then gets its last.
    """
    outer = symbol.stand_in
    if outer is not None:
        return outer.expr if outer.is_variable else SymbolRef(outer)
    return symbol.first_value if symbol.is_variable else symbol.expr


def find_outward(scope: Scope | None, name: str) -> Symbol | None:
    """The symbol in this scope or the nearest outer one."""
    while scope is not None:
        symbol = scope.symbols.get(name)
        if symbol is not None:
            return symbol
        scope = scope.parent
    return None
