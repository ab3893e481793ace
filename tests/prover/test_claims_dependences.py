"""What is no input is none after an invariant and after a call either."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

COUNT = "invariant: @l: X in 1..10; decreases: @l: X"
TURN = "ldx #10/@l: dex/bne @l"
COUNT_SM83 = "invariant: .l: B in 1..10; decreases: .l: B"
TURN_SM83 = "ld b, 10/.l: dec b/jr nz, .l"
LOADS = (
    ("in: tmp[1]; out: A; clobbers: X N Z; invariant: @l: X in 1..10; decreases: @l: X"),
    f"{TURN}/lda tmp/rts",
)
LOADS_SM83 = (
    "in: tmp[1]; out: A; clobbers: B F; invariant: .l: B in 1..10; decreases: .l: B",
    f"{TURN_SM83}/ldh a, [tmp]/ret",
)
MIXES = (
    ("in: A n[1]; out: A; clobbers: X N V Z C; invariant: @l: X in 1..10; decreases: @l: X"),
    f"{TURN}/clc/adc n/rts",
)

ACROSS = (
    ("in: Y tab[256]; out: A; clobbers: X N Z; invariant: @l: X in 1..10; decreases: @l: X"),
    f"{TURN}/lda tab+1,y/rts",
)
"""It takes a cycle more where Y is 255, and no branch shows it."""
ACROSS_HEAD = """\
        .segment "RODATA"
        .align 256
tab:    .res 257
        .export tab
        .segment "CODE"
"""

FALSE = {
    "6502": {
        "only the time of a call, by a page": false(
            "in: tab[256]; out: none; clobbers: A X N Z",
            "jsr feed/lda #0/rts",
            "time",
            others={"feed": ACROSS},
            head=ACROSS_HEAD,
        ),
        "on the way that a port opens": false(
            "in: volatile n[1]; out: A; clobbers: N Z", "lda n/bmi @e/tya/@e: rts", "Y"
        ),
        "memory under clobbers": false(
            "in: none; out: A; clobbers: X N Z tmp[1]; invariant: @l: X in 1..10; decreases: @l: X",
            f"{TURN}/lda tmp/rts",
            "tmp",
        ),
        "an array": false(
            "in: none; out: A; clobbers: X N Z buf[4]; invariant: @l: X in 1..10; decreases: @l: X",
            f"{TURN}/lda buf+1,x/rts",
            "buf",
        ),
        "a flag under clobbers": false(
            "in: none; out: A; clobbers: X N Z C; invariant: @l: X in 1..10; decreases: @l: X",
            f"{TURN}/lda #0/rol a/rts",
            "C",
        ),
        "a register that is kept": false(
            "in: none; out: A; clobbers: X N Z; invariant: @l: X in 1..10; decreases: @l: X",
            f"{TURN}/tya/rts",
            "Y",
        ),
        "a flag that is kept": false(
            "in: none; out: A; clobbers: X N Z; invariant: @l: X in 1..10; decreases: @l: X",
            f"{TURN}/lda #0/bcs @n/lda #1/@n: rts",
        ),
        "only the time": false(
            "in: none; out: none; clobbers: X N Z; invariant: @l: X in 1..10; decreases: @l: X",
            f"{TURN}/bcs @n/nop/@n: rts",
            "time",
        ),
        "of a call": false(
            "in: none; out: A; clobbers: X N Z", "jsr feed/rts", "tmp", others={"feed": LOADS}
        ),
        "of a call, a register": false(
            "in: n[1]; out: A; clobbers: X N V Z C",
            "jsr feed/rts",
            "depends",
            others={"feed": MIXES},
        ),
        "of a call of a call": false(
            "in: none; out: A; clobbers: X N Z",
            "jsr mid/rts",
            "tmp",
            others={"feed": LOADS, "mid": ("in: tmp[1]; out: A; clobbers: X N Z", "jsr feed/rts")},
        ),
        "carried round the loop": false(
            "in: none; out: A; clobbers: X N Z tmp[1]; invariant: @l: X in 1..4; decreases: @l: X",
            "ldx #4/@l: inc tmp/dex/bne @l/lda tmp/rts",
            "tmp",
        ),
    },
    "sm83": {
        "memory under clobbers": false(
            "in: none; out: A; clobbers: B F tmp[1]; invariant: .l: B in 1..10; decreases: .l: B",
            f"{TURN_SM83}/ldh a, [tmp]/ret",
            "tmp",
        ),
        "a register that is kept": false(
            "in: none; out: A; clobbers: B F; invariant: .l: B in 1..10; decreases: .l: B",
            f"{TURN_SM83}/ld a, e/ret",
            "E",
        ),
        "a flag under clobbers": false(
            "in: none; out: A; clobbers: B F; invariant: .l: B in 1..10; decreases: .l: B",
            f"{TURN_SM83}/ld a, 0/adc 0/ret",
            "CF",
        ),
        "of a call": false(
            "in: none; out: A; clobbers: B F", "call feed/ret", "tmp", others={"feed": LOADS_SM83}
        ),
    },
}
TRUE = {
    "6502": {
        "the time of a call, by a page": true(
            "in: Y tab[256]; out: none; clobbers: A X N Z",
            "jsr feed/lda #0/rts",
            others={"feed": ACROSS},
            head=ACROSS_HEAD,
        ),
        "what counts for the time alone": true(
            "in: none; out: none; clobbers: A X Y N Z; invariant: @l: X in 1..10; decreases: @l: X",
            "ldy #250/ldx #10/@l: lda tab+1,y/iny/dex/bne @l/lda #0/rts",
            head=ACROSS_HEAD,
        ),
        "listed": true(
            "in: tmp[1]; out: A; clobbers: X N Z; invariant: @l: X in 1..10; decreases: @l: X",
            f"{TURN}/lda tmp/rts",
        ),
        "written first": true(
            "in: none; out: A; clobbers: X N Z tmp[1]; invariant: @l: X in 1..10; "
            "decreases: @l: X; ensures: A == 5",
            "lda #5/sta tmp/ldx #10/@l: lda #5/sta tmp/dex/bne @l/lda #5/rts",
        ),
        "a flag that is set": true(
            "in: none; out: A; clobbers: X N Z C; invariant: @l: X in 1..10; decreases: @l: X",
            f"{TURN}/sec/lda #0/rol a/rts",
        ),
        "a register, listed": true(
            "in: Y; out: A; clobbers: X N Z; invariant: @l: X in 1..10; decreases: @l: X",
            f"{TURN}/tya/rts",
        ),
        "of a call, listed": true(
            "in: tmp[1]; out: A; clobbers: X N Z", "jsr feed/rts", others={"feed": LOADS}
        ),
    },
    "sm83": {
        "listed": true(
            "in: tmp[1]; out: A; clobbers: B F; invariant: .l: B in 1..10; decreases: .l: B",
            f"{TURN_SM83}/ldh a, [tmp]/ret",
        ),
        "of a call, listed": true(
            "in: tmp[1]; out: A; clobbers: B F", "call feed/ret", others={"feed": LOADS_SM83}
        ),
    },
}


@pytest.mark.slow_cases(
    "6502 of a call, a register",
    "6502 of a call of a call",
    "6502 a flag that is set",
    "sm83 of a call, listed",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_what_is_no_input(cpu: str, said: Said) -> None:
    check(cpu, said)
