"""Parses a linker configuration in the language of ld65.

A fault costs only the entry it is in: the parser goes on behind the next
semicolon, so that one run reports all faults of a file.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.text.diagnostic import BuildFailed, Diagnostics, TooManyErrors, suggest
from romproof.text.span import Source, Span
from romproof.toolchains.ca65.link.config import (
    Config,
    FileRule,
    Format,
    MemoryArea,
    SegmentRule,
    SymbolRule,
    TableRule,
)
from romproof.toolchains.ca65.link.config_blocks import (
    parse_area,
    parse_feature,
    parse_file,
    parse_format,
    parse_segment,
    parse_symbol,
)
from romproof.toolchains.ca65.link.config_lexer import ConfigKind
from romproof.toolchains.ca65.link.config_reader import ConfigReader, SyntaxFault

_BLOCKS = ("MEMORY", "FILES", "SEGMENTS", "FORMATS", "FEATURES", "SYMBOLS")


@dataclass
class _Parser:
    reader: ConfigReader
    areas: dict[str, MemoryArea] = field(default_factory=dict)
    segments: dict[str, SegmentRule] = field(default_factory=dict)
    files: list[FileRule] = field(default_factory=list)
    tables: dict[int, TableRule] = field(default_factory=dict)
    symbols: list[SymbolRule] = field(default_factory=list)

    def config(self) -> Config:
        """Read the whole file."""
        while True:
            try:
                self._block()
            except SyntaxFault:
                self._skip_block()
            if self.reader.at(ConfigKind.END):
                break
        return Config(
            source=self.reader.source,
            areas=tuple(self.areas.values()),
            segments=tuple(self.segments.values()),
            files=tuple(self.files),
            symbols=tuple(self.symbols),
            tables=tuple(self.tables.values()),
        )

    def _block(self) -> None:
        reader = self.reader
        place = reader.token.span
        block = reader.keyword(_BLOCKS, "a block (MEMORY, SEGMENTS, ...)")
        if block in ("FILES", "SEGMENTS") and not self.areas:
            reader.diagnostics.error(f"{block} comes before MEMORY", place)
        reader.expect("{", f"after {block}")
        while not reader.token.is_mark("}") and not reader.at(ConfigKind.END):
            try:
                self._entry(block)
                reader.expect(";", "at the end of the entry")
            except SyntaxFault:
                reader.skip_entry()
        reader.expect("}", f"at the end of {block}")

    def _entry(self, block: str) -> None:
        reader = self.reader
        if block == "MEMORY":
            area = parse_area(reader)
            if self._is_new("memory area", area.name, self.areas.get(area.name), area.span):
                self.areas[area.name] = area
        elif block == "SEGMENTS":
            rule = parse_segment(reader)
            if self._is_new("segment", rule.name, self.segments.get(rule.name), rule.span):
                self.segments[rule.name] = rule
            self._check_segment(rule)
        elif block == "FILES":
            file = parse_file(reader)
            self.files.append(file)
            self._check_file(file)
        elif block == "SYMBOLS":
            symbol = parse_symbol(reader)
            self.symbols.append(symbol)
            reader.declared = len(self.symbols)
        elif block == "FEATURES":
            table = parse_feature(reader)
            if table is not None and self._is_new(
                "table of type", str(table.type), self.tables.get(table.type), table.span
            ):
                self.tables[table.type] = table
        else:
            parse_format(reader)

    def _is_new(
        self,
        what: str,
        name: str,
        old: MemoryArea | SegmentRule | TableRule | None,
        span: Span,
    ) -> bool:
        if old is not None:
            self.reader.diagnostics.error(
                f"{what} '{name}' is defined twice", span, notes=(("first defined", old.span),)
            )
        return old is None

    def _check_segment(self, rule: SegmentRule) -> None:
        diagnostics = self.reader.diagnostics
        for name in dict.fromkeys((rule.load, rule.run)):
            if name not in self.areas:
                diagnostics.error(
                    f"invalid memory area '{name}' for segment '{rule.name}'",
                    rule.span,
                    suggest(name, self.areas),
                )
        area = self.areas.get(rule.run)
        if area is not None and not area.writable and not rule.kind.read_only:
            diagnostics.error(
                f"read/write segment '{rule.name}' is put into the read-only "
                f"memory area '{area.name}'",
                rule.span,
                help="make the segment type = ro, or give it a run area in RAM",
                notes=(("the memory area", area.span),),
            )
        if rule.load == rule.run and rule.align_load is not None:
            diagnostics.warning(
                f"align_load of segment '{rule.name}' has no effect without a run area",
                rule.span,
            )
        if rule.load != rule.run and not rule.kind.is_stored:
            diagnostics.warning(
                f"segment '{rule.name}' has no contents, but different load and run areas",
                rule.span,
            )

    def _check_file(self, file: FileRule) -> None:
        diagnostics = self.reader.diagnostics
        if file.format is not Format.BINARY:
            diagnostics.error(
                f"the file format '{file.format.value}' is not supported",
                file.span,
                help="romproof writes plain binary files: format = bin",
            )
        if sum(1 for other in self.files if other.name == file.name) > 1:
            diagnostics.error("the format of this file is already set", file.span)

    def _skip_block(self) -> None:
        reader = self.reader
        while not reader.at(ConfigKind.END) and not reader.accept("}"):
            reader.advance()


def parse_config(source: Source, diagnostics: Diagnostics) -> Config:
    """The configuration in ``source``. Raises BuildFailed when it has faults.

    Warnings stay in ``diagnostics``.
    """
    try:
        config = _Parser(ConfigReader(source, diagnostics)).config()
    except TooManyErrors:
        raise BuildFailed(diagnostics.items) from None
    diagnostics.raise_if_failed()
    return config
