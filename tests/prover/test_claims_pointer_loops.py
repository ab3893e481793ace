"""Loops over blocks behind pointers whose counts are inputs; the invariant is given or found.

What is nearly true must not be proved: a byte too many at either end, counts of 0 that are 256,
a page that ends, blocks that overlap.
"""

from __future__ import annotations

import pytest
from claims import Said, Table, cases, check, false, true
from test_claims_pointers import HEAD_6502, HEAD_SM83

COPY = (
    "in: ptr buf n src; pointer: ptr -> src[n <= 16]; pointer: buf -> dst[n]; "
    "out: dst; stack: 0; clobbers: A Y N Z C; "
    "ensures: all j in 0..15: j < n -> dst[j] == old src[j]; "
)
COPY_CODE = "ldy #0/@l: cpy n/beq @d/lda (ptr),y/sta (buf),y/iny/jmp @l/@d: rts"
SAID = "invariant: @l: Y <= n, all j in 0..15: j < Y -> dst[j] == old src[j]; decreases: @l: n - Y"
GB_COPY = (
    "in: HL DE BC src; pointer: HL -> src[BC <= 16]; pointer: DE -> dst[BC <= 16]; out: dst; "
    "stack: 0; clobbers: A BC DE HL F; "
    "ensures: all j in 0..15: j < old BC -> dst[j] == old src[j]; "
)
GB_CODE = ".l: ld a, b/or c/ret z/ld a, [hl+]/ld [de], a/inc de/dec bc/jr .l"
GB_SAID = (
    "invariant: .l: BC <= old BC, HL == (old HL + old BC - BC) % 65536, "
    "DE == (old DE + old BC - BC) % 65536, "
    "all j in 0..15: j < old BC - BC -> dst[j] == old src[j]; decreases: .l: BC"
)
FILL = "in: A HL B; requires: B <= 8; pointer: HL -> dst[B]; out: dst; stack: 0; clobbers: B HL F"
FILL_CODE = ".l: ld [hl+], a/dec b/jr nz, .l/ret"


def yes(contract: str, code: str) -> Said:
    """A claim of the 6502 that has to be proved."""
    return true(contract, code, head=HEAD_6502)


def no(contract: str, code: str) -> Said:
    """A claim of it that must not be."""
    return false(contract, code, head=HEAD_6502)


def gb_yes(contract: str, code: str) -> Said:
    """A claim of the SM83 that has to be proved."""
    return true(contract, code, head=HEAD_SM83)


def gb_no(contract: str, code: str) -> Said:
    """A claim of it that must not be."""
    return false(contract, code, head=HEAD_SM83)


