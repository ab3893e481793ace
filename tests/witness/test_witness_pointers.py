"""Routines with pointers, executed with their blocks at many places: what is false is found."""

from __future__ import annotations

from dataclasses import replace

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


SCAN = (
    "in: ptr src; pointer: ptr -> src[128]; out: A; clobbers: Y N V Z C; stack: 0; "
    "cycles: 1545..1672"
)
SCAN_CODE = "ldy #127/lda #0/@l:/clc/adc (ptr),y/dey/bpl @l/rts"
TWO = (
    "in: ptr arr[2] src dst; pointer: ptr -> src[16]; pointer: to -> dst[16]; out: A; "
    "clobbers: Y N V Z C; stack: 0; cycles: 281..311"
)
TWO_CODE = "ldy #15/lda #0/@l:/clc/adc (ptr),y/adc (arr),y/dey/bpl @l/rts"
ENDS = (
    "in: ptr src; pointer: ptr -> src[100]; out: A; clobbers: N V Z C; stack: 0; cycles: {}; "
    "ensures: A == (ptr + {}) % 256"
)
ENDS_CODE = "lda ptr/clc/adc #{}/bne @d/nop/nop/@d:/rts"
ONE_OF_256 = [
    pytest.param("6502", SCAN, SCAN_CODE, (1545, 1672), id="a page ends behind the first byte"),
    pytest.param("6502", TWO, TWO_CODE, (281, 311), id="the same of two blocks"),
    *(
        pytest.param("6502", ENDS.format("16..19", n), ENDS_CODE.format(n), (16, 19), id=where)
        for n, where in (
            (0, "a page ends before the block"),
            (255, "a page ends a byte before the block"),
            (99, "a page ends before the last byte"),
            (100, "a page ends behind the block"),
        )
    ),
]


@pytest.mark.parametrize("seed", range(3))
def test_places_where_a_page_ends_are_among_them(seed: int) -> None:
    subject = subject_in(rom_of(_source("6502", TWO, TWO_CODE)))
    places = choices(subject, None, (), np.random.default_rng(seed))
    lows = {tuple(base & 0xFF for base, _ in place) for place, _ in places}
    ends = [-before & 0xFF for before in (1, 0, 15, 16, -1)]
    assert lows >= {(low, low) for low in ends}
    assert len(places) > 2 * len(ends), "others as well"


@pytest.mark.slow
@pytest.mark.parametrize(("cpu", "contract", "code", "cycles"), ONE_OF_256)
def test_the_most_cycles_are_those_of_one_place(
    cpu: str, contract: str, code: str, cycles: tuple[int, int]
) -> None:
    """Of 256 places one takes the most cycles."""
    subject = subject_in(rom_of(_source(cpu, contract, code), cpu))
    for seed in range(3):
        seen = witness(subject, replace(PLAN, seed=seed), tight=True)
        assert not seen.disagreements
        assert seen.least is not None
        assert seen.most is not None
        assert (seen.least.cycles, seen.most.cycles) == cycles
