"""Sources for older RGBDS: which release takes them, and what to write; rgbasm-old(5) has both."""

from __future__ import annotations

from contextlib import suppress

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics, Severity
from romproof.toolchains.rgbds.asm.assembler import assemble_source
from romproof.toolchains.rgbds.asm.contexts import source_text
from romproof.toolchains.rgbds.asm.options import RgbdsOptions

CODE = 'SECTION "a", ROM0\n'
LABEL = f"{CODE}x:\n"
OLDER: list[tuple[str, str, str, str]] = [
    ("", 'SECTION "a",HOME', "0.3.10", 'SECTION "a",ROM0'),
    ("", 'SECTION "a", CODE', "0.3.10", 'SECTION "a", ROMX'),
    ("", 'SECTION "a",DATA[$4000],BANK[1]', "0.3.10", 'SECTION "a",ROMX[$4000],BANK[1]'),
    ("", 'SECTION "a",BSS', "0.3.10", 'SECTION "a",WRAM0'),
    (CODE, " jp [hl]", "0.3.10", " jp hl"),
    (CODE, " ldi a,hl", "0.3.10", " ldi a, [hl]"),
    (CODE, " ldd hl,a", "0.3.10", " ldd [hl], a"),
    (CODE, " ld hl,[sp+4]", "0.3.10", " ld hl, sp+4"),
    (LABEL, " GLOBAL x ; for others", "0.4.2", " EXPORT x"),
    (LABEL, " XDEF x", "0.4.2", " EXPORT x"),
    ("", " OPT z1", "0.4.2", " OPT p1"),
    ("", "* a comment", "0.4.2", "; a comment"),
    (CODE, " add bc", "0.4.2", " add hl, bc"),
    (CODE, "Foo", "0.4.2", "Foo:"),
    ("", ' PRINTT "a"', "0.5.2", ' PRINT "a"'),
    ("", " PRINTI 1 + 2", "0.5.2", ' PRINT STRFMT("%d", 1 + 2)'),
    ("", " printv 1", "0.5.2", " PRINT 1"),
    ("", " PRINTF 1.5", "0.5.2", ' PRINT STRFMT("%f", 1.5)'),
    ("", "X SET 5 ; five", "0.5.2", "DEF X = 5"),
    ("", "DEF X SET 5", "0.5.2", "DEF X = 5"),
    (CODE, "Foo: :", "0.6.1", "Foo::"),
    ("", "X EQU 1", "0.7.0", "DEF X EQU 1"),
    ("", 'X equs "1"', "0.7.0", 'DEF X equs "1"'),
    ("", "X = 1", "0.7.0", "DEF X = 1"),
    ("DEF X = 1\n", "X += 1", "0.7.0", "DEF X += 1"),
    ("", "X RB 1", "0.7.0", "DEF X RB 1"),
    (CODE, "Foo :", "0.8.0", "Foo:"),
    (CODE, "Foo ::", "0.8.0", "Foo::"),
    (CODE, " ldio [$ff40],a", "0.9.4", " ldh [$ff40],a"),
    (CODE, " ld a,[c]", "0.9.4", " ldh a, [c]"),
    (CODE, " ld [c], a", "0.9.4", " ldh [c], a"),
    (CODE, " ldh a,[$40]", "0.9.4", " ldh a, [$ff40]"),
    (CODE, " ldh [$0F], a", "0.9.4", " ldh [$ff0F], a"),
    (CODE, " db 1__0", "0.9.4", " db 1_0"),
    (CODE, " db 1_", "0.9.4", " db 1"),
]
"""What comes before, the old line, the last release that takes it, the line for 1.0."""
HINTS: list[tuple[str, str, str]] = [
    (" IMPORT foo\n", "0.3.10", "remove the line"),
    (" XREF foo\n", "0.3.10", "remove the line"),
    (f'{CODE} ld bc, "AB"\n', "0.9.4", "'A' << 8 | 'B'"),
    (" PRINTLN __LINE__\n", "0.6.1", "WARN and FAIL"),
    ('SECTION "a", WRAM0\n ds -1\n', "0.3.1", "UNION"),
    ("foo: MACRO\n nop\nENDM\n", "0.6.1", "write 'MACRO foo'"),
]


def errors(text: str) -> list[tuple[str, str]]:
    """Messages and helps of the errors in a source."""
    diagnostics = Diagnostics()
    options = RgbdsOptions(out=lambda _: None)
    with suppress(BuildFailed):
        assemble_source(source_text("a.asm", text.encode("utf-8")), options, diagnostics)
    return [(d.message, d.help or "") for d in diagnostics.items if d.severity is Severity.ERROR]


@pytest.mark.parametrize(("before", "old", "last", "new"), OLDER, ids=[o[1] for o in OLDER])
def test_the_release_and_the_new_line_are_named(before: str, old: str, last: str, new: str) -> None:
    helps = [help for _, help in errors(f"{before}{old}\n")]
    told = next(help for help in helps if help)
    assert f"RGBDS {last} is the last that takes this" in told
    # what it says to write is in the new line, and the new line is right
    written = told.partition("write '")[2].partition("'")[0]
    assert written in new
    assert errors(f"{before}{new}\n") == []


@pytest.mark.parametrize(("text", "last", "hint"), HINTS, ids=[h[2] for h in HINTS])
def test_what_has_no_new_form_is_explained(text: str, last: str, hint: str) -> None:
    helps = " ".join(help for _, help in errors(text))
    assert f"RGBDS {last} is the last that takes this" in helps
    assert hint in helps


@pytest.mark.parametrize(
    ("text", "hint"),
    [(f"{CODE} ldhl sp, 4\n", "'ld hl, sp + 4'"), ("foo MACRO\n nop\nENDM\n", "'MACRO foo'")],
)
def test_what_no_release_takes_is_no_matter_of_age(text: str, hint: str) -> None:
    helps = " ".join(help for _, help in errors(text))
    assert "no RGBDS takes this" in helps
    assert hint in helps


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (f"{CODE} pritn 1\n", "did you mean 'print'?"),
        (f"{CODE} ldd b, [hl]\n", "there is"),
        (f'{CODE} db "GLOBAL", )\n', ""),
        (f"{CODE} nop nop ; X EQU 1\n", ""),
        (f"{CODE} ENDMM\n", "did you mean 'endm'?"),
        ("X" * 5000 + " EQU\n", ""),
    ],
)
def test_other_mistakes_are_not_called_old(text: str, help: str) -> None:
    for _, told in errors(text):
        assert "is the last that takes this" not in told
    assert any(help in told for _, told in errors(text))
