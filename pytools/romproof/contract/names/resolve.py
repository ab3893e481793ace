"""What a name in a condition means: a register, a flag, memory or a constant."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType

from romproof.contract.names.limits import limits
from romproof.contract.names.names import ScopeNames
from romproof.contract.nouns.expr import (
    WIDEST,
    Expression,
    FlagValue,
    MemoryByte,
    MemoryValue,
    Number,
    Old,
    PairValue,
    PointedByte,
    RegisterValue,
)
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.pointer import Pointer
from romproof.contract.text.scope import Predicate
from romproof.isa.abi import Flag, Register
from romproof.text.diagnostic import Diagnostics, suggest
from romproof.text.numbers import whole
from romproof.text.span import Span

_ANY = Number(0)
"""Stands for a name that means nothing: reading goes on to find more faults."""


class Resolver:
    """The names of one routine's conditions; faults go to ``diagnostics``.

    ``declared`` is the memory that the contract lists, by its name. ``inputs`` are the
    registers and flags that may be named, None for any; ``ghosts`` are names for what was at the
    entry, ``blocks`` those of what pointers lead to.
    """

    def __init__(
        self,
        names: ScopeNames,
        declared: Mapping[str, MemoryRange],
        inputs: Collection[Item] | None,
        diagnostics: Diagnostics,
        ghosts: Mapping[str, Old] = MappingProxyType({}),
        blocks: Mapping[str, Pointer] = MappingProxyType({}),
    ) -> None:
        self._names = names
        self._declared = declared
        self._inputs = inputs
        self._diagnostics = diagnostics
        self._ghosts = ghosts
        self._blocks = blocks

    def is_item(self, name: str) -> bool:
        """Whether a name is that of a register or flag, or of several."""
        return name in self._names.abi.items

    def is_listed(self, name: str) -> bool:
        """Whether the contract lists memory under that name."""
        return name in self._declared or name in self._blocks

    def predicate(self, name: str) -> Predicate | None:
        """The predicate of that name."""
        return self._names.predicates.get(name)

    def suggest_predicate(self, name: str) -> str | None:
        """A line that suggests a predicate for a name that is none; None when none is near."""
        return suggest(name, self._names.predicates)

    def with_diagnostics(self, diagnostics: Diagnostics) -> Resolver:
        """The same, with faults going to ``diagnostics``."""
        return Resolver(
            self._names.with_diagnostics(diagnostics),
            self._declared,
            self._inputs,
            diagnostics,
            self._ghosts,
            self._blocks,
        )

    def value(self, name: str, span: Span) -> Expression:
        """A bare name."""
        ghost = self._ghosts.get(name)
        if ghost is not None:
            return ghost
        if name in self._blocks:
            self._diagnostics.error(
                f"'{name}' is a block, and no number",
                span,
                f"write {name}[0] for its first byte, &{name} for where it begins",
            )
            return _ANY
        items = self._names.abi.items.get(name)
        if items is not None:
            return self._registers(name, items, span)
        memory = self._memory(name, span)
        if not isinstance(memory, MemoryRange):
            return memory
        if memory.size == 0:
            self._diagnostics.error(
                f"the size of '{name}' is not known",
                span,
                f"write {name}[0] for its first byte, or list {name} with its size in bytes "
                "under 'in:', 'out:' or 'clobbers:'",
            )
            return _ANY
        if memory.size > WIDEST:
            self._diagnostics.error(
                f"'{name}' has {memory.size} bytes: too many for one number",
                span,
                f"write {name}[0] for its first byte; all j in 0..{memory.size - 1}: … {name}[j] …",
            )
            return _ANY
        return MemoryValue(memory)

    def element(self, name: str, index: Expression, span: Span, index_span: Span) -> Expression:
        """A byte of memory, ``name[index]``; ``name`` may be an address such as $C000."""
        block = self._blocks.get(name)
        if block is not None:
            low, high = limits(index)
            if high < 0 or low >= block.most:
                self._diagnostics.error(
                    f"byte {low} is not within the {block.most} bytes of '{name}'", index_span
                )
            return PointedByte(name, Old(block.base), index)
        if name in self._names.abi.items:
            self._diagnostics.error(f"'{name}' is a register or flag and has no bytes", span)
            return _ANY
        memory = self._memory(name, span)
        if not isinstance(memory, MemoryRange):
            if memory is not _ANY:
                self._diagnostics.error(
                    f"'{name}' is a constant and has no bytes",
                    span,
                    f"list {name} with its size in bytes under 'in:', 'out:' or 'clobbers:'",
                )
            return _ANY
        memory = self._with_parts(memory)
        low, high = limits(index)
        end = memory.size or 0x10000 - memory.address
        if high < 0 or low >= end:
            bytes_ = f"the {memory.size} bytes" if memory.size else "the memory"
            number = str(low) if low == high else f"{low}..{high}"
            self._diagnostics.error(f"byte {number} is not within {bytes_} of '{name}'", index_span)
        return MemoryByte(memory, index)

    def _with_parts(self, memory: MemoryRange) -> MemoryRange:
        """Memory up to its last byte that is listed: of ``a[16] a+80[16]`` that is byte 95."""
        parts = [
            part for name, part in self._declared.items() if name.startswith(f"{memory.name}+")
        ]
        if not parts or not memory.size:
            return memory
        end = max(part.address + part.size for part in parts)
        return replace(memory, size=max(memory.size, end - memory.address))

    def address(self, name: str, span: Span) -> Expression:
        """Where a symbol is: ``&name``."""
        if name in self._names.abi.items:
            self._diagnostics.error(f"'{name}' is a register or flag and has no address", span)
            return _ANY
        if name in self._blocks:
            return Old(self._blocks[name].base)
        if name.startswith("$"):
            return Number(whole(name[1:].replace("_", ""), 16))
        symbol = self._names.symbol(name, span)
        return _ANY if symbol is None else Number(symbol.value)

    def _registers(self, name: str, items: tuple[Register | Flag, ...], span: Span) -> Expression:
        strange = [i.name for i in items if self._inputs is not None and i not in self._inputs]
        if self._names.abi.stack_pointer in items:
            self._diagnostics.error(
                f"conditions cannot mention the stack pointer {name}",
                span,
                "it is preserved unless it is listed; 'stack:' limits its depth",
            )
        elif strange:
            self._diagnostics.error(
                f"'{', '.join(strange)}' is not listed under 'in:'",
                span,
                "'requires:' can only mention inputs",
            )
        match items:
            case (Register() as register,):
                return RegisterValue(register)
            case (Flag() as flag,):
                return FlagValue(flag)
            case (Register() as high, Register() as low):
                return PairValue(name, high, low)
        several = " ".join(item.name for item in items)
        self._diagnostics.error(
            f"'{name}' is not a number", span, f"it names {several}: choose one"
        )
        return _ANY

    def _memory(self, name: str, span: Span) -> MemoryRange | Expression:
        """The memory of a name, of size 0 if that is not known; a number for a constant."""
        declared = self._declared.get(name)
        if declared is not None:
            return declared
        if name.startswith("$"):
            address = whole(name[1:].replace("_", ""), 16)
            if address <= 0xFFFF:
                return MemoryRange(name, address, 0)
            self._diagnostics.error(f"{name} is not an address of 16 bits", span)
            return _ANY
        symbol = self._names.symbol(name, span)
        if symbol is None:
            return _ANY
        if not symbol.is_label:
            return Number(symbol.value)
        if not 0 <= symbol.value <= 0xFFFF:
            self._diagnostics.error(f"'{name}' is {symbol.value}, not an address of 16 bits", span)
            return _ANY
        return MemoryRange(name, symbol.value, symbol.size or 0, name)
