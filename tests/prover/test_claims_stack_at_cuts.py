"""The stack at an invariant: its pointer and its contents are what they were, or it is told."""

from __future__ import annotations

import pytest
from claims import PARTIAL, PROVED, Said, cases, check, false, true

GROW = "pla/sta ptr/pla/sta ptr+1/pha/inc ptr/bne @n/inc ptr+1/@n: jmp (ptr)"
TURNS = "in: A X; requires: X >= 1; out: none; clobbers: X N Z"
KEPT = "in: A Y; requires: Y in 1..9; out: A; clobbers: X Y N Z; stack: 1; ensures: A == old A"
PULLED = "stack: 1; invariant: @l: Y in 1..3; decreases: @l: Y"
OWN = "Y; requires: Y in 1..9; out: A; clobbers: X Y N Z; stack: 1; invariant: @l: Y in 1..9"
OWN_SM83 = "B; requires: B in 1..9; out: A; clobbers: F B HL; stack: 2; invariant: .l: B in 1..9"
COUNTS = ".l: ld hl, sp+0/inc [hl]/dec b/jr nz, .l/ld hl, sp+0/ld a, [hl]/add sp, 2/ret"
TURNS_SM83 = "in: B; requires: B >= 1; out: none; clobbers: A F B"

FALSE = {
    "6502": {
        "a push each turn": false(
            "in: A X; requires: X >= 1; out: none; clobbers: X N Z; stack: 1; "
            "invariant: @l: X >= 1",
            "pha/pla/@l: pha/dex/bne @l/pla/rts",
            "stack",
        ),
        "a pull each turn": false(
            "in: A X; requires: X >= 1; out: none; clobbers: A X N Z; invariant: @l: X >= 1",
            "pha/@l: pla/dex/bne @l/rts",
            "stack",
        ),
        "by txs, from the second turn on": false(
            "in: Y; requires: Y >= 1; out: none; clobbers: X Y N Z; invariant: @l: Y >= 1",
            "@l: tsx/dex/txs/dey/bne @l/rts",
        ),
        "on one of two ways only": false(
            "in: A X; requires: X >= 1; out: none; clobbers: X N Z C; invariant: @l: X >= 1",
            "@l: cmp #77/bne @n/pha/@n: dex/bne @l/rts",
        ),
        "by what it calls": false(
            "in: Y; requires: Y >= 1; out: none; clobbers: A Y N Z ptr[2]; invariant: @l: Y >= 1",
            "@l: jsr grow/dey/bne @l/rts",
            others={"grow": (None, GROW)},
        ),
        "contents change at the cut": false(
            "in: A Y; requires: Y in 1..9; out: A; clobbers: X Y N Z; stack: 1; "
            "ensures: A == old A; invariant: @l: Y in 1..9; decreases: @l: Y",
            "pha/@l: tsx/inc $0101,x/dey/bne @l/pla/rts",
            "A == old A",
        ),
        "contents change, pulled and pushed": false(
            "in: A Y; requires: Y in 1..9; out: A; clobbers: X Y N Z; stack: 1; "
            "ensures: A == old A; invariant: @l: Y in 1..9; decreases: @l: Y",
            "pha/@l: pla/eor #1/pha/dey/bne @l/pla/rts",
            "A == old A",
        ),
        "a variable there depends on what it begins with": false(
            "in: Y; requires: Y in 1..9; out: A; clobbers: X Y N Z; stack: 1; "
            "invariant: @l: Y in 1..9; decreases: @l: Y",
            "pha/@l: tsx/inc $0101,x/dey/bne @l/pla/rts",
            "depends on its inputs only",
        ),
        "the return address changes": false(
            "in: Y; requires: Y in 1..9; out: none; clobbers: X Y N Z; invariant: @l: Y in 1..9",
            "@l: tsx/inc $0101,x/dey/bne @l/rts",
        ),
        "what was pulled before it": false(
            "in: none; out: n[1]; clobbers: A X Y N Z; ensures: n == 5; stack: 1; "
            "invariant: @l: Y in 1..3; decreases: @l: Y",
            "lda #5/pha/pla/ldy #3/@l: tsx/lda $100,x/sta n/lda #7/pha/pla/dey/bne @l/rts",
            "reads only its inputs",
        ),
        "what was pulled before it, and is not looked at": false(
            "in: none; out: none; clobbers: A X Y N Z; stack: 1; invariant: @l: Y in 1..3; "
            "decreases: @l: Y",
            "lda #5/pha/pla/ldy #3/@l: tsx/lda $100,x/dey/bne @l/rts",
            "reads only its inputs",
        ),
        "what was pulled on one of two paths": false(
            "in: A; out: none; clobbers: A X Y N Z C; stack: 1",
            "cmp #3/bne @s/pha/pla/@s: tsx/ldy $100,x/rts",
            "reads only its inputs",
        ),
    },
    "sm83": {
        "what was pulled before it": false(
            "in: DE; out: A; clobbers: F B HL; stack: 2; ensures: A == DE % 256; "
            "invariant: .l: B in 1..3; decreases: .l: B",
            "push de/pop de/ld b, 3/.l: ld hl, sp-2/ld a, [hl]/push hl/pop hl/dec b/jr nz, .l/ret",
            "reads only its inputs",
        ),
        "a variable there is the number of turns": false(
            "in: B; requires: B in 1..9; out: A; clobbers: F B HL; stack: 2; "
            "invariant: .l: B in 1..9; decreases: .l: B; ensures: A == old B + 1",
            f"add sp, -2/ld hl, sp+0/ld [hl], 0/{COUNTS}",
            "A == old B + 1",
        ),
        "a variable there that nobody has set": false(
            "in: B; requires: B in 1..9; out: A; clobbers: F B HL; stack: 2; "
            "invariant: .l: B in 1..9; decreases: .l: B",
            f"add sp, -2/{COUNTS}",
            "reads only its inputs",
        ),
        "a variable there that is set on one of two paths": false(
            "in: A B; requires: B in 1..9; out: none; clobbers: A F B HL; stack: 2; "
            "invariant: .l: B in 1..9; decreases: .l: B",
            f"add sp, -2/cp 3/jr nz, .l/ld hl, sp+0/ld [hl], 0/{COUNTS}",
            "reads only its inputs",
        ),
        "a variable there that nobody sets the second time": false(
            "in: B; requires: B in 1..9; out: none; clobbers: A BC F HL; stack: 2; "
            "invariant: .l: B in 1..9, C in 1..2; invariant: .o: C in 1..2; "
            "decreases: .l: 16 * C + B; decreases: .o: 16 * C",
            "ld c, 2/add sp, -2/ld hl, sp+0/ld [hl], 0/.l: ld hl, sp+0/inc [hl]/dec b/jr nz, .l/"
            "add sp, 2/.o: dec c/jr z, .e/ld b, 3/add sp, -2/jr .l/.e: ret",
            "stack",
        ),
        "the byte beside a variable changes": false(
            "in: DE B; requires: B in 1..9; out: DE; clobbers: F B HL; stack: 2; "
            "invariant: .l: B in 1..9; decreases: .l: B; ensures: D == old D",
            "push de/.l: ld hl, sp+1/inc [hl]/dec b/jr nz, .l/pop de/ret",
            "D == old D",
        ),
        "a push each turn": false(
            "in: B; requires: B >= 1; out: none; clobbers: A F B; invariant: .l: B >= 1",
            "push af/pop af/.l: push af/dec b/jr nz, .l/pop af/ret",
            "stack",
        ),
        "by add sp": false(
            "in: B; requires: B >= 1; out: none; clobbers: A F B; invariant: .l: B >= 1",
            ".l: add sp, -2/dec b/jr nz, .l/ret",
        ),
        "by ld sp, hl": false(
            "in: B; requires: B >= 1; out: none; clobbers: F B HL; invariant: .l: B >= 1",
            ".l: ld hl, sp+2/ld sp, hl/dec b/jr nz, .l/ret",
        ),
        "contents change at the cut": false(
            "in: B DE; requires: B in 1..9; out: DE; clobbers: F B HL; "
            "ensures: DE == old DE; invariant: .l: B in 1..9; decreases: .l: B",
            "push de/.l: ld hl, sp+0/inc [hl]/dec b/jr nz, .l/pop de/ret",
            "DE == old DE",
        ),
    },
}
TRUE = {
    "6502": {
        "pushed and pulled each turn": true(
            "in: A X; requires: X >= 1; out: none; clobbers: X N Z C; stack: 1; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "@l: pha/dex/pla/cpx #0/bne @l/rts",
        ),
        "by txs, the same": true(
            "in: Y; requires: Y >= 1; out: none; clobbers: X Y N Z; "
            "invariant: @l: Y >= 1; decreases: @l: Y",
            "@l: tsx/txs/dey/bne @l/rts",
        ),
        "contents read at the cut": true(
            "in: A Y; requires: Y in 1..9; out: A; clobbers: X Y N Z; stack: 1; "
            "ensures: A == old A; invariant: @l: Y in 1..9; decreases: @l: Y",
            "pha/@l: tsx/lda $0101,x/dey/bne @l/pla/rts",
        ),
        "a variable there": true(
            "in: A Y; requires: Y in 1..9; out: A; clobbers: X Y N Z; stack: 1; "
            "invariant: @l: Y in 1..9; decreases: @l: Y",
            "pha/@l: tsx/inc $0101,x/dey/bne @l/pla/rts",
        ),
        "what was pulled on both paths": true(
            "in: none; out: n[1]; clobbers: A X N Z; ensures: n == 5; stack: 1",
            "lda #5/pha/pla/tsx/lda $100,x/sta n/rts",
        ),
        "what was pulled in the same iteration": true(
            "in: none; out: n[1]; clobbers: A X Y N Z; stack: 1; invariant: @l: Y in 1..3; "
            "decreases: @l: Y",
            "ldy #3/@l: tya/pha/pla/tsx/lda $100,x/sta n/dey/bne @l/rts",
        ),
        "without what decreases": true(
            "in: A X; requires: X >= 1; out: none; clobbers: X N Z C; invariant: @l: X >= 1",
            "@l: pha/dex/pla/cpx #0/bne @l/rts",
            (PROVED, PARTIAL),
        ),
    },
    "sm83": {
        "pushed and pulled each turn": true(
            "in: B; requires: B >= 1; out: none; clobbers: A F B; invariant: .l: B >= 1; "
            "decreases: .l: B",
            ".l: push af/pop af/dec b/jr nz, .l/ret",
        ),
        "by add sp": true(
            "in: B; requires: B >= 1; out: none; clobbers: A F B; invariant: .l: B >= 1; "
            "decreases: .l: B",
            ".l: add sp, -2/add sp, 2/dec b/jr nz, .l/ret",
        ),
        "a variable there": true(
            "in: B; requires: B in 1..9; out: A; clobbers: F B HL; stack: 2; "
            "invariant: .l: B in 1..9; decreases: .l: B",
            f"add sp, -2/ld hl, sp+0/ld [hl], 0/{COUNTS}",
        ),
        "the byte beside a variable is kept": true(
            "in: B DE; requires: B in 1..9; out: DE; clobbers: A F B HL; stack: 2; "
            "ensures: D == old D; invariant: .l: B in 1..9; decreases: .l: B",
            "push de/.l: ld hl, sp+0/inc [hl]/dec b/jr nz, .l/pop de/ret",
        ),
        "contents kept over the loop": true(
            "in: B DE; requires: B in 1..9; out: DE; clobbers: F B; "
            "ensures: DE == old DE; invariant: .l: B in 1..9; decreases: .l: B",
            "push de/.l: dec b/jr nz, .l/pop de/ret",
        ),
    },
}


@pytest.mark.slow_cases(
    "6502 a pull each turn",
    "6502 by txs, from the second turn on",
    "6502 by what it calls",
    "6502 contents change, pulled and pushed",
    "6502 the return address changes",
    "sm83 a variable there that nobody sets the second time",
    "sm83 a push each turn",
    "sm83 by add sp0",
    "sm83 by ld sp, hl",
    "6502 pushed and pulled each turn",
    "6502 by txs, the same",
    "6502 contents read at the cut",
    "6502 a variable there",
    "sm83 by add sp1",
    "sm83 the byte beside a variable is kept",
)
@pytest.mark.parametrize(
    ("cpu", "said"),
    cases(FALSE, TRUE, long=["6502 on one of two ways only", "sm83 pushed and pulled each turn"]),
)
def test_the_stack_at_an_invariant(cpu: str, said: Said) -> None:
    check(cpu, said)
