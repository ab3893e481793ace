"""Plain tokens, which are read at once and kept by the text of their line, are what reading one
character after the other makes of them: objects, places and messages are the same."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics, render
from romproof.toolchains.rgbds.asm import RgbdsOptions, assemble_source, lexer
from romproof.toolchains.rgbds.asm.contexts import source_text
from romproof.toolchains.rgbds.asm.plain_tokens import (
    PlainToken,
    may_end,
    read_line,
    read_whole,
)
from romproof.toolchains.rgbds.obj.rgb9 import write_object

NOTHING = re.compile(r"(?!)")
CASES = Path(__file__).parents[2] / "cases" / "rgbds"
SAMPLE = """\
DEF WIDTH EQU 20
DEF HEIGHT EQU $12 ; rows
DEF count = 0
DEF TEXT EQUS "ld a, 1"
CHARMAP "A", $80
CHARMAP "<NEXT>", $4E
CHARMAP "B", 1, 2
MACRO entry
\tDEF \\1 EQU count
\tDEF count += 1
ENDM
MACRO pair
\tREPT _NARG / 2
\t\tdb (\\1) << 4 | (\\2)
\t\tSHIFT 2
\tENDR
ENDM
MACRO object
\\1X:: db
\\1Name:: ds \\2
.end\\@:
\tASSERT \\2 < 20, "too long"
ENDM
MACRO choose
\tIF \\1 == 1
\t\tld b, \\1 + {WIDTH}
\tELIF \\1 == 2
\t\tld b, 0
\tELSE
\t\tld [wX], a
\tENDC
ENDM
\tentry FIRST
\tentry SECOND
SECTION "Code", ROM0
Start::
\tld a, WIDTH * HEIGHT / 8 - 1
\tldh a, [$FF44]
\tld hl, Table
.loop
\tld [hli], a
\tdec b
\tjr nz, .loop
\tjr Table
\tcall Other + 2
\tbit 3, [hl]
\trst $18
\trst Other
\tld a, BANK(Other)
\tld de, TableEnd - Table
\tcp 'A'
\tadd LOW(Table)
\tTEXT
\tchoose 1
\tchoose 2
\tchoose SECOND + 2
.data: dw .loop, Start, $1234
Table: db 1, WIDTH, "A<NEXT>B", -1, LOW(Other)
TableEnd:
\tpair 1, 2, 3, 4
\tds 4, $FF
\tds 3
\tASSERT TableEnd - Table > 2
\tdw "AB", -2 ** 3, 7 % 4
IF DEF(NOTHING)
\tnonsense
ELSE
\tdb 5
ENDC
\tjp hl
LOAD "High", HRAM
Copied: ret
ENDL
SECTION "Ram", WRAM0
wX:: db
\tobject wY, 4
\tobject wZ, 4 + 1
wEnd:
"""
MORE = """\
DEF STEP EQUS "* 2 +"
DEF GIVE EQUS "ld a,"
DEF BOTH EQUS "ld b, 1 STEP 2"
MACRO table
\tREDEF CURRENT EQUS "_table\\@"
\tDEF {CURRENT} = 0
\tASSERT STRFIND("\\1", "@") == -1, "no \\"@\\" in \\1"
\tASSERT CHARLEN("\\1") <= 8, \\
\t\t"{CURRENT}: too long"
{CURRENT}_start:
ENDM
MACRO row
\tDEF {CURRENT} += 1
\tREDEF _row_{d:{CURRENT}}_name EQUS "\\1"
\tdb {d:{CURRENT}} STEP 1, \\<2>, \\3
ENDM
MACRO pick
\tIF _NARG > 2
\t\tdb \\3
\tELIF _NARG > 1
\t\tdb \\2
\tELIF \\1 == 7 ; seven
\t\tGIVE \\1
\tELSE
\t\tBOTH
\tENDC
ENDM
MACRO named
\tDEF name_\\1_x EQUS "\\2"
\tDEF {name_\\1_x}_y = {d:later} + 1
\tdw {name_{d:forward}\\1_x}_y, "{name_\\1_x}"
ENDM
MACRO given
\tdb "<NEXT>", \\# ; all of them
\tdw \\1, (\\1) * 2, \\1 - forward
ENDM
MACRO? quiet
\trept? _NARG
\t\tdb \\1
\t\tshift
\tendr
ENDM
SECTION "More", ROMX
DEF forward EQU 3
\tdw later, forward
DEF later EQU 5
\ttable here
\trow one, 2, \\
\t\t3
\trow two, 4, 5 STEP 6
\tPRINTLN "{_row_1_name} {_row_2_name}"
\tpick 1
\tpick 7
\tpick 1, 2
\tpick 1, 2, 3
\tquiet 1, 2, 3
\tgiven 1, "text", 2 + 3
\tgiven forward, "te\\"xt"
\tgiven later_label - 1
DEF name_3q_x EQUS "q"
\tnamed q, q
\tREDEF replaced EQUS STRRPL("1#2", "#", "$")
\tdb $12, $AB,$0 , $f ; bytes
\tdb 1, later_label, 3, "text", 4
later_label:
FOR n, 3
\tdb n
ENDR
\tFOR n, 1, 10, 4
.at{d:n}: dw n STEP n, .at{d:n}
\tENDR
\tEXPORT later
\tPURGE n, CURRENT
REDEF later EQU later + 1
\tdb later, 1 STEP later
\tdb later, \\
\t\tforward
"""
_PIECES = (
    "", " ", ",", "(", ")", "[", "]", "{", "}", "\\", "\\1", "\\@", '"', "'", ";", ":", "::", "#",
    "-", "$", "%", "&", "300", "-200", "$10000", "WIDTH", ".loop", "Start", "TEXT", "{TEXT}",
    "/*", "*/", "++", "===", "@", "\r", "IF 0\n", "ENDC\n", "REPT 2\n", "ENDR\n", "_NARG", "a",
)  # fmt: skip


def outcome(text: str) -> tuple[object, ...]:
    """Everything that assembling comes to."""
    printed: list[str] = []
    options = RgbdsOptions(warnings=("everything",), out=printed.append, max_errors=20)
    diagnostics = Diagnostics()
    data, lines = b"", ""
    try:
        made = assemble_source(source_text("test.asm", text.encode()), options, diagnostics)
        assert made.object is not None
        data = write_object(made.object)
        lines = "\n".join(
            f"{line.offset} {line.size} {line.is_code} {line.place.span!r}"
            for section in made.object.sections
            for line in section.lines
        ) + "".join(str(symbol.place and symbol.place.span) for symbol in made.object.symbols)
    except BuildFailed:
        pass
    messages = [render(found, False) for found in diagnostics.items]
    return data, lines, messages, printed


def same(text: str) -> None:
    """Plain tokens come to what characters do."""
    at_once = outcome(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexer, "read_line", lambda line: {})
        patch.setattr(lexer, "read_plain_token", lambda text, at: None)
        patch.setattr(lexer, "_PLAIN_ARGUMENTS", NOTHING)
        patch.setattr(lexer, "_EMPTY_LINES", NOTHING)
        by_characters = outcome(text)
    assert at_once == by_characters


def test_the_sample() -> None:
    for text in (SAMPLE, MORE):
        same(text)
        data, _, messages, _ = outcome(text)
        assert data, messages


def test_tokens_of_a_line() -> None:
    """By where the lexer stands; what is expanded leaves a gap, and an argument is marked."""
    assert read_line('x: db $1F, %101, "x"\n') == {
        0: (("LABEL", "x"), 0, 1),
        1: ((":", None), 1, 2),
        2: (("DB", None), 3, 5),
        5: (("NUMBER", 0x1F), 6, 9),
        9: ((",", None), 9, 10),
        10: (("NUMBER", 5), 11, 15),
        15: ((",", None), 15, 16),
        16: (("STRING", "x"), 17, 20),
        20: (("NEWLINE", None), 20, 21),
    }
    assert read_line(" dw \\1, x_{n}y\n") == {
        0: (("DW", None), 1, 3),
        3: (("\\", "1,"), 4, 6),
        6: ((",", None), 6, 7),
        14: (("NEWLINE", None), 14, 15),
    }


@pytest.mark.parametrize(
    "line",
    ['"""\n', "/* a */ b\n", "&17\n", "`0123\n", "1.5\n", "#db\n", "if.x\n", "'a'\n"],
)
def test_what_is_no_plain_token(line: str) -> None:
    assert read_line(line) == {}