TRUE: Table = {
    "6502": {
        "a copy": yes(
            "in: ptr buf n src; pointer: ptr -> src[n <= 16]; pointer: buf -> dst[n]; "
            "out: dst; stack: 0; clobbers: A Y N Z C; "
            "ensures: all j in 0..15: j < n -> dst[j] == old src[j]; "
            "invariant: @l: Y <= n, all j in 0..15: j < Y -> dst[j] == old src[j]; "
            "decreases: @l: n - Y",
            COPY_CODE,
        ),
        "a copy, nothing said of its loop": yes(COPY, COPY_CODE),
    },
    "sm83": {
        "a copy": gb_yes(
            "in: HL DE BC src; pointer: HL -> src[BC <= 16]; pointer: DE -> dst[BC <= 16]; "
            "out: dst; stack: 0; clobbers: A BC DE HL F; "
            "ensures: all j in 0..15: j < old BC -> dst[j] == old src[j]; "
            "invariant: .l: BC <= old BC, HL == (old HL + old BC - BC) % 65536, DE == (old DE "
            "+ old BC - BC) % 65536, all j in 0..15: j < old BC - BC -> dst[j] == old src[j]; "
            "decreases: .l: BC",
            GB_CODE,
        ),
        "a copy, nothing said of its loop": gb_yes(GB_COPY, GB_CODE),
    },
}
FALSE: Table = {
    "6502": {
        "a byte too many": no(
            "in: ptr buf n src; pointer: ptr -> src[n <= 16]; pointer: buf -> dst[n]; "
            "out: dst; stack: 0; clobbers: A Y N Z C; "
            "ensures: all j in 0..15: j < n -> dst[j] == old src[j]; "
            "invariant: @l: Y <= n, all j in 0..15: j < Y -> dst[j] == old src[j]; "
            "decreases: @l: n - Y",
            COPY_CODE.replace("@d:", "@d: sta (buf),y/"),
        ),
        "a byte too many is read": no(
            "in: ptr buf n src; pointer: ptr -> src[n <= 16]; pointer: buf -> dst[n]; "
            "out: dst; stack: 0; clobbers: A Y N Z C; "
            "ensures: all j in 0..15: j < n -> dst[j] == old src[j]; "
            "invariant: @l: Y <= n, all j in 0..15: j < Y -> dst[j] == old src[j]; "
            "decreases: @l: n - Y",
            COPY_CODE.replace("@d:", "@d: lda (ptr),y/"),
        ),
        "a byte before": no(
            "in: ptr buf n src; pointer: ptr -> src[n <= 16]; pointer: buf -> dst[n]; "
            "out: dst; stack: 0; clobbers: A Y N Z C; "
            "ensures: all j in 0..15: j < n -> dst[j] == old src[j]; "
            "invariant: @l: Y <= n + 255, all j in 0..15: j < Y -> dst[j] == old src[j]; "
            "decreases: @l: n - Y",
            COPY_CODE.replace("#0", "#$ff"),
        ),
        "the first is left out": no(
            "in: ptr buf n src; pointer: ptr -> src[n <= 16]; pointer: buf -> dst[n]; "
            "out: dst; stack: 0; clobbers: A Y N Z C; "
            "ensures: all j in 0..15: j < n -> dst[j] == old src[j]; "
            "invariant: @l: Y <= n, all j in 0..15: j < Y -> dst[j] == old src[j]; "
            "decreases: @l: n - Y",
            COPY_CODE.replace("#0", "#1"),
        ),
        "0 is 256": no(
            "in: ptr buf n src; pointer: ptr -> src[n <= 16]; pointer: buf -> dst[n]; "
            "out: dst; stack: 0; clobbers: A Y N Z C; "
            "ensures: all j in 0..15: j < n -> dst[j] == old src[j]; "
            "invariant: @l: Y <= n or Y > 0, all j in 0..15: j < Y -> dst[j] == old src[j]; "
            "decreases: @l: n - Y",
            "ldy #0/@l: lda (ptr),y/sta (buf),y/iny/cpy n/bne @l/rts",
        ),
        "a pointer moves": no(
            "in: ptr buf n src; pointer: ptr -> src[n <= 16]; pointer: buf -> dst[n]; "
            "out: dst; stack: 0; clobbers: A Y N Z C; "
            "ensures: all j in 0..15: j < n -> dst[j] == old src[j]; "
            "invariant: @l: Y <= n, all j in 0..15: j < Y -> dst[j] == old src[j]; "
            "decreases: @l: n - Y",
            COPY_CODE.replace("iny", "iny/inc buf"),
        ),
        "nothing said, a byte too many": no(COPY, COPY_CODE.replace("@d:", "@d: sta (buf),y/")),
    },
    "sm83": {
        "a carry is missing": gb_no(
            "in: HL DE BC src; pointer: HL -> src[BC <= 16]; pointer: DE -> dst[BC <= 16]; "
            "out: dst; stack: 0; clobbers: A BC DE HL F; "
            "ensures: all j in 0..15: j < old BC -> dst[j] == old src[j]; "
            "invariant: .l: BC <= old BC, HL == (old HL + old BC - BC) % 65536, DE == (old DE "
            "+ old BC - BC) % 65536, all j in 0..15: j < old BC - BC -> dst[j] == old src[j]; "
            "decreases: .l: BC",
            GB_CODE.replace("inc de", "inc e"),
        ),
        "one less": gb_no(
            "in: HL DE BC src; pointer: HL -> src[BC <= 16]; pointer: DE -> dst[BC <= 16]; "
            "out: dst; stack: 0; clobbers: A BC DE HL F; "
            "ensures: all j in 0..15: j < old BC -> dst[j] == old src[j]; "
            "invariant: .l: BC <= old BC, HL == (old HL + old BC - BC) % 65536, DE == (old DE "
            "+ old BC - BC) % 65536, all j in 0..15: j < old BC - BC -> dst[j] == old src[j]; "
            "decreases: .l: BC",
            "dec bc/" + GB_CODE,
        ),
        "0 is none": gb_no(
            "in: A HL B; requires: B <= 8; pointer: HL -> dst[B]; out: dst; stack: 0; "
            "clobbers: B HL F; cycles: ..2000",
            FILL_CODE,
        ),
    },
}


LONG_TRUE = [f"{cpu} {name}" for cpu, claims in TRUE.items() for name in claims]
LONG_FALSE = [
    f"{cpu} {name}"
    for cpu, claims in FALSE.items()
    for name in claims
    if name != "the first is left out"
]
"""What takes more than a second."""


@pytest.mark.parametrize(("cpu", "said"), cases(TRUE, long=LONG_TRUE))
def test_what_is_true_is_proved(cpu: str, said: Said) -> None:
    check(cpu, said)


@pytest.mark.slow_cases("6502 the first is left out")
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, long=LONG_FALSE))
def test_what_is_false_is_not(cpu: str, said: Said) -> None:
    check(cpu, said)
