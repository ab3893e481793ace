"""What conditions say of tables in ROM, at an index that is not known."""

from __future__ import annotations

import pytest
from claims import NOT_SHOWN, Said, cases, check, false, true

HEAD = """\
SECTION "Tables", ROM0, ALIGN[8]
table::
FOR I, 256
  db LOW(I << 1) ^ ($1D * (I >> 7))
ENDR
other:: db 3, 1, 4, 1, 5, 9, 2, 6
SECTION "Main", ROM0[$0150]
"""

STEP = "ld l, a/ld h, HIGH(table)/ld a, [hl]/ret"
"""One step of a register that shifts."""
LOOP = (
    "ld l, b/ld h, HIGH(table)/ld c, [hl]/"
    ".l: ld b, c/ld l, c/ld h, HIGH(table)/ld c, [hl]/dec d/jr nz, .l/ret"
)
"""C is always one step ahead."""
FEW = "and 7/add LOW(other)/ld l, a/ld h, HIGH(other)/ld a, [hl]/ret"
"""A table that is not linear."""


def _step(claim: str) -> str:
    return f"in: A; out: A; clobbers: HL F; ensures: {claim}"


def _loop(claim: str) -> str:
    return (
        f"in: B D; requires: D > 0; out: B C; clobbers: D HL F; invariant: .l: {claim}, D > 0; "
        "decreases: .l: D; ensures: C == table[B]"
    )


def _few(claim: str) -> str:
    return f"in: A; out: A; clobbers: HL F; ensures: {claim}"


def _false(contract: str, code: str) -> Said:
    return false(contract, code, verdicts=NOT_SHOWN, head=HEAD)


FALSE = {
    "sm83": {
        "the byte beside it": _false(_step("A == table[old A ^ 1]"), STEP),
        "one further": _false(_step("A == table[(old A + 1) % 256]"), STEP),
        "one further, behind the last": _false(_step("A == table[old A + 1]"), STEP),
        "a linear byte with a bit turned": _false(_step("A == table[old A] ^ 1"), STEP),
        "two steps": _false(_step("A == table[table[old A]]"), STEP),
        "ahead by two": _false(_loop("C == table[table[B]]"), LOOP),
        "not ahead": _false(_loop("C == B"), LOOP),
        "another index": _false(_few("A == other[old A % 4]"), FEW),
        "the other table": _false(_few("A == table[old A & 7]"), FEW),
        "beyond the end": _false(_few("A == other[old A]"), FEW),
    }
}
TRUE = {
    "sm83": {
        "a step": true(_step("A == table[old A]"), STEP, head=HEAD),
        "linear": true(
            _step("A == table[old A ^ 5] ^ table[5], A == table[old A & $F0] ^ table[old A & $0F]"),
            STEP,
            head=HEAD,
        ),
        "one step ahead": true(_loop("C == table[B]"), LOOP, head=HEAD),
        "a short table": true(_few("A == other[old A & 7]"), FEW, head=HEAD),
    }
}


@pytest.mark.slow_cases("sm83 one step ahead")
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_tables_in_conditions(cpu: str, said: Said) -> None:
    check(cpu, said)
