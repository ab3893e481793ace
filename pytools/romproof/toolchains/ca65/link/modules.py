"""The modules of a finished link as ld65 numbers them, for its maps and debug information."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from romproof.toolchains.ca65.link.evaluate import Evaluator
from romproof.toolchains.ca65.link.linker import Linked
from romproof.toolchains.ca65.link.state import Definition, SegmentState
from romproof.toolchains.ca65.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Imported,
    Literal,
    SectionOffset,
    Unresolved,
)
from romproof.toolchains.ca65.obj.object import Object
from romproof.toolchains.ca65.obj.reader import decode_expression
from romproof.toolchains.ca65.obj.tables import File, ObjectFile

GENERATED = "[linker generated]"
"""What ld65 calls the module of its own symbols and sections."""
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Module:
    """A linked object: its number, its name without folders, its tables."""

    number: int
    name: str
    library: str
    tables: ObjectFile


def modules_of(objects: Sequence[Object]) -> list[Module]:
    """The modules that have tables: all that are read from files."""
    return [
        Module(number, _module_name(obj), obj.library, obj.tables)
        for number, obj in enumerate(objects)
        if obj.tables is not None
    ]


def _module_name(obj: Object) -> str:
    """The name of the object file, or the one it would have."""
    name = os.path.basename(obj.name)
    in_memory = bool(obj.sources) and obj.sources[0].name == obj.name
    return os.path.splitext(name)[0] + ".o" if in_memory else name


class SymbolValues:
    """The values of symbols after a link."""

    def __init__(self, linked: Linked) -> None:
        self._state = linked.state
        self._evaluator: Evaluator = linked.evaluator

    def expression(self, module: Module, value: bytes | int) -> Expr:
        """A value of the tables as an expression."""
        if isinstance(value, int):
            return Literal(value)
        return decode_expression(value, module.tables.imports)

    def number(self, module: Module, value: bytes | int) -> int:
        """What a value of the tables comes to, as 64 bits without a sign; 0 where it has none."""
        if isinstance(value, int):
            return value & 0xFFFFFFFF
        try:
            expr = self.expression(module, value)
            return self._evaluator.value(expr, module.number) & _MASK
        except Unresolved:
            return 0

    def export(self, name: str) -> int:
        """The value of an export, likewise."""
        try:
            return self._evaluator.symbol(name) & _MASK
        except Unresolved:
            return 0

    def segment(self, module: Module, value: bytes | int) -> SegmentState | None:
        """The segment that a value speaks of, if it is a place in one, plus or minus numbers."""
        segments: list[SegmentState] = []
        simple = self._segments(self.expression(module, value), module.number, segments, 0)
        return segments[0] if simple and len(segments) == 1 else None

    def _segments(
        self, expr: Expr, module: int | None, segments: list[SegmentState], depth: int
    ) -> bool:
        if len(segments) > 1 or depth > len(self._state.definitions):
            return False
        match expr:
            case Literal():
                return True
            case SectionOffset(section, _) if module is not None:
                segments.append(self._state.places[module][section].segment)
                return True
            case Imported(name):
                known = self._state.definitions.get(name)
                if known is None or (known.module is None and known.is_label):
                    return False
                return self._segments(known.expr, known.module, segments, depth + 1)
            case Binary(BinaryOp.ADD | BinaryOp.SUB, left, right):
                return self._segments(left, module, segments, depth) and self._segments(
                    right, module, segments, depth
                )
        return False


def definitions_by_name(definitions: Iterable[Definition]) -> list[Definition]:
    """Definitions sorted as ld65 does: by the bytes of their names."""
    return sorted(definitions, key=lambda d: d.name.encode("utf-8", "surrogateescape"))


def files_in_order(
    pools: Iterable[tuple[Sequence[str], Sequence[File]]],
) -> dict[tuple[str, int, int], int]:
    """All files (name, size, time) that any module names, each with its number.

    ``pools`` has the strings and files of every module that was read, in order, members of
    libraries that are not linked among them: ld65 sorts files by the first use of their names,
    those of equal names by the order in which they are met.
    """
    names: dict[str, int] = {}
    rows: dict[tuple[str, int, int], None] = {}
    for strings, files in pools:
        for text in strings:
            names.setdefault(text, len(names))
        for file in files:
            rows.setdefault((file.name, file.size, file.time))
    ordered = sorted(rows, key=lambda row: names.get(row[0], len(names)))
    return {row: number for number, row in enumerate(ordered)}
