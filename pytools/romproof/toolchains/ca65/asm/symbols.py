"""Symbols and the scopes they live in; who sees whom, as ca65 decides it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from romproof.program.address_size import AddressSize
from romproof.text.diagnostic import suggest
from romproof.text.span import Span
from romproof.toolchains.ca65.asm.tokens import IDENT, LOCAL
from romproof.toolchains.ca65.obj.expr import Expr, Literal

if TYPE_CHECKING:
    from romproof.toolchains.ca65.asm.assembler import Assembler
    from romproof.toolchains.ca65.asm.study import Study


@dataclass(eq=False)
class Symbol:
    """A name and all that was said of it so far.

    ``scope`` is None for cheap locals, whose owner is ``parent``. ``fixed``
    symbols were named with their scope, or after it was closed: they are not
    looked for further out. ``stand_in`` is the outer symbol this one turned
    out to mean.
    """

    name: str
    scope: Scope | None
    parent: Symbol | None = None
    expr: Expr | None = None
    address_size: AddressSize = AddressSize.DEFAULT
    export_size: AddressSize = AddressSize.DEFAULT
    defined: bool = False
    is_label: bool = False
    is_variable: bool = False
    is_import: bool = False
    is_export: bool = False
    is_global: bool = False  # .global: import or export, whichever it turns out to be
    forced: bool = False
    referenced: bool = False
    fixed: bool = False
    stand_in: Symbol | None = None
    first_value: Expr | None = None  # of a variable: what earlier uses meant
    size: int | None = None
    span: Span | None = None
    used_at: Span | None = None
    guessed_at: Span | None = None  # zero page addressing was possible but not chosen
    locals: dict[str, Symbol] = field(default_factory=dict)
    condes: dict[int, int] = field(default_factory=dict)
    being_studied: bool = False
    known: Study | None = None  # the result of studying it, once that is final
    finished: Expr | None = None  # its value as the linker gets it

    @property
    def qualified(self) -> str:
        """``scope::name``, and ``label@local`` for a cheap local."""
        if self.parent is not None:
            return f"{self.parent.qualified}{self.name}"
        prefix = self.scope.qualified if self.scope is not None else ""
        return f"{prefix}::{self.name}" if prefix else self.name


@dataclass(eq=False)
class Scope:
    """A level of names: the file, a ``.scope``, ``.proc``, ``.struct`` or ``.enum``."""

    name: str
    parent: Scope | None
    kind: str = ""
    label: Symbol | None = None
    address_size: AddressSize = AddressSize.DEFAULT
    defined: bool = False
    closed: bool = False
    anonymous: bool = False
    size: int | None = None
    span: Span | None = None
    symbols: dict[str, Symbol] = field(default_factory=dict)
    children: dict[str, Scope] = field(default_factory=dict)

    @property
    def qualified(self) -> str:
        """The names from the outermost scope to this one, joined with ``::``."""
        if self.parent is None:
            return ""
        outer = self.parent.qualified
        return f"{outer}::{self.name}" if outer else self.name


@dataclass(slots=True)
class Studied:
    """What came of operators that were studied already, by the identity of their nodes.

    Variables share their values, so that ``x .set x + x`` doubles the tree and adds one node. Each
    node is kept with its study: no other gets its identity meanwhile.
    """

    steps: int = 0
    open: int = 0
    """How often it came to what a later line may define."""
    found: dict[int, tuple[Expr, Study, bool]] = field(default_factory=dict)
    """The last: whether it is such a one."""


class Symbols:
    """The symbol table of one source; ``current`` is the scope being read."""

    def __init__(self, asm: Assembler) -> None:
        self._asm = asm
        self.root = Scope("", None, kind="file", defined=True)
        self.current = self.root
        self.all: list[Symbol] = []
        self.resolved = False  # the source has ended: what each symbol means is decided
        self.studied = Studied()  # since then
        self.spelled_out: dict[int, tuple[Expr, Expr]] = {}  # operators for the linker, likewise
        self.owner: Symbol | None = None  # of the cheap locals that follow
        self._unnamed_scopes = 0

    # -- finding ---------------------------------------------------------------

    def find(self, scope: Scope, name: str, create: bool) -> Symbol | None:
        """The symbol of exactly this scope; made if wanted."""
        symbol = scope.symbols.get(name)
        if symbol is None:
            if not create:
                return None
            symbol = Symbol(name, scope)
            scope.symbols[name] = symbol
            self.all.append(symbol)
        if scope.closed:
            symbol.fixed = True
        return symbol

    def own(self, name: str) -> Symbol:
        """The symbol of the current scope; made if it does not exist."""
        symbol = self.find(self.current, name, create=True)
        assert symbol is not None  # create=True
        return symbol

    def find_any(self, scope: Scope | None, name: str) -> Symbol | None:
        """The symbol in this scope or the nearest outer one."""
        while scope is not None:
            symbol = scope.symbols.get(name)
            if symbol is not None:
                return symbol
            scope = scope.parent
        return None

    def find_any_scope(self, scope: Scope | None, name: str) -> Scope | None:
        """The scope ``name`` inside this scope or the nearest outer one."""
        while scope is not None:
            if name in scope.children:
                return scope.children[name]
            scope = scope.parent
        return None

    def find_local(self, name: str, create: bool) -> Symbol | None:
        """The cheap local ``name`` of the last label."""
        if self.owner is None:
            self._asm.error(
                "No preceeding global symbol",
                help="a cheap local belongs to the label before it; there is none yet",
            )
            return Symbol(name, None) if create else None
        symbol = self.owner.locals.get(name)
        if symbol is None and create:
            symbol = Symbol(name, None, parent=self.owner)
            self.owner.locals[name] = symbol
            self.all.append(symbol)
        return symbol

    # -- parsing names -----------------------------------------------------------

    def parse_path(self) -> tuple[Scope, str, bool] | None:
        """Read ``a::b::c``: the scope of the last name, the name, and whether
        a scope was given at all. None after an error."""
        asm, feed = self._asm, self._asm.feed
        path = ""
        if feed.at("::"):
            scope: Scope | None = self.root
        elif feed.at(IDENT):
            path = feed.tok.text
            token = feed.tok
            feed.next()
            if not feed.at("::"):
                return self.current, path, False
            scope = self.find_any_scope(self.current, path)
            if scope is None:
                names = [n for s in self._outwards() for n in s.children]
                asm.error(f"No such scope: '{path}'", token, candidates=names)
                self._skip_path()
                return None
        else:
            asm.error("Identifier expected")
            return None
        feed.next()
        while True:
            if not feed.at(IDENT):
                asm.error("Identifier expected")
                return None
            name, token = feed.tok.text, feed.tok
            feed.next()
            assert scope is not None  # the loop goes on only with a scope
            if not feed.at("::"):
                return scope, name, True
            path = f"{path}::{name}"
            child = scope.children.get(name)
            if child is None:
                asm.error(f"No such scope: '{path}'", token, candidates=scope.children)
                self._skip_path()
                return None
            scope = child
            feed.next()

    def _skip_path(self) -> None:
        """Skip the rest of a path whose start was wrong: one error is enough."""
        feed = self._asm.feed
        while feed.accept("::"):
            feed.accept(IDENT)

    def _outwards(self) -> list[Scope]:
        scopes: list[Scope] = []
        scope: Scope | None = self.current
        while scope is not None:
            scopes.append(scope)
            scope = scope.parent
        return scopes

    def parse(self) -> Symbol:
        """Read a name and give its symbol in the scope it belongs to."""
        feed = self._asm.feed
        if feed.at(LOCAL):
            local = self.find_local(feed.tok.text, create=True)
            feed.next()
            assert local is not None  # create=True
            return local
        path = self.parse_path()
        if path is None:
            return Symbol("?", None, expr=Literal(0), defined=True)
        scope, name, _ = path
        symbol = self.find(scope, name, create=True)
        assert symbol is not None  # create=True
        return symbol

    def parse_existing(self) -> Symbol | None:
        """Read a name and give its symbol if it was mentioned before."""
        feed = self._asm.feed
        if feed.at(LOCAL):
            local = self.find_local(feed.tok.text, create=False)
            feed.next()
            return local
        path = self.parse_path()
        if path is None:
            return None
        scope, name, explicit = path
        if explicit:
            return self.find(scope, name, create=False)
        return self.find_any(scope, name)

    def parse_scope(self) -> Scope | None:
        """Read the name of a scope and find it."""
        path = self.parse_path()
        if path is None:
            return None
        scope, name, explicit = path
        return scope.children.get(name) if explicit else self.find_any_scope(scope, name)

    # -- scopes --------------------------------------------------------------

    def enter(
        self, name: str | None, kind: str, address_size: AddressSize, label: Symbol | None = None
    ) -> None:
        """Open a scope; None makes up a name."""
        asm = self._asm
        anonymous = name is None
        if name is None:
            self._unnamed_scopes += 1
            name = f"{kind}~{self._unnamed_scopes}"
        scope = self.current.children.get(name)
        if scope is None:
            scope = self.current.children[name] = Scope(name, self.current)
        elif scope.defined:
            asm.error(f"Duplicate scope '{name}'", notes=_first(scope.span))
        scope.defined = True
        scope.kind = kind
        scope.label = label
        scope.anonymous = anonymous
        scope.address_size = address_size or asm.segments.current.address_size
        scope.span = asm.statement
        self.current = scope
        if kind == "scope":
            asm.segments.open_spans(scope)

    def leave(self) -> None:
        """Close the current scope and note how many bytes it holds."""
        scope = self.current
        if scope.kind == "scope":
            size = self._asm.segments.close_spans(scope)
            if size is not None:
                self.set_scope_size(scope, size)
                if scope.label is not None:
                    scope.label.size = size
        scope.closed = True
        self.current = scope.parent or self.root

    def set_scope_size(self, scope: Scope, size: int) -> None:
        """Define the size of a scope. As in ca65 this ends the reach of cheap locals."""
        scope.size = size
        self.owner = Symbol(scope.name, scope)

    def undefined_help(self, symbol: Symbol) -> str | None:
        """A "did you mean" among the names that can be seen from the symbol."""
        names: list[str] = []
        scope = symbol.scope
        if symbol.parent is not None:
            names = [n for n, s in symbol.parent.locals.items() if s.defined]
        while scope is not None:
            names += [n for n, s in scope.symbols.items() if s.defined or s.is_import]
            scope = scope.parent
        return suggest(symbol.name, names)


def _first(span: Span | None) -> tuple[tuple[str, Span], ...]:
    return (("the first definition is", span),) if span is not None else ()
