"""What a call gives depends on what it is given where it is made: of a choice that the path to it
decides on what is chosen there. On other paths, or by other conditions, on what is no input too."""

from __future__ import annotations

import pytest
from claims import PROVED, Said, cases, check, false, rom_of, source, true

from romproof.prover.prover import Prover

MOS_OTHER = (
    "in: tmp; out: m; clobbers: A X N V Z C; invariant: @l: X in 1..3; decreases: @l: X",
    "ldx #3/lda #0/@l: clc/adc tmp/dex/bne @l/sta m/rts",
)
"""Three times tmp: callers know its contract alone."""
MOS_HEAD = "in: n; out: m; clobbers: A X N V Z C tmp"
CHOOSE = "lda n/cmp #9/bcs @o/sta tmp/bcc @j/@o: stx tmp/@j: "
"""tmp is n below 9, else X, which is no input."""
ASK = "lda n/cmp #9/bcs @e/jmp other/@e: lda #0/sta m/rts"

SM83_OTHER = (
    "in: tmp; out: m; clobbers: A BC F; invariant: .l: B in 1..3, C == tmp; decreases: .l: B",
    "ld b, 3/ldh a, [tmp]/ld c, a/xor a/.l: add c/dec b/jr nz, .l/ldh [m], a/ret",
)
SM83_HEAD = "in: n; out: m; clobbers: A BC DE F tmp"
CHOOSE_SM83 = "ldh a, [n]/cp 9/jr nc, .o/ldh [tmp], a/jr .j/.o: ld a, d/ldh [tmp], a/.j: "
ASK_SM83 = "ldh a, [n]/cp 9/jr nc, .e/jp other/.e: xor a/ldh [m], a/ret"


def _wrong(ask: str, head: str = MOS_HEAD, choose: str = CHOOSE) -> Said:
    return false(head, choose + ask, "depends on its inputs", others={"other": MOS_OTHER})


def _wrong_sm83(ask: str) -> Said:
    others = {"other": SM83_OTHER}
    return false(SM83_HEAD, CHOOSE_SM83 + ask, "depends on its inputs", others=others)


FALSE = {
    "6502": {
        "nobody looks": _wrong("jmp other"),
        "the other way": _wrong(ASK.replace("bcs", "bcc")),
        "one more": _wrong(ASK.replace("#9", "#10")),
        "another byte": _wrong(
            ASK.replace("lda n", "lda buf"), "in: n buf; out: m; clobbers: A X N V Z C tmp"
        ),
        "another flag": _wrong(ASK.replace("bcs", "beq")),
        "both ways are X": _wrong(ASK, choose=CHOOSE.replace("sta tmp", "stx tmp")),
    },
    "sm83": {
        "nobody looks": _wrong_sm83("jp other"),
        "the other way": _wrong_sm83(ASK_SM83.replace("jr nc", "jr c")),
        "one more": _wrong_sm83(ASK_SM83.replace("cp 9", "cp 10")),
    },
}
TRUE = {
    "6502": {
        "the path says what was chosen": true(MOS_HEAD, CHOOSE + ASK, others={"other": MOS_OTHER})
    },
    "sm83": {
        "the path says what was chosen": true(
            SM83_HEAD, CHOOSE_SM83 + ASK_SM83, others={"other": SM83_OTHER}
        )
    },
}


@pytest.mark.slow_cases(
    "6502 one more", "6502 another byte", "6502 another flag", "sm83 the other way"
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_what_a_call_is_given_where_it_is_made(cpu: str, said: Said) -> None:
    check(cpu, said)


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_the_contract_of_the_callee_is_enough(cpu: str) -> None:
    """Where it is not, the callee's code is executed."""
    (said,) = TRUE[cpu].values()
    own = Prover(rom_of(cpu, source(cpu, said)))
    assert own.routine("other", exact=False).verdict is PROVED
    proof = own.routine("it")
    assert proof.verdict is PROVED
    assert proof.lemmas == ("other",)
