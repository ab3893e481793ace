"""Symbols: labels, constants, variables, strings and macros in one table."""

from __future__ import annotations

from collections.abc import Iterator

from romproof.text.diagnostic import suggest
from romproof.toolchains.rgbds.asm.characters import IDENTIFIER, IDENTIFIER_START
from romproof.toolchains.rgbds.asm.context import StatementSpot
from romproof.toolchains.rgbds.asm.contexts import Contexts
from romproof.toolchains.rgbds.asm.model import MacroBody, Section, Symbol, SymbolType
from romproof.toolchains.rgbds.asm.nodes import Nodes
from romproof.toolchains.rgbds.asm.position import Position
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.obj.model import SourcePosition
from romproof.toolchains.rgbds.obj.opmath import wrap


class Symbols:
    """The table. Labels are defined at a ``position``, in one of the ``contexts``."""

    def __init__(
        self,
        report: Reporter,
        contexts: Contexts,
        nodes: Nodes,
        position: Position,
        export_all: bool,
    ) -> None:
        self._report = report
        self._contexts = contexts
        self._nodes = nodes
        self._position = position
        self._export_all = export_all
        self.table: dict[str, Symbol] = {}
        self._purged: set[str] = set()
        self._anonymous = 0

    def __iter__(self) -> Iterator[Symbol]:
        return iter(self.table.values())

    # -- looking up -------------------------------------------------------------------------

    def find_exact(self, name: str) -> Symbol | None:
        """The symbol of that very name."""
        return self.table.get(name)

    def full_name(self, name: str) -> str:
        """The name with the scope in front of it, if it begins with a dot.

        Fatal for names that make no sense.
        """
        dot = name.find(".")
        if dot < 0 or name in (".", ".."):
            return name
        fatal = self._report.fatal
        if dot == len(name) - 1:
            fatal(f"`{name}` is a nonsensical reference to an empty local label")
        if name.find(".", dot + 1) >= 0:
            fatal(f"`{name}` is a nonsensical reference to a nested local label")
        if dot > 0:
            return name
        scope = self._position.global_scope
        if scope is None:
            fatal(f"Unqualified local label `{name}` in main scope")
        return scope.name + name

    def find(self, name: str) -> Symbol | None:
        """The symbol a name means here."""
        if "." not in name:
            return self.table.get(name)
        return self.table.get(self.full_name(name))

    def find_valid(self, name: str) -> Symbol | None:
        """The same, but not a built-in symbol that has no value at this place."""
        symbol = self.find(name)
        if symbol is None or not symbol.is_builtin:
            return symbol
        in_section = self._position.current is not None
        missing = {
            "@": not in_section,
            "__SCOPE__": not in_section,
            "_NARG": self._contexts.arguments is None,
            ".": self._position.global_scope is None,
            "..": self._position.local_scope is None,
        }
        return None if missing.get(symbol.name) else symbol

    def was_purged(self, name: str) -> bool:
        """Whether a symbol of that name was purged."""
        return bool(self._purged) and self.full_name(name) in self._purged

    def macro_names(self) -> frozenset[str]:
        """The names of all macros."""
        return frozenset(s.name for s in self.table.values() if s.type is SymbolType.MACRO)

    def similar(self, name: str) -> str | None:
        """A help text when a name looks like a misspelt one."""
        return suggest(name, (s.name for s in self if s.is_defined and s.name[0] not in "!$@."))

    # -- values -----------------------------------------------------------------------------

    def text(self, symbol: Symbol) -> str:
        """What an EQUS denotes."""
        return symbol.computed_string() if symbol.computed_string else symbol.string

    def section_of(self, symbol: Symbol) -> Section | None:
        """The section a label is in; that of ``@`` is the current one."""
        return self._position.current if symbol.name == "@" else symbol.section

    def is_constant(self, symbol: Symbol) -> bool:
        """Whether the value is known now."""
        if symbol.type is SymbolType.LABEL:
            section = self.section_of(symbol)
            return section is not None and section.address is not None
        return symbol.type in (SymbolType.EQU, SymbolType.VAR)

    def output_value(self, symbol: Symbol) -> int:
        """The value as the object holds it: of a label the offset in its section."""
        return symbol.computed() if symbol.computed else symbol.value

    def offset(self, symbol: Symbol) -> int:
        """The offset of a label, ``@`` included, in its section."""
        return self._position.offset if symbol.name == "@" else symbol.value

    def value(self, symbol: Symbol) -> int:
        """The value of a constant symbol."""
        if symbol.type is SymbolType.LABEL:
            section = self.section_of(symbol)
            assert section is not None
            assert section.address is not None
            return section.address + self.offset(symbol)
        return self.output_value(symbol)

    def constant(self, symbol: Symbol) -> int:
        """The value if it is known; else an error, and 0."""
        if self.is_constant(symbol):
            return wrap(self.value(symbol))
        if symbol.name == "@":
            self._report.error(
                "PC does not have a constant value; the current section is not fixed"
            )
        else:
            self._report.error(f"`{symbol.name}` does not have a constant value")
        return 0

    # -- defining ---------------------------------------------------------------------------

    def _create(self, name: str, kind: SymbolType) -> Symbol:
        symbol = Symbol(name, kind, self._contexts.place())
        self.table[name] = symbol
        return symbol

    def move_here(self, symbol: Symbol) -> None:
        """The symbol is defined anew: what the object mentions of its place has to follow."""
        old, symbol.place = symbol.place, self._contexts.place()
        if old is not None and self._nodes.is_registered(old.node):
            self._nodes.register(symbol.place.node)
        if symbol.number is not None:
            self._nodes.register(symbol.place.node)

    def add_builtin(self, symbol: Symbol) -> None:
        """Add a symbol that the assembler itself defines."""
        symbol.is_builtin, symbol.place = True, None
        self.table[symbol.name] = symbol

    def define_from_outside(self, name: str, text: str) -> None:
        """Define a string that the command line gives (-D)."""
        known = self.find_exact(name)
        if known is not None:
            self._already_defined(known)
            return
        self.table[name] = Symbol(name, SymbolType.EQUS, string=text)

    def _new(self, name: str, numeric: bool) -> Symbol | None:
        """A symbol to be defined, or None after the error that it is already."""
        symbol = self.find_exact(name)
        if symbol is None:
            self._purged.discard(name)
            return self._create(name, SymbolType.REF)
        if symbol.is_defined:
            self._already_defined(symbol)
            return None
        if not numeric:
            self._error_at(f"`{name}` already referenced", symbol)
            return None
        return symbol

    def add_equ(self, name: str, value: int) -> None:
        """Define a constant."""
        symbol = self._new(name, numeric=True)
        if symbol is not None:
            symbol.type, symbol.value = SymbolType.EQU, value

    def redefine_equ(self, name: str, value: int) -> None:
        """Define a constant, or give it another value."""
        symbol = self.find_exact(name)
        if symbol is None:
            self.add_equ(name, value)
        elif symbol.is_defined and symbol.type is not SymbolType.EQU:
            self._already_defined(symbol, "non-`EQU`")
        elif symbol.is_builtin:
            self._builtin_redefined(symbol)
        else:
            self.move_here(symbol)
            symbol.type, symbol.value = SymbolType.EQU, value

    def add_string(self, name: str, text: str) -> None:
        """Define a string."""
        symbol = self._new(name, numeric=False)
        if symbol is not None:
            symbol.type, symbol.string = SymbolType.EQUS, text

    def redefine_string(self, name: str, text: str) -> None:
        """Define a string, or give it another text."""
        symbol = self.find_exact(name)
        if symbol is None:
            self.add_string(name, text)
        elif symbol.type is not SymbolType.EQUS:
            if symbol.is_defined:
                self._already_defined(symbol, "non-`EQUS`")
            else:
                self._error_at(f"`{name}` already referenced", symbol)
        elif symbol.is_builtin:
            self._builtin_redefined(symbol)
        else:
            self.move_here(symbol)
            symbol.string = text

    def add_variable(self, name: str, value: int) -> Symbol:
        """Define a variable, or give it another value; the symbol says if that failed."""
        symbol = self.find_exact(name)
        if symbol is None:
            symbol = self._create(name, SymbolType.VAR)
        elif symbol.is_defined and symbol.type is not SymbolType.VAR:
            is_label = symbol.type is SymbolType.LABEL
            self._already_defined(symbol, "label" if is_label else "constant")
            return symbol
        else:
            self.move_here(symbol)
        symbol.type, symbol.value = SymbolType.VAR, value
        return symbol

    def add_macro(self, name: str, body: MacroBody) -> None:
        """Define a macro."""
        symbol = self._new(name, numeric=False)
        if symbol is not None:
            symbol.type, symbol.macro = SymbolType.MACRO, body
            here = self._contexts.place()
            symbol.place = SourcePosition(
                here.node, body.line, StatementSpot(self._contexts.current)
            )

    def add_label(self, name: str) -> Symbol | None:
        """Define a label at the current place; None after an error. Sets the scope."""
        is_local = "." in name
        symbol = self._add_label(self.full_name(name) if is_local else name)
        if symbol is not None:
            self._position.local_scope = symbol if is_local else None
            if not is_local:
                self._position.global_scope = symbol
        return symbol

    def _add_label(self, name: str) -> Symbol | None:
        section = self._position.current
        if section is None:
            self._report.error(f"Cannot define label `{name}` outside of a `SECTION`")
            return None
        symbol = self.find_exact(name)
        if symbol is None:
            symbol = self._create(name, SymbolType.LABEL)
        elif symbol.is_defined:
            self._already_defined(symbol)
            return None
        else:
            self.move_here(symbol)
        symbol.type, symbol.section = SymbolType.LABEL, section
        symbol.value = self._position.offset
        if self._export_all and not name.startswith("!"):
            symbol.is_exported = True
        return symbol

    def add_anonymous(self) -> None:
        """Define the next label without a name."""
        name = f"!{self._anonymous}"
        self._anonymous += 1
        self._add_label(name)

    def anonymous_name(self, count: int, back: bool) -> str:
        """The inner name of the label that ``:-`` or ``:+`` means."""
        if not back:
            return f"!{self._anonymous + count - 1}"
        if count > self._anonymous:
            made = self._anonymous
            self._report.error(
                f"Reference to anonymous label {count} before, when only {made} "
                f"{'has' if made == 1 else 'have'} been created so far"
            )
            return "!0"
        return f"!{self._anonymous - count}"

    def reference(self, name: str) -> Symbol:
        """The symbol of an expression that is not known; made if nothing has that name."""
        symbol = self.find(name)
        return symbol or self._create(self.full_name(name), SymbolType.REF)

    def export(self, name: str) -> None:
        """Make a symbol visible to other objects."""
        symbol = self.find(name)
        if symbol is None:
            self._report.warning("export-undefined", f"Exporting an undefined symbol `{name}`")
            symbol = self.reference(name)
        symbol.is_exported = True

    def purge(self, name: str) -> None:
        """Forget a symbol."""
        report, symbol = self._report, self.find_valid(name)
        if symbol is None:
            again = " was already purged" if self.was_purged(name) else ""
            report.error(f"Undefined symbol `{name}`{again}", help=self.similar(name))
        elif symbol.is_builtin:
            report.error(f"Built-in symbol `{name}` cannot be purged")
        elif symbol.number is not None:
            report.error(f"Symbol `{name}` is referenced and thus cannot be purged")
        else:
            if symbol.is_exported:
                report.warning("purge", f"Purging an exported symbol `{name}`")
            elif symbol.is_label:
                report.warning("purge", f"Purging a label `{name}`", strength=2)
            if symbol is self._position.global_scope:
                self._position.global_scope = None
            if symbol is self._position.local_scope:
                self._position.local_scope = None
            self._purged.add(symbol.name)
            del self.table[symbol.name]

    # -- errors -----------------------------------------------------------------------------

    def _already_defined(self, symbol: Symbol, kind: str | None = None) -> None:
        if symbol.is_builtin and self.find_valid(symbol.name) is None:
            as_kind = f"{kind} " if kind else ""
            self._report.error(f"`{symbol.name}` is reserved for a built-in {as_kind}symbol")
            return
        hint = ""
        if symbol.is_string and (not symbol.is_builtin or self.find_valid(symbol.name)):
            text = self.text(symbol)
            if text and text[0] in IDENTIFIER_START and all(c in IDENTIFIER for c in text):
                hint = f' (should it be {{interpolated}} to define its contents "{text}"?)'
        if not symbol.is_builtin:
            as_kind = f" as {kind}" if kind else ""
            self._error_at(f"`{symbol.name}` already defined{as_kind}{hint}", symbol)
        else:
            as_kind = f" {kind}" if kind else ""
            self._report.error(f"`{symbol.name}` already defined as built-in{as_kind}{hint}")

    def _builtin_redefined(self, symbol: Symbol) -> None:
        if self.find_valid(symbol.name) is not None:
            self._report.error(f"Built-in symbol `{symbol.name}` cannot be redefined")
        else:
            self._report.error(f"`{symbol.name}` is reserved for a built-in symbol")

    def _error_at(self, message: str, symbol: Symbol) -> None:
        """An error that points at where the symbol was made, too."""
        also = symbol.place.span if symbol.place is not None else None
        self._report.error(message, also=also)
