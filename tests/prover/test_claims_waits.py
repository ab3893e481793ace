"""Loops that wait for a byte which interrupts write end if the handler is proved to change it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from claims import PARTIAL, PROVED, Said, proofs_of, rom_of, source, true
from slow import slow_but

from romproof.prover.results import Proof
from romproof.text.diagnostic import BuildFailed

HEAD = """\
        .segment "ZEROPAGE"
n:      .res 1
m:      .res 1
w:      .res 2
        .exportzp n, m, w
        .segment "CODE"
"""
HEAD_GB = """\
SECTION "Vector", ROM0[$0040]
  jp handler
SECTION "Timer", ROM0[$0050]
  jp timer
SECTION "Variables", HRAM[$FF90]
n:: ds 1
m:: ds 1
SECTION "Enabled", HRAM[$FFFE]
last:: ds 1
DEF rIE EQU $FFFF
EXPORT rIE
SECTION "Main", ROM0[$0150]
"""
WAIT = "in: n; assumes: n changes by handler; out: none; clobbers: A N Z C; stack: 0"
WAIT_FOR_OTHER = "lda n/@w: cmp n/beq @w/rts"
ADDS_1 = (
    "kind: interrupt; in: n; out: n; ensures: n == (old n + 1) % 256; clobbers: none; stack: 0",
    "inc n/rti",
)
SETS = ("kind: interrupt; in: none; out: n; ensures: n == 1; clobbers: none; stack: 1",
        "pha/lda #1/sta n/pla/rti")  # fmt: skip
SAYS_LITTLE = ("kind: interrupt; in: n; out: n; clobbers: none; stack: 0", "inc n/rti")
WAIT_GB = (
    "in: n IME; requires: IME == 1; assumes: n changes by handler; out: none; clobbers: A F; "
    "stack: 0"
)
SETS_GB = (
    "kind: interrupt; in: none; out: n; ensures: n == 1; clobbers: none; stack: 2",
    "push af/ld a, 1/ldh [n], a/pop af/reti",
)
TIMER = ("kind: interrupt; in: none; out: none; clobbers: none; stack: 0", "reti")


def gb(contract: str, code: str, handler: tuple[str, str] = SETS_GB) -> Said:
    others = {"handler": handler, "timer": TIMER}
    return Said(contract, code, (PARTIAL,), others=others, head=HEAD_GB)


def mos(contract: str, code: str, handler: tuple[str, str] = ADDS_1) -> Said:
    return Said(contract, code, (PARTIAL,), others={"handler": handler}, head=HEAD)


ENDS: dict[str, tuple[str, Said]] = {
    "another value than before": ("6502", mos(WAIT, WAIT_FOR_OTHER)),
    "a flag": (
        "6502",
        mos(WAIT.replace("A N Z C", "A N Z n"), "lda #0/sta n/@w: lda n/beq @w/rts", SETS),
    ),
    "without a handler": ("6502", mos(WAIT.replace(" by handler", ""), WAIT_FOR_OTHER)),
    "a flag that is already set": ("6502", mos(WAIT.replace(" C;", ";"), "@w: lda n/beq @w/rts")),
    "the first byte of two": (
        "6502",
        mos("in: w; assumes: w[1] changes; out: none; clobbers: A N Z C; stack: 0",
            "lda w/@w: cmp w/beq @w/rts"),
    ),
    "a flag on the Game Boy": (
        "sm83",
        gb(WAIT_GB.replace("A F", "A F n"), "xor a/ldh [n], a/.w: ldh a, [n]/and a/jr z, .w/ret"),
    ),
    "halt in a loop": (
        "sm83",
        gb(WAIT_GB.replace("A F", "A F n"),
           "xor a/ldh [n], a/.w: halt/nop/ldh a, [n]/and a/jr z, .w/ret"),
    ),
    "halt alone": ("sm83", gb(WAIT_GB, "halt/nop/ldh a, [n]/ret")),
    "after ei, with IE": (
        "sm83",
        gb(
            "in: n rIE[1]; assumes: n changes by handler; out: none; clobbers: A F IME rIE[1]; "
            "stack: 0",
            "ld a, 1/ldh [rIE], a/ei/nop/.w: ldh a, [n]/and a/jr z, .w/ret",
        ),
    ),
}  # fmt: skip

DOES_NOT_END: dict[str, tuple[str, Said, str]] = {
    "a particular value": (
        "6502", mos(WAIT, "@w: lda n/cmp #5/bne @w/rts"), "nothing shows that the loop ends"),
    "a sign": ("6502", mos(WAIT.replace(" C;", ";"), "@w: lda n/bpl @w/rts"), "nothing shows"),
    "the handler may keep it": ("6502", mos(WAIT, WAIT_FOR_OTHER, SAYS_LITTLE), "may leave it"),
    "the handler writes the same": (
        "6502",
        mos(WAIT, "@w: lda n/cmp #1/beq @w/rts", SETS),
        "may leave it",
    ),
    "the handler writes under a condition": (
        "6502",
        mos(
            WAIT, WAIT_FOR_OTHER,
            ("kind: interrupt; in: n m; out: n; ensures: n == old n or m != 0; clobbers: none; "
             "stack: 1", "pha/lda m/beq @e/inc n/@e: pla/rti"),
        ),
        "may leave it",
    ),
    "the handler is no handler": (
        "6502",
        mos(WAIT, WAIT_FOR_OTHER,
            ("in: n; out: n; ensures: n != old n; clobbers: N Z; stack: 0", "inc n/rts")),
        "does not say 'kind: interrupt'",
    ),
    "the handler has no contract": (
        "6502", Said(WAIT, WAIT_FOR_OTHER, others={"handler": (None, "inc n/rti")}, head=HEAD),
        "no contract",
    ),
    "the handler is not proved": (
        "6502",
        mos(WAIT, WAIT_FOR_OTHER,
            ("kind: interrupt; in: n; out: n; ensures: n == (old n + 1) % 256; clobbers: none; "
             "stack: 0", "inc n/inc n/rti")),
        "is not proved",
    ),
    "interrupts are masked": (
        "6502", mos(WAIT.replace("A N", "A I N"), "sei/lda n/@w: cmp n/beq @w/rts"), "masked"),
    "interrupts are masked in the loop": (
        "6502",
        mos(WAIT.replace("A N", "A I N"), "lda n/@w: cmp n/sei/beq @w/rts"), "masked"),
    "interrupts are masked at the entry": (
        "6502",
        mos(WAIT.replace("in: n", "in: n I; requires: I == 1"), WAIT_FOR_OTHER), "masked"),
    "the loop writes it": (
        "6502",
        mos(WAIT.replace("A N Z C", "A N Z n"), "@w: lda #0/sta n/lda n/beq @w/rts", SETS),
        "nothing shows",
    ),
    "interrupts are masked on the Game Boy": (
        "sm83",
        gb(WAIT_GB.replace("IME;", "IME;").replace("requires: IME == 1; ", "")
           .replace("A F", "A F IME"), "di/.w: ldh a, [n]/and a/jr z, .w/ret"), "masked"),
    "the interrupt is not enabled": (
        "sm83",
        gb(
            "in: n rIE[1] IME; requires: IME == 1; assumes: n changes by handler; out: none; "
            "clobbers: A F rIE[1]; stack: 0",
            "ld a, 2/ldh [rIE], a/.w: ldh a, [n]/and a/jr z, .w/ret",
        ),
        "masked",
    ),
}  # fmt: skip


def proof_of(cpu: str, said: Said) -> Proof:
    return proofs_of(cpu, said)["it"]


@pytest.mark.parametrize(
    "name", slow_but(("another value than before", "a flag", "halt in a loop"), ENDS)
)
def test_a_wait_ends(name: str) -> None:
    proof = proof_of(*ENDS[name])
    assert proof.verdict is PARTIAL, proof.findings
    assert proof.assuming.endswith(" changes"), proof.findings


@pytest.mark.parametrize(
    "name",
    slow_but(("a particular value", "the handler writes the same",
        "interrupts are masked", "the interrupt is not enabled",), DOES_NOT_END),
)  # fmt: skip
def test_a_wait_may_not_end(name: str) -> None:
    cpu, said, reason = DOES_NOT_END[name]
    proof = proof_of(cpu, said)
    assert proof.verdict is not PROVED
    assert proof.assuming == "", proof.findings
    assert any(reason in each.detail for each in proof.findings), proof.findings


def test_what_a_handler_requires_is_told() -> None:
    """Nobody checks it where an interrupt comes."""
    handler = (
        "kind: interrupt; in: n m; requires: m == 1; out: n; ensures: n == (old n + old m) % 256; "
        "clobbers: none; stack: 2",
        "pha/php/cld/clc/lda n/adc m/sta n/plp/pla/rti",
    )
    proof = proof_of("6502", mos(WAIT, WAIT_FOR_OTHER, handler))
    assert proof.assuming == "n changes", proof.findings
    details = [each.detail for each in proof.findings if each.assuming]
    assert all("if m == 1 whenever handler is entered" in each for each in details)


@pytest.mark.slow
def test_a_handler_of_two_interrupts_needs_one_of_two_bits() -> None:
    said = gb(WAIT_GB, ".w: ldh a, [n]/and a/jr z, .w/ret")
    assert said.head is not None
    said = replace(said, head=said.head.replace("jp timer", "jp handler"))
    details = [each.detail for each in proof_of("sm83", said).findings if each.assuming]
    assert details
    assert all("bit 0 or 2 of IE is 1 while it waits" in each for each in details)


@pytest.mark.parametrize(
    ("contract", "message"),
    [
        (WAIT.replace("in: n", "in: none"), "'n' is not listed under 'in:'"),
        (WAIT.replace("in: n", "in: volatile n"), "'n' is a port, which no handler writes"),
        ("in: w; assumes: w changes; out: none; clobbers: A N Z C", "'w' has 2 bytes"),
        (WAIT.replace("by handler", "by nobody"), "nobody"),
        (WAIT.replace("changes by", "is changed by"), "cannot be assumed"),
    ],
)
def test_what_cannot_be_assumed(contract: str, message: str) -> None:
    with pytest.raises(BuildFailed, match=message):
        rom_of("6502", source("6502", mos(contract, WAIT_FOR_OTHER)))


@pytest.mark.slow
def test_a_halt_says_nothing_of_the_most_cycles() -> None:
    """Neither where it is executed nor where it is called."""
    said = gb(f"{WAIT_GB}; cycles: 5..30000000", "halt/nop/ldh a, [n]/ret")
    assert proof_of("sm83", said).verdict is not PARTIAL
    caller = true(
        "in: n IME; requires: IME == 1; out: none; clobbers: A F; stack: 2; cycles: ..30000000",
        "call waits/ret",
        others={"waits": (WAIT_GB, "halt/nop/ldh a, [n]/ret"), **(said.others or {})},
        head=HEAD_GB,
    )
    assert proof_of("sm83", caller).verdict not in (PROVED, PARTIAL)


@pytest.mark.slow
def test_a_halt_with_interrupts_masked_is_unknown() -> None:
    said = gb(WAIT_GB.replace("requires: IME == 1; ", ""), "halt/nop/ldh a, [n]/ret")
    proof = proof_of("sm83", said)
    assert any("may be masked" in each.detail for each in proof.findings)
