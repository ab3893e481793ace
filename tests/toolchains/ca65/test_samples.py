"""Sources with statements of every kind come to the objects that an installed ca65 makes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from object_sources import comparable, tables_of

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options
from romproof.toolchains.ca65.asm.assembler import assemble_source
from romproof.toolchains.ca65.asm.record_rows import line_key
from romproof.toolchains.ca65.obj.decode import decode_object
from romproof.toolchains.ca65.obj.encode import encode_object

SAMPLE = """\
; a comment
zp = $12
zp2 := zp+1 ; a label
far = $1234
neg = -1
ahead = later - 2
sum = zp | %1000 & 12 ^ $f
.segment "CODE"
start:  lda #zp
        LDA zp          ; it's "known"
        lda zp2,x
        lda far , Y
        sta (zp),y
        sta (zp,x)
        jmp (far+1-1)
        lda later
        lda ext,x
        lda #<later
        ldx #>(later+1)
        asl
        asl a
        lsr A
@local: bne @local
        beq @ahead
        jsr later
@ahead: bcc *+4
        lda #'x'
        cmp #';'
: dex
        bne :-
        bpl :+
:
        .byte 1, 2, zp, "a;b", later-start, <later, 'c'
        .byte $ff,%101
        .word start, far, 1234, later+far, *
        .addr start ,ext
        .res 3
        .res zp-$10
        .RES 1,$ea
var .set 5
        lda #var
var .set var+1
        lda #var
.ifdef zp
        nop
.else
        this is hidden + $12 'q' "x"
.if nothing
.elseif nothing
.endif
.endif
.ifndef zp
        .byte "hidden", 5
.elseif far = $1234
        inx
.else
        iny
.endif
.if zp > 5
        tax
.endif
.define word_of(one) .word one
        word_of far
.macro both one, two
        lda #one
.local over
        beq over
        sta two
over:
.endmacro
.macro plain one
        lda #one

        sta zp  ; nothing
.endmacro
        both 5, far
        inx
        plain <far
        plain 7
.proc inside
        lda inner
        lda zp
        rts
inner:  .byte 0
.endproc
.scope other
zp = 300
        lda zp
        lda ::zp
        lda later2
later2 = 5
.endscope
        .zeropage
zero:   .res 2
        .code
        lda zero
        sta zero+1
        lda zero-start
.repeat 2, i
        .byte i
.endrep
a_b_2:  nop
.org $8000
origin: jmp origin
        bne origin
        .word *, origin
.reloc
later:  rts
.feature force_range
        lda #-1
        .byte -2, neg
        .word -1
.export start, later
.import ext
"""
MACROS = """\
.macro bare
        nop
.endmacro
.mac  one_of first , second,third ; of three
        lda first
.if 1
        sta second
.endif
        stx third
.endmac
.MACRO\tloud a_1\t
        .byte "text; no comment", 'c', a_1
.ENDMACRO
.macro empty
.endmacro
.ifdef nothing
.macro hidden one, one
.endmacro
.endif
size = $10 ; sixteen
size2=20
  size3 = 30
size4 := $40
.macro load dest, value
        .local @j, over ; two names
        lda #<(value)
        sta dest
        .if (.not .const(value)) .or (>(value))<>(<(value))
        lda #>(value)
        beq @j
        .endif
@j:
        .local third
third:  sta dest+1
over:
.endmacro
.macro counted one
.if .paramcount = 1 .and (.not .blank(one))
        .byte one
.endif
.endmacro
.if 0
.if .not .defined(size) .or .const(size)
.endif
.elseif (.not .defined(nothing)) .and 1
        .byte 8
.endif
        load $20, $1234
        load $22, later - 1
later:
        counted 5
        counted
        bare
        one_of #1, 2, 3
        loud size
        empty
        .byte size, size2, size3, size4
"""

SHARED = """\
.import one, two ; of another
.importzp small\t,\tsmaller
.GLOBAL both, later
.globalzp zp
        lda early
