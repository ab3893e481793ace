"""What the names in a routine's contract mean: symbols and labels of the image."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from types import MappingProxyType

from romproof.contract.text.scope import Predicate
from romproof.contract.text.tokens import KEYWORDS
from romproof.isa.abi import Abi, abi_of
from romproof.program.image import Image, Symbol, UnknownSymbol
from romproof.text.diagnostic import Diagnostics, suggest
from romproof.text.span import Span

_LOCAL = (".", "@")
"""What the names of local labels begin with: those of RGBDS, cheap ones of ca65."""


_WORDS = KEYWORDS | {"sum", "predicate"}
_NO_PREDICATES: Mapping[str, Predicate] = MappingProxyType({})
_NO_SYMBOLS: Mapping[str, Symbol] = MappingProxyType({})


class ScopeNames:
    """The names as ``routine`` sees them; what means nothing goes to ``diagnostics``."""

    def __init__(
        self,
        image: Image,
        routine: Symbol,
        diagnostics: Diagnostics,
        predicates: Mapping[str, Predicate] = _NO_PREDICATES,
    ) -> None:
        self.image = image
        self.routine = routine
        self.diagnostics = diagnostics
        self.predicates = predicates
        self.abi: Abi = abi_of(image.cpu)

    def with_diagnostics(self, diagnostics: Diagnostics) -> ScopeNames:
        """The same names, with faults going to ``diagnostics``."""
        other = copy(self)
        other.diagnostics = diagnostics
        return other

    def symbol(self, name: str, span: Span) -> Symbol | None:
        """The symbol that ``name`` means; None after an error."""
        full = f"{self.routine.name}{name}" if name.startswith(_LOCAL) else name
        full = full.removeprefix("::")
        # names of the routine's own scopes and module come before those of others
        scopes = [] if name.startswith("::") else self._scopes
        for wanted in (*(f"{scope}::{name}" for scope in scopes), full):
            if wanted in self._module_symbols:
                return self._module_symbols[wanted]
        try:
            return self.image.symbol(full)
        except UnknownSymbol as error:
            near = suggest(name, self.predicates)
            help = f"items are {self.items()}, and symbols"
            if name.upper() in self.abi.items:
                help = f"registers and flags are upper case: {name.upper()}"
            self.diagnostics.error(str(error), span, f"a predicate: {near}" if near else help)
            return None

    def find_meaning(self, name: str, span: Span) -> str | None:
        """What a name is already that a contract is to give a meaning; None for a new one."""
        if name in self.abi.items:
            return "a register or flag"
        if name in _WORDS:
            return "a word of conditions"
        if name in self.predicates:
            return "a predicate"
        if self.with_diagnostics(Diagnostics()).symbol(name, span) is not None:
            return "a symbol in the program"
        return None

    def items(self) -> str:
        """The registers and flags there are, for messages."""
        abi = self.abi
        registers = [register.name for register in (*abi.registers, abi.stack_pointer)]
        flags = " ".join(flag.name for flag in abi.flags)
        groups = f", {' '.join(abi.groups)}" if abi.groups else ""
        return f"registers {' '.join(registers)}, flags {flags}{groups}"

    def labels(self, pattern: str, span: Span) -> tuple[int, ...]:
        """The addresses of the labels ``pattern`` means, ascending; none after an error.

        ``@step`` and ``.step`` are local labels of the routine, all of that name: scopes,
        macros and repeats may have several. ``inner@step``, ``scope::label`` and
        ``routine.step`` name one as the label file does. ``*`` stands for any part of a name,
        and ``step#2`` is the second label of those that ``step`` means. ``step+5`` is the
        instruction five bytes behind ``step``: unnamed labels have no other name.
        """
        values = self._addresses(pattern)
        behind = re.fullmatch(r"(.+)\+(\d{1,5}|\$[0-9A-Fa-f]{1,4})", pattern)
        if not values and behind:
            return self._find_behind(self.labels(behind[1], span), behind[2], span)
        numbered = re.fullmatch(r"(.+)#([1-9]\d{0,5})", pattern)
        if not values and numbered:  # a name may have # in it, too
            values = self._addresses(numbered[1])[int(numbered[2]) - 1 :][:1]
        if not values:
            known = {name for label in self._own_labels for name in self._names_of(label)}
            self.diagnostics.error(
                f"no label '{pattern}' in the routine '{self.routine.name}' or its module",
                span,
                suggest(pattern, known)
                or "labels are those of the source, @step or .step, or qualified, scope::label",
            )
        return tuple(values)

    def _find_behind(self, labels: Sequence[int], number: str, span: Span) -> tuple[int, ...]:
        """The instructions so many bytes behind labels; none after an error."""
        more = int(number[1:], 16) if number.startswith("$") else int(number)
        places = tuple(label + more for label in labels)
        for place in places:
            line = self.image.line_at(place)
            if line is not None and line.address != place:
                begins = self.image.describe(line.address)
                self.diagnostics.error(
                    f"no instruction begins at ${place:04X}", span, f"one begins at {begins}"
                )
                return ()
        return places

    def _addresses(self, pattern: str) -> list[int]:
        return sorted({symbol.value for symbol in self._find_labels(pattern)})

    def _find_labels(self, pattern: str) -> list[Symbol]:
        if pattern.startswith("@"):
            inner = [
                s for s in self._own_labels if "@" in s.name and _fits(pattern, _write_cheap(s))
            ]
            # outside of a .proc the last label owns a cheap one, whatever routine it is in
            return [s for s in inner if self._is_below(s)] or [
                s for s in inner if s.value in self._extent
            ]
        if pattern.startswith("."):
            return _find_fitting(self.routine.name + pattern, self._own_labels)
        for wanted in (*(f"{scope}::{pattern}" for scope in self._scopes), pattern):
            if addresses := _find_fitting(wanted, self._own_labels):
                return addresses
        return _find_fitting(pattern, (s for s in self.image.symbols if s.is_label))

    def _names_of(self, label: Symbol) -> Iterator[str]:
        """The ways to write a label."""
        name, routine = label.name, self.routine.name
        yield name
        if "@" in name and (self._is_below(label) or label.value in self._extent):
            yield _write_cheap(label)
        elif name.startswith(f"{routine}."):
            yield name.removeprefix(routine)
        elif name.startswith(f"{routine}::"):
            yield name.removeprefix(f"{routine}::")

    def _is_below(self, label: Symbol) -> bool:
        """Whether a cheap local belongs to the routine or to a scope in it."""
        owner = label.name.rpartition("@")[0]
        return owner == self.routine.name or owner.startswith(f"{self.routine.name}::")

    @cached_property
    def _scopes(self) -> list[str]:
        """The routine's scope and those around it, innermost first."""
        parts = self.routine.name.split("::")
        return ["::".join(parts[:count]) for count in range(len(parts), 0, -1)]

    @property
    def _module_symbols(self) -> Mapping[str, Symbol]:
        """The symbols of the routine's module, the first of each name."""
        return self.image.symbols_by_module.get(self.routine.module, _NO_SYMBOLS)

    @cached_property
    def _own_labels(self) -> list[Symbol]:
        every = (*self.image.symbols, *self.image.macro_labels)
        return [s for s in every if s.is_label and s.module == self.routine.module]

    @cached_property
    def _extent(self) -> range:
        """The addresses from the routine to the next public one of its segment."""
        routine = self.routine
        after = [
            s.value
            for s in self._own_labels
            if s.exported and s.segment == routine.segment and s.value > routine.value
        ]
        return range(routine.value, min(after, default=0x10000))


def _write_cheap(label: Symbol) -> str:
    """A cheap local as the source writes it."""
    return "@" + label.name.rpartition("@")[2]


def _fits(pattern: str, name: str) -> bool:
    if "*" not in pattern:
        return pattern == name
    parts = map(re.escape, pattern.split("*"))
    return re.fullmatch(".*".join(parts), name) is not None


def _find_fitting(pattern: str, labels: Iterable[Symbol]) -> list[Symbol]:
    return [label for label in labels if _fits(pattern, label.name)]
