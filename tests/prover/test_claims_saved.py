"""Registers that are saved before an invariant and restored after it are preserved."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

TURNS = (
    "in: X; requires: X >= 1; out: n; clobbers: X N Z; stack: {}; "
    "invariant: @l: X >= 1; decreases: @l: X"
)
BODY = "@l: lda #7/sta n/ldy #3/dex/bne @l/"
TURNS_SM83 = (
    "in: B; requires: B >= 1; out: B n; clobbers: F A; stack: {}; "
    "invariant: .l: B >= 1; decreases: .l: B"
)
BODY_SM83 = ".l: ld a, 7/ldh [n], a/ld c, 3/ld d, c/dec b/jr nz, .l/"

CLAIMS = {
    "6502": {
        "saved and restored": true(
            "in: X; requires: X >= 1; out: n; clobbers: X N Z; stack: 2; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "pha/tya/pha/" + BODY + "pla/tay/pla/rts",
        ),
        "flags and all": true(
            "in: X; requires: X >= 1; out: n; clobbers: X; stack: 3; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "php/pha/tya/pha/" + BODY + "pla/tay/pla/plp/rts",
        ),
        "in a register that stays": true(
            "in: X; requires: X >= 1; out: n; clobbers: X N Z Y; "
            "invariant: @l: X >= 1, Y == old A; decreases: @l: X",
            "tay/@l: lda #7/sta n/dex/bne @l/tya/rts",
        ),
        "not restored": false(
            "in: X; requires: X >= 1; out: n; clobbers: X N Z; stack: 2; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "pha/tya/pha/" + BODY + "pla/tay/pla/lda #7/rts",
            "preserves",
        ),
        "one for the other": false(
            "in: X; requires: X >= 1; out: n; clobbers: X N Z; stack: 2; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "pha/tya/pha/" + BODY + "pla/tax/pla/rts",
            "preserves",
        ),
        "another is pulled": false(
            "in: X; requires: X >= 1; out: n; clobbers: X N Z; stack: 2; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "pha/tya/pha/" + BODY + "pla/pla/tay/rts",
            "preserves",
        ),
        "on one of two ways only": false(
            "in: X; requires: X >= 1; out: n; clobbers: X N Z; stack: 2; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "pha/tya/pha/" + BODY + "pla/tay/pla/ldx n/beq @e/lda #1/@e: rts",
        ),
        "saved too late": false(
            "in: X; requires: X >= 1; out: n; clobbers: X N Z; stack: 2; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "lda #7/pha/tya/pha/" + BODY + "pla/tay/pla/rts",
            "preserves",
        ),
        "saved in the loop": false(
            "in: X; requires: X >= 1; out: n; clobbers: X N Z; stack: 2; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "pha/tya/pha/" + BODY.replace("ldy #3", "pla/tya/pha/ldy #3") + "pla/tay/pla/rts",
        ),
        "in a register that does not stay": false(
            "in: X; requires: X >= 1; out: n; clobbers: X N Z Y; "
            "invariant: @l: X >= 1; decreases: @l: X",
            "tay/@l: lda #7/sta n/dex/bne @l/tya/rts",
            "preserves",
        ),
    },
    "sm83": {
        "saved and restored": true(
            "in: B; requires: B >= 1; out: n; clobbers: F A; stack: 4; "
            "invariant: .l: B >= 1; decreases: .l: B",
            "push bc/push de/" + BODY_SM83 + "pop de/pop bc/ret",
        ),
        "pulled the other way": false(
            "in: B; requires: B >= 1; out: n; clobbers: F A; stack: 4; "
            "invariant: .l: B >= 1; decreases: .l: B",
            "push bc/push de/" + BODY_SM83 + "pop bc/pop de/ret",
            "preserves",
        ),
        "one half of it": false(
            "in: B; requires: B >= 1; out: n; clobbers: F A; stack: 4; "
            "invariant: .l: B >= 1; decreases: .l: B",
            "push bc/push de/" + BODY_SM83 + "pop de/pop bc/ld c, 3/ret",
            "preserves",
        ),
    },
}


@pytest.mark.quick_cases(
    "6502 saved and restored",
    "6502 saved too late",
    "6502 saved in the loop",
    "sm83 one half of it",
)
@pytest.mark.parametrize(("cpu", "said"), cases(CLAIMS))
def test_what_is_saved_comes_back(cpu: str, said: Said) -> None:
    check(cpu, said)
