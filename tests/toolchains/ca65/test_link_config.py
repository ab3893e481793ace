"""The parser of linker configurations: what it reads, and what it says of faults."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.program.address_size import AddressSize
from romproof.text.diagnostic import BuildFailed, Diagnostics, Severity
from romproof.text.span import Source
from romproof.toolchains.ca65.link import Config, default_config, parse_config
from romproof.toolchains.ca65.link.config import SegmentKind, SymbolKind
from romproof.toolchains.ca65.obj.expr import Binary, BinaryOp, Literal

MEMORY = (
    "MEMORY { ROM: start = $8000, size = $100; RO: start = 0, size = 1, type = ro;"
    " RAM: start = 0, size = 1; }\n"
)


def parse(text: str) -> Config:
    diagnostics = Diagnostics()
    config = parse_config(Source("layout.cfg", text), diagnostics)
    assert [item for item in diagnostics.items if item.severity is Severity.ERROR] == []
    return config


def faults(text: str) -> list[str]:
    """``line:col message`` of all errors in a configuration."""
    with pytest.raises(BuildFailed) as failed:
        parse_config(Source("layout.cfg", text), Diagnostics())
    return [
        f"{d.span.line}:{d.span.col} {d.message}" if d.span else d.message
        for d in failed.value.diagnostics
        if d.severity is Severity.ERROR
    ]


def test_memory_area_with_all_attributes() -> None:
    config = parse(
        'MEMORY { A: start = $10, size = 2, type = ro, file = "x", fill = yes,'
        " fillval = $EA, define = true, bank = 3; }"
    )
    (area,) = config.areas
    assert (area.name, area.writable, area.fill, area.define) == ("A", False, True, True)
    assert (area.start.expr, area.size.expr) == (Literal(16), Literal(2))
    assert area.fill_value is not None
    assert area.fill_value.expr == Literal(0xEA)
    assert area.bank is not None
    assert area.bank.expr == Literal(3)
    assert area.file.expand("out") == "x"


def test_separators_are_optional_and_names_of_attributes_have_no_case() -> None:
    config = parse("memory { A: START $10 Size=2 TYPE Rw Fill 1 ; }\n# the end\n")
    (area,) = config.areas
    assert (area.start.expr, area.writable, area.fill) == (Literal(16), True, True)


def test_names_of_areas_keep_their_case() -> None:
    config = parse("MEMORY { a: start=0,size=1; A: start=0,size=1; }")
    assert [area.name for area in config.areas] == ["a", "A"]


@pytest.mark.parametrize(
    ("written", "expanded"),
    [("%O", "out"), ('"%O.lo"', "out.lo"), ('"100%%"', "100%"), ('""', ""), ('"a b"', "a b")],
)
def test_file_names(written: str, expanded: str) -> None:
    config = parse(f"MEMORY {{ A: start = 0, size = 1, file = {written}; }}")
    assert config.areas[0].file.expand("out") == expanded


def test_an_area_without_file_goes_to_the_output() -> None:
    assert parse("MEMORY { A: start = 0, size = 1; }").areas[0].file.expand("x.bin") == "x.bin"


def test_expressions_bind_as_in_arithmetic() -> None:
    config = parse("MEMORY { A: start = 1 + 2 * 3 - 4, size = (1 + 2) * $10 / -3; }")
    start, size = config.areas[0].start.expr, config.areas[0].size.expr
    product = Binary(BinaryOp.MUL, Literal(2), Literal(3))
    assert start == Binary(BinaryOp.SUB, Binary(BinaryOp.ADD, Literal(1), product), Literal(4))
    assert isinstance(size, Binary)
    assert size.op is BinaryOp.DIV


def test_segment_with_all_attributes() -> None:
    config = parse(
        "MEMORY { A: start=0,size=1; B: start=0,size=1; }"
        "SEGMENTS { S: load = A, run = B, type = overwrite, offset = 4, align_load = 2,"
        " define = yes, optional = yes, fillval = 1; }"
    )
    (rule,) = config.segments
    assert (rule.load, rule.run, rule.kind) == ("A", "B", SegmentKind.OVERWRITE)
    assert (rule.define, rule.optional, rule.align) == (True, True, None)
    assert rule.offset is not None
    assert rule.offset.expr == Literal(4)


def test_run_area_defaults_to_the_load_area_and_type_to_rw() -> None:
    (rule,) = parse(MEMORY + "SEGMENTS { S: load = ROM; }").segments
    assert (rule.run, rule.kind) == ("ROM", SegmentKind.READ_WRITE)


def test_symbols() -> None:
    config = parse(
        "SYMBOLS { a: type = export, value = 1, addrsize = zp;"
        " b: type = import; c: type = weak, value = a + 1; }"
    )
    kinds = [symbol.kind for symbol in config.symbols]
    assert kinds == [SymbolKind.EXPORT, SymbolKind.IMPORT, SymbolKind.WEAK]
    sizes = [symbol.address_size for symbol in config.symbols]
    assert sizes == [AddressSize.ZEROPAGE, AddressSize.ABSOLUTE, AddressSize.ABSOLUTE]


def test_constructor_tables() -> None:
    config = parse(
        "FEATURES { CONDES: type = destructor, label = l, segment = S, count = n,"
        " order = decreasing, import = i; CONDES: segment = S, label = m, type = 6; }"
    )
    first, second = config.tables
    assert (first.type, first.label, first.count, first.forced) == (1, "l", "n", "i")
    assert (first.decreasing, second.decreasing, second.type) == (True, False, 6)


def test_formats_are_read_and_forgotten() -> None:
    config = parse(
        "FORMATS { O65: os = cc65, version = 1, type = small, id = $8000,"
        " import = a, import = b; BIN: ; ATARI: runad = main, initad = A : b; }"
    )
    assert config.areas == ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "1:1 expected a block (MEMORY, SEGMENTS, ...), found the end of the file"),
        ("MEMROY { }", "1:1 'MEMROY' is not a block (MEMORY, SEGMENTS, ...)"),
        ("MEMORY A", "1:8 expected '{' after MEMORY, found 'A'"),
        ("MEMORY { A: start = 1; }", "1:10 SIZE attribute is missing"),
        ("MEMORY { A: strat = 1; }", "1:13 'strat' is not an attribute here"),
        ("MEMORY { A start = 1; }", "1:12 expected ':' after the name of the memory area"),
        ("MEMORY { A: start = 1, size = 1 }", "1:33 expected ';' at the end of the entry"),
        ("MEMORY { A: start = , size = 1; }", "1:21 expected a number or a symbol, found ','"),
        ("MEMORY { A: start = (1, size = 1; }", "1:23 expected ')' after the expression"),
        ("MEMORY { A: start = $, size = 1; }", "1:21 hex digits expected after '$'"),
        ("MEMORY { A: start = %1, size = 1; }", "1:21 '%1' has no meaning"),
        ("MEMORY { A: start = 1, start = 2, size = 1; }", "1:24 START is already defined"),
        ("MEMORY { A: start = 1, size = 1, type = rom; }", "1:41 'rom' is not a type of memory"),
        ("MEMORY { A: start = 1, size = 1, fill = maybe; }", "1:41 'maybe' is not yes or no"),
        ("MEMORY { A: start = 1, size = 1, file = x; }", "1:41 expected a file name in quotes"),
        (
            'MEMORY { A: start = 1, size = 1, file = "x; }',
            "1:41 the file name has no closing quote",
        ),
        (
            "MEMORY { A: start=0,size=1; A: start=0,size=1; }",
            "1:29 memory area 'A' is defined twice",
        ),
        ("MEMORY { ! }", "1:10 '!' has no meaning in a linker configuration"),
        ("SEGMENTS { }", "1:1 SEGMENTS comes before MEMORY"),
        (MEMORY + "SEGMENTS { S: type = ro; }", "2:12 LOAD attribute is missing"),
        (MEMORY + "SEGMENTS { S: load = RMO; }", "2:12 invalid memory area 'RMO' for segment 'S'"),
        (MEMORY + "SEGMENTS { S: load = RO; }", "2:12 read/write segment 'S' is put into"),
        (
            MEMORY + "SEGMENTS { S: load = ROM, align = 2, start = 4; }",
            "2:38 segment 'S' has ALIGN and START; only one of them is possible",
        ),
        (MEMORY + "FILES { %O: format = o65; }", "2:9 the file format 'o65' is not supported"),
        (MEMORY + "FILES { %O: format = atari; }", "2:9 the file format 'atari' is not supported"),
        ("SYMBOLS { a: value = 1; }", "1:11 TYPE attribute is missing"),
        ("SYMBOLS { a: type = export; }", "1:11 VALUE attribute is missing"),
        ("SYMBOLS { a: type = import, value = 1; }", "1:11 an imported symbol has no value"),
        ("FEATURES { CONDES: type = 7; }", "1:27 types of tables are numbered 0 to 6"),
        ("FEATURES { STARTADDRESS: ; }", "1:12 DEFAULT attribute is missing"),
        ("FORMATS { O65: type = small; }", "1:11 OS attribute is missing"),
    ],
)
def test_faults_point_at_their_place(text: str, fault: str) -> None:
    assert any(found.startswith(fault) for found in faults(text)), faults(text)


@pytest.mark.quick_cases("-")
@pytest.mark.parametrize("opening", ["(", "-", "+", "-(+"])
def test_numbers_nested_too_deeply_are_a_fault(opening: str) -> None:
    first, *_ = faults(f"MEMORY {{ M: start = {opening * 50_000}1; }}")
    assert first.partition(" ")[2] == "the expression is nested too deeply"


def test_numbers_nested_less_deeply_are_read() -> None:
    config = parse(f"MEMORY {{ M: start = {'(' * 60}1{')' * 60}, size = {'+' * 60}2; }}")
    assert (config.areas[0].start.expr, config.areas[0].size.expr) == (Literal(1), Literal(2))


def test_one_run_reports_the_faults_of_all_entries() -> None:
    text = "MEMORY {\n A: strat = 1;\n B: start = 1;\n C: start = 0, size = 1, typ = ro;\n}\n"
    assert [fault.split()[0] for fault in faults(text)] == ["2:5", "3:2", "4:26"]


def test_misspelt_names_get_a_suggestion() -> None:
    text = MEMORY + "SEGMENTS { S: laod = ROM; T: load = RAM1; }"
    with pytest.raises(BuildFailed) as failed:
        parse_config(Source("layout.cfg", text), Diagnostics())
    assert "did you mean 'LOAD'?" in str(failed.value)
    assert "did you mean 'RAM'?" in str(failed.value)
    assert "    2 | SEGMENTS { S: laod = ROM; T: load = RAM1; }" in str(failed.value)


def test_default_configuration_has_the_areas_of_the_none_target() -> None:
    config = default_config()
    assert [area.name for area in config.areas] == ["ZP", "MAIN"]
    assert {table.type for table in config.tables} == {0, 1, 2}


WORDS = [
    "MEMORY",
    "SEGMENTS",
    "FILES",
    "FORMATS",
    "FEATURES",
    "SYMBOLS",
    "CONDES",
    "STARTADDRESS",
    "O65",
    "A",
    "B",
    "start",
    "size",
    "type",
    "load",
    "run",
    "file",
    "value",
    "export",
    "weak",
    "ro",
    "{",
    "}",
    "{",
    "}",
    ";",
    ";",
    ":",
    "=",
    ",",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "$ff",
    "12",
    '"x"',
    "%O",
    "%S",
    "%x",
    '"',
    "!",
    "#",
]


@given(st.lists(st.sampled_from(WORDS), max_size=60), st.sampled_from([" ", "\n"]))
def test_any_text_is_a_configuration_or_has_faults(words: list[str], separator: str) -> None:
    try:
        config = parse_config(Source("layout.cfg", separator.join(words)), Diagnostics())
    except BuildFailed as failed:
        assert failed.diagnostics  # noqa: PT017 - either outcome is right
    else:
        assert config.source.name == "layout.cfg"
