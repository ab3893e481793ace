"""Symbols and the scopes they live in; who sees whom, as ca65 decides it."""

from __future__ import annotations

from romproof.program.address_size import AddressSize
from romproof.text.diagnostic import suggest
from romproof.text.span import Span
from romproof.toolchains.ca65.asm.address_sizes import size_name
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.messages import Messages
from romproof.toolchains.ca65.asm.segments import Segments
from romproof.toolchains.ca65.asm.study import PartialEvaluator
from romproof.toolchains.ca65.asm.symbol import Scope, SymbolEntry, at_span, find_outward
from romproof.toolchains.ca65.asm.tokens import IDENT, LOCAL, Token
from romproof.toolchains.ca65.obj.dialect import V2_19, V2_19_GIT, Change, Dialect
from romproof.toolchains.ca65.obj.expr import Expr, Literal

_SCOPES_COME_FIRST = f"a scope has to come first; it may come later with {V2_19_GIT.request}"


class Symbols:
    """The symbol table of one source; ``current`` is the scope being read."""

    def __init__(
        self,
        feed: Feed,
        segments: Segments,
        evaluator: PartialEvaluator,
        dialect: Dialect = V2_19,
    ) -> None:
        self._feed = feed
        self._makes_scopes = Change.FORWARD_SCOPES in dialect
        self._keeps_locals = Change.VARIABLES_KEEP_LOCALS in dialect
        self._segments = segments
        self._evaluator = evaluator
        self.root = Scope("", None, kind="file", defined=True)
        feed.record.scope(self.root, "")
        feed.record.open_scope(self.root, 0)
        self._go_to(self.root)
        self.all: list[SymbolEntry] = []
        self.owner: SymbolEntry | None = None  # of the cheap locals that follow
        self._unnamed_scopes = 0

    # -- finding ---------------------------------------------------------------

    def find(self, scope: Scope, name: str, create: bool) -> SymbolEntry | None:
        """The symbol of exactly this scope; made if wanted."""
        symbol = scope.symbols.get(name)
        if symbol is None:
            if not create:
                return None
            symbol = self.make(scope, name)
        if scope.closed:
            symbol.fixed = True
        return symbol

    def make(self, scope: Scope, name: str) -> SymbolEntry:
        """A symbol that the scope does not have yet."""
        symbol = scope.symbols[name] = SymbolEntry(name, scope)
        self.all.append(symbol)
        self._feed.record.intern(name)
        return symbol

    def make_local(self, owner: SymbolEntry, name: str) -> SymbolEntry:
        """A cheap local that the label does not have yet."""
        symbol = SymbolEntry(name, None, parent=owner)
        if owner.locals is None:
            owner.locals = {}
        owner.locals[name] = symbol
        self.all.append(symbol)
        self._feed.record.intern(name)
        return symbol

    def find_or_create(self, name: str) -> SymbolEntry:
        """The symbol of the current scope; made if it does not exist."""
        symbol = self.find(self.current, name, create=True)
        assert symbol is not None  # create=True
        return symbol

    def find_any_scope(self, scope: Scope | None, name: str) -> Scope | None:
        """The scope ``name`` inside this scope or the nearest outer one."""
        while scope is not None:
            if name in scope.children:
                return scope.children[name]
            scope = scope.parent
        return None

    def find_local(self, name: str, create: bool) -> SymbolEntry | None:
        """The cheap local ``name`` of the last label."""
        if self.owner is None:
            self._feed.error(
                "No preceeding global symbol",
                help="a cheap local belongs to the label before it, and there is no label yet",
            )
            return SymbolEntry(name, None) if create else None
        symbol = self.owner.local(name)
        if symbol is None and create:
            symbol = self.make_local(self.owner, name)
        return symbol

    # -- parsing names -----------------------------------------------------------

    def parse_path(self) -> tuple[Scope, str, bool] | None:
        """Read ``a::b::c``: the scope of the last name, the name, and whether
        a scope was given at all. None after an error."""
        feed = self._feed
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
            if scope is None and self._makes_scopes:
                scope = self._make_scope(self.current, path, path)
            if scope is None:
                names = [n for s in self._outwards() for n in s.children]
                help = suggest(path, names) or _SCOPES_COME_FIRST
                feed.error(f"No such scope: '{path}'", token, help=help)
                self._skip_path()
                return None
        else:
            feed.error("Identifier expected")
            return None
        feed.next()
        while True:
            if not feed.at(IDENT):
                feed.error("Identifier expected")
                return None
            name, token = feed.tok.text, feed.tok
            feed.next()
            assert scope is not None  # the loop goes on only with a scope
            if not feed.at("::"):
                return scope, name, True
            path = f"{path}::{name}"
            child = scope.children.get(name)
            if child is None and self._makes_scopes:
                child = self._make_scope(scope, name, name)
            if child is None:
                help = suggest(name, scope.children) or _SCOPES_COME_FIRST
                feed.error(f"No such scope: '{path}'", token, help=help)
                self._skip_path()
                return None
            scope = child
            feed.next()

    def _skip_path(self) -> None:
        """Skip the rest of a path whose start was wrong: one error is enough."""
        feed = self._feed
        while feed.accept("::"):
            feed.accept(IDENT)

    def _outwards(self) -> list[Scope]:
        scopes: list[Scope] = []
        scope: Scope | None = self.current
        while scope is not None:
            scopes.append(scope)
            scope = scope.parent
        return scopes

    def parse(self) -> SymbolEntry:
        """Read a name and give its symbol in the scope it belongs to."""
        feed = self._feed
        if feed.at(LOCAL):
            local = self.find_local(feed.tok.text, create=True)
            feed.next()
            assert local is not None  # create=True
            return local
        path = self.parse_path()
        if path is None:
            unknown = SymbolEntry("?", None)
            unknown.expr, unknown.defined = Literal(0), True
            return unknown
        scope, name, _ = path
        symbol = self.find(scope, name, create=True)
        assert symbol is not None  # create=True
        return symbol

    def parse_existing(self) -> SymbolEntry | None:
        """Read a name and give its symbol if it was mentioned before."""
        feed = self._feed
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
        return find_outward(scope, name)

    def parse_scope(self) -> Scope | None:
        """Read the name of a scope and find it."""
        path = self.parse_path()
        if path is None:
            return None
        scope, name, explicit = path
        return scope.children.get(name) if explicit else self.find_any_scope(scope, name)

    # -- definitions -------------------------------------------------------------

    def define(
        self,
        symbol: SymbolEntry,
        expr: Expr,
        *,
        address_size: AddressSize = AddressSize.DEFAULT,
        is_label: bool = False,
        is_variable: bool = False,
        token: Token | None = None,
    ) -> None:
        """Give ``symbol`` its value; ``.set`` makes a variable, which may change."""
        fault = self._redefinition(symbol, is_variable)
        if fault is not None:
            notes = (("the first definition is", symbol.span),) if symbol.span else ()
            self._feed.error(fault, token, notes=notes)
            return
        size = address_size or self._evaluator.study(expr).size
        if is_variable and not symbol.defined:
            symbol.first_value = expr
        again = symbol.defined
        span = self._feed.span(token) if token is not None else self._feed.statement
        symbol.address_size = size
        symbol.expr = expr
        symbol.defined = True
        symbol.is_label = symbol.is_label or is_label
        symbol.is_variable = is_variable
        if symbol.is_global:
            symbol.is_global, symbol.is_export = False, True
            self._feed.record.forget(symbol)
        self._feed.record.define(symbol)
        symbol.at = at_span(span)
        if symbol.is_export:
            if symbol.export_size is AddressSize.DEFAULT:
                symbol.export_size = symbol.address_size
            else:
                warn_if_larger(self._feed, symbol)
        if symbol.parent is None and not (again and self._keeps_locals):
            self.owner = symbol

    def _redefinition(self, symbol: SymbolEntry, is_variable: bool) -> str | None:
        name = symbol.name
        if symbol.is_import:
            return f"Symbol '{name}' is already an import"
        if is_variable and (symbol.is_export or symbol.is_global):
            return f"Var symbol '{name}' cannot be an export or global symbol"
        if symbol.defined and not symbol.is_variable:
            return f"Symbol '{name}' is already defined"
        if symbol.defined and not is_variable:
            return f"Symbol '{name}' is already different kind"
        return None

    # -- scopes --------------------------------------------------------------

    def enter(
        self,
        name: str | None,
        kind: str,
        address_size: AddressSize,
        label: SymbolEntry | None = None,
        *,
        unnamed_proc: bool = False,
    ) -> None:
        """Open a scope; None makes up a name."""
        anonymous = name is None
        shown = name or ""
        if name is None:
            self._unnamed_scopes += 1
            name = f"{kind}~{self._unnamed_scopes}"
            shown = self._feed.record.anonymous("PROC" if unnamed_proc else "SCOPE")
        scope = self.current.children.get(name)
        if scope is None:
            scope = self._make_scope(self.current, name, shown)
        elif scope.defined:
            self._feed.error(f"Duplicate scope '{name}'", notes=_first(scope.span))
        if not scope.defined:
            scope.closed = False
        scope.defined = True
        scope.kind = kind
        scope.label = label
        scope.anonymous = anonymous
        scope.address_size = address_size or self._segments.current.address_size
        scope.span = self._feed.statement
        self._go_to(scope)
        if kind == "scope":
            self._segments.open_spans(scope)
            self._feed.record.open_scope(scope, self._segments.current.number)

    def leave(self) -> None:
        """Close the current scope and note how many bytes it holds."""
        scope = self.current
        if scope.kind == "scope":
            self._feed.record.close_scope(scope)
            size = self._segments.close_spans(scope)
            if size is not None:
                self.set_scope_size(scope, size)
                if scope.label is not None:
                    scope.label.size = size
        scope.closed = True
        self._go_to(scope.parent or self.root)

    def _go_to(self, scope: Scope) -> None:
        self.current = scope
        if self._makes_scopes:
            self._evaluator.reading = scope

    def _make_scope(self, parent: Scope, name: str, shown: str) -> Scope:
        """A scope inside another, in which nothing is defined before it is opened."""
        scope = parent.children[name] = Scope(name, parent, closed=True)
        self._feed.record.scope(scope, shown)
        return scope

    def set_scope_size(self, scope: Scope, size: int) -> None:
        """Define the size of a scope. As in ca65 this ends the reach of cheap locals."""
        scope.size = size
        self._feed.record.note_size()
        self.owner = SymbolEntry(scope.name, scope)

    def suggest_name(self, symbol: SymbolEntry) -> str | None:
        """A "did you mean" among the names that can be seen from the symbol."""
        names: list[str] = []
        scope = symbol.scope
        if scope is not None and not scope.defined:
            around = scope.parent.children if scope.parent is not None else {}
            none = f"there is no scope '{scope.full_name}'"
            meant = suggest(scope.name, [n for n, s in around.items() if s.defined])
            return f"{none}; {meant}" if meant else none
        if symbol.parent is not None:
            names = [n for n, s in (symbol.parent.locals or {}).items() if s.defined]
        while scope is not None:
            names += [n for n, s in scope.symbols.items() if s.defined or s.is_import]
            scope = scope.parent
        return suggest(symbol.name, names)


def _first(span: Span | None) -> tuple[tuple[str, Span], ...]:
    return (("the first definition is", span),) if span is not None else ()


def warn_if_larger(messages: Messages, symbol: SymbolEntry, span: Span | None = None) -> None:
    """Warn about an export that promises less than the symbol is.

    ``span`` is where to warn, by default at the symbol's definition.
    """
    if symbol.address_size > symbol.export_size:
        messages.warning(
            f"Symbol '{symbol.name}' is {size_name(symbol.address_size)} "
            f"but exported {size_name(symbol.export_size)}",
            span or symbol.span,
        )
