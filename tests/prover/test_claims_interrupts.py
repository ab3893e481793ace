"""The interrupt enable, loops that are stated, and ports that change by themselves."""

from __future__ import annotations

import pytest
from claims import NOT_SHOWN, PARTIAL, REFUTED, UNKNOWN, Said, cases, check, false, true

NOTHING = "in: none; out: none; clobbers: none"
WAITS = "in: volatile n[1]; out: none; clobbers: A N Z"
EIGHT = "in: none; out: none; clobbers: X N Z"
TURN = "ldx #8/@l: dex/bne @l/rts"

FALSE = {
    "6502": {
        "sei": false(NOTHING, "sei/rts", "I", (REFUTED,)),
        "cli": false(NOTHING, "cli/rts", "I", (REFUTED,)),
        "plp of a number": false(
            "in: none; out: none; clobbers: A N V D Z C", "lda #0/pha/plp/rts", "I", (REFUTED,)
        ),
        "ensured": false("in: none; out: I; ensures: I == 0", "sei/rts", "I == 0", (REFUTED,)),
        "by a callee": false(
            NOTHING, "jsr off/rts", "I", others={"off": ("in: none; clobbers: I", "sei/rts")}
        ),
        "restored only on one way": false(
            "in: A; out: none; clobbers: N Z C", "sei/cmp #7/beq @n/cli/@n: rts", "I"
        ),
        "a port read twice": false(
            "in: volatile n[1]; out: Z; clobbers: A N C; ensures: Z == 1",
            "lda n/cmp n/rts",
            "Z == 1",
        ),
        "a port read twice, into memory": false(
            "in: volatile n[1]; out: Z; clobbers: A N C tmp[1]; ensures: Z == 1",
            "lda n/sta tmp/lda n/cmp tmp/rts",
            "Z == 1",
        ),
        "a port in a loop never changes": false(
            "in: volatile n[1]; out: A; clobbers: X N Z; ensures: A == 0; "
            "invariant: @l: X in 1..3; decreases: @l: X",
            "ldx #3/@l: lda n/dex/bne @l/rts",
            "A == 0",
        ),
        "a port that is written keeps it": false(
            "in: volatile n[1]; out: A; clobbers: N Z n[1]; ensures: A == 5",
            "lda #5/sta n/lda n/rts",
            "A == 5",
        ),
        "a port read by a callee": false(
            "in: volatile n[1]; out: Z; clobbers: A N C tmp[1]; ensures: Z == 1",
            "jsr get/sta tmp/jsr get/cmp tmp/rts",
            "Z == 1",
            others={"get": ("in: volatile n[1]; out: A; clobbers: N Z", "lda n/rts")},
        ),
        "it waits for a port": false(
            "in: volatile n[1]; out: none; clobbers: A N Z; invariant: @l: A <= 255",
            "@l: lda n/bne @l/rts",
            verdicts=(*NOT_SHOWN, PARTIAL),
        ),
        "too few turns": false(
            "in: none; out: none; clobbers: X N Z; loops: @l 4; invariant: @l: X in 1..8; "
            "decreases: @l: X",
            TURN,
            "@l",
        ),
        "too few turns, without an invariant": false(
            "in: none; out: none; clobbers: X N Z; loops: @l 7", TURN, "@l"
        ),
        "at least too many": false(
            "in: none; out: none; clobbers: X N Z; loops: @l 9..20", TURN, "@l"
        ),
        "the fewest are too many": false(
            "in: X; requires: X in 1..8; out: none; clobbers: X N Z; loops: @l 2..8",
            "@l: dex/bne @l/rts",
            "@l",
        ),
        "the most are too few": false(
            "in: X; requires: X in 1..8; out: none; clobbers: X N Z; loops: @l 1..7",
            "@l: dex/bne @l/rts",
            "@l",
        ),
        "two labels at one place, one of them wrong": false(
            "in: none; out: none; clobbers: X N Z; loops: @l 8..9, @m 9..12",
            "ldx #8/@l:/@m: dex/bne @l/rts",
            "@m",
        ),
        "two labels at one place, both wrong": false(
            "in: none; out: none; clobbers: X N Z; loops: @l 16, @m 10..16",
            "ldx #8/@l:/@m: dex/bne @l/rts",
            "@m",
        ),
        "of the inner of two": false(
            "in: none; out: none; clobbers: X Y N Z; loops: @i 3",
            "ldy #2/@o: ldx #4/@i: dex/bne @i/dey/bne @o/rts",
            "@i",
        ),
    },
    "sm83": {
        "di": false(NOTHING, "di/ret", "IME", (REFUTED,)),
        "ei": false(NOTHING, "ei/nop/ret", "IME", (REFUTED,)),
        "ei just before the return": false(NOTHING, "ei/ret", "IME"),
        "reti": false(NOTHING, "reti", "IME", (REFUTED,)),
        "ensured by di": false(
            "in: none; out: IME; ensures: IME == 1", "di/ret", "IME == 1", (REFUTED,)
        ),
        "ensured by reti": false(
            "in: none; out: IME; ensures: IME == 0", "reti", "IME == 0", (REFUTED,)
        ),
        "ei after di": false(
            "in: none; out: IME; ensures: IME == 0", "di/ei/nop/ret", "IME == 0", (REFUTED,)
        ),
        "by a callee": false(
            NOTHING, "call off/ret", "IME", others={"off": ("in: none; clobbers: IME", "di/ret")}
        ),
        "restored on one way": false(
            "in: A; out: none; clobbers: F", "di/or a/ret z/ei/nop/ret", "IME"
        ),
        "ei always, for what was off": false(NOTHING, "di/nop/ei/nop/ret", "IME", (REFUTED,)),
        "at an invariant": false(
            "in: B; requires: B >= 1; out: none; clobbers: F B; "
            "invariant: .l: B >= 1; decreases: .l: B",
            "di/.l: dec b/jr nz, .l/ret",
            "IME",
        ),
        "a port read twice": false(
            "in: volatile n[1]; out: ZF; clobbers: A NF HF CF B; ensures: ZF == 1",
            "ldh a, [n]/ld b, a/ldh a, [n]/cp b/ret",
            "ZF == 1",
        ),
        "an I/O register read twice": false(
            "in: $FF04[1]; out: ZF; clobbers: A NF HF CF B; ensures: ZF == 1",
            "ldh a, [$FF04]/ld b, a/ldh a, [$FF04]/cp b/ret",
            "ZF == 1",
        ),
        "the joypad is never pressed": false(
            "in: volatile n[1]; out: A; clobbers: F B; ensures: A == 0; "
            "invariant: .l: B in 1..3; decreases: .l: B",
            "ld b, 3/.l: ldh a, [n]/dec b/jr nz, .l/ret",
            "A == 0",
        ),
        "too few turns": false(
            "in: none; out: none; clobbers: F B; loops: .l 4",
            "ld b, 8/.l: dec b/jr nz, .l/ret",
            ".l",
        ),
    },
}
TRUE = {
    "6502": {
        "sei, listed": true("in: none; out: I; ensures: I == 1", "sei/rts"),
        "restored by plp": true("in: none; out: none; clobbers: none", "php/sei/plp/rts"),
        "a port read once": true(
            "in: volatile n[1]; out: A; clobbers: N Z; ensures: A <= 255", "lda n/rts"
        ),
        "memory read twice": true(
            "in: n[1]; out: Z; clobbers: A N C; ensures: Z == 1", "lda n/cmp n/rts"
        ),
        "as many turns": true("in: none; out: none; clobbers: X N Z; loops: @l 8..8", TURN),
        "at most as many": true("in: none; out: none; clobbers: X N Z; loops: @l 8", TURN),
        "two labels at one place": true(
            "in: none; out: none; clobbers: X N Z; loops: @l 2..8, @m 8..11",
            "ldx #8/@l:/@m: dex/bne @l/rts",
        ),
        "1 to 8 turns": true(
            "in: X; requires: X in 1..8; out: none; clobbers: X N Z; loops: @l 1..8",
            "@l: dex/bne @l/rts",
        ),
    },
    "sm83": {
        "di, listed": true("in: none; out: IME; ensures: IME == 0", "di/ret"),
        "ei, listed": true("in: none; out: IME; ensures: IME == 1", "ei/nop/ret"),
        "reti, listed": true("in: none; out: IME; ensures: IME == 1", "reti"),
        "as many turns": true(
            "in: none; out: none; clobbers: F B; loops: .l 8", "ld b, 8/.l: dec b/jr nz, .l/ret"
        ),
    },
}


@pytest.mark.slow_cases(
    "sm83 at an invariant", "6502 a port read once", "6502 1 to 8 turns", "sm83 di, listed"
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE, long=["6502 it waits for a port"]))
def test_what_changes_by_itself(cpu: str, said: Said) -> None:
    check(cpu, said)


def test_what_waits_for_a_port_is_not_proved_to_end() -> None:
    said = false(
        "in: volatile n[1]; out: none; clobbers: A N Z; invariant: @l: A <= 255; decreases: @l: 1",
        "@l: lda n/bne @l/rts",
        verdicts=(REFUTED, UNKNOWN, PARTIAL),
    )
    check("6502", said)
    assert said.verdicts != ()
