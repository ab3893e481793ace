"""Where messages point: lines, columns, and the chain of macros, loops and files."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostic, Diagnostics, render
from romproof.toolchains.rgbds.asm import RgbdsOptions, assemble, assemble_source
from romproof.toolchains.rgbds.asm.contexts import source_text

CODE = 'SECTION "x", ROM0\n'


def found(text: str, warnings: tuple[str, ...] = ()) -> list[Diagnostic]:
    """Everything that is said about a source."""
    diagnostics = Diagnostics()
    options = RgbdsOptions(warnings=warnings, out=lambda printed: None)
    try:
        assemble_source(source_text("test.asm", text.encode()), options, diagnostics)
    except BuildFailed as failure:
        return list(failure.diagnostics)
    return diagnostics.items


def places(text: str) -> list[tuple[int, int]]:
    """Line and column of each message."""
    return [(item.span.line, item.span.col) for item in found(text) if item.span is not None]


@pytest.mark.parametrize(
    ("line", "col"),
    [
        ("\tld a, 300", 8),
        ("\tdb 1, 256, 2", 8),
        ("\tdb 1 2", 7),
        ("\tld a, )", 8),
        ("  nonsense 1", 3),
        ("\tld b, [bc]", 2),
        ("label: ld b, [bc]", 8),
        ("\tnop :: db 300", 12),
        ('\tdb "é", 300', 10),
        ("\tIF nothing == 1", 5),
        ("DEF x EQU nothing", 11),
        ("\tassert 0", 2),
        ("\tdb 1_", 5),
        ("\tdb {x}", 5),
        ("\t", 2),
    ],
)
def test_columns(line: str, col: int) -> None:
    wanted = [(2, col)] if line.strip() else []
    assert places(CODE + line + "\n")[:1] == wanted


def test_a_macro_in_a_loop() -> None:
    text = CODE + "MACRO m\n\tdb \\1\nENDM\nFOR n, 2\n\tm 255 + n\nENDR\n"
    (warning,) = found(text)
    assert render(warning).splitlines() == [
        "test.asm:3:5: warning: Expression must be 8-bit; use `LOW()` to force 8-bit "
        "[-Wtruncation]",
        "    3 | \tdb \\1",
        "      | \t   ^",
        "  in macro 'm', called at test.asm:6:2",
        "  in turn 2 of the loop at test.asm:5:1",
    ]


def test_quiet_macros_and_loops_are_left_out() -> None:
    text = CODE + "MACRO m\n\tdb 256\nENDM\n\tm? 1\nREPT? 1\n\tdb 257\nENDR\n"
    assert [(str(item.span), list(item.span.chain())) for item in found(text) if item.span] == [
        ("test.asm:5:2", []),
        ("test.asm:7:5", []),
    ]


def test_files_name_where_they_are_included(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.inc", tmp_path / "outer.asm"
    inner.write_text("\tdb 256\n")
    outer.write_text(CODE + f'\tINCLUDE "{inner}"\n\tdb 300\n')
    diagnostics = Diagnostics()
    made = assemble(outer, RgbdsOptions(), diagnostics)
    spans = [item.span for item in diagnostics.items if item.span is not None]
    assert [(span.source.name, span.line) for span in spans] == [(str(inner), 1), (str(outer), 3)]
    assert [str(step.span) for step in spans[0].chain()] == [f"{outer}:2:2"]
    assert made.sections[0].data == b"\x00\x2c"


def test_every_byte_knows_its_line() -> None:
    text = CODE + 'start: ld a, 5 :: ret\n\tdb 1, 2\nLOAD "r", WRAM0\n\tnop\nENDL\n'
    made = assemble_source(source_text("test.asm", text.encode()), RgbdsOptions(), Diagnostics())
    assert made.object is not None
    lines = {
        section.name: [
            (line.offset, line.size, line.is_code, line.place.line, line.place.span.col)
            for line in section.lines
            if line.place.span is not None
        ]
        for section in made.object.sections
    }
    assert lines == {
        "x": [(0, 2, True, 2, 8), (2, 1, True, 2, 19), (3, 2, False, 3, 2), (5, 1, True, 5, 2)],
        "r": [(0, 1, True, 5, 2)],
    }


def test_misspelt_words_get_a_hint() -> None:
    text = CODE + "MACRO wait\nENDM\n\twiat\n\tlod a, 1\nDEF speed EQU 1\n\tprintln {sped}\n"
    assert [item.help for item in found(text)] == [
        "did you mean 'wait'?",
        "did you mean 'ld'?",
        "did you mean 'speed'?",
    ]


@pytest.mark.slow_cases("signs")
@pytest.mark.parametrize(
    "text",
    ["(" * 20_000 + "1" + ")" * 20_000, "-" + " -" * 20_000 + "1", "STRUPR(" * 20_000 + '"a"'],
    ids=["parentheses", "signs", "calls"],
)
def test_nesting_without_end_is_an_error(text: str) -> None:
    assert "nested too deeply" in found(CODE + "\tdb " + text + "\n")[-1].message


@pytest.mark.slow
def test_a_long_sum_of_labels_takes_no_time() -> None:
    made = assemble_source(
        source_text("test.asm", (CODE + "x: dw x" + "+1" * 20_000 + "\n").encode()),
        RgbdsOptions(),
        Diagnostics(),
    ).object
    assert made is not None
    assert len(made.sections[0].patches[0].rpn) == 40_001


def test_max_errors() -> None:
    diagnostics = Diagnostics()
    with pytest.raises(BuildFailed):
        assemble_source(
            source_text("test.asm", b"\tdb 1\n" * 9), RgbdsOptions(max_errors=3), diagnostics
        )
    assert diagnostics.errors == 3
