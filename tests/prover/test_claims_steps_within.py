"""Loops over as many bytes as an input says, with a loop of eight steps for each of them, as of a
CRC: the one around is cut, and the steps are executed. Slips must not be proved."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet
from claims import Said, Table, cases, check, false, true

HEAD = {
    "6502": """\
        .segment "ZEROPAGE"
src:    .res 2
n:      .res 1
        .exportzp src, n
        .segment "CODE"
""",
    "sm83": 'SECTION "Main", ROM0[$0150]\n',
}

CRC = {
    "6502": "in: src[2] n s; pointer: src -> s[n]; out: A Y; clobbers: X N Z C; ensures: Y == n",
    "sm83": "in: HL C s; requires: C > 0; pointer: HL -> s[C]; out: A HL; clobbers: B C F; "
    "ensures: HL == old HL + old C",
}
CODE = {
    "6502": "lda #0/tay/@m: cpy n/beq @d/eor (src),y/ldx #8/@l: asl a/bcc @n/eor #$07/"
    "@n: dex/bne @l/iny/bne @m/@d: rts",
    "sm83": "xor a/.m: xor [hl]/inc hl/ld b, 8/.l: add a/jr nc, .n/xor 7/.n: dec b/jr nz, .l/"
    "dec c/jr nz, .m/ret",
}


def yes(cpu: str) -> Said:
    """What has to be proved."""
    return true(CRC[cpu], CODE[cpu], head=HEAD[cpu])


def no(cpu: str, old: str, new: str) -> Said:
    """The same with one slip, in the code or in the contract."""
    assert (old in CRC[cpu]) != (old in CODE[cpu])
    return false(CRC[cpu].replace(old, new), CODE[cpu].replace(old, new), head=HEAD[cpu])


CLAIMS: Table = {
    "6502": {
        "a crc": yes("6502"),
        "a crc, one byte more": no("6502", "Y == n", "Y == n + 1"),
        "a crc, a byte too far": no("6502", "eor (src),y", "iny/eor (src),y/dey"),
        "a crc, X is kept": no("6502", "clobbers: X", "clobbers:"),
    },
    "sm83": {
        "a crc, one byte more": no("sm83", "+ old C", "+ old C + 1"),
        "a crc, 0 bytes": no("sm83", "requires: C > 0; ", ""),
        "a crc, the inner counter counts": no("sm83", "dec c", "dec b"),
    },
}
PROOFS = ("6502 a crc, one byte more", "6502 a crc")


def _cases() -> Iterator[object]:
    names = [f"{cpu} {name}" for cpu, claims in CLAIMS.items() for name in claims]
    for case in cases(CLAIMS, long=names):
        assert isinstance(case, ParameterSet)
        rare = case.id not in PROOFS
        yield pytest.param(*case.values, id=case.id, marks=pytest.mark.long) if rare else case


@pytest.mark.parametrize(("cpu", "said"), list(_cases()))
def test_steps_within_a_loop(cpu: str, said: Said) -> None:
    check(cpu, said)