.import early
.export later2, early2
.exportzp zp2
zp = $12
zp2 = $13
early2 = 7
        lda one
        lda two
        lda small
        lda smaller
        lda both
        lda zp
.if .defined(one)
        .byte 1
.elseif .defined( zp ) || .def (nothing)
        .byte 2
.else
        .byte 3
.endif
.if .defined(nothing) || .defined(never)
        .byte 4
.if .defined(nothing)
.elseif .defined(zp)
.endif
.elseif .defined(nothing)||.defined(zp); either
        .byte 5
.elseif .defined(zp2)
        .byte 6
.endif
.scope inner
.if .defined(zp)
        .import one
        .byte .defined(one), 7
.endif
.endscope
later: rts
later2: rts
"""

TWICE = """\
.include "part.i"
on = 3
.include "part.i"
"""
PART = ".ifdef on\n" + "        .byte 1, on\n" * 40 + ".endif\n"
"""Hidden first: its lines are numbered by when they were read first."""
SAMPLES = {"sample": SAMPLE, "macros": MACROS, "names": SHARED, "included twice": TWICE}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("part.i").write_text(PART)


def assemble(text: str, **options: object) -> bytes:
    """The object file."""
    made = assemble_source(
        Source("x.s", text),
        Options(tables=True, **options),  # type: ignore[arg-type]
        Diagnostics(),
    )
    assert made.tables is not None
    return encode_object(made.tables, made.packed)


@pytest.mark.skipif(shutil.which("ca65") is None, reason="cc65 is not installed")
@pytest.mark.parametrize("cpu", ["6502", "65C02", "65816"])
@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_comes_to_the_object_of_the_original(name: str, debug: bool, cpu: str) -> None:
    Path("x.s").write_text(SAMPLES[name])
    words = ["ca65", "--cpu", cpu, *(["-g"] if debug else []), "x.s"]
    subprocess.run(words, check=True, capture_output=True)
    original = comparable(decode_object(Path("x.o").read_bytes(), "x.s"))
    assert comparable(tables_of(Path("x.s"), debug, cpu=cpu)) == original


@pytest.mark.parametrize("name", SAMPLES)
def test_only_a_file_is_wanted(name: str) -> None:
    """What a linker of ours would be given is then left out, and the file is the same."""
    assert assemble(SAMPLES[name], only_file=True) == assemble(SAMPLES[name])


@pytest.mark.parametrize("begin", [".if 0\n", ".macro one\n", "", ".macro "])
@pytest.mark.parametrize("end", ["`", "\\", "'", '"', "$", "%2", "/*"])
def test_no_line_takes_long(begin: str, end: str) -> None:
    """A word of 5,000 letters can be taken apart in more ways than anybody can try."""
    text = f"{begin}{'word, ' * 30}{'a' * 5000} {end}\n"
    with pytest.raises(BuildFailed):
        assemble(text)


def test_each_line_of_a_file_has_a_number_of_its_own() -> None:
    """``.dbg`` may say any number; files and kinds of lines come from what a source does."""
    sizes = (0, 1, 2, 7, 1 << 10, (1 << 24) - 1)
    lines = (*sizes, (1 << 25) - 1, 1 << 25, 1 << 40, (1 << 63) - 1)
    keys = {line_key(t, f, n) for t in sizes for f in sizes for n in lines}
    assert len(keys) == len(sizes) ** 2 * len(lines)


@pytest.mark.parametrize("only_file", [True, False])
def test_a_listing_has_what_was_worked_out_at_the_end(only_file: bool) -> None:
    listed: list[str] = []
    text = "loop: bne loop\n bne on\n .byte on-loop\non: lda on-loop\n"
    assemble(text, listed=listed.append, only_file=only_file)
    for shown in ("D0 FE", "D0 01", " 05 ", "AD 05 00"):
        assert shown in listed[0], listed[0]
