"""The object of a source for a linker of ours: bytes, and what the symbols come to."""

from __future__ import annotations

from romproof.toolchains.ca65.asm.assembly import Assembly
from romproof.toolchains.ca65.asm.finish import assertions, is_left, tables
from romproof.toolchains.ca65.asm.macro import LOCAL_MARK
from romproof.toolchains.ca65.asm.segments import SectionBuilder
from romproof.toolchains.ca65.asm.symbol import Scope, SymbolEntry
from romproof.toolchains.ca65.obj.cpus import cpu_for
from romproof.toolchains.ca65.obj.link_symbols import Export, Import, Label
from romproof.toolchains.ca65.obj.link_symbols import PlacedScope as Placed
from romproof.toolchains.ca65.obj.object import Fixup, Object, Section


def object_for_linker(asm: Assembly) -> Object:
    """All that there is of a source, which is finished."""
    sections = tuple(_section(asm, builder) for builder in asm.segments.sections)
    left = tuple(assertions(asm))
    for_file, _ = tables(asm)
    return Object(
        name=asm.feed.sources[0].name,
        cpu=cpu_for(asm.settings.used),
        sections=sections,
        imports=tuple(_imports(asm)),
        exports=tuple(_exports(asm)),
        labels=tuple(_labels(asm)),
        scopes=tuple(_scopes(asm, asm.symbols.root)),
        lines=tuple(asm.segments.lines),
        assertions=left,
        sources=tuple(asm.feed.sources),
        macro_labels=tuple(_macro_labels(asm)),
        tables=for_file,
    )


def _section(asm: Assembly, builder: SectionBuilder) -> Section:
    fixups = []
    for fixup in builder.fixups:
        if is_left(asm, builder, fixup):
            expr = asm.evaluator.finish(fixup.expr)
            fixups.append(Fixup(fixup.offset, fixup.size, expr, fixup.signed, fixup.span))
    return Section(
        builder.name,
        bytes(builder.data),
        tuple(fixups),
        tuple(builder.gaps),
        builder.alignment,
        builder.address_size,
    )


def _imports(asm: Assembly) -> list[Import]:
    return [
        Import(s.name, s.address_size, s.forced, s.used_at or s.span or asm.feed.statement)
        for s in asm.symbols.all
        if s.is_import and s.stand_in is None and (s.referenced or s.forced)
    ]


def _exports(asm: Assembly) -> list[Export]:
    return [
        Export(
            s.name,
            asm.evaluator.finish(s.expr),
            s.export_size,
            s.span or asm.feed.statement,
            tuple(sorted((s.condes or {}).items())),
        )
        for s in asm.symbols.all
        if s.is_export and s.stand_in is None and s.expr is not None
    ]


def _label(asm: Assembly, symbol: SymbolEntry, name: str) -> Label:
    assert symbol.expr is not None, "only a symbol with a value is a label of the object"
    return Label(
        name,
        asm.evaluator.finish(symbol.expr),
        symbol.address_size,
        symbol.is_label,
        symbol.is_export,
        symbol.size,
        symbol.span or asm.feed.statement,
    )


def _full_names(asm: Assembly) -> list[tuple[SymbolEntry, str]]:
    """The symbols of the source that have a value, with their full names."""
    return [(s, s.full_name) for s in asm.symbols.all if s.expr is not None and s.stand_in is None]


def _labels(asm: Assembly) -> list[Label]:
    """Every symbol of the source that has a value, but for macros' own locals."""
    return [_label(asm, s, name) for s, name in _full_names(asm) if LOCAL_MARK not in name]


def _macro_labels(asm: Assembly) -> list[Label]:
    """The labels among macros' own locals, with the names that the macros have for them."""
    return [
        _label(asm, s, _without_mark(name))
        for s, name in _full_names(asm)
        if LOCAL_MARK in name and s.is_label
    ]


def _without_mark(name: str) -> str:
    """A name without what a macro's own locals have behind theirs."""
    first, *others = name.split(LOCAL_MARK)
    return first + "".join(other.lstrip("0123456789") for other in others)


def _scopes(asm: Assembly, scope: Scope) -> list[Placed]:
    """The ``.proc`` scopes inside ``scope``, outer ones first."""
    scopes = []
    for child in scope.children.values():
        if child.kind == "scope" and child.label is not None and child.span is not None:
            section, offset = asm.segments.opening_of(child)
            size = len(section.data) - offset if child.size is None else child.size
            scopes.append(
                Placed(
                    child.full_name, section.number, offset, size, child.label.span or child.span
                )
            )
        scopes += _scopes(asm, child)
    return scopes