def test_a_token_at_the_end_of_an_argument() -> None:
    """It may be longer than the argument."""
    assert read_whole("$10") == ("NUMBER", 16)
    assert read_whole("1 + 2") is None
    for token, goes_on, ends in (
        (("NUMBER", 1), "0_.x", ",)] \n"),
        (("SYMBOL", "a"), "b:?{\\", ",)+ "),
        (("STRING", "a"), '"', ", "),
        (("<", None), "<=", " "),
    ):
        assert not any(may_end(token, behind) for behind in goes_on)
        assert all(may_end(token, behind) for behind in ends)


def test_a_line_is_read_once_whatever_is_said_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line of a disassembly has its own comment; a semicolon in a string begins none."""
    read: list[str] = []

    def counted(line: str) -> dict[int, PlainToken]:
        read.extend([line] if line else [])
        return read_line(line)

    monkeypatch.setattr(lexer, "read_line", counted)
    body = "".join(f"\tld a, [hl]  ;; 00:{at:04X}\n\tdb 1;{at}\n" for at in range(100))
    body += '\tdb "a;b"\n\tdb "a;c"\n'
    data, _, messages, _ = outcome('SECTION "A", ROM0\n' + body)
    assert not messages
    assert data
    assert read[1:] == ["\tld a, [hl]\n", "\tdb 1\n", '\tdb "a\n']


@pytest.mark.parametrize("path", sorted(CASES.glob("*.asm")), ids=lambda path: path.stem)
def test_cases(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CASES)
    same(path.read_text("utf-8", "replace"))


@pytest.mark.quick_cases("1")
@pytest.mark.parametrize("seed", range(8))
def test_faults(seed: int) -> None:
    """Pieces put anywhere, characters taken out: what is wrong is told in the same words."""
    rng = random.Random(seed)
    for _ in range(20):
        text = SAMPLE
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(_PIECES) + text[at + rng.randrange(3) :]
        same(text)


@pytest.mark.quick_cases("3")
@pytest.mark.parametrize("seed", range(4))
def test_faults_with_more_of_the_language(seed: int) -> None:
    """The same for loops, symbols that are texts, and lines that go on in the next one."""
    rng = random.Random(seed)
    for _ in range(20):
        text = MORE
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(_PIECES) + text[at + rng.randrange(3) :]
        same(text)


@pytest.mark.parametrize(
    "text",
    [
        "\tdb 256\n",
        'SECTION "A", ROM0\nx: db 1\r\n\tdb x ; a \rb\n\tdw y\r',
        'SECTION "A", ROM0\nMACRO m\n\tdb \\1\nENDM\n\tm "a;b"\n\tm 1 ; 2\n\tm #x\n\tm ,\n',
        'SECTION "A", ROM0\nREPT 3\n.x\\@: jr .x\\@\nENDR\n',
        'SECTION "A", ROM0\na: jr b\nds 200\nb: jr a\n',
        'SECTION "A", ROM0[$10]\na: dw a, b - a, b\nb: db BANK(a), b & 0\n',
        'SECTION "A", ROM0, ALIGN[8]\na: db LOW(a), !a, HIGH(a)\nassert LOW(a) == 0\n',
        'OPT b.X\nSECTION "A", ROM0\n\tdb %.X\n',
        "IF 1\nELSE\nELSE\nENDC\nENDC\n",
        'SECTION "A", ROM0\nx: db ' + "+".join("1" * 500) + "\n",
        "MACRO m\n\tm\nENDM\n\tm\n",
        "REPT 2\nREPT 2\nm\nENDR ; end\n ENDR\nREPT 1\n",
        'DEF X EQUS "Y"\nDEF Y EQU 2\nSECTION "A", ROM0\nX: db X, {X}, DEF(X), DEF(Z), Q\n',
        "DEF Y EQU 2\nPURGE Y\nDEF Y EQU 3\nDEF Y += 1\n",
        'SECTION "A", ROM0\n\tdb 1;a\n\tdb 1 ; "b\n\tdb 1 ; {c\n\tdb 1\t; \\\n\tdb 1 ;; /*\n',
        'SECTION "A", ROM0\n\tdb "a;b" ; c\n\tdb "a;d" ; c\n\tdb \';\' ; c\n\tdb 1 ; a \rb\n',
        'SECTION "A", ROM0\nx: ; a\nx: ; b\n\tdb 1, \\ ; c\n\t2 ; d\n\tdb 300 ; e\n\tdb 300 ; f\n',
        'DEF X EQUS "1;"\nSECTION "A", ROM0\n\tdb X ; a\n\tdb X ; b\n\tdb 2 /* ; c\n*/ ; d\n',
        'SECTION "A", ROM0\nMACRO m\n\tdb \\1 ; a\n\tdb \\1;b\n\tn \\1;c\nENDM\n\tm 1;d\n\tm 1 ;e',
    ],
)
def test_corners(text: str) -> None:
    same(text)
