"""D is clear where a contract says nothing of it: callers have to see to that."""

from __future__ import annotations

import pytest
from claims import REFUTED, Said, cases, check, false, true

ADD = ("in: A n[1]; out: A; clobbers: N V Z C; ensures: A == (old A + n) & 255", "clc/adc n/rts")
SAME = ADD[0]
WITH_D = "in: A n[1]; out: A; clobbers: N V D Z C; ensures: A == (old A + n) & 255"
LONG = (
    "in: A n[1]; out: A; clobbers: X N V Z C; ensures: A == (old A + 3 * n) & 255; "
    "invariant: @l: X in 1..3, A == (old A + (3 - X) * n) & 255; decreases: @l: X",
    "ldx #3/@l: clc/adc n/dex/bne @l/rts",
)

FALSE = {
    "6502": {
        "set before the call": false(SAME, "sed/jsr add/cld/rts", "D", others={"add": ADD}),
        "without what is ensured": false(
            "in: A n[1]; out: A Z; clobbers: N V C; ensures: Z == 1 -> A == 0",
            "sed/jsr add/cld/rts",
            others={"add": ADD},
        ),
        "by php and plp": false(SAME, "sed/php/cld/plp/jsr add/cld/rts", "D", others={"add": ADD}),
        "pulled from a number": false(
            WITH_D, "pha/lda #$08/pha/plp/pla/jsr add/cld/rts", "D", others={"add": ADD}
        ),
        "by another callee": false(
            SAME,
            "jsr sets/jsr add/cld/rts",
            "D",
            others={"add": ADD, "sets": ("in: none; out: none; clobbers: D", "sed/rts")},
        ),
        "by another callee, on one way": false(
            WITH_D,
            "jsr maybe/jsr add/cld/rts",
            "D",
            others={
                "add": ADD,
                "maybe": ("in: A; out: none; clobbers: N Z C D", "cmp #7/bne @n/sed/@n: rts"),
            },
        ),
        "of a callee with an invariant": false(
            LONG[0].partition("; invariant")[0],
            "sed/jsr long/cld/rts",
            "",
            others={"long": LONG},
        ),
        "by what is D already": false(
            "in: A D n[1]; out: A; clobbers: N V Z C; ensures: A == (old A + n) & 255",
            "jsr add/rts",
            "D",
            others={"add": ADD},
        ),
        "left set": false("in: none; out: none; clobbers: none", "sed/rts", "D", (REFUTED,)),
        "ensured to be clear": false(
            "in: none; out: D; clobbers: none; ensures: D == 0", "sed/rts", "D == 0", (REFUTED,)
        ),
        "it adds itself": false(SAME, "sed/clc/adc n/cld/rts", "A ==", (REFUTED,)),
        "a tail call": false(WITH_D, "sed/jmp add", "D", others={"add": ADD}),
        "in a loop": false(
            "in: A n[1]; out: A; clobbers: X N V D Z C; ensures: A == (old A + n) & 255; "
            "invariant: @l: X in 1..2, A == old A; decreases: @l: X",
            "ldx #2/@l: sed/dex/bne @l/jsr add/cld/rts",
            others={"add": ADD},
        ),
    }
}
TRUE = {
    "6502": {
        "clear": true(SAME, "jsr add/rts", others={"add": ADD}),
        "set and cleared before": true(SAME, "sed/cld/jsr add/rts", others={"add": ADD}),
        "restored by plp": true(SAME, "php/sed/plp/jsr add/rts", others={"add": ADD}),
        "in decimal where it is listed": true(
            "in: A n[1] D; out: A; clobbers: N V Z C; ensures: D == 0 -> A == (old A + n) & 255",
            "clc/adc n/rts",
        ),
        "cleared, whatever it was": true(
            "in: A D n[1]; out: A; clobbers: N V D Z C; ensures: A == (old A + n) & 255",
            "cld/jsr add/rts",
            others={"add": ADD},
        ),
        "ensured to be set": true("in: none; out: D; ensures: D == 1", "sed/rts"),
    },
    "2a03": {
        "it adds itself, and the NES's CPU does not see D": true(SAME, "sed/clc/adc n/cld/rts"),
        "ensured to be set": true("in: none; out: D; ensures: D == 1", "sed/rts"),
    },
}


@pytest.mark.slow_cases(
    "6502 by another callee",
    "6502 of a callee with an invariant",
    "6502 by what is D already",
    "6502 clear",
    "6502 set and cleared before",
    "6502 restored by plp",
    "6502 cleared, whatever it was",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_decimal_mode_over_calls(cpu: str, said: Said) -> None:
    check(cpu, said)
