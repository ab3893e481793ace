"""Proofs of code with the instructions of the 65C02: what is true is proved, what is not is not."""

from __future__ import annotations

import pytest
from claims import REFUTED, Said, cases, check, false, true

ALL = (
    "in: A X n[1]; out: A X; clobbers: N Z n[1] m[1]; ensures: A == old A + 1 & 255",
    "stz m/phx/ina/plx/bra @end/stp/@end: rts",
)
BITS = "smb0 n/rmb7 n/rts"

TRUE = {
    "65C02": {
        "stz, phx, plx, ina, bra": true(*ALL),
        "bits of memory": true(
            "in: n[1]; out: n[1]; clobbers: none; ensures: n == (old n | 1) & 127", BITS
        ),
        "a branch on a bit": true(
            "in: n[1]; out: A; clobbers: N Z; ensures: A == (n >> 3 & 1)",
            "lda #1/bbs3 n, @set/dec a/@set: rts",
        ),
        "tsb and trb": true(
            "in: A n[1] m[1]; out: n[1] m[1] Z; clobbers: none; "
            "ensures: n == old n | A, m == old m & (A ^ $ff), Z == 0 -> (old m & A) != 0",
            "tsb n/trb m/rts",
        ),
        "an indirect load without an index": true(
            "in: n[1]; out: A; clobbers: ptr[2] N Z; ensures: A == n",
            "stz ptr+1/lda #n/sta ptr/lda (ptr)/rts",
        ),
        "flags of a decimal sum": true(
            "in: A; out: A Z; clobbers: N V C D; ensures: Z == 1 -> A == 0, A == 0 -> Z == 1",
            "sed/clc/adc #1/cld/rts",
        ),
        "cycles": true(
            "in: A; out: none; clobbers: A N V Z C D; cycles: 15",
            "sed/clc/adc #1/cld/rts",
        ),
    },
    "65SC02": {"stz, phx, plx, ina, bra": true(ALL[0], ALL[1].replace("stp", "nop"))},
    "R65C02": {"bits of memory": true("in: n[1]; out: n[1]; clobbers: none", BITS)},
}
FALSE = {
    "65C02": {
        "one more": false(
            "in: A X n[1]; out: A X; clobbers: N Z n[1] m[1]; ensures: A == old A + 2 & 255",
            ALL[1],
            "A ==",
            (REFUTED,),
        ),
        "X is not kept": false(ALL[0], "stz m/phx/ina/ply/rts", "", (REFUTED,)),
        "cycles without the decimal one": false(
            "in: A; out: none; clobbers: A N V Z C D; cycles: 14",
            "sed/clc/adc #1/cld/rts",
            "cycles",
            (REFUTED,),
        ),
        "a bit that another instruction sets": false(
            "in: n[1]; out: n[1]; clobbers: none; ensures: n & 2 == 2", BITS, "n & 2", (REFUTED,)
        ),
        "a flag of the NMOS 6502": false(
            "in: A; out: A Z; clobbers: N V C D; ensures: Z == 1 -> A == $9a",
            "sed/clc/adc #$66/cld/rts",
            "",
            (REFUTED,),
        ),
        "it waits": false("in: none; out: none; clobbers: none", "wai/rts"),
        "it stops": false("in: none; out: none; clobbers: none", "stp/rts"),
    },
}


@pytest.mark.slow_cases("65C02 stz, phx, plx, ina, bra")
@pytest.mark.parametrize(
    ("cpu", "said"), cases(TRUE, FALSE, long=["65SC02 stz, phx, plx, ina, bra"])
)
def test_of_the_65c02(cpu: str, said: Said) -> None:
    check(cpu, said)
