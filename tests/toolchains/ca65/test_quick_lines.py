"""Lines that are carried out by their text do what the parser of tokens does with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options
from romproof.toolchains.ca65.asm.assembler import Assembler, assemble_source
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.quick.lines import Lines
from romproof.toolchains.ca65.asm.quick.tokens import QuickFeed
from romproof.toolchains.ca65.asm.record_rows import line_key
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
FAULTS = (
    "        lda #300",
    "zp = 5",
    "start: nop",
    "again: lda #1000",
    "        lda (zp),x",
    "        .byte 256, 1",
    "        .byte 1, 300",
    "        .byte 1,",
    "        .word",
    "        nop nop",
    "        lda nowhere",
    "        lda <later",
    "        jmp (later)",
    "@twice: nop\n@twice: lda #1",
    ": lda 5,z",
    "        bne :---------",
    "        lda $",
    "        foo",
    "    foo: bar: nop",
    "lda: nop",
    "x: nop",
    ".else",
    ".endif",
    ".if 1",
    ".if 0",
    ".ifdef",
    ".ifdef a b",
    ".if later",
    "one = two\ntwo = one",
    "        lda 5/0",
    "        .res 70000",
    ".macro broken\n .foo",
    ".macro both",
    '.include "nowhere"',
    "lda = 5",
    "zp2 = 9",
    "x = 5",
    "both = 5",
    "fresh = $123456789",
    "fresh = 5 5",
    "fresh = 1234567890123",
    ".macro lda one\n nop\n.endmacro",
    ".macro x\n nop\n.endmacro",
    ".macro plain other\n nop\n.endmacro",
    ".macro same one, one\n nop\n.endmacro",
    ".macro parts one two\n nop\n.endmacro",
    ".macro parts, one\n nop\n.endmacro",
    ".macro parts one,\n nop\n.endmacro",
    ".macro a.b\n nop\n.endmacro",
    '.macro"text"\n nop\n.endmacro',
    ".macro\n nop\n.endmacro",
    ".macro unclosed one\n nop",
)
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
.undefine nothing
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
SHARED_FAULTS = (
    ".import one",
    ".import one, fresh",
    ".import fresh, fresh",
    ".import zp",
    ".import later2",
    ".importzp one",
    ".global one, later, zp",
    ".globalzp later",
    ".export zp",
    ".export one",
    ".export later2",
    ".exportzp later2",
    ".export both, fresh = 5",
    ".import fresh: zp",
    ".import a",
    ".import fresh other",
    ".import fresh,",
    ".import ,fresh",
    ".import",
    '.import"fresh"',
    ".import .defined",
    "var .set 5\n.export var\n.global var",
    "one: nop",
    ".if .defined(one",
    ".if .defined(one) two",
    ".if .defined(one) && .defined(two)",
    ".if .defined(one) || two",
    ".if .defined(x)\n.endif",
    ".if .defined(@one)\n.endif",
    ".if .defined()\n.endif",
    ".elseif .defined(one)",
    ".if 1\n.elseif .defined(\n.endif",
    ".if 0\n.elseif .defined(\n.endif",
    ".if 0\n.elseif .defined(one) ||\n.endif",
    ".if 0\n.if .defined(\n.endif\n.endif",
    ".define later2 zp\n.if .defined(later2)\n.endif\n.import later2",
    ".define nothing zp\n.if 0\n.elseif .defined(nothing)\n.byte 9\n.endif",
)


MACRO_FAULTS = (
    ".macro odd\n.local\n nop\n.endmacro\n odd",
    ".macro odd\n.local @\n nop\n.endmacro\n odd",
    ".macro odd\n.local a\n nop\n.endmacro\n odd",
    ".macro odd\n.local one,\n nop\n.endmacro\n odd",
    ".macro odd\n.local one two\n nop\n.endmacro\n odd",
    ".macro odd\n.local one, one\none: nop\n.endmacro\n odd\n odd",
    ".macro odd one\n.local one\n lda #one\n.endmacro\n odd 5",
    ".macro odd\nuse: .local use\n.endmacro\n odd",
    ".macro odd\n nop .endmacro\n nop",
    ".macro odd\n .byte .defined(size) .local use\n.endmacro\n odd",
    ".macro odd\n .byte .unheard(5)\n.endmacro\n odd",
    ".macro odd\n .if .const(5) .endmacro\n nop",
    ".if 0\nlabel: .endif\n.endif",
    ".if 0\n .byte .const .endif\n.endif",
    ".if 0\n .byte .unheard\n.endif",
    ".if 0\n.elseif .const(5\n.endif",
    ".if 0\n.elseif .not\n.endif",
)


def outcome(text: str, feed: type[Feed], **options: object) -> object:
    """The object and what was said, or what was said of one that was not made."""
    Assembler.feed_of = feed
    diagnostics = Diagnostics()
    try:
        made = assemble_source(
            Source("x.s", text),
            Options(tables=True, **options),  # type: ignore[arg-type]
            diagnostics,
        )
    except BuildFailed as failure:
        return str(failure)
    finally:
        Assembler.feed_of = QuickFeed
    assert made.tables is not None
    return encode_object(made.tables, made.packed), repr(diagnostics.items)


@pytest.mark.parametrize("cpu", ["6502", "65C02", "65816"])
@pytest.mark.parametrize("debug", [True, False])
def test_a_sample_comes_to_the_same_object(cpu: str, debug: bool) -> None:
    plain = outcome(SAMPLE, Feed, debug_info=debug, cpu=cpu)
    assert isinstance(plain, tuple), plain
    assert outcome(SAMPLE, QuickFeed, debug_info=debug, cpu=cpu) == plain
    assert outcome(SAMPLE, QuickFeed, debug_info=debug, cpu=cpu, only_file=True) == plain


@pytest.mark.parametrize("debug", [True, False])
def test_macros_and_constants_come_to_the_same_object(debug: bool) -> None:
    text = MACROS.replace(".undefine nothing\n", "")
    plain = outcome(text, Feed, debug_info=debug)
    assert isinstance(plain, tuple), plain
    assert outcome(text, QuickFeed, debug_info=debug) == plain
    assert outcome(text, QuickFeed, debug_info=debug, only_file=True) == plain


@pytest.mark.parametrize("debug", [True, False])
def test_names_of_other_modules_come_to_the_same_object(debug: bool) -> None:
    plain = outcome(SHARED, Feed, debug_info=debug)
    assert isinstance(plain, tuple), plain
    assert outcome(SHARED, QuickFeed, debug_info=debug) == plain
    assert outcome(SHARED, QuickFeed, debug_info=debug, only_file=True) == plain


@pytest.mark.parametrize("fault", SHARED_FAULTS)
def test_faults_of_names_are_told_alike(fault: str) -> None:
    lines = SHARED.splitlines()
    for at in (5, len(lines)):
        text = "\n".join([*lines[:at], fault, *lines[at:], ""])
        plain = outcome(text, Feed)
        assert outcome(text, QuickFeed) == plain
        assert outcome(text, QuickFeed, only_file=True, debug_info=True) == outcome(
            text, Feed, debug_info=True
        )


@pytest.mark.parametrize("fault", MACRO_FAULTS)
def test_faults_of_macros_are_told_alike(fault: str) -> None:
    text = f"{MACROS}\n{fault}\n"
    plain = outcome(text.replace(".undefine nothing\n", ""), Feed, debug_info=True)
    assert outcome(text.replace(".undefine nothing\n", ""), QuickFeed, debug_info=True) == plain


@pytest.mark.parametrize("begin", [".if 0\n", ".macro one\n", "", ".macro "])
@pytest.mark.parametrize("end", ["`", "\\", "'", '"', "$", "%2", "/*"])
def test_no_line_takes_long(begin: str, end: str) -> None:
    """A word of 5,000 letters can be taken apart in more ways than anybody can try."""
    text = f"{begin}{'word, ' * 30}{'a' * 5000} {end}\n"
    assert outcome(text, QuickFeed) == outcome(text, Feed)


def test_each_line_of_a_file_has_a_number_of_its_own() -> None:
    """``.dbg`` may say any number; files and kinds of lines come from what a source does."""
    sizes = (0, 1, 2, 7, 1 << 10, (1 << 24) - 1)
    lines = (*sizes, (1 << 25) - 1, 1 << 25, 1 << 40, (1 << 63) - 1)
    keys = {line_key(t, f, n) for t in sizes for f in sizes for n in lines}
    assert len(keys) == len(sizes) ** 2 * len(lines)


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_told_alike(fault: str) -> None:
    lines = SAMPLE.splitlines()
    at = 9 + 7 * FAULTS.index(fault) % (len(lines) - 12)
    text = "\n".join([*lines[:at], fault, *lines[at:], ""])
    plain = outcome(text, Feed)
    assert outcome(text, QuickFeed) == plain
    assert outcome(text, QuickFeed, only_file=True) == plain


def test_most_lines_are_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other tests would pass, too, if nothing were."""
    parsed: list[int] = []
    line = Assembler._line

    def counting(self: Assembler) -> None:
        parsed.append(self.feed.tok.line)
        line(self)

    monkeypatch.setattr(Assembler, "_line", counting)
    for sample, most in ((SAMPLE, 2), (SHARED, 4)):
        parsed.clear()
        outcome(sample, QuickFeed)
        quick = len(parsed)
        parsed.clear()
        outcome(sample, Feed)
        assert quick < len(parsed) / most


