"""What a callee with a loop fills is known to be written, by a flag that it leaves where it may not
be; and what it leaves out is not."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

LOOP = "invariant: @l: X in 0..3; decreases: @l: 4 - X"
LOOP_SM83 = "invariant: .l: HL in &arr..&arr + 3; decreases: .l: &arr + 4 - HL"
FILL_SM83 = ".l: ld [hl+], a/ld b, a/ld a, l/cp LOW(arr + 4)/ld a, b/jr nz, .l/"


def _fill(first: str = "0", last: str = "4", put: str = "sta arr,x") -> tuple[str, str]:
    return (
        f"in: A; out: arr[4]; clobbers: X N Z C; {LOOP.replace('4', last)}",
        f"ldx #{first}/@l: {put}/inx/cpx #{last}/bne @l/rts",
    )


def _unless(last: str = "4", end: str = "clc") -> tuple[str, str]:
    """Fills, with C clear; or does nothing, with C set: from 9 on."""
    return (
        ("in: A; out: C arr[4]; clobbers: X N Z; invariant: @l: X in 0..3; decreases: @l: 4 - X"),
        f"cmp #9/bcs @e/ldx #0/@l: sta arr,x/inx/cpx #{last}/bne @l/{end}/@e: rts",
    )


UNLESS_SM83 = (
    (
        "in: A; out: CF arr[4]; clobbers: A B HL ZF NF HF; "
        "invariant: .l: HL in &arr..&arr + 3; decreases: .l: &arr + 4 - HL"
    ),
    f"cp 9/ccf/ret c/ld hl, arr/{FILL_SM83}and a/ret",
)
READS = "in: A; out: A; clobbers: X N Z C arr[4]"
READS_SM83 = "in: A; out: A; clobbers: B HL F arr[4]"


def _wrong(callee: tuple[str, str], code: str, contract: str = READS) -> Said:
    return false(contract, f"jsr other/{code}", "input", others={"other": callee})


def _right(callee: tuple[str, str], code: str, contract: str = READS) -> Said:
    return true(contract, f"jsr other/{code}", others={"other": callee})


GOOD = "bcs @e/lda arr+2/rts/@e: lda #0/rts"
"""Reads where C is clear."""

TURN = "invariant: @l: X in 1..2; decreases: @l: X", "ldx #2/@l: dex/bne @l/rts"
"""With a loop it is the contract that a caller knows."""
SOMETIMES = (
    "in: A; out: n; clobbers: X N Z C; invariant: @l: X in 1..2; decreases: @l: X",
    f"cmp #9/bne @e/sta n/@e: {TURN[1]}",
)
"""A byte that is written by one A of all."""
SOMETIMES_SM83 = (
    "in: A; out: n; clobbers: B F; invariant: .l: B in 1..2; decreases: .l: B",
    "cp 9/jr nz, .e/ldh [n], a/.e: ld b, 2/.l: dec b/jr nz, .l/ret",
)

FALSE = {
    "6502": {
        "a byte, sometimes": _wrong(
            SOMETIMES, "lda n/rts", "in: A; out: A; clobbers: X N Z C arr[4] n"
        ),
        "the last one is left out": _wrong(_fill(last="3"), "lda arr+3/rts"),
        "the first one is left out": _wrong(_fill(first="1"), "lda arr/rts"),
        "another is filled": _wrong(_fill(put="sta tail,x"), "lda arr+2/rts"),
        "not all are filled": _wrong(_fill(put="cpx #2/beq @n/sta arr,x/@n:"), "lda arr+2/rts"),
        "nobody looks at the flag": _wrong(_unless(), "lda arr+2/rts"),
        "the other value of the flag": _wrong(_unless(), GOOD.replace("bcs", "bcc")),
        "another flag": _wrong(_unless(), GOOD.replace("bcs", "beq")),
        "the flag is lost": _wrong(_unless(), f"clc/{GOOD}"),
        "one is left out with the flag": _wrong(_unless(last="3"), GOOD.replace("arr+2", "arr+3")),
        "the flag says nothing": _wrong(_unless(end="sec"), GOOD.replace("bcs", "bcc")),
    },
    "sm83": {
        "a byte, sometimes": false(
            "in: A; out: A; clobbers: B HL F arr[4] n",
            "call other/ldh a, [n]/ret",
            "input",
            others={"other": SOMETIMES_SM83},
        ),
        "nobody looks at the flag": false(
            READS_SM83, "call other/ld a, [arr + 2]/ret", "input", others={"other": UNLESS_SM83}
        ),
        "the other value of the flag": false(
            READS_SM83,
            "call other/ld a, 0/ret nc/ld a, [arr + 2]/ret",
            "input",
            others={"other": UNLESS_SM83},
        ),
    },
}
TRUE = {
    "6502": {
        "all are filled": _right(_fill(), "lda arr+2/eor arr/rts"),
        "all are filled with the flag": _right(_unless(), GOOD),
    },
    "sm83": {
        "all are filled with the flag": true(
            READS_SM83,
            "call other/ld a, 0/ret c/ld a, [arr + 2]/ret",
            others={"other": UNLESS_SM83},
        ),
    },
}


@pytest.mark.quick_cases(
    "6502 a byte, sometimes",
    "6502 the other value of the flag",
    "6502 one is left out with the flag",
    "6502 the flag says nothing",
    "sm83 a byte, sometimes",
    "sm83 nobody looks at the flag",
    "6502 all are filled with the flag",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_what_a_callee_writes_for_certain(cpu: str, said: Said) -> None:
    check(cpu, said)
