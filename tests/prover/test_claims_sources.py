"""Of a callee by its contract each result, and its time, depends on the inputs in its terms alone;
what depends on others is still known to."""

from __future__ import annotations

import pytest
from claims import PROVED, Said, cases, check, false, rom_of, source, true

from romproof.prover.routines.program_proof import CalleeUse, LemmaStore
from romproof.prover.states.program import program_of

LOOP = "invariant: @l: X in 1..3; decreases: @l: X"
COUNTS = (
    "in: X arr[4]; requires: X in 1..3; out: Y; clobbers: A X N Z arr[4]; "
    "invariant: @l: X in 1..3; decreases: @l: X"
)
ANY = "in: arr[4]; out: Y; clobbers: A X N Z arr[4]; invariant: @l: X in 1..3; decreases: @l: X"
LOOP_SM83 = "invariant: .l: B in 1..3, HL >= &arr, HL + B <= &arr + 3; decreases: .l: B"
COUNTS_SM83 = (
    "in: B arr[4]; requires: B in 1..3; out: C; clobbers: A B HL F arr[4]; "
    "invariant: .l: B in 1..3, HL >= &arr, HL + B <= &arr + 3; decreases: .l: B"
)
CHANGES = "lda arr,x/eor #1/sta arr,x"
BY_NUMBER = (COUNTS, f"ldy #0/@l: {CHANGES}/iny/dex/bne @l/rts")
BY_NUMBER_SM83 = (
    COUNTS_SM83,
    "ld hl, arr/ld c, 0/.l: inc [hl]/inc hl/inc c/dec b/jr nz, .l/ret",
)
PUTS = "in: arr[4]; out: Y; clobbers: A X N Z arr[4]"
"""What the caller claims: A, which it puts into the array, is no input."""
PUTS_SM83 = "in: arr[4]; out: C; clobbers: A B HL F arr[4]"
TIMED = "in: arr[4]; out: none; clobbers: Y A X N Z arr[4]"
CALLS, CALLS_SM83 = "sta arr+1/ldx #2/jsr other/rts", "ld [arr], a/ld b, 2/call other/ret"


def _wrong(code: str, contract: str = COUNTS, claims: str = PUTS) -> Said:
    return false(claims, CALLS, "depends on", others={"other": (contract, code)})


FALSE = {
    "6502": {
        "a branch in the loop": _wrong(f"ldy #0/@l: {CHANGES}/beq @n/iny/@n: dex/bne @l/rts"),
        "a branch behind the loop": _wrong(
            f"ldy #0/@l: {CHANGES}/dex/bne @l/lda arr+1/beq @n/iny/@n: rts"
        ),
        "what it loads at the end": _wrong(f"@l: {CHANGES}/dex/bne @l/ldy arr+1/rts"),
        "what the loop adds up": _wrong(
            "lda #0/@l: eor arr,x/dex/bne @l/tay/rts",
            "in: X arr[4]; requires: X in 1..3; out: Y; clobbers: A X N Z ; "
            "invariant: @l: X in 1..3; decreases: @l: X",
        ),
        "how often it goes round": _wrong(
            f"ldy #0/lda arr+1/and #1/tax/inx/@l: {CHANGES}/iny/dex/bne @l/rts", ANY
        ),
        "the time": _wrong(
            f"ldy #0/@l: {CHANGES}/beq @n/iny/@n: dex/bne @l/rts",
            "in: X arr[4]; requires: X in 1..3; out: none; clobbers: Y A X N Z arr[4]; "
            "invariant: @l: X in 1..3; decreases: @l: X",
            TIMED,
        ),
        "what it is called with": false(
            PUTS,
            "sta arr+1/and #1/tax/inx/jsr other/rts",
            "depends on",
            others={"other": BY_NUMBER},
        ),
    },
    "sm83": {
        "what it loads at the end": false(
            PUTS_SM83,
            CALLS_SM83,
            "depends on",
            others={
                "other": (
                    COUNTS_SM83,
                    "ld hl, arr/.l: inc [hl]/inc hl/dec b/jr nz, .l/ld hl, arr/ld c, [hl]/ret",
                )
            },
        ),
    },
}
TRUE = {
    "6502": {
        "the number of turns": true(PUTS, CALLS, others={"other": BY_NUMBER}),
        "the time of two calls": true(
            TIMED, "sta arr+1/ldx #2/jsr other/ldx #3/jsr other/rts", others={"other": BY_NUMBER}
        ),
    },
    "sm83": {
        "the number of turns": true(PUTS_SM83, CALLS_SM83, others={"other": BY_NUMBER_SM83}),
    },
}


@pytest.mark.slow_cases(
    "6502 a branch behind the loop",
    "6502 what the loop adds up",
    "6502 how often it goes round",
    "6502 what it is called with",
    "sm83 what it loads at the end",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_what_a_callee_s_results_depend_on(cpu: str, said: Said) -> None:
    check(cpu, said)


@pytest.mark.quick_cases(
    "6502 a branch in the loop",
    "6502 a branch behind the loop",
    "6502 what it loads at the end",
    "6502 what it is called with",
    "sm83 the number of turns",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_what_is_known_without_the_callee_s_code(cpu: str, said: Said) -> None:
    """Where the contract leaves open what depends on what, the code is executed: not here."""
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    rom = rom_of(cpu, source(cpu, said))
    bank = LemmaStore(program_of(rom))
    assert bank.prove(rom.contracts["other"])[0].verdict is PROVED
    proof, _ = bank.prove(rom.contracts["it"], rom.image.address("it"), use=CalleeUse(least=True))
    is_true = said in TRUE[cpu].values()
    assert (proof.verdict is PROVED) is is_true, proof.findings
