"""The map: how full the memory is, what lies where, and who put it there."""

from __future__ import annotations

from collections.abc import Iterable

from romproof.program.address_size import AddressSize
from romproof.program.image import Area, Image, Segment, Symbol

BAR = 20
"""Characters of a bar that stands for a whole memory area."""

_SIZES = {
    AddressSize.DEFAULT: "-",
    AddressSize.ZEROPAGE: "zp",
    AddressSize.ABSOLUTE: "abs",
    AddressSize.FAR: "far",
    AddressSize.LONG: "long",
}


def map_text(image: Image) -> str:
    """Memory areas, segments, the modules' shares and the exported symbols as text."""
    exported = [symbol for symbol in image.symbols if symbol.exported]
    parts = [
        ("Memory areas", _areas(image.areas)),
        ("Segments, by address", _segments(image.segments)),
        ("Modules", _modules(image.segments)),
        ("Exported symbols, by name", _symbols(sorted(exported, key=lambda s: s.name))),
        (
            "Exported symbols, by value",
            _symbols(sorted(exported, key=lambda s: (s.value, s.name))),
        ),
    ]
    return "\n".join(f"{title}\n{'-' * len(title)}\n{text}" for title, text in parts)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]], right: frozenset[int]) -> str:
    """Columns as wide as their widest entry; those in ``right`` stand to the right."""
    lines = [head, *rows]
    if len(lines) == 1:
        return "none\n"
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    text = ""
    for line in lines:
        cells = [
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        text += "  ".join(cells).rstrip() + "\n"
    return text


def _hex(value: int) -> str:
    return f"{value:06X}" if value >= 0 else str(value)


def _bar(used: int, size: int) -> str:
    """``used`` of ``size`` as a bar; already one used byte shows."""
    filled = max(BAR * used // size, min(used, 1)) if size else 0
    return "[" + "#" * filled + "." * (BAR - filled) + "]"


def _areas(areas: Iterable[Area]) -> str:
    head = ("name", "start", "end", "size", "used", "free", "%", "", "type", "file")
    rows = [
        (
            area.name,
            _hex(area.start),
            _hex(area.start + max(area.size, 1) - 1),
            str(area.size),
            str(area.used),
            str(area.size - area.used),
            f"{100 * area.used / area.size:.1f}" if area.size else "-",
            _bar(area.used, area.size),
            "rw" if area.writable else "ro",
            area.file or "-",
        )
        for area in areas
    ]
    return _table(head, rows, frozenset({3, 4, 5, 6}))


def _segments(segments: Iterable[Segment]) -> str:
    head = ("name", "run", "end", "load", "size", "align", "type", "area", "offset", "file")
    rows = [
        (
            segment.name,
            _hex(segment.run),
            _hex(segment.run + segment.size - 1),
            _hex(segment.load),
            str(segment.size),
            str(segment.alignment),
            segment.kind,
            segment.area,
            _hex(segment.file_offset) if segment.file is not None else "-",
            segment.file or "-",
        )
        for segment in sorted(segments, key=lambda s: (s.run, s.name))
        if segment.size
    ]
    return _table(head, rows, frozenset({4, 5}))


def _modules(segments: Iterable[Segment]) -> str:
    """What each module adds to each segment, and the sum of its bytes."""
    shares: dict[str, list[tuple[str, int, int]]] = {}
    for segment in segments:
        for part in segment.parts:
            if part.size:
                shares.setdefault(part.module, []).append((segment.name, part.address, part.size))
    rows: list[tuple[str, ...]] = []
    for module, parts in shares.items():
        rows.append((module, "", "", "", str(sum(size for _, _, size in parts))))
        rows += [
            ("", name, _hex(address), _hex(address + size - 1), str(size))
            for name, address, size in parts
        ]
    return _table(("module", "segment", "run", "end", "size"), rows, frozenset({4}))


def _symbols(symbols: Iterable[Symbol]) -> str:
    rows = [
        (
            symbol.name,
            _hex(symbol.value),
            _SIZES[symbol.address_size],
            "label" if symbol.is_label else "constant",
            symbol.module,
        )
        for symbol in symbols
    ]
    return _table(("name", "value", "address", "kind", "module"), rows, frozenset())
