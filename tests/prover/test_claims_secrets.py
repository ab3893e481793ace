"""Secrets stay secrets at an invariant, in memory, in arrays, in flags, and over calls."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

COUNT = "invariant: @l: X in 1..8; decreases: @l: X"
SPIN = (
    "in: A; out: A; clobbers: X N Z; invariant: @l: X in 1..3; decreases: @l: X",
    "ldx #3/@l: eor #1/dex/bne @l/rts",
)
SPIN_SM83 = (
    "in: A; out: A; clobbers: B F; invariant: .l: B in 1..3; decreases: .l: B",
    "ld b, 3/.l: xor 1/dec b/jr nz, .l/ret",
)
COUNT_SM83 = "invariant: .l: B in 1..8; decreases: .l: B"

FALSE = {
    "6502": {
        "a branch in the loop": false(
            "in: A; secret: A; clobbers: A X N Z C; invariant: @l: X in 1..8; decreases: @l: X",
            "ldx #8/@l: lsr a/bcc @n/nop/@n: dex/bne @l/rts",
            "secret",
        ),
        "through memory": false(
            "in: A; secret: A; clobbers: X N Z C tmp[1]; invariant: @l: X in 1..8; "
            "decreases: @l: X",
            "sta tmp/ldx #8/@l: lsr tmp/bcc @n/nop/@n: dex/bne @l/rts",
            "secret",
        ),
        "of an array": false(
            "in: buf[4]; secret: buf[4]; clobbers: A X N Z; "
            "invariant: @l: X in 1..4; decreases: @l: X",
            "ldx #4/@l: lda buf-1,x/beq @n/nop/@n: dex/bne @l/rts",
            "secret",
        ),
        "copied into an array": false(
            "in: A; secret: A; clobbers: A X N Z arr[8]; "
            "invariant: @l: X in 1..8; decreases: @l: X",
            "ldx #8/@l: sta arr-1,x/dex/bne @l/lda arr+3/beq @n/nop/@n: rts",
            "secret",
        ),
        "a flag that the loop keeps": false(
            "in: C; secret: C; clobbers: X N Z; invariant: @l: X in 1..8; decreases: @l: X",
            "ldx #8/@l: dex/bne @l/bcc @n/nop/@n: rts",
            "secret",
        ),
        "a flag that the loop changes": false(
            "in: A; secret: A; clobbers: A X N V Z C; invariant: @l: X in 1..8; decreases: @l: X",
            "ldx #8/@l: asl a/dex/bne @l/bcs @n/nop/@n: rts",
            "secret",
        ),
        "over a call with an invariant": false(
            "in: A; secret: A; clobbers: A X N Z C",
            "jsr spin/cmp #5/bne @n/nop/@n: rts",
            "secret",
            others={"spin": SPIN},
        ),
        "a branch to the next instruction": false(
            "in: A; secret: A; clobbers: N Z C", "cmp #5/bcc @n/@n: rts", "secret"
        ),
        "the number of turns": false(
            "in: X; secret: X; requires: X in 1..8; clobbers: X N Z; "
            "invariant: @l: X in 1..8; decreases: @l: X",
            "@l: dex/bne @l/rts",
            "secret",
        ),
        "an address after the loop": false(
            "in: A buf[4]; secret: A; clobbers: A X Y N Z C; invariant: @l: X in 1..8; "
            "decreases: @l: X",
            "and #3/ldx #8/@l: eor #1/dex/bne @l/and #3/tay/lda buf,y/rts",
            "secret",
        ),
        "the stack": false(
            "in: A; secret: A; clobbers: A X N Z; stack: 1; invariant: @l: X in 1..8; "
            "decreases: @l: X",
            "pha/ldx #8/@l: dex/bne @l/pla/beq @n/nop/@n: rts",
            "secret",
        ),
    },
    "sm83": {
        "a branch to the next instruction": false(
            "in: A B; secret: A; clobbers: F", "cp b/jr nc, .n/.n: ret", "secret"
        ),
        "a jump to the next instruction": false(
            "in: A B; secret: A; clobbers: F", "cp b/jp c, .n/.n: ret", "secret"
        ),
        "a branch in the loop": false(
            "in: A; secret: A; clobbers: AF B; invariant: .l: B in 1..8; decreases: .l: B",
            "ld b, 8/.l: rrca/jr nc, .n/nop/.n: dec b/jr nz, .l/ret",
            "secret",
        ),
        "through memory": false(
            "in: A; secret: A; clobbers: AF B tmp[1]; invariant: .l: B in 1..8; decreases: .l: B",
            "ldh [tmp], a/ld b, 8/.l: dec b/jr nz, .l/ldh a, [tmp]/or a/jr z, .n/nop/.n: ret",
            "secret",
        ),
        "over a call with an invariant": false(
            "in: A; secret: A; clobbers: AF B",
            "call spin/cp 5/jr nz, .n/nop/.n: ret",
            "secret",
            others={"spin": SPIN_SM83},
        ),
        "the number of turns": false(
            "in: B; secret: B; requires: B in 1..8; clobbers: F B; "
            "invariant: .l: B in 1..8; decreases: .l: B",
            ".l: dec b/jr nz, .l/ret",
            "secret",
        ),
        "a register that the loop keeps": false(
            "in: D; secret: D; clobbers: AF B; invariant: .l: B in 1..8; decreases: .l: B",
            "ld b, 8/.l: dec b/jr nz, .l/ld a, d/or a/ret z/nop/ret",
            "secret",
        ),
    },
}
TRUE = {
    "6502": {
        "no branch": true(
            "in: A; secret: A; clobbers: A X N Z C; invariant: @l: X in 1..8; decreases: @l: X",
            "ldx #8/@l: lsr a/dex/bne @l/rts",
        ),
        "through memory": true(
            "in: A; secret: A; clobbers: X N Z C tmp[1]; invariant: @l: X in 1..8; "
            "decreases: @l: X",
            "sta tmp/ldx #8/@l: lsr tmp/dex/bne @l/rts",
        ),
        "of an array": true(
            "in: buf[4]; secret: buf[4]; clobbers: A X N Z; "
            "invariant: @l: X in 1..4; decreases: @l: X",
            "ldx #4/@l: lda buf-1,x/dex/bne @l/rts",
        ),
        "overwritten before it is looked at": true(
            "in: A; secret: A; clobbers: A X N Z tmp[1]; invariant: @l: X in 1..8; "
            "decreases: @l: X",
            "sta tmp/ldx #8/@l: dex/bne @l/lda #7/sta tmp/lda tmp/beq @n/nop/@n: rts",
        ),
        "over a call with an invariant": true(
            "in: A; secret: A; out: A; clobbers: X N Z",
            "jsr spin/eor #5/rts",
            others={"spin": SPIN},
        ),
        "another decides the turns": true(
            "in: A X; secret: A; requires: X in 1..8; clobbers: A X N Z C; "
            "invariant: @l: X in 1..8; decreases: @l: X",
            "@l: lsr a/dex/bne @l/rts",
        ),
    },
    "sm83": {
        "no branch": true(
            "in: A; secret: A; clobbers: AF B; invariant: .l: B in 1..8; decreases: .l: B",
            "ld b, 8/.l: rrca/dec b/jr nz, .l/ret",
        ),
        "over a call with an invariant": true(
            "in: A; secret: A; out: A; clobbers: F B",
            "call spin/xor 5/ret",
            others={"spin": SPIN_SM83},
        ),
    },
}


@pytest.mark.slow_cases(
    "6502 a branch in the loop",
    "6502 copied into an array",
    "6502 an address after the loop",
    "sm83 over a call with an invariant0",
    "6502 overwritten before it is looked at",
    "6502 another decides the turns",
    "sm83 no branch",
    "sm83 over a call with an invariant1",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_secrets_over_invariants_and_calls(cpu: str, said: Said) -> None:
    check(cpu, said)
