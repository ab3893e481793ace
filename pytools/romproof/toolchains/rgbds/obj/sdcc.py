"""Objects of the C compiler SDCC (.rel files of its assembler sdas), for linking with RGBDS's.

The format is described in the manual of asxxxx, "Object Module Format". An area that has no fixed
address becomes a section without a type: a linker script says what memory it is for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.toolchains.rgbds.obj.model import (
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
from romproof.toolchains.rgbds.obj.opmath import wrap
from romproof.toolchains.rgbds.obj.rgb9_bytes import MalformedObject
from romproof.toolchains.rgbds.obj.rpn import RpnOp, RpnStep
from romproof.toolchains.rgbds.obj.types import SectionType

_BASES = {"X": 16, "D": 10, "Q": 8}
_OVERLAID, _ABSOLUTE, _PAGED = 0x04, 0x08, 0x10
"""Flags of areas."""

_BYTE, _SYMBOL, _RELATIVE, _EXPR16, _SIGNED = 0x01, 0x02, 0x04, 0x08, 0x10
_PAGES, _HIGH, _EXPR24, _BANK = 0x60, 0x80, 0x100, 0x200
"""Flags of relocations: what is patched, with what, and which byte of it."""

_BY_HIGH_BYTE = (
    (0x40, SectionType.ROM0),
    (0x80, SectionType.ROMX),
    (0xA0, SectionType.VRAM),
    (0xC0, SectionType.SRAM),
    (0xD0, SectionType.WRAM0),
    (0xE0, SectionType.WRAMX),
    (0xFE, None),
    (0xFF, SectionType.OAM),
    (0x100, SectionType.HRAM),
)
"""The memory of an absolute area, up to which high byte of its address; None is echo RAM."""


@dataclass(slots=True)
class _Area:
    """An area that is being read; ``data`` grows as T lines come."""

    name: str
    size: int
    modifier: Modifier
    address: int | None
    bank: int | None
    place: SourcePosition
    start: int  # the index of the symbol where the area begins
    data: bytearray = field(default_factory=bytearray)
    patches: list[Patch] = field(default_factory=list)


def is_sdcc(data: bytes) -> bool:
    """Whether ``data`` looks like the contents of a .rel file."""
    return data[:1] in (b"X", b"D", b"Q", b";") and data[:4] != b"RGB9"


def read_sdcc(data: bytes, name: str) -> RgbdsObject:
    """The object in ``data``, the contents of the .rel file ``name``.

    Raises MalformedObject, naming the line, when it is none or asks for what rgblink cannot do.
    """
    return _Reader(data.decode("utf-8", "surrogateescape"), name).read()


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.node = Node(NodeKind.FILE, name)
        self.line = 0
        self.base = 16
        self.address_size = 0
        self.areas: list[_Area] = []
        self.symbols: list[ObjSymbol] = []
        self.starts: list[ObjSymbol] = []
        self.symbol_count = 0
        self.pending: list[int] = []

    def read(self) -> RgbdsObject:
        seen = 0
        for number, text in enumerate(self.lines, 1):
            self.line = number
            if not text.strip() or text.startswith(";"):
                continue
            seen += 1
            if seen == 1:
                self._format(text)
            elif seen == 2:
                self._counts(text)
            else:
                self._line(text[0], text[1:].split())
        if seen < 2:
            raise self.fault("the file ends before its areas")
        sections = tuple(self._section(area) for area in self.areas)
        symbols = (*self.symbols, *self.starts)
        return RgbdsObject(self.name, symbols, sections, nodes=(self.node,))

    def fault(self, message: str) -> MalformedObject:
        return MalformedObject(f"{self.name}:{self.line}: {message}")

    def _format(self, text: str) -> None:
        """The first line: number base, byte order, bytes of an address."""
        if text[0] not in _BASES or text[1:3] not in ("L3", "L4"):
            raise self.fault(f"the object format '{text[:3]}' is not supported")
        self.base = _BASES[text[0]]
        self.address_size = int(text[2])

    def _counts(self, text: str) -> None:
        words = text[1:].split()
        if text[0] != "H" or len(words) != 5 or words[1] != "areas" or words[3] != "global":
            raise self.fault("this is not a line 'H areas symbols'")
        self.symbol_count = self._number(words[2])

    def _line(self, kind: str, words: list[str]) -> None:
        if kind == "A":
            self._area(words)
        elif kind == "S":
            self._symbol(words)
        elif kind == "T":
            self.pending = [self._number(word, 0xFF) for word in words]
            if len(self.pending) < self.address_size:
                raise self.fault("a T line is too short")
        elif kind == "R" and self.pending:
            self._content([self._number(word, 0xFF) for word in words])
            self.pending = []
        # the others, such as M and O, say nothing that matters here

    def _number(self, word: str, most: int = 0xFFFF_FFFF) -> int:
        try:
            value = int(word, self.base) if word.isalnum() and len(word) < 40 else -1
        except ValueError:
            value = -1
        if not 0 <= value <= most:
            raise self.fault(f"'{word}' is not a number within 0..{most}")
        return value

    def _area(self, words: list[str]) -> None:
        if len(words) != 7 or words[1::2] != ["size", "flags", "addr"]:
            raise self.fault("this is not a line 'A name size flags addr'")
        size = self._number(words[2], 0xFFFF)
        flags, address = self._number(words[4]), self._number(words[6])
        if flags & _PAGED:
            raise self.fault("paged areas are not supported")
        absolute = bool(flags & _ABSOLUTE)
        alone = absolute or bool(flags & _OVERLAID)
        # absolute areas of several files may have one name and are not one section
        name = f"{self.name} {words[0]}" if alone else words[0]
        if any(area.name == name for area in self.areas):
            raise self.fault(f"area '{words[0]}' is already defined")
        place = SourcePosition(self.node, self.line)
        start = self.symbol_count + len(self.starts)
        self.starts.append(ObjSymbol("!", SymbolKind.LOCAL, place, len(self.areas)))
        self.areas.append(
            _Area(
                name,
                size,
                Modifier.NORMAL if alone else Modifier.FRAGMENT,
                address & 0xFFFF if absolute else None,
                address >> 16 if absolute else None,
                place,
                start,
            )
        )

    def _symbol(self, words: list[str]) -> None:
        if len(words) != 2 or words[1][:3].lower() not in ("def", "ref"):
            raise self.fault("this is not a line 'S name Def' or 'S name Ref'")
        if len(self.symbols) == self.symbol_count:
            raise self.fault(f"there are more than the {self.symbol_count} symbols announced")
        name, value = words[0], self._number(words[1][3:])
        if words[1][0] in "Rr":
            self.symbols.append(ObjSymbol(name, SymbolKind.IMPORT))
            return
        section = None
        if self.areas:
            section = len(self.areas) - 1
            value -= self.areas[section].address or 0
        place = SourcePosition(self.node, self.line)
        self.symbols.append(ObjSymbol(name, SymbolKind.EXPORT, place, section, wrap(value)))

    def _content(self, words: list[int]) -> None:
        """A T line and the R line that follows it: bytes for an area, and where to patch them."""
        if len(words) < 4:
            raise self.fault("an R line is too short")
        number = words[2] | words[3] << 8
        if number >= len(self.areas):
            raise self.fault(f"the line names area #{number}; there are {len(self.areas)}")
        area = self.areas[number]
        data, done = self.pending, self.address_size
        address = (data[0] | data[1] << 8) - (area.address or 0)
        if len(data) > done and address != len(area.data):
            raise self.fault(f"the bytes for area '{area.name}' do not follow those before them")
        rest = words[4:]
        while rest:
            flags = rest.pop(0)
            if flags & 0xF0 == 0xF0 and rest:
                flags = flags & 0x0F | rest.pop(0) << 4
            if len(rest) < 3:
                raise self.fault("a relocation is not complete")
            offset, target = rest[0], rest[1] | rest[2] << 8
            del rest[:3]
            if not done <= offset < len(data):
                raise self.fault(f"a relocation is at byte {offset}, outside of the T line")
            at = len(area.data) + offset - done
            self._relocation(number, flags, at, data[offset:], target)
            if flags & _BYTE and flags & _EXPR16:
                # the line has three bytes here, of which one is written
                area.data += bytes(data[done : offset + 1])
                done = offset + 3
        area.data += bytes(data[done:])
        if len(area.data) > area.size:
            raise self.fault(f"more bytes than the {area.size} of area '{area.name}'")

    def _relocation(self, number: int, flags: int, at: int, data: list[int], target: int) -> None:
        if flags & _PAGES:
            raise self.fault("relocations with pages are not supported")
        is_byte = bool(flags & _BYTE)
        count = self.address_size if is_byte else 2
        if len(data) < count:
            raise self.fault("a relocation is behind the end of the T line")
        base = int.from_bytes(bytes(data[:count]), "little")
        steps = [*self._target(flags, target)]
        if not flags & _SYMBOL:
            base -= self.areas[target].address or 0  # the assembler has added it
        steps += [RpnStep(RpnOp.CONST, wrap(base)), RpnStep(RpnOp.ADD)]
        kind = PatchKind.BYTE if is_byte else PatchKind.WORD
        if is_byte and flags & _RELATIVE:
            kind = PatchKind.JR
        elif is_byte:
            shift = RpnOp.SHR if flags & _SIGNED else RpnOp.USHR
            if flags & _EXPR24 and flags & _BANK:
                steps += [RpnStep(RpnOp.CONST, 16), RpnStep(shift)]
            else:
                if flags & _EXPR16 and flags & _HIGH:
                    steps += [RpnStep(RpnOp.CONST, 8), RpnStep(shift)]
                steps += [RpnStep(RpnOp.CONST, 0xFF), RpnStep(RpnOp.AND)]
        elif flags & (_RELATIVE | _EXPR16 | _EXPR24):
            raise self.fault(f"flags ${flags:X} are not supported for relocations of 16 bits")
        place = SourcePosition(self.node, self.line)
        self.areas[number].patches.append(Patch(place, at, number, at - 1, kind, tuple(steps)))

    def _target(self, flags: int, target: int) -> tuple[RpnStep]:
        """What is added to the bytes of the line: an area's start, or something of a symbol."""
        if not flags & _SYMBOL:
            if target >= len(self.areas):
                raise self.fault(f"the line names area #{target}; there are {len(self.areas)}")
            return (RpnStep(RpnOp.SYMBOL, self.areas[target].start),)
        if target >= len(self.symbols):
            raise self.fault(f"the line names symbol #{target}; there are {len(self.symbols)}")
        name = self.symbols[target].name
        # the compiler asks for these by names of its own making
        if name.startswith("b_"):
            names = [symbol.name for symbol in self.symbols]
            if name[1:] not in names:
                raise self.fault(f"'{name}' asks for the bank of '{name[1:]}', which is not there")
            return (RpnStep(RpnOp.BANK_SYMBOL, names.index(name[1:])),)
        if name.startswith(("l_", "s_")):
            op = RpnOp.SIZEOF_SECTION if name[0] == "l" else RpnOp.STARTOF_SECTION
            return (RpnStep(op, name[2:]),)
        return (RpnStep(RpnOp.SYMBOL, target),)

    def _section(self, area: _Area) -> ObjSection:
        if area.data and len(area.data) != area.size:
            raise self.fault(f"area '{area.name}' has {len(area.data)} of {area.size} bytes")
        type_: SectionType | None = SectionType.ROM0 if area.data else SectionType.WRAM0
        if area.address is not None:
            type_ = next(t for limit, t in _BY_HIGH_BYTE if area.address >> 8 < limit)
            if type_ is None:
                raise self.fault(f"area '{area.name}' is in echo RAM, at ${area.address:04X}")
            if area.size and type_.has_data != bool(area.data):
                has = "bytes" if area.data else "no bytes"
                raise self.fault(f"area '{area.name}' is in {type_.name} and has {has}")
        assert type_ is not None
        return ObjSection(
            area.name,
            type_,
            area.place,
            area.size,
            area.modifier,
            area.address,
            area.bank,
            data=bytes(area.data),
            patches=tuple(area.patches),
            typeless=area.address is None,
        )
