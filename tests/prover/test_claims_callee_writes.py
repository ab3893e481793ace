"""All that a callee with invariants may write is unknown after it, and nothing else is."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

COUNT = "invariant: @l: X in 1..3; decreases: @l: X"
MANY = (
    (
        "in: n[1] m[1] buf[4]; out: none; clobbers: X N Z n[1] m[1] buf[4]; "
        "invariant: @l: X in 1..3; decreases: @l: X"
    ),
    "ldx #3/@l: inc n/inc m/inc buf+2/dex/bne @l/rts",
)
PIECE = (
    ("in: arr[8]; out: none; clobbers: X N Z tail[4]; invariant: @l: X in 1..3; decreases: @l: X"),
    "ldx #3/@l: inc tail,x/dex/bne @l/rts",
)
SAYS = (
    (
        "in: n[1] m[1]; out: n[1] m[1]; clobbers: A X N Z; ensures: n == 0, m == 9; "
        "invariant: @l: X in 1..3; decreases: @l: X"
    ),
    "ldx #3/@l: dex/bne @l/lda #0/sta n/lda #9/sta m/rts",
)
COUNT_SM83 = "invariant: .l: B in 1..3; decreases: .l: B"
MANY_SM83 = (
    (
        "in: n[1] m[1]; out: none; clobbers: AF B n[1] m[1]; invariant: .l: B in 1..3; "
        "decreases: .l: B"
    ),
    "ld b, 3/.l: ldh a, [n]/inc a/ldh [n], a/ldh [m], a/dec b/jr nz, .l/ret",
)
CALLER = "in: n[1] m[1] buf[4]; out: none; clobbers: X N Z n[1] m[1] buf[4]"
CALLER_SM83 = "in: n[1] m[1]; out: none; clobbers: AF B n[1] m[1]"
MAYBE = (
    "in: A m[1]; out: n[1]; clobbers: A N Z",
    "ora #0/bne @l/lda m/sta n/@l: rts",
)
"""Writes ``n`` for one value of A only, and does not read it."""
MAYBE_LATER = (
    ("in: A m[1]; out: n[1]; clobbers: A X N Z; invariant: @l: X in 1..3; decreases: @l: X"),
    "ldx #3/@l: dex/bne @l/ora #0/bne @e/lda m/sta n/@e: rts",
)
MAYBE_ARRAY = "in: A; out: none; clobbers: N Z C arr[1]", "cmp #0/bne @s/sta arr/@s: rts"
MAYBE_ARRAY_LATER = (
    ("in: A; out: none; clobbers: X N Z C arr[1]; invariant: @l: X in 1..3; decreases: @l: X"),
    "ldx #3/@l: dex/bne @l/cmp #0/bne @s/sta arr/@s: rts",
)
SURE = "in: m[1]; out: n[1]; clobbers: A N Z", "lda m/sta n/rts"
READS = "in: A m[1]; out: none; clobbers: A X N Z n[1]"
PART = "in: arr[8]; out: none; clobbers: X N Z arr[8]"


def kept(which: str, contract: str = CALLER) -> Said:
    """The claim that a callee which writes many things leaves one of them."""
    ensures = f"{contract}; ensures: {which} == old {which}"
    return false(ensures, "jsr many/rts", f"{which} ==", others={"many": MANY, "piece": PIECE})


FALSE = {
    "6502": {
        **{f"{which} stays": kept(which) for which in ("n", "m", "buf[2]", "buf[0]")},
        "a piece of one stays": false(
            "in: arr[8]; out: none; clobbers: X N Z arr[8]; ensures: arr[6] == old arr[6]",
            "jsr piece/rts",
            "arr[6] ==",
            others={"piece": PIECE},
        ),
        "a piece of one stays, by an index": false(
            "in: arr[8]; out: none; clobbers: X N Z arr[8]; "
            "ensures: all j in 3..5: arr[j] == old arr[j]",
            "jsr piece/rts",
            "arr[j] ==",
            others={"piece": PIECE},
        ),
        "the register stays": false(
            "in: n[1] m[1] buf[4]; out: none; clobbers: X N Z n[1] m[1] buf[4]; "
            "ensures: X == old X",
            "jsr many/rts",
            "X ==",
            others={"many": MANY},
        ),
        "two calls give the same": false(
            "in: n[1] m[1] buf[4]; out: Z; clobbers: A X N C n[1] m[1] buf[4] tmp[1]; "
            "ensures: Z == 1",
            "jsr many/lda m/sta tmp/jsr many/lda m/cmp tmp/rts",
            "Z == 1",
            others={"many": MANY},
        ),
        "one is not listed by the caller": false(
            "in: n[1] m[1] buf[4]; out: none; clobbers: X N Z n[1] buf[4]",
            "jsr many/rts",
            "changes",
            others={"many": MANY},
        ),
        "what is read after the call": false(
            "in: n[1] m[1] buf[4]; out: A; clobbers: X N Z n[1] m[1] buf[4]; ensures: A == 4",
            "lda #4/sta m/jsr many/lda m/rts",
            "A == 4",
            others={"many": MANY},
        ),
        **{
            f"{name} wrote what is read after it": false(
                READS,
                f"jsr {name}/lda n/rts",
                "reads only its inputs",
                others={name: callee},
            )
            for name, callee in (("maybe", MAYBE), ("later", MAYBE_LATER))
        },
        **{
            f"{name} wrote what is read after it of an array, {how}": false(
                f"in: A Y; requires: Y < {size}; out: none; clobbers: A X N Z C arr[4]",
                f"jsr {name}/ldx arr,y/rts",
                "reads only its inputs",
                others={name: callee},
            )
            for name, callee in (("maybe", MAYBE_ARRAY), ("later", MAYBE_ARRAY_LATER))
            for size, how in ((1, "at one place"), (4, "anywhere"))
        },
    },
    "sm83": {
        f"{which} stays": false(
            f"{CALLER_SM83}; ensures: {which} == old {which}",
            "call many/ret",
            f"{which} ==",
            others={"many": MANY_SM83},
        )
        for which in ("n", "m")
    },
}
TRUE = {
    "6502": {
        "the other piece stays": true(
            "in: arr[8]; out: none; clobbers: X N Z arr[8]; "
            "ensures: all j in 0..3: arr[j] == old arr[j]",
            "jsr piece/rts",
            others={"piece": PIECE},
        ),
        "another variable stays": true(CALLER, "jsr many/rts", others={"many": MANY}),
        "what is ensured": true(
            "in: n[1] m[1]; out: n[1] m[1]; clobbers: A X N Z; ensures: n + m == 9",
            "jsr says/rts",
            others={"says": SAYS},
        ),
        "it wrote what is read after it": true(READS, "jsr sure/lda n/rts", others={"sure": SURE}),
        "it may have written what is an input": true(
            "in: A m[1] n[1]; out: none; clobbers: A X N Z n[1]",
            "jsr maybe/lda n/rts",
            others={"maybe": MAYBE},
        ),
    },
    "sm83": {
        "another variable stays": true(CALLER_SM83, "call many/ret", others={"many": MANY_SM83})
    },
}


@pytest.mark.quick_cases(
    "6502 n stays",
    "6502 m stays",
    "6502 the register stays",
    "6502 two calls give the same",
    "6502 one is not listed by the caller",
    "6502 maybe wrote what is read after it",
    "6502 maybe wrote what is read after it of an array, at one place",
    "6502 maybe wrote what is read after it of an array, anywhere",
    "sm83 another variable stays",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_what_a_callee_writes(cpu: str, said: Said) -> None:
    check(cpu, said)
