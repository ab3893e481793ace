"""What looks like a contract and is not read is told, with its reason and its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.contract.reading.misspelt import distance, find_nearest_field
from romproof.contract.reading.parse import read_contracts
from romproof.contract.reading.unread import UnreadReason, unread
from romproof.program.image import Image
from romproof.projects import build
from romproof.projects.manifest import manifest_from
from romproof.report.unread import find_lost, findings_of
from romproof.text.diagnostic import Severity, render

CA65 = """\
.segment "ZEROPAGE"
n: .res 1
.exportzp n
.segment "CODE"
;; good – x
; in: A
; out: A
.export good
.proc good
  lda #1
  rts
.endproc
.export it
"""
RGBASM = """\
SECTION "vars", HRAM[$FF90]
n:: ds 1
SECTION "code", ROM0[$150]
;; good – x
; in: A
; out: A
good::
  ld a, 1
  ret
"""
CODE = {"6502": "it:\n  lda #1\n  rts\n", "sm83": "it::\n  ld a, 1\n  ret\n"}


def _image(folder: Path, text: str, cpu: str = "6502", **files: str) -> Image:
    name = "prog.s" if cpu == "6502" else "prog.asm"
    for other, content in files.items():
        (folder / f"{other}.inc").write_bytes(content.encode())
    (folder / name).write_bytes(text.encode())
    table = {"name": "demo", "cpu": cpu, "sources": [name]}
    return build(manifest_from(table, folder, "demo", "test")).image


def _found(image: Image) -> list[tuple[UnreadReason, str, str]]:
    return [(row.why, row.name, row.span.text.strip()) for row in unread(image)]


BLOCK = ";; it – x\n; in: A\n; out: A\n"
BOTH: list[tuple[str, str, UnreadReason | None, str]] = [
    # what is written above the label, the reason, and the name that is pointed at
    ("attached", BLOCK, None, ""),
    ("tabs", ";;\tit\t–\tx\n;\tin:\tA\n;\tout:\tA\n", None, ""),
    ("capitals", ";; it – x\n; IN: A\n; OUT: A\n", None, ""),
    ("crlf", BLOCK.replace("\n", "\r\n"), None, ""),
    ("blank between block and label", BLOCK + "\n\n", None, ""),
    ("an indented field", ";; it – x\n; in: A\n;       out: A\n", None, ""),
    ("empty comment line", ";; it – x\n; in: A\n;\n; out: A\n", None, ""),
    ("prose", ";; it – x\n; in: A\n; out: A\n; note that in most games\n; this is it\n", None, ""),
    ("blank line", ";; it – x\n; in: A\n\n; out: A\n", UnreadReason.BLANK_LINE, "it"),
    (
        "blank line below the title",
        ";; it – x\n\n; in: A\n; out: A\n",
        UnreadReason.BLANK_LINE,
        "it",
    ),
    (
        "line with blanks only",
        ";; it – x\n; in: A\n  \t\n; out: A\n",
        UnreadReason.BLANK_LINE,
        "it",
    ),
    ("one semicolon", "; it – x\n; in: A\n", UnreadReason.MARK, "it"),
    ("three semicolons", ";;; it – x\n; in: A\n", UnreadReason.MARK, "it"),
    ("one semicolon and a colon", "; it: x\n; in: A\n", UnreadReason.MARK, "it"),
    ("another block below", BLOCK + "; --\n;; more of it\n", UnreadReason.HIDDEN, "it"),
    ("two contracts", BLOCK + "\n" + BLOCK, UnreadReason.SECOND, "it"),
    ("a misspelt name", ";; itt – x\n; in: A\n; --\n;; it\n", UnreadReason.NO_LABEL, "itt"),
    (
        "no colon",
        ";; it – x\n; in: A\n; ensures A == 5\n; out: A\n",
        UnreadReason.NO_COLON,
        "ensures",
    ),
    ("no colon, an item", ";; it – x\n; in A\n; out: A\n", UnreadReason.NO_COLON, "in"),
    (
        "no colon, a number",
        ";; it – x\n; in: A\n; stack 4\n; out: A\n",
        UnreadReason.NO_COLON,
        "stack",
    ),
    ("no colon, none", ";; it – x\n; clobbers none\n; out: A\n", UnreadReason.NO_COLON, "clobbers"),
    (
        "a dash",
        ";; it – x\n; in: A\n; ensures – A == 5\n; out: A\n",
        UnreadReason.NO_COLON,
        "ensures",
    ),
    ("a wide colon", ";; it – x\n; in\uff1a A\n; out: A\n", UnreadReason.NO_COLON, "in"),
    ("not indented", ";; it – x\n; in: A\n; n\n; out: A\n", UnreadReason.NOT_INDENTED, "n"),
    ("after a comma", ";; it – x\n; out: A,\n; the rest\n", UnreadReason.NOT_INDENTED, "the"),
    ("a condition", ";; it – x\n; out: A\n; A == 5\n", UnreadReason.NOT_INDENTED, "A"),
    (
        "an equals sign",
        ";; it – x\n; in: A\n; cycles = 8\n; out: A\n",
        UnreadReason.NO_COLON,
        "cycles",
    ),
    ("misspelt fields only", ";; it – x\n; ensurs: A == 1\n", UnreadReason.MISSPELT, "ensurs"),
    ("two letters", ";; it – x\n; enshurs: A == 1\n", UnreadReason.MISSPELT, "enshurs"),
    ("swapped letters", ";; it – x\n; cylces: 8\n", UnreadReason.MISSPELT, "cylces"),
    ("no title", "; in: A\n; ensure: A == 1\n", UnreadReason.MISSPELT, "ensure"),
    (
        "behind two semicolons",
        ";; it – x\n;; guarantee: A == 5\n;; in: A\n",
        UnreadReason.MISSPELT,
        "guarantee",
    ),
]
BOTH += [
    (f"dash {dash}", f";; it {dash} x\n; in: A\n", None, "")
    for dash in ("-", "--", "–", "—", ":", "―", "‐", "−", " :")
]
HEAD = {"6502": CA65, "sm83": RGBASM}


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
@pytest.mark.parametrize(("_what", "above", "why", "name"), BOTH, ids=[c[0] for c in BOTH])
def test_read_or_told(
    cpu: str, _what: str, above: str, why: UnreadReason | None, name: str, tmp_path: Path
) -> None:
    image = _image(tmp_path, HEAD[cpu] + above + CODE[cpu], cpu)
    found = _found(image)
    assert [(each[0], each[1]) for each in found] == ([] if why is None else [(why, name)])
    read = read_contracts(image)
    if why is None:
        assert "it" in read.contracts
        assert not read.malformed


OF_CA65: list[tuple[str, str, UnreadReason | None, str]] = [
    ("constant", BLOCK + "it = hidden\nhidden: rts\n", UnreadReason.CONSTANT, "it"),
    ("equate between", BLOCK + "SIZE = 4\nit: rts\n", UnreadReason.SEPARATED, "it"),
    (
        "equate inside",
        ";; it – x\n; in: A\nSIZE = 4\n; out: A\nit: rts\n",
        UnreadReason.SEPARATED,
        "it",
    ),
    ("feature", BLOCK + ".feature c_comments\nit: rts\n", UnreadReason.SEPARATED, "it"),
    ("macro", BLOCK + ".macro m\n.endmacro\nit: rts\n", UnreadReason.SEPARATED, "it"),
    (
        "call of a macro",
        ".macro m\n nop\n.endmacro\n" + BLOCK + "m\nit: rts\n",
        UnreadReason.SEPARATED, "it",
    ),
    ("a comment between", BLOCK + ".code\n; -----\nit: rts\n", UnreadReason.SEPARATED, "it"),
    ("other code", BLOCK + "good2: rts\nit: rts\n", UnreadReason.SEPARATED, "it"),
    ("end of the file", "it: rts\n" + BLOCK, UnreadReason.NOTHING_BELOW, "it"),
    ("end without a newline", "it: rts\n" + BLOCK.rstrip("\n"), UnreadReason.NOTHING_BELOW, "it"),
    ("private", "it: rts\n;; sub – x\n; in: A\nsub: rts\n", UnreadReason.PRIVATE, "sub"),
    ("inner", ".proc it\n;; sub – x\n; in: A\nsub: rts\n.endproc\n", UnreadReason.PRIVATE, "sub"),
    ("cheap", "it:\n;; @sub – x\n; in: A\n@sub: rts\n", UnreadReason.PRIVATE, "@sub"),
    (
        "in a scope",
        "it: rts\n.scope s\n;; sub – x\n; in: A\n.proc sub\n rts\n.endproc\n.endscope\n",
        UnreadReason.PRIVATE,
        "sub",
    ),
    (
        "left out",
        "it: rts\n.if 0\n;; sub – x\n; in: A\n.proc sub\n.endproc\n.endif\n",
        UnreadReason.LEFT_OUT, "sub",
    ),
    (
        "condition between",
        "it: rts\n;; sub – x\n; in: A\n.if 0\nsub: rts\n.endif\n",
        UnreadReason.LEFT_OUT, "sub",
    ),
    (
        "two variants",
        ".if 1\n" + BLOCK + "it: rts\n.else\n" + BLOCK + "it: nop\n.endif\n",
        None, "",
    ),
    (
        "one for two variants",
        BLOCK + ".if 0\nit: nop\n.else\nit: rts\n.endif\n",
        UnreadReason.SEPARATED, "it",
    ),
    ("a macro defines it", ".macro p name\nname: rts\n.endmacro\n" + BLOCK + "p it\n", None, ""),
    ("commands between", BLOCK + '.segment "CODE"\n.align 2\n.if 1\nit: rts\n.endif\n', None, ""),
    ("a table", ";; it – x\n; out: none\nit: .byte 1\n", None, ""),
    ("behind code", "it: rts ;; it – x\n", None, ""),
    ("predicate", "it: rts\n;; predicate small(x): x < 4\n", None, ""),
]  # fmt: skip
OF_RGBASM: list[tuple[str, str, UnreadReason | None, str]] = [
    ("constant", BLOCK + "DEF it EQU 4\n", UnreadReason.CONSTANT, "it"),
    ("equate between", BLOCK + "DEF SIZE EQU 4\nit:: ret\n", UnreadReason.SEPARATED, "it"),
    ("macro", BLOCK + "MACRO m\nENDM\nit:: ret\n", UnreadReason.SEPARATED, "it"),
    ("private", "it:: ret\n;; under – x\n; in: A\nunder: ret\n", UnreadReason.PRIVATE, "under"),
    ("local", "it::\n;; .sub – x\n; in: A\n.sub: ret\n", UnreadReason.PRIVATE, ".sub"),
    ("section between", BLOCK + 'SECTION "more", ROM0\nit:: ret\n', None, ""),
    ("end of the file", "it:: ret\n" + BLOCK, UnreadReason.NOTHING_BELOW, "it"),
    (
        "left out",
        "it:: ret\nIF 0\n;; under – x\n; in: A\nunder:: ret\nENDC\n",
        UnreadReason.LEFT_OUT,
        "under",
    ),
]  # fmt: skip
ONE = [("6502", *c) for c in OF_CA65] + [("sm83", *c) for c in OF_RGBASM]


@pytest.mark.parametrize(
    ("cpu", "_what", "text", "why", "name"), ONE, ids=[f"{c[0]} {c[1]}" for c in ONE]
)
def test_where_it_stands(
    cpu: str, _what: str, text: str, why: UnreadReason | None, name: str, tmp_path: Path
) -> None:
    image = _image(tmp_path, HEAD[cpu] + text, cpu)
    found = _found(image)
    assert [(each[0], each[1]) for each in found] == ([] if why is None else [(why, name)])


def test_included_files_are_looked_at_once(tmp_path: Path) -> None:
    text = CA65 + '.include "more.inc"\n.include "none.inc"\n.include "none.inc"\n'
    image = _image(
        tmp_path, text, more="it: rts\n; it – x\n; in: A\n", none=";; nowhere – x\n; in: A\n"
    )
    assert [each[:2] for each in _found(image)] == [
        (UnreadReason.MARK, "it"),
        (UnreadReason.NO_LABEL, "nowhere"),
    ]


def test_it_is_told_with_its_place(tmp_path: Path) -> None:
    image = _image(tmp_path, CA65 + BLOCK + "SIZE = 4\nit: rts\n")
    (found,) = findings_of(find_lost(image), "demo", strict=False)
    text = render(found)
    assert found.severity is Severity.WARNING
    assert "prog.s:14:4: warning: this contract is not read" in text
    assert "   14 | ;; it – x\n      |    ^^" in text
    assert "note: this line is in the way at" in text
    assert "SIZE = 4" in text
    (found,) = findings_of(find_lost(image), "demo", strict=True)
    assert found.severity is Severity.ERROR


@pytest.mark.parametrize("why", [*UnreadReason])
def test_every_reason_has_a_sentence(why: UnreadReason, tmp_path: Path) -> None:
    from romproof.contract.reading.unread import Unread
    from romproof.report.unread import finding

    span = _image(tmp_path, CA65 + "it: rts\n").symbols[-1].span
    assert span is not None
    said = finding(Unread(why, "it", span, span, "in"), Severity.WARNING)
    assert "is not read" in said.message
    assert said.help


COMMENTS = [
    ";;\n; Draws a tile\n; In: A = tile number\n; Out: nothing\n",
    ";; Draws a tile\n; In: A = tile number\n",
    ";;;;;;;;;;;;;;;;;;;;;;\n;; Draws\n;; In: A = tile\n;; Out: X, clobbers Y\n",
    ";;\n; In: HL = source, BC = count\n; Out: none of it\n; Cycles: about 300\n",
]


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
@pytest.mark.parametrize("comment", COMMENTS)
def test_comments_of_other_people_stop_nothing(cpu: str, comment: str, tmp_path: Path) -> None:
    head = ".export it, to\n" if cpu == "6502" else 'SECTION "code", ROM0[$150]\n'
    to = CODE[cpu].replace("it:", "to:")
    image = _image(tmp_path, head + comment + CODE[cpu] + comment + to, cpu)
    read = read_contracts(image)
    assert (read.contracts, read.malformed, len(read.comments)) == ({}, {}, 2)
    lost = find_lost(image)
    (warning,) = findings_of(lost, "demo", strict=False)
    assert warning.severity is Severity.WARNING
    assert "2 comments look like contracts; the first" in warning.message
    assert len(findings_of(lost, "demo", strict=True)) >= 2
    assert all(each.severity is Severity.ERROR for each in findings_of(lost, "demo", strict=True))


@pytest.mark.parametrize("comment", COMMENTS)
def test_beside_contracts_they_are_malformed(comment: str, tmp_path: Path) -> None:
    image = _image(tmp_path, CA65 + comment + "it: rts\n")
    read = read_contracts(image)
    assert set(read.contracts) == {"good"}
    assert set(read.malformed) == {"it"}


@pytest.mark.parametrize(
    "block", [";; it – x\n; in: Q\n", ";; it – x\n; In: Q\n; Out: A\n", ";; ti – x\n; in: A\n"]
)
def test_a_contract_with_a_mistake_is_no_comment(block: str, tmp_path: Path) -> None:
    assert read_contracts(_image(tmp_path, f".export it\n{block}it: rts\n")).malformed


@pytest.mark.parametrize(
    "prose",
    [
        "; Copies a page.\n; in most cases: 3 pages\n",
        "; it - the routine\n; note: see below\n; state: 1\n",
        "; good - a word\n; Input: A\n; Output: X\n",
        "; ========\n; In: A\n; Out: X\n; ========\n",
        "; stack is used here\n; out of memory: rare\n; it: is: if:\n",
        "; loops over all tiles, in order\n; cycles through the colours\n",
    ],
)
def test_plain_comments_are_none(prose: str, tmp_path: Path) -> None:
    assert _found(_image(tmp_path, CA65 + prose + "it: rts\n")) == []


@pytest.mark.parametrize(
    ("one", "other", "number"),
    [
        ("cycles", "cycles", 0),
        ("cylces", "cycles", 1),
        ("clobers", "clobbers", 1),
        ("ensure", "ensures", 1),
        ("requiers", "requires", 1),
        ("stock", "stack", 1),
        ("", "in", 2),
        ("kitten", "sitting", 3),
    ],
)
def test_the_distance_of_words(one: str, other: str, number: int) -> None:
    assert distance(one, other) == distance(other, one) == number


def test_short_names_may_have_one_letter_wrong() -> None:
    assert find_nearest_field("im") == "in"
    assert find_nearest_field("outt") == "out"
    assert find_nearest_field("kidn") == "kind"
    assert find_nearest_field("kdni") is None
    assert find_nearest_field("ensrue") == "ensures"
    assert find_nearest_field("note") is None
    assert find_nearest_field("in") is None
    assert find_nearest_field("it") is None
