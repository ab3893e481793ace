"""Debug information in the text format of ld65 --dbgfile, version 2.0.

Debuggers read from it which line made which bytes, and what symbols mean. The format is that of
cc65 2.19 (its src/dbginfo is the reader, ld65/dbgfile.c the writer): lines of ``key=value`` pairs,
in which records name each other by number. Numbers of a module are those of its tables, plus
what the modules before it have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from romproof.toolchains.ca65.link.config import SegmentKind
from romproof.toolchains.ca65.link.linker import Linked
from romproof.toolchains.ca65.link.modules import Module, SymbolValues, files_in_order, modules_of
from romproof.toolchains.ca65.link.state import SegmentState
from romproof.toolchains.ca65.obj import rows as row_of
from romproof.toolchains.ca65.obj import tables as raw
from romproof.toolchains.ca65.obj.dialect import Change

T = TypeVar("T")
ADDRESS_SIZES = ("default", "zeropage", "absolute", "far", "long")
_SCOPES = {
    raw.GLOBAL_SCOPE: ",type=global",
    raw.SCOPE_SCOPE: ",type=scope",
    raw.STRUCT_SCOPE: ",type=struct",
    raw.ENUM_SCOPE: ",type=enum",
}
_STORAGE = {
    raw.C_AUTO: "auto",
    raw.C_REGISTER: "reg",
    raw.C_STATIC: "static",
    raw.C_EXTERN: "ext",
}
Pools = Sequence[tuple[Sequence[str], Sequence[raw.File]]]


def debug_info(linked: Linked, pools: Pools = ()) -> str:
    """The file's text. ``pools`` are the strings and files of all modules that were read, of those
    too that are not linked; none: those of the linked ones."""
    return _Writer(linked, pools).text()


class _Bases:
    """The first number of each module in one kind of records, and how many records there are."""

    def __init__(self, modules: Sequence[Module], rows: Callable[[Module], Sequence[object]]):
        self.first: dict[int, int] = {}
        self.count = 0
        for module in modules:
            self.first[module.number] = self.count
            self.count += len(rows(module))

    def __getitem__(self, module: Module) -> int:
        return self.first[module.number]


class _Writer:
    def __init__(self, linked: Linked, pools: Pools) -> None:
        self._state = linked.state
        self._values = SymbolValues(linked)
        self._modules = modules_of(linked.state.objects)
        self._number = {module.number: n for n, module in enumerate(self._modules)}
        pools = pools or [(m.tables.strings, m.tables.files) for m in self._modules]
        self._files = files_in_order(pools)
        self._all_files = len(self._files)
        self._drop_unused_files()
        self._libraries = list(dict.fromkeys(m.library for m in self._modules if m.library))
        self._segments = {id(s): n for n, s in enumerate(self._state.segments.values())}
        self._c_symbols = _Bases(self._modules, lambda m: m.tables.c_symbols)
        self._lines = _Bases(self._modules, lambda m: m.tables.lines)
        self._scopes = _Bases(self._modules, lambda m: m.tables.scopes)
        self._spans = _Bases(self._modules, lambda m: m.tables.spans)
        self._symbols = _Bases(self._modules, lambda m: m.tables.symbols)
        self._types: dict[str, int] = {}
        for module in self._modules:
            for row in module.tables.c_symbols:
                self._types.setdefault(row.type, len(self._types))
            for span in module.tables.spans:
                if span.type:
                    self._types.setdefault(span.type, len(self._types))

    def _drop_unused_files(self) -> None:
        used = {
            (file.name, file.size, file.time)
            for module in self._modules
            for file in module.tables.files
        }
        kept = [row for row in self._files if row in used]
        self._files = {row: number for number, row in enumerate(kept)}

    def text(self) -> str:
        """All records. In ld65 2.19 the count of files is that before the files of modules
        that are not linked were dropped."""
        later = Change.MORE_IN_DBGFILE in self._state.dialect
        counts = {
            "csym": self._c_symbols.count,
            "file": len(self._files) if later else self._all_files,
            "lib": len(self._libraries),
            "line": self._lines.count,
            "mod": len(self._modules),
            "scope": self._scopes.count,
            "seg": len(self._segments),
            "span": self._spans.count,
            "sym": self._symbols.count,
            "type": len(self._types),
        }
        info = ",".join(f"{kind}={count}" for kind, count in counts.items())
        lines = ["version\tmajor=2,minor=0", f"info\t{info}"]
        for kind, rows in (
            ("csym", self._each(lambda m: m.tables.c_symbols, self._c_symbol)),
            ("file", self._file_rows()),
            ("lib", (f'name="{name}"' for name in self._libraries)),
            ("line", self._each(lambda m: m.tables.lines, self._line)),
            ("mod", map(self._module, self._modules)),
            ("seg", map(self._segment, self._state.segments.values())),
            ("span", self._each(lambda m: m.tables.spans, self._span)),
            ("scope", self._scope_rows()),
            ("sym", self._each(lambda m: m.tables.symbols, self._symbol)),
            ("type", (f'val="{raw.bytes_of(text).hex().upper()}"' for text in self._types)),
        ):
            lines += [f"{kind}\tid={number},{row}" for number, row in enumerate(rows)]
        return "\n".join(lines) + "\n"

    def _each(
        self, rows: Callable[[Module], Iterable[T]], show: Callable[[Module, T], str]
    ) -> Iterator[str]:
        for module in self._modules:
            for row in rows(module):
                yield show(module, row)

    # -- records ---------------------------------------------------------------------

    def _file(self, module: Module, number: int) -> int:
        file = module.tables.files[number]
        return self._files[file.name, file.size, file.time]

    def _file_rows(self) -> Iterator[str]:
        users: dict[int, list[int]] = {}
        for module in self._modules:
            for number in range(len(module.tables.files)):
                own = self._number[module.number]
                users.setdefault(self._file(module, number), []).append(own)
        for (name, size, time), number in self._files.items():
            by = "+".join(map(str, users[number]))
            yield f'name="{name}",size={size},mtime=0x{time:08X},mod={by}'

    def _module(self, module: Module) -> str:
        row = f'name="{module.name}",file={self._file(module, 0)}'
        return row + (f",lib={self._libraries.index(module.library)}" if module.library else "")

    def _segment(self, segment: SegmentState) -> str:
        rule = segment.rule
        read_only = rule is not None and rule.kind in (
            SegmentKind.READ_ONLY,
            SegmentKind.OVERWRITE,
        )
        row = f'name="{segment.name}",start=0x{segment.run:06X},size=0x{segment.size:04X}'
        row += f",addrsize={ADDRESS_SIZES[segment.address_size]}"
        row += f",type={'ro' if read_only else 'rw'}"
        if rule is not None and segment.file_offset is not None:
            output = self._state.areas[rule.load].file
            row += f',oname="{output}",ooffs={segment.file_offset}'
        area = segment.area
        if (
            area is not None
            and area.bank is not None
            and Change.MORE_IN_DBGFILE in self._state.dialect
        ):
            row += f",bank={area.bank}"
        return row

    def _span_list(self, module: Module, spans: Sequence[int]) -> str:
        """ld65 has the lists of spans from the last to the first."""
        if not spans:
            return ""
        base = self._spans[module]
        return ",span=" + "+".join([str(base + number) for number in reversed(spans)])

    def _span(self, module: Module, span: row_of.SpanRow) -> str:
        place = self._state.places[module.number][span.segment]
        row = f"seg={self._segments[id(place.segment)]},start={place.offset + span.start}"
        kind = f",type={self._types[span.type]}" if span.type else ""
        return f"{row},size={span.size}{kind}"

    def _line(self, module: Module, line: row_of.LineRow) -> str:
        row = f"file={self._file(module, line.file)},line={line.line}"
        if line.type & 3:
            row += f",type={line.type & 3}"
        if line.type >> 2:
            row += f",count={line.type >> 2}"
        return row + self._span_list(module, line.spans)

    def _scope_rows(self) -> Iterator[str]:
        for module in self._modules:
            base = self._scopes[module]
            for number, scope in enumerate(module.tables.scopes):
                row = f'name="{scope.name}",mod={self._number[module.number]}'
                row += _SCOPES.get(scope.type, "")
                row += f",size={scope.size}" if scope.size else ""
                row += f",parent={base + scope.parent}" if scope.parent != number else ""
                if scope.label is not None:
                    row += f",sym={self._symbols[module] + scope.label}"
                yield row + self._span_list(module, scope.spans)

    def _line_list(self, key: str, module: Module, lines: Sequence[int]) -> str:
        if not lines:
            return ""
        base = self._lines[module]
        return f",{key}=" + "+".join([str(base + number) for number in lines])

    def _symbol(self, module: Module, symbol: row_of.SymbolRow) -> str:
        row = f'name="{symbol.name}",addrsize={_address_size(symbol.address_size)}'
        row += f",size={symbol.size}" if symbol.size else ""
        if symbol.flags & raw.IS_CHEAP_LOCAL:
            row += f",parent={self._symbols[module] + symbol.owner & 0xFFFFFFFF}"
        else:
            row += f",scope={self._scopes[module] + symbol.owner}"
        row += self._line_list("def", module, symbol.definitions)
        row += self._line_list("ref", module, symbol.references)
        if symbol.imported is not None:
            return row + ",type=imp" + self._exporter(module.tables.imports[symbol.imported].name)
        row += f",val=0x{self._values.number(module, symbol.value):X}"
        segment = self._values.segment(module, symbol.value)
        if segment is not None:
            row += f",seg={self._segments[id(segment)]}"
        return row + f",type={'lab' if symbol.flags & raw.IS_LABEL else 'equ'}"

    def _exporter(self, name: str) -> str:
        """The symbol that an import stands for, where its module has debug information."""
        definition = self._state.definitions.get(name)
        if definition is None or definition.module not in self._number:
            return ""
        module = self._modules[self._number[definition.module]]
        if not module.tables.debug:
            return ""
        for number, symbol in enumerate(module.tables.symbols):
            if symbol.exported is None:
                continue
            if module.tables.exports[symbol.exported].name == name:
                return f",exp={self._symbols[module] + number}"
        return ""

    def _c_symbol(self, module: Module, symbol: row_of.CSymbol) -> str:
        row = f'name="{symbol.name}",scope={self._scopes[module] + symbol.scope}'
        row += f",type={self._types[symbol.type]}"
        row += f",sc={_STORAGE.get(symbol.flags & raw.C_STORAGE, 'auto')}"
        row += f",offs={symbol.offset}" if symbol.offset else ""
        if symbol.symbol is not None:
            row += f",sym={self._symbols[module] + symbol.symbol}"
        return row


def _address_size(size: int) -> str:
    return ADDRESS_SIZES[size] if size < len(ADDRESS_SIZES) else "unknown"
