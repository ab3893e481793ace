"""Sums of bytes in a word: the lower byte of both sides is the same, and its carries are the rest.

One byte fewer, a carry that is lost, or one that goes to the wrong end is refuted.
"""

from __future__ import annotations

import pytest
from claims import REFUTED, Said, Table, cases, check, false, true

HEAD = {
    "6502": """\
        .segment "ZEROPAGE"
total:  .res 2
        .exportzp total
        .segment "BSS"
cells:  .res 10
        .export cells
        .segment "CODE"
""",
    "sm83": """\
SECTION "Variables", WRAM0
cells:: ds 10
SECTION "Main", ROM0[$0150]
""",
}
IN_MEMORY = (
    "in: cells[10]; out: total[2]; clobbers: A X N V Z C; ensures: total == sum j in 0..9: cells[j]"
)
BY_BRANCH = (
    "lda #0/sta total/sta total+1/ldx #9/"
    "@l: clc/lda cells,x/adc total/sta total/bcc @n/inc total+1/@n: dex/bpl @l/rts"
)
IN_HL = (
    "in: cells[10]; out: HL; clobbers: A B DE ZF NF HF CF; ensures: HL == sum j in 0..9: cells[j]"
)
JUMPS = (
    "ld hl, 0/ld de, cells/ld b, 10/.l: ld a, [de]/inc de/add l/ld l, a/jr nc, .n/inc h/"
    ".n: dec b/jr nz, .l/ret"
)
ADDS = JUMPS.replace("jr nc, .n/inc h/.n: ", "ld a, h/adc 0/ld h, a/")


def _true(cpu: str, contract: str, code: str) -> Said:
    return true(contract, code, head=HEAD[cpu])


def _false(cpu: str, contract: str, code: str) -> Said:
    return false(contract, code, "ensures", (REFUTED,), head=HEAD[cpu])


CLAIMS: Table = {
    "6502": {
        "a word in memory": _true("6502", IN_MEMORY, BY_BRANCH),
        "one byte fewer": _false("6502", IN_MEMORY, BY_BRANCH.replace("bpl", "bne")),
        "without the carries": _false("6502", IN_MEMORY, BY_BRANCH.replace("inc total+1/", "")),
        "a carry that comes in": _false("6502", IN_MEMORY, BY_BRANCH.replace("clc/", "")),
        "carries to the other byte": _false(
            "6502", IN_MEMORY, BY_BRANCH.replace("inc total+1", "inc total")
        ),
        "one more": _false(
            "6502",
            "in: cells[10]; out: total[2]; clobbers: A X N V Z C; "
            "ensures: total == 1 + sum j in 0..9: cells[j]",
            BY_BRANCH,
        ),
        "256 more": _false(
            "6502",
            "in: cells[10]; out: total[2]; clobbers: A X N V Z C; "
            "ensures: total == 256 + sum j in 0..9: cells[j]",
            BY_BRANCH,
        ),
    },
    "sm83": {
        "carries by a jump": _true("sm83", IN_HL, JUMPS),
        "carries added": _true("sm83", IN_HL, ADDS),
        "carries where there are none": _false("sm83", IN_HL, JUMPS.replace("jr nc", "jr c")),
        "one byte fewer": _false("sm83", IN_HL, ADDS.replace("b, 10", "b, 9")),
        "one more": _false(
            "sm83",
            "in: cells[10]; out: HL; clobbers: A B DE ZF NF HF CF; "
            "ensures: HL == 1 + sum j in 0..9: cells[j]",
            ADDS,
        ),
    },
}


@pytest.mark.slow_cases(
    "6502 a word in memory",
    "6502 a carry that comes in",
    "6502 carries to the other byte",
    "6502 256 more",
    "sm83 carries added",
    "sm83 one byte fewer",
)
@pytest.mark.parametrize(("cpu", "said"), cases(CLAIMS))
def test_sums_of_bytes_in_a_word(cpu: str, said: Said) -> None:
    check(cpu, said)
