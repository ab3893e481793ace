"""Listings with the lines of macros (``-x``) and with segments (``-S``), of ca65 after 2.19."""

from __future__ import annotations

from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.asm.options import ExpandedLines
from romproof.toolchains.ca65.obj.dialect import V2_19_GIT

TEXT = """\
.macro inner with
 lda #with
.if with > 1
 nop
.endif
.endmacro
.macro outer
 inner 1
 .segment "DATA"
 .byte 5
 .code
.endmacro
 outer
 rts
 .repeat 2, I
 .byte I
 .endrepeat
"""
SOURCE = [f"000000r 1               {line}" for line in TEXT.splitlines()[:13]]


def _listing(text: str, expansions: ExpandedLines, segments: bool = False) -> list[str]:
    made: list[str] = []
    options = Options(
        dialect=V2_19_GIT,
        tables=True,
        listed=made.append,
        list_expansions=expansions,
        list_segments=segments,
    )
    assemble_source(Source("test.s", text), options, Diagnostics())
    return made[0].splitlines()[4:]


def test_lines_of_macros_follow_their_call() -> None:
    assert _listing(TEXT, ExpandedLines.BYTES) == [
        *SOURCE,
        "000000r 0               >  inner 1",
        "000000r 0  A9 01        >>  lda #with",
        '000002r 0               >  .segment "DATA"',
        "000000r 0  05           >  .byte 5",
        "000002r 1  60            rts",
        "000003r 1                .repeat 2, I",
        "000003r 1                .byte I",
        "000003r 1                .endrepeat",
        "000003r 0  00           >  .byte I",
        "000004r 0  01           >  .byte I",
        "000003r 1               ",
    ]


def test_all_lines_of_macros_are_listed() -> None:
    assert _listing(TEXT, ExpandedLines.ALL)[len(SOURCE) :][:9] == [
        "000000r 0               >  inner 1",
        "000000r 0  A9 01        >>  lda #with",
        "000002r 0               >> .if with > 1",
        "000002r 0               >>  nop",
        "000002r 0               >> .endif",
        '000002r 0               >  .segment "DATA"',
        "000000r 0  05           >  .byte 5",
        "000001r 0               >  .code",
        "000002r 1  60            rts",
    ]


def test_without_expansion_bytes_are_beside_the_call() -> None:
    assert _listing(TEXT, ExpandedLines.NONE)[12] == "000000r 1  A9 01 05      outer"


def test_lines_have_their_segment() -> None:
    text = ' nop\n.segment "DATA"\n .byte 1\n .org $200\n .byte 2\n'
    listed = _listing(text, ExpandedLines.NONE, segments=True)
    assert listed == [
        "00.000000r 1  EA            nop",
        '00.000001r 1               .segment "DATA"',
        f"{listed[2][:2]}.000000r 1  01            .byte 1",
        f"{listed[2][:2]}.000001r 1                .org $200",
        "   000200  1  02            .byte 2",
        "   000200  1               ",
        "",
        "Segment summary",
        "",
        "Segment: 00 = CODE",
        f"Segment: {listed[2][:2]} = DATA",
    ]
