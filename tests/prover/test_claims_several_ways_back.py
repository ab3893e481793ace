"""Loops that go on in several ways, each with a jump of its own to their head: the ways of one turn
meet before the next one begins, so that places and cycles are known; and near misses are not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from claims import Said, cases, check, false, rom_of, source, true

from romproof.prover.prover import Prover

SM83 = (
    ".l: ld [hl], a/inc l/dec e/ret z/inc b/dec b/jr z, .two/dec b/jr .l/"
    ".two: inc c/dec c/jr z, .none/dec c/inc a/jr .l/.none: add 2/jr .l"
)
"""Four cells get what is missing so far: first those of B are taken, then those of C."""
HEAD_SM83 = "in: A B C; requires: A == 0, B <= 4, C <= 4; out: arr[4]; clobbers: A BC DE HL F"
START_SM83 = "ld hl, arr/ld e, 4/"
MOS = (
    "@l: sta arr,x/inx/cpx #4/beq @e/dec n/bpl @one/inc n/dec m/bpl @two/inc m/clc/adc #2/bne @l/"
    "@one: jmp @l/@two: clc/adc #1/jmp @l/@e: rts"
)
HEAD_MOS = "in: n m; requires: n <= 4, m <= 4; out: arr[4]; clobbers: A X N V Z C n m"
START_MOS = "lda #0/ldx #0/"


def _sm83(last: str, cycles: str, code: str = SM83) -> Said:
    lines = f"{HEAD_SM83}; ensures: arr[0] == 0, {last}; cycles: {cycles}"
    return Said(lines, START_SM83 + code)


def _mos(last: str, code: str = MOS) -> Said:
    return Said(f"{HEAD_MOS}; ensures: arr[0] == 0, {last}", START_MOS + code)


RIGHT_SM83 = (
    "old B >= 3 -> arr[3] == 0, old B + old C == 0 -> arr[3] == 6, old B == 2 -> arr[3] <= 2"
)
RIGHT_MOS = RIGHT_SM83.replace("old B", "old n").replace("old C", "old m")


def _false(said: Said) -> Said:
    return false(said.contract, said.code)


def _true(said: Said) -> Said:
    return true(said.contract, said.code)


FALSE = {
    "6502": {
        "one more": _false(_mos("old n >= 3 -> arr[3] == 1")),
        "the other byte": _false(_mos("old m >= 3 -> arr[3] == 0")),
        "one too few": _false(_mos("old n >= 2 -> arr[3] == 0")),
        "one way leaves a place out": _false(
            _mos(RIGHT_MOS, MOS.replace("@two: clc", "@two: inx/clc"))
        ),
    },
    "sm83": {
        "one more": _false(_sm83("old B >= 3 -> arr[3] == 1", "56..77")),
        "one too few": _false(_sm83("old B >= 2 -> arr[3] == 0", "56..77")),
        "one cycle fewer": _false(_sm83(RIGHT_SM83, "56..76")),
        "one way leaves a place out": _false(
            _sm83(RIGHT_SM83, "56..77", SM83.replace("inc a/jr", "inc a/inc l/jr"))
        ),
    },
}
TRUE = {
    "6502": {"places": _true(_mos(RIGHT_MOS))},
    "sm83": {"places and cycles": _true(_sm83(RIGHT_SM83, "56..77"))},
}


@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_loops_that_go_on_in_several_ways(cpu: str, said: Said) -> None:
    check(cpu, said)


@pytest.mark.parametrize(
    ("cpu", "said"),
    [("6502", TRUE["6502"]["places"]), ("sm83", TRUE["sm83"]["places and cycles"])],
    ids=["6502", "sm83"],
)
def test_each_place_is_a_number(cpu: str, said: Said) -> None:
    """Turns that met would give one unknown address, and an array."""
    own = Prover(rom_of(cpu, source(cpu, said)))
    contract = replace(own.contracts["it"], cycles=None)
    own.routine("it", contract)
    assert own._explored is not None
    assert not own._explored.exploration.indexed
