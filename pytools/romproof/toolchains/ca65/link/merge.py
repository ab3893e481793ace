"""Joins the sections of all objects into segments and collects their symbols."""

from __future__ import annotations

from collections.abc import Mapping

from romproof.program.address_size import AddressSize
from romproof.text.diagnostic import Diagnostics, Suspicion
from romproof.toolchains.ca65.link.config import ConfigNumber, Reference, SymbolKind
from romproof.toolchains.ca65.link.evaluate import Evaluator
from romproof.toolchains.ca65.link.state import (
    Contribution,
    Definition,
    LinkState,
    SegmentState,
    Use,
)
from romproof.toolchains.ca65.obj.alignment import LARGE_ALIGNMENT, MAX_ALIGNMENT
from romproof.toolchains.ca65.obj.dialect import Change
from romproof.toolchains.ca65.obj.expr import (
    Expr,
    Imported,
    Literal,
    SectionOffset,
    Unresolved,
    leaves,
)
from romproof.toolchains.ca65.obj.link_symbols import Export
from romproof.toolchains.ca65.obj.object import Fixup, Section


def align(address: int, alignment: int) -> int:
    """The first multiple of ``alignment`` at or after ``address``."""
    return -(-address // alignment) * alignment


def merge_sections(state: LinkState, diagnostics: Diagnostics) -> None:
    """Append every section to its segment, each aligned within the segment."""
    for module, obj in enumerate(state.objects):
        state.places.append(
            [_append(state, module, section, obj.name, diagnostics) for section in obj.sections]
        )


def _append(
    state: LinkState,
    module: int,
    section: Section,
    module_name: str,
    diagnostics: Diagnostics,
) -> Contribution:
    segment = state.segments.get(section.name)
    if segment is None:
        segment = state.segments[section.name] = SegmentState(section.name, section.address_size)
    elif segment.address_size is not section.address_size:
        diagnostics.error(
            f"segment '{section.name}' is {section.address_size.name.lower()} in {module_name}, "
            f"but {segment.address_size.name.lower()} in "
            f"{_first_module(state, segment)}"
        )
    offset = align(segment.size, section.alignment)
    wasted = offset - segment.size
    if wasted and state.warn_align_waste:
        plural = "" if wasted == 1 else "s"
        diagnostics.warning(
            f"{module_name}: {wasted} byte{plural} wasted to align segment '{section.name}'"
        )
    contribution = Contribution(module, section, offset, segment)
    segment.contributions.append(contribution)
    segment.size = offset + len(section.data)
    if section.alignment > 1:
        from math import lcm  # few sections are aligned

        combined = lcm(segment.alignment, section.alignment)
        if combined > MAX_ALIGNMENT:
            diagnostics.error(
                f"the combined alignment of segment '{section.name}' is {combined} bytes, "
                f"more than {MAX_ALIGNMENT}; {module_name} was the last to ask for one"
            )
        elif combined >= LARGE_ALIGNMENT and (
            Change.LARGE_ALIGNMENTS_ASKED_FOR not in state.dialect
            or combined > max(segment.alignment, section.alignment)
        ):
            diagnostics.warning(
                f"the combined alignment of segment '{section.name}' is {combined} bytes; "
                f"{module_name} was the last to ask for one",
                kind=Suspicion.LARGE_ALIGNMENT,
            )
        segment.alignment = combined
    return contribution


def _first_module(state: LinkState, segment: SegmentState) -> str:
    module = segment.contributions[0].module
    return state.objects[module].name if module < len(state.objects) else "another table"


def define(state: LinkState, definition: Definition, diagnostics: Diagnostics) -> None:
    """Add a definition; a second one of the same name is an error, unless it may be (then the
    first one counts)."""
    old = state.definitions.get(definition.name)
    if old is None:
        state.definitions[definition.name] = definition
        return
    if state.allow_multiple:
        return
    notes = (("first defined", old.span),) if old.span is not None else ()
    owner = "" if old.span is not None else ": the linker defines it, too"
    diagnostics.error(
        f"duplicate external identifier '{definition.name}'{owner}", definition.span, notes=notes
    )


def collect_symbols(state: LinkState, defines: Mapping[str, int], diagnostics: Diagnostics) -> None:
    """Definitions and uses of the command line, the configuration and all objects."""
    state.uses += state.forced
    for name, value in defines.items():
        define(
            state,
            Definition(name, Literal(value), AddressSize.ABSOLUTE, None, None),
            diagnostics,
        )
    for rule in state.config.symbols:
        if rule.kind is SymbolKind.EXPORT and rule.value is not None:
            define(
                state,
                Definition(rule.name, rule.value.expr, rule.address_size, None, rule.span),
                diagnostics,
            )
        elif rule.kind is SymbolKind.IMPORT:
            state.uses.append(Use(rule.name, rule.address_size, None, rule.span))
    _collect_references(state, defines)
    forced = {table.type: table for table in state.config.tables if table.forced}
    for module in state.order or range(len(state.objects)):
        obj = state.objects[module]
        for row, wanted in enumerate(obj.imports):
            state.uses.append(Use(wanted.name, wanted.address_size, module, wanted.span, row))
        for export in obj.exports:
            for type_, _ in export.condes:
                if type_ in forced:
                    name = forced[type_].forced or ""
                    state.uses.append(Use(name, AddressSize.ABSOLUTE, module, export.span))
            is_label = isinstance(export.expr, SectionOffset)
            define(
                state,
                Definition(
                    export.name, export.expr, export.address_size, module, export.span, is_label
                ),
                diagnostics,
            )


def define_weak(state: LinkState, diagnostics: Diagnostics) -> None:
    """Give the weak symbols of the configuration their values, where nobody else did."""
    for rule in state.config.symbols:
        if (
            rule.kind is SymbolKind.WEAK
            and rule.value is not None
            and rule.name not in state.definitions
        ):
            define(
                state,
                Definition(rule.name, rule.value.expr, rule.address_size, None, rule.span),
                diagnostics,
            )


def numbers(state: LinkState) -> list[ConfigNumber]:
    """All expressions of the configuration."""
    config = state.config
    numbers: list[ConfigNumber | None] = [rule.value for rule in config.symbols]
    for area in config.areas:
        numbers += [area.start, area.size, area.fill_value, area.bank]
    for segment in config.segments:
        numbers += [segment.align, segment.align_load, segment.start, segment.offset]
        numbers.append(segment.fill_value)
    return [number for number in numbers if number is not None]


def references(expr: Expr) -> list[Reference]:
    """The symbols an expression of the configuration names."""
    return [leaf for leaf in leaves(expr) if isinstance(leaf, Reference)]


def _collect_references(state: LinkState, defines: Mapping[str, int]) -> None:
    """Symbols in expressions count as imports, but for those that were known at once."""
    for number in numbers(state):
        for reference in references(number.expr):
            try:
                early(state, defines, number.declared, None).symbol(reference.name)
            except Unresolved:
                use = Use(reference.name, AddressSize.ABSOLUTE, None, reference.span)
                state.uses.append(use)


def early(
    state: LinkState, defines: Mapping[str, int], declared: int, start_address: int | None
) -> Evaluator:
    """An evaluator that knows only what precedes a place of the configuration."""
    known = {
        name: Definition(name, Literal(value), AddressSize.ABSOLUTE, None, None)
        for name, value in defines.items()
    }
    for rule in state.config.symbols[:declared]:
        if rule.kind is SymbolKind.EXPORT and rule.value is not None:
            known.setdefault(
                rule.name,
                Definition(rule.name, rule.value.expr, rule.address_size, None, rule.span),
            )
    return Evaluator(known, (), start_address)


def make_tables(state: LinkState, diagnostics: Diagnostics) -> None:
    """Append the tables of constructors and their kin to their segments.

    A table is made only when a module imports its label. Entries are two-byte
    addresses, sorted by priority and then by name.
    """
    for table in sorted(state.config.tables, key=lambda rule: rule.type):
        wanted = any(use.name == table.label for use in state.uses)
        if not wanted or table.label in state.definitions:
            continue
        entries: list[tuple[int, bytes, Export]] = []
        for obj in state.objects:
            for export in obj.exports:
                priority = dict(export.condes).get(table.type)
                if priority is not None:
                    entries.append((priority, export.name.encode(), export))
        entries.sort(key=lambda entry: entry[:2], reverse=table.decreasing)
        fixups = tuple(
            Fixup(2 * index, 2, Imported(export.name), False, export.span)
            for index, (_, _, export) in enumerate(entries)
        )
        section = Section(
            table.segment, bytes(2 * len(entries)), fixups, (), 1, AddressSize.ABSOLUTE
        )
        # tables get module numbers of their own, so that a Place can speak of them
        module = len(state.places)
        contribution = _append(state, module, section, "the configuration", diagnostics)
        state.places.append([contribution])
        define(
            state,
            Definition(
                table.label, SectionOffset(0, 0), AddressSize.ABSOLUTE, module, table.span, True
            ),
            diagnostics,
        )
        if table.count:
            define(
                state,
                Definition(
                    table.count, Literal(len(entries)), AddressSize.ABSOLUTE, None, table.span
                ),
                diagnostics,
            )
