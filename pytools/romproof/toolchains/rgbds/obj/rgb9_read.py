"""Reading object files of RGBDS: rgb9.py describes the format."""

from __future__ import annotations

from struct import Struct

from romproof.toolchains.rgbds.obj.model import (
    Assertion,
    AssertionKind,
    Modifier,
    Node,
    NodeKind,
    ObjSection,
    ObjSymbol,
    Patch,
    PatchKind,
    RgbdsObject,
    SourcePosition,
    SymbolKind,
)
from romproof.toolchains.rgbds.obj.opmath import BINARY, UNARY
from romproof.toolchains.rgbds.obj.rgb9_bytes import MAGIC, NONE, QUIET, REVISION, ByteReader
from romproof.toolchains.rgbds.obj.rpn import (
    BYTE_ARGUMENT,
    LONG_ARGUMENT,
    NAME_ARGUMENT,
    Rpn,
    RpnOp,
    RpnStep,
)
from romproof.toolchains.rgbds.obj.types import SectionType

_TYPE_MASK = 0x07
_MAX_ADDRESS = 0xFFFF
_MAX_ALIGNMENT = 16

_OPERANDS = (
    dict.fromkeys(BINARY, 2)
    | dict.fromkeys(UNARY, 1)
    | dict.fromkeys((RpnOp.LDH, RpnOp.RST, RpnOp.BIT_INDEX), 1)
)
"""How many values an operator takes; literals take none. Each leaves one."""
_PLAIN = {int(op): RpnStep(op) for op in RpnOp}
"""By the byte in the file; most operators have no argument."""
_PATCH = Struct("<5LBL")
"""Node, line, offset, section and offset of PC, type, size of the expression."""


def read_object(data: bytes, name: str) -> RgbdsObject:
    """The object in ``data``, the contents of the file ``name``.

    Raises MalformedObject when it is none, is of another revision, ends too
    early or refers to something it does not have.
    """
    reader = ByteReader(data, name)
    _check_start(reader)
    symbol_count = reader.long("the number of symbols")
    section_count = reader.long("the number of sections")
    nodes = _read_nodes(reader)
    body = _Body(reader, nodes, symbol_count, section_count)
    symbols = tuple(body.symbol() for _ in range(symbol_count))
    sections = tuple(body.section() for _ in range(section_count))
    assertions = tuple(
        body.assertion(number) for number in range(reader.long("the number of assertions"))
    )
    return RgbdsObject(name, symbols, sections, assertions, nodes)


def _check_start(reader: ByteReader) -> None:
    start = reader.rest()[: len(MAGIC)]
    if start != MAGIC:
        if not start:
            raise reader.fault("the file is empty")
        raise reader.fault("this is not an RGBDS object file")
    reader.skip(len(MAGIC))
    revision = reader.long("the revision")
    if revision != REVISION:
        raise reader.fault(
            f"the object has revision {revision} of the format, revision {REVISION} is supported;"
            " assemble it again with RGBDS 1.0 or romproof"
        )


def _read_nodes(reader: ByteReader) -> tuple[Node, ...]:
    """The nodes by their ID; the file has the last one first."""
    count = reader.long("the number of nodes")
    raw: list[tuple[int, int, NodeKind, str, tuple[int, ...], bool]] = []
    for number in range(count - 1, -1, -1):
        what = f"node #{number}"
        parent = reader.long(what)
        line = reader.long(what)
        kind_byte = reader.byte(what)
        if kind_byte & ~QUIET > NodeKind.MACRO:
            raise reader.fault(f"{what} has the unknown type ${kind_byte:02X}")
        kind = NodeKind(kind_byte & ~QUIET)
        name = ""
        iterations: tuple[int, ...] = ()
        if kind is NodeKind.REPT:
            counts = [reader.long(what) for _ in range(reader.long(what))]
            iterations = tuple(reversed(counts))
        else:
            name = reader.string(what)
        if parent == NONE and kind is NodeKind.REPT:
            raise reader.fault(f"{what} is a loop without a parent")
        if parent != NONE and parent >= count:
            raise reader.fault(f"{what} refers to node #{parent}; there are {count}")
        raw.append((parent, line, kind, name, iterations, bool(kind_byte & QUIET)))
    raw.reverse()
    built: dict[int, Node] = {}
    for number in range(count):
        chain = [number]  # a node and those around it that are not built yet
        while raw[chain[-1]][0] != NONE and raw[chain[-1]][0] not in built:
            chain.append(raw[chain[-1]][0])
            if len(chain) > count:
                raise reader.fault(f"node #{number} contains itself")
        for member in reversed(chain):
            if member not in built:
                parent, line, kind, name, iterations, quiet = raw[member]
                outer = None if parent == NONE else built[parent]
                built[member] = Node(kind, name, outer, line, iterations, quiet)
    return tuple(built[number] for number in range(count))


