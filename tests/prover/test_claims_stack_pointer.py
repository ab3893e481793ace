"""The stack pointer and the return address are no constants: results that show them are told."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, proofs_of, true

from romproof.prover.catalogue import Property
from romproof.prover.results import Verdict

TX = ("in: none; out: none; clobbers: X N Z", "tsx/rts")
OWN = ("in: none; out: none; clobbers: A X N Z", "tsx/lda $0101,x/rts")
SP_SM83 = ("in: none; out: none; clobbers: HL F", "ld hl, sp+0/ret")

FALSE = {
    "6502": {
        "S in X": false("in: none; out: X; clobbers: N Z", "tsx/rts", "depends"),
        "a number for S": false(
            "in: none; out: X; clobbers: N Z; ensures: X == $FD", "tsx/rts", "X =="
        ),
        "a range of S": false(
            "in: none; out: X; clobbers: N Z; ensures: X > 250", "tsx/rts", "X > 250"
        ),
        "a flag of S": false(
            "in: none; out: N; clobbers: X Z; ensures: N == 1", "tsx/rts", "N == 1"
        ),
        "at two depths": false(
            "in: none; out: Z; clobbers: A X N C tmp[1]; ensures: Z == 1",
            "jsr tx/stx tmp/pha/jsr tx/pla/cpx tmp/rts",
            "Z == 1",
            others={"tx": TX},
        ),
        "at two depths, without a lemma": false(
            "in: none; out: Z; clobbers: A X N C tmp[1]; ensures: Z == 1",
            "jsr tx/stx tmp/pha/jsr tx/pla/cpx tmp/rts",
            "Z == 1",
            others={"tx": (None, TX[1])},
        ),
        "one call deeper": false(
            "in: none; out: Z; clobbers: X N C tmp[1]; ensures: Z == 1",
            "jsr tx/stx tmp/jsr deeper/cpx tmp/rts",
            "Z == 1",
            others={"tx": TX, "deeper": ("in: none; out: none; clobbers: X N Z", "jsr tx/rts")},
        ),
        "the return address popped": false(
            "in: none; out: A; clobbers: Y N Z; ensures: A == $F8",
            "pla/tay/pla/pha/tya/pha/rts",
            "A == $F8",
        ),
        "the return address as a result": false(
            "in: none; out: A; clobbers: Y N Z", "pla/tay/pla/pha/tya/pha/rts"
        ),
        "the return address of two calls": false(
            "in: none; out: Z; clobbers: A X N C tmp[1]; ensures: Z == 1",
            "jsr own/sta tmp/jsr own/cmp tmp/rts",
            "Z == 1",
            others={"own": OWN},
        ),
        "a byte that was left on the stack": false(
            "in: none; out: A; clobbers: X N Z", "tsx/lda $0100,x/rts"
        ),
        "S in memory": false("in: none; out: tmp[1]; clobbers: X N Z", "tsx/stx tmp/rts"),
        "a branch on S": false(
            "in: none; out: A; clobbers: X N Z C",
            "tsx/lda #0/cpx #$F0/bcc @n/lda #1/@n: rts",
            "depends",
        ),
        "the time by S": false(
            "in: none; out: none; clobbers: X N Z C; cycles: 14 constant",
            "tsx/cpx #$F0/bcc @n/nop/@n: rts",
        ),
    },
    "sm83": {
        "a byte that was left on the stack": false(
            "in: none; out: A; clobbers: HL F", "ld hl, sp-1/ld a, [hl]/ret"
        ),
        "SP in HL": false("in: none; out: HL; clobbers: F", "ld hl, sp+0/ret", "depends"),
        "a number for SP": false(
            "in: none; out: HL; clobbers: F; ensures: HL == $FFFC", "ld hl, sp+0/ret", "HL =="
        ),
        "the carry of sp+1": false(
            "in: none; out: CF; clobbers: ZF NF HF HL; ensures: CF == 0", "ld hl, sp+1/ret", "CF =="
        ),
        "the half carry of sp+4": false(
            "in: none; out: HF; clobbers: ZF NF CF HL; ensures: HF == 1", "ld hl, sp+4/ret", "HF =="
        ),
        "the carry of sp-1": false(
            "in: none; out: CF; clobbers: ZF NF HF HL; ensures: CF == 1", "ld hl, sp-1/ret", "CF =="
        ),
        "add hl, sp": false("in: none; out: HL; clobbers: F", "ld hl, 0/add hl, sp/ret", "depends"),
        "the carry of add hl, sp": false(
            "in: HL; requires: HL == $2006; out: CF; clobbers: HF NF HL; ensures: CF == 1",
            "add hl, sp/ret",
            "CF ==",
        ),
        "ld [nn], sp": false("in: none; out: ptr[2]; clobbers: none", "ld [ptr], sp/ret"),
        "at two depths": false(
            "in: none; out: ZF; clobbers: AF HL BC; ensures: ZF == 1",
            "call spx/ld c, l/push af/call spx/pop af/ld a, l/cp c/ret",
            "ZF == 1",
            others={"spx": SP_SM83},
        ),
        "the return address popped": false(
            "in: none; out: HL; clobbers: none", "pop hl/push hl/ret"
        ),
        "the parity of SP": false(
            "in: none; out: A; clobbers: F HL; ensures: A == 0", "ld hl, sp+0/ld a, l/and 1/ret"
        ),
    },
}
TRUE = {
    "6502": {
        "S under clobbers": true("in: none; out: none; clobbers: X N Z", "tsx/rts"),
        "S and back": true("in: none; out: none; clobbers: X N Z", "tsx/txs/rts"),
        "a difference of two": true(
            "in: none; out: A; clobbers: X N V Z C tmp[1] m[1]; ensures: A == 1",
            "tsx/stx tmp/pha/tsx/pla/stx m/sec/lda tmp/sbc m/rts",
        ),
        "the byte that was pushed": true(
            "in: A; out: A; clobbers: X N Z; ensures: A == old A",
            "pha/lda #0/tsx/lda $0101,x/inx/txs/rts",
        ),
    },
    "sm83": {
        "SP under clobbers": true("in: none; out: none; clobbers: HL F", "ld hl, sp+0/ret"),
        "SP and back": true("in: none; out: none; clobbers: HL F", "ld hl, sp+0/ld sp, hl/ret"),
        "what was pushed": true(
            "in: BC; out: A; clobbers: HL F; ensures: A == C",
            "push bc/ld hl, sp+0/ld a, [hl]/pop hl/ret",
        ),
        "a zero flag that is always clear": true(
            "in: none; out: ZF; clobbers: HL NF HF CF; ensures: ZF == 0", "ld hl, sp+1/ret"
        ),
    },
}


@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_where_the_stack_is(cpu: str, said: Said) -> None:
    check(cpu, said)


LEFT_BEHIND = {
    "6502": (
        "in: none; out: none; clobbers: A X Y N Z",
        "pla/tax/pla/tay/pha/txa/pha/tya/pha/txa/pha/rts",
    ),
    "sm83": ("in: none; out: none; clobbers: HL", "pop hl/push hl/push hl/ret"),
}


@pytest.mark.parametrize("cpu", LEFT_BEHIND)
@pytest.mark.parametrize("steps", [False, True])
def test_to_come_to_the_return_address_is_not_yet_to_return(cpu: str, steps: bool) -> None:
    """What is left on the stack refutes that it returns, and the run shows just that."""
    contract, code = LEFT_BEHIND[cpu]
    stack = "; stack: 2" if steps else ""
    proof = proofs_of(cpu, Said(contract + stack, code))["it"]
    (returns,) = [each for each in proof.findings if each.statement == Property.RETURNS()]
    assert (returns.verdict, returns.replayed) == (Verdict.REFUTED, True)
    assert "pushes and pulls do not balance" in returns.detail
    assert all(each.replayed is not False for each in proof.findings)


@pytest.mark.parametrize(
    ("code", "matters"), [("pla/tay/pla/pha/tya/pha/rts", True), ("lda #$12/rts", False)]
)
def test_an_example_says_where_it_returns_to_where_that_matters(code: str, matters: bool) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    said = false("in: none; out: A; clobbers: Y N Z; ensures: A != $12", code)
    findings = {str(each.statement): each for each in proofs_of("6502", said)["it"].findings}
    finding = findings["ensures A != $12"]
    example = finding.example
    assert finding.replayed
    assert example is not None
    if matters:  # the 6502 pushes the address before it
        assert example.returns_to is not None
        assert example.returns_to & 0xFF == 0x13
        assert str(example).endswith(f"so that it returns to ${example.returns_to:04X}")
    else:
        assert (example.returns_to, str(example)) == (None, "any input")
