"""What the assembler says: the place, the way there, and what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostic, Diagnostics, render
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble, assemble_source


def failures(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(BuildFailed) as failed:
        assemble_source(Source("test.s", text), Options(), Diagnostics())
    return failed.value.diagnostics


def only(text: str) -> Diagnostic:
    (found,) = failures(text)
    return found


def test_the_caret_stands_under_the_word() -> None:
    assert render(only("start:\n\tlda\t#1\n\tlda ($10),X\n")).splitlines()[:3] == [
        "test.s:3:12: error: 'Y' expected",
        "    3 | \tlda ($10),X",
        "      | \t          ^",
    ]


def test_an_undefined_symbol_is_marked_where_it_is_used() -> None:
    assert render(only("  lda #<missing\n")).splitlines()[:3] == [
        "test.s:1:9: error: Symbol 'missing' is undefined",
        "    1 |   lda #<missing",
        "      |         ^^^^^^^",
    ]


def test_one_slip_is_one_fault() -> None:
    assert only("  lda $10,$20\n").help == "an index is X or Y"
    assert only("  .byte (1\n").message == "')' expected"


def test_a_fault_in_a_macro_leads_back_to_its_call() -> None:
    text = (
        ".macro inner value\n  .byte value\n.endmacro\n"
        ".macro outer value\n  inner value + 200\n.endmacro\n"
        "  outer 100\n"
    )
    lines = render(only(text)).splitlines()
    assert lines[0].startswith("test.s:")
    assert "Range error (300 not in [0..255])" in lines[0]
    assert [line for line in lines if line.startswith("  in macro")] == [
        "  in macro 'inner', used at test.s:5:3",
        "  in macro 'outer', used at test.s:7:3",
    ]


def test_a_fault_in_a_repeat_leads_back_to_it() -> None:
    lines = render(only(".repeat 2\n.byte 256\n.endrepeat\n")).splitlines()
    assert lines[0].startswith("test.s:2:")
    assert "  in .repeat at test.s:1:1" in lines


def test_a_fault_in_an_included_file_leads_back_to_the_include(tmp_path: Path) -> None:
    (tmp_path / "part.inc").write_text("  nop\n  .byte 256\n")
    main = tmp_path / "main.s"
    main.write_text('.include "part.inc"\n')
    with pytest.raises(BuildFailed) as failed:
        assemble(main, Options(), Diagnostics())
    lines = render(failed.value.diagnostics[0]).splitlines()
    assert lines[0].startswith(f"{tmp_path / 'part.inc'}:2:")
    assert f"  included at {main}:1:10" in lines


def test_a_second_definition_shows_the_first() -> None:
    found = only("again: nop\nagain: nop\n")
    assert [(text, span.line) for text, span in found.notes] == [("the first definition is", 1)]


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("counter = 1\n.byte countre\n", "counter"),  # a symbol
        (".scope sprites\nx_pos = 1\n.endscope\n.byte sprites::x_pso\n", "x_pos"),
        (".scope sprites\nx_pos = 1\n.endscope\n.byte sprits::x_pos\n", "sprites"),  # a scope
        ("  dla #1\n", "lda"),  # a mnemonic
        (".macro push_all\n.endmacro\n  push_al\n", "push_all"),  # a macro
        ("  .bype 1\n", ".byte"),  # a command
        ("  byte 1\n", ".byte"),
        (".feature force_rage\n", "force_range"),
        (".macpack longbanch\n", "longbranch"),
        (".export port : zeropag\nport = 1\n", "zeropage"),  # an address size
    ],
)
def test_misspelt_names_get_a_suggestion(text: str, suggestion: str) -> None:
    helps = [found.help or "" for found in failures(text)]
    assert any(f"did you mean '{suggestion}'?" in help for help in helps), helps


def test_a_wrong_operand_lists_the_right_ones() -> None:
    found = only("  stx $20,x\n")
    assert found.help is not None
    assert "stx a8,y" in found.help


def test_several_faults_are_told_in_one_run() -> None:
    lines = [
        found.span.line
        for found in failures("  dla #1\n  nop\n  .byte 256\nx: .byte x\n")
        if found.span
    ]
    assert lines == [1, 3, 4]


def test_the_same_fault_is_told_once() -> None:
    assert len(failures(".byte gone\n.byte gone\n")) == 1


def test_after_many_faults_it_gives_up() -> None:
    assert len(failures("  .byte 256\n" * 500)) == Diagnostics().limit


def test_endless_recursion_is_told_once() -> None:
    found = failures(".macro twice\n  twice\n  twice\n.endmacro\n  twice\n")
    assert len(found) == 1
    assert "nested" in found[0].message


def test_definitions_that_lead_to_each_other_are_followed_once() -> None:
    # every name is defined by two uses of the next: 2 ** 40 ways lead to the last
    chain = "".join(f"a{i} = a{i + 1} + a{i + 1}\n" for i in range(40))
    text = f"{chain}a40 = 1\n.byte a33, .lobyte(a0)\n"
    object_ = assemble_source(Source("test.s", text), Options(), Diagnostics())
    assert object_.sections[0].data == b"\x80\x00"


def test_deep_nesting_of_parentheses_is_a_fault_of_the_source() -> None:
    assert "nested" in only(f".byte {'(' * 50_000}1\n").message


@pytest.mark.parametrize(
    "opening", [".macro open\n", ".macro nop\n"], ids=["macro", "of a name that is taken"]
)
def test_of_what_an_open_macro_has_swallowed_nothing_else_is_said(opening: str) -> None:
    swallowed = "main: rts\nother = 1\n"
    said = failures(f".export main\n.if 1\n lda other\n{opening}{swallowed}")
    assert "'.ENDMACRO' expected" in [fault.message for fault in said]
    assert "Conditional assembly branch was never closed" in [fault.message for fault in said]
    assert not [fault for fault in said if "defined" in fault.message]