@pytest.mark.parametrize("switch", ["ubiquitous_idents", "dollar_in_identifiers", "c_comments"])
def test_switched_features_are_for_the_parser(switch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    suits = Lines._suit
    monkeypatch.setattr(Lines, "_suit", lambda self: asked.append(suits(self)) or asked[-1])
    outcome("        nop\n" * 4, QuickFeed, features=(switch,))
    assert asked
    assert not any(asked)


def test_included_twice_hidden_first(tmp_path: Path) -> None:
    """Lines are numbered by when they were read first, hidden or not."""
    (tmp_path / "part.i").write_text(".ifdef on\n" + "        .byte 1, on\n" * 40 + ".endif\n")
    text = '.include "part.i"\non = 3\n.include "part.i"\n'
    options = {"debug_info": True, "include": (tmp_path,)}
    plain = outcome(text, Feed, **options)
    assert isinstance(plain, tuple)
    assert outcome(text, QuickFeed, only_file=True, **options) == plain


@pytest.mark.parametrize("only_file", [True, False])
def test_a_listing_has_what_was_worked_out_at_the_end(only_file: bool) -> None:
    listed: list[str] = []
    text = "loop: bne loop\n bne on\n .byte on-loop\non: lda on-loop\n"
    outcome(text, QuickFeed, listed=listed.append, only_file=only_file)
    for shown in ("D0 FE", "D0 01", " 05 ", "AD 05 00"):
        assert shown in listed[0], listed[0]
