"""Handlers of interrupts: what was interrupted goes on as if nothing had happened."""

from __future__ import annotations

import pytest
from claims import (
    NOT_SHOWN,
    PROVED,
    REFUTED,
    Said,
    cases,
    check,
    false,
    proofs_of,
    true,
)

COUNT = "kind: interrupt; in: n; out: n; clobbers: none"
ALONE = "kind: interrupt; in: none; out: none; clobbers: none"
OTHER = {"other": ("in: n; out: n; clobbers: N Z; ensures: n == (old n + 1) % 256", "inc n/rts")}
OTHER_SM83 = {"other": ("in: none; out: none; clobbers: none", "ret")}

LOOP = "kind: interrupt; in: none; out: none; clobbers: none; invariant: @l: X >= 1"
SAVING = "pha/txa/pha/ldx #4/@l: dex/bne @l/pla/tax/pla/rti"
FALSE = {
    "6502": {
        "A is lost": false(COUNT, "lda n/adc #1/sta n/rti", "A", (REFUTED,)),
        "X is lost on one path": false(COUNT, "inc n/bne @n/ldx #1/@n: rti", "X", (REFUTED,)),
        "pulled in the wrong order": false(
            ALONE, "pha/txa/pha/ldx #0/lda #0/pla/pla/tax/pla/rti", verdicts=NOT_SHOWN
        ),
        "A and X are exchanged": false(ALONE, "pha/txa/pha/pla/tay/pla/tax/tya/rti", "A"),
        "the flags that were pushed are changed": false(
            ALONE, "pha/txa/pha/tsx/lda $0103,x/ora #1/sta $0103,x/pla/tax/pla/rti", "C"
        ),
        "interrupts stay masked": false(
            ALONE, "pha/txa/pha/tsx/lda $0103,x/ora #4/sta $0103,x/pla/tax/pla/rti", "I"
        ),
        "it returns elsewhere": false(
            ALONE, "pha/txa/pha/tsx/inc $0104,x/pla/tax/pla/rti", verdicts=NOT_SHOWN
        ),
        "by rts": false(COUNT, "inc n/rts"),
        "by rts, the flags pulled": false(COUNT, "inc n/plp/rts"),
        "what is pushed stays": false(ALONE, "pha/rti"),
        "a push on one path": false(COUNT, "inc n/bne @n/pha/@n: rti"),
        "by a routine": false(COUNT, "jmp other", others=OTHER),
        "by a routine, the flags pulled": false(COUNT, "plp/jmp other", others=OTHER),
        "by a routine, what it leaves": false(
            "kind: interrupt; in: n; out: n; clobbers: none; ensures: n == old n",
            "jsr other/rti",
            "n == old n",
            others=OTHER,
        ),
        "rti costs nothing": false(
            "kind: interrupt; in: n; out: n; clobbers: none; cycles: 5",
            "inc n/rti",
            "5",
            (REFUTED,),
        ),
        "what was pushed costs": false(
            "kind: interrupt; in: n; out: n; clobbers: none; cycles: 18",
            "inc n/rti",
            "18",
            (REFUTED,),
        ),
        "stack": false(
            "kind: interrupt; in: none; out: none; clobbers: none; stack: 0", "pha/pla/rti", "stack"
        ),
        "it depends on A": false(
            "kind: interrupt; in: none; out: n; clobbers: none", "sta n/rti", "A"
        ),
        "it depends on the flags that were pushed": false(
            "kind: interrupt; in: none; out: n; clobbers: none",
            "pha/txa/pha/tsx/lda $0103,x/and #1/sta n/pla/tax/pla/rti",
            "the flags that the interrupt pushed",
        ),
        "I is clear in the end": false(
            "kind: interrupt; in: none; out: I; clobbers: none; ensures: I == 0", "rti", "I == 0"
        ),
        "other memory": false(ALONE, "inc n/rti", "n"),
        "a routine that returns as a handler": false(
            "in: n; out: n; clobbers: N Z", "inc n/rti", verdicts=NOT_SHOWN
        ),
        "a handler that is called": false(
            "in: n; out: n; clobbers: N Z", "jsr hand/rts", others={"hand": (COUNT, "inc n/rti")}
        ),
        "a handler that ends a routine": false(
            "in: n; out: n; clobbers: N Z", "jmp hand", others={"hand": (COUNT, "inc n/rti")}
        ),
        "what a loop uses is not saved": false(
            "kind: interrupt; in: none; out: none; clobbers: none; invariant: @l: X >= 1; "
            "decreases: @l: X",
            "pha/ldx #4/@l: dex/bne @l/pla/rti",
            "X",
        ),
        "another counter comes back": false(
            "kind: interrupt; in: none; out: none; clobbers: none; invariant: @l: X >= 1; "
            "decreases: @l: X",
            "pha/txa/pha/ldx #4/@l: dex/bne @l/pla/pla/rti",
        ),
        "its invariant says too much": false(
            "kind: interrupt; in: none; out: none; clobbers: none; invariant: @l: X >= 2",
            SAVING,
            "invariant",
        ),
        "a loop changes what was saved": false(
            "kind: interrupt; in: none; out: none; clobbers: none; invariant: @l: X >= 1; "
            "decreases: @l: X",
            "pha/txa/pha/ldx #4/@l: dex/pla/txa/pha/cpx #0/bne @l/pla/tax/pla/rti",
        ),
        "a flag is ensured that the loop changes": false(
            "kind: interrupt; in: none; out: none; clobbers: none; invariant: @l: X >= 1; "
            "decreases: @l: X; ensures: Z == 1",
            SAVING,
            "Z == 1",
        ),
        "it adds while D is set": false(
            "kind: interrupt; in: D n; out: n; clobbers: none; ensures: n == (old n + 1) % 256",
            "pha/lda n/clc/adc #1/sta n/pla/rti",
            "n == (old n + 1) % 256",
        ),
    },
    "sm83": {
        "by ret": false(COUNT, "push hl/push af/ld hl, n/inc [hl]/pop af/pop hl/ret", "IME"),
        "flags are lost": false(COUNT, "push hl/ld hl, n/inc [hl]/pop hl/reti", "F"),
        "HL is lost": false(COUNT, "push af/ld hl, n/inc [hl]/pop af/reti", "L", (REFUTED,)),
        "pulled in the wrong order": false(ALONE, "push bc/push de/pop bc/pop de/reti"),
        "what is pushed stays": false(ALONE, "push hl/reti"),
        "by a routine": false(ALONE, "jp other", "IME", others=OTHER_SM83),
        "the return address changes": false(
            ALONE, "push af/push hl/ld hl, sp+4/inc [hl]/pop hl/pop af/reti"
        ),
        "reti costs nothing": false(
            "kind: interrupt; in: none; out: none; clobbers: none; cycles: 0",
            "reti",
            "0",
            (REFUTED,),
        ),
        "interrupts are on from the start": false(
            "kind: interrupt; in: IME; out: A; clobbers: none; ensures: A == 1",
            "ld a, 0/reti",
            "A == 1",
        ),
    },
}
TRUE = {
    "6502": {
        "a loop with an invariant": true(
            "kind: interrupt; in: none; out: none; clobbers: none; invariant: @l: X >= 1; "
            "decreases: @l: X; stack: 2",
            SAVING,
        ),
        "nothing": true(
            "kind: interrupt; in: none; out: none; clobbers: none; stack: 0; cycles: 6", "rti"
        ),
        "it counts": true(
            "kind: interrupt; in: n; out: n; clobbers: none; "
            "ensures: n == (old n + 1) % 256; stack: 0; cycles: 11",
            "inc n/rti",
        ),
        "all is saved": true(
            "kind: interrupt; in: n; out: n; clobbers: none; stack: 3; cycles: 45",
            "pha/txa/pha/tya/pha/ldx n/inx/stx n/ldy #0/pla/tay/pla/tax/pla/rti",
        ),
        "flags come back by themselves": true(ALONE, "sec/clv/cli/sed/rti"),
        "pulled and pushed": true(ALONE, "plp/php/rti"),
        "it calls a routine": true(
            "kind: interrupt; in: n; out: n; clobbers: none; "
            "ensures: n == (old n + 1) % 256; stack: 2",
            "jsr other/rti",
            others=OTHER,
        ),
        "what is listed may change": true(
            "kind: interrupt; in: none; out: A; clobbers: none; ensures: A == 3", "lda #3/rti"
        ),
        "B is pushed as 0, and the bit above as 1": true(
            "kind: interrupt; in: none; out: n; clobbers: none; ensures: n == 32",
            "pha/txa/pha/tsx/lda $0103,x/and #$30/sta n/pla/tax/pla/rti",
        ),
        "I is set in a handler": true(
            "kind: interrupt; in: I; out: A; clobbers: none; ensures: A == 4",
            "php/pla/and #4/rti",
        ),
        "a loop": true(
            "kind: interrupt; in: none; out: none; clobbers: none; cycles: 45",
            "pha/txa/pha/ldx #4/@l: dex/bne @l/pla/tax/pla/rti",
        ),
    },
    "sm83": {
        "a loop with an invariant": true(
            "kind: interrupt; in: none; out: none; clobbers: none; invariant: .l: B >= 1; "
            "decreases: .l: B",
            "push af/push bc/ld b, 4/.l: dec b/jr nz, .l/pop bc/pop af/reti",
        ),
        "nothing": true(
            "kind: interrupt; in: none; out: none; clobbers: none; stack: 0; cycles: 4", "reti"
        ),
        "it counts": true(
            "kind: interrupt; in: n; out: n; clobbers: none; "
            "ensures: n == (old n + 1) % 256; stack: 4",
            "push hl/push af/ld hl, n/inc [hl]/pop af/pop hl/reti",
        ),
        "by ei and ret": true(ALONE, "ei/ret"),
        "interrupts stay off, as is listed": true(
            "kind: interrupt; in: none; out: none; clobbers: IME", "ret"
        ),
        "it calls a routine": true(ALONE, "call other/reti", others=OTHER_SM83),
    },
}


@pytest.mark.slow_cases(
    "6502 by rts",
    "6502 a push on one path",
    "6502 a routine that returns as a handler",
    "6502 a handler that is called",
    "6502 a handler that ends a routine",
    "6502 it calls a routine",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_handlers(cpu: str, said: Said) -> None:
    check(cpu, said)


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_a_proved_handler_was_executed(cpu: str) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    code = {"6502": "inc n/rti", "sm83": "push hl/push af/ld hl, n/inc [hl]/pop af/pop hl/reti"}
    proof = proofs_of(cpu, true(COUNT, code[cpu]))["it"]
    assert proof.verdict is PROVED
    assert proof.runs > 100
