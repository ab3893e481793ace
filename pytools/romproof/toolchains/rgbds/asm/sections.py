"""The section that is written to, the ones around it, and what is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from romproof.toolchains.rgbds.asm.contexts import Contexts
from romproof.toolchains.rgbds.asm.model import Section
from romproof.toolchains.rgbds.asm.nodes import Nodes
from romproof.toolchains.rgbds.asm.position import Scopes
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.asm.section import Attributes, merge, normalise
from romproof.toolchains.rgbds.asm.section_writer import SectionWriter
from romproof.toolchains.rgbds.asm.settings import Settings
from romproof.toolchains.rgbds.obj.model import Modifier
from romproof.toolchains.rgbds.obj.types import SectionType


@dataclass(slots=True)
class _Union:
    """An open UNION: where it starts, and the size of its largest member so far."""

    start: int
    size: int = 0


@dataclass(slots=True)
class _Saved:
    """What PUSHS puts aside."""

    output: Section | None
    load: Section | None
    scopes: Scopes
    offset: int
    load_offset: int
    unions: list[_Union] = field(default_factory=list)


class Sections(SectionWriter):
    """All sections of the object; one of them, or none, is written to."""

    def __init__(
        self, report: Reporter, settings: Settings, contexts: Contexts, nodes: Nodes
    ) -> None:
        super().__init__(report, settings, contexts, nodes)
        self.all: list[Section] = []
        self._by_name: dict[str, Section] = {}
        self._load_scopes: Scopes = (None, None)
        self._unions: list[_Union] = []
        self._stack: list[_Saved] = []
        self._literals = 0

    def __iter__(self) -> Iterator[Section]:
        return iter(self.all)

    def find(self, name: str) -> Section | None:
        """The section of that name."""
        return self._by_name.get(name)

    def is_size_known(self, section: Section) -> bool:
        """Whether nothing can be added to a section any more."""
        return not (
            section.modifier is not Modifier.NORMAL
            or section in (self.output, self.load)
            or any(s.output is not None and s.output.name == section.name for s in self._stack)
        )

    # -- declaring --------------------------------------------------------------------------

    def declare(self, name: str, kind: SectionType, wanted: Attributes, modifier: Modifier) -> None:
        """SECTION: write to the section of that name from now on."""
        report = self._report
        if any(s.output is not None and s.output.name == name for s in self._stack):
            report.fatal(f'Section "{name}" is already on the stack')
        if modifier is Modifier.UNION and kind.has_data:
            report.error("Cannot declare ROM sections as `UNION`")
            return
        if self.load is not None:
            self.end_load("SECTION")
        section = self._declare(name, kind, wanted, modifier)
        self._change()
        self.offset = 0 if modifier is Modifier.UNION else section.size
        self.load_offset = 0
        self.output = section

    def _declare(
        self, name: str, kind: SectionType, wanted: Attributes, modifier: Modifier
    ) -> Section:
        """The section of that name, made, or joined with what it was."""
        wanted = normalise(name, kind, wanted, self._report.error)
        section = self._by_name.get(name)
        if section is None:
            section = self._create(name, kind, wanted, modifier)
            self._by_name[name] = section
            return section
        faults = []
        if section.type is not kind:
            faults.append(f'Section "{name}" already exists but with type `{section.type.name}`')
        if section.modifier is not modifier:
            word = {Modifier.NORMAL: "regular"}.get(section.modifier, section.modifier.name)
            faults.append(f'Section "{name}" already declared as `SECTION {word}`')
        elif modifier is Modifier.NORMAL:
            if not faults:
                also = section.place.span
                self._report.fatal(f'Section "{name}" already defined', also=also)
        else:
            faults += merge(section, wanted, modifier)
        self._refuse(name, faults)
        return section

    def _refuse(self, name: str, faults: Sequence[str]) -> None:
        report = self._report
        if len(faults) == 1:
            report.fatal(faults[0])
        elif faults:
            for fault in faults:
                report.error(fault)
            report.fatal(f'Cannot create section "{name}" ({len(faults)} errors)')

    def _create(
        self, name: str, kind: SectionType, wanted: Attributes, modifier: Modifier
    ) -> Section:
        place = self._contexts.place()
        self._nodes.register(place.node)
        section = Section(
            name,
            kind,
            modifier,
            place,
            wanted.address,
            wanted.bank,
            wanted.alignment,
            wanted.align_offset,
        )
        self.all.append(section)
        return section

    def _change(self) -> None:
        if self._unions:
            self._report.fatal("Cannot change the section within a `UNION`")
        self.scopes = (None, None)

    def end_section(self) -> None:
        """ENDSECTION: write to no section."""
        if self.output is None:
            self._report.fatal("Cannot end the section outside of a `SECTION`")
        if self._unions:
            self._report.fatal("Cannot end the section within a `UNION`")
        if self.load is not None:
            self.end_load("ENDSECTION")
        self.output = None
        self.scopes = (None, None)

    # -- LOAD -------------------------------------------------------------------------------

    def begin_load(
        self, name: str, kind: SectionType, wanted: Attributes, modifier: Modifier
    ) -> None:
        """LOAD: labels belong to another section from now on."""
        if not self.require_code():
            return
        if kind.has_data:
            self._report.error("`LOAD` blocks cannot create a ROM section")
            return
        if self.load is not None:
            self.end_load("LOAD")
        section = self._declare(name, kind, wanted, modifier)
        self._load_scopes = self.scopes
        self._change()
        start = 0 if modifier is Modifier.UNION else section.size
        self.load_offset = self.offset - start
        self.offset = start
        self.load = section

    def end_load(self, cause: str | None = None) -> None:
        """ENDL, or what ends the block without it."""
        if cause is not None:
            self._report.warning(
                "unterminated-load", f"`LOAD` block without `ENDL` terminated by `{cause}`"
            )
        if self.load is None:
            self._report.error("Found `ENDL` outside of a `LOAD` block")
            return
        self._change()
        self.offset += self.load_offset
        self.load_offset = 0
        self.load = None
        self.scopes = self._load_scopes

    # -- the stack --------------------------------------------------------------------------

    def push(self) -> None:
        """PUSHS: put the section aside; none is written to."""
        self._stack.append(
            _Saved(
                self.output,
                self.load,
                self.scopes,
                self.offset,
                self.load_offset,
                self._unions,
            )
        )
        self.output = self.load = None
        self._unions = []
        self.scopes = (None, None)

    def pop(self) -> None:
        """POPS: back to the section put aside last."""
        if not self._stack:
            self._report.fatal("No entries in the section stack")
        if self.load is not None:
            self.end_load("POPS")
        saved = self._stack.pop()
        self._change()
        self.output, self.load = saved.output, saved.load
        self.scopes = saved.scopes
        self.offset, self.load_offset = saved.offset, saved.load_offset
        self._unions = saved.unions

    def begin_literal(self) -> str:
        """``[[``: write to a fragment of the section; gives the name of its label."""
        report, parent = self._report, self.output
        if parent is None:
            report.fatal("Cannot output fragment literals outside of a `SECTION`")
        if not parent.type.has_data:
            report.fatal(
                f'Section "{parent.name}" cannot contain fragment literals (not `ROM0` or `ROMX`)'
            )
        if self.load is not None:
            report.fatal("`LOAD` blocks cannot contain fragment literals")
        parent.modifier = Modifier.FRAGMENT
        self.push()
        bank = parent.bank or None
        section = self._create(parent.name, parent.type, Attributes(bank=bank), Modifier.FRAGMENT)
        self._change()
        self.offset, self.load_offset = 0, 0
        self.output = section
        name = f"${self._literals}"
        self._literals += 1
        return name

    # -- unions -----------------------------------------------------------------------------

    def begin_union(self) -> None:
        """UNION: what follows may lie over each other."""
        if self.output is None:
            self._report.error("`UNION`s must be inside a `SECTION`")
        elif self.output.type.has_data:
            self._report.error("Cannot use `UNION` inside of `ROM0` or `ROMX` sections")
        else:
            self._unions.append(_Union(self.offset))

    def next_member(self) -> None:
        """NEXTU: back to the start of the union."""
        if not self._unions:
            self._report.error("Found `NEXTU` outside of a `UNION` construct")
            return
        self._end_member()

    def end_union(self) -> None:
        """ENDU: behind the largest member."""
        if not self._unions:
            self._report.error("Found `ENDU` outside of a `UNION` construct")
            return
        self._end_member()
        self.offset += self._unions.pop().size

    def _end_member(self) -> None:
        union = self._unions[-1]
        union.size = max(union.size, self.offset - union.start)
        self.offset = union.start

    # -- alignment --------------------------------------------------------------------------

    def bytes_to_align(self, alignment: int, offset: int) -> int:
        """How many bytes are missing to an address whose lower bits are ``offset``."""
        section = self.current
        if section is None:
            return 0
        fixed = section.address is not None
        known = 16 if fixed else section.alignment
        if known == 0:
            return 0
        base = section.address if section.address is not None else section.align_offset
        mask = (1 << min(alignment, known)) - 1
        return (offset - self.offset - base) & 0xFFFF & mask

    def align(self, alignment: int, offset: int) -> None:
        """ALIGN: the address here must have the lower bits ``offset``."""
        if not self.require_section():
            return
        section = self.current
        assert section is not None
        mask = (1 << alignment) - 1
        base = section.address if section.address is not None else section.align_offset
        actual = (base + self.offset) & mask
        expected = f"expected ALIGN[{alignment}, {offset}], got ALIGN[{alignment}, {actual}])"
        known = (1 << section.alignment) - 1
        if section.address is not None:
            if actual != offset:
                self._report.error(
                    f"Section is misaligned (at PC = ${base + self.offset:04x}, {expected}"
                )
        elif section.alignment and actual & known != offset & known:
            self._report.error(
                f"Section is misaligned (${self.offset:04x} bytes into the section, {expected}"
            )
        elif alignment == 16:
            section.alignment, section.address = 0, offset - self.offset
        elif alignment > section.alignment:
            section.alignment = alignment
            section.align_offset = (offset - self.offset) & mask

    # -- the end --------------------------------------------------------------------------

    def check_end(self) -> None:
        """What must not be open at the end of the source."""
        report = self._report
        if self._unions:
            report.error("Unterminated `UNION` construct")
        if self.load is not None:
            report.warning("unterminated-load", "`LOAD` block without `ENDL` terminated by EOF")
        for section in self.all:
            if section.size > section.limit:
                report.error(
                    f'Section "{section.name}" grew too big (max size = '
                    f"0x{section.limit:X} bytes, reached 0x{section.size:X})",
                    also=section.place.span,
                )

    def check_stack(self) -> None:
        """Warn of PUSHS without POPS."""
        if self._stack:
            self._report.warning("unmatched-directive", "`PUSHS` without corresponding `POPS`")
