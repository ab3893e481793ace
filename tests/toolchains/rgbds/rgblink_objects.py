"""RGBDS objects made by hand, and a short way to link them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.rgbds.link import Linked, LinkOptions, link, rom_bytes
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
from romproof.toolchains.rgbds.obj.rpn import Rpn, RpnOp, RpnStep
from romproof.toolchains.rgbds.obj.types import SectionType

ROM0, ROMX, WRAM0, WRAMX, SRAM, VRAM, HRAM, OAM = (
    SectionType[name] for name in ("ROM0", "ROMX", "WRAM0", "WRAMX", "SRAM", "VRAM", "HRAM", "OAM")
)
BYTE, WORD, LONG, JR = PatchKind


def steps(*words: RpnOp | tuple[RpnOp, int | str] | int) -> Rpn:
    """An expression: an int is a constant, a pair an operator with its argument."""
    return tuple(
        RpnStep(RpnOp.CONST, word)
        if type(word) is int
        else RpnStep(*word)
        if isinstance(word, tuple)
        else RpnStep(RpnOp(word))
        for word in words
    )


def symbol(index: int) -> tuple[RpnOp, int]:
    """The value of the symbol with that index, for ``steps``."""
    return RpnOp.SYMBOL, index


class Maker:
    """Builds one object, ``name``; what is added first gets line 1, and so on."""

    def __init__(self, name: str = "a.asm") -> None:
        self.node = Node(NodeKind.FILE, name)
        self.nodes = [self.node]
        self.line = 0
        self.sections: list[ObjSection] = []
        self.symbols: list[ObjSymbol] = []
        self.assertions: list[Assertion] = []

    def place(self) -> SourcePosition:
        """The next line."""
        self.line += 1
        return SourcePosition(self.node, self.line)

    def section(
        self,
        name: str,
        type_: SectionType,
        content: bytes | int = b"",
        *,
        address: int | None = None,
        bank: int | None = None,
        align: tuple[int, int] = (0, 0),
        modifier: Modifier = Modifier.NORMAL,
        patches: Sequence[tuple[int, PatchKind, Rpn]] = (),
    ) -> int:
        """A section with these bytes, or of this size; patches have offset, kind, expression.

        ``@`` is where the patch is, for JR the instruction's first byte. Gives the index.
        """
        place = self.place()
        index = len(self.sections)
        data = bytes(content) if type_.has_data else b""
        size = content if isinstance(content, int) else len(content)
        self.sections.append(
            ObjSection(
                name, type_, place, size, modifier, address, bank, *align, data,
                tuple(
                    Patch(self.place(), offset, index, offset - (kind is JR), kind, rpn)
                    for offset, kind, rpn in patches
                ),
            )
        )  # fmt: skip
        return index

    def label(self, name: str, section: int, offset: int = 0, *, exported: bool = True) -> int:
        """A label; gives its index."""
        return self._symbol(name, exported, section, offset)

    def constant(self, name: str, value: int, *, exported: bool = True) -> int:
        """A constant; gives its index."""
        return self._symbol(name, exported, None, value)

    def uses(self, name: str) -> int:
        """A symbol of another object; gives its index."""
        self.symbols.append(ObjSymbol(name, SymbolKind.IMPORT))
        return len(self.symbols) - 1

    def _symbol(self, name: str, exported: bool, section: int | None, value: int) -> int:
        kind = SymbolKind.EXPORT if exported else SymbolKind.LOCAL
        self.symbols.append(ObjSymbol(name, kind, self.place(), section, value))
        return len(self.symbols) - 1

    def check(self, kind: AssertionKind, rpn: Rpn, message: str = "") -> None:
        """An assertion."""
        # rgbasm writes the last one first
        self.assertions.insert(0, Assertion(self.place(), 0, None, 0, kind, rpn, message))

    def object(self) -> RgbdsObject:
        """The object."""
        return RgbdsObject(
            self.node.name,
            tuple(self.symbols),
            tuple(self.sections),
            tuple(self.assertions),
            tuple(self.nodes),
        )


@dataclass(frozen=True)
class Outcome:
    """What a link gave: ``messages`` are "file:line: message [option]", one for each finding."""

    linked: Linked | None
    messages: list[str]
    helps: list[str]
    notes: list[str]

    @property
    def ok(self) -> Linked:
        """The result; there must be one."""
        assert self.linked is not None, self.messages
        return self.linked

    @property
    def rom(self) -> bytes:
        """The ROM; there must be one."""
        return rom_bytes(self.ok)

    def placed(self) -> dict[str, tuple[int, int]]:
        """Bank and address of every section by name."""
        return {section.name: (section.in_bank, section.at) for section in self.ok.sections}


def linking(*makers: Maker, script: str | None = None, **options: object) -> Outcome:
    """Link what the makers built."""
    diagnostics = Diagnostics()
    source = None if script is None else Source("game.link", script)
    settings = LinkOptions(script=source, **options)  # type: ignore[arg-type]
    linked = None
    with suppress(BuildFailed):  # what is wrong is among the diagnostics
        linked = link([maker.object() for maker in makers], settings, diagnostics)
    found = diagnostics.items
    return Outcome(
        linked,
        [
            (f"{d.span.source.name}:{d.span.line}: " if d.span else "")
            + d.message
            + (f" [{d.option}]" if d.option else "")
            for d in found
        ],
        [d.help for d in found if d.help],
        [f"{text} {span.source.name}:{span.line}" for d in found for text, span in d.notes],
    )
