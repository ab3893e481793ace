"""Products as people write them: a high byte that is counted up where the sum carries, results
modulo 256 and 65,536, from the left and from the right; slips must not be proved."""

from __future__ import annotations

import pytest
from claims import Said, Table, cases, check, false, true
from test_claims_arithmetic import HEAD, changed

BY_BYTE = "in: u[2] v[1]; out: r[4]; clobbers: A X q[1] N V Z C; ensures: r == u * v[0]"
COUNTED = (
    "lda #0/sta r/sta r+1/sta r+2/sta r+3/lda v/sta q/ldx #8/"
    "@l: asl r/rol r+1/rol r+2/asl q/bcc @n/lda r/clc/adc u/sta r/lda r+1/adc u+1/sta r+1/"
    "bcc @n/inc r+2/@n: dex/bne @l/rts"
)
"""The third byte is counted up where the lower two carry."""
SMALL = "in: C E; out: HL; clobbers: A B E F; ensures: HL == C * old E"
GB_COUNTED = (
    "ld hl, 0/ld b, 8/.l: add hl, hl/sla e/jr nc, .n/ld a, l/add a, c/ld l, a/jr nc, .n/inc h/"
    ".n: dec b/jr nz, .l/ret"
)
WIDER = "in: A DE; out: C HL; clobbers: A B F; ensures: HL + 65536 * C == old A * DE"
GB_WIDER = (
    "ld hl, 0/ld c, l/ld b, 8/.l: add hl, hl/rl c/add a, a/jr nc, .n/add hl, de/jr nc, .n/inc c/"
    ".n: dec b/jr nz, .l/ret"
)

WORD = "in: u[2] v[2]; out: q[2]; clobbers: A X r[2] N V Z C; ensures: q == u * v % 65536"
LEFT = (
    "lda #0/sta q/sta q+1/lda v/sta r/lda v+1/sta r+1/ldx #16/"
    "@l: asl q/rol q+1/asl r/rol r+1/bcc @n/lda q/clc/adc u/sta q/lda q+1/adc u+1/sta q+1/"
    "@n: dex/bne @l/rts"
)
RIGHT_WORD = (
    "in: u[2] v[2]; out: q[2]; clobbers: A X u[2] v[2] N V Z C; ensures: q == old u * old v % 65536"
)
RIGHT = (
    "lda #0/sta q/sta q+1/ldx #16/@l: lsr v+1/ror v/bcc @n/lda q/clc/adc u/sta q/"
    "lda q+1/adc u+1/sta q+1/@n: asl u/rol u+1/dex/bne @l/rts"
)
"""The addend goes to the left, and what leaves it is lost."""
GB_WORD = "in: BC DE; out: HL; clobbers: A BC F; ensures: HL == old BC * DE % 65536"
GB_LEFT = "ld hl, 0/ld a, 16/.l: add hl, hl/sla c/rl b/jr nc, .n/add hl, de/.n: dec a/jr nz, .l/ret"


def yes(contract: str, code: str, cpu: str = "6502") -> Said:
    """What has to be proved."""
    return true(contract, code, head=HEAD[cpu])


def no(contract: str, code: str, old: str, new: str, cpu: str = "6502") -> Said:
    """The same with one slip in the code."""
    return false(contract, changed(code, old, new), "ensures", head=HEAD[cpu])


CLAIMS: Table = {
    "6502": {
        "16 by 8, the third byte is counted up": yes(BY_BYTE, COUNTED),
        "16 by 8, the wrong byte is counted up": no(BY_BYTE, COUNTED, "inc r+2", "inc r+1"),
        "16 by 8, counted up where nothing carries": no(
            BY_BYTE, COUNTED, "bcc @n/inc", "bcs @n/inc"
        ),
        "16 by 8, counted up once too often": no(BY_BYTE, COUNTED, "inc r+2", "inc r+2/inc r+2"),
        "16 by 16 modulo 65,536, to the left": yes(WORD, LEFT),
        "16 by 16 modulo 65,536, one step too few": no(WORD, LEFT, "#16", "#15"),
        "16 by 16 modulo 65,536, a carry comes in": no(WORD, LEFT, "clc/", ""),
        "16 by 16 modulo 65,536, the addend to the left": yes(RIGHT_WORD, RIGHT),
        "16 by 16 modulo 65,536, its high byte stays": no(RIGHT_WORD, RIGHT, "rol u+1/", ""),
        "16 by 16 modulo 65,536, one step too few to the right": no(
            RIGHT_WORD, RIGHT, "#16", "#15"
        ),
        "16 by 16 modulo 65,536, nearly": false(
            changed(RIGHT_WORD, "old v %", "old v + 32768 %"), RIGHT, "ensures", head=HEAD["6502"]
        ),
    },
    "sm83": {
        "8 by 8, h is counted up": yes(SMALL, GB_COUNTED, "sm83"),
        "8 by 8, l is counted up": no(SMALL, GB_COUNTED, "inc h", "inc l", "sm83"),
        "16 by 8 to 24, c is counted up": yes(WIDER, GB_WIDER, "sm83"),
        "16 by 8 to 24, counted up where nothing carries": no(
            WIDER, GB_WIDER, "jr nc, .n/inc c", "jr c, .n/inc c", "sm83"
        ),
        "16 by 16 modulo 65,536": yes(GB_WORD, GB_LEFT, "sm83"),
        "16 by 16 modulo 65,536, one step too few": no(GB_WORD, GB_LEFT, "a, 16", "a, 15", "sm83"),
    },
}
LONG = (
    "6502 16 by 8, the wrong byte is counted up",
    "6502 16 by 8, counted up once too often",
    "sm83 8 by 8, h is counted up",
    "sm83 8 by 8, l is counted up",
    "6502 16 by 16 modulo 65,536, its high byte stays",
    "6502 16 by 16 modulo 65,536, to the left",
    "6502 16 by 16 modulo 65,536, a carry comes in",
    "sm83 16 by 8 to 24, counted up where nothing carries",
)
"""What takes longer, as the refuting input is looked for, or says the same as another one."""


@pytest.mark.slow_cases(
    "6502 16 by 8, the third byte is counted up",
    "6502 16 by 8, counted up where nothing carries",
    "6502 16 by 16 modulo 65,536, one step too few",
    "6502 16 by 16 modulo 65,536, the addend to the left",
    "6502 16 by 16 modulo 65,536, one step too few to the right",
    "sm83 16 by 8 to 24, c is counted up",
    "sm83 16 by 16 modulo 65,536",
)
@pytest.mark.parametrize(("cpu", "said"), cases(CLAIMS, long=LONG))
def test_products(cpu: str, said: Said) -> None:
    check(cpu, said)
