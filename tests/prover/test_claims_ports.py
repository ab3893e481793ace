"""Loops that wait for a port end if it changes, where the contract assumes that."""

from __future__ import annotations

import pytest
from claims import NOT_SHOWN, PARTIAL, PROVED, Said, proofs_of, rom_of, source, told
from slow import slow_but

from romproof.text.diagnostic import BuildFailed

WAIT = "in: volatile n[1]; out: none; clobbers: A N Z; stack: 0"
CODE = "@w: lda n/and #1/beq @w/rts"
GB = "in: rJOYP[1]; out: none; clobbers: A F; stack: 0"
HEAD_GB = """\
DEF rJOYP EQU $FF00
EXPORT rJOYP
SECTION "Variables", HRAM[$FF90]
n:: ds 1
SECTION "Main", ROM0[$0150]
"""
GB_CODE = ".w: ldh a, [rJOYP]/and 1/jr nz, .w/ret"
LINE = "in: B rLY[1]; out: none; clobbers: A F; stack: 0"
HEAD_LY = HEAD_GB.replace("rJOYP", "rLY").replace("FF00", "FF44")
COPY = (
    "in: B HL rLY[1]; requires: B in 1..255; out: none; clobbers: A B F; stack: 0; "
    "invariant: .w: B in 1..255; decreases: .w: B"
)
COPY_CODE = ".w: ldh a, [rLY]/and 2/jr nz, .w/dec b/jr nz, .w/ret"
LINE_CODE = ".w: ldh a, [rLY]/cp b/jr nz, .w/ret"

ENDS: dict[str, tuple[str, Said]] = {
    "a bit": (
        "6502",
        Said("in: volatile n[1]; out: none; clobbers: A N Z; stack: 0; assumes: n changes", CODE),
    ),
    "a value": (
        "6502",
        Said(
            "in: volatile n[1]; out: none; clobbers: A N Z C; stack: 0; assumes: n changes",
            "@w: lda n/cmp #7/bne @w/rts",
        ),
    ),
    "a port of the Game Boy": (
        "sm83",
        Said(
            "in: rJOYP[1]; out: none; clobbers: A F; stack: 0; assumes: rJOYP changes",
            GB_CODE,
            head=HEAD_GB,
        ),
    ),
    "a port by its address, of a range": (
        "sm83",
        Said(
            "in: $FEFF[3]; out: none; clobbers: A F; stack: 0; assumes: $FF00 changes",
            GB_CODE,
            head=HEAD_GB,
        ),
    ),
    "a port by its name, of a range": (
        "sm83",
        Said(
            "in: $FF00[2]; out: none; clobbers: A F; stack: 0; assumes: rJOYP[1] changes",
            GB_CODE,
            head=HEAD_GB,
        ),
    ),
    "two ports": (
        "6502",
        Said(
            "in: volatile n[1] volatile m[1]; out: none; clobbers: A N Z; stack: 0 ; "
            "assumes: n changes, m changes",
            "@w: lda n/bpl @w/@v: lda m/bmi @v/rts",
        ),
    ),
    "what a register holds": (
        "sm83",
        Said(
            "in: B rLY[1]; out: none; clobbers: A F; stack: 0; assumes: rLY changes",
            LINE_CODE,
            head=HEAD_LY,
        ),
    ),
    "what a variable holds": (
        "6502",
        Said(
            "in: volatile n[1] tmp; out: none; clobbers: A N Z C; stack: 0; assumes: n changes",
            "lda tmp/@w: cmp n/bne @w/rts",
        ),
    ),
    "a variable in memory": (
        "6502",
        Said(
            "in: volatile n[1] tmp; out: none; clobbers: A N Z C; stack: 0; assumes: n changes",
            "@w: lda n/cmp tmp/bne @w/rts",
        ),
    ),
    "a copy that waits for each byte": (
        "sm83",
        Said(
            "in: B HL rLY[1]; requires: B in 1..255; out: none; clobbers: A B F; stack: 0; "
            "invariant: .w: B in 1..255; decreases: .w: B; assumes: rLY changes",
            COPY_CODE,
            head=HEAD_LY,
        ),
    ),
    "a copy that waits, down": (
        "6502",
        Said(
            "in: X A volatile n[1]; requires: X in 1..4; out: none; clobbers: X V N Z buf[4]; "
            "stack: 0; assumes: n changes; invariant: @w: X in 1..4; decreases: @w: X",
            "@w: bit n/bmi @w/sta buf-1,x/dex/bne @w/rts",
        ),
    ),
    "a value that the loop changes between the waits": (
        "sm83",
        Said(
            "in: B rLY[1]; requires: B in 1..255; out: none; clobbers: A B F; stack: 0; "
            "invariant: .w: B in 1..255; decreases: .w: B; assumes: rLY changes",
            ".w: ldh a, [rLY]/cp b/jr nz, .w/dec b/jr nz, .w/ret",
            head=HEAD_LY,
        ),
    ),
}
OPEN: dict[str, tuple[str, Said]] = {
    "nothing is assumed": ("6502", Said(WAIT, CODE)),
    "another port": (
        "6502",
        Said(
            "in: volatile n[1] volatile m[1]; out: none; clobbers: A N Z; stack: 0; "
            "assumes: m changes",
            CODE,
        ),
    ),
    "two reads of one port": (
        "6502",
        Said(
            "in: volatile n[1]; out: none; clobbers: A N Z C; stack: 0; assumes: n changes",
            "@w: lda n/cmp n/beq @w/rts",
        ),
    ),
    "read on some paths only": (
        "6502",
        Said(
            "in: X volatile n[1]; out: none; clobbers: A N Z; assumes: n changes",
            "@w: txa/beq @w/lda n/beq @w/rts",
        ),
    ),
    "a register that the loop changes": (
        "sm83",
        Said(
            "in: B rLY[1]; out: none; clobbers: A B F; stack: 0; assumes: rLY changes",
            ".w: dec b/ldh a, [rLY]/cp b/jr nz, .w/ret",
            head=HEAD_LY,
        ),
    ),
    "a register that it changes now and then": (
        "sm83",
        Said(
            "in: B rLY[1]; out: none; clobbers: A B F; stack: 0; assumes: rLY changes",
            ".w: ldh a, [rLY]/cp b/ret z/cp 7/jr nz, .w/inc b/jr .w",
            head=HEAD_LY,
        ),
    ),
    "some bits of a register": (
        "sm83",
        Said(
            "in: B rLY[1]; out: none; clobbers: A F; stack: 0; assumes: rLY changes",
            ".w: ldh a, [rLY]/and $F0/cp b/jr nz, .w/ret",
            head=HEAD_LY,
        ),
    ),
    "a variable that the loop changes": (
        "6502",
        Said(
            "in: volatile n[1] tmp; out: none; clobbers: A N Z C tmp; stack: 0; assumes: n changes",
            "@w: inc tmp/lda n/cmp tmp/bne @w/rts",
        ),
    ),
    "less than a register": (
        "sm83",
        Said(
            "in: B rLY[1]; out: none; clobbers: A F; stack: 0; assumes: rLY changes",
            ".w: ldh a, [rLY]/cp b/jr nc, .w/ret",
            head=HEAD_LY,
        ),
    ),
    "a copy, and nothing is assumed": ("sm83", Said(COPY, COPY_CODE, head=HEAD_LY)),
    "a copy that counts while it waits": (
        "sm83",
        Said(
            "in: B HL rLY[1]; requires: B in 1..255; out: none; clobbers: A B F; stack: 0; "
            "invariant: .w: B in 1..255; decreases: .w: B; assumes: rLY changes",
            ".w: inc b/ldh a, [rLY]/and 2/jr nz, .w/dec b/dec b/jr nz, .w/ret",
            head=HEAD_LY,
        ),
    ),
    "a copy that counts sometimes": (
        "sm83",
        Said(
            "in: B C HL rLY[1]; requires: B in 1..255; out: none; clobbers: A B F; "
            "stack: 0; invariant: .w: B in 1..255; decreases: .w: B; assumes: rLY changes",
            ".w: ldh a, [rLY]/and 2/jr nz, .w/bit 0, c/jr nz, .w/dec b/jr nz, .w/ret",
            head=HEAD_LY,
        ),
    ),
    "a value that the loop changes while it waits": (
        "sm83",
        Said(
            "in: BC rLY[1]; requires: C in 1..255; out: none; clobbers: A BC F; stack: 0; "
            "invariant: .w: C in 1..255; decreases: .w: C; assumes: rLY changes",
            ".w: inc b/ldh a, [rLY]/cp b/jr nz, .w/dec c/jr nz, .w/ret",
            head=HEAD_LY,
        ),
    ),
    "the other port of a range": (
        "sm83",
        Said(
            "in: $FF00[2]; out: none; clobbers: A F; stack: 0; assumes: $FF01 changes",
            GB_CODE,
            head=HEAD_GB,
        ),
    ),
    "a value that depends on the state": (
        "6502",
        Said(
            "in: volatile n[1]; out: none; clobbers: X N Z C; assumes: n changes",
            "ldx #0/@w: inx/cpx n/bne @w/rts",
        ),
    ),
}


