"""Looking things up in an image by name and by address."""

from __future__ import annotations

import pytest

from romproof.program.address_size import AddressSize
from romproof.program.image import Image, ImageLine, Routine, Segment, Symbol, UnknownSymbol
from romproof.text.span import Source, Span

SOURCE = Source("main.s", "start: nop\n nop\n")


def symbol(name: str, value: int, exported: bool = False, module: str = "main.s") -> Symbol:
    return Symbol(name, value, AddressSize.ABSOLUTE, True, exported, None, module, None)


def image(*symbols: Symbol) -> Image:
    code = Segment("CODE", 0x8000, 0x8000, 0x10, 1, "ro", "ROM", "rom.bin", 0, ())
    lines = (
        ImageLine(0x8000, 1, b"\xea", True, "CODE", Span(SOURCE, 1, 8)),
        ImageLine(0x8001, 1, b"\xea", True, "CODE", Span(SOURCE, 2, 2)),
    )
    routines = (
        Routine("outer", 0x8000, 8, "main.s", Span(SOURCE, 1, 1)),
        Routine("outer::inner", 0x8002, 2, "main.s", Span(SOURCE, 1, 1)),
    )
    return Image("mos6502", (), (), (), (code,), symbols, lines, routines, (SOURCE,))


def test_an_exported_symbol_wins_over_private_ones() -> None:
    found = image(symbol("x", 1), symbol("x", 2, exported=True), symbol("x", 3))
    assert found.address("x") == 2


def test_private_symbols_of_several_modules_are_ambiguous() -> None:
    found = image(symbol("x", 1, module="a.s"), symbol("x", 2, module="b.s"))
    with pytest.raises(UnknownSymbol, match=r"a\.s, b\.s"):
        found.address("x")


def test_an_unknown_symbol_gets_a_suggestion() -> None:
    with pytest.raises(UnknownSymbol, match="did you mean 'shuffle'"):
        image(symbol("shuffle", 1)).address("shufle")


def test_addresses_are_described_by_the_label_before_them() -> None:
    found = image(symbol("start", 0x8000, exported=True), symbol("start@x", 0x8000))
    assert found.describe(0x8000) == "$8000 (start)"
    assert found.describe(0x8003) == "$8003 (start+3)"
    assert found.describe(0x9000) == "$9000"


def test_lines_segments_and_routines_by_address() -> None:
    found = image()
    line = found.line_at(0x8001)
    assert line is not None
    assert line.span.line == 2
    assert found.line_at(0x8002) is None
    segment = found.segment_at(0x800F)
    assert segment is not None
    assert segment.name == "CODE"
    assert found.segment_at(0x8010) is None
    inner, outer = found.routine_at(0x8003), found.routine_at(0x8005)
    assert inner is not None
    assert outer is not None
    assert (inner.name, outer.name) == ("outer::inner", "outer")
