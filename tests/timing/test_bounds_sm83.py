"""Small routines of the SM83, their M-cycles counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from bounds_programs import bounds, found, image_sm83

CASES = {
    # ld 2 + ret 4
    "straight on": ("ld b, 8\n ret", 6, 6),
    # ldh 3, or 1, jr 2 or 3, inc 1, ret 4
    "a branch": ("ldh a, [value]\n or a\n jr nz, .skip\n inc a\n.skip: ret", 11, 11),
    # or 1; ret nz 2 or 5; nop 1; ret 4
    "a return under a condition": ("or a\n ret nz\n nop\n ret", 6, 8),
    # or 1; call z 3 or 6 and 1 + 4; ret 4
    "a call under a condition": ("or a\n call z, .sub\n ret\n.sub: nop\n ret", 8, 16),
    # ld 2; 8 * (dec 1 + jr 3) - 1; ret 4
    "down to zero": ("ld b, 8\n.step: dec b\n jr nz, .step\n ret", 37, 37),
    # xor 1; 5 * (inc 1 + cp 2 + jr 3) - 1; ret 4
    "up to a number": ("xor a\n.step: inc a\n cp 5\n jr nz, .step\n ret", 34, 34),
    # ld 2; 3 * (dec 1 + ret z 2 + jr 3) - 3 - 2 + 5
    "a return in the loop": ("ld e, 3\n.step: dec e\n ret z\n jr .step", 2 + 12 + 6, 20),
    # ld 3; 300 * (dec 2 + ld 1 + or 1 + jr 3) - 1; ret 4
    "a counter of 16 bits": (
        "ld bc, 300\n.step: dec bc\n ld a, b\n or c\n jr nz, .step\n ret",
        3 + 300 * 7 - 1 + 4,
        3 + 300 * 7 - 1 + 4,
    ),
    # ld 3; 4 * (xor 1 + ld 2 + ld 1 + cp 2 + jr 3) - 1; ret 4
    "the address is the counter": (
        "ld hl, table\n"
        ".step: xor a\n ld [hl+], a\n ld a, l\n cp LOW(table + 4)\n jr nz, .step\n ret",
        3 + 4 * 9 - 1 + 4,
        3 + 4 * 9 - 1 + 4,
    ),
    # ld 2 + ldh 3; 6 * (ldh 3 + dec 1 + ldh 3 + jr 3) - 1; ret 4
    "a counter in memory": (
        "ld a, 6\n ldh [counter], a\n"
        ".step: ldh a, [counter]\n dec a\n ldh [counter], a\n jr nz, .step\n ret",
        5 + 60 - 1 + 4,
        5 + 60 - 1 + 4,
    ),
    # push 4, pop 3, push and pop what is saved
    "the stack": ("push hl\n push af\n pop bc\n pop hl\n ret", 4 + 4 + 3 + 3 + 4, 18),
    "the stack by numbers": ("add sp, -4\n ld hl, sp+2\n ld [hl], 1\n add sp, 4\n ret", 18, 18),
    # di and ei 1 each
    "interrupts off and on": ("di\n nop\n ei\n ret", 7, 7),
    "a restart": ('rst $38\n ret\nSECTION "38", ROM0[$38]\n nop\n ret', 4 + 5 + 4, 13),
    "a tail call": ("jp there\nthere: jr other\nother: ret", 4 + 3 + 4, 11),
    # swap [hl] 4, bit 3
    "after the prefix": ("ld hl, table\n swap [hl]\n bit 3, [hl]\n ret", 3 + 4 + 3 + 4, 14),
}


@pytest.mark.parametrize("name", CASES)
def test_by_hand(tmp_path: Path, name: str) -> None:
    code, best, worst = CASES[name]
    got = bounds(image_sm83(tmp_path, f"main::\n {code}\n"))
    assert (got.best, got.worst, got.reason) == (best, worst, "")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("ld hl, table\n jp hl", "prog.asm:9: 'jp hl' jumps to a computed address"),
        ("push hl\n ret", "prog.asm:9: it does not return to its caller"),
        ("pop hl\n push hl\n ret", "prog.asm:8: it removes its return address from the stack"),
        ("ld hl, sp+0\n ld [hl], 1\n ret", "prog.asm:9: it changes its return address"),
        ("ld sp, $D000\n ret", "it does not return to its caller"),
        ("halt\n ret", "prog.asm:8: 'halt' waits for an event outside the CPU"),
        ("nop\n db $D3", "prog.asm:9: 'jam' locks the CPU"),
        (
            "ld a, 1\n ld [$2000], a\n ret",
            "it writes to ROM at $2000, which may switch banks",
        ),
        (
            "nop\n.step: ldh a, [$FF44]\n cp 144\n jr nz, .step\n ret",
            "write 'loops: main.step COUNT'",
        ),
        ("call main\n ret", "recursion: main -> main"),
        # a counter at an address that hardware may change, or that [hl] may be
        (
            "ld a, 3\n.step: ldh [$FF44], a\n ldh a, [$FF44]\n dec a\n jr nz, .step\n ret",
            "no known",
        ),
        (
            "ld a, 3\n ldh [counter], a\n.step: ld [hl], 5\n ldh a, [counter]\n dec a\n"
            " ldh [counter], a\n jr nz, .step\n ret",
            "no known bound",
        ),
    ],
)
def test_what_cannot_be_known(tmp_path: Path, code: str, reason: str) -> None:
    got = bounds(image_sm83(tmp_path, f"main::\n {code}\n"))
    assert got.worst is None
    assert reason in got.reason


def test_what_a_contract_says(tmp_path: Path) -> None:
    text = """\
;; main – waits for lines.
; in:       B
; requires: B in 2..4
; out:      none
; clobbers: AF B
; loops:    .wait 1..3
main::
.line
.wait
    ldh a, [$FF44]        ; 3
    cp 144              ; 2
    jr nz, .wait        ; 3 or 2
    nop                 ; 1
    dec b               ; 1
    jr nz, .line        ; 3 or 2
  ret                   ; 4
"""
    spread = text.replace(".line\n", ".line\n    nop\n")
    image = image_sm83(tmp_path, spread)
    turns = (1 + 7 + 5, 1 + 3 * 8 - 1 + 5)
    assert str(bounds(image)) == f"{2 * turns[0] - 1 + 4}..{4 * turns[1] - 1 + 4}"
    # two loops with one head are one loop, and the contract's number is for both
    assert found(image_sm83(tmp_path, text)).loops[0].most == 3