@pytest.mark.slow_cases("a bit")
@pytest.mark.parametrize(
    "name", slow_but(["a bit", "a copy that waits for each byte"], list(ENDS), pytest.mark.proof)
)
def test_a_loop_that_waits_ends_if_the_port_changes(name: str) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    cpu, said = ENDS[name]
    proof = proofs_of(cpu, said)["it"]
    assert proof.verdict is PARTIAL, told(proof)
    assert " changes" in proof.assuming
    assert any(str(each).partition(":")[0] in proof.assuming for each in proof.rests_on)
    assert all(each.verdict is PROVED or each.assuming for each in proof.findings)


@pytest.mark.slow_cases("another port")
@pytest.mark.parametrize(
    "name", slow_but(["a copy that counts sometimes"], list(OPEN), pytest.mark.proof)
)
def test_what_need_not_end_is_not_said_to(name: str) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    cpu, said = OPEN[name]
    proof = proofs_of(cpu, said)["it"]
    assert not proof.assuming, told(proof)
    assert proof.verdict in (*NOT_SHOWN, PARTIAL)


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        ("assumes: n stays", "cannot be assumed"),
        ("assumes: m changes", "not listed under 'in:'"),
        ("assumes: n changes by it", "'n' is a port, which no handler writes"),
        ("assumes: n[2] changes", "not listed under 'in:'"),
        ("assumes: A changes", "not listed under 'in:'"),
    ],
)
def test_what_cannot_be_assumed_is_refused(field: str, fault: str) -> None:
    said = Said(f"in: volatile n[1] tmp; out: none; clobbers: A N Z; {field}", CODE)
    with pytest.raises(BuildFailed, match=fault):
        rom_of("6502", source("6502", said)).contracts["it"]
