"""Debug information in the text format of ld65 --dbgfile, version 2.0.

Debuggers read from it which line made which bytes, and what symbols mean. The
format is that of cc65 2.19 (its src/dbginfo is the reader): lines of ``key=value``
pairs, in which records name each other by number. There is no information
about imports, references and C.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from romproof.program.address_size import AddressSize
from romproof.program.image import Image, ImageLine, Segment, Symbol
from romproof.text.span import Source, Span
from romproof.toolchains.ca65.link.build import LINKER

_ADDRESS_SIZES = {
    AddressSize.DEFAULT: "absolute",
    AddressSize.ZEROPAGE: "zeropage",
    AddressSize.ABSOLUTE: "absolute",
    AddressSize.FAR: "far",
    AddressSize.LONG: "long",
}
_ELEMENTS = {
    ".byte": (1, "20"),
    ".byt": (1, "20"),
    ".word": (2, "21"),
    ".dbyt": (2, "51"),
    ".addr": (2, "4100"),
    ".faraddr": (3, "4200"),
}
"""The commands whose data ld65 knows the type of: bytes of an element, and the element's type
(cc65's common/gentype.h)."""
_ARRAY = 0x80
_STATEMENT = re.compile(r"\s*(?:[@\w]*:=?\s*)?(?P<word>\.?\w+)")
_MACRO = 2
"""The type of a line in a macro's body; 0 is any other of an assembler source."""


@dataclass(slots=True)
class _Records:
    """Records of one kind: each once, numbered in the order they are asked for."""

    numbers: dict[tuple[object, ...], int] = field(default_factory=dict)

    def number(self, *record: object) -> int:
        """The number of a record."""
        return self.numbers.setdefault(record, len(self.numbers))


def debug_info(image: Image) -> str:
    """The file's text."""
    return _Writer(image).text()


class _Writer:
    def __init__(self, image: Image) -> None:
        self._image = image
        self._modules = _Records()
        self._files = _Records()
        self._file_modules: dict[int, list[int]] = {}
        self._sizes: dict[int, int] = {}
        self._lines = _Records()
        self._line_spans: dict[int, list[int]] = {}
        self._spans = _Records()
        self._scopes = _Records()
        self._types = _Records()
        self._segments = {segment.name: n for n, segment in enumerate(image.segments)}
        for source in image.sources:
            self._add_file(source)

    def text(self) -> str:
        """All records; those that others refer to are known before they are counted."""
        self._add_lines()
        self._add_calls()
        routines = self._routines()
        symbols = list(self._symbols())
        scopes = list(self._scope_records(routines))
        parts = {
            "file": list(self._file_records()),
            "line": list(self._line_records()),
            "mod": [f'name="{_quoted(str(n[0]))}",file={n[1]}' for n in self._modules.numbers],
            "seg": [self._segment(segment) for segment in self._image.segments],
            "span": list(self._span_records()),
            "scope": scopes,
            "sym": symbols,
            "type": [f'val="{value}"' for (value,) in self._types.numbers],
        }
        counts = {"csym": 0, "lib": 0} | {key: len(part) for key, part in parts.items()}
        lines = ["version\tmajor=2,minor=0"]
        lines.append("info\t" + ",".join(f"{key}={counts[key]}" for key in sorted(counts)))
        for key, part in parts.items():
            lines += [f"{key}\tid={number},{record}" for number, record in enumerate(part)]
        return "\n".join(lines) + "\n"

    # -- files and modules -------------------------------------------------------

    def _add_file(self, source: Source) -> None:
        number = self._files.number(source.name)
        self._sizes[number] = len(source.text.encode("utf-8", "surrogateescape"))
        main = source
        while main.via is not None:
            main = main.via.span.source
        module = self._modules.number(main.name, self._files.number(main.name))
        modules = self._file_modules.setdefault(number, [])
        if module not in modules:
            modules.append(module)

    def _module(self, name: str) -> int:
        return self._modules.number(name, self._files.number(name))

    def _file_records(self) -> Iterator[str]:
        for (name,), number in self._files.numbers.items():
            modules = "+".join(map(str, self._file_modules.get(number, [])))
            where = f",mod={modules}" if modules else ""
            size = self._sizes.get(number, 0)
            time = _time_of(str(name)) & 0xFFFFFFFF
            yield f'name="{_quoted(str(name))}",size={size},mtime=0x{time:08X}{where}'

    # -- lines -------------------------------------------------------------------

    def _line(self, span: Span) -> int:
        """The number of the line of ``span``."""
        steps = list(_calls(span))
        kind = _MACRO if any("macro" in step for step in steps) else 0
        return self._lines.number(self._files.number(span.source.name), span.line, kind, len(steps))

    def _place(self, line: int, segment: str, address: int, size: int, type: str = "") -> None:
        """Say that a line made some bytes, unless .org claims other addresses for them."""
        number = self._segments[segment]
        start = address - self._image.segments[number].run
        if start >= 0 and start + size <= self._image.segments[number].size:
            kind = self._types.number(type) if type else None
            span = self._spans.number(number, start, size, kind)
            spans = self._line_spans.setdefault(line, [])
            if span not in spans:
                spans.append(span)

    def _span_records(self) -> Iterator[str]:
        for segment, start, size, type in self._spans.numbers:
            yield f"seg={segment},start={start},size={size}" + (
                f",type={type}" if type is not None else ""
            )

    def _add_lines(self) -> None:
        for line in self._image.lines:
            if line.size:
                number = self._line(line.span)
                self._place(number, line.segment, line.address, line.size, _type_of(line))

    def _add_calls(self) -> None:
        """What macros and loops made belongs to the lines of the calls, too."""
        depth = 0
        while self._add_calls_at(depth):
            depth += 1

    def _add_calls_at(self, depth: int) -> bool:
        """The calls in so many others; whether there are any."""
        run: list[ImageLine] = []
        calls = [
            (line, call)
            for line in self._image.lines
            if line.size and (call := _call(line.span, depth)) is not None
        ]
        last: Span | None = None
        for line, call in calls:
            if run and last is not None and not _continues(run[-1], last, line, call):
                self._add_call(run, last)
                run = []
            run.append(line)
            last = call
        if run and last is not None:
            self._add_call(run, last)
        return bool(calls)

    def _add_call(self, run: list[ImageLine], call: Span) -> None:
        size = sum(line.size for line in run)
        self._place(self._line(call), run[0].segment, run[0].address, size)

    def _line_records(self) -> Iterator[str]:
        for (file, line, kind, count), number in self._lines.numbers.items():
            record = f"file={file},line={line}"
            if kind:
                record += f",type={kind}"
            if count:
                record += f",count={count}"
            spans = "+".join(map(str, self._line_spans.get(number, [])))
            yield record + (f",span={spans}" if spans else "")

    # -- segments, scopes, symbols -----------------------------------------------

    def _segment(self, segment: Segment) -> str:
        zero = segment.kind == "zp"
        record = f'name="{segment.name}",start=0x{segment.run:06X},size=0x{segment.size:04X}'
        record += f",addrsize={'zeropage' if zero else 'absolute'}"
        record += f",type={'ro' if segment.kind == 'ro' else 'rw'}"
        if segment.file is not None:
            record += f',oname="{_quoted(segment.file)}",ooffs={segment.file_offset}'
        return record

    def _routines(self) -> dict[tuple[object, ...], tuple[int, int, int]]:
        """Size, span and symbol of the scopes that are procedures; numbers the files' before."""
        for module in range(len(self._modules.numbers)):
            self._scopes.number(module, "")
        procedures: dict[tuple[object, ...], tuple[int, int, int]] = {}
        symbols = {(s.module, s.name): (n, s) for n, s in enumerate(self._shown())}
        for routine in self._image.routines:
            symbol, label = symbols.get((routine.module, routine.name), (None, None))
            if symbol is None or label is None or label.segment not in self._segments:
                continue
            number = self._segments[label.segment]  # an address may be one of several banks
            start = routine.address - self._image.segments[number].run
            if not 0 <= start <= start + routine.size <= self._image.segments[number].size:
                continue  # .org claims other addresses for it
            span = self._spans.number(number, start, routine.size, None)
            module = self._module(routine.module)
            self._scope(module, routine.name)
            procedures[module, routine.name] = (routine.size, span, symbol)
        return procedures

    def _scope(self, module: int, name: str) -> int:
        """The number of a scope; those around it get theirs before."""
        if name:
            self._scope(module, name.rpartition("::")[0])
        return self._scopes.number(module, name)

    def _scope_records(
        self, routines: dict[tuple[object, ...], tuple[int, int, int]]
    ) -> Iterator[str]:
        for key in list(self._scopes.numbers):
            module, name = key
            around, _, own = str(name).rpartition("::")
            record = f'name="{own}",mod={module}'
            if name:
                record += f",type=scope,parent={self._scopes.numbers[module, around]}"
            else:
                spans = "+".join(map(str, self._module_spans(int(str(module)))))
                record += f",span={spans}" if spans else ""
            if key in routines:
                size, span, symbol = routines[key]
                record += f",size={size},sym={symbol},span={span}"
            yield record

    def _module_spans(self, module: int) -> list[int]:
        """The spans of all that a module has in the segments."""
        name = list(self._modules.numbers)[module][0]
        return [
            self._spans.number(number, part.address - segment.run, part.size, None)
            for number, segment in enumerate(self._image.segments)
            for part in segment.parts
            if part.module == name and part.size
        ]

    def _shown(self) -> Iterator[Symbol]:
        """Symbols that a source defines; the linker's own are no part of the file."""
        for symbol in self._image.symbols:
            if symbol.span is not None and symbol.module != LINKER:
                yield symbol

    def _symbols(self) -> Iterator[str]:
        numbers = {(s.module, s.name): n for n, s in enumerate(self._shown())}
        for symbol in self._shown():
            assert symbol.span is not None
            owner, at, local = symbol.name.rpartition("@")
            scope, _, own = symbol.name.rpartition("::")
            record = f'name="{at + local if at else own}"'
            record += f",addrsize={_ADDRESS_SIZES[symbol.address_size]}"
            if symbol.size:
                record += f",size={symbol.size}"
            parent = numbers.get((symbol.module, owner)) if at else None
            if parent is not None:
                record += f",parent={parent}"
            else:
                record += f",scope={self._scope(self._module(symbol.module), scope)}"
            record += f",def={self._line(symbol.span)},val=0x{symbol.value & 0xFFFFFFFF:X}"
            if symbol.segment in self._segments:
                record += f",seg={self._segments[symbol.segment]}"
            yield record + f",type={'lab' if symbol.is_label else 'equ'}"


def _calls(span: Span) -> Iterator[str]:
    """The macro calls and loops around a place, in the same file."""
    via = span.via
    while via is not None:
        yield via.what
        via = via.span.via


def _call(span: Span, depth: int) -> Span | None:
    """The call that made a place and is nested in ``depth`` others; None where there is none."""
    chain = [span]
    while chain[-1].via is not None:
        chain.append(chain[-1].via.span)
    return chain[-1 - depth] if len(chain) - 1 > depth else None


def _continues(before: ImageLine, call: Span, line: ImageLine, other: Span) -> bool:
    """Whether two pieces are adjacent and come from one call."""
    same = (call.source, call.line, _outer(call)) == (other.source, other.line, _outer(other))
    return same and before.segment == line.segment and before.address + before.size == line.address


def _outer(call: Span) -> tuple[int, ...]:
    """The lines that led to a call."""
    lines: list[int] = []
    while call.via is not None:
        call = call.via.span
        lines.append(call.line)
    return tuple(lines)


def _type_of(line: ImageLine) -> str:
    """The type of a line's data; "" where ld65 knows none."""
    word = _STATEMENT.match(line.span.text)
    command = "" if word is None or line.is_code else word["word"].lower()
    if command not in _ELEMENTS:
        return ""
    size, element = _ELEMENTS[command]
    count = line.size // size
    digits = max(1, (count.bit_length() + 7) // 8)
    if count * size != line.size:
        return ""
    return f"{_ARRAY + digits - 1:02X}{count.to_bytes(digits, 'little').hex().upper()}{element}"


def _time_of(name: str) -> int:
    """When a source was written, in seconds; 0 where it is no file."""
    try:
        return int(os.stat(name).st_mtime)
    except (OSError, ValueError):
        return 0


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
