"""Routines with pointers, executed with their blocks at many places: what is false is found."""

from __future__ import annotations

import numpy as np
import pytest
from witness_programs import rom_of, routine_6502, routine_sm83, subject_in

from romproof.witness.pointed import choices
from romproof.witness.witness import Plan, witness

PLAN = Plan(runs=100, exhaustive=64, sample=12, labels=12)
COPY = (
    "in: ptr flag arr[2] src; pointer: ptr -> src[flag <= 12]; pointer: to -> dst[flag]; "
    "out: dst; clobbers: A Y N Z C; stack: 0; ensures: all j in 0..11: j < flag -> "
    "dst[j] == old src[j]; cycles: 13.."
)
"""A copy on the 6502; ``to`` is a word at arr."""
COPY_CODE = "ldy #0/@l:/cpy flag/beq @d/lda (ptr),y/sta (arr),y/iny/bne @l/@d:/rts"
FILL = (
    "in: A HL B; requires: B in 1..12; pointer: HL -> dst[B]; out: dst; clobbers: B HL F; "
    "stack: 0; ensures: all j in 0..11: j < old B -> dst[j] == A; cycles: 9..75"
)
FILL_CODE = ".l:/ld [hl+], a/dec b/jr nz, .l/ret"
SUM = (
    "in: HL src; pointer: HL -> src[16]; out: A; clobbers: B HL F; stack: 0; cycles: 134 constant; "
    "ensures: A == (sum j in 0..15: src[j]) % 256"
)
SUM_CODE = "xor a/ld b, 16/.l:/add [hl]/inc hl/dec b/jr nz, .l/ret"

TRUE = {
    "6502": {"copy": (COPY, COPY_CODE)},
    "sm83": {"fill": (FILL, FILL_CODE), "sum": (SUM, SUM_CODE)},
}
FALSE = {
    "6502": {
        "one too many": (COPY, COPY_CODE.replace("@d:", "@d:/lda #0/sta (arr),y")),
        "one too few": (COPY, COPY_CODE.replace("ldy #0", "ldy #1")),
        "another page": (COPY, COPY_CODE.replace("/rts", "/inc arr+1/dec arr+1/inc arr/rts")),
        "an input": (
            (
                "in: ptr flag arr[2]; pointer: ptr -> src[flag <= 12]; "
                "pointer: to -> dst[flag]; out: dst src; clobbers: A Y N Z C; stack: 0; "
                "ensures: all j in 0..11: j < flag -> dst[j] == old src[j]; cycles: 13.."
            ),
            COPY_CODE,
        ),
        "next to it": (COPY, COPY_CODE.replace("@d:", "@d:/lda (ptr),y/tay/lda $00,y")),
    },
    "sm83": {
        "no carry": (SUM, SUM_CODE.replace("inc hl", "inc l")),
        "a byte before": (FILL, "dec hl/" + FILL_CODE.replace("ld [hl+], a", "ld [hl], a/inc hl")),
        "reads the byte after": (SUM, SUM_CODE.replace("/ret", "/bit 0, [hl]/ret")),
        "slower": (
            (
                "in: HL src; pointer: HL -> src[16]; out: A; clobbers: B HL F; stack: 0; "
                "cycles: 133 constant; ensures: A == (sum j in 0..15: src[j]) % 256"
            ),
            SUM_CODE,
        ),
        "another value": (FILL, FILL_CODE.replace("/dec b", "/dec b/inc a")),
    },
}


def _source(cpu: str, contract: str, code: str) -> str:
    text = contract.replace("to ->", "arr ->")
    return routine_sm83(text, code) if cpu == "sm83" else routine_6502(text, code)


def _cases(table: dict[str, dict[str, tuple[str, str]]]) -> list[object]:
    return [
        pytest.param(cpu, *case, id=f"{cpu} {name}")
        for cpu, cases in table.items()
        for name, case in cases.items()
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("cpu", "contract", "code"), _cases(TRUE))
def test_what_is_true_agrees(cpu: str, contract: str, code: str) -> None:
    subject = subject_in(rom_of(_source(cpu, contract, code), cpu))
    seen = witness(subject, PLAN)
    assert not seen.disagreements
    assert seen.runs > 100


@pytest.mark.slow_cases("6502 one too many", "6502 another page", "6502 an input")
@pytest.mark.parametrize(("cpu", "contract", "code"), _cases(FALSE))
def test_what_is_false_is_found(cpu: str, contract: str, code: str) -> None:
    subject = subject_in(rom_of(_source(cpu, contract, code), cpu))
    assert witness(subject, PLAN).disagreements


def test_blocks_are_put_beside_others_and_at_the_ends() -> None:
    subject = subject_in(rom_of(_source("6502", COPY, COPY_CODE)))
    chance = np.random.default_rng(0)
    places = [place for place, _ in choices(subject, None, (), chance)]
    touching = [abs(a - b) in (n, m) for (a, n), (b, m) in places if n and m]
    assert any(touching)
    assert len(set(places)) == len(places) > 10
