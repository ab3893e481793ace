"""Writing object files of RGBDS: rgb9.py describes the format."""

from __future__ import annotations

from struct import Struct

from romproof.toolchains.rgbds.obj.model import (
    Assertion,
    Node,
    NodeKind,
    ObjSection,
    ObjSymbol,
    Patch,
    RgbdsObject,
    SourcePosition,
)
from romproof.toolchains.rgbds.obj.rgb9_bytes import MAGIC, NONE, QUIET, REVISION, ByteWriter
from romproof.toolchains.rgbds.obj.rpn import LONG_ARGUMENT, RpnStep

_NODE = Struct("<LLB")
_SYMBOL = Struct("<BLLLL")
_PATCH = Struct("<LLLLLB")
_STEP = Struct("<BL")
_LONG = tuple(LONG_ARGUMENT)  # a member of an enumeration is hashed slowly


def write_object(obj: RgbdsObject) -> bytes:
    """``obj`` as the contents of an object file.

    The nodes of all places have to be in ``obj.nodes``. Raises ValueError when one is not.
    """
    writer = ByteWriter()
    ids = {id(node): number for number, node in enumerate(obj.nodes)}
    writer.raw(MAGIC)
    for number in (REVISION, len(obj.symbols), len(obj.sections), len(obj.nodes)):
        writer.long(number)
    for node in reversed(obj.nodes):
        _write_node(writer, node, ids)
    for symbol in obj.symbols:
        _write_symbol(writer, symbol, ids)
    for section in obj.sections:
        _write_section(writer, section, ids)
    writer.long(len(obj.assertions))
    for assertion in obj.assertions:
        _write_patch(writer, assertion, ids)
        writer.string(assertion.message)
    return writer.result()


def _write_node(writer: ByteWriter, node: Node, ids: dict[int, int]) -> None:
    parent = NONE if node.parent is None else _id(node.parent, ids)
    writer.pack(_NODE, parent, node.parent_line, node.kind | (QUIET if node.quiet else 0))
    if node.kind is NodeKind.REPT:
        writer.long(len(node.iterations))
        for count in reversed(node.iterations):
            writer.long(count)
    else:
        writer.string(node.name)


def _write_symbol(writer: ByteWriter, symbol: ObjSymbol, ids: dict[int, int]) -> None:
    writer.string(symbol.name)
    place = symbol.place
    if place is None:
        writer.byte(symbol.kind)
        return
    section = NONE if symbol.section is None else symbol.section
    node, value = _id(place.node, ids), symbol.value & 0xFFFF_FFFF
    writer.pack(_SYMBOL, symbol.kind, node, place.line, section, value)


def _id(node: Node, ids: dict[int, int]) -> int:
    number = ids.get(id(node))
    if number is None:
        raise ValueError(f"the node '{node.name}' is not listed in the object")
    return number


def _write_place(writer: ByteWriter, place: SourcePosition, ids: dict[int, int]) -> None:
    writer.long(_id(place.node, ids))
    writer.long(place.line)


def _write_section(writer: ByteWriter, section: ObjSection, ids: dict[int, int]) -> None:
    writer.string(section.name)
    _write_place(writer, section.place, ids)
    writer.long(section.size)
    writer.byte(section.type | section.modifier)
    writer.long(NONE if section.address is None else section.address)
    writer.long(NONE if section.bank is None else section.bank)
    writer.byte(section.alignment)
    writer.long(section.align_offset)
    if section.type.has_data:
        writer.raw(section.data)
        writer.long(len(section.patches))
        for patch in section.patches:
            _write_patch(writer, patch, ids)


def _write_patch(writer: ByteWriter, patch: Patch | Assertion, ids: dict[int, int]) -> None:
    place = patch.place
    pc_section = NONE if patch.pc_section is None else patch.pc_section
    pc_offset = patch.pc_offset & 0xFFFF_FFFF
    node = _id(place.node, ids)
    writer.pack(_PATCH, node, place.line, patch.offset, pc_section, pc_offset, patch.kind)
    encoded = b"".join(map(_encode, patch.rpn))
    writer.long(len(encoded))
    writer.raw(encoded)


def _encode(step: RpnStep) -> bytes:
    argument = step.argument
    if argument is None:
        return bytes((step.op,))
    if isinstance(argument, str):
        writer = ByteWriter()
        writer.byte(step.op)
        writer.string(argument)
        return writer.result()
    if step.op in _LONG:
        return _STEP.pack(step.op, argument & 0xFFFF_FFFF)
    return bytes((step.op, argument))