class _Body:
    """Reads what comes after the nodes, and checks that references lead somewhere."""

    def __init__(
        self, reader: ByteReader, nodes: tuple[Node, ...], symbols: int, sections: int
    ) -> None:
        self.reader = reader
        self.nodes = nodes
        self.symbols = symbols
        self.sections = sections

    def place(self, what: str) -> SourcePosition:
        number = self.reader.long(what)
        self._check("node", number, len(self.nodes), what)
        return SourcePosition(self.nodes[number], self.reader.long(what))

    def symbol(self) -> ObjSymbol:
        reader = self.reader
        name = reader.string("a symbol's name")
        what = f"the symbol `{name}`"
        kind = reader.byte(what)
        if kind > SymbolKind.EXPORT:
            raise reader.fault(f"{what} has the unknown type ${kind:02X}")
        if kind == SymbolKind.IMPORT:
            return ObjSymbol(name, SymbolKind.IMPORT)
        place = self.place(what)
        section = reader.long(what)
        if section != NONE:
            self._check("section", section, self.sections, what)
        index = None if section == NONE else section
        return ObjSymbol(name, SymbolKind(kind), place, index, reader.signed_number(what))

    def section(self) -> ObjSection:
        reader = self.reader
        name = reader.string("a section's name")
        what = f'the section "{name}"'
        place = self.place(what)
        size = reader.long(what)
        if size > _MAX_ADDRESS:
            raise reader.fault(f"{what} has the impossible size ${size:X}")
        kind = reader.byte(what)
        if kind & ~_TYPE_MASK not in (Modifier.NORMAL, Modifier.FRAGMENT, Modifier.UNION):
            raise reader.fault(f"{what} has the unknown type ${kind:02X}")
        type_ = SectionType(kind & _TYPE_MASK)
        address = reader.signed_number(what)
        if address > _MAX_ADDRESS:
            raise reader.fault(f"{what} has the impossible address ${address:X}")
        bank = reader.signed_number(what)
        alignment = min(reader.byte(what), _MAX_ALIGNMENT)
        align_offset = reader.long(what)
        if align_offset > _MAX_ADDRESS:
            raise reader.fault(f"{what} has the impossible alignment offset ${align_offset:X}")
        data = b""
        patches: tuple[Patch, ...] = ()
        if type_.has_data:
            data = reader.bytes(size, what)
            of_patch = f"a patch of {what}"
            patches = tuple(self.patch(of_patch) for _ in range(reader.long(what)))
        return ObjSection(
            name,
            type_,
            place,
            size,
            Modifier(kind & ~_TYPE_MASK),
            None if address < 0 else address,
            None if bank < 0 else bank,
            alignment,
            align_offset,
            data,
            patches,
        )

    def patch(self, what: str) -> Patch:
        place, offset, pc_section, pc_offset, kind, rpn = self._patch_fields(what, PatchKind.JR)
        return Patch(place, offset, pc_section, pc_offset, PatchKind(kind), rpn)

    def assertion(self, number: int) -> Assertion:
        what = f"assertion #{number}"
        place, offset, pc_section, pc_offset, kind, rpn = self._patch_fields(
            what, AssertionKind.FATAL
        )
        message = self.reader.string(what)
        return Assertion(place, offset, pc_section, pc_offset, AssertionKind(kind), rpn, message)

    def _patch_fields(
        self, what: str, last_kind: int
    ) -> tuple[SourcePosition, int, int | None, int, int, Rpn]:
        reader = self.reader
        node, line, offset, pc_section, pc_offset, kind, size = reader.unpack(_PATCH, what)
        self._check("node", node, len(self.nodes), what)
        if pc_section != NONE:
            self._check("section", pc_section, self.sections, what)
        if kind > last_kind:
            raise reader.fault(f"{what} has the unknown type ${kind:02X}")
        rpn = self.rpn(reader.bytes(size, what), what)
        section = None if pc_section == NONE else pc_section
        return SourcePosition(self.nodes[node], line), offset, section, pc_offset, kind, rpn

    def rpn(self, encoded: bytes, what: str) -> Rpn:
        """The steps of an expression that leaves exactly one value."""
        what = f"the expression of {what}"
        reader = ByteReader(encoded, self.reader.name)
        steps: list[RpnStep] = []
        depth = 0
        while not reader.at_end:
            code = reader.byte(what)
            plain = _PLAIN.get(code)
            if plain is None:
                raise reader.fault(f"{what} has the unknown operator ${code:02X}")
            operands = _OPERANDS.get(plain.op, 0)
            if depth < operands:
                raise reader.fault(f"{what} takes more values than it has")
            depth += 1 - operands
            steps.append(self._with_argument(plain, reader, what))
        if depth != 1:
            raise reader.fault(f"{what} leaves {depth} values, not one")
        return tuple(steps)

    def _with_argument(self, plain: RpnStep, reader: ByteReader, what: str) -> RpnStep:
        """The step whose operator was read, with what follows the operator."""
        op = plain.op
        if op in LONG_ARGUMENT:
            number = reader.signed_number(what)
            if op is not RpnOp.CONST and not (op is RpnOp.SYMBOL and number == -1):
                self._check("symbol", number, self.symbols, what)
            return RpnStep(op, number)
        if op in BYTE_ARGUMENT:
            return RpnStep(op, reader.byte(what))
        if op in NAME_ARGUMENT:
            return RpnStep(op, reader.string(what))
        return plain

    def _check(self, kind: str, index: int, count: int, what: str) -> None:
        """Raise MalformedObject when there is no node, section or symbol of that index."""
        if not 0 <= index < count:
            raise self.reader.fault(f"{what} refers to {kind} #{index}; there are {count}")
