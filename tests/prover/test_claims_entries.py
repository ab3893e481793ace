"""Invariants at the entry label, loops back to it, jumps into the middle, limits under them."""

from __future__ import annotations

import pytest
from claims import NOT_SHOWN, REFUTED, VACUOUS, Said, cases, check, false, true, wide

BROKEN = (*NOT_SHOWN, VACUOUS)
"""Of an invariant that is not kept: what is made of it may not even return."""
DOWN = (
    "in: A; clobbers: A N V Z C; invariant: @l: A <= 3; decreases: @l: A",
    "@l: cmp #0/beq @d/sec/sbc #1/jmp @l/@d: rts",
)
DOWN_SM83 = (
    "in: A; clobbers: AF; invariant: .l: A <= 3; decreases: .l: A",
    ".l: or a/jr z, .d/dec a/jr .l/.d: ret",
)

FALSE = {
    "6502": {
        "not required": false("in: A; invariant: it: A == 5", "rts", "A == 5", (REFUTED,)),
        "the second of several conditions": false(
            "in: A X; requires: A == 5; invariant: it: A == 5, X < 3", "rts", "X < 3", (REFUTED,)
        ),
        "all of several conditions": false(
            "in: A X; requires: A <= 5; invariant: it: A == 5, X < 3", "rts", "A == 5", (REFUTED,)
        ),
        "a loop back to the entry": false(
            "in: X; requires: X >= 2; clobbers: X N Z; invariant: it: X >= 2; decreases: it: X",
            "dex/bne it/rts",
            "X >= 2",
            BROKEN,
        ),
        "a local label at the entry": false(
            "in: X; requires: X >= 1; clobbers: X N Z; invariant: @l: X >= 2; decreases: @l: X",
            "@l: dex/bne @l/rts",
            "X >= 2",
            BROKEN,
        ),
        "a jump into the middle": false(
            "in: A X; requires: X in 1..8; clobbers: X N Z C; "
            "invariant: @l: X in 1..8, A == 0; decreases: @l: X",
            "cmp #0/bne @m/@l: nop/@m: dex/bne @l/rts",
            "A == 0",
        ),
        "a jump into the middle, one turn too many": false(
            "in: A X; requires: X in 0..8; clobbers: X N Z C; "
            "invariant: @l: X in 1..8; decreases: @l: X",
            "cmp #0/bne @m/ldx #8/@l: nop/@m: dex/bne @l/rts",
            "X in 1..8",
        ),
        "old is the entry's": false(
            "in: X; requires: X >= 1; clobbers: X N Z; invariant: @l: X == old X; decreases: @l: X",
            "@l: dex/bne @l/rts",
            "X == old X",
        ),
        "the fewest cycles are another input's": wide(
            false(
                "in: A; clobbers: A N V Z C; invariant: @l: A <= 3; decreases: @l: A; "
                "requires: A == 3; cycles: 11..",
                DOWN[1],
                "cycles",
            )
        ),
        "the most cycles are another input's": wide(
            false(
                "in: A; clobbers: A N V Z C; invariant: @l: A <= 3; decreases: @l: A; "
                "requires: A <= 1; cycles: 11..44",
                DOWN[1],
                "cycles",
            )
        ),
        "ensured for states that are not reached only": false(
            "in: A; requires: A == 3; clobbers: A N V Z C; ensures: old A == 2; "
            "invariant: @l: A <= 3; decreases: @l: A",
            DOWN[1],
            "old A == 2",
        ),
    },
    "sm83": {
        "not required": false("in: A; invariant: it: A == 5", "ret", "A == 5", (REFUTED,)),
        "the second of several conditions": false(
            "in: A B; requires: A == 5; invariant: it: A == 5, B < 3", "ret", "B < 3", (REFUTED,)
        ),
        "a loop back to the entry": false(
            "in: B; requires: B >= 2; clobbers: F B; invariant: it: B >= 2; decreases: it: B",
            "dec b/jr nz, it/ret",
            "B >= 2",
            BROKEN,
        ),
        "a jump into the middle": false(
            "in: A B; requires: B in 1..8; clobbers: F B; "
            "invariant: .l: B in 1..8, A == 0; decreases: .l: B",
            "or a/jr nz, .m/.l: nop/.m: dec b/jr nz, .l/ret",
            "A == 0",
        ),
        "the fewest cycles are another input's": wide(
            false(
                "in: A; clobbers: AF; invariant: .l: A <= 3; decreases: .l: A; "
                "requires: A == 3; cycles: 8..",
                DOWN_SM83[1],
                "cycles",
            )
        ),
    },
}
TRUE = {
    "6502": {
        "required": true("in: A; requires: A == 5; invariant: it: A == 5", "rts"),
        "a loop back to the entry": true(
            "in: X; requires: X >= 1; clobbers: X N Z; invariant: it: X >= 1; decreases: it: X",
            "dex/bne it/rts",
        ),
        "a jump into the middle": true(
            "in: A X; requires: X in 1..8; clobbers: X N Z C; "
            "invariant: @l: X in 1..8; decreases: @l: X",
            "cmp #0/bne @m/@l: nop/@m: dex/bne @l/rts",
        ),
        "old is the entry's": true(
            "in: X; requires: X >= 1; clobbers: X N Z; invariant: @l: X in 1..255, X <= old X; "
            "decreases: @l: X",
            "@l: dex/bne @l/rts",
        ),
        "ends at the entry's number": true(
            "in: A; clobbers: A N V Z C; invariant: @l: A <= 3; decreases: @l: A; "
            "requires: A <= 3; ensures: A == 0",
            DOWN[1],
        ),
    },
    "sm83": {
        "required": true("in: A; requires: A == 5; invariant: it: A == 5", "ret"),
        "a loop back to the entry": true(
            "in: B; requires: B >= 1; clobbers: F B; invariant: it: B >= 1; decreases: it: B",
            "dec b/jr nz, it/ret",
        ),
        "ends at the entry's number": true(
            "in: A; clobbers: AF; invariant: .l: A <= 3; decreases: .l: A; "
            "requires: A <= 3; ensures: A == 0",
            DOWN_SM83[1],
        ),
    },
}


@pytest.mark.slow_cases(
    "6502 a loop back to the entry0",
    "6502 old is the entry's0",
    "6502 a loop back to the entry1",
    "6502 old is the entry's1",
)
@pytest.mark.parametrize(
    ("cpu", "said"), cases(FALSE, TRUE, long=["sm83 a loop back to the entry"])
)
def test_where_an_invariant_begins(cpu: str, said: Said) -> None:
    check(cpu, said)
