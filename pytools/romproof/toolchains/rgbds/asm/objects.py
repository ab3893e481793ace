"""What was assembled as an object: sections, symbols, patches and assertions, numbered."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.characters import printable
from romproof.toolchains.rgbds.asm.model import (
    Expression,
    PendingPatch,
    Section,
    Symbol,
    SymbolType,
)
from romproof.toolchains.rgbds.obj.model import (
    Assertion,
    AssertionKind,
    ObjSection,
    ObjSymbol,
    Patch,
    RgbdsObject,
    SymbolKind,
)
from romproof.toolchains.rgbds.obj.rpn import Rpn, RpnStep


def make_object(asm: Assembly, name: str) -> RgbdsObject:
    """The object of all that was assembled; in it names and messages are text as others read it,
    while a source is read as bytes."""
    for symbol in asm.symbols:
        asm.nodes.number(symbol)
    for symbol in asm.nodes.symbols:
        if symbol.place is not None:  # it may have been mentioned before it was defined
            asm.nodes.register(symbol.place.node)
    numbers = {id(section): i for i, section in enumerate(asm.sections)}
    return RgbdsObject(
        name=name,
        symbols=tuple(_symbol(asm, symbol, numbers) for symbol in asm.nodes.symbols),
        sections=tuple(_section(section, numbers) for section in asm.sections),
        assertions=tuple(
            _assertion(patch, kind, message, numbers)
            for patch, kind, message in reversed(asm.assertions.all)
        ),
        nodes=tuple(asm.nodes.all),
        sources=tuple(asm.contexts.sources),
    )


def _symbol(asm: Assembly, symbol: Symbol, numbers: dict[int, int]) -> ObjSymbol:
    if symbol.type is SymbolType.REF:
        return ObjSymbol(symbol.name, SymbolKind.IMPORT)
    return ObjSymbol(
        symbol.name,
        SymbolKind.EXPORT if symbol.is_exported else SymbolKind.LOCAL,
        symbol.place,
        numbers[id(symbol.section)] if symbol.section is not None else None,
        asm.symbols.output_value(symbol),
    )


def _section(section: Section, numbers: dict[int, int]) -> ObjSection:
    data = b""
    if section.type.has_data:
        data = bytes(section.data[: section.size]).ljust(section.size, b"\0")
    return ObjSection(
        name=printable(section.name),
        type=section.type,
        place=section.place,
        size=section.size,
        modifier=section.modifier,
        address=section.address,
        bank=section.bank,
        alignment=section.alignment,
        align_offset=section.align_offset,
        data=data,
        patches=tuple(_patch(patch, numbers) for patch in reversed(section.patches)),
        lines=tuple(section.lines),
    )


def _patch(patch: PendingPatch, numbers: dict[int, int]) -> Patch:
    return Patch(
        patch.place,
        patch.offset,
        numbers[id(patch.pc_section)] if patch.pc_section is not None else None,
        patch.pc_offset,
        patch.kind,
        steps(patch.expression),
    )


def _assertion(
    patch: PendingPatch, kind: AssertionKind, message: str, numbers: dict[int, int]
) -> Assertion:
    made = _patch(patch, numbers)
    return Assertion(
        made.place, made.offset, made.pc_section, made.pc_offset, kind, made.rpn, printable(message)
    )


def steps(expression: Expression) -> Rpn:
    """An expression in the terms of the object."""
    steps = []
    for op, argument in expression.items():
        if isinstance(argument, Symbol):
            # the symbol @ has no number: -1 denotes it
            steps.append(RpnStep(op, -1 if argument.number is None else argument.number))
        elif isinstance(argument, str):
            steps.append(RpnStep(op, printable(argument)))
        else:
            steps.append(RpnStep(op, argument))
    return tuple(steps)
