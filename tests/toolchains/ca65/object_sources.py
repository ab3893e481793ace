"""Sources whose objects are compared with those of the original, and the comparison itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from romproof.text.diagnostic import Diagnostics
from romproof.toolchains.ca65.asm import Options, assemble
from romproof.toolchains.ca65.obj.decode import decode_object
from romproof.toolchains.ca65.obj.encode import encode_object
from romproof.toolchains.ca65.obj.tables import (
    OPTION_TIME,
    OPTION_TRANSLATOR,
    ModuleOption,
    ObjectFile,
)

MAIN = """\
        .include "defs.inc"
        .export start, table := data + 2, TOP = $C000
        .exportzp low = 5
        .import elsewhere: zeropage, printer
        .global both, other
        .constructor start, 3
        .interruptor start
        .fopt author, "nobody"
        .macro twice what
        .local here
here:   what
        what
        bne here
        .endmacro
        .define PAIR(u, v) u, v
        .proc start
        lda #<data
        twice {sta elsewhere}
@loop:  bne @loop
        bne :+
:       jmp (vector)
        .scope
inner:  jsr printer
        .endscope
        rts
        .endproc
both:   .word other
        .repeat 3, I
        .byte I, PAIR 1, 2
        lda data + I,x
        .endrepeat
        .if .defined(TOP)
counter .set 1
        .byte counter
counter .set 2
        .byte counter
        .endif
        .rodata
data:   .byte "a text of some length", 1, 2
        .res 3, $EA
        .dbyt data ^ %1010, .loword(-data)
        .word data, data + 1
        .addr start
        .faraddr start
        .dword 5, data
        .lobytes data, data + 3
        .align 4, 1
        .align 8
        .asciiz "zero"
vector: .addr start
        .struct point
xpos    .byte
ypos    .word 2
        .endstruct
        .enum colour
red
green = 7
blue
        .endenum
        .bss
buffer: .tag point
        .res 40
        .segment "OTHER": zeropage
        .res 1
        .code
        .assert buffer < $8000, lderror, "the buffer is too high"
        .assert 1 = 1, error, "one"
        .org $9000
far:    .addr far
        .byte >far, <(elsewhere + 1), .bankbyte(data), $FF & ~1, -(-1), $FF & ~low
        .reloc
        .incbin "data.bin"
        .dbg file, "main.c", 17, 123456
        .dbg line, "main.c", 3
        .proc _main
        .dbg func, "main", "00", extern, "_main"
        .dbg sym, "i", "00", auto, -2
        .dbg sym, "r", "00", register, "elsewhere", 4
        .dbg line, "main.c", 4
        nop
        .dbg line
        .endproc
"""
INCLUDED = """\
.ifndef DEFS
DEFS = 1
.macro nothing
.endmacro
.endif
"""


def write_sources(folder: Path) -> Path:
    """The files in ``folder``; gives the main one."""
    (folder / "defs.inc").write_text(INCLUDED)
    (folder / "data.bin").write_bytes(bytes(range(20)))
    main = folder / "main.s"
    main.write_text(MAIN)
    return main


def tables_of(path: Path, debug: bool, **options: object) -> ObjectFile:
    """What is in the object file that our assembler makes."""
    given = Options(tables=True, debug_info=debug, **options)  # type: ignore[arg-type]
    made = assemble(path, given, Diagnostics())
    assert made.tables is not None
    return decode_object(encode_object(made.tables), str(path))


def comparable(tables: ObjectFile) -> ObjectFile:
    """The tables without what is different in each run: who made them, and when."""
    options = tuple(
        ModuleOption(o.type, 0) if o.type == OPTION_TIME else o
        for o in tables.options
        if o.type != OPTION_TRANSLATOR
    )
    strings = tuple("ca65" if text.startswith("ca65 V") else text for text in tables.strings)
    files = tuple(replace(f, time=0) if f.time != 123456 else f for f in tables.files)
    return replace(tables, options=options, strings=strings, files=files)
