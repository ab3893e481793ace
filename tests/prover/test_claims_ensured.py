"""A register is what an equation of a callee's contract says, of what the caller passes."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

MOVE = (
    "in: B HL; requires: B >= 1, HL <= $F000; out: B HL; clobbers: ZF NF HF; "
    "ensures: HL == old (HL + B), B == 0; "
    "invariant: .l: HL + B == old (HL + B), B >= 1, HL <= old HL + 255; decreases: .l: B",
    ".l: inc hl/dec b/jr nz, .l/ret",
)
"""Its exact results are not known, as it has an invariant."""
SWAPPED = (
    "in: A B C; requires: C <= 254; out: A B C; clobbers: D F; "
    "ensures: B == old C, C == old B, A == B + 1; "
    "invariant: .l: A in 1..3, D == old B, B == old B, C == old C; decreases: .l: A",
    "ld a, 3/ld d, b/.l: dec a/jr nz, .l/ld b, c/ld c, d/ld a, b/inc a/ret",
)
"""What is ensured of A is said in terms of what else it gives back."""
SAME = (
    "in: HL B; out: HL; clobbers: B ZF NF HF; ensures: HL == old HL; "
    "invariant: .l: B >= 1, HL == old HL; decreases: .l: B",
    "inc b/jr z, .e/.l: dec b/jr nz, .l/.e: ret",
)
COUNT = (
    "in: A X; out: A X; clobbers: N Z; ensures: X == 0, A == old (A ^ X); "
    "invariant: @l: X in 1..3, A == old (A ^ X); decreases: @l: X",
    "stx tmp/eor tmp/ldx #3/@l: dex/bne @l/rts",
)
COUNT = COUNT[0].replace("clobbers: N Z", "clobbers: N Z tmp[1]"), COUNT[1]
BOTH = "in: HL; requires: HL <= $7000; out: B HL; clobbers: ZF NF HF"
TWICE = "ld b, 3/call move/ld b, 4/call move/ret"
STORE = "in: A; out: B HL; clobbers: ZF NF HF arr[4]"
XOR = "in: A X; out: A X; clobbers: N Z tmp[1]"
SWAP = "in: A B C; requires: C <= 254; out: A B C; clobbers: D F"
TRUE = {
    "sm83": {
        "where it is after two calls": true(
            f"{BOTH}; ensures: HL == old HL + 7, B == 0", TWICE, others={"move": MOVE}
        ),
        "what is stored there": true(
            f"{STORE}; ensures: arr[3] == A, HL == &arr + 3",
            "ld hl, arr/ld b, 3/call move/ld [hl], a/ret",
            others={"move": MOVE},
        ),
        "two that are swapped": true(
            f"{SWAP}; ensures: A == old C + 1, B == old C, C == old B",
            "call swapped/ret",
            others={"swapped": SWAPPED},
        ),
        "it is as it was": true(
            "in: HL B; out: HL; clobbers: B ZF NF HF; ensures: HL == old HL",
            "call same/ret",
            others={"same": SAME},
        ),
    },
    "6502": {
        "a value made of two": true(
            f"{XOR}; ensures: A == old (A ^ X), X == 0", "jsr count/rts", others={"count": COUNT}
        )
    },
}
FALSE = {
    "sm83": {
        **{
            f"after two calls, {said}": false(
                f"{BOTH}; ensures: {said}", TWICE, said, others={"move": MOVE}
            )
            for said in ("HL == old HL + 8", "HL == old HL + 6", "L == (old L + 8) % 256", "B == 1")
        },
        "the last half has no carry": false(
            f"{BOTH}; ensures: H == old H", TWICE, "H ==", others={"move": MOVE}
        ),
        "one further": false(
            STORE,
            "ld hl, arr/ld b, 4/call move/ld [hl], a/ret",
            "changes",
            others={"move": MOVE},
        ),
        "what the callee needs": false(
            BOTH.replace("$7000", "$EFFE"), TWICE, "requires HL", others={"move": MOVE}
        ),
        **{
            f"of what is swapped, {said}": false(
                f"{SWAP}; ensures: {said}", "call swapped/ret", said, others={"swapped": SWAPPED}
            )
            for said in ("A == old B + 1", "B == old B", "C == old C", "A == old C + 2")
        },
    },
    "6502": {
        "another register": false(
            f"{XOR}; ensures: A == old A", "jsr count/rts", "A ==", others={"count": COUNT}
        ),
        "it is not 0": false(
            f"{XOR}; ensures: X == 3", "jsr count/rts", "X ==", others={"count": COUNT}
        ),
    },
}


@pytest.mark.quick_cases(
    "sm83 of what is swapped, C == old C", "6502 it is not 0", "6502 a value made of two"
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_what_a_callee_gives_back(cpu: str, said: Said) -> None:
    check(cpu, said)
