"""Nouns of a source: symbols, scopes, and what is known of a value."""

from __future__ import annotations

from typing import Final

from romproof.program.address_size import AddressSize
from romproof.text.span import Source, Span, Via
from romproof.toolchains.ca65.obj.expr import Expr

_UNKNOWN: Final = AddressSize.DEFAULT
At = tuple[Source, int, int, int, Via | None]
"""What a span is made of. Few symbols are ever spoken of, and a span takes longer than the rest of
a symbol."""


def at_span(span: Span) -> At:
    """What a span is made of."""
    return span.source, span.line, span.col, span.length, span.via


class SymbolEntry:
    """A name and all that was said of it so far.

    ``scope`` is None for cheap locals, whose owner is ``parent``. ``fixed``
    symbols were named with their scope, or after it was closed: they are not
    looked for further out. ``stand_in`` is the outer symbol this one turned
    out to mean.

    ``at`` is where it is defined. ``locals`` are its cheap locals and ``condes`` its tables of
    constructors, with the priorities; None if it has none.
    """

    expr: Expr | None = None
    address_size: AddressSize = _UNKNOWN
    export_size: AddressSize = _UNKNOWN
    defined = False
    is_label = False
    is_variable = False
    is_import = False
    is_export = False
    is_global = False  # .global: import or export, whichever it turns out to be
    forced = False
    referenced = False
    fixed = False
    stand_in: SymbolEntry | None = None
    first_value: Expr | None = None  # of a variable: what earlier uses meant
    size: int | None = None
    at: At | None = None
    used_at: Span | None = None
    guessed_at: Span | None = None  # zero page addressing was possible but not chosen
    being_studied = False
    known: Study | None = None  # the result of studying it, once that is final
    finished: Expr | None = None  # its value as the linker gets it

    def __init__(self, name: str, scope: Scope | None, parent: SymbolEntry | None = None) -> None:
        self.name = name
        self.scope = scope
        self.parent = parent
        self.locals: dict[str, SymbolEntry] | None = None
        self.condes: dict[int, int] | None = None

    def local(self, name: str) -> SymbolEntry | None:
        """The cheap local of this name."""
        return None if self.locals is None else self.locals.get(name)

    @property
    def span(self) -> Span | None:
        """Where it is defined."""
        at = self.at
        return None if at is None else Span(at[0], at[1], at[2], at[3], at[4])

    @span.setter
    def span(self, span: Span | None) -> None:
        self.at = None if span is None else at_span(span)

    @property
    def full_name(self) -> str:
        """``scope::name``, and ``label@local`` for a cheap local."""
        if self.parent is not None:
            return f"{self.parent.full_name}{self.name}"
        prefix = self.scope.full_name if self.scope is not None else ""
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
        label: SymbolEntry | None = None,
        address_size: AddressSize = AddressSize.DEFAULT,
        defined: bool = False,
        closed: bool = False,
        anonymous: bool = False,
        size: int | None = None,
        span: Span | None = None,
        symbols: dict[str, SymbolEntry] | None = None,
        children: dict[str, Scope] | None = None,
    ) -> None:
        self.name = name
        self.parent = parent
        self.kind = kind
        self.label: SymbolEntry | None = label
        self.address_size = address_size
        self.defined = defined
        self.closed = closed
        self.anonymous = anonymous
        self.size: int | None = size
        self.span: Span | None = span
        self.symbols: dict[str, SymbolEntry] = {} if symbols is None else symbols
        self.children: dict[str, Scope] = {} if children is None else children

    @property
    def full_name(self) -> str:
        """The names from the outermost scope to this one, joined with ``::``."""
        if self.parent is None:
            return ""
        outer = self.parent.full_name
        return f"{outer}::{self.name}" if outer else self.name


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
        names: dict[SymbolEntry, int] | None = None,
    ) -> None:
        self.value = value
        self.size = size
        self.complex = complex
        self.places: dict[int, int] = {} if places is None else places
        self.names: dict[SymbolEntry, int] = {} if names is None else names

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


def find_outward(scope: Scope | None, name: str) -> SymbolEntry | None:
    """The symbol in this scope or the nearest outer one."""
    while scope is not None:
        symbol = scope.symbols.get(name)
        if symbol is not None:
            return symbol
        scope = scope.parent
    return None
