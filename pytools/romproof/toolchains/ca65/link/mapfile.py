"""Map and labels as ld65 2.19 writes them: -m, -vm and -Ln (its mapfile.c, exports.c)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from romproof.program.address_size import AddressSize
from romproof.text.span import Span
from romproof.toolchains.ca65.link.linker import Linked
from romproof.toolchains.ca65.link.modules import (
    GENERATED,
    Module,
    SymbolValues,
    definitions_by_name,
    modules_of,
)
from romproof.toolchains.ca65.link.state import Definition, LinkState, Use
from romproof.toolchains.ca65.obj import tables as raw
from romproof.toolchains.ca65.obj.dialect import Change

_SIZE_LETTERS = {
    AddressSize.ZEROPAGE: "Z",
    AddressSize.ABSOLUTE: "A",
    AddressSize.FAR: "F",
    AddressSize.LONG: "L",
}
_COLUMNS = 2
"""Exports in a line."""


def ld65_labels(linked: Linked) -> str:
    """All exports by name, then every label of the debug symbols once for each value."""
    values = SymbolValues(linked)
    name = _vice_name if Change.LABELS_FOR_VICE in linked.state.dialect else str
    lines = [
        f"al {values.export(definition.name):06X} .{name(definition.name)}\n"
        for definition in definitions_by_name(linked.state.definitions.values())
    ]
    seen: set[tuple[str, int]] = set()
    for module in modules_of(linked.state.objects):
        for symbol in module.tables.symbols:
            if symbol.flags & raw.IS_IMPORT or not symbol.flags & raw.IS_LABEL:
                continue
            value = values.number(module, symbol.value)
            if (symbol.name, value) not in seen:
                seen.add((symbol.name, value))
                lines.append(f"al {value:06X} .{name(symbol.name)}\n")
    return "".join(lines)


def _vice_name(name: str) -> str:
    """A label with what VICE does not read replaced."""
    start = name[:1] if re.fullmatch(r"[A-Za-z@?_]", name[:1]) else "_"
    return start + re.sub(r"[^A-Za-z0-9_]", "_", name[1:])


def ld65_map(linked: Linked, verbose: bool = False) -> str:
    """Modules, segments, exports by name and by value, imports; ``verbose``: what is empty or not
    used, too."""
    state, values = linked.state, SymbolValues(linked)
    used: dict[str, list[Use]] = {}
    for use in state.uses:
        used.setdefault(use.name, []).insert(0, use)  # ld65 puts each before the others
    exports = definitions_by_name(state.definitions.values())
    shown = [d for d in exports if verbose or d.name in used or _tables(state, d)]
    by_value = sorted(shown, key=lambda d: _as_signed(values.export(d.name)))
    imported = [d for d in exports if verbose or d.name in used]
    parts = (
        ("Modules list:", "-------------", _modules(state, verbose)),
        ("Segment list:", "-------------", _segments(state, verbose)),
        ("Exports list by name:", "---------------------", _exports(state, values, shown, used)),
        ("Exports list by value:", "----------------------",
         _exports(state, values, by_value, used)),
        ("Imports list:", "-------------", _imports(state, imported, used)),
    )  # fmt: skip
    texts = [f"{title}\n{rule}\n{''.join(lines)}" for title, rule, lines in parts]
    return "\n\n".join(texts)


def _as_signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _modules(state: LinkState, verbose: bool) -> Iterator[str]:
    fills = _fills(state)
    for module in modules_of(state.objects):
        where = f"{module.library}({module.name})" if module.library else module.name
        yield f"{where}:\n"
        for place in state.places[module.number]:
            size = len(place.section.data)
            if size or verbose:
                yield (
                    f"    {place.segment.name:<17} Offs={place.offset:06X}  Size={size:06X}  "
                    f"Align={place.section.alignment:05X}  Fill={fills[id(place)]:04X}\n"
                )


def _fills(state: LinkState) -> dict[int, int]:
    """What alignment left free before each section, in bytes, by the section's identity."""
    fills: dict[int, int] = {}
    for segment in state.segments.values():
        end = 0
        for place in segment.contributions:
            fills[id(place)] = place.offset - end
            end = place.offset + len(place.section.data)
    return fills


def _segments(state: LinkState, verbose: bool) -> Iterator[str]:
    yield "Name                   Start     End    Size  Align\n"
    yield "----------------------------------------------------\n"
    for segment in sorted(state.segments.values(), key=lambda s: (s.run, s.name.encode())):
        if segment.size or verbose:
            end = segment.run + max(segment.size - 1, 0)
            yield (
                f"{segment.name:<20}  {segment.run:06X}  {end:06X}  {segment.size:06X}  "
                f"{segment.alignment:05X}\n"
            )


def _row(state: LinkState, definition: Definition) -> raw.Export | None:
    """The row that an export has in the tables of its module."""
    number = definition.module
    if number is None or number >= len(state.objects):
        return None
    tables = state.objects[number].tables
    rows = tables.exports if tables is not None else ()
    return next((row for row in rows if row.name == definition.name), None)


def _tables(state: LinkState, definition: Definition) -> bool:
    row = _row(state, definition)
    return row is not None and bool(row.condes)


def _exports(
    state: LinkState, values: SymbolValues, shown: Sequence[Definition], used: dict[str, list[Use]]
) -> Iterator[str]:
    for number, definition in enumerate(shown, 1):
        row = _row(state, definition)
        is_label = definition.is_label if row is None else bool(row.flags & raw.IS_LABEL)
        letters = "R" if definition.name in used else " "
        letters += "L" if is_label else "E"
        letters += _SIZE_LETTERS.get(definition.address_size, "A")
        letters += "I" if row is not None and row.condes else " "
        end = "" if number % _COLUMNS else "\n"
        value = values.export(definition.name)
        yield f"{definition.name:<25} {value:06X} {letters}   {end}"
    yield "\n"


def _imports(
    state: LinkState, shown: Sequence[Definition], used: dict[str, list[Use]]
) -> Iterator[str]:
    modules = {module.number: module for module in modules_of(state.objects)}
    for definition in shown:
        yield f"{definition.name} ({_module_name(modules, definition.module)}):\n"
        for use in used.get(definition.name, []):
            name = _module_name(modules, use.module)
            place = _place(modules, use)
            if place:
                yield f"    {name:<25} {place}\n"
            else:
                yield f"    {name:<25}\n"
    yield "\n"


def _module_name(modules: dict[int, Module], number: int | None) -> str:
    return modules[number].name if number in modules else GENERATED


def _place(modules: dict[int, Module], use: Use) -> str:
    """Where something is imported, as ``file(line)``."""
    if use.module in modules and use.row is not None:
        tables = modules[use.module].tables
        row = tables.imports[use.row]
        for numbers in (row.definitions, row.references):
            for number in numbers:
                line = tables.lines[number]
                if line.type == raw.ASM_LINE:
                    return f"{tables.files[line.file].name}({line.line})"
        return ""
    return _span_place(use.span)


def _span_place(span: Span | None) -> str:
    return f"{span.source.name}({span.line})" if span is not None else ""
