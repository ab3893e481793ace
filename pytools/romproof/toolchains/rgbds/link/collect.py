"""Bringing the objects together: exported symbols, and sections of one name."""

from __future__ import annotations

from romproof.text.span import Span
from romproof.toolchains.rgbds.link.merge import merge
from romproof.toolchains.rgbds.link.state import (
    Definition,
    LinkState,
    Module,
    ObjectPart,
    ProgramSection,
)
from romproof.toolchains.rgbds.obj.model import Modifier, ObjSection, RgbdsObject, SymbolKind


def collect(state: LinkState, obj: RgbdsObject) -> None:
    """Add an object to the link; what contradicts the objects before it is reported."""
    module = Module(obj)
    state.modules.append(module)
    for symbol in obj.symbols:
        definition = None
        if symbol.kind is not SymbolKind.IMPORT:
            definition = Definition(symbol, module, None)
            if symbol.kind is SymbolKind.EXPORT:
                _export(state, definition)
            else:
                state.privates.setdefault(symbol.name, []).append(definition)
        module.definitions.append(definition)
    for part in obj.sections:
        module.pieces.append(_piece(state, module, part))
    for definition in module.definitions:
        if definition is not None and definition.symbol.section is not None:
            definition.piece = module.pieces[definition.symbol.section]
            definition.piece.labels.append(definition)


def _piece(state: LinkState, module: Module, part: ObjSection) -> ObjectPart:
    """Put a part into its section, which begins with it if it is the first."""
    section = state.sections.get(part.name)
    if section is None:
        section = _section(state, part)
        piece = ObjectPart(section, part, module)
        section.pieces.append(piece)
        return piece
    piece = ObjectPart(section, part, module)
    if merge(state, section, piece):
        section.pieces.insert(1, piece)
    return piece


def _section(state: LinkState, part: ObjSection) -> ProgramSection:
    section = ProgramSection(
        part.name,
        part.type,
        part.modifier,
        part.size,
        part.address,
        part.bank,
        (1 << part.alignment) - 1,
        part.align_offset if part.alignment else 0,
        bytearray(part.data),
        part.typeless,
    )
    state.sections[part.name] = section
    if part.modifier is Modifier.UNION and part.type.has_data:
        state.diagnostics.error(
            f'section "{part.name}" is of type {part.type.name}, which cannot be UNION',
            state.places.span(part.place),
        )
    return section


def _export(state: LinkState, definition: Definition) -> None:
    """Make a symbol known to all objects. Equal constants may be exported more than once."""
    name = definition.symbol.name
    other = state.exports.get(name)
    if other is not None:
        this, that = definition.symbol, other.symbol
        constants = this.section is None and that.section is None
        if not constants or this.value != that.value:
            one = "a label" if this.section is not None else f"{this.value}"
            another = "another label" if that.section is not None else f"{that.value}"
            state.diagnostics.error(
                f"`{name}` is defined as {one}, but also as {another}",
                _span(state, definition),
                notes=(("the other definition", _span(state, other)),),
            )
            return
    state.exports[name] = definition


def _span(state: LinkState, definition: Definition) -> Span:
    assert definition.symbol.place is not None  # only imports have none
    return state.places.span(definition.symbol.place)
